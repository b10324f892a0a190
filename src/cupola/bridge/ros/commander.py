"""A controller whose law runs in nodes of ROS: the world publishes, waits for the commands of its vehicle, goes on."""

import logging
from collections.abc import Sequence
from typing import Any

from cupola.bridge.lockstep.protocol import PeerError
from cupola.bridge.lockstep.remote import COAST
from cupola.bridge.ros.exchange import Exchange
from cupola.config.controller import Controller
from cupola.kernel.observation import Observation, Reference

log = logging.getLogger("cupola.bridge")


class Commander(Controller):
    """Made by `cupola ros1` and `cupola ros2`; a file cannot name it, because it needs the exchange."""

    throttle_rests_at = -1.0

    def __init__(self, exchange: Exchange | None = None, vehicle: str = "", first: int = 0, channels: int = 1) -> None:
        super().__init__()
        if exchange is None:
            raise ValueError("nodes of ROS flew this, over `cupola ros1` or `cupola ros2`: start it with that")
        self._exchange, self._vehicle, self._first = exchange, vehicle, first
        self._last = [0.0] * channels
        self._lost, self._lost_at = "", 0.0
        self._silent = False

    def reset(self) -> None:
        """Start over."""
        super().reset()
        self._lost, self._last = "", [0.0] * len(self._last)
        self._exchange.begin_anew()

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Publish, and take the commands."""
        if self._lost and obs.time >= self._lost_at + COAST:
            raise PeerError(f"the run ended at {obs.time:.6g} s: {self._lost}")
        if self._lost:
            return self._last
        if not self._exchange.commands_of(self._vehicle):
            self._exchange.publish()  # nobody speaks for it: a target, a wall
            return self._last
        try:
            found = self._exchange.step(self._vehicle)
        except PeerError as error:
            if not self._exchange.exchanges:
                raise  # whom nobody ever commanded needs no safe command
            self._lost, self._lost_at = str(error), obs.time
            self._last = [0.0] * len(self._last)
            log.warning("%s at %g s: the commands are zero now, and the run ends", error, obs.time)
            return self._last
        if not self._exchange.lockstep:
            found = self._unless_silent(found, obs.time)
        for channel, value in (found or {}).items():
            if 0 <= channel - self._first < len(self._last):
                self._last[channel - self._first] = value
            elif value:
                last = self._first + len(self._last) - 1
                text = f"{self._vehicle} has channels {self._first} to {last}: commands to others change nothing"
                self._exchange.once(text, text)
        return self._last

    def _unless_silent(self, found: Any, now: float) -> Any:
        """In free running the newest commands are held, and let go when none comes any more."""
        limit = self._exchange.times.timeout
        silent = self._exchange.silent_for(self._vehicle) > limit
        if silent != self._silent:
            self._silent = silent
            gone = f"nothing was heard for {limit:g} s: the commands are zero until something is"
            log.warning("%s at %g s: %s", self._vehicle, now, gone if silent else "it is commanded again")
        if silent:
            self._last = [0.0] * len(self._last)
            return None
        return found

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """Who flies."""
        if self._lost:
            return f"lost: {self._lost}"
        return "nodes of ROS fly" if self._exchange.exchanges or not self._exchange.lockstep else "waiting for ROS"

    def memory(self) -> dict[str, Any]:
        """The memory of a node is its own."""
        return {"values": dict(self.values), "last": list(self._last), "exchanges": self._exchange.exchanges}

    def remember(self, memory: dict[str, Any]) -> None:
        """Only to a moment before it spoke."""
        if self._exchange.exchanges != memory["exchanges"]:
            raise PeerError("nodes of ROS cannot be turned back to an earlier state: reset the world instead")
        self._last = list(memory["last"])
