"""Manual flight: the sticks go straight to the channels, as the planes of Last_letter_2 are flown."""

from typing import Any, NamedTuple

from cupola.config.controller import Controller, NoState
from cupola.config.stick_words import StickWords
from cupola.kernel.observation import PITCH, ROLL, THROTTLE, YAW, Observation, Reference
from cupola.xmath import Number


class PlaneCommand(NamedTuple):
    """Channels 0 to 3 of a plane."""

    roll: Number
    pitch: Number
    yaw: Number
    throttle: Number


def pass_through(obs: Observation, ref: Reference, state: NoState, p: Any) -> tuple[PlaneCommand, NoState]:
    """All as they are, but the throttle stick -1..1 becomes 0..1."""
    sticks = ref.sticks
    return PlaneCommand(sticks[ROLL], sticks[PITCH], sticks[YAW], 0.5 * (sticks[THROTTLE] + 1.0)), state


class PassThrough(Controller):
    """Sticks straight to channels 0 to 3: surfaces, and one throttle for all motors."""

    law = staticmethod(pass_through)
    throttle_rests_at = -1.0
    passes_sticks = True
    passed_throttle = (0.0, 1.0)
    stick_words = StickWords(
        roll=("roll right", "roll left"),
        pitch=("nose up", "nose down"),
        yaw=("nose right", "nose left"),
        throttle=("more power", "less power"),
    )

    def mission(self, obs: Observation, ref: Reference, state: NoState) -> str:
        """It has no set-point."""
        return "sticks straight to the channels"
