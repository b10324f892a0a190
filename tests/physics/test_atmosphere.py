"""The standard atmosphere against its own tables, and hydrostatics for the rest."""

import math

import numpy as np
import pytest

from cupola.physics.atmosphere import (
    GAS_CONSTANT,
    GRAVITY,
    Atmosphere,
    atmosphere,
    geopotential_height,
    speed_of_sound,
)

STANDARD = Atmosphere()

# U.S. Standard Atmosphere, 1976, table I: geometric altitude [m], T [K], P [Pa], density [kg/m3].
TABLE_I = [
    (-5000, 320.676, 1.7776e5, 1.9311),
    (-1000, 294.651, 1.1393e5, 1.3470),
    (0, 288.150, 1.01325e5, 1.2250),
    (1000, 281.651, 8.9876e4, 1.1117),
    (2000, 275.154, 7.9501e4, 1.0066),
    (5000, 255.676, 5.4048e4, 7.3643e-1),
    (10000, 223.252, 2.6499e4, 4.1351e-1),
    (15000, 216.650, 1.2111e4, 1.9476e-1),
    (20000, 216.650, 5.5293e3, 8.8910e-2),
    (25000, 221.552, 2.5492e3, 4.0084e-2),
    (30000, 226.509, 1.1970e3, 1.8410e-2),
    (40000, 250.350, 2.8714e2, 3.9957e-3),
]
# The same publication: pressure at the base of each layer, geopotential height [m], P [Pa].
LAYER_BASES = [(11000, 22632.06), (20000, 5474.889), (32000, 868.0187), (47000, 110.9063)]


def last_digit(value):
    """One unit in the fifth significant digit."""
    return 10.0 ** (math.floor(math.log10(value)) - 4)


@pytest.mark.parametrize(("altitude", "temperature", "pressure", "density"), TABLE_I)
def test_table_of_the_standard(altitude, temperature, pressure, density):
    air = atmosphere(float(altitude), STANDARD)
    assert air.temperature == pytest.approx(temperature, abs=5.1e-4)
    # Five digits are printed; some of the pressures are cut there rather than rounded.
    assert air.pressure == pytest.approx(pressure, abs=last_digit(pressure))
    assert air.density == pytest.approx(density, abs=last_digit(density))


@pytest.mark.parametrize(("geopotential", "pressure"), LAYER_BASES)
def test_pressure_at_the_layer_bases(geopotential, pressure):
    radius = 6356766.0
    altitude = radius * geopotential / (radius - geopotential)
    assert geopotential_height(altitude) == pytest.approx(geopotential, rel=1e-14)
    assert atmosphere(altitude, STANDARD).pressure == pytest.approx(pressure, rel=2e-7)


@pytest.mark.parametrize(("altitude", "sound"), [(0, 340.294), (1000, 336.435), (10000, 299.532), (15000, 295.069)])
def test_speed_of_sound_of_table_iii(altitude, sound):
    assert speed_of_sound(atmosphere(float(altitude), STANDARD).temperature) == pytest.approx(sound, abs=6e-4)


@pytest.mark.parametrize("offset", [-30.0, 0.0, 25.0])
@pytest.mark.parametrize("altitude", [-2000.0, 500.0, 10900.0, 12000.0, 19900.0, 25000.0, 40000.0, 60000.0])
def test_pressure_balances_the_weight_of_the_air(altitude, offset):
    # dP/dH = -density g0; within a layer the central difference errs by (step / scale height)², about 1e-7.
    p = Atmosphere(temperature_offset=offset)
    below, here, above = (atmosphere(altitude + d, p) for d in (-2.0, 0.0, 2.0))
    rise = geopotential_height(altitude + 2.0) - geopotential_height(altitude - 2.0)
    assert (above.pressure - below.pressure) / rise == pytest.approx(-here.density * GRAVITY, rel=2e-6)
    assert here.pressure == pytest.approx(here.density * GAS_CONSTANT * here.temperature, rel=1e-14)


def test_air_thins_with_height_everywhere():
    heights = np.linspace(-8000.0, 200000.0, 4001)
    air = atmosphere(heights, STANDARD)
    assert np.all(np.isfinite(air.density)) and np.all(air.temperature > 180.0)
    assert np.all(np.diff(air.pressure) <= 0.0)
    assert air.pressure[-1] < 1e-5
    assert atmosphere(-1e7, STANDARD) == atmosphere(-5000.0, STANDARD)


def test_parameters_mean_what_they_say():
    assert atmosphere(100.0, Atmosphere(altitude=900.0)) == atmosphere(1000.0, STANDARD)
    warm = atmosphere(1000.0, Atmosphere(temperature_offset=10.0))
    assert warm.temperature == pytest.approx(atmosphere(1000.0, STANDARD).temperature + 10.0)
    assert warm.density < atmosphere(1000.0, STANDARD).density
    low = atmosphere(1000.0, Atmosphere(sea_level_pressure=99000.0))
    assert low.pressure == pytest.approx(atmosphere(1000.0, STANDARD).pressure * 99000.0 / 101325.0)
    space = atmosphere(0.0, Atmosphere(scale=0.0))
    assert space.density == space.pressure == 0.0


def test_a_fixed_density_holds_at_every_height_and_nothing_else_changes():
    for height in (-100.0, 0.0, 20000.0):
        fixed, free = atmosphere(height, Atmosphere(fixed_density=1.2682)), atmosphere(height, STANDARD)
        assert fixed == free._replace(density=1.2682)
    assert atmosphere(0.0, Atmosphere(fixed_density=1.2682, scale=0.0)).density == 0.0
