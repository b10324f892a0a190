"""What a controller is shown: the motion of its vehicle, and what the pilot asks for."""

from typing import Any, NamedTuple

from cupola.physics.rotation import Quaternion, Vector
from cupola.xmath import Number


class Seen(NamedTuple):
    """Motion of the root body of a vehicle."""

    time: Number
    """[s]."""
    period: Number
    """[s] between two calls of this controller."""
    pos_w: Vector
    """[m]."""
    quat_wb: Quaternion
    vel_w: Vector
    """[m/s], of the body origin."""
    vel_b: Vector
    """[m/s], the same in body axes."""
    rate_b: Vector
    """[rad/s], body axes."""
    vel_air_b: Vector
    """[m/s], through the air, gusts included, body axes: what an ideal air-data sensor at the origin would show."""


class Wanted(NamedTuple):
    """The set-point: live sticks, and the plan of the scenario."""

    sticks: Any
    """20 channels, -1 to 1: roll, pitch, yaw, throttle, then free ones."""
    plan: Any
    """One row per waypoint: the columns of `Waypoint`."""


class Waypoint(NamedTuple):
    """One row of a plan."""

    x: float
    y: float
    z: float
    """[m], world."""
    yaw: float
    """[rad], counter-clockwise from world x."""
    speed: float
    """[m/s] on the way there."""
    hold: float
    """[s] to stay there."""
    land: float
    """1: sink from here until the ground stops it, then motors off."""


def seen_from(s: Any) -> Seen:
    """The 21 numbers of one vehicle, by name."""
    return Seen(
        s[0],
        s[1],
        Vector(s[2], s[3], s[4]),
        Quaternion(s[5], s[6], s[7], s[8]),
        Vector(s[9], s[10], s[11]),
        Vector(s[12], s[13], s[14]),
        Vector(s[15], s[16], s[17]),
        Vector(s[18], s[19], s[20]),
    )
