"""Planar pose and its rate from the samples of a motion-capture system: unwrapped, freed of jumps, filtered.

Windows as the Cepheus thesis (NTUA 2025, C.1) has them for base, hand and target; rates are differences of the filtered
place by the time between two samples. A yaw that jumps by 8° or more is a swapped marker: the last one stays, but not
for ever. What is remembered lies in rows of an array, so that it can be compiled.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.estimate.windows import filtered
from cupola.physics.rotation import wrap
from cupola.xmath import Number

JUMP = math.radians(8.0)
PATIENCE = 10
"""Samples in a row that may be refused."""
ROWS = 7
"""Of one body: filters of x, its rate, y, its rate, yaw, its rate; then what follows."""
SEEN, YAW, REFUSED, LAST = 0, 1, 2, 3
"""In the last row: whether there was a sample, the yaw, how often it was refused, and the filtered place."""
Array = np.ndarray[Any, Any]


class Windows(NamedTuple):
    """Samples of the filters of place and rate: a mean, or where the number is negative a median."""

    x: float
    rate_x: float
    y: float
    rate_y: float
    yaw: float
    rate_yaw: float


HAND = Windows(10.0, 10.0, -3.0, -3.0, 15.0, 15.0)
BASE = Windows(-1.0, -5.0, -1.0, -5.0, -1.0, 10.0)
TARGET = Windows(-1.0, -3.0, -1.0, -3.0, -1.0, -3.0)


class Tracked(NamedTuple):
    """Place [m], yaw [rad] without wraps, and their rates in world axes."""

    x: Number
    y: Number
    yaw: Number
    rate_x: Number
    rate_y: Number
    rate_yaw: Number


def gated(state: Array, yaw: Number, jump: Number, patience: Number) -> Number:
    """Yaw [rad], continuous through a whole turn; the last one where it jumps, `patience` samples in a row at most."""
    if state[SEEN] == 0.0:
        state[YAW] = yaw
    step = wrap(yaw - state[YAW])
    refused = state[REFUSED] + 1.0 if abs(step) >= jump else 0.0
    if refused > patience:
        refused = 0.0
    if refused == 0.0:
        state[YAW] += step
    state[REFUSED] = refused
    return state[YAW]


def track(rows: Array, w: Windows, x: Number, y: Number, yaw: Number, dt: Number, jump: Number) -> Tracked:
    """A sample `dt` [s] after the one before. The first rate is zero."""
    state = rows[ROWS - 1]
    turned = gated(state, yaw, jump, PATIENCE)
    px, py, pt = filtered(rows[0], w.x, x), filtered(rows[2], w.y, y), filtered(rows[4], w.yaw, turned)
    vx, vy, vt = 0.0, 0.0, 0.0
    if state[SEEN] > 0.0:
        vx, vy, vt = (px - state[LAST]) / dt, (py - state[LAST + 1]) / dt, (pt - state[LAST + 2]) / dt
    state[SEEN], state[LAST], state[LAST + 1], state[LAST + 2] = 1.0, px, py, pt
    rates = filtered(rows[1], w.rate_x, vx), filtered(rows[3], w.rate_y, vy), filtered(rows[5], w.rate_yaw, vt)
    return Tracked(px, py, pt, rates[0], rates[1], rates[2])
