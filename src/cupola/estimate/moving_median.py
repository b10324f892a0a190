"""The median of the last samples: deaf to a single wild one, late by half its window. Cepheus thesis (NTUA 2025), C.1.

Of an even number of samples it is the upper one of the middle two, as there.
"""

from collections import deque

from cupola.schema.yaml_files import InputError


class MovingMedian:
    """Of a stream of numbers."""

    def __init__(self, size: int = 3) -> None:
        if size < 1:
            raise InputError(f"a moving median needs at least 1 sample, got {size}")
        self._kept: deque[float] = deque(maxlen=size)

    def add(self, sample: float) -> float:
        """Take one more sample; the median of the newest ones, fewer at the start."""
        self._kept.append(sample)
        return sorted(self._kept)[len(self._kept) // 2]
