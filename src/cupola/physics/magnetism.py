"""The Earth's magnetic field as that of a dipole at its centre.

Coefficients of degree 1 of IGRF-13, epoch 2020: Alken et al., "International Geomagnetic Reference Field: the
thirteenth generation", Earth, Planets and Space 73:49 (2021). The dipole is about nine tenths of the field
at the surface; over the South Atlantic it is least like it.
"""

from cupola.physics.rotation import Vector
from cupola.xmath import Number, cos, power, sin

G_10, G_11, H_11 = -29404.8e-9, -1450.9e-9, 4652.5e-9
"""[T]"""
RADIUS = 6371200.0
"""Of the sphere that the coefficients belong to [m]."""


def dipole_field(latitude: Number, longitude: Number, altitude: Number) -> Vector:
    """Field [T] east, north, up at a latitude, a longitude [rad] and an altitude [m] above the sphere."""
    sine, cosine = sin(latitude), cos(latitude)
    equatorial = G_11 * cos(longitude) + H_11 * sin(longitude)
    fade = power(RADIUS / (RADIUS + altitude), 3.0)
    return Vector(
        fade * (G_11 * sin(longitude) - H_11 * cos(longitude)),
        fade * (equatorial * sine - G_10 * cosine),
        2.0 * fade * (G_10 * sine + equatorial * cosine),
    )
