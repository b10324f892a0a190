"""Times on packets for an autopilot that takes its pace from them: Betaflight.

Betaflight's clock is the computer's, times a factor: the step between the times on the last two packets over the time
in which they came. It answers a state at the next tick of its own loop, so the factor decides how long an answer takes
and must not follow from it: a factor that is the pace of the world on average sinks for ever, because each answer waits
for a tick and the computing comes on top.

Here the times follow the computer's clock at a pace of their own. It rises while Betaflight's clock goes on by less
than a step of the world from state to state, and falls when it goes on by more. That needs steps longer than a tick,
which is 1 ms since 2026: hence 500 exchanges a second in `airframes.yaml`.
"""

LEAST = 1e-6
"""[s] between two packets, at least."""
GAIN = 0.02
"""Of the pace, per packet."""
MOST = 4.0
"""Steps that one pause may count."""


class Stamps:
    """One after the other, always later."""

    def __init__(self) -> None:
        self._time = 0.0
        self._before: float | None = None
        self.pace = 1.0
        """Times real time."""

    def next(self, wall: float, flown: float = 0.0) -> float:
        """Time on a packet [s] that is sent at a wall time, after the world went on by `flown` [s]."""
        passed = max(wall - self._before, LEAST) if self._before is not None else LEAST
        gone = self.pace * passed
        if flown and self._before is not None:
            self.pace *= 1.0 + GAIN * (1.0 - min(gone / flown, MOST))
        self._before = wall
        self._time += gone
        return self._time
