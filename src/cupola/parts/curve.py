"""A curve of the pool, evaluated: polynomial or clamped cubic spline."""

from cupola.physics.curve import polynomial, spline
from cupola.xmath import Number


def curve_value(x: Number, start: int, segments: int, count: int, pool: Number) -> Number:
    """Value at `x` of the curve that begins at `start`; `segments` = 0 means polynomial."""
    if segments == 0:
        return polynomial(x, pool[start : start + count])
    breaks_end = start + segments + 1
    return spline(x, pool[start:breaks_end], pool[breaks_end : breaks_end + count])
