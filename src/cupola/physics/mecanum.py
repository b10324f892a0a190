"""Kinematics of a base on four Mecanum wheels, from wheel speeds to the motion of the body and back.

Wheels count as quadrants do: front right, front left, rear left, rear right; a positive speed rolls forward. Body axes
are front-left-up. Equations (4.1) and (4.2) of Świątkiewicz, "Simulation of an omnidirectional mobile base" (2018),
turned into these axes, and for rollers at any angle, as Muir and Neuman, ICRA 1987, have them.
"""

import math
from typing import NamedTuple

from cupola.physics.planar import Pose, Twist
from cupola.xmath import Number, cos, sin, sqrt, where


class Mecanum(NamedTuple):
    """Sizes of a base."""

    radius: Number
    """[m] of a wheel."""
    track: Number
    """[m] between the wheels of one axle."""
    wheelbase: Number
    """[m] between the axles."""
    slope: Number = 1.0
    """Cotangent of the angle between the axes of a roller and of its wheel: 1 at 45°."""


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


def slope_of(roller_angle: Number) -> Number:
    """Of rollers at an angle [rad] to the axle; exactly 1 at 45°."""
    return where(roller_angle == 0.25 * math.pi, 1.0, cos(roller_angle) / sin(roller_angle))


def lever_of(p: Mecanum) -> Number:
    """[m] of surface speed of a wheel per rad/s of the base on the spot."""
    return 0.5 * (p.track + p.slope * p.wheelbase)


def wheel_speeds(twist: Twist, p: Mecanum) -> Wheels:
    """Inverse kinematics: speeds [rad/s] with which no roller slips along its axis."""
    arm, aside = lever_of(p) * twist.yaw, p.slope * twist.y
    return Wheels(
        (twist.x + aside + arm) / p.radius,
        (twist.x - aside - arm) / p.radius,
        (twist.x + aside - arm) / p.radius,
        (twist.x - aside + arm) / p.radius,
    )


def body_twist(w: Wheels, p: Mecanum) -> Twist:
    """Forward kinematics: the motion that fits the wheel speeds [rad/s] best, exactly where they fit together."""
    share = 0.25 * p.radius
    return Twist(
        share * (w.front_right + w.front_left + w.rear_left + w.rear_right),
        share * (w.front_right - w.front_left + w.rear_left - w.rear_right) / p.slope,
        share * (w.front_right - w.front_left - w.rear_left + w.rear_right) * 2.0 / (p.track + p.slope * p.wheelbase),
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


def forward_part(slope: Number) -> Number:
    """Forward component of the unit vector along a roller on the floor, (1, ±slope) / √(1 + slope²)."""
    return sqrt(1.0 / (1.0 + slope * slope))


def contact(twist: Twist, speed: Number, x: Number, y: Number, hand: Number, p: Mecanum) -> Contact:
    """Below a wheel at (x, y) [m] that turns at `speed` [rad/s]; its roller's axis is along (1, hand × slope)."""
    ahead = twist.x - twist.yaw * y - p.radius * speed
    left = twist.y + twist.yaw * x
    unit, aside = forward_part(p.slope), hand * p.slope
    return Contact(unit * (ahead + aside * left), unit * (left - aside * ahead))


def contacts(twist: Twist, w: Wheels, p: Mecanum) -> Contacts:
    """How each wheel slips along its roller and spins it: not at all straight ahead, √2 of the speed sideways."""
    x, y = 0.5 * p.wheelbase, 0.5 * p.track
    return Contacts(
        contact(twist, w.front_right, x, -y, 1.0, p),
        contact(twist, w.front_left, x, y, -1.0, p),
        contact(twist, w.rear_left, -x, y, 1.0, p),
        contact(twist, w.rear_right, -x, -y, -1.0, p),
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
