"""The step of an FMU, compiled: inputs in, `doStep`, outputs out, by the addresses of its functions."""

import numpy as np
from numba import carray
from numba.core import types

from cupola.kernel.jit import ask_int, entry, pointer

BLOCK = 11
"""Numbers that a step is given as its context: the instance, its functions to set, step and get, the references of its
inputs and outputs, how many references there are of each, how many values, and where FMI 3 puts what it has to tell."""
SET, STEP, GET, EARLY = 100, 200, 300, 400
"""Added to the status of the call that failed."""
WARNING = 1
"""The worst status that is none."""


def step_fmi2(given, taken, state, context, time, dt):  # type: ignore[no-untyped-def]
    """One step of FMI 2."""
    b = carray(pointer(context), (BLOCK,), np.int64)
    status = ask_int(b[1], (b[0], b[4], b[6], given))
    if status > WARNING:
        return SET + status
    status = ask_int(b[2], (b[0], time, dt, 1))
    if status > WARNING:
        return STEP + status
    status = ask_int(b[3], (b[0], b[5], b[7], taken))
    return GET + status if status > WARNING else 0


def step_fmi3(given, taken, state, context, time, dt):  # type: ignore[no-untyped-def]
    """One step of FMI 3."""
    b = carray(pointer(context), (BLOCK,), np.int64)
    status = ask_int(b[1], (b[0], b[4], b[6], given, b[8]))
    if status > WARNING:
        return SET + status
    told = b[10]
    status = ask_int(b[2], (b[0], time, dt, 1, told, told + 1, told + 2, told + 8))
    if status > WARNING:
        return STEP + status
    flags = carray(pointer(told), (3,), np.uint8)
    if flags[1] or flags[2]:
        return EARLY
    status = ask_int(b[3], (b[0], b[5], b[7], taken, b[9]))
    return GET + status if status > WARNING else 0


_signature = types.int32(*[types.intp] * 4, *[types.float64] * 2)
STEPS = {2: entry(_signature, step_fmi2)(step_fmi2), 3: entry(_signature, step_fmi3)(step_fmi3)}
"""By the version of FMI."""
