"""Laws without a model: the thesis's Cartesian PD, and one that holds a posture.

The first gives every error of the hand straight to one joint, as its program does (its gains are matrices of numbers,
not a Jacobian): it works near the posture for which they were tuned and is kept for comparison.
"""

from typing import NamedTuple

from cupola.control.space_motion import Measured, Plan, error, error_rate, free_reference
from cupola.physics.rotation import wrap
from cupola.physics.space_task import Actuated, Task
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


HOLD_STIFFNESS = Actuated(0.5, 1.3, 1.3, 0.8)
HOLD_DAMPING = Actuated(2.0, 0.6, 0.6, 0.6)
"""[N m/rad] and [N m s/rad] with which the laboratory's robot was held still."""


def hold_posture(m: Measured, posture: Actuated, stiffness: Actuated, damping: Actuated) -> Actuated:
    """Torques [N m] that keep base yaw and joints where `posture` has them, whatever the hand does."""
    q, v = m.joints, m.joint_rates
    return Actuated(
        stiffness.base * wrap(posture.base - m.base.yaw) - damping.base * m.base_rate.yaw,
        stiffness.q1 * (posture.q1 - q.q1) - damping.q1 * v.q1,
        stiffness.q2 * (posture.q2 - q.q2) - damping.q2 * v.q2,
        stiffness.q3 * (posture.q3 - q.q3) - damping.q3 * v.q3,
    )


def posture_of(m: Measured) -> Actuated:
    """The one it has now."""
    return Actuated(m.base.yaw, m.joints.q1, m.joints.q2, m.joints.q3)
