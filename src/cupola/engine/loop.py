"""One tick, readable aloud, compiled: control, air, actuators, loads, step, sensors, log. No Python in between."""

import functools
import math
from typing import Any

import mujoco
from numba.core import types

from cupola.engine.exchange import exchange
from cupola.engine.integrate import accelerate, refresh
from cupola.engine.integrate import integrate as integrate_step
from cupola.engine.loads import COMMAND, actuate, blame
from cupola.engine.motors import set_friction
from cupola.engine.sampling import append, look, note, sense
from cupola.engine.steady_state import settle
from cupola.engine.wings import place_strips, remember_air, start_shapes
from cupola.kernel.air import blow, stir
from cupola.kernel.jit import call, is_cold, jit
from cupola.kernel.memory import open_views
from cupola.xmath import Number

STATE_SIGNATURE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
HISTORY = 100
"""States kept for a post-mortem."""
REMEMBERED = ("state", "command", "sticks", "airs", "push", "counters")
"""Our arrays in a kept state, in the order in which `_remember` writes them."""


def _control(v: Number, tick: Number) -> Number:
    """Run the compiled controllers that are due; 0 or the controller whose command is not a number."""
    for i in range(v.controls.shape[0]):
        row = v.controls[i]
        if row.function != 0 and tick % row.every == 0:
            v.seen[row.vehicle, 1] = row.every * v.world[0].dt
            call(row.function, (row.block,))
        for k in range(row.start, row.start + row.count):
            if row.stopped:
                v.command[k] = 0.0
            if not abs(v.command[k]) < 1e300 and not (v.may_hold[k] and math.isnan(v.command[k])):
                return blame(COMMAND, i)
    return 0


def _remember(v: Number, tick: Number) -> None:
    """Keep the state before this tick: MuJoCo's, then our arrays `REMEMBERED`."""
    w, width = v.world[0], v.history.shape[0] // HISTORY
    start = (tick % HISTORY) * width
    place = v.history[start : start + width]
    call(w.mj_getState, (w.model, w.data, place.ctypes.data, STATE_SIGNATURE))
    at = append(v.state, place, w.state_size)
    at = append(v.command, place, at)
    at = append(v.sticks.ravel(), place, at)
    at = append(v.airs.ravel(), place, at)
    at = append(v.push.ravel(), place, at)
    append(v.counters, place, at)


@jit
def advance(table: Number, ticks: int) -> int:
    """Run `ticks` ticks; returns the number that was wholly done (fewer when something went wrong)."""
    v = open_views(table.ctypes.data)
    for done in range(ticks):
        tick = v.counters[0]
        _remember(v, tick)
        problem = _control(v, tick)
        if problem == 0:
            blow(v, tick)
            actuate(v)
            problem = exchange(v, tick)
        if problem == 0:
            problem = integrate_step(v)
        if problem != 0:
            v.fault[0] = problem
            return done
        tick += 1
        v.counters[0] = tick
        look(v, tick)
        sense(v, tick)
        note(v, tick)
    return ticks


@jit
def begin(table: Number) -> None:
    """After a reset: motion, accelerations, first samples and first log row at the present tick."""
    v = open_views(table.ctypes.data)
    tick = v.counters[0]
    set_friction(v)
    refresh(v)
    stir(v)
    start_shapes(v)
    remember_air(v, start=True)
    refresh(v)
    accelerate(v)
    look(v, tick)
    sense(v, tick)
    note(v, tick)


@jit
def look_again(table: Number) -> None:
    """After a restore: motion is current again; no sample is taken twice."""
    v = open_views(table.ctypes.data)
    set_friction(v)
    place_strips(v)
    refresh(v)
    look(v, v.counters[0])


@jit
def accelerate_now(table: Number) -> int:
    """Accelerations at the present coordinates and commands, with actuators at rest there; no time passes.

    Returns 0 or what went wrong. For trim and linearisation: the loads are those of a step.
    """
    v = open_views(table.ctypes.data)
    refresh(v)
    look(v, v.counters[0])
    settle(v)
    refresh(v)
    v.fault[0] = accelerate(v)
    return int(v.fault[0])


@functools.cache
def compile_once() -> None:
    """Compile all entries of the loop if none is kept on disk: together they share nearly all of the work."""
    if is_cold():
        table = types.Array(types.int64, 1, "C")
        entries: dict[Any, tuple[Any, ...]] = {begin: (), look_again: (), accelerate_now: (), advance: (types.int64,)}
        for entry, more in entries.items():
            entry.compile((table, *more))
