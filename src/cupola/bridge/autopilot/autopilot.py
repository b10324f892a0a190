"""What all autopilots have in common: a controller whose law runs in somebody else's program.

At every step the world shows what it sees, waits for the answer and goes on: time stands still meanwhile. An autopilot
that is gone or late is noticed within `timeout`; the commands are then zero for `COAST`, so that the recording shows
it, and the run ends with the reason.
"""

import logging
import time
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

from cupola.bridge.autopilot.airframe import Dialect, Match, Moved, dialect, match
from cupola.bridge.autopilot.datagrams import Polling
from cupola.bridge.autopilot.seen import Eyes, Seen
from cupola.bridge.lockstep.protocol import PeerError
from cupola.bridge.lockstep.remote import COAST
from cupola.config.controller import Controller, parameter
from cupola.config.robot import Robot
from cupola.kernel.observation import Observation, Reference

log = logging.getLogger("cupola.bridge")


class Clocks(NamedTuple):
    """A moment of a run."""

    wall: float
    """[s]."""
    own: float
    """[s] in which this thread has computed: what others take, and the waiting or looking for them, is not in it."""


class Autopilot(Controller):
    """Base of the bridges: they send and receive; the rest is here."""

    called: ClassVar[str] = ""
    """Its key in `airframes.yaml`."""
    peer: ClassVar[str] = ""
    """Its name in sentences."""
    transport: ClassVar[str] = "UDP"
    throttle_rests_at = -1.0

    port: parameter = parameter(0.0, low=0.0, high=65535.0, about="to listen on; 0: a free one")
    timeout: parameter = parameter(5.0, low=0.01, high=3600.0, unit="s", about="for one answer; then the run ends")
    patience: parameter = parameter(60.0, low=0.01, high=86400.0, unit="s", about="for its first words")

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self.exchanges = 0
        """Answers so far."""
        self.began = self.ended = Clocks(0.0, 0.0)
        """After the first answer, and after the last."""
        self.polling = Polling()
        self.match: Match | None = None
        self.rate_hz_here = 0.0
        """[Hz] of the exchanges."""
        self._told: set[str] = set()
        self._first = 0
        self._rows: list[tuple[int, int, float, float, float]] = []
        self._eyes: Eyes | None = None
        self._last: list[float] = []
        self._lost, self._lost_at = "", 0.0

    @classmethod
    def dialect(cls) -> Dialect:
        """What is known of this autopilot."""
        return dialect(cls.called)

    def accept(self, robot: Robot, channel: int) -> None:
        """Find out which of its airframes the robot is."""
        self.match = found = match(robot, self.dialect().airframes)
        lowest = min(moved.channel for moved in found.moved)
        mixers = [part for part in robot.parts.values() if part.kind == "mixer"]
        if lowest < channel or (mixers and lowest != channel):
            raise ValueError(
                f"as {found.name} its rotors and surfaces begin at channel {lowest}, and the controller at {channel}: "
                f"write channel: {lowest}, or fly with `cupola autopilot {self.called}`"
            )
        self._first = channel
        self._rows = [self._row(moved) for moved in found.moved]
        self._last = [0.0] * (1 + max(moved.channel for moved in found.moved) - channel)

    def open(self) -> int:
        """Listen; returns the port."""
        raise NotImplementedError

    def meet_peer(self, seen: Seen) -> None:
        """Wait for the first words of the autopilot, at most `patience`."""
        raise NotImplementedError

    def exchange(self, seen: Seen, ref: Reference) -> Sequence[float]:
        """Show what is seen; returns the outputs, in the autopilot's own numbers."""
        raise NotImplementedError

    def close(self) -> None:
        """Hang up."""

    def reset(self) -> None:
        """Start over: the autopilot is waited for anew, since it cannot be turned back."""
        super().reset()
        if self.exchanges:
            log.warning("the world starts over: start %s anew, too", self.peer)
        self.close()
        self.exchanges = 0
        self._eyes, self._lost, self._told = None, "", set()

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Ask, and wait for the answer."""
        if self._lost and obs.time >= self._lost_at + COAST:
            raise PeerError(f"the run ended at {obs.time:.6g} s: {self._lost}")
        if self._lost:
            return self._last
        if self._eyes is None:
            self._eyes, self.rate_hz_here = Eyes(self.robot.gravity, self.sensors), 1.0 / obs.period
        seen = self._eyes.look(obs)
        try:
            if not self.exchanges:
                self.meet_peer(seen)
            outputs = self.exchange(seen, ref)
        except PeerError as error:
            self._lose(str(error), obs.time)
            return self._last
        self.ended = Clocks(time.perf_counter(), time.thread_time() - self.polling.spent)
        if not self.exchanges:  # what the first one takes is loading and compiling, here and there
            self.began = self.ended
        self.exchanges += 1
        self._last = self.commands(outputs)
        return self._last

    def commands(self, outputs: Sequence[float]) -> list[float]:
        """Channels of the vehicle for outputs of the autopilot; a surface without a pulse rests."""
        found = [0.0] * len(self._last)
        for output, place, rest, span, low in self._rows:
            value = outputs[output]
            if value or not rest:
                found[place] = min(max((value - rest) / span, low), 1.0)
        return found

    def _row(self, moved: Moved) -> tuple[int, int, float, float, float]:
        """Output, place of its command, value of the output at rest, span from there to the end, and the least."""
        d, place = self.dialect(), moved.channel - self._first
        if moved.centre:
            return moved.output, place, d.middle, moved.sign * (d.high - d.middle), -1.0
        return moved.output, place, d.low, d.high - d.low, 0.0

    def once(self, key: str, text: str) -> None:
        """Say something, the first time that it happens."""
        if key not in self._told:
            self._told.add(key)
            log.warning(text)

    def _lose(self, why: str, now: float) -> None:
        """Nothing is commanded any more."""
        if not self.exchanges:
            raise PeerError(why)  # whom nobody ever commanded needs no safe command
        self._lost, self._lost_at = why, now
        self.close()
        self._last = [0.0] * len(self._last)
        log.warning("%s at %g s: the commands are zero now, and the run ends", why, now)

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """Who flies."""
        return f"{self.peer} flies" if self.exchanges else f"waiting for {self.peer}"

    def memory(self) -> dict[str, Any]:
        """Its parameters: the memory of the autopilot is its own."""
        return {"values": dict(self.values), "exchanges": self.exchanges}

    def remember(self, memory: dict[str, Any]) -> None:
        """Only to a moment before it spoke."""
        if self.exchanges != memory["exchanges"]:
            raise PeerError(f"{self.peer} cannot be turned back to an earlier state: reset the world instead")
        self.values = dict(memory["values"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
