"""What instruments make of air pressure: height from static pressure, airspeed from a pitot tube."""

from cupola.physics.atmosphere import GAS_CONSTANT, GRAVITY, LAYERS, SEA_LEVEL_TEMPERATURE
from cupola.xmath import Number, log, maximum, power, sqrt, where

STANDARD_PRESSURE = 101325.0
"""At sea level [Pa]."""
STANDARD_DENSITY = STANDARD_PRESSURE / (GAS_CONSTANT * SEA_LEVEL_TEMPERATURE)
"""At sea level [kg/m3]."""
LAPSE = -LAYERS[0][1]
"""[K/m]"""
TROPOPAUSE = LAYERS[1][0]
"""[m]"""
COLD = SEA_LEVEL_TEMPERATURE - LAPSE * TROPOPAUSE
"""Temperature of the tropopause [K]."""
COLD_PRESSURE = STANDARD_PRESSURE * (COLD / SEA_LEVEL_TEMPERATURE) ** (GRAVITY / (GAS_CONSTANT * LAPSE))
"""Pressure of the tropopause [Pa]."""
LEAST = 1.0
"""Pressure below which the altitude stays [Pa]."""


def pressure_altitude(pressure: Number) -> Number:
    """Geopotential height in the standard atmosphere [m], to its 20 km, of a static pressure [Pa]."""
    known = maximum(pressure, LEAST)
    ratio = power(known / STANDARD_PRESSURE, GAS_CONSTANT * LAPSE / GRAVITY)
    below = SEA_LEVEL_TEMPERATURE / LAPSE * (1.0 - ratio)
    above = TROPOPAUSE + GAS_CONSTANT * COLD / GRAVITY * log(COLD_PRESSURE / known)
    return where(known > COLD_PRESSURE, below, above)


def pitot_pressure(speed: Number, density: Number) -> Number:
    """Pressure [Pa] of a pitot tube over its static port, of a `speed` [m/s] of the air into it, incompressible.

    Within 1 % of the compressible value to Mach 0.2. Air from behind gives nothing.
    """
    into = maximum(speed, 0.0)
    return 0.5 * density * into * into


def indicated_airspeed(pressure: Number) -> Number:
    """Speed [m/s] that would give this pitot pressure [Pa] at standard sea level; 0 for a suction."""
    blown = pressure > 0.0
    return where(blown, sqrt(where(blown, 2.0 / STANDARD_DENSITY * pressure, 1.0)), 0.0)
