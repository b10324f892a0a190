"""Compile a controller's law, and the report after it, so that the loop can call them by address, without Python."""

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import carray
from numba.core import types

from cupola.engine.sampling import newest_samples
from cupola.kernel.jit import compile_text, is_kept, pointer, sources
from cupola.kernel.memory import STICKS
from cupola.kernel.observation import Reference, Waypoint, observation_from
from cupola.kernel.records import expression, leaves
from cupola.kernel.rows import OBSERVATION

PLAN_WIDTH = len(Waypoint._fields)
RING = 6
"""Numbers of a row of the table of rings: see `newest_samples`."""
Array = np.ndarray[Any, Any]
TEXT = """\
# {said}
def run(address):
    block = carray(pointer(address), (9,), INTEGER)
    state = carray(pointer(block[2]), ({size},), FLOAT)
    command = carray(pointer(block[4]), (block[7],), FLOAT)
    sticks, plan = carray(pointer(block[1]), (STICKS,), FLOAT), carray(pointer(block[5]), (block[6], PLAN_WIDTH), FLOAT)
    ref = Reference(sticks, plan)
    obs = observation_from(carray(pointer(block[0]), (1,), OBSERVATION)[0])
    parameters = carray(pointer(block[3]), (1,), PARAMETERS)[0]
    outputs, after = law(obs, ref, {before}, parameters)
    for i in range(min(len(outputs), len(command))):
        command[i] = outputs[i]
    if len(outputs) > len(command):
        command[0] = NAN  # stops the run: what comes after its channels is another vehicle's
"""
LONG = """\
# {said}
def run(address):
    block = carray(pointer(address), (18,), INTEGER)
    state = carray(pointer(block[2]), (block[9],), FLOAT)
    command = carray(pointer(block[4]), (block[7],), FLOAT)
    sticks, plan = carray(pointer(block[1]), (STICKS,), FLOAT), carray(pointer(block[5]), (block[6], PLAN_WIDTH), FLOAT)
    obs = observation_from(carray(pointer(block[0]), (1,), OBSERVATION)[0])
    parameters = carray(pointer(block[3]), (1,), PARAMETERS)[0]
    reported = carray(pointer(block[8]), ({size},), FLOAT)
    seen = carray(pointer(block[10]), (block[11],), FLOAT)
    samples = carray(pointer(block[12]), (block[13],), FLOAT)
    counters = carray(pointer(block[14]), (block[15],), INTEGER)
    newest_samples(samples, counters, carray(pointer(block[16]), (block[17], RING), INTEGER), seen)
    law(obs, Reference(sticks, plan), state, parameters, seen, command, reported)
"""
REPORT = """\
    told = report(obs, ref, after, parameters)
    reported = carray(pointer(block[8]), ({size},), FLOAT)
"""


def law_block(
    obs: Array,
    sticks: Array,
    state: Array,
    parameters: Array,
    command: Array,
    plan: Array,
    reported: Array,
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Addresses that a compiled law reads and writes, the number of waypoints and of channels, and where it reports."""
    arrays = (obs, sticks, state, parameters, command, plan)
    places = [array.ctypes.data for array in arrays]
    return np.array([*places, len(plan), len(command), reported.ctypes.data], np.int64)


def law_plan(block: Array, plan: Array) -> None:
    """Let a compiled law read another plan, which must outlive the loop."""
    block[5], block[6] = plan.ctypes.data, len(plan)


def long_law_block(
    short: Array, state: Array, seen: Array, samples: Array, counters: Array, table: Array
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The same for a law with a long memory: also its length, where it sees, and the rings of samples."""
    more = [len(state)]
    for array in (seen, samples, counters, table):
        more += [array.ctypes.data, len(array)]
    return np.array([*short, *more], np.int64)


class Law(NamedTuple):
    """A law, and what must be known to compile it."""

    law: Callable[..., Any]
    State: Any
    parameters: tuple[tuple[str, tuple[int, ...]], ...]
    """Names and shapes."""
    report: Callable[..., Any] | None = None
    Signals: Any = None
    long: bool = False
    """Whether it is a law with a long memory: see `Controller.long_law`."""


def law_of(controller: Any) -> Law:
    """The law of a class of controllers."""
    named = tuple((name, p.shape) for name, p in controller.declared.items())
    if controller.long_law is not None:
        return Law(controller.long_law, None, named, None, controller.Signals, True)
    return Law(controller.law, controller.State, named, controller.report, controller.Signals)


def record_of(parameters: tuple[tuple[str, tuple[int, ...]], ...]) -> np.dtype[np.void]:
    """Record type of the parameters that a law reads as `p.name`."""
    return np.dtype([(name, "f8", shape) for name, shape in parameters or (("none", ()),)])


@functools.cache
def compile_law(law: Law) -> Any:
    """C function `void f(int64 *block)` that reads, calls `law(obs, ref, state, parameters)` and writes back.

    Then it calls `report(obs, ref, state, parameters)` with the state after the law, and writes all its numbers.
    """
    return compile_text(types.void(types.intp), *_prepared(*law))


def is_law_cold(law: Law) -> bool:
    """Whether a law must be compiled first and can be kept on disk."""
    name, text, _, files = _prepared(*law)
    return files is not None and not is_kept(files, name, text)


def _prepared(
    law: Callable[..., Any],
    state_type: Any,
    parameters: tuple[tuple[str, tuple[int, ...]], ...],
    report: Callable[..., Any] | None,
    signals: Any,
    long: bool,
) -> tuple[str, str, dict[str, Any], frozenset[Path] | None]:
    """Name, text and globals of a compiled law, and the files it reaches if it can be kept."""
    named = [f"{name}{list(shape) if shape else ''}" for name, shape in parameters]
    fields = () if long else leaves(state_type)
    said = [law.__module__, law.__qualname__, *fields, "", *named]
    names: dict[str, Any] = {
        "law": law,
        "PARAMETERS": record_of(parameters),
        "Reference": Reference,
        "observation_from": observation_from,
        "carray": carray,
        "pointer": pointer,
        "OBSERVATION": OBSERVATION,
        "STICKS": STICKS,
        "PLAN_WIDTH": PLAN_WIDTH,
        "INTEGER": np.int64,
        "FLOAT": np.float64,
        "NAN": np.nan,
        "newest_samples": newest_samples,
        "RING": RING,
    }
    called, tail = [law], "".join(f"    state[{k}] = after.{leaf}\n" for k, leaf in enumerate(fields))
    if report is not None and signals is not None:
        names["report"] = report
        called.append(report)
        said += ["", report.__module__, report.__qualname__]
        tail += REPORT.format(size=len(leaves(signals)))
        tail += "".join(f"    reported[{k}] = told.{leaf}\n" for k, leaf in enumerate(leaves(signals)))
    if long:
        text = LONG.format(said=" ".join(said), size=len(leaves(signals)))
    else:
        before = expression(state_type, "state[{}]", names)
        text = TEXT.format(said=" ".join(said), size=max(len(fields), 1), before=before) + tail
    # A user's law may use modules whose edits we cannot see: it is compiled anew at each start.
    ours = all(function.__module__.partition(".")[0] == "cupola" for function in called)
    files = frozenset().union(sources(_prepared), *map(sources, called)) if ours else None
    return _name(law, text), text, names, files


def _name(law: Callable[..., Any], text: str) -> str:
    """A name of its own in Numba's cache, which counts the entries of one name: two processes that compiled two laws at
    once could give both the same number, and one law would be read as the other.
    """
    said = law.__name__ if law.__name__.isidentifier() else "law"
    return f"{said}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
