"""The picture of `prediction.py`: how errors grow over half a second; `python -m cupola.reproduce.nanobench.figure`."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from cupola.analysis.flight_replay import fly
from cupola.analysis.missed_torque import corrected
from cupola.analysis.real_flight import (
    STEP,
    STEPS,
    Array,
    Prediction,
    Windows,
    cut,
    keep_tilt,
    stand_still,
    turn_between,
)
from cupola.record.draw import save_picture
from cupola.reproduce.nanobench import crazyflie_fit
from cupola.reproduce.nanobench.real_flights import flights

SHOWN = ("figure_eight", "lissajous", "trefoil")
TIMES = STEP * np.arange(1, STEPS + 1)
COLOURS = {"crazyflie": "tab:blue", "thrust is weight": "tab:orange", "no model": "0.5"}


def growth(found: Prediction, flown: Prediction) -> tuple[Array, Array]:
    """Root mean square over all windows, step by step: position [m] and attitude [deg]."""
    position = np.linalg.norm(found.pos_w - flown.pos_w, axis=-1)
    attitude = np.degrees(np.linalg.norm(turn_between(found.quat_wb, flown.quat_wb), axis=-1))
    return np.sqrt(np.mean(position**2, axis=0)), np.sqrt(np.mean(attitude**2, axis=0))


def draw(flights: dict[str, tuple[Windows, dict[str, Prediction]]], path: Path) -> None:
    """One row per flight: position, attitude, and some predicted paths over the flown one."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        len(flights), 3, figsize=(11.0, 3.2 * len(flights)), squeeze=False, layout="constrained"
    )
    for (name, (windows, models)), row in zip(flights.items(), axes, strict=True):
        for model, found in models.items():
            for plot, errors in zip(row, growth(found, windows.flown), strict=False):
                plot.plot(TIMES, errors, color=COLOURS[model], label=model)
        for plot, what, top in zip(row, ("position error [m]", "attitude error [deg]"), (0.3, 20.0), strict=False):
            plot.set(xlabel="time [s]", ylabel=what, xlim=(0.0, TIMES[-1]), ylim=(0.0, top))
        row[0].set_title(name.replace("_", " "))
        row[0].legend()
        _paths(row[2], windows, models["crazyflie"])
    save_picture(figure, path, dpi=90)
    plt.close(figure)


def _paths(plot: Any, windows: Windows, found: Prediction) -> None:
    every = max(1, math.ceil(len(windows.speeds) / 40))
    plot.plot(*windows.pos_w[:, :2].T, color="0.75", label="flown")
    for path in found.pos_w[::every]:
        plot.plot(*path[:, :2].T, color="tab:blue", linewidth=1.0)
    plot.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="0.5 s predicted, 40 times")


def main() -> None:
    """Predict three flights, each with the numbers of the other five, and draw."""
    shown = {}
    for name, flight in zip(SHOWN, flights(*SHOWN), strict=True):
        world, motors = crazyflie_fit.fitted_world(crazyflie_fit.FOLDS[name])
        windows = cut(flight, motors)
        models = {"crazyflie": corrected(windows, fly(world, windows)), "thrust is weight": keep_tilt(windows)}
        shown[name] = (windows, models | {"no model": stand_still(windows)})
    draw(shown, Path("out/nanobench.png"))
    print("out/nanobench.png")


if __name__ == "__main__":
    main()
