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


class Hexa(NamedTuple):
    """Motor signals 0..1, clockwise seen from above, starting at the nose."""

    front: Number
    front_right: Number
    rear_right: Number
    rear: Number
    rear_left: Number
    front_left: Number


def mix_hexa(throttle: Number, roll: Number, pitch: Number, yaw: Number) -> Hexa:
    """Hexacopter of Last_letter_2 (§5.4): the exact pseudo-inverse of its 4 x 6 matrix.

    That matrix counts the two motors on the long axis four times as strong in yaw as the others. They are not, so a
    pitch demand also turns the nose; the heading loop has to hold against it.
    """
    return Hexa(
        clip(throttle + 0.5 * pitch - yaw, 0.0, 1.0),
        clip(throttle - roll + pitch + yaw, 0.0, 1.0),
        clip(throttle - roll - pitch - yaw, 0.0, 1.0),
        clip(throttle - 0.5 * pitch + yaw, 0.0, 1.0),
        clip(throttle + roll - pitch - yaw, 0.0, 1.0),
        clip(throttle + roll + pitch + yaw, 0.0, 1.0),
    )
