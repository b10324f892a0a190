"""Half a second of real flight predicted: our vehicle `crazyflie` beside RotorPy's model and beside no model at all.

Both models get the same commanded motor speeds from `real_flights`. Ours flies in the compiled world. RotorPy's is its
own Multirotor with the numbers of its Crazyflie file. The numbers of our vehicle were fitted on circle and star
(`crazyflie_fit`); only the other two flights are scored.
"""

import importlib.metadata
import importlib.util
from collections.abc import Iterator
from typing import Any

import numpy as np

from cupola.reproduce.nanobench import crazyflie_fit
from cupola.reproduce.nanobench.crazyflie_world import crazyflie, fly
from cupola.reproduce.nanobench.real_flights import (
    FLIGHTS,
    SCORED_ON,
    STEP,
    STEPS,
    Errors,
    Prediction,
    Windows,
    cut,
    judge,
    read,
)
from cupola.reproduce.row import Row, data_file, missing

SOURCE = "NanoBench, arXiv 2603.09908, {}"
FLOOR = {
    "figure_eight": Errors(0.1921, 0.0880, 0.770, 10.53, 1.152),
    "lissajous": Errors(0.2206, 0.1016, 0.871, 12.59, 1.091),
}
"""Errors of no model at all, as printed by the data's README."""
QUANTITIES = {
    "position": ("position after 0.5 s", "m"),
    "path": ("position over 0.5 s", "m"),
    "velocity": ("velocity after 0.5 s", "m/s"),
    "attitude": ("attitude after 0.5 s", "deg"),
    "rate": ("rate after 0.5 s", "rad/s"),
}
SELDOM = 8
"""RotorPy, in plain Python, flies every eighth window unless all is asked for."""
ROTORPY_ORDER = [3, 0, 1, 2]
"""RotorPy counts from the front left, clockwise seen from above; the Crazyflie from the front right."""


def rows(full: bool) -> Iterator[Row]:
    """Ten errors, each against no model and against RotorPy's, which is slow and flies only some of the windows unless
    all is asked for; in full, the fit too."""
    world = None
    for name in SCORED_ON:
        file, first, last = FLIGHTS[name]
        path = data_file(f"nanobench/{file}")
        if isinstance(path, str):
            yield from _without(name, path)
            continue
        flight = read(path, first, last)
        windows, some = (cut(flight, crazyflie_fit.SPEED_MAP, stride) for stride in (1, 1 if full else SELDOM))
        world = world or crazyflie()
        ours = judge(fly(world, windows), windows.flown)
        theirs = judge(fly_rotorpy(some), some.flown) if rotorpy_is_here() else None
        yield from beside(name, ours, theirs, ours if full else judge(fly(world, some), some.flown))
    if full:
        yield from crazyflie_fit.rows()


def rotorpy_is_here() -> bool:
    """Whether RotorPy can be run."""
    return importlib.util.find_spec("rotorpy") is not None


def fly_rotorpy(windows: Windows) -> Prediction:
    """RotorPy's prediction of every window."""
    from rotorpy.vehicles.crazyflie_params import quad_params
    from rotorpy.vehicles.multirotor import Multirotor

    vehicle = Multirotor(quad_params)
    found = np.empty((len(windows.speeds), STEPS, 13))
    for i in range(len(found)):
        w, x, y, z = windows.quat_wb[i]
        state: dict[str, Any] = {"x": windows.pos_w[i], "v": windows.vel_w[i], "q": np.array([x, y, z, w])}
        state |= {"w": windows.rate_b[i], "wind": np.zeros(3), "rotor_speeds": windows.speeds[i, ROTORPY_ORDER]}
        for k in range(STEPS):
            state = vehicle.step(state, {"cmd_motor_speeds": windows.commands[i, k, ROTORPY_ORDER]}, STEP)
            found[i, k] = [*state["x"], *state["v"], *np.roll(state["q"], 1), *state["w"]]
    return Prediction(found[..., :3], found[..., 3:6], found[..., 6:10], found[..., 10:])


def beside(name: str, ours: Errors, theirs: Errors | None, ours_there: Errors | None = None) -> Iterator[Row]:
    """Rows of one flight: our errors against no model, and against RotorPy's if it was run.

    `ours_there` are our errors in the windows that RotorPy flew, where those are not all.
    """
    for key, source, (what, unit), field in _titles(name):
        mine, floor = getattr(ours, field), getattr(FLOOR[name], field)
        quantity = f"error of the {what}"
        yield Row(f"{key}_floor", source, f"{quantity}; no model", floor, mine, unit, f"< {floor:g}", mine < floor)
        key, quantity = f"{key}_rotorpy", f"{quantity}; RotorPy"
        if theirs is None:
            yield missing(key, source, quantity, "RotorPy is not installed: pip install rotorpy", unit)
            continue
        figure, version = getattr(theirs, field), importlib.metadata.version("rotorpy")
        criterion = f"< RotorPy {version}, run now"
        mine = getattr(ours_there or ours, field)
        yield Row(key, source, quantity, figure, mine, unit, criterion, mine < figure)


def _without(name: str, why: str) -> Iterator[Row]:
    for key, source, (what, unit), _ in _titles(name):
        for other, says in (("floor", "no model"), ("rotorpy", "RotorPy")):
            yield missing(f"{key}_{other}", source, f"error of the {what}; {says}", why, unit)


def _titles(name: str) -> Iterator[tuple[str, str, tuple[str, str], str]]:
    for field, titles in QUANTITIES.items():
        yield f"nanobench_{name}_{field}", SOURCE.format(FLIGHTS[name][0].removesuffix(".csv")), titles, field
