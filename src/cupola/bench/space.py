"""What a free-floating robot costs with RK4, against bare steps of the same model."""

from collections.abc import Iterator

import mujoco

from cupola.bench.result import Result, ratio_at_least
from cupola.bench.timing import Side, pair
from cupola.sim.world import load

BAR = 0.6
TICKS = 1000
"""In one timed call: a second."""
ROUNDS = 12
SCENARIOS = ("cepheus_simulation", "cepheus_hardware", "cepheus_capture", "servicer_capture")
ROBOT, FLYING = "chaser", "approach"
"""Whose mission is timed, and in which phase: arm, wheel and thrusters work."""
LATEST = 90.0
"""[s] by which that phase has begun."""


def cases() -> Iterator[Result]:
    """The simulated robot, the one with all its motors, gas and sensors, in two experiments, and the satellite."""
    for name in SCENARIOS:
        yield floating(name)


def floating(name: str) -> Result:
    """A second of its mission, with all sensors of robot and target; speed relative to bare `mj_step`."""
    world = load(name)
    while world.mission(ROBOT) != FLYING:
        if world.time > LATEST:
            raise RuntimeError(f"{name}: no {FLYING} within {LATEST:g} s")
        world.run(0.1)
    start = world.snapshot()
    model, data = world.model, mujoco.MjData(world.model)
    qpos, qvel = world.data.qpos.copy(), world.data.qvel.copy()

    def begin() -> None:
        data.qpos[:], data.qvel[:] = qpos, qvel

    bare = Side(lambda: mujoco.mj_step(model, data, TICKS), begin)
    found = pair(Side(lambda: world.step(TICKS), lambda: world.restore(start)), bare, ROUNDS)
    what = f"{name}, RK4, 1 ms: {1.0 / found.ours:.0f} × real time; speed / bare"
    return ratio_at_least(what, TICKS / found.ours, "steps/s", TICKS / found.theirs, 1.0 / found.ratio, BAR)
