"""Spatial vectors of MuJoCo, which it keeps in world axes at the centre of mass of the whole tree, at a site."""

from typing import NamedTuple

from cupola.kernel.air import wind_at
from cupola.kernel.memory import Views
from cupola.kernel.motion import body_rate_w, row_vector, to_site
from cupola.physics.rotation import Quaternion, Vector, add, cross, scale, subtract
from cupola.xmath import Number


class Twist(NamedTuple):
    """Rates and velocities of a site, or their changes, in its axes."""

    turn: Vector
    """[rad/s] or [rad/s²]"""
    move: Vector
    """[m/s] or [m/s²]"""


class Mount(NamedTuple):
    """Where a site sits on its body, axes of the body."""

    pos_b: Vector
    """[m]"""
    quat_bs: Quaternion


class MassPlace(NamedTuple):
    """Where the mass of a body lies, axes of the body, and how it is spread."""

    com_b: Vector
    """[m]"""
    quat_bi: Quaternion
    """Principal axes."""
    inertia: Vector
    """[kg m²] about those axes."""
    counts: Number
    """0: the body stays as it is."""


def spatial_at_site(v: Views, body: Number, site: Number, spatial: Number, k: Number) -> Twist:
    """Row `k` of an array of spatial vectors, such as `cdof`, at a site and in its axes."""
    turn = Vector(spatial[k, 0], spatial[k, 1], spatial[k, 2])
    move = Vector(spatial[k, 3], spatial[k, 4], spatial[k, 5])
    arm = subtract(row_vector(v.site_xpos, site), row_vector(v.subtree_com, v.body_rootid[body]))
    return Twist(to_site(v, site, turn), to_site(v, site, add(move, cross(turn, arm))))


def drift_of(v: Views, row: Number) -> Twist:
    """Change of a part's rates and velocities through the air while all joints keep their rates, axes of its site."""
    turn, move = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    joint = v.last_dof[row.body]
    while joint >= 0:
        change = spatial_at_site(v, row.body, row.site, v.cdof_dot, joint)
        turn = add(turn, scale(v.qvel[joint], change.turn))
        move = add(move, scale(v.qvel[joint], change.move))
        joint = v.dof_parentid[joint]
    # In the axes of a site that turns, a steady wind changes.
    wind_w = wind_at(v, row.vehicle, row_vector(v.site_xpos, row.site))
    swept = to_site(v, row.site, cross(body_rate_w(v, row.body), wind_w))
    return Twist(turn, add(move, swept))


def mount_of(v: Views, row: Number) -> Mount:
    """Where the site of a part sits on its body."""
    s, q = v.site_pos[row.site], v.site_quat[row.site]
    return Mount(Vector(s[0], s[1], s[2]), Quaternion(q[0], q[1], q[2], q[3]))


def place_mass(v: Views, body: Number, mass: MassPlace) -> None:
    """Write centre of mass, principal axes and inertia of a body into MuJoCo's model."""
    if mass.counts > 0.0:
        ipos, iquat, inertia = v.body_ipos[body], v.body_iquat[body], v.body_inertia[body]
        ipos[0], ipos[1], ipos[2] = mass.com_b.x, mass.com_b.y, mass.com_b.z
        iquat[0], iquat[1], iquat[2], iquat[3] = mass.quat_bi.w, mass.quat_bi.x, mass.quat_bi.y, mass.quat_bi.z
        inertia[0], inertia[1], inertia[2] = mass.inertia.x, mass.inertia.y, mass.inertia.z
