"""Height from pressure against the tables of the standard, airspeed against Bernoulli."""

import math

import pytest

from cupola.physics.airdata import STANDARD_DENSITY, indicated_airspeed, pitot_pressure, pressure_altitude
from cupola.physics.atmosphere import Atmosphere, atmosphere, geopotential_height


@pytest.mark.parametrize(("pressure", "height"), [(101325, 0), (89874.6, 1000), (54019.9, 5000), (22632.1, 11000)])
def test_tabulated_heights(pressure, height):
    # U.S. Standard Atmosphere 1976, table of pressure against geopotential height; six digits are 0.1 Pa, or 20 mm.
    assert pressure_altitude(float(pressure)) == pytest.approx(height, abs=0.05)


@pytest.mark.parametrize("height", [-400.0, 0.0, 10.0, 5000.0, 10999.0, 11100.0, 19000.0])
def test_it_undoes_the_standard_atmosphere(height):
    pressure = atmosphere(height, Atmosphere()).pressure
    assert pressure_altitude(pressure) == pytest.approx(geopotential_height(height), abs=1e-8)


def test_a_pitot_tube_feels_the_pressure_of_bernoulli():
    assert pitot_pressure(20.0, 1.0) == 200.0
    assert pitot_pressure(-20.0, 1.0) == 0.0
    assert pytest.approx(1.225, abs=1e-6) == STANDARD_DENSITY


def test_indicated_airspeed_is_true_at_sea_level_and_less_in_thin_air():
    assert indicated_airspeed(pitot_pressure(33.0, STANDARD_DENSITY)) == pytest.approx(33.0, rel=1e-15)
    thin = indicated_airspeed(pitot_pressure(33.0, 0.5))
    assert thin == pytest.approx(33.0 * math.sqrt(0.5 / STANDARD_DENSITY), rel=1e-15)
    assert indicated_airspeed(-3.0) == 0.0
