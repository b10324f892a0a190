"""Motion on a plane: poses, velocities, and the arcs that a constant velocity draws.

A pose holds for a frame seen from another one: `compose(pose_wb, pose_bs)` is `pose_ws`, as the letters cancel.
"""

from typing import NamedTuple

from cupola.physics.rotation import Vector, length, wrap
from cupola.xmath import Number, cos, sin, where

SMALL = 1e-4
"""[rad] below which sin(x) / x is its series, 1 - x²/6, to the last digit."""


class Pose(NamedTuple):
    """Place [m] and heading [rad], counter-clockwise from x."""

    x: Number
    y: Number
    yaw: Number


class Twist(NamedTuple):
    """Velocity [m/s] in the body's own axes, x forward and y left, and turn rate [rad/s], counter-clockwise."""

    x: Number
    y: Number
    yaw: Number


def compose(first: Pose, then: Pose) -> Pose:
    """The pose `then`, which is given in the axes of `first`, in the axes that `first` is given in."""
    c, s = cos(first.yaw), sin(first.yaw)
    return Pose(first.x + c * then.x - s * then.y, first.y + s * then.x + c * then.y, wrap(first.yaw + then.yaw))


def inverse(pose: Pose) -> Pose:
    """The outer axes as seen from the pose."""
    c, s = cos(pose.yaw), sin(pose.yaw)
    return Pose(-c * pose.x - s * pose.y, s * pose.x - c * pose.y, wrap(-pose.yaw))


def relative(one: Pose, other: Pose) -> Pose:
    """`other` as seen from `one`."""
    return compose(inverse(one), other)


def distance(one: Pose, other: Pose) -> Number:
    """Between two places [m]."""
    return length(Vector(other.x - one.x, other.y - one.y, 0.0))


def chord_share(half_turn: Number) -> Number:
    """Length of a chord by that of its arc, sin(x) / x, where the arc turns by 2 x [rad]."""
    tiny = half_turn * half_turn < SMALL * SMALL
    angle = where(tiny, 1.0, half_turn)
    return where(tiny, 1.0 - half_turn * half_turn / 6.0, sin(angle) / angle)


def advance(pose: Pose, twist: Twist, dt: Number) -> Pose:
    """The pose after `dt` [s] at a constant twist, exactly: an arc of radius v / ω, a line or a turn on the spot.

    The chord of the arc points half the turn ahead of the start.
    """
    turn = twist.yaw * dt
    share = dt * chord_share(0.5 * turn)
    c, s = share * cos(pose.yaw + 0.5 * turn), share * sin(pose.yaw + 0.5 * turn)
    return Pose(pose.x + c * twist.x - s * twist.y, pose.y + s * twist.x + c * twist.y, wrap(pose.yaw + turn))


def carry(twist: Twist, place: Pose) -> Twist:
    """Twist of a body at its origin, from that of a frame fixed to it at `place`; `inverse(place)` undoes it."""
    c, s = cos(place.yaw), sin(place.yaw)
    return Twist(
        c * twist.x - s * twist.y + place.y * twist.yaw, s * twist.x + c * twist.y - place.x * twist.yaw, twist.yaw
    )
