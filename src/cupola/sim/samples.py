"""Samples of a sensor: a ring that the loop fills, which is also the sensor's delay line."""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.engine.sampling import LOST
from cupola.kernel.memory import Views
from cupola.parts.sensors.sensor import Sensor


class Ring(NamedTuple):
    """Where compiled code finds the samples of a sensor: in `arrays.samples`, counted in `arrays.counters`."""

    start: int
    capacity: int
    """Rows: the tick, then the numbers."""
    width: int
    """Of a row."""
    counter: int
    delay: int
    """[ticks]."""


class Samples:
    """All samples of one sensor that are still in its ring."""

    def __init__(self, part: Sensor, row: Any, arrays: Views, physics_hz: int) -> None:
        self.part: Sensor = part
        self.delay: int = math.ceil(part.delay * physics_hz - 1e-9)
        """[ticks] from measurement to availability."""
        self.arrays: Views = arrays
        """Memory of the world."""
        self._counter = int(row["counter"])
        width = 1 + int(row["width"])
        start, capacity = int(row["start"]), int(row["capacity"])
        self.place: Ring = Ring(start, capacity, width, self._counter, self.delay)
        self._ring = arrays.samples[start : start + capacity * width].reshape(capacity, width)

    @property
    def count(self) -> int:
        """Samples taken since the start, lost ones too."""
        return int(self.arrays.counters[self._counter])

    def since(self, first: int) -> np.ndarray[Any, Any]:
        """Samples `first` and later, as far as they arrived and the ring still has them: the tick, then the numbers."""
        first = max(first, self.count - len(self._ring))
        rows = self._ring[np.arange(first, self.count) % len(self._ring)]
        return np.array(rows[rows[:, 0] != LOST])

    def latest(self) -> Any:
        """The newest sample that is available now, as a controller sees it; None before the first."""
        k = self.newest()
        return None if k is None else self.reading(k)

    __call__ = latest

    def newest(self) -> int | None:
        """Number of the newest sample that is available now; None before the first."""
        now, count, size = self.arrays.counters[0], self.count, len(self._ring)
        for k in range(count - 1, max(-1, count - 1 - size), -1):
            stamp = self._ring[k % size, 0]
            if stamp != LOST and stamp + self.delay <= now:
                return k
        return None

    def numbers(self, k: int) -> np.ndarray[Any, Any]:
        """The tick of sample `k`, then its numbers; not a copy."""
        row: np.ndarray[Any, Any] = self._ring[k % len(self._ring)]
        return row

    def put(self, k: int, numbers: Any) -> None:
        """Make sample `k` the newest: its tick, then its numbers. Used by replay."""
        self._ring[k % len(self._ring)] = numbers
        self.arrays.counters[self._counter] = k + 1

    def reading(self, k: int) -> Any:
        """Sample `k` as a controller sees it."""
        return self.part.reading(self._ring[k % len(self._ring)][1:].tolist())
