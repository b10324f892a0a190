"""The ellipsoid against its definition, its radii of curvature and its own inverse."""

import math

import pytest

from cupola.physics.geodesy import (
    FLATTENING,
    SEMI_MAJOR,
    Geodetic,
    ecef_from_enu,
    ecef_from_geodetic,
    geodetic_from_ecef,
    geodetic_from_world,
)
from cupola.physics.planet import WGS84
from cupola.physics.rotation import Vector, add, scale

LATITUDES = (-1.5707, -1.2, -0.4, 0.0, 0.66, 0.785, 1.3, 1.57)
PLACES = [Geodetic(lat, lon, h) for lat in LATITUDES for lon in (-3.0, 0.0, 2.5) for h in (-400.0, 0.0, 9e3, 4e5)]

SEMI_MINOR = SEMI_MAJOR * (1.0 - FLATTENING)


def test_the_published_minor_axis():
    assert pytest.approx(6356752.3142, abs=5e-5) == SEMI_MINOR  # TR8350.2, table 3.3, printed to 0.1 mm


@pytest.mark.parametrize("place", PLACES)
def test_a_place_lies_up_the_normal_of_the_ellipsoid(place):
    foot = ecef_from_geodetic(place._replace(altitude=0.0), WGS84)
    assert (foot.x**2 + foot.y**2) / SEMI_MAJOR**2 + foot.z**2 / SEMI_MINOR**2 == pytest.approx(1.0, abs=1e-15)
    # The gradient of the ellipsoid's equation is the normal: x/a², y/a², z/b².
    slope = math.atan2(foot.z / SEMI_MINOR**2, math.hypot(foot.x, foot.y) / SEMI_MAJOR**2)
    assert slope == pytest.approx(place.latitude, abs=1e-14)
    up = ecef_from_enu(Vector(0.0, 0.0, 1.0), place.latitude, place.longitude)
    assert add(foot, scale(place.altitude, up)) == pytest.approx(ecef_from_geodetic(place, WGS84), abs=4e-9)


@pytest.mark.parametrize("place", PLACES)
def test_there_and_back(place):
    back = geodetic_from_ecef(ecef_from_geodetic(place, WGS84), WGS84)
    # One unit in the last place of 6.8e6 m is 1e-9 m, or 1.5e-16 rad; Bowring's second round leaves less.
    assert (back.latitude, back.longitude) == pytest.approx((place.latitude, place.longitude), abs=2e-15)
    assert back.altitude == pytest.approx(place.altitude, abs=1e-8)


@pytest.mark.parametrize("latitude", [-1.2, 0.0, 0.663, 1.0])
def test_a_short_way_follows_the_radii_of_curvature(latitude):
    e2 = FLATTENING * (2 - FLATTENING)
    across = SEMI_MAJOR / math.sqrt(1 - e2 * math.sin(latitude) ** 2)
    along = across * (1 - e2) / (1 - e2 * math.sin(latitude) ** 2)
    origin = Geodetic(latitude, 0.4, 120.0)
    there = geodetic_from_world(Vector(3.0, 5.0, 7.0), origin, WGS84)
    # What is left out is of second order: (5 m / R)² tan(latitude) = 2e-12 rad.
    assert there.latitude - latitude == pytest.approx(5.0 / (along + 127.0), abs=3e-12)
    assert there.longitude - 0.4 == pytest.approx(3.0 / ((across + 127.0) * math.cos(latitude)), abs=6e-12)
    assert there.altitude == pytest.approx(127.0, abs=1e-5)


def test_far_along_the_equator_is_plane_trigonometry():
    there = geodetic_from_world(Vector(1e6, 0.0, 0.0), Geodetic(0.0, 0.0, 0.0), WGS84)
    assert there.latitude == 0.0
    assert there.longitude == pytest.approx(math.atan(1e6 / SEMI_MAJOR), abs=1e-15)
    assert there.altitude == pytest.approx(math.hypot(1e6, SEMI_MAJOR) - SEMI_MAJOR, abs=1e-8)
