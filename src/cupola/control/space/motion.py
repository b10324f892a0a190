"""What the laws of the space robot see, and where they want it: the measurement, the plan, the references.

Nothing here knows where the numbers come from: ground truth, simulated sensors, another process. World axes throughout.
"""

from typing import NamedTuple

from cupola.physics.impedance import Blend, mix
from cupola.physics.planar import Pose
from cupola.physics.quintic import quintic
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import Coordinates
from cupola.physics.space_task import Task
from cupola.xmath import Number


class Change(NamedTuple):
    """Of a pose, in world axes: velocity [m/s, rad/s] or acceleration [m/s², rad/s²]."""

    x: Number
    y: Number
    yaw: Number


REST = Change(0.0, 0.0, 0.0)


class Joints(NamedTuple):
    """Shoulder, elbow, wrist: angles [rad] or rates [rad/s]."""

    q1: Number
    q2: Number
    q3: Number


class Measured(NamedTuple):
    """All that a law needs to know at one instant."""

    base: Pose
    """Of its centre of mass."""
    base_rate: Change
    joints: Joints
    joint_rates: Joints
    hand: Pose
    hand_rate: Change
    target: Pose
    """Where the hand is when it holds the target: the place of its grip, and the heading from which it is gripped."""
    target_rate: Change
    target_acceleration: Change
    """Used only where a law is told to follow it."""
    push: Number
    """[N] of the hand on the target along the hand's x axis, positive when it pushes."""
    time: Number
    """[s] since the plan was made."""


def coordinates(m: Measured) -> Coordinates:
    """As the equations of motion want them."""
    return Coordinates(m.base.x, m.base.y, m.base.yaw, m.joints.q1, m.joints.q2, m.joints.q3)


def coordinate_rates(m: Measured) -> Coordinates:
    """The same for the rates."""
    return Coordinates(
        m.base_rate.x, m.base_rate.y, m.base_rate.yaw, m.joint_rates.q1, m.joint_rates.q2, m.joint_rates.q3
    )


class Plan(NamedTuple):
    """Latched once, when the motion starts."""

    start: Pose
    goal: Pose
    """Of the hand; the heading of the goal is the start's and the shorter turn."""
    base: Number
    """Yaw that the base keeps [rad]."""
    duration: Number
    """[s]."""


def plan_from(m: Measured, duration: Number) -> Plan:
    """To the target where it is now, the base as it stands now."""
    yaw = m.hand.yaw + wrap(m.target.yaw - m.hand.yaw)
    return Plan(m.hand, Pose(m.target.x, m.target.y, yaw), m.base.yaw, duration)


class DesiredMotion(NamedTuple):
    """Where base and hand should be, and how that moves."""

    place: Task
    rate: Task
    acceleration: Task


def free_reference(plan: Plan, time: Number) -> DesiredMotion:
    """Along the quintic, all of the way in one straight line: (2.32). After its end it stays there."""
    s = quintic(time, plan.duration)
    x, y, yaw = plan.goal.x - plan.start.x, plan.goal.y - plan.start.y, plan.goal.yaw - plan.start.yaw
    return DesiredMotion(
        Task(plan.base, plan.start.x + s.share * x, plan.start.y + s.share * y, plan.start.yaw + s.share * yaw),
        Task(0.0, s.rate * x, s.rate * y, s.rate * yaw),
        Task(0.0, s.acceleration * x, s.acceleration * y, s.acceleration * yaw),
    )


def contact_reference(plan: Plan, m: Measured, follow: Number) -> DesiredMotion:
    """The target as it moves: (2.40). `follow` 1 takes its acceleration too, 0 not, as the thesis's program."""
    a = m.target_acceleration
    yaw = m.hand.yaw + wrap(m.target.yaw - m.hand.yaw)
    return DesiredMotion(
        Task(plan.base, m.target.x, m.target.y, yaw),
        Task(0.0, m.target_rate.x, m.target_rate.y, m.target_rate.yaw),
        Task(0.0, follow * a.x, follow * a.y, follow * a.yaw),
    )


def mix_tasks(weights: Blend, free: Task, contact: Task) -> Task:
    """(2.52), for each number."""
    return Task(
        mix(weights, free.base, contact.base),
        mix(weights, free.x, contact.x),
        mix(weights, free.y, contact.y),
        mix(weights, free.yaw, contact.yaw),
    )


def mix_references(weights: Blend, free: DesiredMotion, contact: DesiredMotion) -> DesiredMotion:
    """Place, rate and acceleration alike."""
    return DesiredMotion(
        mix_tasks(weights, free.place, contact.place),
        mix_tasks(weights, free.rate, contact.rate),
        mix_tasks(weights, free.acceleration, contact.acceleration),
    )


def error(m: Measured, reference: DesiredMotion) -> Task:
    """Actual less desired; angles the short way round."""
    return Task(
        wrap(m.base.yaw - reference.place.base),
        m.hand.x - reference.place.x,
        m.hand.y - reference.place.y,
        wrap(m.hand.yaw - reference.place.yaw),
    )


def error_rate(m: Measured, reference: DesiredMotion) -> Task:
    """Its rate."""
    return Task(
        m.base_rate.yaw - reference.rate.base,
        m.hand_rate.x - reference.rate.x,
        m.hand_rate.y - reference.rate.y,
        m.hand_rate.yaw - reference.rate.yaw,
    )
