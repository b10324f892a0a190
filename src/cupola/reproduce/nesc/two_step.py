"""The F-16's steps of height and course by the formulas of sim_05.

Velocities by Adams and Bashforth's two-step formula, v' = v + h (3 a - a_before) / 2; places by x' = x + h v +
h² a / 2; attitude likewise, as one turn at the rate of the middle of the step; h = 10 ms. The two-step formula answers
a jump of the commands with 3/2 of its size in the first step, and is half a step, 5 ms, ahead of the equations from
then on.
"""

from typing import Any

import mujoco

from cupola.reproduce.nesc.columns import Table, columns, joined
from cupola.sim.world import World

STEP = 0.01
"""[s]"""


def fly(world: World, seconds: int, tell: tuple[float, str, float]) -> Table:
    """The flight in the columns of the tools' files, every 0.1 s; `tell` is a time, a number and its new value."""
    data, table = world.data, []
    before: Any = None
    for k in range(10 * seconds + 1):
        world.accelerate()
        table.append(columns(world))
        if k == round(10 * tell[0]):
            world.tune(tell[1], tell[2])
        for _ in range(round(0.1 / STEP)):
            world.accelerate()  # of this state, under commands of this moment
            now = data.qacc[:6].copy()
            middle = data.qvel[:6] + 0.5 * STEP * now
            data.qpos[:3] += STEP * middle[:3]
            mujoco.mju_quatIntegrate(data.qpos[3:7], middle[3:], STEP)
            data.qvel[:6] += STEP * (1.5 * now - 0.5 * (now if before is None else before))
            before = now
    return joined(table)
