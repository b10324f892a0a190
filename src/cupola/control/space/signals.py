"""Signals of the space robot's controllers: all that the thesis's program recorded, and more."""

import math
from typing import NamedTuple

from cupola.control.space.motion import Change, Measured
from cupola.control.space.states import Gap
from cupola.control.told import NOTHING, PlanarPose
from cupola.physics.planar import Pose
from cupola.physics.rotation import wrap
from cupola.physics.space_task import Task
from cupola.xmath import Number


class Offset(NamedTuple):
    """From the hand to the place of the grip, in the target's axes."""

    along: Number
    """[m]."""
    across: Number
    """[m]."""
    turn: Number
    """[rad]."""


class PlanarRate(NamedTuple):
    """How a pose changes, world axes."""

    x: Number
    """[m/s]."""
    y: Number
    """[m/s]."""
    yaw: Number
    """[rad/s]."""


class JointAngles(NamedTuple):
    """Of the arm."""

    shoulder: Number
    """[rad]."""
    elbow: Number
    """[rad]."""
    wrist: Number
    """[rad]."""


class JointRates(NamedTuple):
    """Of the arm."""

    shoulder: Number
    """[rad/s]."""
    elbow: Number
    """[rad/s]."""
    wrist: Number
    """[rad/s]."""


class Torques(NamedTuple):
    """Asked of the motors."""

    base: Number
    """[N m] on the base; the wheel takes the opposite."""
    shoulder: Number
    """[N m]."""
    elbow: Number
    """[N m]."""
    wrist: Number
    """[N m]."""


class Seen(NamedTuple):
    """What the robot takes for its own motion and the target's, by its eyes."""

    base: PlanarPose
    base_rate: PlanarRate
    joints: JointAngles
    joint_rates: JointRates
    hand: PlanarPose
    hand_rate: PlanarRate
    target: PlanarPose
    target_rate: PlanarRate


class SpaceSignals(NamedTuple):
    """Set-points, measurements and errors (actual minus set-point) of the robot."""

    base: PlanarPose
    """Wanted of the base; its place only while thrusters keep it."""
    hand: PlanarPose
    """Wanted of the hand, while it is steered."""
    hand_rate: PlanarRate
    """Wanted of the hand."""
    base_error: PlanarPose
    """Of the base."""
    error: PlanarPose
    """Of the hand."""
    gap: Offset
    """From the hand to the place of the grip."""
    blend: Number
    """[1] share of contact in the law: 0 free, 1 in contact."""
    push: Number
    """[N] of the hand on the target, as measured."""
    push_wanted: Number
    """[N]."""
    seen: Seen
    torques: Torques
    wheel: Number
    """[rad/s] of the flywheel against the base."""
    tries: Number
    """[1] approaches begun."""
    phase: Number
    """[1]."""


NO_POSE = PlanarPose(NOTHING, NOTHING, NOTHING)
NO_RATE = PlanarRate(NOTHING, NOTHING, NOTHING)
NO_ANGLES, NO_RATES = JointAngles(NOTHING, NOTHING, NOTHING), JointRates(NOTHING, NOTHING, NOTHING)
NOT_SEEN = Seen(NO_POSE, NO_RATE, NO_ANGLES, NO_RATES, NO_POSE, NO_RATE, NO_POSE, NO_RATE)
NO_GAP = Offset(NOTHING, NOTHING, NOTHING)


def as_seen(m: Measured) -> Seen:
    """Of a measurement."""
    q, v = m.joints, m.joint_rates
    return Seen(
        as_pose(m.base),
        as_rate(m.base_rate),
        JointAngles(q.q1, q.q2, q.q3),
        JointRates(v.q1, v.q2, v.q3),
        as_pose(m.hand),
        as_rate(m.hand_rate),
        as_pose(m.target),
        as_rate(m.target_rate),
    )


def as_pose(place: Pose | Task) -> PlanarPose:
    """Of a body, or of the hand in a task."""
    return PlanarPose(place.x, place.y, place.yaw)


def as_rate(rate: Change | Task) -> PlanarRate:
    """The same for a rate."""
    return PlanarRate(rate.x, rate.y, rate.yaw)


def off_by(actual: Pose, wanted: PlanarPose) -> PlanarPose:
    """Actual minus set-point; NaN without a set-point."""
    turn = NOTHING if math.isnan(wanted.yaw) else wrap(actual.yaw - wanted.yaw)
    return PlanarPose(actual.x - wanted.x, actual.y - wanted.y, turn)


def as_offset(gap: Gap) -> Offset:
    """From the hand to the place of the grip."""
    return Offset(gap.along, gap.across, gap.turn)
