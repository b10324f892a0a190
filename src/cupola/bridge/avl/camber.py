"""The camber line of a section, and what it does in thin-airfoil theory (Glauert, 1926)."""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.schema.input_files import InputError

POINTS = 400
"""Stations along the chord at which Glauert's integrals are summed."""


Part = tuple[float, float]
"""Where a part of a section begins and ends, in its chords; its camber line is that of the whole chord."""
WHOLE = (0.0, 1.0)


class Camber(NamedTuple):
    """What an arched camber line does."""

    alpha_0: float
    """Angle of attack without lift [rad]."""
    c_moment_0: float
    """About the quarter chord, nose up."""


def thin_airfoil(slope: Any) -> Camber:
    """Of a camber line with `slope(x)` = dy/dx, x in chords from the nose."""
    theta = (np.arange(POINTS) + 0.5) * math.pi / POINTS
    rise = slope(0.5 * (1.0 - np.cos(theta)))
    a1, a2 = (2.0 * float(np.mean(rise * np.cos(n * theta))) for n in (1, 2))
    # A0 at zero angle of attack is -mean(dy/dx); lift vanishes where A0 + A1 / 2 does, which the angle makes up for.
    return Camber(float(np.mean(rise)) - 0.5 * a1, 0.25 * math.pi * (a2 - a1))


def naca_camber(digits: str, here: str, part: Part = WHOLE) -> Camber:
    """Of a four-digit section, or of a part of its chord."""
    word = digits.split()[0]
    if len(word) != 4 or not word.isascii() or not word.isdigit():
        raise InputError(f"{here}: NACA sections of four digits are read, got {digits!r}")
    height, place = int(word[0]) / 100.0, int(word[1]) / 10.0
    if height == 0.0 or place == 0.0:
        return Camber(0.0, 0.0)

    def slope(x: Any) -> Any:
        front = 2.0 * height / place**2 * (place - x)
        return np.where(x < place, front, 2.0 * height / (1.0 - place) ** 2 * (place - x))

    return thin_airfoil(lambda x: slope(part[0] + (part[1] - part[0]) * x))


def coordinate_camber(points: list[tuple[float, float]], part: Part = WHOLE) -> Camber:
    """Of points round the section, from the trailing edge over one side, the nose and the other side back."""
    x, y = (np.array(column) for column in zip(*points, strict=True))
    nose = int(np.argmin(x))
    if nose in (0, len(x) - 1):
        raise InputError("coordinates of a section must run from the trailing edge round the nose and back")
    size = max(x[0], x[-1]) - x[nose]
    if not size > 0.0:
        raise InputError("coordinates of a section have no chord")
    along = (x - x[nose]) / size
    stations = 0.5 * (1.0 - np.cos(np.linspace(0.0, math.pi, 81)))
    sides = []
    for side in (slice(nose, None, -1), slice(nose, None)):
        order = np.argsort(along[side], kind="stable")
        sides.append(np.interp(stations, along[side][order], (y[side] / size)[order]))
    between, rise = 0.5 * (stations[1:] + stations[:-1]), np.diff(0.5 * (sides[0] + sides[1])) / np.diff(stations)
    return thin_airfoil(lambda x: np.interp(part[0] + (part[1] - part[0]) * x, between, rise))
