"""How a run in real time is cut into pieces."""

from typing import NamedTuple


class Pace(NamedTuple):
    """Both in real time [s]."""

    wait: float = 0.02
    """At most so much is flown between two waits for the clock."""
    observe: float = 0.02
    """And at most so much between two calls of the observers."""

    def ticks(self, per_second: float, most: int) -> tuple[int, int]:
        """Of both, with so many ticks in a second of real time; observers are called after `most` at the latest."""
        wait, observe = (max(1, round(seconds * per_second)) for seconds in self)
        return min(wait, observe, most), min(observe, most)
