"""A planet that is round and turns: gravitation, and what a frame fixed to it adds to the motion of a body.

Gravitation with the oblateness term J2: Vallado, Fundamentals of Astrodynamics and Applications, 4th edition, 8.7.1.
Constants of WGS-84 (NIMA TR8350.2) and the J2 of the NESC check cases (NASA TM-2015-218675).
"""

from typing import NamedTuple

from cupola.physics.geodesy import FLATTENING, SEMI_MAJOR
from cupola.physics.rotation import Vector, add, cross, length, scale, subtract

MU = 3.986004418e14
"""Gravitational parameter of the Earth [m³/s²]."""
J2 = 1.08262982e-3
ROTATION = 7.292115e-5
"""Of the Earth about its axis [rad/s]."""


SPHERE_RADIUS = 6371007.1809
"""Of the sphere with the surface of the Earth's ellipsoid [m], as in the NESC check cases."""


class Planet(NamedTuple):
    """Shape, gravitation and rotation of a planet; axes are centred in it and fixed to it."""

    semi_major: float
    """[m] radius at the equator."""
    flattening: float
    """0 for a sphere."""
    mu: float
    """Gravitational parameter [m³/s²]."""
    j2: float
    """Oblateness of its gravitation, relative to `semi_major`; 0 for a sphere."""
    rotation: float
    """[rad/s] about the polar axis."""


WGS84 = Planet(SEMI_MAJOR, FLATTENING, MU, J2, ROTATION)
SPHERE = Planet(SPHERE_RADIUS, 0.0, MU, 0.0, ROTATION)
"""A round Earth without any oblateness, of shape or of gravitation."""


def gravitation(point: Vector, p: Planet) -> Vector:
    """Acceleration of free fall without rotation [m/s²] at Earth-centred coordinates [m]."""
    r = length(point)
    pull = -p.mu / (r * r * r)
    k = 1.5 * p.j2 * (p.semi_major / r) * (p.semi_major / r)
    s = (point.z / r) * (point.z / r)
    level, polar = 1.0 + k * (1.0 - 5.0 * s), 1.0 + k * (3.0 - 5.0 * s)
    return Vector(pull * level * point.x, pull * level * point.y, pull * polar * point.z)


def apparent_acceleration(point: Vector, velocity: Vector, p: Planet) -> Vector:
    """Free fall as seen from the turning planet [m/s²]: gravitation, Coriolis and centrifugal."""
    spin = Vector(0.0, 0.0, p.rotation)
    coriolis = scale(-2.0, cross(spin, velocity))
    centrifugal = scale(-1.0, cross(spin, cross(spin, point)))
    return add(gravitation(point, p), add(coriolis, centrifugal))


def apparent_torque(moments: Vector, rate: Vector, spin: Vector) -> Vector:
    """Torque [N m] that a frame turning at `spin` seems to exert on a body that turns at `rate` relative to it [rad/s].

    All in the principal axes of the body, `moments` [kg m²]. Euler's equations for rate + spin, less those for rate:
    I (rate x spin) - spin x I (rate + spin) - rate x I spin.
    """
    turned = cross(rate, spin)
    own = Vector(moments.x * turned.x, moments.y * turned.y, moments.z * turned.z)
    both = add(rate, spin)
    total = Vector(moments.x * both.x, moments.y * both.y, moments.z * both.z)
    frame = Vector(moments.x * spin.x, moments.y * spin.y, moments.z * spin.z)
    return subtract(subtract(own, cross(spin, total)), cross(rate, frame))
