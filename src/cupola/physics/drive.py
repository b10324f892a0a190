"""From the torque that is asked of a joint to the torque that its motor gives: current, pulse width, voltage, gear.

maxon motor, "Key information" of the catalogue: torque is proportional to current, the voltage of rotation to speed,
and the loss of a gear to the torque that it carries.
"""

from typing import NamedTuple

from cupola.xmath import Number, absolute, clip, floor, where


class GearPlay(NamedTuple):
    """How a motor turns ahead of its joint, seen behind a gear with play."""

    angle: Number = 0.0
    """[rad]"""
    speed: Number = 0.0
    """[rad/s] of the motor itself."""
    present: Number = 0.0
    """[1] whether the gear has play at all."""


class Pulse(NamedTuple):
    """Input of a driver: duty cycle, and the current that it means [A]."""

    duty: Number
    current: Number


def asked_current(torque: Number, ratio: Number, torque_constant: Number) -> Number:
    """Current [A] for a torque behind the gear [N m], assuming a loss-free gear."""
    return torque / (ratio * torque_constant)


def pulse(current: Number, current_max: Number, low: Number, high: Number, steps: Number) -> Pulse:
    """A current as a pulse width between `low` (none) and `high` (`current_max`), in `steps` of a period; 0: exact.

    The sign goes on a line of its own.
    """
    width = low + (high - low) * clip(absolute(current) / current_max, 0.0, 1.0)
    count = where(steps > 0.0, steps, 1.0)
    duty = where(steps > 0.0, floor(width * count + 0.5) / count, width)
    size = clip((duty - low) / (high - low), 0.0, 1.0) * current_max
    return Pulse(duty, where(current < 0.0, -size, size))


def reachable_current(current: Number, voltage: Number, back_voltage: Number, resistance: Number) -> Number:
    """The part of a current [A] that a voltage can drive against the voltage of rotation."""
    return clip(current, (-voltage - back_voltage) / resistance, (voltage - back_voltage) / resistance)


def gear_friction(torque: Number, dry: Number, efficiency: Number) -> Number:
    """Dry friction behind a gear [N m]: some of its own, and a share of the torque that it carries.

    A joint that is driven feels `efficiency` times the torque, one that is turned back nearly its inverse.
    """
    return dry + (1.0 - efficiency) * absolute(torque)


def through_teeth(gap: Number, rate: Number, play: Number, stiffness: Number, damping: Number) -> Number:
    """Torque [N m] from motor to joint through teeth that touch only where the gap [rad] between them exceeds the play.

    The gap is the angle of the motor, seen behind the gear, less that of the joint; `rate` is how it changes.
    """
    over = gap - clip(gap, -0.5 * play, 0.5 * play)
    return stiffness * over + where(over == 0.0, 0.0, damping * rate)


def slowed(speed: Number, change: Number) -> Number:
    """A speed after dry friction that can change it by so much: it stops what turns, and turns nothing."""
    return where(absolute(speed) > change, speed - where(speed > 0.0, change, -change), 0.0)


def motor_power(current: Number, resistance: Number, torque: Number, speed: Number) -> Number:
    """Electrical power [W]: heat in the winding, and what goes into the shaft."""
    return resistance * current * current + torque * speed
