"""The F-16's steps of height and course by a two-step formula, as one of the tools seems to integrate them.

Adams-Bashforth's formula of second order, x' = x + h (3 f - f_before) / 2, answers a jump of the commands with 3/2 of
its size in the first step: it is half a step ahead of the equations from then on. With 10 ms that is the lead of 5 ms
which sim_05 has over a solution with small steps.
"""

from typing import Any

import numpy as np

from cupola.reproduce.nesc.columns import Table, columns, joined
from cupola.sim.world import World

STEP = 0.01
"""[s]"""


def fly(world: World, seconds: int, tell: tuple[float, str, float]) -> Table:
    """The flight in the columns of the tools' files, every 0.1 s; `tell` is a time, a number and its new value."""
    data, table = world.data, []
    state = np.concatenate([data.qpos[:7], data.qvel[:6]])
    before: Any = None
    for k in range(10 * seconds + 1):
        _put(world, state)
        table.append(columns(world))
        if k == round(10 * tell[0]):
            world.tune(tell[1], tell[2])
        for _ in range(round(0.1 / STEP)):
            change = _change(world, state)
            state = state + STEP * (1.5 * change - 0.5 * (change if before is None else before))
            state[3:7] /= np.linalg.norm(state[3:7])
            before = change
    return joined(table)


def _put(world: World, state: Any) -> None:
    """Put the only body there; its accelerations and those of the control law are those of this moment."""
    world.data.qpos[:7], world.data.qvel[:6] = state[:7], state[7:]
    world.accelerate()


def _change(world: World, state: Any) -> Any:
    """Of place, attitude, velocity and rates per second."""
    _put(world, state)
    w, x, y, z = state[3:7]
    p, q, r = state[10:13]
    turning = (-x * p - y * q - z * r, w * p + y * r - z * q, w * q + z * p - x * r, w * r + x * q - y * p)
    return np.concatenate([state[7:10], 0.5 * np.array(turning), world.data.qacc[:6]])
