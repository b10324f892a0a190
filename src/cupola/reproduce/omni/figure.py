"""The thesis's figures with our curves beside its own: `python -m cupola.reproduce.omni.figure`."""

from pathlib import Path as File
from typing import Any

import numpy as np

from cupola.record.draw import save_picture
from cupola.reproduce.omni.drive import Path, base, drive
from cupola.reproduce.omni.experiments import CORNERS, THESIS_CORNERS, commanded
from cupola.reproduce.omni.plate import draw_plate
from cupola.reproduce.omni.square import compare, on_robots_clock, read
from cupola.reproduce.row import data_file

SERIES = {"robot_laser": "the real robot", "commanded": "commanded", "model_dynamics": "the thesis's model"}
LOOKS = {"the real robot": ("0.1", 2.2), "commanded": ("0.65", 1.0), "the thesis's model": ("tab:red", 1.2)}
ROTATING = "velmobil_rotation"
OURS = {"rollers": "tab:blue", "friction": "tab:green"}


def draw(theirs: dict[str, Path], ours: dict[str, Path], file: File) -> None:
    """The square from above, and how far each path is from the robot over time."""
    import matplotlib.pyplot as plt

    robot = theirs["the real robot"]
    figure, (above, off, turning) = plt.subplots(1, 3, figsize=(15.5, 4.6), layout="constrained")
    curves: list[tuple[str, Path, Any]] = [(name, path, LOOKS[name]) for name, path in theirs.items()]
    curves += [(f"ours, {name}", path, (OURS[name], 1.4)) for name, path in ours.items()]
    for name, path, (colour, width) in curves:
        found = compare(path, robot)
        above.plot(path.x, path.y, color=colour, linewidth=width, label=name)
        if path is not robot:
            apart = np.linalg.norm(path.at(robot.time) - robot.at(robot.time), axis=1)
            label = f"{name}: {1000 * found.same_time:.0f} mm"
            off.plot(robot.time, 1000 * apart, color=colour, linewidth=width, label=label)
    above.set(
        xlabel="x, to the right [m]", ylabel="y, forward [m]", aspect="equal", title="1 m square without rotation"
    )
    off.set(xlabel="time [s]", ylabel="distance from the real robot [mm]", xlim=(5, 50), ylim=(0, 80))
    rotating(turning)
    above.legend(fontsize=8)
    off.legend(fontsize=8, title="root mean square")
    save_picture(figure, file, dpi=90)
    plt.close(figure)


def rotating(axes: Any) -> None:
    """The square with quarter turns, on which nothing was fitted: paths, and the corners that are printed."""
    for name, path in {"commanded": commanded(ROTATING), "ours, friction": drive(base("friction"), ROTATING)}.items():
        colour, width = LOOKS.get(name, (OURS["friction"], 1.4))
        axes.plot(path.x, path.y, color=colour, linewidth=width, label=name)
    for name, corners in {"the real robot": CORNERS, "the thesis's model": THESIS_CORNERS}.items():
        axes.plot(*np.array(corners).T, "o", color=LOOKS[name][0], label=f"{name}, corners")
    axes.set(xlabel="x, to the right [m]", ylabel="y, forward [m]", aspect="equal", title="with quarter turns")
    axes.legend(fontsize=8, loc="center")


def main() -> None:
    """Read the thesis's curves, drive ours, draw."""
    theirs = {label: _series(name) for name, label in SERIES.items()}
    ours = {model: on_robots_clock(model) for model in OURS}
    draw(theirs, ours, File("out/omni_square.png"))
    theirs["the robot's odometry"] = _series("robot_odometry")
    del theirs["the real robot"]  # its scan matcher is too noisy for a corner
    folder = data_file("omni_square/comparison_sun.csv")
    assert isinstance(folder, File)
    draw_plate(folder.parent, theirs, ours["friction"], File("out/omni_experiments.png"))
    print("out/omni_square.png", "out/omni_experiments.png")


def _series(name: str) -> Path:
    file = data_file(f"omni_square/{name}.csv")
    if isinstance(file, str):
        raise SystemExit(file)
    return read(file)


if __name__ == "__main__":
    main()
