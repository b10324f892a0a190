"""The Earth's dipole in east, north, up against the vector formula of a dipole, and against its poles."""

import math

import numpy as np
import pytest

from cupola.physics.geodesy import ecef_from_enu
from cupola.physics.magnetism import G_10, G_11, H_11, RADIUS, dipole_field


@pytest.mark.parametrize("latitude", [-1.3, 0.0, 0.66])
@pytest.mark.parametrize("longitude", [-2.0, 0.0, 0.41])
@pytest.mark.parametrize("altitude", [0.0, 4e5])
def test_it_is_the_field_of_a_dipole(latitude, longitude, altitude):
    moment = np.array([G_11, H_11, G_10])
    out = [math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude)]
    expected = (RADIUS / (RADIUS + altitude)) ** 3 * (3 * np.dot(moment, out) * np.array(out) - moment)
    field = ecef_from_enu(dipole_field(latitude, longitude, altitude), latitude, longitude)
    np.testing.assert_allclose(field, expected, atol=1e-19)


def test_the_pole_is_in_the_arctic_of_canada_and_the_field_points_down_there():
    # Geomagnetic north pole of 2020 by IGRF-13: 80.7° N, 72.7° W.
    field = dipole_field(math.radians(80.65), math.radians(-72.68), 0.0)
    assert math.hypot(field.x, field.y) < 1e-3 * -field.z
    assert field.z == pytest.approx(-2 * math.hypot(G_10, G_11, H_11), rel=1e-6)


def test_in_athens_it_points_north_and_down():
    field = dipole_field(math.radians(38.0), math.radians(23.7), 0.0)
    assert field.y > 2e-5 and field.z < -3e-5
    assert 4e-5 < math.hypot(*field) < 5e-5
