"""Compiling what a world needs and the disk does not have: side by side in processes, as Numba holds a lock."""

import contextlib
import functools
import importlib
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from numba.core import types

from cupola.engine.adapters import Unit, compiled, is_cold
from cupola.engine.core import compiled_core, is_core_cold
from cupola.engine.law import compile_law, is_law_cold, law_of
from cupola.engine.loop import advance, begin, reopen
from cupola.kernel.private_folder import private_base

log: logging.Logger = logging.getLogger("cupola")
CORE = "core"
LOOP = "loop"
LAW = "law"
MOST_HELPERS = 3
WORTH_A_PROCESS = 3
"""Units to compile for which starting another process pays."""


def compile_all(units: Iterable[Unit], core: Iterable[str], controllers: Iterable[type]) -> dict[Any, int]:
    """Addresses of compiled kernels and of functions of the core; the laws of controllers are made ready too."""
    units, core = list(dict.fromkeys(units)), list(dict.fromkeys(core))
    cold = [name_of(unit) for unit in units if unit.kind.__module__.startswith("cupola.") and is_cold(unit)]
    cold += [f"{CORE}:{name}" for name in core if is_core_cold(name)]
    cold += [LOOP] if is_loop_cold() else []
    cold += [f"{LAW}:{cls.__module__}:{cls.__qualname__}" for cls in controllers if is_law_cold(law_of(cls))]
    if cold:
        _give_notice(len(cold), LOOP in cold)
    if len(cold) >= WORTH_A_PROCESS and private_base() is not None:
        compile_together(cold)
    compile_loop()
    return {
        **{unit: compiled(unit).address for unit in units},
        **{(CORE, name): compiled_core(name).address for name in core},
    }


def _give_notice(count: int, loop: bool) -> None:
    """Say why nothing seems to happen: to the log where somebody listens, else on stderr, as in a notebook."""
    long = ": about a minute" if loop else ""
    said = f"compiling {count} {'pieces' if count > 1 else 'piece'} of this world, only this once{long}"
    if log.isEnabledFor(logging.INFO):
        log.info(said)
    else:
        print(f"cupola: {said}", file=sys.stderr, flush=True)


def compile_together(names: list[str]) -> None:
    """Share the work with other processes; what they made is then found on disk.

    With -P they take no modules from the present folder, which may be a stranger's.
    """
    with tempfile.TemporaryDirectory(prefix="claims-", dir=private_base()) as claims:
        helpers = min(MOST_HELPERS, (os.cpu_count() or 1) - 1, len(names) - 1)
        command = [sys.executable, "-P", "-m", "cupola.engine.units", claims, *reversed(names)]
        there = {**os.environ, "CUPOLA_CACHE": str(private_base())}
        started = [subprocess.Popen(command, stdout=subprocess.DEVNULL, env=there) for _ in range(helpers)]
        try:
            work(Path(claims), names)
        except BaseException:
            for process in started:
                process.terminate()
            raise
        finally:
            for process in started:
                process.wait()


def work(claims: Path, names: list[str]) -> None:
    """Compile the units that nobody else has begun."""
    for name in names:
        with contextlib.suppress(FileExistsError):
            (claims / name.replace(":", "+")).touch(exist_ok=False)
            compile_named(name)


def name_of(unit: Unit) -> str:
    """What another process finds a unit by."""
    return f"{unit.kind.__module__}:{unit.kind.__qualname__}:{unit.stage}:{unit.variant}"


def compile_named(name: str) -> None:
    """Compile one unit onto the disk."""
    head, *rest = name.split(":")
    if head == LOOP:
        compile_loop()
    elif head == LAW:
        compile_law(law_of(getattr(importlib.import_module(rest[0]), rest[1])))
    elif head == CORE:
        compiled_core(rest[0])
    else:
        kind = getattr(importlib.import_module(head), rest[0])
        compiled(Unit(kind, rest[1], rest[2]))


TABLE = types.Array(types.int64, 1, "C")
LOOP_ENTRIES: dict[Any, tuple[Any, ...]] = {
    advance: (TABLE, types.int64),
    begin: (TABLE,),
    reopen: (TABLE,),
}
"""`accelerate_now` is compiled when somebody trims."""


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
    work(Path(sys.argv[1]), sys.argv[2:])
