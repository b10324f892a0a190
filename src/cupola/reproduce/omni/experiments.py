"""The thesis's experiments with Velma's base, published, by the real robot, and ours. `square.py` is the robot's own,
`inertial.py` has its inertial unit, `detail.py` the smaller ones, `room.py` where it is in a room.

Physical numbers are those of the vehicle, fitted once on the square without rotation and used unchanged here.
"""

import math
from collections.abc import Iterator

import numpy as np
from scipy.optimize import minimize_scalar

from cupola.config.routes import find_route
from cupola.physics.mecanum import pose_in_thesis
from cupola.physics.planar import Pose, advance
from cupola.reproduce.omni.drive import Array, Path, base, drive
from cupola.reproduce.row import Row

THESIS = "Świątkiewicz 2018, {}"
SUN_PEAK = 0.0800, 0.0127
"""Largest distance [m] and turn [rad] of the thesis's model from its command."""
SQUARES = {"square_20": (0.05, 0.088), "square_10": (0.1, 0.038), "square_5": (0.2, 0.032)}
"""Speed [m/s], and how far from the start the thesis's model ended a square of 1 m [m]."""
CORNERS = ((-0.960, 0.017), (-0.983, -0.969), (-0.013, -0.986), (0.006, -0.003))
COMMANDED_CORNERS = ((-0.998, 0.000), (-1.000, -0.996), (-0.003, -1.002), (0.007, -0.006))
THESIS_CORNERS = ((-1.001, -0.005), (-0.996, -1.008), (0.007, -1.008), (0.034, 0.021))
"""[m] of the square with rotation: the robot's by its laser, those of the commanded path and of the thesis's model."""
CORNER_TIMES = (15.0, 35.0, 55.0, 75.0)
"""[s] at which its legs end."""
LARGEST_TURN = 0.1
"""[rad] within which a path is turned to fit best."""


def commanded(route: str) -> Path:
    """The path of the commands, arc by arc, in the thesis's axes."""
    pose, rows, time = Pose(0.0, 0.0, 0.0), [], 0.0
    for leg in find_route(route):
        for k in range(round(leg.duration / 0.02)):
            rows.append([time + 0.02 * k, *pose_in_thesis(pose)])
            pose = advance(pose, leg.twist, 0.02)
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
    wanted, path = commanded("sun"), drive(base(model, preset), "sun", rest=10.0)
    off = np.linalg.norm(path.at(path.time) - wanted.at(path.time), axis=1)
    return float(off.max()), float(np.abs(path.yaw - np.interp(path.time, wanted.time, wanted.yaw)).max())


def _repeatability(full: bool) -> Iterator[Row]:
    source = THESIS.format("fig. 6.7")
    for model in ("friction", "rollers") if full else ("friction",):
        for route, (speed, published) in SQUARES.items():
            path = drive(base(model), route)
            end = math.hypot(path.x[-1], path.y[-1])
            key, quantity = f"omni_{route}_{model}", f"end of a square at {speed:g} m/s, {model}"
            yield Row(key, source, quantity, published, end, "m", f"≤ {published:g}", end <= published)


def _rotating_square(full: bool) -> Iterator[Row]:
    """Four legs sideways with quarter turns between, against the robot's corners: nothing was fitted on them.

    Ours, the bare command and the thesis's model are treated alike: as they are, and each turned about the start by the
    angle that fits it best, since a slip at its start turned the robot by an angle that nobody could know.
    """
    source = THESIS.format("figs 6.12 to 6.15")
    for model in ("rollers", "friction") if full else ("friction",):
        ours = drive(base(model), "velmobil_rotation").at(np.array(CORNER_TIMES))
        for key, what, treat in (("", "as they are", _apart), ("_turned", "each turned to fit best", _apart_turned)):
            mine, command, theirs = (treat(np.array(each)) for each in (ours, COMMANDED_CORNERS, THESIS_CORNERS))
            quantity = f"mean distance from the robot's corners, {what}, {model}; the thesis's model {theirs:.4f} m"
            passed = mine < min(command, theirs)
            yield Row(
                f"omni_rotating_square_{model}{key}", source, quantity, command, mine, "m", "< the command", passed
            )


def _apart(corners: Array) -> float:
    return float(np.mean(np.linalg.norm(corners - np.array(CORNERS), axis=1)))


def _apart_turned(corners: Array) -> float:
    def turned(angle: float) -> float:
        c, s = math.cos(angle), math.sin(angle)
        return _apart(corners @ np.array([[c, s], [-s, c]]))

    return float(minimize_scalar(turned, bounds=(-LARGEST_TURN, LARGEST_TURN), method="bounded").fun)
