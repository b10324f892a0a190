"""Gravitation and turning frames against closed forms."""

import math

import numpy as np
import pytest

from cupola.physics.geodesy import (
    FLATTENING,
    SEMI_MAJOR,
    Geodetic,
    ecef_from_enu,
    ecef_from_geodetic,
    enu_from_ecef,
)
from cupola.physics.planet import (
    J2,
    MU,
    ROTATION,
    SPHERE,
    WGS84,
    apparent_acceleration,
    apparent_torque,
    gravitation,
)
from cupola.physics.rotation import Vector, cross

STILL = Vector(0.0, 0.0, 0.0)
EARTH = WGS84
SEMI_MINOR = SEMI_MAJOR * (1.0 - FLATTENING)


def test_a_sphere_pulls_to_its_centre_with_the_inverse_square():
    pull = gravitation(Vector(3e6, -4e6, 5e6), SPHERE._replace(rotation=0.0))
    r = math.sqrt(50e12)
    np.testing.assert_allclose(pull, np.array([-3e6, 4e6, -5e6]) * MU / r**3, rtol=1e-14)


def test_oblateness_is_the_slope_of_its_potential():
    # U = mu / r (1 - J2 (a / r)² (3 s² - 1) / 2) with s the sine of the geocentric latitude.
    def potential(x, y, z):
        r = math.sqrt(x * x + y * y + z * z)
        return MU / r * (1.0 - J2 * (SEMI_MAJOR / r) ** 2 * (3.0 * (z / r) ** 2 - 1.0) / 2.0)

    at, h = np.array([4.1e6, -2.2e6, 4.4e6]), 10.0
    slope = [(potential(*(at + h * e)) - potential(*(at - h * e))) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(gravitation(Vector(*at), EARTH), slope, rtol=1e-8)


@pytest.mark.parametrize(("point", "printed"), [((SEMI_MAJOR, 0.0, 0.0), 9.7803), ((0.0, 0.0, SEMI_MINOR), 9.8322)])
def test_weight_at_equator_and_pole(point, printed):
    # Normal gravity of WGS-84: 9.7803253 and 9.8321849 m/s² (NIMA TR8350.2, table 3.4); J2 alone is good to 1e-4.
    size = math.dist(apparent_acceleration(Vector(*point), STILL, EARTH), STILL)
    assert size == pytest.approx(printed, abs=2e-4)


def test_a_plumb_line_hangs_along_the_normal_of_the_ellipsoid():
    # That is what the ellipsoid is for: its normal is the direction of gravity, to the neglected J4 (a few 1e-6 rad).
    place = Geodetic(math.radians(45.0), 0.3, 0.0)
    east, north, up = enu_from_ecef(
        apparent_acceleration(ecef_from_geodetic(place, WGS84), STILL, EARTH), place.latitude, 0.3
    )
    assert abs(east) < 1e-12 and abs(north / up) < 1e-5


def test_coriolis_deflects_to_the_right_in_the_north():
    place = Geodetic(math.radians(50.0), 0.0, 0.0)
    point = ecef_from_geodetic(place, WGS84)
    moving = ecef_from_enu(Vector(0.0, 100.0, 0.0), place.latitude, 0.0)
    change = np.subtract(apparent_acceleration(point, moving, EARTH), apparent_acceleration(point, STILL, EARTH))
    east = enu_from_ecef(Vector(*change), place.latitude, 0.0).x
    assert east == pytest.approx(2.0 * ROTATION * math.sin(place.latitude) * 100.0, rel=1e-12)


def test_a_body_at_rest_among_the_stars_seems_to_turn_steadily():
    # Rate -spin in the turning frame is rest in inertial space: no torque acts and the rate stays -spin in world axes,
    # so in body axes it changes by spin x spin = 0.
    spin = Vector(0.1, -0.2, 0.3)
    torque = apparent_torque(Vector(1.0, 2.0, 2.5), Vector(-0.1, 0.2, -0.3), spin)
    own = Vector(-0.1, 0.4, -0.75)  # moments times rate
    gyroscopic = cross(Vector(-0.1, 0.2, -0.3), own)
    np.testing.assert_allclose(torque, gyroscopic, atol=1e-15)
