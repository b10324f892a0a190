"""What single sensors of the space robot say: joints, the push on the hand, the flywheel, the gas."""

from typing import NamedTuple

from cupola.control.space.motion import Joints
from cupola.control.space.view import TRUTH, UNKNOWN, Array, Place, Setting
from cupola.xmath import Number


class SaidJoints(NamedTuple):
    """Angles by the encoders [rad], what they mean, and their rates [rad/s]."""

    said: Joints
    angles: Joints
    rates: Joints


def joints_said(numbers: Array, at: Place, p: Setting, offsets: Joints, eyes: Number) -> SaidJoints:
    """Shoulder, elbow and wrist: exact, or by encoders of which some count backward or turn with another joint."""
    if eyes == TRUTH or at.encoders < 0.0:
        first, count = int(at.joints) + 1, int(p.exact_count)
        angles, rates = three_of(numbers, first, p.exact), three_of(numbers, first + count, p.exact)
        return SaidJoints(angles, angles, rates)
    first, count = int(at.encoders) + 1, int(p.coded_count)
    said = uncoupled(three_of(numbers, first, p.coded), p)
    rates = uncoupled(three_of(numbers, first + count, p.coded), p)
    if p.counted < 0.5:
        return SaidJoints(said, said, rates)
    angles = Joints(said.q1 + offsets.q1, said.q2 + offsets.q2, said.q3 + offsets.q3)
    return SaidJoints(said, angles, rates)


def three_of(numbers: Array, first: int, which: Joints) -> Joints:
    """Numbers of the three joints among those of an encoder part."""
    return Joints(numbers[first + int(which.q1)], numbers[first + int(which.q2)], numbers[first + int(which.q3)])


def uncoupled(said: Joints, p: Setting) -> Joints:
    """Joint angles from encoder counts; an encoder may include the joint before it."""
    one = p.sign.q1 * said.q1
    two = p.sign.q2 * said.q2 - (one if p.coupled.q2 == 0.0 else 0.0)
    three = p.sign.q3 * said.q3
    if p.coupled.q3 == 0.0:
        three -= one
    elif p.coupled.q3 == 1.0:
        three -= two
    return Joints(one, two, three)


def push_felt(numbers: Array, at: Place, tool_mass: Number) -> Number:
    """[N] of the hand on what it touches, along its x axis: what the sensor feels, less the inertia beyond it.

    A gripper that is accelerated pulls at the sensor as if something held it back; this is why the thesis could not
    measure contact on the robot, which had no accelerometer there.
    """
    if at.force < 0.0 or numbers[int(at.force)] < 0.0:
        return 0.0
    felt = -numbers[int(at.force) + 1]
    if at.imu >= 0.0 and numbers[int(at.imu)] >= 0.0:
        felt -= tool_mass * numbers[int(at.imu) + 1]
    return felt


def wheel_speed(numbers: Array, at: Place, p: Setting, eyes: Number) -> Number:
    """[rad/s] of the flywheel against the base, by its own encoder or an exact one."""
    if eyes != TRUTH and at.wheel >= 0.0 and numbers[int(at.wheel)] >= 0.0:
        return numbers[int(at.wheel) + 2]
    if at.joints >= 0.0 and p.exact_wheel >= 0.0 and numbers[int(at.joints)] >= 0.0:
        return numbers[int(at.joints) + 1 + int(p.exact_count) + int(p.exact_wheel)]
    return UNKNOWN


def gas_share(numbers: Array, at: Place) -> Number:
    """[1] of the pressure that the bottle still holds."""
    return numbers[int(at.gauge) + 2] if at.gauge >= 0.0 and numbers[int(at.gauge)] >= 0.0 else 1.0
