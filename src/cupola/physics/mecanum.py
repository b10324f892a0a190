"""Kinematics of a base on four Mecanum wheels, from wheel speeds to the motion of the body and back.

Wheels count as quadrants do: front right, front left, rear left, rear right; a positive speed rolls forward. Body axes
are front-left-up. Equations (4.1) and (4.2) of Świątkiewicz, "Simulation of an omnidirectional mobile base" (2018),
turned into these axes; the same as Muir and Neuman, ICRA 1987, for rollers at 45°.
"""

from typing import NamedTuple

from cupola.physics.planar import Pose, Twist
from cupola.xmath import Number, where

DIAGONAL = 0.7071067811865476
"""cos(45°): the rollers' axes lie between the axle and the wheel's plane."""


class Mecanum(NamedTuple):
    """Sizes of a base."""

    radius: Number
    """[m] of a wheel."""
    track: Number
    """[m] between the wheels of one axle."""
    wheelbase: Number
    """[m] between the axles."""


VELMA = Mecanum(0.1016, 0.76, 0.72)
"""The base of the robot Velma: wheels of 8 inches."""


class Wheels(NamedTuple):
    """One number per wheel."""

    front_right: Number
    front_left: Number
    rear_left: Number
    rear_right: Number


NULL = Wheels(1.0, 1.0, -1.0, -1.0)
"""Front against rear: speeds in this direction move an ideal base nowhere, a real one as its rollers please."""


def wheel_speeds(twist: Twist, p: Mecanum) -> Wheels:
    """Inverse kinematics: speeds [rad/s] with which no roller slips along its axis."""
    arm = 0.5 * (p.track + p.wheelbase) * twist.yaw
    return Wheels(
        (twist.x + twist.y + arm) / p.radius,
        (twist.x - twist.y - arm) / p.radius,
        (twist.x + twist.y - arm) / p.radius,
        (twist.x - twist.y + arm) / p.radius,
    )


def body_twist(w: Wheels, p: Mecanum) -> Twist:
    """Forward kinematics: the motion that fits the wheel speeds [rad/s] best, exactly where they fit together."""
    share = 0.25 * p.radius
    return Twist(
        share * (w.front_right + w.front_left + w.rear_left + w.rear_right),
        share * (w.front_right - w.front_left + w.rear_left - w.rear_right),
        share * (w.front_right - w.front_left - w.rear_left + w.rear_right) * 2.0 / (p.track + p.wheelbase),
    )


def mismatch(w: Wheels) -> Number:
    """Component of the wheel speeds along `NULL` [rad/s]: what no motion of the body explains."""
    return 0.25 * (w.front_right + w.front_left - w.rear_left - w.rear_right)


class Contact(NamedTuple):
    """Velocity [m/s] of the wheel's lowest point over the floor, along the axis of the roller there and across it."""

    along: Number
    """Zero without slip; the axis points forward, to the left below the front right and the rear left wheel."""
    across: Number
    """Surface speed of the spinning roller, positive to the left."""


class Contacts(NamedTuple):
    """One contact per wheel."""

    front_right: Contact
    front_left: Contact
    rear_left: Contact
    rear_right: Contact


def contact(twist: Twist, speed: Number, x: Number, y: Number, hand: Number, radius: Number) -> Contact:
    """Below a wheel at (x, y) [m] that turns at `speed` [rad/s]; the roller's axis is (1, hand) / √2, hand ±1."""
    ahead = twist.x - twist.yaw * y - radius * speed
    left = twist.y + twist.yaw * x
    return Contact(DIAGONAL * (ahead + hand * left), DIAGONAL * (left - hand * ahead))


def contacts(twist: Twist, w: Wheels, p: Mecanum) -> Contacts:
    """How each wheel slips along its roller and spins it: not at all straight ahead, √2 of the speed sideways."""
    x, y = 0.5 * p.wheelbase, 0.5 * p.track
    return Contacts(
        contact(twist, w.front_right, x, -y, 1.0, p.radius),
        contact(twist, w.front_left, x, y, -1.0, p.radius),
        contact(twist, w.rear_left, -x, y, 1.0, p.radius),
        contact(twist, w.rear_right, -x, -y, -1.0, p.radius),
    )


def quarter_turns(twist: Twist, turns: Number) -> Twist:
    """The twist in axes turned clockwise by quarters (0 to 3): the same vector, turned counter-clockwise, exactly."""
    quarter = turns % 4
    c = where(quarter == 0, 1.0, where(quarter == 2, -1.0, 0.0))
    s = where(quarter == 1, 1.0, where(quarter == 3, -1.0, 0.0))
    return Twist(c * twist.x - s * twist.y, s * twist.x + c * twist.y, twist.yaw)


def twist_from_view(twist: Twist, turns: Number) -> Twist:
    """A twist for somebody whose axes are turned: 0 the thesis (x right, y forward), 1 ours, 2 and 3 a quarter more.

    These are the 0, 90, 180 and 270 degrees that the thesis's inverse kinematics takes as an option.
    """
    return quarter_turns(twist, turns + 3)


def pose_in_thesis(pose: Pose) -> Pose:
    """A pose in the world of the thesis: x to the right and y forward at the start; the yaw stays."""
    return Pose(-pose.y, pose.x, pose.yaw)
