"""Distance and relative angle of two bodies, measured in the same tick inside the world."""

import math
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.physics.planar import Pose, distance
from cupola.physics.rotation import Quaternion, euler_from_quaternion, wrap
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World
from cupola.xmath import Number


class Relative(NamedTuple):
    """Of one body to another, on the plane."""

    distance: Number
    """[m]."""
    angle: Number
    """Yaw of the first less that of the second, within half a turn [rad]."""


def relative(one: Pose, other: Pose) -> Relative:
    """Between two poses, or two arrays of them."""
    return Relative(distance(one, other), wrap(one.yaw - other.yaw))


def body_pose(world: World, name: str) -> Pose:
    """Of the root of a vehicle, or of any body by its full name, `vehicle/body`."""
    vehicles = {instance.name: instance.root for instance in world.instances}
    body = vehicles.get(name, mujoco.mj_name2id(world.model, mujoco.mjtObj.mjOBJ_BODY, name))
    if body < 0:
        bodies = [mujoco.mj_id2name(world.model, mujoco.mjtObj.mjOBJ_BODY, k) for k in range(1, world.model.nbody)]
        raise InputError(f"there is no body {name!r} to watch; there are: {', '.join([*vehicles, *bodies])}")
    x, y, _ = world.data.xpos[body].tolist()
    return Pose(x, y, euler_from_quaternion(Quaternion(*world.data.xquat[body].tolist())).yaw)


class Between:
    """Watches two bodies: append it to `world.observers`. With `world.max_ticks_per_batch = 1` it sees every tick."""

    def __init__(self, first: str, second: str) -> None:
        self.first, self.second = first, second
        self._rows: list[tuple[float, float, float]] = []
        self._seen = -math.inf

    def observe(self, world: World) -> None:
        """Take a row, once per tick."""
        if world.time > self._seen:
            self._seen = world.time
            now = relative(body_pose(world, self.first), body_pose(world, self.second))
            self._rows.append((world.time, now.distance, now.angle))

    def table(self) -> np.ndarray[Any, Any]:
        """Time [s], distance [m], angle [rad]."""
        return np.array(self._rows).reshape(-1, 3)
