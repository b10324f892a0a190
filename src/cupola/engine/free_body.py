"""A vehicle as one free body, for flights without MuJoCo: its motion, its accelerations, one step. Pure functions.

The same equations of motion that MuJoCo solves for a body on a free joint, and the same step: semi-implicit Euler, with
the attitude turned exactly about the rate at the end of the step.
"""

from typing import NamedTuple

from cupola.kernel.air import _discrete_gusts, _dryden_at, _noise
from cupola.kernel.motion import TrueInertial
from cupola.kernel.wind import mean_wind_w
from cupola.physics.inertial import specific_force
from cupola.physics.rotation import Quaternion, Vector, add, cross, dot, length, multiply, rotate, scale, subtract
from cupola.physics.wind import DrydenState, dryden_gust, dryden_start, dryden_step
from cupola.xmath import Number, cos, sin, sqrt

SMALL_TURN = 0.0025
"""Square of half the angle of a step [rad²] below which a series of four terms is exact to the last bit."""


class Around(NamedTuple):
    """Air and planet around one vehicle, under the names that `kernel.air` and `kernel.wind` read in a world."""

    air: Number
    earth: Number
    gusts: Number
    wind_layers: Number
    wind_field: Number
    counters: Number
    thermals: Number
    jets: Number
    world: Number
    air_samples: Number
    given: Number


class Clock(NamedTuple):
    """Of `v.world[0]` what the air reads."""

    dt: Number
    seed: Number
    draw_every: Number


class Gust(NamedTuple):
    """Of `v.air_samples` what the wind at a point reads."""

    gust_x: Number
    gust_y: Number
    gust_z: Number


class FreeBody(NamedTuple):
    """Where the vehicle is, how it lies and how it moves; rows of the matrix are world axes, columns body axes."""

    pos_w: Vector
    quat_wb: Quaternion
    vel_w: Vector
    rate_b: Vector
    x_w: Vector
    y_w: Vector
    z_w: Vector
    """Body axes, world components."""
    vel_b: Vector


class Solid(NamedTuple):
    """Mass, centre and inertia of the whole vehicle, body axes."""

    mass: Number
    com_b: Vector
    xx: Number
    yy: Number
    zz: Number
    xy: Number
    xz: Number
    yz: Number
    """[kg m²] about the centre, without the spin of free wheels."""
    i_xx: Number
    i_yy: Number
    i_zz: Number
    i_xy: Number
    i_xz: Number
    i_yz: Number
    """The inverse of that matrix."""


class Acceleration(NamedTuple):
    """Of the body's origin in the world [m/s²], and of its rates [rad/s²]."""

    linear_w: Vector
    angular_b: Vector


def free_body(pos_w: Vector, quat_wb: Quaternion, vel_w: Vector, rate_b: Vector) -> FreeBody:
    """The body, with its axes."""
    w, x, y, z = quat_wb.w, quat_wb.x, quat_wb.y, quat_wb.z
    x_w = Vector(w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z), 2.0 * (x * z - w * y))
    y_w = Vector(2.0 * (x * y - w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z + w * x))
    z_w = Vector(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z)
    vel_b = Vector(dot(x_w, vel_w), dot(y_w, vel_w), dot(z_w, vel_w))
    return FreeBody(pos_w, quat_wb, vel_w, rate_b, x_w, y_w, z_w, vel_b)


def into_body(b: FreeBody, a: Vector) -> Vector:
    """World components to body axes."""
    return Vector(dot(b.x_w, a), dot(b.y_w, a), dot(b.z_w, a))


def out_of_body(b: FreeBody, a: Vector) -> Vector:
    """Body axes to world components."""
    return Vector(
        b.x_w.x * a.x + b.y_w.x * a.y + b.z_w.x * a.z,
        b.x_w.y * a.x + b.y_w.y * a.y + b.z_w.y * a.z,
        b.x_w.z * a.x + b.y_w.z * a.y + b.z_w.z * a.z,
    )


def point_of(b: FreeBody, point_b: Vector) -> Vector:
    """Where a point of the body is [m, world]."""
    return add(b.pos_w, out_of_body(b, point_b))


def accelerate_free(
    b: FreeBody, s: Solid, spin_b: Vector, force_b: Vector, torque_b: Vector, gravity_w: Vector
) -> Acceleration:
    """Newton and Euler: loads at the centre of mass, body axes; `spin_b` is the angular momentum of free wheels."""
    w = b.rate_b
    momentum = Vector(
        s.xx * w.x + s.xy * w.y + s.xz * w.z + spin_b.x,
        s.xy * w.x + s.yy * w.y + s.yz * w.z + spin_b.y,
        s.xz * w.x + s.yz * w.y + s.zz * w.z + spin_b.z,
    )
    t = subtract(torque_b, cross(w, momentum))
    angular = Vector(
        s.i_xx * t.x + s.i_xy * t.y + s.i_xz * t.z,
        s.i_xy * t.x + s.i_yy * t.y + s.i_yz * t.z,
        s.i_xz * t.x + s.i_yz * t.y + s.i_zz * t.z,
    )
    centre = scale(1.0 / s.mass, force_b)
    origin = subtract(centre, add(cross(angular, s.com_b), cross(w, cross(w, s.com_b))))
    return Acceleration(add(out_of_body(b, origin), gravity_w), angular)


def step_free(b: FreeBody, a: Acceleration, dt: Number) -> FreeBody:
    """The body a step later: velocities first, then places at the new velocities."""
    vel_w = add(b.vel_w, scale(dt, a.linear_w))
    rate_b = add(b.rate_b, scale(dt, a.angular_b))
    return free_body(add(b.pos_w, scale(dt, vel_w)), turned(b.quat_wb, rate_b, dt), vel_w, rate_b)


def turned(q: Quaternion, rate_b: Vector, dt: Number) -> Quaternion:
    """The attitude after a turn at a constant rate, of length one."""
    h = scale(0.5 * dt, rate_b)
    x2 = dot(h, h)
    if x2 < SMALL_TURN:
        c = 1.0 - x2 * (0.5 - x2 * (1.0 / 24.0 - x2 * (1.0 / 720.0 - x2 / 40320.0)))
        s = 1.0 - x2 * (1.0 / 6.0 - x2 * (1.0 / 120.0 - x2 * (1.0 / 5040.0 - x2 / 362880.0)))
    else:
        half = sqrt(x2)
        c, s = cos(half), sin(half) / half
    n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z
    shorter = 1.5 - 0.5 * n  # Newton's step of 1 / sqrt(n) from 1: the length is off by rounding alone
    p = multiply(q, Quaternion(c, s * h.x, s * h.y, s * h.z))
    return Quaternion(shorter * p.w, shorter * p.x, shorter * p.y, shorter * p.z)


def felt(b: FreeBody, a: Acceleration, gravity_w: Vector, arm_b: Vector) -> Vector:
    """Specific force at a point of the body, body axes [m/s²]."""
    return specific_force(a.linear_w, gravity_w, b.quat_wb, b.rate_b, a.angular_b, arm_b)


def true_inertial_of(force_s: Vector, rate_s: Vector, quat_ws: Quaternion) -> TrueInertial:
    """What an ideal inertial unit measures."""
    return TrueInertial(force_s, rate_s, quat_ws)


def first_turbulence(v: Around, stream: Number) -> DrydenState:
    """Turbulence at the start."""
    return dryden_start(_noise(v, stream, 0, 3))


def next_turbulence(
    v: Around, b: FreeBody, state: DrydenState, stream: Number, draw: Number, duration: Number
) -> DrydenState:
    """Turbulence one draw later, as `kernel.air` steps it; `duration` is the time between two draws [s]."""
    airspeed = length(subtract(b.vel_w, mean_wind_w(v, b.pos_w)))
    return dryden_step(state, airspeed, _noise(v, stream, draw, 0), duration, _dryden_at(v, b.pos_w))


def gust_w(v: Around, b: FreeBody, state: DrydenState) -> Vector:
    """Gust of a state of the turbulence, world axes [m/s]."""
    return rotate(b.quat_wb, dryden_gust(state, _dryden_at(v, b.pos_w)))


def sharp_gusts_w(v: Around, time: Number) -> Vector:
    """Sum of the scenario's 1-cosine gusts [m/s]."""
    return _discrete_gusts(v, time)


def lowest_z(b: FreeBody, centre_b: Vector, half_b: Vector) -> Number:
    """Height of the lowest corner of a box that moves with the body [m]."""
    reach = abs(b.x_w.z) * half_b.x + abs(b.y_w.z) * half_b.y + abs(b.z_w.z) * half_b.z
    return point_of(b, centre_b).z - reach
