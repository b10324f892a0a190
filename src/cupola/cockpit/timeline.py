"""What was simulated, signal by signal and row by row: plots and tables of the page are cut out of it.

A plot shows at most as many points as it has pixels: of each stretch of time the least and the greatest value, so that
no oscillation is lost or turned into another one. Memory is bounded: the oldest rows are thinned in the same way.
"""

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
MOST_BYTES = 256e6
"""Of rows in memory."""
CHUNK = 1024
"""Rows that are thinned together."""
THINNED = 16
"""Rows that become two."""


class Curves(NamedTuple):
    """Some signals over a stretch of time."""

    times: Array
    """[s]."""
    values: Array
    """(rows, signals)."""
    whole: bool
    """Whether every row that was simulated is there; else the least and the greatest of several."""

    def as_bytes(self) -> bytes:
        """For the page: rows, whole, then the times and each signal."""
        head = np.array([len(self.times), float(self.whole)])
        return np.concatenate([head, self.times, self.values.T.ravel()]).astype("<f8").tobytes()


class Timeline:
    """The rows of one run, of `width` signals."""

    def __init__(self, width: int, most_bytes: float = MOST_BYTES) -> None:
        self._width = width
        self._most_rows = max(4.0 * CHUNK, most_bytes / 8 / (1 + width))
        self.clear()

    def clear(self) -> None:
        """Another run begins."""
        self._chunks: list[tuple[Array, int]] = []
        """Rows of time and values, and how often they were thinned."""
        self._open: list[Array] = []
        self._open_rows = 0

    def add(self, times: Array, values: Array) -> None:
        """Append rows."""
        self._open.append(np.column_stack([times, values]))
        self._open_rows += len(times)
        if self._open_rows >= CHUNK:
            self._chunks.append((np.concatenate(self._open), 0))
            self._open, self._open_rows = [], 0
            while sum(len(rows) for rows, _ in self._chunks) > self._most_rows and self._thin():
                pass

    def cut(self, time: float) -> None:
        """Forget what lies after a time [s]: the world has gone back."""
        self._chunks = [(rows[rows[:, 0] <= time], level) for rows, level in self._chunks if rows[0, 0] <= time]
        self._open = [rows[rows[:, 0] <= time] for rows in self._open]  # which may be empty
        self._open_rows = sum(map(len, self._open))

    def between(self, signals: list[int], since: float, until: float, points: int = 0) -> Curves:
        """Some signals from `since` to `until` [s]; at most about `points` rows, 0: all."""
        columns = [0, *(1 + k for k in signals)]
        found, whole = [np.zeros((0, len(columns)))], True
        for rows, level in (*self._chunks, *((rows, 0) for rows in self._open)):
            if len(rows) and rows[0, 0] <= until and rows[-1, 0] >= since:
                first, end = np.searchsorted(rows[:, 0], [since, until + 1e-12])
                found.append(rows[first:end][:, columns])
                whole &= level == 0
        return thinned(np.concatenate(found), whole, points)

    def _thin(self) -> bool:
        """Make the oldest of the least thinned chunks smaller, never one of the newer half; False: none can be."""
        newer, keep = 0, len(self._chunks)
        while keep and newer < self._most_rows / 2:
            keep -= 1
            newer += len(self._chunks[keep][0])
        levels = [(level, k) for k, (rows, level) in enumerate(self._chunks[:keep]) if len(rows) > 2]
        if not levels:
            return False
        level, k = min(levels)
        rows = self._chunks[k][0]
        self._chunks[k] = _extremes(rows, np.arange(0, len(rows), THINNED)), level + 1
        return True


def thinned(table: Array, whole: bool, points: int, by: str = "extremes") -> Curves:
    """At most about `points` (0: all) rows of time and values: extremes of stretches, or every so many `rows`."""
    if points and len(table) > points:
        whole = False
        if by == "rows":
            table = table[:: -(-len(table) // points)]
        else:
            table = _extremes(table, _stretches(table[:, 0], points // 2))
    return Curves(table[:, 0], table[:, 1:], whole)


def _stretches(times: Array, count: int) -> Array:
    """First rows of about `count` stretches of equal time."""
    edges = np.linspace(times[0], times[-1], max(1, count) + 1)[:-1]
    return np.unique(np.searchsorted(times, edges))


def _extremes(table: Array, firsts: Array) -> Array:
    """Two rows for each stretch: the least and the greatest values, in the order in which the signal goes."""
    ends = np.append(firsts[1:], len(table)) - 1
    out = np.empty((2 * len(firsts), table.shape[1]))
    low, high = np.fmin.reduceat(table, firsts), np.fmax.reduceat(table, firsts)
    rises = table[firsts] <= table[ends]
    out[::2], out[1::2] = np.where(rises, low, high), np.where(rises, high, low)
    out[::2, 0], out[1::2, 0] = table[firsts, 0], table[ends, 0]
    return out
