"""The square that the real robot drove, and how far a path is from it: metrics as the data's README defines them."""

from collections.abc import Iterator
from pathlib import Path as File
from typing import NamedTuple

import numpy as np

from cupola.reproduce.omni.drive import Array, Path, base, drive
from cupola.reproduce.row import Row, data_file, missing

SOURCE = "Świątkiewicz 2018, figs 6.8 to 6.11"
FILE = "omni_square/robot_laser.csv"
CLOCK = 4.72
"""[s] by which the plots' clock is ahead of the route's: motion begins at 9.72 s there, at 5 s here."""
SIDEWAYS = (10.72, 18.72), (30.72, 38.72)
"""[s] on the plots' clock: the middles of the legs to the left and to the right."""


class Distance(NamedTuple):
    """How far a path is from the robot's [m]."""

    same_time: float
    best_shift: float
    cross_track: float


def read(path: File) -> Path:
    """A series of the data."""
    time, x, y = np.genfromtxt(path, delimiter=",", skip_header=1).T
    return Path(time, x, y, np.zeros_like(x))


def compare(path: Path, robot: Path) -> Distance:
    """Root mean squares over the robot's rows."""
    there = robot.at(robot.time)
    shifts = np.arange(-100, 101) * 0.01
    shifted = [_rms(path.at(np.clip(robot.time - shift, 5.0, 50.0)) - there) for shift in shifts]
    line = path.at(robot.time)
    return Distance(_rms(line - there), min(shifted), float(np.sqrt(np.mean(_to_line(there, line) ** 2))))


def _rms(off: Array) -> float:
    return float(np.sqrt(np.mean(np.sum(off**2, axis=-1))))


def _to_line(points: Array, line: Array) -> Array:
    """Distance of each point to the nearest place on straight pieces."""
    start, piece = line[:-1], np.diff(line, axis=0)
    squared = np.maximum(np.sum(piece**2, axis=1), 1e-18)
    best = np.empty(len(points))
    for k, point in enumerate(points):
        along = np.clip(np.sum((point - start) * piece, axis=1) / squared, 0.0, 1.0)
        best[k] = np.min(np.linalg.norm(point - start - along[:, None] * piece, axis=1))
    return best


def on_robots_clock(model: str) -> Path:
    """Our base on the robot's route, on the clock of the plots; its path is as it is."""
    path = drive(base(model), "velmobil")
    return path._replace(time=path.time + CLOCK)


def shortfall(path: Path) -> float:
    """By how much the sideways legs are slower than the 0.1 m/s commanded, on average [%]."""
    speeds = [abs(path.at(end)[0] - path.at(start)[0]) / (end - start) for start, end in SIDEWAYS]
    return 100.0 * (1.0 - float(np.mean(speeds)) / 0.1)


def rows(full: bool) -> Iterator[Row]:
    """Distances of both models with friction beside those of the bare command and of the thesis's model, by the same
    three metrics; and the loss of sideways legs, which needs no file to be judged."""
    files = [data_file(FILE.replace("robot_laser", name)) for name in ("robot_laser", "commanded", "model_dynamics")]
    absent = next((file for file in files if isinstance(file, str)), None)
    series = [read(file) for file in files if not isinstance(file, str)]
    robot = series[0] if absent is None else None
    beside = [] if robot is None else [compare(path, robot) for path in series[1:]]
    for model in ("rollers", "friction"):
        path = on_robots_clock(model)
        for k, metric in enumerate(Distance._fields):
            key, quantity = f"omni_square_{model}_{metric}", f"distance from the robot, {metric.replace('_', ' ')}"
            if robot is None:
                yield missing(key, SOURCE, f"{quantity}, {model}", str(absent), "m")
                continue
            ours, command, theirs = compare(path, robot)[k], *(distance[k] for distance in beside)
            quantity = f"{quantity}, {model}; the thesis's model {theirs:.4f} m"
            yield Row(key, SOURCE, quantity, command, ours, "m", "< the command", ours < min(command, theirs))
        lost, real = shortfall(path), None if robot is None else shortfall(robot)
        key, quantity = f"omni_sideways_{model}", f"shortfall of sideways legs, {model}"
        yield Row(key, SOURCE, quantity, real, lost, "%", "3 to 4", 3.0 <= lost <= 4.0)
