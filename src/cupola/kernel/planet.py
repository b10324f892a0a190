"""Places on the planet, and the gravity of a round, turning one as a load on every body.

On a flat Earth gravity is left to MuJoCo, heights are z, and east, north, up are the world axes everywhere.
"""

from cupola.kernel.memory import Views
from cupola.kernel.motion import (
    TrueInertial,
    body_rate_w,
    point_velocity_w,
    row_vector,
    site_quaternion,
    site_specific_force,
    to_site,
)
from cupola.physics.flight_data import Level
from cupola.physics.geodesy import (
    Geodetic,
    ecef_from_enu,
    ecef_from_geodetic,
    enu_from_ecef,
    geodetic_from_world,
    local_from_world,
    world_from_local,
)
from cupola.physics.magnetism import dipole_field
from cupola.physics.planet import apparent_acceleration, apparent_torque
from cupola.physics.rotation import Vector, add, subtract
from cupola.xmath import Number


def fall_w(v: Views, point_w: Vector, velocity_w: Vector) -> Vector:
    """Acceleration of free fall at a point that moves with `velocity_w`, as seen in the world [m/s²]."""
    e = v.earth[0]
    centre = ecef_from_geodetic(Geodetic(e.latitude, e.longitude, e.altitude), e)
    place = add(centre, ecef_from_enu(point_w, e.latitude, e.longitude))
    speed = ecef_from_enu(velocity_w, e.latitude, e.longitude)
    return enu_from_ecef(apparent_acceleration(place, speed, e), e.latitude, e.longitude)


def spin_w(v: Views) -> Vector:
    """Rate at which the world turns with the Earth, world axes [rad/s]."""
    return Vector(v.earth[0].spin_x, v.earth[0].spin_y, v.earth[0].spin_z)


def origin_of(v: Views) -> Geodetic:
    """Where on the planet the world has its origin."""
    return Geodetic(v.earth[0].latitude, v.earth[0].longitude, v.earth[0].altitude)


def place_of(v: Views, point_w: Vector) -> Geodetic:
    """Latitude, longitude and altitude of a point; on a flat Earth those of the origin, z higher."""
    e = v.earth[0]
    if not e.curved:
        return Geodetic(e.latitude, e.longitude, e.altitude + point_w.z)
    return geodetic_from_world(point_w, origin_of(v), e)


def height_of(v: Views, point_w: Vector) -> Number:
    """Height above the level of the world's origin [m]: z on a flat Earth, else along the normal of the ellipsoid."""
    if not v.earth[0].curved:
        return point_w.z
    return place_of(v, point_w).altitude - v.earth[0].altitude


def local_to_world(v: Views, place: Geodetic, a: Vector) -> Vector:
    """World components of a vector given east, north, up at a place."""
    return world_from_local(a, place, origin_of(v)) if v.earth[0].curved else a


def world_to_local(v: Views, place: Geodetic, a: Vector) -> Vector:
    """East, north, up components at a place of a vector given in world axes."""
    return local_from_world(a, place, origin_of(v)) if v.earth[0].curved else a


def up_w(v: Views, point_w: Vector) -> Vector:
    """The vertical at a point, world axes."""
    return local_to_world(v, place_of(v, point_w), Vector(0.0, 0.0, 1.0))


def magnetic_field_w(v: Views, point_w: Vector) -> Vector:
    """Magnetic field at a point, world axes [T]."""
    e = v.earth[0]
    field = Vector(e.field_x, e.field_y, e.field_z)
    if not e.curved:
        return field
    place = place_of(v, point_w)
    if e.dipole:
        field = dipole_field(place.latitude, place.longitude, place.altitude)
    return local_to_world(v, place, field)


def level_at(v: Views, point_w: Vector) -> Level:
    """East, north and up at a point: the axes of the world on a flat Earth, else those of the ellipsoid there."""
    east, north, up = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)
    place = place_of(v, point_w)
    return Level(local_to_world(v, place, east), local_to_world(v, place, north), local_to_world(v, place, up))


def pull(v: Views) -> None:
    """Add to every body its weight and what the turning frame seems to do to it."""
    if not v.earth[0].curved:
        return
    spin = spin_w(v)
    for body in range(1, v.body_mass.shape[0]):
        point = row_vector(v.xipos, body)
        fall = fall_w(v, point, point_velocity_w(v, body, point))
        R = v.ximat[body]
        torque = apparent_torque(row_vector(v.body_inertia, body), _into(R, body_rate_w(v, body)), _into(R, spin))
        v.xfrc_applied[body, 0] += v.body_mass[body] * fall.x
        v.xfrc_applied[body, 1] += v.body_mass[body] * fall.y
        v.xfrc_applied[body, 2] += v.body_mass[body] * fall.z
        v.xfrc_applied[body, 3] += R[0] * torque.x + R[1] * torque.y + R[2] * torque.z
        v.xfrc_applied[body, 4] += R[3] * torque.x + R[4] * torque.y + R[5] * torque.z
        v.xfrc_applied[body, 5] += R[6] * torque.x + R[7] * torque.y + R[8] * torque.z


def _into(R: Number, a: Vector) -> Vector:
    """World components to the axes whose matrix (row by row) is `R`."""
    return Vector(
        R[0] * a.x + R[3] * a.y + R[6] * a.z, R[1] * a.x + R[4] * a.y + R[7] * a.z, R[2] * a.x + R[5] * a.y + R[8] * a.z
    )


def true_inertial(v: Views, body: Number, site: Number) -> TrueInertial:
    """What an ideal inertial unit at a site measures. Needs `cacc` of this instant."""
    force_s = site_specific_force(v, body, site)
    rate_w = body_rate_w(v, body)
    if v.earth[0].curved:  # here gravity is a load like any other, and the world itself turns
        place = row_vector(v.site_xpos, site)
        force_s = subtract(force_s, to_site(v, site, fall_w(v, place, point_velocity_w(v, body, place))))
        rate_w = add(rate_w, spin_w(v))
    return TrueInertial(force_s, to_site(v, site, rate_w), site_quaternion(v, body, site))
