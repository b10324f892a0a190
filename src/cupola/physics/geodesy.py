"""Places on a planet: its ellipsoid, WGS-84 for the Earth, and the east-north-up axes of the world on it.

Ellipsoid: NIMA TR8350.2, "Department of Defense World Geodetic System 1984", 3rd edition. The way back from Cartesian
to geodetic coordinates is Bowring, "Transformation from spatial to geographical coordinates", Survey Review 181 (1976),
done twice, which leaves nothing but round-off from the centre of the sea to the orbits of satellites.
"""

from typing import NamedTuple, Protocol

from cupola.physics.rotation import Vector, add, angle_of
from cupola.xmath import Number, atan2, cos, maximum, sin, sqrt

SEMI_MAJOR = 6378137.0
"""[m]"""
FLATTENING = 1.0 / 298.257223563
NEAR_AXIS = 1e-6
"""[m] from the axis of the planet, below which a longitude means nothing and distances count as this."""


class Ellipsoid(Protocol):
    """Shape of the sea of a planet, such as `physics.planet.WGS84`."""

    @property
    def semi_major(self) -> float:
        """[m] radius at the equator."""

    @property
    def flattening(self) -> float:
        """0 for a sphere."""


class Geodetic(NamedTuple):
    """A place by its normal to the ellipsoid."""

    latitude: Number
    """[rad], north positive."""
    longitude: Number
    """[rad], east positive."""
    altitude: Number
    """[m] above the ellipsoid."""


def eccentricity_2(e: Ellipsoid) -> Number:
    """Square of the first eccentricity."""
    return e.flattening * (2.0 - e.flattening)


def ecef_from_geodetic(place: Geodetic, e: Ellipsoid) -> Vector:
    """Earth-centred, Earth-fixed coordinates [m]: z to the north pole, x to the meridian of longitude 0."""
    sine, cosine, squared = sin(place.latitude), cos(place.latitude), eccentricity_2(e)
    normal = e.semi_major / sqrt(1.0 - squared * sine * sine)
    out = (normal + place.altitude) * cosine
    up = (normal * (1.0 - squared) + place.altitude) * sine
    return Vector(out * cos(place.longitude), out * sin(place.longitude), up)


def geodetic_from_ecef(point: Vector, e: Ellipsoid) -> Geodetic:
    """Latitude, longitude [rad] and altitude [m] of Earth-centred coordinates [m]."""
    out = sqrt(maximum(point.x * point.x + point.y * point.y, NEAR_AXIS * NEAR_AXIS))
    reduced = atan2(point.z * e.semi_major, out * (e.semi_major * (1.0 - e.flattening)))
    latitude = _bowring(point.z, out, reduced, e)
    reduced = atan2((1.0 - e.flattening) * sin(latitude), cos(latitude))
    latitude = _bowring(point.z, out, reduced, e)
    sine, cosine = sin(latitude), cos(latitude)
    altitude = out * cosine + point.z * sine - e.semi_major * sqrt(1.0 - eccentricity_2(e) * sine * sine)
    return Geodetic(latitude, angle_of(point.y, point.x), altitude)


def ecef_from_enu(v_w: Vector, latitude: Number, longitude: Number) -> Vector:
    """Components in Earth-fixed axes of a vector given east, north, up at a place."""
    s_lat, c_lat, s_lon, c_lon = sin(latitude), cos(latitude), sin(longitude), cos(longitude)
    outward = c_lat * v_w.z - s_lat * v_w.y
    return Vector(c_lon * outward - s_lon * v_w.x, s_lon * outward + c_lon * v_w.x, s_lat * v_w.z + c_lat * v_w.y)


def enu_from_ecef(v: Vector, latitude: Number, longitude: Number) -> Vector:
    """East, north, up components at a place of a vector given in Earth-fixed axes."""
    s_lat, c_lat, s_lon, c_lon = sin(latitude), cos(latitude), sin(longitude), cos(longitude)
    outward = c_lon * v.x + s_lon * v.y
    return Vector(c_lon * v.y - s_lon * v.x, c_lat * v.z - s_lat * outward, c_lat * outward + s_lat * v.z)


def geodetic_from_world(pos_w: Vector, origin: Geodetic, e: Ellipsoid) -> Geodetic:
    """Place of a point of the world [m], whose z axis is the ellipsoid's normal at `origin`."""
    away = ecef_from_enu(pos_w, origin.latitude, origin.longitude)
    return geodetic_from_ecef(add(ecef_from_geodetic(origin, e), away), e)


def world_from_local(a: Vector, here: Geodetic, origin: Geodetic) -> Vector:
    """World components of a vector given east, north, up at another place than the world's origin."""
    fixed = ecef_from_enu(a, here.latitude, here.longitude)
    return enu_from_ecef(fixed, origin.latitude, origin.longitude)


def local_from_world(a: Vector, here: Geodetic, origin: Geodetic) -> Vector:
    """East, north, up components at a place of a vector given in world axes."""
    fixed = ecef_from_enu(a, origin.latitude, origin.longitude)
    return enu_from_ecef(fixed, here.latitude, here.longitude)


def _bowring(z: Number, out: Number, reduced: Number, e: Ellipsoid) -> Number:
    """Latitude of a point at height `z` over the equator and `out` from the axis, from a guess of its reduced one."""
    sine, cosine, squared = sin(reduced), cos(reduced), eccentricity_2(e)
    second = squared / (1.0 - squared)
    return atan2(
        z + second * (e.semi_major * (1.0 - e.flattening)) * sine * sine * sine,
        out - squared * e.semi_major * cosine * cosine * cosine,
    )
