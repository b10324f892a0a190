"""The polynomial of fifth degree that goes from 0 to 1 at rest: no speed and no acceleration at either end."""

from typing import NamedTuple

from cupola.xmath import Number, clip


class Progress(NamedTuple):
    """Share of the way done, its rate [1/s] and acceleration [1/s²]."""

    share: Number
    rate: Number
    acceleration: Number


class Coefficients(NamedTuple):
    """s = a3 t³ + a4 t⁴ + a5 t⁵."""

    a3: Number
    a4: Number
    a5: Number


def quintic_coefficients(duration: Number) -> Coefficients:
    """What the six conditions at the two ends give, for a motion that takes `duration` [s]."""
    cube = duration * duration * duration
    return Coefficients(10.0 / cube, -15.0 / (cube * duration), 6.0 / (cube * duration * duration))


def quintic(time: Number, duration: Number) -> Progress:
    """At `time` [s]; constant before the start and after the end."""
    x = clip(time / duration, 0.0, 1.0)
    left = 1.0 - x
    return Progress(
        x * x * x * (10.0 - 15.0 * x + 6.0 * x * x),
        30.0 * x * x * left * left / duration,
        60.0 * x * left * (left - x) / (duration * duration),
    )
