"""The last samples of a stream in a row of an array, their mean and their median: text that can be compiled.

A row holds how many there are, where the next one goes, then the samples. The median of an even number of samples is
the upper one of the middle two, as in the Cepheus thesis (NTUA 2025, C.1).
"""

from typing import Any

import numpy as np

from cupola.xmath import Number

LONGEST = 15
"""Samples that a row can hold."""
ROW = 2 + LONGEST
COUNT, NEXT, FIRST = 0, 1, 2
Array = np.ndarray[Any, Any]


def keep(row: Array, size: Number, sample: Number) -> int:
    """Add a sample; returns how many of the last `size` there are."""
    at, count = int(row[NEXT]), int(row[COUNT])
    row[FIRST + at] = sample
    row[NEXT] = (at + 1) % size
    count = min(count + 1, int(size))
    row[COUNT] = count
    return count


def mean_with(row: Array, size: int, sample: Number) -> Number:
    """Mean of the last `size` samples, this one among them; of fewer at the start."""
    count, total = keep(row, size, sample), 0.0
    first = int(row[NEXT]) if count == size else 0
    for k in range(count):  # the oldest first, so that the sum is always the same
        total += row[FIRST + (first + k) % size]
    return total / count


def median_with(row: Array, size: int, sample: Number) -> Number:
    """Median of the same."""
    count = keep(row, size, sample)
    return np.sort(row[FIRST : FIRST + count])[count // 2]


def filtered(row: Array, window: Number, sample: Number) -> Number:
    """By a mean of `window` samples, or by a median where `window` is negative."""
    if window > 0.0:
        return mean_with(row, int(window), sample)
    return median_with(row, int(-window), sample)
