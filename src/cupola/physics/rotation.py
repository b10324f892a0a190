"""Vectors, unit quaternions and frames.

`quat_wb` turns body components into world components: `rotate(quat_wb, v_b) == v_w`. Quaternions are (w, x, y, z), the
Hamilton product, unit length. World axes are east-north-up (or any z-up frame), body axes front-left-up.
"""

import math
from typing import NamedTuple

from cupola.xmath import Number, asin, atan2, clip, cos, floor, maximum, sin, sqrt, tan, where

TINY = 1e-12


class Vector(NamedTuple):
    """Three components in one frame: numbers to whoever flies; equations also run on arrays (`Vector._make`)."""

    x: float
    y: float
    z: float


class Quaternion(NamedTuple):
    """Unit quaternion, scalar first."""

    w: float
    x: float
    y: float
    z: float


class Euler(NamedTuple):
    """Roll, pitch, yaw [rad], applied as yaw, then pitch, then roll (z-y-x)."""

    roll: float
    pitch: float
    yaw: float


class Wrench(NamedTuple):
    """Force [N] and torque [N m] in one frame, about one point."""

    force: Vector
    torque: Vector


class Axes(NamedTuple):
    """Three unit vectors at right angles, right-handed: the body axes of an attitude, in the frame of the caller."""

    x: Vector
    y: Vector
    z: Vector


def add(a: Vector, b: Vector) -> Vector:
    """Sum of two vectors."""
    return Vector(a.x + b.x, a.y + b.y, a.z + b.z)


def subtract(a: Vector, b: Vector) -> Vector:
    """Difference of two vectors."""
    return Vector(a.x - b.x, a.y - b.y, a.z - b.z)


def scale(factor: Number, v: Vector) -> Vector:
    """A number times a vector."""
    return Vector(factor * v.x, factor * v.y, factor * v.z)


def dot(a: Vector, b: Vector) -> Number:
    """Scalar product."""
    return a.x * b.x + a.y * b.y + a.z * b.z


def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


def length(v: Vector) -> Number:
    """Euclidean length, with gradient zero (not undefined) at the zero vector."""
    square = dot(v, v)
    moving = square > 0.0
    return where(moving, sqrt(where(moving, square, 1.0)), 0.0)


def angle_of(y: Number, x: Number) -> Number:
    """atan2(y, x) [rad], zero with zero gradient at the origin."""
    somewhere = x * x + y * y > 0.0
    return where(somewhere, atan2(where(somewhere, y, 0.0), where(somewhere, x, 1.0)), 0.0)


def wrap(angle: Number) -> Number:
    """The same angle in [-π, π) [rad]."""
    return angle - 2.0 * math.pi * floor((angle + math.pi) / (2.0 * math.pi))


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Hamilton product: first turn by `b`, then by `a`."""
    return Quaternion(
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    )


def conjugate(q: Quaternion) -> Quaternion:
    """Inverse turn."""
    return Quaternion(q.w, -q.x, -q.y, -q.z)


def rotate(q: Quaternion, v: Vector) -> Vector:
    """Components of `v` after the turn `q`: `rotate(quat_wb, v_b)` is `v_w`."""
    u = Vector(q.x, q.y, q.z)
    t = scale(2.0, cross(u, v))
    return add(add(v, scale(q.w, t)), cross(u, t))


def unrotate(q: Quaternion, v: Vector) -> Vector:
    """Inverse of `rotate`: `unrotate(quat_wb, v_w)` is `v_b`."""
    return rotate(conjugate(q), v)


def quaternion_from_euler(e: Euler) -> Quaternion:
    """Unit quaternion of z-y-x angles [rad]."""
    cr, sr = cos(0.5 * e.roll), sin(0.5 * e.roll)
    cp, sp = cos(0.5 * e.pitch), sin(0.5 * e.pitch)
    cy, sy = cos(0.5 * e.yaw), sin(0.5 * e.yaw)
    return Quaternion(
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


def euler_from_quaternion(q: Quaternion) -> Euler:
    """z-y-x angles [rad]; pitch is limited to ±π/2."""
    return Euler(
        atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
        asin(clip(2.0 * (q.w * q.y - q.z * q.x), -1.0, 1.0)),
        atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z)),
    )


def euler_rates(e: Euler, rate_b: Vector) -> Euler:
    """Change of z-y-x angles [rad/s] of a body that turns at `rate_b`, its own axes [rad/s]; pitch below ±π/2."""
    across = rate_b.y * sin(e.roll) + rate_b.z * cos(e.roll)
    return Euler(
        rate_b.x + across * tan(e.pitch), rate_b.y * cos(e.roll) - rate_b.z * sin(e.roll), across / cos(e.pitch)
    )


def frd(v: Vector) -> Vector:
    """Front-left-up to front-right-down components, and back: half a turn about x."""
    return Vector(v.x, -v.y, -v.z)


def move_wrench(w: Wrench, arm: Vector) -> Wrench:
    """The same load about another point; `arm` leads from the new point to the old one, in the frame of `w`."""
    return Wrench(w.force, add(w.torque, cross(arm, w.force)))


def axes_along(up: Vector, yaw: Number) -> Axes:
    """Axes whose z points along `up` (not zero) and whose x lies above the heading `yaw` [rad].

    Lee, Leok and McClamroch, Geometric tracking control of a quadrotor UAV on SE(3), CDC 2010, equation (23). When `up`
    lies level along the heading, no such x exists; y is then zero and the caller turns about x only.
    """
    z = scale(1.0 / maximum(length(up), TINY), up)
    side = cross(z, Vector(cos(yaw), sin(yaw), 0.0))
    y = scale(1.0 / maximum(length(side), TINY), side)
    return Axes(cross(y, z), y, z)


def attitude_error(quat_wb: Quaternion, wanted: Axes) -> Vector:
    """How far the body is turned away from `wanted` (world components), body axes: sin(angle) times the axis [1].

    Equation (10) of the same paper, e_R = (R_dᵀ R - Rᵀ R_d)ᵛ / 2, written as half the sum over the three axes of
    wanted × actual.
    """
    dx, dy, dz = unrotate(quat_wb, wanted.x), unrotate(quat_wb, wanted.y), unrotate(quat_wb, wanted.z)
    return Vector(0.5 * (dz.y - dy.z), 0.5 * (dx.z - dz.x), 0.5 * (dy.x - dx.y))
