"""From the torques of a law to those of the motors: limits, gears, and never exactly zero.

The drivers of the Cepheus robot fault at a command of exactly zero (NTUA 2025, appendix B.2), so the last step gives
them the smallest torque instead, in the direction of the one before.
"""

from cupola.physics.space_task import Actuated
from cupola.xmath import Number, clip, where

SMALLEST = 1e-5
"""[N m]."""
EAGER = 0.01
"""[N m]."""
RATIO = 186.0
"""Of the joints' gears."""
DIRECTIONS = Actuated(1.0, -1.0, 1.0, -1.0)
"""Shoulder and wrist motors are mounted the other way round. The wheel's torque stays the one on the base."""


def limit(torques: Actuated, most: Actuated) -> Actuated:
    """Each within its own bounds [N m]."""
    return Actuated(
        clip(torques.base, -most.base, most.base),
        clip(torques.q1, -most.q1, most.q1),
        clip(torques.q2, -most.q2, most.q2),
        clip(torques.q3, -most.q3, most.q3),
    )


def geared(torques: Actuated, friction: Number, efficiency: Number) -> Actuated:
    """What the motors of the joints are asked for so that these torques are left behind gears with dry friction [N m].

    Friction is made up for in the direction of the torque, in full from `EAGER` on: less than there is moves nothing.
    """
    return Actuated(
        torques.base,
        _geared(torques.q1, friction, efficiency),
        _geared(torques.q2, friction, efficiency),
        _geared(torques.q3, friction, efficiency),
    )


def _geared(torque: Number, friction: Number, efficiency: Number) -> Number:
    return (torque + friction * clip(torque / EAGER, -1.0, 1.0)) / efficiency


def motor_torques(torques: Actuated, ratio: Number = RATIO) -> Actuated:
    """At the motors' shafts, without losses; the wheel has no gear."""
    d = DIRECTIONS
    return Actuated(
        d.base * torques.base, d.q1 * torques.q1 / ratio, d.q2 * torques.q2 / ratio, d.q3 * torques.q3 / ratio
    )


def joint_torques(motors: Actuated, ratio: Number = RATIO) -> Actuated:
    """The inverse of `motor_torques`."""
    d = DIRECTIONS
    return Actuated(d.base * motors.base, d.q1 * motors.q1 * ratio, d.q2 * motors.q2 * ratio, d.q3 * motors.q3 * ratio)


def awake(torque: Number, before: Number) -> Number:
    """The torque, or the smallest one with the sign of the one before if it is exactly zero."""
    return where(torque == 0.0, where(before < 0.0, -SMALLEST, SMALLEST), torque)


def never_zero(torques: Actuated, before: Actuated) -> Actuated:
    """For all four drivers. `before` is what was sent last."""
    return Actuated(
        awake(torques.base, before.base),
        awake(torques.q1, before.q1),
        awake(torques.q2, before.q2),
        awake(torques.q3, before.q3),
    )
