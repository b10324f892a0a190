"""A wing section in steady flow from every side: attached, separated, and what lies between.

Forces stand in the axes of the section, normal to the chord and along it, because they stay simple there for all ±180°:
a wing that flies backwards is a wing whose leading edge lies behind.

Attached flow is thin-airfoil theory with leading-edge suction. Separated flow is the plate of Kirchhoff and Rayleigh
(Lamb, "Hydrodynamics", 1932, sections 76 and 77), scaled to the measured drag of a plate square to the flow, which
Kirchhoff's still wake underrates by half. Between them stands the point of separation f of Leishman and Beddoes, "A
semi-empirical model for dynamic stall", J. American Helicopter Society 34 (1989) 3-17: with Kirchhoff's own plate the
normal force is exactly their (1 + √f)² / 4.

`p` is a `Section` or anything that has its numbers: a strip, a blade element, a row of the loop.
"""

import math
from typing import Any, NamedTuple

from cupola.physics.rotation import wrap
from cupola.xmath import Number, absolute, clip, cos, exp, minimum, sin, sqrt, where

SMALL = 1e-12


class Section(NamedTuple):
    """Numbers of a section, without unit and per radian."""

    c_lift_a: float = 2.0 * math.pi
    alpha_0: float = 0.0
    """Angle of attack without lift [rad]."""
    alpha_stall: float = 0.2662
    """Angle from `alpha_0` at which 70 % of the chord is attached [rad]; defaults are NACA 0012's of the paper."""
    stall_onset: float = 0.0524
    """How gently separation begins below it [rad]."""
    stall_spread: float = 0.0401
    """How slowly it spreads above it [rad]."""
    c_normal_90: float = 1.98
    """Normal force of the plate square to the flow."""
    suction: float = 1.0
    """Share of the leading-edge suction that the nose holds; 0 for a sharp plate."""
    c_moment_0: float = 0.0
    """About the quarter chord, nose up, in attached flow."""
    c_friction: float = 0.0
    """Drag along the chord and the span, on both sides together."""


NACA_0012 = Section()


class Polar(NamedTuple):
    """Coefficients by ½ ρ V² chord: away from the upper side, towards the nose, nose-up about the quarter chord."""

    normal: Number
    forward: Number
    moment: Number
    circulation: Number
    """Lift coefficient that attached flow has at this angle."""


class LiftDrag(NamedTuple):
    """Coefficients across and along the flow."""

    lift: Number
    drag: Number


def heading(cosine: Number) -> Number:
    """1 in flow from ahead, -1 in flow from behind, from the cosine of the angle of attack.

    Between 78° and 102° it is a ramp, so that no force jumps.
    """
    return clip(5.0 * cosine, -1.0, 1.0)


def separation_point(alpha: Number, p: Any) -> Number:
    """Attached part of the chord in steady flow, 1 to 0, at an angle of attack [rad]; 0.7 at the stall.

    Flow from behind separates as flow from ahead does: what counts is the angle to the chord line. The paper's
    remainder of 0.04, a fit for angles near the stall, is left out: at 90° it would keep a fifth of the suction.
    """
    off = absolute(wrap(alpha - p.alpha_0))
    beyond = minimum(off, math.pi - off) - p.alpha_stall
    before = 1.0 - 0.3 * exp(minimum(beyond, 0.0) / p.stall_onset)
    after = 0.7 * exp(-where(beyond < 0.0, 0.0, beyond) / p.stall_spread)
    return where(beyond < 0.0, before, after)


def plate_normal(alpha: Number, c_normal_90: Number) -> Number:
    """Normal force coefficient of a fully separated plate at an angle of attack [rad]."""
    return _plate(sin(alpha), c_normal_90)


def section_polar(alpha: Number, attached: Number, p: Any) -> Polar:
    """Coefficients without friction at an angle of attack [rad], with the flow attached up to `attached` of the chord.

    The lift of attached flow stands across the stream: `normal` and `forward` are its two components. From behind the
    circulation is the other way round and acts at three quarters of the chord.
    """
    root = where(attached > SMALL, sqrt(where(attached > SMALL, attached, SMALL)), 0.0)
    weight = (2.0 * root + attached) / 3.0
    s, c = sin(alpha), cos(alpha)
    ahead = heading(c)
    lift = p.c_lift_a * sin(alpha - p.alpha_0) * ahead
    potential, plate = weight * lift * c, (1.0 - weight) * _plate(s, p.c_normal_90)
    arm = plate * (_centre(s, c) - 0.25) + potential * 0.25 * (1.0 - ahead)
    return Polar(potential + plate, p.suction * root * lift * s, weight * p.c_moment_0 - arm, lift)


def steady_polar(alpha: Number, p: Any) -> Polar:
    """Coefficients in steady flow over ±180° [rad], without friction."""
    return section_polar(alpha, separation_point(alpha, p), p)


def lift_and_drag(alpha: Number, polar: Polar) -> LiftDrag:
    """The same force across and along the flow."""
    c, s = cos(alpha), sin(alpha)
    return LiftDrag(polar.normal * c + polar.forward * s, polar.normal * s - polar.forward * c)


def polar_of(alpha: Number, c_lift: Number, c_drag: Number, c_moment: Number) -> Polar:
    """Tabulated lift, drag and moment (about the quarter chord) in the axes of the section."""
    c, s = cos(alpha), sin(alpha)
    return Polar(c_lift * c + c_drag * s, c_lift * s - c_drag * c, c_moment, c_lift)


def turned_polar(polar: Polar, angle: Number) -> Polar:
    """The same lift and drag where the flow comes from an `angle` further below [rad]."""
    c, s = cos(angle), sin(angle)
    forward = polar.forward * c + polar.normal * s
    return Polar(polar.normal * c - polar.forward * s, forward, polar.moment, polar.circulation)


def viterna(alpha: Number, alpha_stall: Number, c_lift: Number, c_drag: Number, aspect_ratio: Number) -> LiftDrag:
    """Lift and drag beyond the stall, up to 90°, continued from their values `c_lift` and `c_drag` at it.

    Viterna and Corrigan, "Fixed pitch rotor performance of large horizontal axis wind turbines", NASA CP-2230 (1982).
    """
    most = 1.11 + 0.018 * aspect_ratio
    s, c = sin(alpha_stall), cos(alpha_stall)
    lift = (c_lift - most * s * c) * s / (c * c)
    drag = (c_drag - most * s * s) / c
    return LiftDrag(
        0.5 * most * sin(2.0 * alpha) + lift * cos(alpha) * cos(alpha) / sin(alpha),
        most * sin(alpha) * sin(alpha) + drag * cos(alpha),
    )


def revolving_wing(alpha: Number) -> LiftDrag:
    """Lift and drag of an insect's wing that sweeps round at low Reynolds number, at an angle of attack [rad].

    Dickinson, Lehmann and Sane, "Wing rotation and the aerodynamic basis of insect flight", Science 284 (1999) 1954.
    """
    degree = math.pi / 180.0
    return LiftDrag(0.225 + 1.58 * sin(2.13 * alpha - 7.20 * degree), 1.92 - 1.55 * cos(2.04 * alpha - 9.82 * degree))


def _plate(s: Number, c_normal_90: Number) -> Number:
    """Of the sine of the angle of attack."""
    return c_normal_90 * (4.0 + math.pi) * s / (4.0 + math.pi * absolute(s))


def _centre(s: Number, c: Number) -> Number:
    """Of its sine and cosine."""
    return 0.5 - 0.75 * c / (4.0 + math.pi * absolute(s))
