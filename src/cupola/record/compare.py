"""Compares the vehicles of one recording: each path relative to its start, and its distance from the first."""

import logging
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cupola.physics.planar import Pose, relative
from cupola.physics.rotation import Quaternion, euler_from_quaternion, wrap
from cupola.record.draw import COLOURS, STYLE, save_picture
from cupola.record.read import Recording
from cupola.record.stream import RecordingError

log = logging.getLogger(__name__)
Floats = NDArray[np.float64]
ODOMETRY = "nav_msgs/msg/Odometry"


class Way(NamedTuple):
    """The path of a vehicle on the plane, in the axes of its start."""

    name: str
    time: Floats
    """[s]."""
    x: Floats
    y: Floats
    """[m] forward and to the left."""
    yaw: Floats
    """[rad]."""


class Apart(NamedTuple):
    """Difference of a vehicle's path from the first one's."""

    vehicle: str
    end_x: float
    end_y: float
    """[m] from its start."""
    turned: float
    """Heading at the end, less that of the first [rad]."""
    rms: float
    largest: float
    """[m] between the two at the same time."""


def ways(recording: Recording) -> list[Way]:
    """Of all vehicles, in the order of the scenario."""
    names = dict.fromkeys(name.partition("/")[0] for name in recording.attachments if "/" in name)
    found = []
    for name in names:
        if f"/{name}/odometry" not in recording.topics:
            continue
        if one := way(recording, name):
            found.append(one)
        else:
            log.warning("%s: no place of %s was recorded; it is left out", recording.path, name)
    if len(found) < 2:
        said = found[0].name if found else "no vehicle"
        raise RecordingError(f"{recording.path} has the path of {said}; it takes two to compare")
    return found


def way(recording: Recording, vehicle: str) -> Way | None:
    """Path of one vehicle; None if it was not recorded."""
    topic = f"/{vehicle}/odometry"
    if recording.topics[topic] != ODOMETRY:
        raise RecordingError(f"{recording.path}: {topic} is {recording.topics[topic]}, expected {ODOMETRY}")
    table = recording.table(topic)
    if not len(table["time"]):
        return None
    x, y = (table[f"pose.pose.position.{axis}"] for axis in "xy")
    attitude = Quaternion._make(table[f"pose.pose.orientation.{axis}"] for axis in "wxyz")
    yaw = np.asarray(euler_from_quaternion(attitude).yaw)
    seen = relative(Pose(x[0], y[0], yaw[0]), Pose(x, y, yaw))
    return Way(vehicle, table["time"], np.asarray(seen.x), np.asarray(seen.y), np.asarray(seen.yaw))


def compare(paths: list[Way]) -> list[Apart]:
    """Each with the first."""
    first, found = paths[0], []
    for one in paths:
        off = distance(one, first)
        turn = float(wrap(one.yaw[-1] - first.yaw[-1]))
        end = float(one.x[-1]), float(one.y[-1])
        found.append(Apart(one.name, *end, turn, float(np.sqrt(np.mean(off**2))), float(off.max())))
    return found


def distance(one: Way, other: Way) -> Floats:
    """[m] at the times of the first."""
    x, y = (np.interp(one.time, other.time, column) for column in (other.x, other.y))
    return np.asarray(np.hypot(one.x - x, one.y - y))


def draw(paths: list[Way], file: Path) -> None:
    """Paths from above, and distances from the first over time."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure: Any = Figure(figsize=(11.0, 4.8), layout="constrained")
        above, apart = figure.subplots(1, 2)
        for k, one in enumerate(paths):
            colour = COLOURS[k % len(COLOURS)]
            above.plot(one.x, one.y, color=colour, label=one.name)
            if k:
                apart.plot(one.time, 1000.0 * distance(one, paths[0]), color=colour, label=one.name)
        above.set(title="Path from its start", xlabel="x, forward [m]", ylabel="y, to the left [m]", aspect="equal")
        apart.set(title=f"Distance from {paths[0].name}", xlabel="time [s]", ylabel="[mm]")
        above.legend()
        apart.legend()
        save_picture(figure, file)
