"""How bodies and sites move now, read from MuJoCo's data. Frames as in MuJoCo: `cvel` is (rate, velocity) in world axes
at the centre of mass of the whole tree.
"""

from cupola.parts.part import SiteMotion
from cupola.physics.inertial import specific_force
from cupola.physics.rotation import Quaternion, Vector, Wrench, add, cross, multiply, rotate, subtract, unrotate
from cupola.xmath import Number


def row_vector(matrix: Number, i: Number) -> Vector:
    """Row `i` of an (n, 3) array."""
    return Vector(matrix[i, 0], matrix[i, 1], matrix[i, 2])


def body_rate_w(v: Number, body: Number) -> Vector:
    """Angular rate of a body, world axes [rad/s]."""
    return Vector(v.cvel[body, 0], v.cvel[body, 1], v.cvel[body, 2])


def point_velocity_w(v: Number, body: Number, point_w: Vector) -> Vector:
    """Velocity of the point of a body that is now at `point_w` [m/s]."""
    arm = subtract(point_w, row_vector(v.subtree_com, v.tree_root[body]))
    at_com = Vector(v.cvel[body, 3], v.cvel[body, 4], v.cvel[body, 5])
    return add(at_com, cross(body_rate_w(v, body), arm))


def to_site(v: Number, site: Number, a: Vector) -> Vector:
    """World components to the axes of a site."""
    R = v.site_xmat[site]
    return Vector(
        R[0] * a.x + R[3] * a.y + R[6] * a.z, R[1] * a.x + R[4] * a.y + R[7] * a.z, R[2] * a.x + R[5] * a.y + R[8] * a.z
    )


def from_site(v: Number, site: Number, a: Vector) -> Vector:
    """Axes of a site to world components."""
    R = v.site_xmat[site]
    return Vector(
        R[0] * a.x + R[1] * a.y + R[2] * a.z, R[3] * a.x + R[4] * a.y + R[5] * a.z, R[6] * a.x + R[7] * a.y + R[8] * a.z
    )


def site_motion(v: Number, body: Number, site: Number, wind_w: Vector) -> SiteMotion:
    """Motion of a site in its own axes."""
    vel_w = point_velocity_w(v, body, row_vector(v.site_xpos, site))
    return SiteMotion(
        to_site(v, site, vel_w), to_site(v, site, subtract(vel_w, wind_w)), to_site(v, site, body_rate_w(v, body))
    )


def push_site(v: Number, body: Number, site: Number, load_s: Wrench) -> None:
    """Add a load at a site to what MuJoCo applies: world axes, at the centre of mass of the body."""
    load_w = Wrench(from_site(v, site, load_s.force), from_site(v, site, load_s.torque))
    push_point(v, body, row_vector(v.site_xpos, site), load_w)


def push_point(v: Number, body: Number, point_w: Vector, load_w: Wrench) -> None:
    """Add a load, world axes, at a point of a body."""
    force = load_w.force
    torque = add(load_w.torque, cross(subtract(point_w, row_vector(v.xipos, body)), force))
    v.xfrc[body, 0] += force.x
    v.xfrc[body, 1] += force.y
    v.xfrc[body, 2] += force.z
    v.xfrc[body, 3] += torque.x
    v.xfrc[body, 4] += torque.y
    v.xfrc[body, 5] += torque.z


def site_wrench(v: Number, body: Number, site: Number) -> Wrench:
    """What a body does to its parent at a site, in its axes. Needs `cfrc_int` of this instant."""
    f = v.cfrc_int[body]
    force = Vector(-f[3], -f[4], -f[5])
    arm = subtract(row_vector(v.site_xpos, site), row_vector(v.subtree_com, v.tree_root[body]))
    torque = subtract(Vector(-f[0], -f[1], -f[2]), cross(arm, force))
    return Wrench(to_site(v, site, force), to_site(v, site, torque))


def body_quaternion(v: Number, body: Number) -> Quaternion:
    """Attitude of a body, `quat_wb`."""
    return Quaternion(v.xquat[body, 0], v.xquat[body, 1], v.xquat[body, 2], v.xquat[body, 3])


def site_specific_force(v: Number, body: Number, site: Number) -> Vector:
    """Specific force at a site, in its axes [m/s²]. Needs `cacc`, which already counts gravity as acceleration."""
    quat_wb = body_quaternion(v, body)
    origin_w = row_vector(v.xpos, body)
    rate_w = body_rate_w(v, body)
    angular_w = Vector(v.cacc[body, 0], v.cacc[body, 1], v.cacc[body, 2])
    spatial = Vector(v.cacc[body, 3], v.cacc[body, 4], v.cacc[body, 5])
    arm = subtract(origin_w, row_vector(v.subtree_com, v.tree_root[body]))
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


def write_motion(v: Number, body: Number, point_w: Vector, q: Quaternion, out: Number, k: int) -> None:
    """Position and attitude, velocity (world, then own axes) and rate (own axes) of a point of a body: 16 numbers."""
    vel_w = point_velocity_w(v, body, point_w)
    vel_b, rate_b = unrotate(q, vel_w), unrotate(q, body_rate_w(v, body))
    out[k], out[k + 1], out[k + 2] = point_w.x, point_w.y, point_w.z
    out[k + 3], out[k + 4], out[k + 5], out[k + 6] = q.w, q.x, q.y, q.z
    out[k + 7], out[k + 8], out[k + 9] = vel_w.x, vel_w.y, vel_w.z
    out[k + 10], out[k + 11], out[k + 12] = vel_b.x, vel_b.y, vel_b.z
    out[k + 13], out[k + 14], out[k + 15] = rate_b.x, rate_b.y, rate_b.z
