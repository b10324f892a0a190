"""One tick, readable aloud, compiled: control, air, actuators, loads, step, sensors, log. No Python in between."""

import math

import mujoco
import numpy as np
from numba import carray

from cupola.engine.integrate import accelerate, hold_air, refresh, revisit
from cupola.engine.sampling import append, log_is_due, write_log
from cupola.engine.steady_state import settle
from cupola.kernel.jit import call, jit, pointer
from cupola.kernel.memory import Views, open_views, window
from cupola.kernel.stages import (
    ACTUATE,
    AIR,
    BEFORE_STEP,
    COMMAND,
    EXCHANGE,
    GUSTS,
    INTEGRATE,
    NOTHING,
    OBSERVE,
    PUBLISH,
    REOPEN,
    SENSE,
    SETTLE,
    START,
    blame,
    run_stage,
)
from cupola.xmath import Number

STATE_SIGNATURE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
HISTORY = 100
"""States kept for a crash dump."""


def _control(v: Views, tick: Number) -> Number:
    """Run the compiled controllers that are due; 0 or what went wrong."""
    for i in range(v.controls.shape[0]):
        row = v.controls[i]
        if row.function != 0 and tick % row.every == 0:
            v.observations[row.vehicle].period = row.every * v.world[0].dt
            call(row.function, (row.block,))
        for k in range(row.start, row.start + row.count):
            if row.stopped:
                v.command[k] = 0.0
            if not abs(v.command[k]) < 1e300 and not (v.may_hold[k] and math.isnan(v.command[k])):
                return blame(v, COMMAND, i, 0)
    return 0


def _control_is_due(v: Views, tick: Number) -> bool:
    """Whether a compiled controller is due at this tick."""
    due = False
    for i in range(v.controls.shape[0]):
        due = due or (v.controls[i].function != 0 and tick % v.controls[i].every == 0)
    return due


def _actuate(v: Views) -> Number:
    """Commands become drives; held during the tick."""
    for i in range(v.command.shape[0]):
        v.drive[i] = v.command[i]
    return run_stage(v, ACTUATE, 0.0)


def _remember(v: Views, tick: Number) -> None:
    """Keep the state before this tick: MuJoCo's, then our arrays `array_groups.REMEMBERED`, then the counters."""
    w, width = v.world[0], v.history.shape[0] // HISTORY
    start = (tick % HISTORY) * width
    place = window(v.history, start, width)
    if w.state_copied:
        call(w.mj_getState, (w.model, w.data, place.ctypes.data, STATE_SIGNATURE))
    at = append(v.history_segments, place, w.state_size if w.state_copied else 0)
    for i in range(v.counters.shape[0]):
        place[at + i] = v.counters[i]


def _set_timer(v: Views, clock: Number) -> Number:
    """Give MuJoCo another clock, and return the one it had; 0 is none.

    Python's MuJoCo asks a clock 32 times a step for `mjData.timer`, a third of a small step, and nobody here reads it.
    """
    place = carray(pointer(v.world[0].mjcb_time), (1,), np.int64)
    before = place[0]
    place[0] = clock
    return before


@jit
def advance(table: Number, ticks: int) -> int:
    """Run `ticks` ticks; returns the number that was wholly done (fewer when something went wrong)."""
    v = open_views(table.ctypes.data)
    v.error[0].what = NOTHING
    clock, whole = _set_timer(v, 0), ticks
    for done in range(ticks):
        tick = v.counters[0]
        _remember(v, tick)
        problem = _control(v, tick)
        if problem == 0:
            run_stage(v, GUSTS, 0.0)
            problem = _actuate(v)
        if problem == 0:
            problem = run_stage(v, EXCHANGE, 0.0)
        if problem == 0:
            problem = run_stage(v, INTEGRATE, 0.0)
        if problem != 0:
            whole = done
            break
        tick += 1
        v.counters[0] = tick
        run_stage(v, AIR, 0.0)
        logged = log_is_due(v, tick)
        if logged or done == ticks - 1 or _control_is_due(v, tick):
            run_stage(v, OBSERVE, 0.0)
        run_stage(v, SENSE, 0.0)
        if logged:
            write_log(v, tick)
        if v.error[0].what != NOTHING:
            whole = done
            break
    if clock != 0:  # else another thread has taken it, and puts it back
        _set_timer(v, clock)
    return whole


@jit
def begin(table: Number) -> None:
    """After a reset: motion, accelerations, first samples and first log row at the present tick."""
    v = open_views(table.ctypes.data)
    v.error[0].what = NOTHING
    tick = v.counters[0]
    run_stage(v, REOPEN, 0.0)
    refresh(v)
    run_stage(v, START, 0.0)
    refresh(v)
    accelerate(v)
    run_stage(v, AIR, 0.0)
    hold_air(v)
    run_stage(v, OBSERVE, 0.0)
    run_stage(v, SENSE, 0.0)
    if log_is_due(v, tick):
        write_log(v, tick)


@jit
def reopen(table: Number) -> None:
    """After a restore: motion is current again; no sample is taken twice."""
    v = open_views(table.ctypes.data)
    run_stage(v, REOPEN, 0.0)
    revisit(v)
    run_stage(v, AIR, 0.0)
    run_stage(v, PUBLISH, 0.0)
    run_stage(v, OBSERVE, 0.0)


def _load_and_accelerate(v: Views) -> Number:
    """Models from outside, loads and accelerations at the present motion; 0 or what went wrong."""
    problem = run_stage(v, EXCHANGE, 0.0)
    if problem == 0:
        run_stage(v, BEFORE_STEP, 0.0)
        problem = accelerate(v)
    return problem


@jit
def accelerate_now(table: Number) -> int:
    """Accelerations at the present coordinates and commands, with actuators at rest there; no time passes.

    Returns 0 or what went wrong. For trim and linearisation: the loads are those of a step.
    """
    v = open_views(table.ctypes.data)
    v.error[0].what = NOTHING
    refresh(v)
    run_stage(v, AIR, 0.0)
    run_stage(v, OBSERVE, 0.0)
    settle(v)
    refresh(v)
    return int(_load_and_accelerate(v))


@jit
def arrive_now(table: Number) -> None:
    """Put servos where they arrive under the present commands."""
    v = open_views(table.ctypes.data)
    for i in range(v.command.shape[0]):
        v.drive[i] = v.command[i]
    run_stage(v, SETTLE, 0.0)


@jit
def act_now(table: Number) -> int:
    """Let the actuators do their part of a tick at the present coordinates and commands; 0 or what went wrong."""
    v = open_views(table.ctypes.data)
    v.error[0].what = NOTHING
    refresh(v)
    run_stage(v, AIR, 0.0)
    run_stage(v, OBSERVE, 0.0)
    return int(_actuate(v))


@jit
def accelerate_as_is(table: Number, ask_outside: bool) -> int:
    """Accelerations at the present coordinates, with actuators as they are now; 0 or what went wrong.

    Models from outside are asked again, or hold what they gave last.
    """
    v = open_views(table.ctypes.data)
    v.error[0].what = NOTHING
    refresh(v)
    run_stage(v, AIR, 0.0)
    run_stage(v, OBSERVE, 0.0)
    return int(_load_and_accelerate(v) if ask_outside else accelerate(v))
