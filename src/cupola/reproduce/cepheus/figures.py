"""The thesis's figures with our curves: `python -m cupola.reproduce.cepheus.figures`.

4.6 to 4.10 of the simulated experiment and 5.9 to 5.11 of the emulator: pose and rates of hand and base, torques, push.
Its curves cannot be read off the print; what its text says of them stands in the titles.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np

from cupola.record.draw import save_picture
from cupola.reproduce.cepheus.contact import EYES, simulated
from cupola.reproduce.cepheus.hardware import emulated
from cupola.reproduce.cepheus.run import Run

ROWS = ("x [m]", "y [m]", "θ of the hand [°]", "θ0 of the base [°]")
RATES = ("ẋ [m/s]", "ẏ [m/s]", "θ̇ [°/s]", "θ̇0 [°/s]")
TORQUES = ("base", "shoulder", "elbow", "wrist")
OURS, WANTED, TARGET = "tab:blue", "0.1", "tab:orange"
THESIS = {
    "simulated": (
        "overlap",
        "overlap",
        "0.4° off",
        "0.004° off",
        "about 0.1 N m at most",
        "touch after 50 s, then kept",
    ),
    "emulator": ("followed", "followed", "", "within ± 2°", "", ""),
}


def draw(run: Run, name: str, file: Path) -> None:
    """Write the figure of a run to a file."""
    import matplotlib.pyplot as plt

    figure = figure_of(run, name)
    save_picture(figure, file, dpi=70)
    plt.close(figure)


def figure_of(run: Run, name: str) -> Any:
    """Three columns: places, rates, torques and push; desired dashed."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(4, 3, figsize=(13.0, 9.0), layout="constrained", sharex=True)
    run = run.during(run.when("approach") - 1.0, math.inf)
    time, said = run.time - run.when("approach"), THESIS[name]
    degrees = np.array([1.0, 1.0, 180.0 / math.pi])
    for k in range(3):
        _lines(axes[k, 0], time, run.hand[:, k] * degrees[k], run.target[:, k] * degrees[k], ROWS[k], said[k])
        axes[k, 0].plot(time, run.wanted[:, k + 1] * degrees[k], "--", color=WANTED, lw=1.0, label="desired")
        _lines(axes[k, 1], time, run.hand_rate[:, k] * degrees[k], run.target_rate[:, k] * degrees[k], RATES[k], "")
    _lines(axes[3, 0], time, np.degrees(run.base[:, 0]), None, ROWS[3], said[3])
    axes[3, 0].plot(time, np.degrees(run.wanted[:, 0]), "--", color=WANTED, lw=1.0)
    _lines(axes[3, 1], time, np.degrees(run.base[:, 1]), None, RATES[3], "")
    for k, joint in enumerate(TORQUES):
        for row in (0, 1):
            axes[row, 2].plot(time, run.torques[:, k], lw=0.9, label=joint)
    before = run.during(run.when("approach"), run.when("contact"))
    most = 1.1 * float(np.abs(before.torques).max())
    axes[0, 2].set(ylabel="torques [N m]", title=f"thesis: {said[4]}" if said[4] else "")
    axes[1, 2].set(ylabel="torques before contact [N m]", ylim=(-most, most))
    _lines(axes[2, 2], time, run.push, None, "push on the target [N]", said[5])
    _states(axes[3, 2], time, run.state)
    axes[0, 0].legend(fontsize=8)
    axes[0, 2].legend(fontsize=8, ncols=2)
    for ax in axes[3]:
        ax.set_xlabel("time from the start of the approach [s]")
    figure.suptitle(f"Cepheus, {name}: ours; above a panel what the thesis says of its own")
    return figure


def _lines(ax: Any, time: Any, ours: Any, target: Any, label: str, said: str) -> None:
    if target is not None:
        ax.plot(time, target, color=TARGET, lw=1.0, label="target")
    ax.plot(time, ours, color=OURS, lw=1.2, label="ours")
    ax.set(ylabel=label, title=f"thesis: {said}" if said else "")
    ax.ticklabel_format(useOffset=False)


def _states(ax: Any, time: Any, states: list[str]) -> None:
    names = list(dict.fromkeys(states))
    ax.step(time, [names.index(state) for state in states], where="post", color=OURS)
    ax.set_yticks(range(len(names)), names, fontsize=8)


def main(folder: Path = Path("out")) -> None:
    """Fly both and draw them."""
    for name, run in (("simulated", simulated(EYES["truth"])), ("emulator", emulated())):
        draw(run, name, folder / f"cepheus_{name}.png")
        print(folder / f"cepheus_{name}.png")


if __name__ == "__main__":
    main()
