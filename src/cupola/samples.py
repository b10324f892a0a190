"""Samples of a sensor: a ring that the loop fills, which is also the sensor's delay line."""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.engine.memory import Views
from cupola.parts.imu import Imu, ImuReading
from cupola.parts.part import Sensor
from cupola.physics.rotation import Quaternion, Vector


class TruthReading(NamedTuple):
    """Exact motion of a site; velocity and rate in the axes of its body."""

    pos_w: Vector
    quat_wb: Quaternion
    vel_w: Vector
    vel_b: Vector
    rate_b: Vector


class Samples:
    """All samples of one sensor that are still in its ring."""

    def __init__(self, part: Sensor, row: Any, arrays: Views, physics_hz: int) -> None:
        self.part = part
        self.delay = math.ceil(part.delay * physics_hz - 1e-9)
        """[ticks] from measurement to availability."""
        self._arrays = arrays
        self._counter = int(row["counter"])
        width = 7 if isinstance(part, Imu) else 17
        start, capacity = int(row["start"]), int(row["capacity"])
        self._ring = arrays.samples[start : start + capacity * width].reshape(capacity, width)

    @property
    def count(self) -> int:
        """Samples taken since the start."""
        return int(self._arrays.counters[self._counter])

    def since(self, first: int) -> np.ndarray[Any, Any]:
        """Samples `first` and later, as far as the ring still has them: the tick, then the numbers."""
        first = max(first, self.count - len(self._ring))
        return np.array(self._ring[np.arange(first, self.count) % len(self._ring)])

    def latest(self) -> ImuReading | TruthReading | None:
        """The newest sample that is available now; None before the first."""
        now = self._arrays.counters[0]
        for k in range(self.count - 1, max(-1, self.count - 1 - len(self._ring)), -1):
            row = self._ring[k % len(self._ring)]
            if row[0] + self.delay <= now:
                return _named(self.part, row[1:].tolist())
        return None


def _named(part: Sensor, s: list[float]) -> ImuReading | TruthReading:
    if isinstance(part, Imu):
        return ImuReading(Vector(*s[0:3]), Vector(*s[3:6]))
    return TruthReading(Vector(*s[0:3]), Quaternion(*s[3:7]), Vector(*s[7:10]), Vector(*s[10:13]), Vector(*s[13:16]))
