"""Smaller experiments with Velma's base: standing still, command times, a corner of the square, a picture by laser."""

import math
from collections.abc import Iterator

import numpy as np
from scipy.optimize import least_squares

from cupola.config.routes import Leg, route_sticks
from cupola.config.scenario import find_scenario
from cupola.physics.planar import Twist
from cupola.physics.rotation import euler_from_quaternion
from cupola.reproduce.omni.drive import Array, Path, base
from cupola.reproduce.omni.square import FILE, on_robots_clock, read
from cupola.reproduce.row import Row, at_most, data_file, missing, within
from cupola.sim.world import World, load

THESIS = "Świątkiewicz 2018, {}"
WEIGHT = 83.6 * 9.81
CORNERS = {1: 19.72, 3: 39.72}
"""[s] on the plots' clock: where the thesis's model slips on."""
BOX, CYLINDER = ((1.2, -1.5), 0.4, math.radians(25.0)), ((-0.6, -1.9), 0.3)
"""Of the scenario `omni_picture`: middle [m], half an edge or radius [m], and how the box is turned."""


def rows(full: bool) -> Iterator[Row]:
    """All of them; standing still on rollers takes long."""
    yield from _still(full)
    yield from _timing()
    yield from _corner()
    yield from _picture()
    yield from _aisle()


def _still(full: bool) -> Iterator[Row]:
    """A minute at zero command, and one with locked wheels under a side load of 0.3 of what friction could hold."""
    source = THESIS.format("figs 6.6, 6.21: its model turned by 0.04 rad a minute")
    for model in ("friction", "rollers", "kinematic") if full else ("friction",):
        for load_n, what in ((0.0, "at zero command"), (0.3 * 0.95 * WEIGHT, "pushed aside")):
            if load_n and model == "kinematic":
                continue  # nothing pushes it
            world = base(model)
            world.run(0.5)
            world.push("velma_base/base", (0.0, load_n, 0.0))
            world.run(1.5)  # until the contacts have settled under the load
            start = world.motion()
            world.run(60.0)
            end = world.motion()
            off = math.hypot(end.pos_w.x - start.pos_w.x, end.pos_w.y - start.pos_w.y)
            turn = abs(euler_from_quaternion(end.quat_wb).yaw - euler_from_quaternion(start.quat_wb).yaw)
            key = f"omni_still_{model}" + ("_pushed" if load_n else "")
            yield at_most(f"{key}_place", source, f"moved in 60 s {what}, {model}", 1e-3, off, "m")
            if not load_n:
                yield at_most(f"{key}_heading", source, f"turned in 60 s {what}, {model}", 1e-4, turn, "rad")


def _timing() -> Iterator[Row]:
    """Commands that change with a period arrive with it: no jitter, no bunches, whatever the period."""
    source = THESIS.format("fig. 5.7: messages late by milliseconds and in bunches")
    for period in (0.001, 0.01, 0.1):
        world = base("kinematic")
        legs = [Leg(period, Twist(0.001 * (1 + k % 2), 0.0, 0.0)) for k in range(round(0.4 / period))]
        world.script(route_sticks(legs))
        asked, times = 0.0, []
        for _ in range(400):
            world.step()
            if world.command()[0] != asked:
                asked = world.command()[0]
                times.append(world.time)
        late = float(np.abs(np.diff(times) - period).max())
        quantity = f"largest error of a period of {period:g} s between commands"
        yield at_most(f"omni_timing_{period:g}", source, quantity, 1e-9, late, "s")


def overshoot(path: Path, time: float) -> float:
    """How far a path goes on past the corner of two legs [m]."""
    corner, way = meeting(path, time)
    return float(((path.at(np.arange(time - 2.0, time + 2.0, 0.02)) - corner) @ way).max())


def meeting(path: Path, time: float) -> tuple[Array, Array]:
    """Where the straight parts of two legs would meet, and the direction of the first."""
    before, after = (_line(path.at(np.arange(time + a, time + b, 0.02))) for a, b in ((-8.0, -2.0), (2.0, 8.0)))
    share = np.linalg.solve(np.column_stack([before[1], -after[1]]), after[0] - before[0])[0]
    return before[0] + share * before[1], before[1]


def _line(points: Array) -> tuple[Array, Array]:
    """Middle and direction of a straight leg."""
    middle = points.mean(axis=0)
    way = np.linalg.svd(points - middle)[2][0]
    return middle, way * np.sign(way @ (points[-1] - points[0]))


def _corner() -> Iterator[Row]:
    """The thesis's model, once it brakes, goes on past the corner; the robot by its odometry does not, nor do we."""
    source = THESIS.format("fig. 6.11")
    files = [data_file(FILE.replace("robot_laser", name)) for name in ("robot_odometry", "model_dynamics")]
    paths = [read(file) for file in files if not isinstance(file, str)]
    absent = next((file for file in files if isinstance(file, str)), None)
    if absent is None:
        paths.append(on_robots_clock("friction"))
    for number, time in CORNERS.items():
        key, quantity = f"omni_corner_{number}", f"overshoot at corner {number}"
        if absent is not None:
            yield missing(key, source, quantity, absent, "m")
            continue
        robot, theirs, ours = (overshoot(path, time) for path in paths)
        quantity = f"{quantity}; the robot, by its odometry, {robot:.4f} m"
        yield Row(key, source, quantity, theirs, ours, "m", "nearer the robot", abs(ours - robot) < abs(theirs - robot))


def picture() -> tuple[Array, Array]:
    """What the right scanner sees of a box and a cylinder: points in body axes [m], and how strong their echoes are."""
    world = load("omni_picture")
    world.run(1.0)
    samples = world.samples["velma_base", "laser_right"]
    scans = samples.since(0)[:, 1:]
    ranges, echoes = scans[:, :1080], scans[:, 1080:]
    angles = np.radians(np.linspace(-135.0, 135.0, 1080)) - 0.5 * math.pi
    way = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    good = np.isfinite(ranges)
    points = np.where(good, ranges, 0.0)[..., None] * way + [0.0, -0.3]
    return points[good], echoes[good]


def from_faces(points: Array) -> Array:
    """Distance of points from the faces of the box, inward negative [m]."""
    (x, y), half, turn = BOX
    c, s = math.cos(turn), math.sin(turn)
    local = np.abs((points - [x, y]) @ np.array([[c, -s], [s, c]]))
    return np.asarray(local.max(axis=1) - half)


def _picture() -> Iterator[Row]:
    source, (points, _) = THESIS.format("fig. 4.3, table 2.2"), picture()
    middle, radius = CYLINDER
    round_ = points[np.linalg.norm(points - middle, axis=1) < radius + 0.2]
    found = least_squares(lambda x: np.linalg.norm(round_ - x[:2], axis=1) - x[2], [*middle, radius]).x[2]
    yield within(
        "omni_picture_cylinder", source, "radius of a cylinder seen by laser", radius, float(found), 0.005, "m"
    )
    # Noise lies along the rays, and those meet a face at an angle: across the face there is less of it.
    off = from_faces(points)
    flat = off[np.abs(off) < 0.1]
    seen = float(flat.std())
    yield within("omni_picture_box", source, "spread of points about the faces of a box", 0.012, seen, 0.003, "m")


def _aisle() -> Iterator[Row]:
    """Wheels that stop at once, dry and on the wet patch of a warehouse aisle: how far the base slides on."""
    scenario, folder = find_scenario("omni_aisle")
    world = World(scenario.model_copy(update={"vehicles": scenario.vehicles[:1], "measures": {}}), folder)
    speed, dry, wet = 0.4, scenario.floor.friction if scenario.floor else 0.0, 0.2
    # Dry it stops within the time that the motors need to stop the wheels, which is not in the formula.
    for friction, drive, what, slack in ((dry, 4.0, "dry", 0.15), (wet, 9.0, "on the wet patch", 0.02)):
        world.reset()
        world.script([(0.0, [speed, 0.0, 0.0]), (drive, [0.0, 0.0, 0.0])])
        world.run(drive)
        start = world.motion().pos_w.x
        world.run(1.0)
        slid = world.motion().pos_w.x - start
        # Locked wheels are held along their rollers only, at 45 degrees to the way: v² = 2 (friction g / √2) s.
        expected = speed**2 / (math.sqrt(2.0) * friction * 9.81)
        key, quantity = f"omni_aisle_{what.split()[-1]}", f"slides on from 0.4 m/s {what}; by Coulomb"
        yield within(key, "omni_aisle", quantity, expected, slid, slack * expected, "m")
