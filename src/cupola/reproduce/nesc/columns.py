"""The state of a world in the columns of the tools' files."""

import math
from typing import Any

import numpy as np

from cupola.physics.geodesy import Geodetic, ecef_from_enu, enu_from_ecef, geodetic_from_world
from cupola.physics.rotation import Euler, Quaternion, Vector, rotate, unrotate
from cupola.sim.world import World

AXES = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
Table = dict[str, np.ndarray[Any, Any]]


def origin_of(world: World) -> Geodetic:
    """Where the world's origin is."""
    place = world.scenario.origin
    altitude = world.scenario.air.altitude
    return Geodetic(math.radians(place.latitude_deg), math.radians(place.longitude_deg), altitude)


def spin_w(world: World) -> Vector:
    """Rate of the Earth in the axes of the world [rad/s]."""
    origin, rotation = origin_of(world), world.scenario.origin.planet_now().rotation
    return enu_from_ecef(Vector(0.0, 0.0, rotation), origin.latitude, origin.longitude)


def columns(world: World) -> dict[str, float]:
    """The present state."""
    seen, origin = world.motion(), origin_of(world)
    here = geodetic_from_world(seen.pos_w, origin, world.scenario.origin.planet_now())
    # Axes east, north, up of the present place, in which the tools give velocity and attitude.
    fixed = [ecef_from_enu(axis, origin.latitude, origin.longitude) for axis in AXES]
    turn: np.ndarray[Any, Any] = np.array([enu_from_ecef(axis, here.latitude, here.longitude) for axis in fixed]).T
    east, north, up = turn @ np.array(seen.vel_w)
    attitude = _euler_ned(turn, seen.quat_wb)
    spin = unrotate(seen.quat_wb, spin_w(world))
    rates = (seen.rate_b.x + spin.x, -(seen.rate_b.y + spin.y), -(seen.rate_b.z + spin.z))
    return {
        "altitude_m": here.altitude,
        "longitude_deg": math.degrees(here.longitude),
        "latitude_deg": math.degrees(here.latitude),
        "vel_north_m_s": north,
        "vel_east_m_s": east,
        "vel_down_m_s": -up,
        **dict(zip(("roll_deg", "pitch_deg", "yaw_deg"), map(math.degrees, attitude), strict=True)),
        **dict(zip(("p_deg_s", "q_deg_s", "r_deg_s"), map(math.degrees, rates), strict=True)),
    }


def joined(rows: list[dict[str, float]]) -> Table:
    """Rows as columns; angles that go round do not jump."""
    found = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    for name in ("roll_deg", "yaw_deg"):
        found[name] = np.unwrap(found[name], period=360.0)
    return found


def _euler_ned(turn: np.ndarray[Any, Any], quat_wb: Quaternion) -> Euler:
    """Roll, pitch, yaw from north-east-down axes of a body with x front, y right, z down."""
    front, left, up = (turn @ np.array(rotate(quat_wb, axis)) for axis in AXES)
    ned = np.array([[a[1], a[0], -a[2]] for a in (front, -left, -up)]).T
    return Euler(
        math.atan2(ned[2, 1], ned[2, 2]), -math.asin(max(-1.0, min(1.0, ned[2, 0]))), math.atan2(ned[1, 0], ned[0, 0])
    )
