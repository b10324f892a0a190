"""Near the ground: a rotor pushes harder for its power, a wing lifts more and drags less.

Rotor: Cheeseman and Bennett, "The effect of the ground on a helicopter rotor in forward flight", ARC R&M 3021 (1955); a
mirrored source below the ground takes some of the induced flow away. Wing: the mirrored vortices lower the induced
angle and the induced drag by the same share (Wieselsberger, "Wing resistance near the ground", NACA TM 77, 1922), which
is 1 / (1 + (16 h / b)²) by McCormick, "Aerodynamics, Aeronautics and Flight Mechanics" (2nd ed. 1995), section 7.
Below half a span that is too little: exp(-2.48 (2 h / b)^0.768) by Torenbeek, "Synthesis of Subsonic Airplane Design"
(1982), appendix G, follows Wieselsberger's own figures and the lattice above its image (`image_share`).
"""

import math
from typing import NamedTuple

from cupola.physics.airfoil import Surface
from cupola.xmath import Number, clip, exp, maximum, power, sqrt, where

LOWEST = 0.5
"""Height by radius below which the rotor's gain stays as there: the theory ends, and would grow without bound."""
TINY = 1e-9
MOST = 0.5
"""Induced angle saved, by angle of attack: so the lift of a wing at most doubles, whatever its numbers."""


def rotor_gain(
    height: Number, radius: Number, thrust: Number, speed: Number, upright: Number, density: Number
) -> Number:
    """Thrust near the ground by thrust far from it, at the same power: 1 / (1 - (R/4z)² / (1 + (V/v)²)).

    `speed` is the airspeed in the plane of the disc [m/s]. v is the induced speed at the `thrust` [N] far from the
    ground, by Glauert v² (V² + v²) = (T / 2ρA)². The mirrored source blows straight up: a tilted rotor feels
    `upright`, the vertical part of its shaft, of that. A rotor that does not push away from the ground gains nothing.
    """
    near = radius / (4.0 * maximum(height, LOWEST * radius))
    swept = density * math.pi * radius * radius * speed * speed / maximum(thrust, TINY)  # V² / 2 v_hover²
    fade = 1.0 / (swept + sqrt(swept * swept + 1.0))  # v² / v_hover², so that its square is v² / (V² + v²)
    gain = 1.0 / (1.0 - near * near * fade * fade * clip(upright, 0.0, 1.0))
    return where(thrust > 0.0, gain, 1.0)


def wing_share(height: Number, span: Number) -> Number:
    """Share of the induced angle and drag that the ground takes away: 1 on the ground, 0 far from it."""
    far = 16.0 * maximum(height, 0.0) / span
    return 1.0 / (1.0 + far * far)


class WholeWing(NamedTuple):
    """The wing that a surface is a part of: what its induced drag follows from."""

    area: Number
    """[m²]"""
    oswald: Number
    span: Number
    """[m]"""


def image_share(height: Number, span: Number) -> Number:
    """The same share, as the mirrored vortices of an elliptic wing make it."""
    return exp(-2.48 * power(maximum(2.0 * height / span, TINY), 0.768))


def factor_near_ground(factor: Number, share: Number) -> Number:
    """Lift by that of an infinite span, A / (A + 2), when the ground takes a share of the induced angle:
    A / (A + 2 (1 - share)).
    """
    return factor / (factor + (1.0 - share) * (1.0 - factor))


def wing_lift(c_lift: Number, slope: Number, share: Number, p: Surface | WholeWing) -> Number:
    """Lift coefficient near the ground from that far from it and its slope [1/rad], at the same angle of attack.

    The angle gains share C_L / (π e AR), with the C_L that results: C_L = C_L∞ / (1 - share slope / (π e AR)). A wing
    past its stall, whose slope is not positive, gains nothing.
    """
    return c_lift / (1.0 - clip(share * slope * induced_by_lift(p), 0.0, MOST))


def wing_drag(c_drag: Number, c_lift_far: Number, c_lift: Number, share: Number, p: Surface | WholeWing) -> Number:
    """Drag coefficient near the ground: the induced part far from it gives way to (1 - share) C_L² / (π e AR)."""
    return c_drag + induced_by_lift(p) * ((1.0 - share) * c_lift * c_lift - c_lift_far * c_lift_far)


def induced_by_lift(p: Surface | WholeWing) -> Number:
    """Induced angle by lift coefficient, 1 / (π e AR) [rad]."""
    return p.area / (math.pi * p.oswald * p.span * p.span)
