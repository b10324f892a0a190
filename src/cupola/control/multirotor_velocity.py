"""Sticks command velocity; centred sticks hold the place. What camera drones do.

The sticks move a reference point: its velocity follows them with a limited acceleration, and the vehicle follows the
point. So there is no switch between moving and holding, and letting go stops as fast as it started. The point never
runs further ahead than `leash`. Attitude as in `multirotor_geometric`.
"""

from typing import Any, NamedTuple

from cupola.control.multirotor_geometric import point_thrust
from cupola.control.multirotor_waypoints import Accelerations
from cupola.control.waypoints import VelocityGains, limit, track_velocity
from cupola.controller import parameter
from cupola.engine.seen import Seen, Wanted
from cupola.physics.rotation import Vector, add, euler_from_quaternion, scale, subtract, wrap
from cupola.xmath import Number, clip, cos, sin

HEADING_LEASH = 0.5
"""[rad] the heading reference may run ahead."""


class VelocityState(NamedTuple):
    """The reference point, and the integral of the velocity error; `started` is 0 before the first call."""

    started: Number = 0.0
    x: Number = 0.0
    y: Number = 0.0
    z: Number = 0.0
    yaw: Number = 0.0
    vel_x: Number = 0.0
    vel_y: Number = 0.0
    vel_z: Number = 0.0
    sum_x: Number = 0.0
    sum_y: Number = 0.0
    sum_z: Number = 0.0


def stick_velocity(sticks: Any, yaw: Number, p: Any) -> Vector:
    """Velocity [m/s, world] that the sticks ask for: nose down is forward, right side down is right, throttle is up."""
    forward, left = -p.speed_max * sticks[1], -p.speed_max * sticks[0]
    return Vector(forward * cos(yaw) - left * sin(yaw), forward * sin(yaw) + left * cos(yaw), p.climb_max * sticks[3])


def multirotor_velocity(
    seen: Seen, wanted: Wanted, state: VelocityState, p: Any
) -> tuple[Accelerations, VelocityState]:
    """Accelerations that follow the sticks."""
    nose = euler_from_quaternion(seen.quat_wb).yaw
    point, yaw = Vector(state.x, state.y, state.z), state.yaw
    if state.started < 0.5:
        point, yaw = seen.pos_w, nose
    yaw_rate = -p.turn_max * wanted.sticks[2]
    yaw = nose + clip(wrap(yaw + yaw_rate * seen.period - nose), -HEADING_LEASH, HEADING_LEASH)
    before = Vector(state.vel_x, state.vel_y, state.vel_z)
    faster = limit(scale(p.stick_bandwidth, subtract(stick_velocity(wanted.sticks, yaw, p), before)), p.stick_accel)
    velocity = add(before, scale(seen.period, faster))
    ahead = limit(subtract(add(point, scale(seen.period, velocity)), seen.pos_w), p.leash)
    push = track_velocity(
        add(velocity, scale(p.position_kp, ahead)), Vector(state.sum_x, state.sum_y, state.sum_z), seen, p
    )
    point, total = add(seen.pos_w, ahead), push.total
    after = VelocityState(
        1.0, point.x, point.y, point.z, yaw, velocity.x, velocity.y, velocity.z, total.x, total.y, total.z
    )
    return point_thrust(add(faster, push.accel_w), yaw, yaw_rate, seen, p), after


class MultirotorVelocity(VelocityGains):
    """Sticks: velocity right, backward and up, turn rate; for any vehicle that has a `mixer`."""

    State = VelocityState
    needs = "mixer"
    law = staticmethod(multirotor_velocity)

    speed_max = parameter(5.0, low=0.1, high=30, unit="m/s", about="at full roll or pitch stick")
    climb_max = parameter(2.0, low=0.1, high=10, unit="m/s", about="at full throttle stick")
    turn_max = parameter(1.5, low=0.1, high=6, unit="rad/s", about="at full yaw stick")
    stick_accel = parameter(3.0, low=0.1, high=20, unit="m/s²", about="most acceleration of the reference")
    stick_bandwidth = parameter(4.0, low=0.2, high=20, unit="1/s", about="how soon the reference has the stick's speed")
    leash = parameter(1.0, low=0.05, high=20, unit="m", about="how far the reference may run ahead")
    tilt_bandwidth = parameter(8.0, low=1, high=40, unit="rad/s")
    yaw_bandwidth = parameter(2.5, low=0.2, high=20, unit="rad/s")
    damping = parameter(0.9, low=0.2, high=3)
