"""Planar pose and its rate from the samples of a motion-capture system: unwrapped, freed of jumps, filtered.

Windows as the Cepheus thesis (NTUA 2025, C.1) has them for base, hand and target; rates are differences of the filtered
place by the time between two samples. A yaw that jumps by 8° or more is a swapped marker: the last one stays, but not
for ever.
"""

import math
from functools import partial
from typing import NamedTuple

from cupola.estimate.moving_mean import MovingMean
from cupola.estimate.moving_median import MovingMedian
from cupola.physics.rotation import wrap

JUMP = math.radians(8.0)
Filter = MovingMean | MovingMedian
Maker = partial[MovingMean] | partial[MovingMedian]


class Axis:
    """One coordinate: filter of the place, difference, filter of the rate. The first rate is zero."""

    def __init__(self, place: Filter, rate: Filter) -> None:
        self._place, self._rate = place, rate
        self._last: float | None = None
        self.place = self.rate = 0.0

    def add(self, sample: float, dt: float) -> None:
        """A sample `dt` [s] after the one before."""
        self.place = float(self._place.add(sample))
        raw = 0.0 if self._last is None else (self.place - self._last) / dt
        self._last = self.place
        self.rate = float(self._rate.add(raw))


class YawGate:
    """Unwraps a yaw and keeps the last one where the next jumps, for at most `patience` samples in a row."""

    def __init__(self, jump: float = JUMP, patience: int = 10) -> None:
        self.jump, self.patience = jump, patience
        self._yaw: float | None = None
        self._refused = 0

    def add(self, yaw: float) -> float:
        """[rad], continuous through a whole turn."""
        if self._yaw is None:
            self._yaw = yaw
        step = wrap(yaw - self._yaw)
        self._refused = self._refused + 1 if abs(step) >= self.jump else 0
        if self._refused == 0 or self._refused > self.patience:
            self._yaw += step
            self._refused = 0
        return self._yaw


class Windows(NamedTuple):
    """What makes the filters of x, y and yaw: first of the place, then of the rate."""

    x: tuple[Maker, Maker]
    y: tuple[Maker, Maker]
    yaw: tuple[Maker, Maker]


def mean(size: int) -> Maker:
    """Of a moving mean."""
    return partial(MovingMean, size)


def median(size: int) -> Maker:
    """Of a moving median; of one sample it is that sample."""
    return partial(MovingMedian, size)


HAND = Windows((mean(10), mean(10)), (median(3), median(3)), (mean(15), mean(15)))
BASE = Windows((median(1), median(5)), (median(1), median(5)), (median(1), mean(10)))
TARGET = Windows((median(1), median(3)), (median(1), median(3)), (median(1), median(3)))


class Tracked(NamedTuple):
    """Place [m], yaw [rad] without wraps, and their rates in world axes."""

    x: float
    y: float
    yaw: float
    rate_x: float
    rate_y: float
    rate_yaw: float


class TrackedPose:
    """Of one body."""

    def __init__(self, windows: Windows, jump: float = JUMP) -> None:
        self._gate = YawGate(jump)
        self._axes = [Axis(place(), rate()) for place, rate in windows]

    def add(self, x: float, y: float, yaw: float, dt: float) -> Tracked:
        """A sample `dt` [s] after the one before."""
        for axis, sample in zip(self._axes, (x, y, self._gate.add(yaw)), strict=True):
            axis.add(sample, dt)
        return Tracked(*(axis.place for axis in self._axes), *(axis.rate for axis in self._axes))
