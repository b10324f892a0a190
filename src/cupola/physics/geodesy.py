"""Places on the Earth: the WGS-84 ellipsoid and the east-north-up axes of the world on it.

Ellipsoid: NIMA TR8350.2, "Department of Defense World Geodetic System 1984", 3rd edition. The way back from Cartesian
to geodetic coordinates is Bowring, "Transformation from spatial to geographical coordinates", Survey Review 181 (1976),
done twice, which leaves nothing but round-off from the centre of the sea to the orbits of satellites.
"""

from typing import NamedTuple

from cupola.physics.rotation import Vector, add, angle_of
from cupola.xmath import Number, atan2, cos, maximum, sin, sqrt

SEMI_MAJOR = 6378137.0
"""[m]"""
FLATTENING = 1.0 / 298.257223563
SEMI_MINOR = SEMI_MAJOR * (1.0 - FLATTENING)
ECCENTRICITY_2 = FLATTENING * (2.0 - FLATTENING)
"""Square of the first eccentricity."""
SECOND_ECCENTRICITY_2 = ECCENTRICITY_2 / (1.0 - ECCENTRICITY_2)
NEAR_AXIS = 1e-6
"""[m] from the axis of the Earth, below which a longitude means nothing and distances count as this."""


class Geodetic(NamedTuple):
    """A place by its normal to the ellipsoid."""

    latitude: Number
    """[rad], north positive."""
    longitude: Number
    """[rad], east positive."""
    altitude: Number
    """[m] above the ellipsoid."""


def ecef_from_geodetic(place: Geodetic) -> Vector:
    """Earth-centred, Earth-fixed coordinates [m]: z to the north pole, x to the meridian of Greenwich."""
    sine, cosine = sin(place.latitude), cos(place.latitude)
    normal = SEMI_MAJOR / sqrt(1.0 - ECCENTRICITY_2 * sine * sine)
    out = (normal + place.altitude) * cosine
    up = (normal * (1.0 - ECCENTRICITY_2) + place.altitude) * sine
    return Vector(out * cos(place.longitude), out * sin(place.longitude), up)


def geodetic_from_ecef(point: Vector) -> Geodetic:
    """Latitude, longitude [rad] and altitude [m] of Earth-centred coordinates [m]."""
    out = sqrt(maximum(point.x * point.x + point.y * point.y, NEAR_AXIS * NEAR_AXIS))
    reduced = atan2(point.z * SEMI_MAJOR, out * SEMI_MINOR)
    latitude = _bowring(point.z, out, reduced)
    reduced = atan2((1.0 - FLATTENING) * sin(latitude), cos(latitude))
    latitude = _bowring(point.z, out, reduced)
    sine, cosine = sin(latitude), cos(latitude)
    altitude = out * cosine + point.z * sine - SEMI_MAJOR * sqrt(1.0 - ECCENTRICITY_2 * sine * sine)
    return Geodetic(latitude, angle_of(point.y, point.x), altitude)


def ecef_from_enu(v_w: Vector, latitude: Number, longitude: Number) -> Vector:
    """Components in Earth-fixed axes of a vector given east, north, up at a place."""
    s_lat, c_lat, s_lon, c_lon = sin(latitude), cos(latitude), sin(longitude), cos(longitude)
    outward = c_lat * v_w.z - s_lat * v_w.y
    return Vector(c_lon * outward - s_lon * v_w.x, s_lon * outward + c_lon * v_w.x, s_lat * v_w.z + c_lat * v_w.y)


def geodetic_from_world(pos_w: Vector, origin: Geodetic) -> Geodetic:
    """Place of a point of the world [m], whose axes touch the ellipsoid's normal at `origin`."""
    away = ecef_from_enu(pos_w, origin.latitude, origin.longitude)
    return geodetic_from_ecef(add(ecef_from_geodetic(origin), away))


def _bowring(z: Number, out: Number, reduced: Number) -> Number:
    """Latitude of a point at height `z` over the equator and `out` from the axis, from a guess of its reduced one."""
    sine, cosine = sin(reduced), cos(reduced)
    return atan2(
        z + SECOND_ECCENTRICITY_2 * SEMI_MINOR * sine * sine * sine,
        out - ECCENTRICITY_2 * SEMI_MAJOR * cosine * cosine * cosine,
    )
