"""Functions for worlds side by side: without branches or calls, so that the compiler computes several at once."""

import numpy as np

from cupola import xmath
from cupola.xmath import Number, floor, where

TURN_1, TURN_2, TURN_3 = 1.5703125, 4.837512969970703125e-4, 7.549789954891882e-8
"""A quarter turn in three parts: multiples of the first two are exact, in 32 bits too (Cephes)."""
SINE = (
    1.58969099521155e-10,
    -2.50507602534069e-8,
    2.7557313707070068e-6,
    -1.984126982985795e-4,
    8.33333333332249e-3,
    -0.16666666666666632,
)
COSINE = (
    -1.1359647557788195e-11,
    2.087572321298175e-9,
    -2.7557314351390663e-7,
    2.480158728947673e-5,
    -1.388888888887411e-3,
    0.0416666666666666,
)
"""Coefficients, the highest power first, of polynomials within an eighth of a turn (fdlibm)."""


def lane_floor(x: Number) -> Number:
    """Largest whole number that is not above x, as a float: `math.floor` would make an integer of it."""
    return np.floor(x)


def lane_sin(x: Number) -> Number:
    """Sine, to the rounding of `x`."""
    quarter = floor(x * (1.0 / (TURN_1 + TURN_2 + TURN_3)) + 0.5)
    return _wave(x, quarter, quarter)


def lane_cos(x: Number) -> Number:
    """Cosine, to the rounding of `x`."""
    quarter = floor(x * (1.0 / (TURN_1 + TURN_2 + TURN_3)) + 0.5)
    return _wave(x, quarter, quarter + 1.0)


def _wave(x: Number, quarter: Number, from_quarter: Number) -> Number:
    """Sine of `x` less `quarter` quarter turns, plus `from_quarter` of them."""
    r = ((x - quarter * TURN_1) - quarter * TURN_2) - quarter * TURN_3
    z = r * r
    sine = ((((SINE[0] * z + SINE[1]) * z + SINE[2]) * z + SINE[3]) * z + SINE[4]) * z + SINE[5]
    cosine = ((((COSINE[0] * z + COSINE[1]) * z + COSINE[2]) * z + COSINE[3]) * z + COSINE[4]) * z + COSINE[5]
    half_turns = floor(from_quarter * 0.5)
    odd = from_quarter - 2.0 * half_turns
    found = where(odd > 0.5, (1.0 - 0.5 * z) + z * z * cosine, r + r * z * sine)
    return where(half_turns - 2.0 * floor(half_turns * 0.5) > 0.5, -found, found)


LANE_MATH = {xmath.sin: lane_sin, xmath.cos: lane_cos}
"""What stands for functions of `xmath`; `floor` is replaced within these, too."""


def due_lanes(due: Number, ticks: Number, now: Number, every: Number) -> Number:
    """Mark the worlds whose tick, `now` after the first, is a multiple of `every`; returns how long none else is."""
    soonest = every
    for w in range(len(due)):
        late = (ticks[w] + now) % every
        due[w] = 1.0 if late == 0 else 0.0
        soonest = min(soonest, every - late)
    return soonest
