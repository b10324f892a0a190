"""From throttle, roll, pitch, yaw to motor signals. Positive: more lift, right side down, nose up, nose right."""

from typing import NamedTuple

from cupola.xmath import Number, clip


class Quad(NamedTuple):
    """Motor signals 0..1: front right, rear right, rear left, front left."""

    front_right: Number
    rear_right: Number
    rear_left: Number
    front_left: Number


def mix_quad(throttle: Number, roll: Number, pitch: Number, yaw: Number) -> Quad:
    """Quadcopter of Last_letter_2 (§5.4): the inverse of a quarter of a matrix of signs."""
    return Quad(
        clip(throttle - roll + pitch - yaw, 0.0, 1.0),
        clip(throttle - roll - pitch + yaw, 0.0, 1.0),
        clip(throttle + roll - pitch - yaw, 0.0, 1.0),
        clip(throttle + roll + pitch + yaw, 0.0, 1.0),
    )
