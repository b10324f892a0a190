"""No control: for drifting bodies, and for experiments that set the channels with `world.turn`."""

from collections.abc import Sequence
from typing import Any

from cupola.config.controller import Controller
from cupola.config.stick_words import NO_STICKS
from cupola.kernel.observation import Observation, Reference


class Idle(Controller):
    """Commands nothing: the channels stay as they are."""

    stick_words = NO_STICKS
    rate_hz = 1.0

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """No channel."""
        return ()

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """It has no set-point."""
        return "drifts"
