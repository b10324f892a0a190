"""Velma's base on the routes of its thesis: paths in the thesis's axes, x right and y forward.

What was fitted is the creep of the preset `fitted`, once, on the robot's square without rotation. Nothing else is.
"""

from typing import Any, NamedTuple

import numpy as np

from cupola.config.ground import Floor
from cupola.config.routes import find_route, route_end, route_sticks
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry
from cupola.physics.mecanum import pose_in_thesis
from cupola.physics.planar import Pose
from cupola.physics.rotation import euler_from_quaternion
from cupola.sim.world import World

EVERY = 20
"""[ticks of 1 ms] between two rows of a path."""
Array = np.ndarray[Any, np.dtype[np.float64]]


class Path(NamedTuple):
    """Where it was: time [s], then x right, y forward [m] and yaw [rad] as seen from the start."""

    time: Array
    x: Array
    y: Array
    yaw: Array

    def at(self, time: Array | float) -> Array:
        """Places at some times, straight between rows, held outside."""
        return np.stack([np.interp(time, self.time, self.x), np.interp(time, self.time, self.y)], axis=-1)


def base(model: str, preset: str = "fitted", **wheels: float) -> World:
    """The base alone on a floor that suits the preset."""
    entry = VehicleEntry(
        model="velma_base",
        controller=ControllerEntry(use="mecanum_route", rate_hz=1000),
        parts={"wheels": {"model": model, "preset": preset, **wheels}},
    )
    floor = 100.0 if preset.startswith("thesis") else 0.95
    return World(Scenario(vehicles=(entry,), physics_hz=1000, floor=Floor(friction=floor)))


def drive(world: World, route: str, rest: float = 1.0) -> Path:
    """Drive a route from the start, and some time on [s]."""
    world.reset()
    legs = find_route(route)
    world.script(route_sticks(legs))
    rows = [_row(world)]
    for _ in range(round((route_end(legs) + rest) * 1000.0 / EVERY)):
        world.step(EVERY)
        rows.append(_row(world))
    time, x, y, yaw = np.array(rows).T
    return Path(time, x, y, np.unwrap(yaw))


def _row(world: World) -> list[float]:
    seen = world.motion()
    place = pose_in_thesis(Pose(seen.pos_w.x, seen.pos_w.y, euler_from_quaternion(seen.quat_wb).yaw))
    return [world.time, *place]
