"""Six experiments with Velma's base on one plate, the thesis's curves beside ours: see `figure.py`."""

from collections.abc import Callable
from pathlib import Path as File
from typing import Any

import numpy as np

from cupola.estimate.moving_mean import moving_mean
from cupola.record.draw import save_picture
from cupola.reproduce.omni.detail import meeting, picture
from cupola.reproduce.omni.drive import Path, base, drive
from cupola.reproduce.omni.experiments import SQUARES, commanded
from cupola.reproduce.omni.inertial import CORNER, TURN, device

THEIRS, ROBOT, COMMAND = {"color": "tab:red", "lw": 1.1}, {"color": "0.1", "lw": 1.6}, {"color": "0.65", "lw": 1.0}
OURS = {"color": "tab:green", "lw": 1.2}
SUN_CLOCK = 1.24
"""[s] by which the route's clock is ahead of the plot's: motion begins at 3.76 s there, at 5 s here."""


def sun(axes: Any, folder: File) -> None:
    """How far model and command are apart on the route sun."""
    table = np.genfromtxt(folder / "comparison_sun.csv", delimiter=",", skip_header=1)
    wanted, ours = commanded("sun"), drive(base("friction", "thesis"), "sun", rest=10.0)
    off = np.linalg.norm(ours.at(ours.time) - wanted.at(ours.time), axis=1)
    axes.plot(table[:, 0], 1000 * table[:, 1], label="the thesis's model", **THEIRS)
    axes.plot(ours.time - SUN_CLOCK, 1000 * off, label="ours, friction, preset thesis", **OURS)
    axes.set(title="Route sun", xlabel="time [s]", ylabel="distance from the command [mm]", xlim=(0, 110))


def squares(axes: Any, folder: File) -> None:
    """The square at three speeds, enlarged about its end."""
    lines = (folder / "repeatability_paths.csv").read_text(encoding="utf-8").splitlines()[1:]
    names, points = (
        np.array([line.split(",")[0] for line in lines]),
        np.array([line.split(",")[1:] for line in lines], float),
    )
    for k, (route, (speed, _)) in enumerate(SQUARES.items()):
        mine = points[names == f"{speed:g}"]
        ours = drive(base("friction"), route)
        axes.plot(mine[:, 0], mine[:, 1], label="the thesis's model" if k == 0 else None, **THEIRS)
        axes.plot(ours.x, ours.y, label="ours, friction, fitted" if k == 0 else None, **OURS)
    axes.plot(*points[names == "commanded"].T, label="commanded", **COMMAND)
    axes.set(
        title="1 m square at 0.05, 0.1 and 0.2 m/s",
        xlabel="x, to the right [m]",
        ylabel="y, forward [m]",
        aspect="equal",
    )


def corner(axes: Any, series: dict[str, Path], ours: Path) -> None:
    """The first corner of the robot's square, about where it is."""
    looks = {"commanded": COMMAND, "the thesis's model": THEIRS, "the robot's odometry": ROBOT}
    for name, path in {**series, "ours, friction": ours}.items():
        here = path.at(np.arange(19.2, 20.6, 0.005)) - meeting(path, 19.72)[0]
        axes.plot(1000 * here[:, 0], 1000 * here[:, 1], label=name, **looks.get(name, OURS))
    axes.set(
        title="First corner",
        xlabel="x from the corner [mm]",
        ylabel="y [mm]",
        xlim=(-25, 45),
        ylim=(-60, 10),
        aspect="equal",
    )


def accelerometer(axes: Any) -> None:
    """A start, a corner and a stop, as it is and after a mean of 40."""
    said = device(CORNER)
    mean = moving_mean(said[:, 1:3])
    for k, (name, colour) in enumerate((("to the right", "tab:blue"), ("forward", "tab:orange"))):
        axes.plot(said[:, 0], said[:, 1 + k], color=colour, lw=0.4, alpha=0.5)
        axes.plot(said[:, 0], mean[:, k], color=colour, lw=1.2, label=f"{name}, mean of 40")
    axes.axhspan(-3.6, 3.6, color="0.5", alpha=0.12, label="jolts of the device")
    axes.set(title="Accelerometer, rollers", xlabel="time [s]", ylabel="[m/s²]", ylim=(-4.5, 4.5))


def gyroscope(axes: Any) -> None:
    """The beginning of a turn."""
    said = device(TURN, "friction")
    axes.plot(said[:, 0], said[:, 3], label="ours", **{**OURS, "lw": 0.7})
    axes.axhline(0.1568, label="device, mean while turning", **ROBOT)
    axes.axhline(0.25, ls=":", label="device's overshoot leaves its plot", **ROBOT)
    axes.set(title="Gyroscope", xlabel="time [s]", ylabel="turn rate [rad/s]")


def laser(axes: Any) -> None:
    """A box and a cylinder, coloured by the strength of their echoes."""
    points, echoes = picture()
    few = slice(None, None, 5)
    axes.scatter(-points[few, 1], points[few, 0], c=echoes[few], s=2, cmap="viridis")
    axes.plot(0.3, 0.0, "k^", label="right scanner")
    axes.set(title="Laser picture, 1080 rays", xlabel="x, to the right [m]", ylabel="y, forward [m]", aspect="equal")


def draw_plate(folder: File, series: dict[str, Path], ours: Path, file: File) -> None:
    """All six."""
    import matplotlib.pyplot as plt

    figure, places = plt.subplots(2, 3, figsize=(13.0, 8.0), layout="constrained")
    panels: list[Callable[[Any], None]] = [
        lambda axes: sun(axes, folder),
        lambda axes: squares(axes, folder),
        lambda axes: corner(axes, series, ours),
        accelerometer,
        gyroscope,
        laser,
    ]
    for axes, panel in zip(places.flat, panels, strict=True):
        panel(axes)
        axes.legend(fontsize=7)
    save_picture(figure, file, dpi=75)
    plt.close(figure)
