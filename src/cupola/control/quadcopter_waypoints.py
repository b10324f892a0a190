"""Waypoints, position and velocity on top of the thesis's attitude PD.

Position error gives a wanted velocity (limited), velocity error a wanted acceleration (with an integral against steady
wind), and that a tilt and a throttle, since a quadcopter accelerates along its thrust. Structure: Beard and McLain,
Small Unmanned Aircraft, chapter 14; Mellinger and Kumar, ICRA 2011, equation (3) for small angles.
"""

from typing import Any, NamedTuple

from cupola.control.mixing import Quad, mix_quad
from cupola.control.quadcopter_pd import wrap
from cupola.controller import Controller, parameter
from cupola.engine.seen import Seen, Wanted
from cupola.physics.rotation import Euler, Vector, add, euler_from_quaternion, length, scale, subtract
from cupola.xmath import Number, atan2, clip, cos, maximum, sin, sqrt, where

GRAVITY = 9.81
SETTLED = 0.5
"""[s] without sinking that count as standing on the ground."""


class WaypointState(NamedTuple):
    """Progress along the plan and the integral of the velocity error."""

    index: Number = 0.0
    held: Number = 0.0
    sum_x: Number = 0.0
    sum_y: Number = 0.0
    sum_z: Number = 0.0
    sinking: Number = 0.0
    """1 while landing, 2 when down."""


class Thrust(NamedTuple):
    """Wanted throttle and attitude."""

    throttle: Number
    roll: Number
    pitch: Number


def limit(v: Vector, size: Number) -> Vector:
    """`v`, no longer than `size`."""
    return scale(size / maximum(length(v), size), v)


def thrust_for(accel_w: Vector, yaw: Number, p: Any) -> Thrust:
    """Tilt [rad] and throttle that accelerate a multirotor by `accel_w` [m/s²]; thrust grows with throttle squared."""
    forward = accel_w.x * cos(yaw) + accel_w.y * sin(yaw)
    left = -accel_w.x * sin(yaw) + accel_w.y * cos(yaw)
    up = maximum(GRAVITY + accel_w.z, 0.2 * GRAVITY)
    pitch = clip(atan2(forward, up), -p.tilt_max, p.tilt_max)
    roll = clip(atan2(-left * cos(pitch), up), -p.tilt_max, p.tilt_max)
    share = up / (GRAVITY * cos(roll) * cos(pitch))
    return Thrust(clip(p.hover * sqrt(share), 0.0, p.throttle_max), roll, pitch)


def attitude_pd(
    attitude: Euler, rate_b: Vector, roll: Number, pitch: Number, yaw: Number, throttle: Number, p: Any
) -> Quad:
    """Thesis gains on the attitude error, damped by the body rates. Mixer signs: nose up and nose right positive."""
    return mix_quad(
        throttle,
        clip(p.roll_kp * (roll - attitude.roll) - p.roll_kd * rate_b.x, -1.0, 1.0),
        clip(-p.pitch_kp * (pitch - attitude.pitch) + p.pitch_kd * rate_b.y, -1.0, 1.0),
        clip(-p.yaw_kp * wrap(yaw - attitude.yaw) + p.yaw_kd * rate_b.z, -1.0, 1.0),
    )


def progress(seen: Seen, row: Any, last: Number, state: WaypointState, p: Any) -> WaypointState:
    """Go on to the next waypoint after the hold; on a landing row count how long the ground has held."""
    away = length(subtract(Vector(row[0], row[1], row[2]), seen.pos_w))
    landing = row[6] > 0.5
    still = where(landing, abs(seen.vel_w.z) < 0.25 * row[4], away < p.radius)
    held = where(still, state.held + seen.period, 0.0)
    arrived = held > where(landing, SETTLED, row[5])
    index = clip(state.index + where(arrived, where(landing, 0.0, 1.0), 0.0), 0.0, last)
    sinking = where(landing, where(arrived, 2.0, 1.0), 0.0)
    return WaypointState(
        index,
        where(index > state.index, 0.0, held),
        state.sum_x,
        state.sum_y,
        state.sum_z,
        where(state.sinking > 1.5, 2.0, sinking),  # once down, down
    )


def quadcopter_waypoints(seen: Seen, wanted: Wanted, state: WaypointState, p: Any) -> tuple[Quad, WaypointState]:
    """Motor signals that follow the plan."""
    row = wanted.plan[int(state.index)]
    state = progress(seen, row, float(len(wanted.plan) - 1), state, p)
    error = subtract(Vector(row[0], row[1], row[2]), seen.pos_w)
    velocity = limit(scale(p.position_kp, error), row[4])
    if state.sinking > 0.5:
        velocity = Vector(velocity.x, velocity.y, -row[4])
    off = subtract(velocity, seen.vel_w)
    total = limit(add(Vector(state.sum_x, state.sum_y, state.sum_z), scale(seen.period, off)), p.sum_max)
    accel = limit(add(scale(p.velocity_kp, off), scale(p.velocity_ki, total)), p.accel_max)
    attitude = euler_from_quaternion(seen.quat_wb)
    want = thrust_for(accel, attitude.yaw, p)
    motors = attitude_pd(attitude, seen.rate_b, want.roll, want.pitch, row[3], want.throttle, p)
    if state.sinking > 1.5:
        motors = Quad(0.0, 0.0, 0.0, 0.0)
    return motors, WaypointState(state.index, state.held, total.x, total.y, total.z, state.sinking)


class QuadcopterWaypoints(Controller):
    """Flies the `plan` of the scenario."""

    State = WaypointState
    law = staticmethod(quadcopter_waypoints)

    position_kp = parameter(1.0, low=0, high=5, unit="1/s")
    velocity_kp = parameter(2.5, low=0, high=10, unit="1/s")
    velocity_ki = parameter(0.6, low=0, high=5, unit="1/s²")
    accel_max = parameter(5.0, low=0.5, high=20, unit="m/s²")
    sum_max = parameter(2.0, low=0, high=10, unit="m", about="limit of the integrated velocity error")
    tilt_max = parameter(0.5, low=0.05, high=1.2, unit="rad")
    throttle_max = parameter(0.9, low=0.5, high=1, about="leaves room for attitude control")
    hover = parameter(0.468, low=0.1, high=0.9, about="throttle that carries the weight at rest")
    radius = parameter(0.15, low=0.01, high=5, unit="m", about="closer than this counts as arrived")
    roll_kp = parameter(0.09, low=0, high=1, unit="1/rad")
    roll_kd = parameter(0.02, low=0, high=1, unit="s/rad")
    pitch_kp = parameter(0.09, low=0, high=1, unit="1/rad")
    pitch_kd = parameter(0.02, low=0, high=1, unit="s/rad")
    yaw_kp = parameter(0.11, low=0, high=1, unit="1/rad")
    yaw_kd = parameter(0.10, low=0, high=1, unit="s/rad")
