"""Compile a controller's law so that the loop can call it by address, without Python."""

import functools
import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import carray
from numba.core import types
from numba.np.unsafe.ndarray import to_fixed_tuple

from cupola.kernel.jit import callable_from_compiled, entry, pointer, reach
from cupola.kernel.memory import SEEN, STICKS
from cupola.kernel.observation import Wanted, Waypoint, seen_from

PLAN_WIDTH = len(Waypoint._fields)
Array = np.ndarray[Any, Any]


def _file_name(law: Callable[..., Any], state_type: Any, parameter_names: tuple[str, ...]) -> str:
    """A name of its own in Numba's cache, which counts the entries of one name: two processes that compiled two laws at
    once could give both the same number, and one law would be read as the other.
    """
    said = "|".join((law.__module__, law.__qualname__, *state_type._fields, "", *parameter_names))
    return f"{law.__name__}_{hashlib.sha256(said.encode()).hexdigest()[:12]}"


def law_block(
    seen: Array, sticks: Array, state: Array, parameters: Array, command: Array, plan: Array
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Addresses that a compiled law reads and writes, then the number of waypoints and of channels."""
    arrays = (seen, sticks, state, parameters, command, plan)
    return np.array([*(array.ctypes.data for array in arrays), len(plan), len(command)], np.int64)


@functools.cache
def compile_law(law: Callable[..., Any], state_type: Any, parameter_names: tuple[str, ...]) -> Any:
    """C function `void f(int64 *block)` that reads, calls `law(seen, wanted, state, parameters)` and writes back."""
    count = len(state_type._fields)
    parameters_type = np.dtype([(name, "f8") for name in parameter_names or ("none",)])
    callable_from_compiled(law)
    reach(law)

    def run(address):  # type: ignore[no-untyped-def]
        block = carray(pointer(address), (8,), np.int64)
        state = carray(pointer(block[2]), (max(count, 1),), np.float64)
        command = carray(pointer(block[4]), (block[7],), np.float64)
        wanted = Wanted(
            carray(pointer(block[1]), (STICKS,), np.float64),
            carray(pointer(block[5]), (block[6], PLAN_WIDTH), np.float64),
        )
        motion = seen_from(carray(pointer(block[0]), (SEEN,), np.float64))
        parameters = carray(pointer(block[3]), (1,), parameters_type)[0]
        outputs, after = law(motion, wanted, state_type(*to_fixed_tuple(state, count)), parameters)
        for i in range(min(len(outputs), len(command))):
            command[i] = outputs[i]
        if len(outputs) > len(command):
            command[0] = np.nan  # stops the run: what comes after its channels is another vehicle's
        for i in range(count):
            state[i] = after[i]

    run.__qualname__ = _file_name(law, state_type, parameter_names)
    # A user's law may use modules whose edits we cannot see: it is compiled anew at each start.
    ours = law.__module__.partition(".")[0] == "cupola"
    return entry(types.void(types.intp), law, keep=ours)(run)
