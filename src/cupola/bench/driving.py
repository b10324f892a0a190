"""What a base on Mecanum wheels costs, against bare steps of the same model and bare rays of the same number.

The wheels of both sides turn, and contacts that slide along their rollers on ours slide on a floor of ice on the other:
a base at rest would spare MuJoCo's solver what costs most.
"""

import copy
from collections.abc import Callable, Iterator

import mujoco
import numpy as np

from cupola.bench.result import Result, ratio_at_most
from cupola.bench.timing import Side, pair
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry
from cupola.sim.world import World

BAR = 1.1
TICKS = 1000
"""In one timed call: a second of driving."""
ROUNDS = 12
ICE = 0.01
"""Friction under wheels that slide."""
SCANNERS = ("laser_right", "laser_left")
BLIND: dict[str, dict[str, bool | int | float | str]] = {name: {"rate_hz": 0.001} for name in SCANNERS}
"""Lasers that have fired once and do not again."""
NOISY: dict[str, dict[str, bool | int | float | str]] = {
    "encoders": {"marks": 2048, "angle_noise": 1e-4, "speed_noise": 1e-3, "runout": 1e-3}
}
"""Encoders with all errors they can have; the way by the wheels is counted from them."""


def cases() -> Iterator[Result]:
    """Directed friction with and without its scanners, and rollers."""
    yield driving("friction", scanning=False)
    yield driving("friction", scanning=True)
    yield driving("rollers", scanning=False)


def driving(model: str, *, scanning: bool) -> Result:
    """A second of driving forward, to the left and turning, with noisy encoders, odometry and the unit at 1000 Hz."""
    entry = VehicleEntry(
        model="velma_base",
        controller=ControllerEntry(use="mecanum_route", rate_hz=100),
        parts={"wheels": {"model": model}, **NOISY, **({} if scanning else BLIND)},
    )
    world = World(Scenario(vehicles=(entry,), physics_hz=TICKS))
    world.sticks([0.2, 0.1, 0.1])
    world.step(TICKS)
    start = world.snapshot()
    found = pair(
        Side(lambda: world.step(TICKS), lambda: world.restore(start)),
        bare(world, scanning, model == "friction"),
        ROUNDS,
    )
    times = f"{1.0 / found.ours:.0f} × real time"
    what = f"velma_base, {model}{', two scanners of 540 rays at 50 Hz' if scanning else ''}, 1 ms: {times}; time / bare"
    return ratio_at_most(what, TICKS / found.ours, "steps/s", TICKS / found.theirs, found.ratio, BAR)


def bare(world: World, scanning: bool, sliding: bool) -> Side:
    """As many `mj_step`, and as many `mj_multiRay`, from the same state, with motors that keep their speeds."""
    model = copy.copy(world.model)
    if sliding:
        model.geom_friction[:, 0] = ICE
    model.actuator_biasprm[:, 1] = 0.0  # no angle to hold, so that a constant control is a constant speed
    data = mujoco.MjData(model)
    qpos, qvel = world.data.qpos.copy(), world.data.qvel.copy()
    speeds = qvel[model.jnt_dofadr[model.actuator_trnid[:, 0]]]
    ctrl = -model.actuator_biasprm[:, 2] * speeds

    def begin() -> None:
        data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, ctrl

    looks = [_rays(world, data, name) for name in SCANNERS] if scanning else []

    def drive() -> None:
        for _ in range(50):
            mujoco.mj_step(model, data, TICKS // 50)
            for look in looks:
                look()

    return Side(drive, begin)


def _rays(world: World, data: mujoco.MjData, name: str) -> Callable[[], None]:
    rays = 540
    site = world.model.site(f"velma_base/{name}")
    angles = np.radians(np.linspace(-135.0, 135.0, rays))
    directions = np.stack([np.cos(angles), np.sin(angles), np.zeros(rays)], axis=1).ravel()
    geoms, distances = np.zeros(rays, np.int32), np.zeros(rays)
    place, body = data.site_xpos[site.id], int(world.model.site_bodyid[site.id])

    def look() -> None:
        mujoco.mj_multiRay(world.model, data, place, directions, None, 1, body, geoms, distances, None, rays, 20.0)

    return look
