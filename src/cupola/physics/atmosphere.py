"""Air at rest: U.S. Standard Atmosphere, 1976 (NOAA, NASA, USAF; NOAA-S/T 76-1562).

Four layers of constant temperature gradient in geopotential height, hydrostatic, ideal gas. Above 47 km the temperature
stays at 270.65 K (the standard's own value to 51 km), so pressure and density fall to zero; below -5 km, where the
published tables begin, the air stays as at -5 km.
"""

from typing import NamedTuple

from cupola.xmath import Number, clip, exp, log, maximum, sqrt, where

GAS_CONSTANT = 8314.32 / 28.9644
"""Dry air [J/(kg K)]: table 2 of the standard, universal constant by molar mass."""
GRAVITY = 9.80665
"""Of the standard [m/s2]; it defines geopotential height and is not the gravity of the world."""
EARTH_RADIUS = 6356766.0
"""Effective, at 45.5° latitude [m]."""
HEAT_RATIO = 1.4
LOWEST = -5000.0
SEA_LEVEL_TEMPERATURE = 288.15
LAYERS = ((0.0, -0.0065), (11000.0, 0.0), (20000.0, 0.001), (32000.0, 0.0028), (47000.0, 0.0))
"""Geopotential height of the base [m] and temperature gradient [K/m]: table 4 of the standard."""
UNBOUNDED = 1e9


class Atmosphere(NamedTuple):
    """How the air of a world differs from the standard."""

    altitude: float = 0.0
    """Of the world's z = 0, above sea level [m]."""
    temperature_offset: float = 0.0
    """Added to the standard temperature at every height [K]; pressure follows hydrostatically."""
    sea_level_pressure: float = 101325.0
    """[Pa]"""
    scale: float = 1.0
    """Multiplies pressure and density: 1 = air, 0 = space."""
    fixed_density: float = 0.0
    """The same at every height [kg/m3], as textbooks do; 0 = that of the standard."""


class AirState(NamedTuple):
    """Temperature [K], pressure [Pa], density [kg/m3]."""

    temperature: Number
    pressure: Number
    density: Number


def atmosphere(height: Number, p: Atmosphere) -> AirState:
    """Air at `height` above the world's z = 0 [m]."""
    geopotential = geopotential_height(maximum(p.altitude + height, LOWEST))
    temperature = SEA_LEVEL_TEMPERATURE + p.temperature_offset
    depth = 0.0  # integral of dh / T over the layers [m/K]
    for i in range(len(LAYERS)):
        base, gradient = LAYERS[i]
        # The first layer also reaches below sea level, the last one has no top.
        lowest = base if i > 0 else -UNBOUNDED
        top = LAYERS[i + 1][0] if i + 1 < len(LAYERS) else UNBOUNDED
        thickness = clip(geopotential, lowest, top) - base
        warmer = temperature + gradient * thickness
        even = gradient == 0.0
        depth = depth + where(even, thickness / temperature, log(warmer / temperature) / where(even, 1.0, gradient))
        temperature = warmer
    pressure = p.scale * p.sea_level_pressure * exp(-GRAVITY / GAS_CONSTANT * depth)
    standard = pressure / (GAS_CONSTANT * temperature)
    return AirState(temperature, pressure, where(p.fixed_density > 0.0, p.scale * p.fixed_density, standard))


def geopotential_height(altitude: Number) -> Number:
    """Height of equal potential energy in constant gravity [m], of a geometric altitude [m]."""
    return EARTH_RADIUS * altitude / (EARTH_RADIUS + altitude)


def speed_of_sound(temperature: Number) -> Number:
    """In air [m/s], of a temperature [K]."""
    return sqrt(HEAT_RATIO * GAS_CONSTANT * temperature)
