"""The picture of `prediction.py`: how errors grow over half a second; `python -m cupola.reproduce.nanobench.figure`."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from cupola.reproduce.nanobench.crazyflie_fit import SPEED_MAP
from cupola.reproduce.nanobench.crazyflie_world import crazyflie, fly
from cupola.reproduce.nanobench.prediction import fly_rotorpy, rotorpy_is_here
from cupola.reproduce.nanobench.real_flights import (
    FLIGHTS,
    SCORED_ON,
    STEP,
    STEPS,
    Array,
    Prediction,
    Windows,
    cut,
    read,
    stand_still,
    turn_between,
)
from cupola.reproduce.row import data_file

TIMES = STEP * np.arange(1, STEPS + 1)
COLOURS = {"crazyflie": "tab:blue", "RotorPy": "tab:orange", "no model": "0.5"}


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
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)
    plt.close(figure)


def _paths(plot: Any, windows: Windows, found: Prediction) -> None:
    every = max(1, math.ceil(len(windows.speeds) / 40))
    plot.plot(*windows.pos_w[:, :2].T, color="0.75", label="flown")
    for path in found.pos_w[::every]:
        plot.plot(*path[:, :2].T, color="tab:blue", linewidth=1.0)
    plot.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="0.5 s predicted, 40 times")


def main() -> None:
    """Predict both scored flights and draw."""
    world, flights = crazyflie(), {}
    for name in SCORED_ON:
        file, first, last = FLIGHTS[name]
        path = data_file(f"nanobench/{file}")
        if isinstance(path, str):
            raise SystemExit(path)
        windows = cut(read(path, first, last), SPEED_MAP)
        models = {"crazyflie": fly(world, windows), "no model": stand_still(windows)}
        if rotorpy_is_here():
            models["RotorPy"] = fly_rotorpy(windows)
        flights[name] = (windows, models)
    draw(flights, Path("out/nanobench.png"))
    print("out/nanobench.png")


if __name__ == "__main__":
    main()
