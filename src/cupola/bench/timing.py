"""Time two things against each other on a machine that does other work too."""

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

FINE: bool = time.get_clock_info("thread_time").resolution < 1e-6
"""Whether the system counts processor time finely: Windows does not."""


class Paired(NamedTuple):
    """Medians over all rounds."""

    ours: float
    """[s] a call."""
    theirs: float
    """[s] a call."""
    ratio: float
    """Ours / theirs, each pair taken one right after the other: what slows the machine slows both."""


def own_time() -> float:
    """Processor time of this thread [s], which other programs do not lengthen; wall time where that is coarse."""
    return time.thread_time() if FINE else time.perf_counter()


def nothing() -> None:
    """For a side that needs no preparation."""


class Side(NamedTuple):
    """One of the two that are compared."""

    call: Callable[[], object]
    prepare: Callable[[], object] = nothing
    """Runs before each call and is not timed."""

    clock: Callable[[], float] | None = None
    """`own_time` for what runs in one thread alone; by default wall time."""

    def time(self) -> float:
        """Time of one call [s]."""
        now = self.clock or time.perf_counter
        self.prepare()
        begin = now()
        self.call()
        return now() - begin


def pair(ours: Side, theirs: Side, rounds: int) -> Paired:
    """Call both in turns, first one then the other way round; a round before the first warms up and is not counted."""
    ours.time()
    theirs.time()
    times = []
    for k in range(rounds):
        if k % 2 == 0:
            a, b = ours.time(), theirs.time()
        else:
            b, a = theirs.time(), ours.time()
        times.append((a, b))
    return Paired(
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(a / b for a, b in times),
    )
