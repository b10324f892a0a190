"""Parts in plain Python: their `step` is called back from the loop, where in the tick compiled ones act."""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cupola.kernel.arguments import exact_motion, motion_of
from cupola.kernel.records import flat, size
from cupola.parts.families import Actuator, Load
from cupola.parts.sensors.sensor import Sensor
from cupola.physics.rotation import Wrench

Make = Callable[[Any, slice, list[BaseException]], Callable[..., int]]


def python_steps(parts: Sequence[Any]) -> dict[str, list[tuple[Any, Make]]]:
    """Of every part whose `step` is plain Python: the stage, the part, and what makes its callback."""
    found: dict[str, list[tuple[Any, Make]]] = {}
    for bound in parts:
        for base, stage, maker in FAMILIES:
            if isinstance(bound.part, base) and type(bound.part).step is not base.step:
                found.setdefault(stage, []).append((bound, _bind(maker, bound)))
    return found


def _bind(maker: Any, bound: Any) -> Make:
    return lambda views, channels, failures: _guarded(maker(bound, views, channels), failures)


def _guarded(act: Callable[..., int], failures: list[BaseException]) -> Callable[..., int]:
    def call(*numbers: Any) -> int:
        try:
            return act(*numbers)
        except BaseException as error:  # nothing may pass through C
            failures.append(error)
            return 1

    return call


def _load(bound: Any, views: Any, channels: slice) -> Callable[..., int]:
    """Ask for the load, and hold it for this tick."""
    row = bound.rows.view(np.recarray)[bound.place]
    drive = views.drive[channels]

    def act(table: int, rows: int, count: int, x: float) -> int:
        density = float(views.air_samples[row.vehicle].density)
        load = bound.part.step(motion_of(views, row), density, drive)
        views.state[row.state : row.state + size(Wrench)] = _numbers(load, size(Wrench), "a Wrench of force and torque")
        return 0

    return act


def _actuator(bound: Any, views: Any, channels: slice) -> Callable[..., int]:
    """What its channel becomes in this tick."""
    row = bound.rows.view(np.recarray)[bound.place]

    def act(table: int, rows: int, count: int, x: float) -> int:
        value = 0.0
        if not row.off:
            answer = bound.part.step(float(views.drive[row.channel]), float(views.world[0].dt))
            (value,) = _numbers(answer, 1, "the new value of its channel")
        views.drive[row.channel] = views.outputs[row.output] = value
        return 0 if abs(value) < 1e300 else 1

    return act


def _sensor(bound: Any, views: Any, channels: slice) -> Callable[..., int]:
    """One sample."""
    row = bound.rows.view(np.recarray)[bound.place]

    def act(table: int, address: int, out: int, index: int) -> int:
        answer = bound.part.step(exact_motion(views, row), float(views.counters[0] * views.world[0].dt))
        width = int(row.width)
        wanted = f"{width} number{'s' * (width != 1)}, as its Sample or width() says"
        np.ctypeslib.as_array((ctypes.c_double * width).from_address(out))[:] = _numbers(answer, width, wanted)
        return 0

    return act


def _numbers(answer: Any, count: int, wanted: str) -> Any:
    """What a `step` answered, as so many numbers: those of nested records one after the other."""
    try:
        found = np.ravel(np.asarray(flat(answer) if isinstance(answer, tuple) else answer, np.float64))
    except (TypeError, ValueError):
        found = np.empty(0)
    if answer is None or len(found) != count:
        raise TypeError(f"step() must return {wanted}, got {answer!r}")
    return found


FAMILIES: tuple[tuple[Any, str, Any], ...] = (
    (Load, "exchange", _load),
    (Actuator, "actuate", _actuator),
    (Sensor, "measure", _sensor),
)
"""For each family: the stage in which its `step` is called, and the function that makes the callback."""
