"""The learning curve: as a table, and as a picture."""

import csv
import io
from pathlib import Path

from cupola.learn.ppo import Progress
from cupola.schema.whole_files import whole_file, write_whole


def write_curve(curve: list[Progress], folder: Path) -> list[Path]:
    """`curve.csv` and `curve.svg` in a folder."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(Progress._fields)
    writer.writerows(curve)
    table = write_whole(folder / "curve.csv", text.getvalue().encode())
    return [table, _draw([one for one in curve if one.episodes], folder / "curve.svg")]


def _draw(curve: list[Progress], path: Path) -> Path:
    from matplotlib.figure import Figure

    figure = Figure((6.4, 3.6), layout="constrained")
    left = figure.add_subplot()
    right = left.twinx()
    steps = [one.steps / 1e6 for one in curve]
    (reward,) = left.plot(steps, [one.reward for one in curve], color="#0072B2", label="reward of an episode")
    (success,) = right.plot(steps, [100.0 * one.success for one in curve], color="#D55E00", label="success")
    left.set_xlabel("10⁶ steps of all worlds together")
    left.set_ylabel("reward")
    right.set_ylabel("success [%]")
    right.set_ylim(-3.0, 103.0)
    left.legend(handles=[reward, success], loc="center right")
    with whole_file(path) as new:
        figure.savefig(new.file, format="svg")
    return path
