"""A model in another process of this machine, in lock step over a socket: the world waits for each of its answers."""

import importlib
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field, PrivateAttr

from cupola.parts.external.external import External


class Peer(External):
    """A model in another process: `python -m cupola.bridge.lockstep.peer wing.py:Wing`, or your own program."""

    kind: Literal["peer"]
    port: int = Field(8791, ge=1, le=65535, description="on which it listens")
    timeout: float = Field(2.0, gt=0, description="[s] for one answer; then the run ends")
    apart = True
    fixed = ("rate_hz", "time_limit", "timeout")
    _caller: Any = PrivateAttr(None)

    def respond(self, given: list[float], time: float, dt: float) -> Sequence[float]:
        """Ask, and wait for the answer."""
        if self._caller is None:  # the bridge stands to the right of the parts, so it is found by name
            call = importlib.import_module("cupola.bridge.lockstep.peer").Caller
            self._caller = call(self.port, self.timeout, self._plumbing.given, self._plumbing.taken)
        answer: Sequence[float] = self._caller.step(given, time, dt)
        return answer

    def reset(self) -> None:
        """Let it start over, if it was called already."""
        if self._caller:
            self._caller.reset()

    def memory(self) -> dict[str, Any]:
        """Its memory stays there, under a number."""
        return {"kept": self._caller.save() if self._caller else None}

    def remember(self, memory: dict[str, Any]) -> None:
        """Let it go back; who had not been called then starts over."""
        if self._caller:
            self._caller.load(memory["kept"])
