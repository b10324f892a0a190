"""Time two things against each other on a machine that does other work too."""

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple


class Paired(NamedTuple):
    """Medians over all rounds."""

    ours: float
    """[s] a call."""
    theirs: float
    """[s] a call."""
    ratio: float
    """Ours / theirs, each pair taken one right after the other: what slows the machine slows both."""


def nothing() -> None:
    """For a pair that needs no preparation."""


def pair(
    ours: Callable[[], object],
    theirs: Callable[[], object],
    *,
    rounds: int,
    prepare: Callable[[], object] = nothing,
) -> Paired:
    """Call both in turns, first one then the other way round; one round before the first warms up and is not counted.

    `prepare` runs before each call and is not timed.
    """
    for call in (ours, theirs):
        prepare()
        call()
    times: list[tuple[float, float]] = []
    for k in range(rounds):
        calls = (ours, theirs) if k % 2 == 0 else (theirs, ours)
        taken = []
        for call in calls:
            prepare()
            begin = time.perf_counter()
            call()
            taken.append(time.perf_counter() - begin)
        times.append((taken[0], taken[1]) if k % 2 == 0 else (taken[1], taken[0]))
    return Paired(
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(a / b for a, b in times),
    )
