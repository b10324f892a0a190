"""Compiling what a world needs and the disk does not have: side by side in processes, as Numba holds a lock."""

import contextlib
import functools
import gc
import importlib
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from numba.core import types

from cupola.engine.adapters import Unit, compiled, is_cold
from cupola.engine.core import compiled_core, is_core_cold
from cupola.engine.law import compile_law, is_law_cold, law_of
from cupola.engine.loop import advance, begin, reopen
from cupola.kernel.private_folder import private_base
from cupola.kernel.turns import turn

log: logging.Logger = logging.getLogger("cupola")
CORE = "core"
LOOP = "loop"
LAW = "law"
MOST_HELPERS = 3
_LOADED: set[str] = set()
"""Pieces that this process has, and does not look for on the disk again. No laws: a user may edit one meanwhile."""
WORTH_A_PROCESS = 3
"""Pieces to compile for each of which starting another process pays."""


class Piece(NamedTuple):
    """What can be compiled on its own."""

    name: str
    """By which another process finds it, if it is ours."""
    is_cold: Callable[[], bool]
    """Whether it is not on the disk."""
    compile: Callable[[], Any]


def unit_piece(unit: Unit) -> Piece:
    """A kernel of a kind of part."""
    name = f"{unit.kind.__module__}:{unit.kind.__qualname__}:{unit.stage}:{unit.variant}"
    return Piece(name, lambda: is_cold(unit), lambda: compiled(unit))


def core_piece(name: str) -> Piece:
    """A function of the core."""
    return Piece(f"{CORE}:{name}", lambda: is_core_cold(name), lambda: compiled_core(name))


def law_piece(cls: type) -> Piece:
    """The law of a controller."""
    law = law_of(cls)
    return Piece(f"{LAW}:{cls.__module__}:{cls.__qualname__}", lambda: is_law_cold(law), lambda: compile_law(law))


def loop_piece() -> Piece:
    """The loop itself."""
    return Piece(LOOP, is_loop_cold, compile_loop)


def piece_named(name: str) -> Piece:
    """One of ours, by its name."""
    head, *rest = name.split(":")
    if head == LOOP:
        return loop_piece()
    if head == CORE:
        return core_piece(rest[0])
    if head == LAW:
        return law_piece(getattr(importlib.import_module(rest[0]), rest[1]))
    return unit_piece(Unit(getattr(importlib.import_module(head), rest[0]), rest[1], rest[2]))


def compile_all(units: Iterable[Unit], core: Iterable[str], controllers: Iterable[type]) -> dict[Any, int]:
    """Addresses of compiled kernels and of functions of the core; the laws of controllers are made ready too."""
    units, core = list(dict.fromkeys(units)), list(dict.fromkeys(core))
    pieces = [unit_piece(unit) for unit in units if unit.kind.__module__.startswith("cupola.")]
    pieces += [*map(core_piece, core), loop_piece(), *map(law_piece, controllers)]
    if cold := [piece for piece in pieces if piece.name not in _LOADED and piece.is_cold()]:
        _give_notice(len(cold), any(piece.name == LOOP for piece in cold))
        compile_together(cold)
    compile_loop()
    found: dict[Any, int] = {
        **{unit: compiled(unit).address for unit in units},
        **{(CORE, name): compiled_core(name).address for name in core},
    }
    _LOADED.update(piece.name for piece in pieces if not piece.name.startswith(f"{LAW}:"))
    return found


def _give_notice(count: int, loop: bool) -> None:
    """Announce a long compilation: to the log if it has a handler, else on stderr, as in a notebook."""
    long = ": about a minute" if loop else ""
    said = f"compiling {count} {'kernels' if count > 1 else 'kernel'} of this world, cached for later runs{long}"
    if log.isEnabledFor(logging.INFO):
        log.info(said)
    else:
        print(f"cupola: {said}", file=sys.stderr, flush=True)


def compile_together(pieces: list[Piece]) -> None:
    """Compile pieces onto the disk: each once, whoever else needs it now, with the help of other processes.

    With -P they take no modules from the present folder, which may be a stranger's.
    """
    ours = [piece.name for piece in pieces if not piece.name.startswith(f"{LAW}:") or f"{LAW}:cupola." in piece.name]
    helpers = min(MOST_HELPERS, (os.cpu_count() or 1) - 1, len(ours) // WORTH_A_PROCESS)
    helpers = helpers if private_base() is not None else 0
    command = [sys.executable, "-P", "-m", "cupola.engine.units", *reversed(ours)]
    there = {**os.environ, "CUPOLA_CACHE": str(private_base())}
    started = [subprocess.Popen(command, stdout=subprocess.DEVNULL, env=there) for _ in range(helpers)]
    try:
        for piece in work(pieces):
            with turn(piece.name, wait=True), without_collector():
                piece.compile()
    except BaseException:
        for process in started:
            process.terminate()
        raise
    finally:
        for process in started:
            process.wait()


def work(pieces: Iterable[Piece]) -> list[Piece]:
    """Compile the pieces that no other process has begun; returns the others."""
    left = []
    for piece in pieces:
        with turn(piece.name, wait=False) as mine:
            if not mine:
                left.append(piece)
            elif piece.is_cold():
                with without_collector():
                    piece.compile()
    return left


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Compile without Python's garbage collector, which takes a tenth of the time and finds next to nothing.

    It runs between pieces, which keeps the memory of a world with many kinds in bounds.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


TABLE = types.Array(types.int64, 1, "C")
LOOP_ENTRIES: dict[Any, tuple[Any, ...]] = {
    advance: (TABLE, types.int64),
    begin: (TABLE,),
    reopen: (TABLE,),
}
"""`accelerate_now` is compiled when trim or an analysis needs it."""


def is_loop_cold() -> bool:
    """Whether the loop itself must be compiled first."""
    loop: Any = advance
    kept = loop._cache.cache_path
    return kept is None or not any(Path(kept).glob("loop.advance*.nbc"))


@functools.cache
def compile_loop() -> None:
    """Compile all entries of the loop: together they share nearly all of the work."""
    for entry, signature in LOOP_ENTRIES.items():
        entry.compile(signature)


if __name__ == "__main__":
    work(piece_named(name) for name in sys.argv[1:])
