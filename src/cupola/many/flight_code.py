"""The text of a flight compiled for the processor, worlds side by side."""

import hashlib
import re
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from numba import carray
from numba.core import types

from cupola import xmath
from cupola.engine.inlined import Inliner, as_written, on_the_processor
from cupola.engine.lane_math import LANE_MATH, lane_floor
from cupola.engine.local_array import local_array
from cupola.kernel.jit import compile_text, pointer, sources
from cupola.many.flight_template import INSTEAD, Flight
from cupola.many.flight_text import Writer

ALL_WORLDS = """
def run(state, own, ints, rows, numbers, n, first, stop, count):
    S, K = carray(pointer(state), (rows, n), FLOAT), carray(pointer(own), (numbers, n), FLOAT)
    I = carray(pointer(ints), (4, n), INT)
    for i in range(first, stop, LANES):
        flock(S, K, I, i, stop, count)
"""
LANES = {np.float64: 8, np.float32: 16}
"""Worlds side by side: as many as the widest vector registers hold."""


def compiled(flight: Flight, floats: Any) -> Any:
    """The flight of a portion of the worlds as a C function."""
    lanes, kind = LANES[floats], np.dtype(floats)
    space = {**flight.names, "__name__": __name__, "LANES": lanes, "lanes": local_array(lanes, kind)}
    space["whole_lanes"] = local_array(lanes, np.dtype(np.int64))
    for name, value in flight.names.items():
        if re.fullmatch(r"local_\d+", name):
            space[name] = local_array(value, kind)
    exec(compile(flight.text, "<flight>", "exec"), space)
    inliner = Inliner(floats, on_the_processor, lane_math(floats))
    inliner.replace(INSTEAD)
    names = {"flock": inliner.copy(space["flock"]), "carray": carray, "pointer": pointer}
    names |= {"LANES": lanes, "FLOAT": floats, "INT": np.int64}
    said, files = identity(flight, compiled)
    made = compile_text(types.void(*[types.intp] * 9), f"flight_{said}", f"# {said}{ALL_WORLDS}", names, files)
    return made.ctypes


def lane_math(floats: Any) -> dict[Any, Any]:
    """What stands for functions of `xmath` where worlds fly side by side."""
    found = {xmath.floor: on_the_processor(lane_floor)}
    exact = Inliner(floats, as_written, dict(found))
    return found | {function: exact.copy(other) for function, other in LANE_MATH.items()}


def identity(flight: Flight, compiler: Any) -> tuple[str, frozenset[Path] | None]:
    """What tells a flight from another, and the files it is compiled from; None where some of them are not ours."""
    said = hashlib.sha256((flight.text + repr(sorted(_arrays(flight)))).encode()).hexdigest()[:16]
    functions = [f for f in flight.names.values() if isinstance(f, FunctionType)]
    if not all(f.__module__.startswith("cupola") for f in functions):
        return said, None
    return said, frozenset().union(sources(compiler), sources(Writer.write), *map(sources, functions))


def _arrays(flight: Flight) -> list[str]:
    """Arrays in a flight: they are compiled in, but do not stand in its text."""
    return [f"{name}{value.tobytes().hex()}" for name, value in flight.names.items() if isinstance(value, np.ndarray)]
