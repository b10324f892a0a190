"""Laws beside the impedance: the thesis's Cartesian PD, and one that holds a posture.

The PD gives every error of the hand straight to one joint, as its program does (its gains are matrices of numbers,
not a Jacobian): it works near the posture for which they were tuned and is kept for comparison.
"""

from typing import NamedTuple

from cupola.control.space.motion import (
    Measured,
    Plan,
    coordinate_rates,
    coordinates,
    error,
    error_rate,
    free_reference,
)
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import Constants
from cupola.physics.space_task import Actuated, Task, actuated_torques, float_free
from cupola.xmath import Number


class Cartesian(NamedTuple):
    """Gains from the errors of base, x, y and yaw to the torques of base and joints; x and y are coupled."""

    base: Number
    x: Number
    y: Number
    cross: Number
    yaw: Number


STIFFNESS = Cartesian(0.5, 2.0, 2.5, 0.5, 1.5)
DAMPING = Cartesian(20.0, 0.05, 0.05, 0.001, 0.05)
"""The thesis's active matrices."""


def _times(k: Cartesian, e: Task) -> Actuated:
    return Actuated(k.base * e.base, k.x * e.x + k.cross * e.y, k.cross * e.x + k.y * e.y, k.yaw * e.yaw)


def cartesian_pd(m: Measured, plan: Plan, stiffness: Cartesian, damping: Cartesian) -> Actuated:
    """Torques [N m] towards the free reference."""
    reference = free_reference(plan, m.time)
    k, b = _times(stiffness, error(m, reference)), _times(damping, error_rate(m, reference))
    return Actuated(-k.base - b.base, -k.q1 - b.q1, -k.q2 - b.q2, -k.q3 - b.q3)


def hold_posture(m: Measured, posture: Actuated, arm: Constants, frequency: Number) -> Actuated:
    """Torques [N m] that keep base yaw and joints where `posture` has them, whatever the hand does.

    Each is critically damped at `frequency` [rad/s], by the arm's own inertia: fixed gains that hold the geared arm
    would shake one without gears.
    """
    q, v, w = m.joints, m.joint_rates, frequency
    back = Actuated(
        w * (w * wrap(posture.base - m.base.yaw) - 2.0 * m.base_rate.yaw),
        w * (w * (posture.q1 - q.q1) - 2.0 * v.q1),
        w * (w * (posture.q2 - q.q2) - 2.0 * v.q2),
        w * (w * (posture.q3 - q.q3) - 2.0 * v.q3),
    )
    return actuated_torques(float_free(coordinates(m), coordinate_rates(m), arm), back)


def posture_of(m: Measured) -> Actuated:
    """The one it has now."""
    return Actuated(m.base.yaw, m.joints.q1, m.joints.q2, m.joints.q3)
