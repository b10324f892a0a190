"""The mean of the last samples, as the thesis's program for the accelerometer takes it (Świątkiewicz 2018, §5.14).

Good at rest and in steady motion; a real change it shows late, and a short one too small. Exactly `size` samples are
averaged, as the thesis says (its code averages one more), and only what is given: feed it the acceleration.
"""

from collections import deque
from typing import Any

import numpy as np

from cupola.schema.yaml_files import InputError

FIGURE = 40
"""Samples in the thesis's figures."""


class MovingMean:
    """Of a stream."""

    def __init__(self, size: int = FIGURE) -> None:
        if size < 1:
            raise InputError(f"a moving mean needs at least 1 sample, got {size}")
        self._kept: deque[np.ndarray[Any, Any]] = deque(maxlen=size)

    def add(self, sample: Any) -> np.ndarray[Any, Any]:
        """Take one more sample (a number or several); the mean of the newest ones, fewer at the start."""
        self._kept.append(np.asarray(sample, float))
        return np.asarray(sum(self._kept) / len(self._kept))


def moving_mean(samples: Any, size: int = FIGURE) -> np.ndarray[Any, Any]:
    """The same for all rows of a recording at once."""
    mean = MovingMean(size)
    return np.array([mean.add(row) for row in samples])
