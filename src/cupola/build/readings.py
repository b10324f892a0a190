"""The newest samples of several sensors in one array of numbers, which compiled code can read.

Of each sensor its number comes first (-1: there is none yet), then the sample.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cupola.engine.law import RING
from cupola.engine.sampling import newest_samples
from cupola.kernel.jit import jit

NONE_YET = -1.0
Array = np.ndarray[Any, Any]
_newest = jit(newest_samples)


class Readings:
    """Of the sensors that a controller has."""

    def __init__(self, sensors: Mapping[str, Any], names: Iterable[str]) -> None:
        self.at: dict[str, int] = {}
        """Where each one begins."""
        self._sensors = {name: sensors[name] for name in names if name in sensors}
        end = 0
        for name, sensor in self._sensors.items():
            self.at[name] = end
            end += 1 + sensor.part.width()
        self.numbers: Array = np.full(end, NONE_YET)
        here = [one for one in self._sensors.values() if hasattr(one, "place")]
        self.arrays: Any = here[0].arrays if len(here) == len(self._sensors) > 0 else None
        """Memory of the world in which all of them lie; None where they are behind a wire."""
        self.table: Array = np.zeros((0, RING), np.int64)
        if self.arrays is not None:
            places = [(*one.place, at) for one, at in zip(here, self.at.values(), strict=True)]
            self.table = np.array(places, np.int64)

    def read(self) -> Array:
        """What is newest now; the array is the same every time."""
        if self.arrays is not None:
            _newest(self.arrays.samples, self.arrays.counters, self.table, self.numbers)
            return self.numbers
        for name, at in self.at.items():
            sensor = self._sensors[name]
            number = sensor.newest()
            self.numbers[at] = NONE_YET
            if number is not None:
                row = sensor.numbers(number)[1:]
                self.numbers[at] = number
                self.numbers[at + 1 : at + 1 + len(row)] = row
        return self.numbers
