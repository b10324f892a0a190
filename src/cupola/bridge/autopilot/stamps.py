"""Times on packets for an autopilot that takes its pace from them: Betaflight.

Betaflight's clock is the computer's, times a factor: the step between the times on the last two packets over the time
in which they came. A world that pauses, loads or is held up for a moment would nearly stop that clock by its own times,
and with it the motors that the world waits for. So the times on the packets follow the computer's clock, at the pace at
which the world goes on average.
"""

LEAST = 1e-6
"""[s] between two packets, at least."""
LONGEST = 0.02
"""[s] between the times on two packets, from which on Betaflight keeps its factor."""
MEMORY = 0.99
"""Of the pace, per packet."""
START = 0.1
"""[s] for which real time is believed in the beginning."""


class Stamps:
    """One after the other, always later."""

    def __init__(self) -> None:
        self._time = 0.0
        self._flown = self._passed = START
        self._before: float | None = None

    @property
    def pace(self) -> float:
        """Times real time, on average of late."""
        return self._flown / self._passed

    def next(self, wall: float, flown: float = 0.0) -> float:
        """Time on a packet [s] that is sent at a wall time, after the world went on by `flown` [s]."""
        passed = max(wall - self._before, LEAST) if self._before is not None else LEAST
        self._before = wall
        self._time += self.pace * passed
        if flown and passed < LONGEST:  # a pause says nothing about the pace
            self._flown = MEMORY * self._flown + flown
            self._passed = MEMORY * self._passed + passed
        return self._time
