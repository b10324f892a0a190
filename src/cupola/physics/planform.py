"""Where the strips of a wing lie, and how they follow when the wing changes its shape.

Axes of the wing: x front, y along the span of a left wing, z up, from its root. A right wing is the mirror image of a
left one: everything is computed as on the left, then reflected.
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import Quaternion, Vector, multiply, rotate
from cupola.xmath import Number, cos, log, maximum, sin, sqrt, where

FLAT = 1e-12
"""1 / m of sections without lift."""


class Spread(NamedTuple):
    """What the wake induces at a strip by what it would on an elliptic wing: 1 + at_1 + slope x + bend x², x = ln m,
    m = π A / (a cos Λ). Zeros are an elliptic wing.
    """

    at_1: Number = 0.0
    slope: Number = 0.0
    bend: Number = 0.0


class Shape(NamedTuple):
    """What a wing can change in flight."""

    span: Number = 1.0
    """By the span as built [1]."""
    sweep: Number = 0.0
    """Turn of the whole wing about the upright axis of its root, tip backwards [rad]."""
    dihedral: Number = 0.0
    """Turn about the front axis of its root, tip up [rad]."""
    twist: Number = 0.0
    """Of the tip against the root, nose up, growing evenly along the span [rad]."""
    camber: Number = 0.0
    """Height of the arched section over the chord [1]."""


class Built(NamedTuple):
    """A strip as built: its quarter chord in axes of the wing, nose up against it, and how far out it is."""

    x: Number
    """[m]."""
    y: Number
    """[m]."""
    z: Number
    """[m]."""
    incidence: Number
    """[rad]."""
    out: Number
    """0 at the root, 1 at the tip."""
    sweep: Number
    """Turn of its span line about the upright axis [rad]: positive where its left end lies behind."""


def turn_wing(shape: Shape, side: Number) -> Quaternion:
    """Turn of the whole of a left wing (`side` 1) or of a right one (-1) about its root."""
    sweep, dihedral = 0.5 * shape.sweep * side, 0.5 * shape.dihedral * side
    about_z = Quaternion(cos(sweep), 0.0, 0.0, sin(sweep))
    return multiply(about_z, Quaternion(cos(dihedral), sin(dihedral), 0.0, 0.0))


def strip_place(strip: Built, span: Number, turned: Quaternion, side: Number) -> Vector:
    """Where a strip of a wing that is `turned` lies [m]."""
    return rotate(turned, Vector(strip.x, side * strip.y * span, strip.z))


def strip_turn(strip: Built, twist: Number, turned: Quaternion) -> Quaternion:
    """From the axes of a strip, across and along its span line, to those of the wing's site."""
    nose_up, sweep = 0.5 * (strip.incidence + twist * strip.out), 0.5 * strip.sweep
    across = Quaternion(
        cos(nose_up) * cos(sweep), sin(nose_up) * sin(sweep), -sin(nose_up) * cos(sweep), cos(nose_up) * sin(sweep)
    )
    return multiply(turned, across)


def cos_of_sweep(turn: Quaternion) -> Number:
    """Cosine of the angle by which the span line of a strip with this turn is swept."""
    aside, along = 2.0 * (turn.x * turn.y - turn.w * turn.z), 1.0 - 2.0 * (turn.x * turn.x + turn.z * turn.z)
    across = sqrt(aside * aside + along * along)
    return where(across > 0.0, abs(along) / where(across > 0.0, across, 1.0), 1.0)


def span_factor(ratio: Number, cos_sweep: Number, slope: Number, spread: Spread) -> Number:
    """Steady lift of a strip by that of an infinite wing with the same sweep Λ: m / (m + spread), m = π A / (a cos Λ).

    With sections of the lift `slope` a [1/rad] across the span line an elliptic wing has the lift slope a cos Λ A / (A
    + a cos Λ / π) (Diederich, NACA TN 2335) and the induced drag L² / (q π b²), where A = b² / S has the span b across
    the flight as it is now. Other wings have those of their lifting line, by the `spread` of each strip.
    """
    by_m = slope * cos_sweep / (math.pi * ratio)
    x = -log(maximum(by_m, FLAT))
    induced = 1.0 + spread.at_1 + x * (spread.slope + x * spread.bend)
    return 1.0 / (1.0 + by_m * maximum(induced, 0.0))


def ratio_of(built: Number, reach: Number, span: Number) -> Number:
    """Aspect ratio of a wing whose tip lies `reach` times as far out as built, and that is `span` times as long."""
    return built * reach * reach / span
