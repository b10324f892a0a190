"""How bodies and sites move now, read from MuJoCo's data. Frames as in MuJoCo: `cvel` is (rate, velocity) in world axes
at the centre of mass of the whole tree.
"""

from typing import NamedTuple

from cupola.kernel.memory import Views
from cupola.physics.inertial import specific_force
from cupola.physics.rotation import Quaternion, Vector, Wrench, add, cross, multiply, rotate, subtract, unrotate
from cupola.xmath import Number


class SiteMotion(NamedTuple):
    """How the place of a part moves, in the frame of its site."""

    vel_s: Vector
    """[m/s], relative to the world."""
    vel_air_s: Vector
    """[m/s], relative to the air."""
    rate_s: Vector
    """[rad/s]."""


class SiteFrame(NamedTuple):
    """Where a site is, and its axes, in the world."""

    pos_w: Vector
    """[m]"""
    x_w: Vector
    y_w: Vector
    z_w: Vector


class TrueInertial(NamedTuple):
    """What an ideal inertial unit would measure, in the axes of its site."""

    accel_s: Vector
    """Specific force [m/s²]."""
    rate_s: Vector
    """[rad/s]"""
    quat_ws: Quaternion


def row_vector(matrix: Number, i: Number) -> Vector:
    """Row `i` of an (n, 3) array."""
    return Vector(matrix[i, 0], matrix[i, 1], matrix[i, 2])


def body_rate_w(v: Views, body: Number) -> Vector:
    """Angular rate of a body, world axes [rad/s]."""
    return Vector(v.cvel[body, 0], v.cvel[body, 1], v.cvel[body, 2])


def point_velocity_w(v: Views, body: Number, point_w: Vector) -> Vector:
    """Velocity of the point of a body that is now at `point_w` [m/s]."""
    arm = subtract(point_w, row_vector(v.subtree_com, v.body_rootid[body]))
    at_com = Vector(v.cvel[body, 3], v.cvel[body, 4], v.cvel[body, 5])
    return add(at_com, cross(body_rate_w(v, body), arm))


def to_site(v: Views, site: Number, a: Vector) -> Vector:
    """World components to the axes of a site."""
    R = v.site_xmat[site]
    return Vector(
        R[0] * a.x + R[3] * a.y + R[6] * a.z, R[1] * a.x + R[4] * a.y + R[7] * a.z, R[2] * a.x + R[5] * a.y + R[8] * a.z
    )


def from_site(v: Views, site: Number, a: Vector) -> Vector:
    """Axes of a site to world components."""
    R = v.site_xmat[site]
    return Vector(
        R[0] * a.x + R[1] * a.y + R[2] * a.z, R[3] * a.x + R[4] * a.y + R[5] * a.z, R[6] * a.x + R[7] * a.y + R[8] * a.z
    )


def site_frame(v: Views, site: Number) -> SiteFrame:
    """Place and axes of a site."""
    R = v.site_xmat[site]
    axes = Vector(R[0], R[3], R[6]), Vector(R[1], R[4], R[7]), Vector(R[2], R[5], R[8])
    return SiteFrame(row_vector(v.site_xpos, site), *axes)


def into_frame(frame: SiteFrame, a: Vector) -> Vector:
    """World components to the axes of a site."""
    x, y, z = frame.x_w, frame.y_w, frame.z_w
    return Vector(
        x.x * a.x + x.y * a.y + x.z * a.z, y.x * a.x + y.y * a.y + y.z * a.z, z.x * a.x + z.y * a.y + z.z * a.z
    )


def site_motion(v: Views, body: Number, site: Number, wind_w: Vector) -> SiteMotion:
    """Motion of a site in its own axes."""
    vel_w = point_velocity_w(v, body, row_vector(v.site_xpos, site))
    return SiteMotion(
        to_site(v, site, vel_w), to_site(v, site, subtract(vel_w, wind_w)), to_site(v, site, body_rate_w(v, body))
    )


def push_site(v: Views, body: Number, site: Number, load_s: Wrench) -> None:
    """Add a load at a site to what MuJoCo applies: world axes, at the centre of mass of the body."""
    load_w = Wrench(from_site(v, site, load_s.force), from_site(v, site, load_s.torque))
    push_point(v, body, row_vector(v.site_xpos, site), load_w)


def push_point(v: Views, body: Number, point_w: Vector, load_w: Wrench) -> None:
    """Add a load, world axes, at a point of a body."""
    force = load_w.force
    torque = add(load_w.torque, cross(subtract(point_w, row_vector(v.xipos, body)), force))
    v.xfrc_applied[body, 0] += force.x
    v.xfrc_applied[body, 1] += force.y
    v.xfrc_applied[body, 2] += force.z
    v.xfrc_applied[body, 3] += torque.x
    v.xfrc_applied[body, 4] += torque.y
    v.xfrc_applied[body, 5] += torque.z


def site_wrench(v: Views, body: Number, site: Number) -> Wrench:
    """What a body does to its parent at a site, in its axes. Needs `cfrc_int` of this instant."""
    f = v.cfrc_int[body]
    force = Vector(-f[3], -f[4], -f[5])
    arm = subtract(row_vector(v.site_xpos, site), row_vector(v.subtree_com, v.body_rootid[body]))
    torque = subtract(Vector(-f[0], -f[1], -f[2]), cross(arm, force))
    return Wrench(to_site(v, site, force), to_site(v, site, torque))


def body_quaternion(v: Views, body: Number) -> Quaternion:
    """Attitude of a body, `quat_wb`."""
    return Quaternion(v.xquat[body, 0], v.xquat[body, 1], v.xquat[body, 2], v.xquat[body, 3])


def site_specific_force(v: Views, body: Number, site: Number) -> Vector:
    """Specific force at a site, in its axes [m/s²]. Needs `cacc`, which already counts gravity as acceleration."""
    quat_wb = body_quaternion(v, body)
    origin_w = row_vector(v.xpos, body)
    rate_w = body_rate_w(v, body)
    angular_w = Vector(v.cacc[body, 0], v.cacc[body, 1], v.cacc[body, 2])
    spatial = Vector(v.cacc[body, 3], v.cacc[body, 4], v.cacc[body, 5])
    arm = subtract(origin_w, row_vector(v.subtree_com, v.body_rootid[body]))
    # A spatial acceleration becomes that of a material point by adding rate x velocity.
    turning = cross(rate_w, point_velocity_w(v, body, origin_w))
    accel_w = add(add(spatial, cross(angular_w, arm)), turning)
    still = Vector(0.0, 0.0, 0.0)
    arm_b = unrotate(quat_wb, subtract(row_vector(v.site_xpos, site), origin_w))
    force_b = specific_force(accel_w, still, quat_wb, unrotate(quat_wb, rate_w), unrotate(quat_wb, angular_w), arm_b)
    return to_site(v, site, rotate(quat_wb, force_b))


def site_quaternion(v: Number, body: Number, site: Number) -> Quaternion:
    """Attitude of a site, `quat_ws`."""
    s = v.site_quat[site]
    return multiply(body_quaternion(v, body), Quaternion(s[0], s[1], s[2], s[3]))


class PointMotion(NamedTuple):
    """Motion of a point of a body, in the world and in the body's own axes."""

    pos_w: Vector
    """[m]"""
    quat_wb: Quaternion
    vel_w: Vector
    """[m/s]"""
    vel_b: Vector
    """[m/s]"""
    rate_b: Vector
    """[rad/s]"""


def point_motion(v: Views, body: Number, point_w: Vector, q: Quaternion) -> PointMotion:
    """Motion of the point of a body that is now at `point_w`, in axes turned by `q`."""
    vel_w = point_velocity_w(v, body, point_w)
    return PointMotion(point_w, q, vel_w, unrotate(q, vel_w), unrotate(q, body_rate_w(v, body)))
