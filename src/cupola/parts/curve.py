"""A curve among the constants of a world, evaluated: polynomial or clamped cubic spline."""

from cupola.physics.curve import polynomial, spline
from cupola.xmath import Number

CURVE = "3i8"
"""Column of a row for a curve: where it begins, its segments (0: a polynomial), its coefficients."""


def curve_columns(*names: str) -> dict[str, str]:
    """Columns for some curves."""
    return dict.fromkeys(names, CURVE)


def curve_value(x: Number, place: Number, constants: Number) -> Number:
    """Value at `x` of the curve at a place."""
    start, segments, count = place[0], place[1], place[2]
    if segments == 0:
        return polynomial(x, constants[start : start + count])
    breaks_end = start + segments + 1
    return spline(x, constants[start:breaks_end], constants[breaks_end : breaks_end + count])


def is_given(place: Number) -> bool:
    """Whether a curve was given at all."""
    return bool(place[2] > 0)
