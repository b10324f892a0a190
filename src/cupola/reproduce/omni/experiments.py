"""The thesis's experiments with Velma's base, published, by the real robot, and ours. `square.py` is the robot's own,
`inertial.py` has its inertial unit, `detail.py` the smaller ones, `room.py` where it is in a room.

Physical numbers are those of the vehicle, fitted once on the square without rotation and used unchanged here.
"""

import math
from collections.abc import Iterator

import numpy as np

from cupola.config.routes import find_route
from cupola.physics.mecanum import VELMA, pose_in_thesis
from cupola.physics.planar import Pose, Twist, advance
from cupola.reproduce.omni.drive import LATENCY, Path, base, drive, turned
from cupola.reproduce.row import Row

THESIS = "Świątkiewicz 2018, {}"
SUN_PEAK = 0.0800, 0.0127
"""Largest distance [m] and turn [rad] of the thesis's model from its command."""
SQUARES = {"square_20": (0.05, 0.088), "square_10": (0.1, 0.038), "square_5": (0.2, 0.032)}
"""Speed [m/s], and how far from the start the thesis's model ended a square of 1 m [m]."""
THESIS_CORNERS = ((-1.001, -0.005), (-0.996, -1.008), (0.007, -1.008), (0.034, 0.021))
CORNERS = ((-0.960, 0.017), (-0.983, -0.969), (-0.013, -0.986), (0.006, -0.003))
"""Of the robot's square with rotation, by its laser [m], and of the thesis's model."""
FIRST_HEADING = -0.0177
"""[rad] by which the robot's first leg was turned: "at start a slip gave a random heading change"."""


def commanded(route: str, radius: float = VELMA.radius) -> Path:
    """The path of the commands, arc by arc, in the thesis's axes."""
    pose, rows, time = Pose(0.0, 0.0, 0.0), [], 0.0
    scale = VELMA.radius / radius
    for leg in find_route(route):
        twist = Twist(*(scale * value for value in leg.twist))
        for k in range(round(leg.duration / 0.02)):
            rows.append([time + 0.02 * k, *pose_in_thesis(pose)])
            pose = advance(pose, twist, 0.02)
        time += leg.duration
    rows.append([time, *pose_in_thesis(pose)])
    t, x, y, yaw = np.array(rows).T
    return Path(t, x, y, np.unwrap(yaw))


def rows(full: bool) -> Iterator[Row]:
    """Comparison, repeatability, and the square with rotation."""
    yield from _comparison(full)
    yield from _repeatability(full)
    yield from _rotating_square(full)


def _comparison(full: bool) -> Iterator[Row]:
    """The thesis's wheels against its own peak; in full, the fitted ones, which creep off the path, side by side."""
    source = THESIS.format("figs 6.2 to 6.6")
    titles = (("distance", "m"), ("turn", "rad"))
    for (what, unit), peak, most in zip(titles, SUN_PEAK, _peaks("friction", "thesis"), strict=True):
        quantity = f"largest {what} from the command, friction thesis"
        yield Row(f"omni_sun_thesis_{what}", source, quantity, peak, most, unit, f"≤ {peak:g}", most <= peak)
    if not full:
        return
    for (what, unit), beside, most in zip(
        titles, _peaks("friction", "fitted"), _peaks("rollers", "fitted"), strict=True
    ):
        quantity, close = (
            f"largest {what} from the command, rollers; beside it friction's",
            abs(most - beside) <= 0.1 * beside,
        )
        yield Row(f"omni_sun_fitted_{what}", source, quantity, beside, most, unit, "± 10 % of friction's", close)


def _peaks(model: str, preset: str) -> tuple[float, float]:
    """Largest distance [m] and turn [rad] from the command on the route sun."""
    wanted, path = commanded("sun"), drive(base(model, preset, VELMA.radius), "sun", rest=10.0)
    off = np.linalg.norm(path.at(path.time) - wanted.at(path.time), axis=1)
    return float(off.max()), float(np.abs(path.yaw - np.interp(path.time, wanted.time, wanted.yaw)).max())


def _repeatability(full: bool) -> Iterator[Row]:
    source = THESIS.format("fig. 6.7")
    for model in ("friction", "rollers") if full else ("friction",):
        for route, (speed, published) in SQUARES.items():
            path = drive(base(model, "fitted", VELMA.radius), route)
            end = math.hypot(path.x[-1], path.y[-1])
            key, quantity = f"omni_{route}_{model}", f"end of a square at {speed:g} m/s, {model}"
            yield Row(key, source, quantity, published, end, "m", f"≤ {published:g}", end <= published)


def _rotating_square(full: bool) -> Iterator[Row]:
    """Four legs sideways with quarter turns between, against the robot's corners."""
    source, quantity = (
        THESIS.format("figs 6.12 to 6.15"),
        "mean distance from the robot's corners, square with rotation",
    )
    theirs = float(np.mean(np.linalg.norm(np.array(THESIS_CORNERS) - np.array(CORNERS), axis=1)))
    for model in ("rollers", "friction") if full else ("rollers",):
        path = turned(drive(base(model), "velmobil_rotation", LATENCY), FIRST_HEADING)
        found = path.at(np.array([15.0, 35.0, 55.0, 75.0]) + LATENCY)
        ours = float(np.mean(np.linalg.norm(found - np.array(CORNERS), axis=1)))
        key, criterion = f"omni_rotating_square_{model}", "< the thesis's model"
        yield Row(key, source, f"{quantity}, {model}", theirs, ours, "m", criterion, ours < theirs)
