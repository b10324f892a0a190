"""What a controller is given: the observed motion of its vehicle, and the reference it shall follow."""

from typing import Any, NamedTuple

from cupola.kernel.motion import body_quaternion, point_motion, row_vector
from cupola.kernel.records import reader
from cupola.physics.rotation import Quaternion, Vector, unrotate


class Observation(NamedTuple):
    """Motion of the root body of a vehicle."""

    time: float
    """[s]."""
    period: float
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


ROLL, PITCH, YAW, THROTTLE = 0, 1, 2, 3
"""Channels of the four sticks in a `Reference`."""


class Reference(NamedTuple):
    """References of a controller: live sticks, and the plan of the scenario."""

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


def observation_from(o: Any) -> Observation:
    """The row of one vehicle, as a controller sees it."""
    return Observation(
        o.time,
        o.period,
        Vector(o.x, o.y, o.z),
        Quaternion(o.qw, o.qx, o.qy, o.qz),
        Vector(o.vx, o.vy, o.vz),
        Vector(o.u, o.v, o.w),
        Vector(o.p, o.q, o.r),
        Vector(o.air_u, o.air_v, o.air_w),
    )


_read = reader(Observation)


def observation_in(row: Any) -> Observation:
    """The same for Python, in Python's own numbers."""
    obs: Observation = _read(row.item(), 0)
    return obs


def observe(v: Any) -> None:
    """Fill what the controllers of all vehicles see: the exact motion of the root body, and the air there."""
    for i in range(v.vehicles.shape[0]):
        root = v.vehicles[i].root
        m = point_motion(v, root, row_vector(v.xpos, root), body_quaternion(v, root))
        o, air = v.observations[i], v.air_samples[i]
        o.time = v.counters[0] * v.world[0].dt
        o.x, o.y, o.z = m.pos_w.x, m.pos_w.y, m.pos_w.z
        o.qw, o.qx, o.qy, o.qz = m.quat_wb.w, m.quat_wb.x, m.quat_wb.y, m.quat_wb.z
        o.vx, o.vy, o.vz = m.vel_w.x, m.vel_w.y, m.vel_w.z
        o.u, o.v, o.w = m.vel_b.x, m.vel_b.y, m.vel_b.z
        o.p, o.q, o.r = m.rate_b.x, m.rate_b.y, m.rate_b.z
        vel_air_w = Vector(m.vel_w.x - air.wind_x, m.vel_w.y - air.wind_y, m.vel_w.z - air.wind_z)
        vel_air_b = unrotate(m.quat_wb, vel_air_w)
        o.air_u, o.air_v, o.air_w = vel_air_b.x, vel_air_b.y, vel_air_b.z
