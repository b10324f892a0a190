"""The mechanism of a robotic bird: a crank that flaps the wings, twist that goes with it, and a tail that steers.

Flown like a plane: the throttle is how fast the crank turns, and at rest the wings stay spread for a glide. On the way
down the tips turn nose down, so that the air meets them at a small angle and their lift leans forward: DeLaurier, "An
aerodynamic model for flapping-wing flight", Aeronautical Journal 97 (1993) 125-130.
"""

import math
from typing import NamedTuple

from cupola.xmath import Number, clip, cos, minimum, sin


class Flapping(NamedTuple):
    """Numbers of the mechanism."""

    frequency: float = 5.0
    """[Hz] at full throttle."""
    amplitude: float = 0.5
    """Stroke of the wings to either side [rad]."""
    glide: float = 0.1
    """Wings above level in the middle of the stroke, and in a glide [rad]."""
    full_stroke_at: float = 0.2
    """Throttle from which the stroke is full; below it the wings come to rest."""
    twist_swing: float = 0.15
    """Nose down at the tip in the middle of the downstroke at full frequency [rad]."""
    twist_roll: float = 0.1
    """Difference of the tips to either side at full roll [rad]."""
    beat_yaw: float = 0.0
    """Share of the stroke that one wing gains and the other loses at full yaw: asymmetric flapping."""
    tail_pitch: float = 0.3
    """Both tail flaps at full pitch [rad]."""
    tail_yaw: float = 0.2
    """Tail flaps against each other at full yaw [rad]."""


class Sticks(NamedTuple):
    """Roll to the right, nose up, nose right, each -1 to 1, and throttle, 0 to 1."""

    roll: Number
    pitch: Number
    yaw: Number
    throttle: Number


class Drive(NamedTuple):
    """Wings up, tips nose up, tail flaps nose up [rad]."""

    wing_left: Number
    wing_right: Number
    twist_left: Number
    twist_right: Number
    tail_left: Number
    tail_right: Number


def beat(sticks: Sticks, p: Flapping) -> Number:
    """How fast the crank turns [rad/s]."""
    return 2.0 * math.pi * p.frequency * clip(sticks.throttle, 0.0, 1.0)


def flap(phase: Number, sticks: Sticks, p: Flapping) -> Drive:
    """Where the mechanism holds everything at a phase of the crank [rad]."""
    throttle = clip(sticks.throttle, 0.0, 1.0)
    stroke = minimum(throttle / p.full_stroke_at, 1.0) * p.amplitude
    swing = throttle * p.twist_swing * cos(phase)
    lean, steer = p.twist_roll * sticks.roll, p.tail_yaw * sticks.yaw
    more = p.beat_yaw * sticks.yaw
    return Drive(
        p.glide + (1.0 + more) * stroke * sin(phase),
        p.glide + (1.0 - more) * stroke * sin(phase),
        swing + lean,
        swing - lean,
        -p.tail_pitch * sticks.pitch - steer,
        -p.tail_pitch * sticks.pitch + steer,
    )
