"""A plain flap or a bent camber line in thin-airfoil theory.

Glauert, "The Elements of Aerofoil and Airscrew Theory" (1926), chapters 7 and 8.
"""

import math
from typing import NamedTuple

from cupola.xmath import Number, acos, sin


class Camber(NamedTuple):
    """What a camber line or a deflection does: zero-lift angle [rad] and moment about the quarter chord, nose up."""

    alpha_0: Number
    c_moment: Number


class FlapEffect(NamedTuple):
    """Per radian of deflection, trailing edge down."""

    angle: Number
    """Angle of attack that gives the same lift [1]."""
    c_lift: Number
    c_moment: Number
    """About the quarter chord, nose up."""


def flap_effect(fraction: Number) -> FlapEffect:
    """Plain flap whose chord is a `fraction` of the section's, between 0 and 1."""
    hinge = acos(2.0 * fraction - 1.0)
    angle = 1.0 - (hinge - sin(hinge)) / math.pi
    return FlapEffect(angle, 2.0 * math.pi * angle, -0.5 * sin(hinge) * (2.0 - 2.0 * fraction))


def parabolic_camber(height: Number) -> Camber:
    """Camber line z = 4 h x (1 - x), with its `height` h in chords."""
    return Camber(-2.0 * height, -math.pi * height)
