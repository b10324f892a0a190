"""What rangefinders and laser scanners share: limits of their reach, and what they say beyond them (ROS REP 117)."""

import math
from typing import NamedTuple

from cupola.xmath import Number


class RangeNumbers(NamedTuple):
    """One rangefinder, or one ray of a scanner."""

    range_min: float
    """[m] closer is -inf."""
    range_max: float
    """[m] farther is +inf."""
    noise: float
    """[m] standard deviation."""


def check_limits(low: float, high: float) -> None:
    """Refuse a reach that ends before it begins."""
    if low >= high:
        raise ValueError(f"range_min {low:g} must be below range_max {high:g}")


def said_range(p: RangeNumbers, distance: Number, noise: Number) -> Number:
    """What a ray of true length `distance` [m] (negative: it hits nothing) says, with a standard normal `noise`."""
    said = distance + p.noise * noise
    if distance < 0.0 or said > p.range_max:
        return math.inf
    if said < p.range_min:
        return -math.inf
    return said
