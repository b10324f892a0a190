"""What a kernel may ask for by the name of a parameter, and what it may answer by the name of a field.

A kernel is a pure function on numbers: `load(p, state, motion, density) -> Loaded`. It says what it needs by its
parameters' names; the adapter that `engine.adapters` writes around it reads that from the memory of the world, and puts
the fields of the answer where they belong. Only kernels that name `v` see that memory themselves: those of contacts,
inertia and rays, and models from outside.
"""

from typing import NamedTuple

import numpy as np
from numba import carray
from numba.extending import overload

from cupola.kernel.air import static_air, wind_at
from cupola.kernel.jit import pointer
from cupola.kernel.memory import Views, window
from cupola.kernel.motion import (
    PointMotion,
    body_rate_w,
    point_motion,
    point_velocity_w,
    push_point,
    push_site,
    row_vector,
    site_frame,
    site_motion,
    site_quaternion,
    site_wrench,
    to_site,
)
from cupola.kernel.planet import (
    height_of,
    level_at,
    magnetic_field_w,
    origin_of,
    place_of,
    spin_w,
    true_inertial,
    up_w,
    world_to_local,
)
from cupola.kernel.rows import ACCELERATIONS, FORCES
from cupola.kernel.spatial import MassPlace, drift_of, mount_of, place_mass
from cupola.kernel.wind import wind_slope_w
from cupola.physics.flight_data import AirHere
from cupola.physics.rotation import Quaternion, Vector, Wrench, subtract
from cupola.xmath import Number

READS = {
    "p": "row",
    "v": "v",
    "x": "x",
    "dt": "v.world[0].dt",
    "tick": "v.counters[0]",
    "motion": "motion_of(v, row)",
    "frame": "site_frame(v, row.site)",
    "pos_w": "row_vector(v.site_xpos, row.site)",
    "quat_ws": "site_quaternion(v, row.body, row.site)",
    "vel_w": "point_velocity_w(v, row.body, row_vector(v.site_xpos, row.site))",
    "exact": "exact_motion(v, row)",
    "density": "v.air_samples[row.vehicle].density",
    "matrix_density": "v.air_samples[row.vehicle].matrix_density",
    "air": "static_air(v, row_vector(v.site_xpos, row.site))",
    "air_here": "air_here(v, row.vehicle)",
    "level": "level_at(v, row_vector(v.site_xpos, row.site))",
    "height": "height_of(v, row_vector(v.site_xpos, row.site))",
    "wind_slope_w": "wind_slope_w(v, row_vector(v.site_xpos, row.site))",
    "up_w": "up_w(v, row_vector(v.site_xpos, row.site))",
    "spin_s": "to_site(v, row.site, spin_w(v))",
    "com_s": "com_of(v, row)",
    "centre_s": "centre_of(v, row)",
    "inertial": "true_inertial(v, row.body, row.site)",
    "wrench": "site_wrench(v, row.body, row.site)",
    "field_s": "field_of(v, row)",
    "origin": "origin_of(v)",
    "planet": "v.earth[0]",
    "place": "place_of(v, row_vector(v.site_xpos, row.site))",
    "vel_local": "local_velocity(v, row)",
    "own_site": "joined_site(v, row, row.site)",
    "held_site": "joined_site(v, row, int(v.state[row.held]))",
    "sites": "SiteTable(v.site_xpos, v.site_quat, v.site_bodyid, v.xquat)",
    "joint_speed": "v.qvel[row.dof]",
    "joint_angle": "v.qpos[row.coordinate]",
    "qpos": "v.qpos",
    "qvel": "v.qvel",
    "ctrl": "v.ctrl",
    "actuator_force": "v.actuator_force",
    "actuator_forcerange": "v.actuator_forcerange",
    "command": "v.drive[row.channel]",
    "drive": "v.drive",
    "constants": "v.constants",
    "given": "v.given",
    "outputs": "v.outputs",
    "memory": "window(v.state, row.memory, row.memory_size)",
    "elements": "elements_of(v.constants, row.first, row.count, Element)",
    "drift": "drift_of(v, row)",
    "mount": "mount_of(v, row)",
}
"""Source text of each argument. Besides: `state`, `output`, and the names a kind declares in `takes` and `collects`."""
NEEDS = {"inertial": ACCELERATIONS, "wrench": FORCES}
"""Arguments that only `measure` is given, and what must be worked out before; the greater covers the lesser."""
OF_A_SAMPLE = ("sample", "index", "noise")
"""Further arguments that only `measure` is given."""

WRITES = {
    "channel": "v.drive[row.channel] = {0}",
    "control": "put_control(v, row.control, {0})",
    "friction": "put_friction(v, row.friction_dof, {0})",
    "wrench": "push_site(v, row.body, row.site, {0})",
    "wrench_2": "push_site(v, row.body, row.site, {0})",
    "wrench_3": "push_site(v, row.body, row.site, {0})",
    "mass_place": "place_mass(v, row.body, {0})",
    "between": "push_between(v, row.body, {0})",
    "ok": "if not {0}: return i + 1",
}
"""What is done with each field of an answer. Besides: `state`, `output`, and the names a kind declares in `feeds`."""
CHECKED = {
    "wrench": "is_finite({0})",
    "wrench_2": "is_finite({0})",
    "wrench_3": "is_finite({0})",
    "between": "is_finite({0}.wrench)",
    "control": "abs({0}) < 1e300",
    "channel": "abs({0}) < 1e300",
    "friction": "abs({0}) < 1e300",
    "mass_place": "is_placed({0})",
}
"""NaN and infinity fail these comparisons: the part is blamed by name. Besides: `state`, and what is fed."""


class Between(NamedTuple):
    """Equal and opposite loads on two bodies at one point."""

    wrench: Wrench
    """World axes, on the body of the part [N, N m]."""
    point: Vector
    """World [m]."""
    other: Number
    """The other body; below 0: there is none."""


class JoinedSite(NamedTuple):
    """A site of a part, or one of another vehicle that the part holds."""

    body: Number
    """That carries it; below 0: there is no such site."""
    pos_w: Vector
    """[m]"""
    quat_ws: Quaternion
    rate_w: Vector
    """[rad/s] of its body."""
    vel_w: Vector
    """[m/s] of the point of its body that is now at the part's own site."""


class SiteTable(NamedTuple):
    """Where all sites are: `kernel.motion.site_quaternion` reads it as it reads the memory of the world."""

    site_xpos: Number
    site_quat: Number
    site_bodyid: Number
    xquat: Number


def joined_site(v: Views, row: Number, site: Number) -> JoinedSite:
    """Place and motion of a site, as seen by a part that holds on to it."""
    if site < 0:
        nothing = Vector(0.0, 0.0, 0.0)
        return JoinedSite(site, nothing, Quaternion(1.0, 0.0, 0.0, 0.0), nothing, nothing)
    body = v.site_bodyid[site]
    here = row_vector(v.site_xpos, row.site)
    q = site_quaternion(v, body, site)
    return JoinedSite(body, row_vector(v.site_xpos, site), q, body_rate_w(v, body), point_velocity_w(v, body, here))


def motion_of(v: Views, row: Number) -> Number:
    """Motion of a part through the air around it."""
    wind = wind_at(v, row.vehicle, row_vector(v.site_xpos, row.site))
    return site_motion(v, row.body, row.site, wind)


def exact_motion(v: Views, row: Number) -> PointMotion:
    """Motion of a site in the world and in its own axes."""
    q = site_quaternion(v, row.body, row.site)
    return point_motion(v, row.body, row_vector(v.site_xpos, row.site), q)


def local_velocity(v: Views, row: Number) -> Vector:
    """Velocity of a site, east, north, up at its place [m/s]."""
    point = row_vector(v.site_xpos, row.site)
    return world_to_local(v, place_of(v, point), point_velocity_w(v, row.body, point))


def com_of(v: Views, row: Number) -> Vector:
    """Centre of mass of a part's body from its site, axes of the site [m]."""
    return to_site(v, row.site, subtract(row_vector(v.xipos, row.body), row_vector(v.site_xpos, row.site)))


def centre_of(v: Views, row: Number) -> Vector:
    """Centre of mass of the whole vehicle from a part's site, axes of the site [m]."""
    centre = row_vector(v.subtree_com, v.body_rootid[row.body])
    return to_site(v, row.site, subtract(centre, row_vector(v.site_xpos, row.site)))


def air_here(v: Views, vehicle: Number) -> AirHere:
    """The air at a vehicle, as it was sampled when the tick began."""
    here = v.air_samples[vehicle]
    return AirHere(here.height, v.air[0].altitude + here.height, here.density, here.pressure, here.temperature)


def field_of(v: Views, row: Number) -> Vector:
    """Magnetic field in the axes of a site [T]."""
    return to_site(v, row.site, magnetic_field_w(v, row_vector(v.site_xpos, row.site)))


def put_control(v: Views, control: Number, value: Number) -> None:
    """Give a MuJoCo actuator its control; -1: there is none."""
    if control >= 0:
        v.ctrl[control] = value


def put_friction(v: Views, dof: Number, value: Number) -> None:
    """Dry friction of a joint [N m]; -1: there is none to set."""
    if dof >= 0:
        v.dof_frictionloss[dof] = value


def push_between(v: Views, body: Number, load: Between) -> None:
    """Add a load to a body, and its opposite to another one."""
    if load.other < 0:
        return
    push_point(v, body, load.point, load.wrench)
    f, t = load.wrench.force, load.wrench.torque
    back = Wrench(Vector(-1.0 * f.x, -1.0 * f.y, -1.0 * f.z), Vector(-1.0 * t.x, -1.0 * t.y, -1.0 * t.z))
    push_point(v, load.other, load.point, back)


def is_finite(w: Wrench) -> bool:
    """Whether a load is made of numbers."""
    total = w.force.x + w.force.y + w.force.z + w.torque.x + w.torque.y + w.torque.z
    return bool(abs(total) < 1e300)


def is_placed(mass: MassPlace) -> bool:
    """Whether place and inertia of a mass are numbers."""
    place, axes, inertia = mass.com_b, mass.quat_bi, mass.inertia
    total = place.x + place.y + place.z + axes.w + axes.x + axes.y + axes.z + inertia.x + inertia.y + inertia.z
    return bool(abs(total) < 1e300)


def elements_of(constants: Number, first: Number, count: Number, kind: Number) -> Number:
    """Rows of a part among the constants of the world."""
    width = kind.itemsize // 8
    return constants[first : first + count * width].view(kind).view(np.recarray)


@overload(elements_of)
def _(constants, first, count, kind):  # type: ignore[no-untyped-def]
    return lambda constants, first, count, kind: carray(pointer(constants.ctypes.data + 8 * first), (count,), kind)


NAMES = {
    function.__name__: function
    for function in (
        SiteTable,
        air_here,
        centre_of,
        com_of,
        drift_of,
        elements_of,
        exact_motion,
        field_of,
        height_of,
        is_finite,
        is_placed,
        joined_site,
        level_at,
        local_velocity,
        motion_of,
        mount_of,
        origin_of,
        place_mass,
        place_of,
        point_velocity_w,
        push_between,
        push_site,
        put_control,
        put_friction,
        row_vector,
        site_frame,
        site_quaternion,
        site_wrench,
        spin_w,
        static_air,
        to_site,
        true_inertial,
        up_w,
        wind_slope_w,
        window,
    )
}
"""What the texts above name."""
