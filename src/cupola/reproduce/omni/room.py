"""Where the base is in a room, from its own wheels, gyroscope and lasers, while it drives a minute among obstacles."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from cupola.config.scenario import find_scenario
from cupola.config.vehicle import ControllerEntry
from cupola.estimate.base_pose import BasePose, Localiser, localise
from cupola.estimate.scan_match import Scanner
from cupola.physics.rotation import euler_from_quaternion, wrap
from cupola.reproduce.row import Row, at_most
from cupola.sim.world import World

SOURCE = "omni_room, 60 s"
LEGS = ((0.25, 0.0, 0.0), (0.0, 0.2, 0.2), (-0.2, 0.0, 0.2), (0.0, -0.25, -0.15), (0.1, 0.1, -0.25), (-0.2, 0.1, 0.0))
"""Forward, left [m/s] and turn rate [rad/s], 5 s each, and then all of it backwards: it stays clear of everything."""


def drive() -> tuple[World, dict[str, Any], Any]:
    """The world after the drive, rows of each sensor by its time [s], and the true path: time, x, y, yaw."""
    scenario, folder = find_scenario("omni_room")
    entry = scenario.vehicles[0].model_copy(update={"controller": ControllerEntry(use="mecanum_route", rate_hz=1000)})
    world = World(scenario.model_copy(update={"vehicles": (entry,), "measures": {}}), folder)
    back = [tuple(-part for part in leg) for leg in reversed(LEGS)]
    world.script([(5.0 * k, list(leg)) for k, leg in enumerate((*LEGS, *back))])
    heard: dict[str, list[Any]] = {name: [] for name in ("encoders", "imu", *world.robot().scanners)}
    seen, path = dict.fromkeys(heard, 0), []
    for _ in range(600):
        world.run(0.1)
        for name, parts in heard.items():
            samples = world.samples["velma_base", name]
            parts.append(samples.since(seen[name]))
            seen[name] = samples.count
        now = world.motion()
        path.append((world.time, now.pos_w.x, now.pos_w.y, euler_from_quaternion(now.quat_wb).yaw))
    timed = {name: np.concatenate(parts) for name, parts in heard.items()}
    for table in timed.values():
        table[:, 0] *= world.dt
    return world, timed, np.array(path)


def rows(full: bool) -> Iterator[Row]:
    """Errors at every tenth of a second, root mean squares: all sensors, and the laser alone."""
    world, timed, path = drive()
    robot = world.robot()
    scans = [(Scanner.of(robot, name), timed[name]) for name in robot.scanners]
    wheels, gyro = timed["encoders"][::10, :5], timed["imu"][::10][:, [0, 6]]
    nothing = np.zeros((0, 5)), np.zeros((0, 2))
    for what, (turned, rate) in {"all sensors": (wheels, gyro), "laser alone": nothing}.items():
        found = localise(turned, rate, scans, Localiser(BasePose(robot.wheels_at(0).kinematics())))
        at = [
            np.interp(path[:, 0], found[:, 0], column) for column in (found[:, 1], found[:, 2], np.unwrap(found[:, 3]))
        ]
        off = np.hypot(at[0] - path[:, 1], at[1] - path[:, 2])
        turn = np.degrees([wrap(a - b) for a, b in zip(at[2], path[:, 3], strict=True)])
        key = f"omni_room_{what.replace(' ', '_')}"
        yield at_most(
            f"{key}_place", SOURCE, f"scan matching, place, {what}", 0.02, float(np.sqrt(np.mean(off**2))), "m"
        )
        yield at_most(
            f"{key}_heading", SOURCE, f"scan matching, heading, {what}", 0.5, float(np.sqrt(np.mean(turn**2))), "deg"
        )
