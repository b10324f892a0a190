"""The stream behind a propeller: momentum theory at the disc, a vortex tube behind it.

McCormick, "Aerodynamics of V/STOL Flight" (1967), chapter 4: the stream gathers speed from the disc on and contracts as
its mass flow stays. Khan and Nahon, "Development and validation of a propeller slipstream model for unmanned aerial
vehicles", Journal of Aircraft 52 (2015) 1985-1994, measure it so up to 1.5 radii behind the disc. Farther back the
stream mixes with the air around it and slows as a round turbulent jet does: Panchapakesan and Lumley, "Turbulence
measurements in axisymmetric jets of air and helium, part 1", Journal of Fluid Mechanics 246 (1993) 197-223. Swirl is
left out, and so is the bending of the jet by wind across it.
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector, dot, scale, subtract
from cupola.xmath import Number, clip, exp, maximum, minimum, sqrt, where

THIN = 1e-9
"""Air thinner than this [kg/m³] is taken as this."""
NARROWEST, WIDEST = 0.5, 2.0
"""Cross-section of the stream by that of the disc: half of it far behind a propeller that stands still."""


class Stream(NamedTuple):
    """What must be known of a propeller to find its stream anywhere behind it."""

    disc_w: Vector = Vector(0.0, 0.0, 0.0)
    """Centre of the disc, world [m]."""
    shaft_w: Vector = Vector(1.0, 0.0, 0.0)
    """Along the thrust, world."""
    induced: Number = 0.0
    """Speed that the disc adds to the air passing through it [m/s]."""
    ahead: Number = 0.0
    """Airspeed along the shaft [m/s]."""
    radius: Number = 0.0
    """[m]"""


def induced_speed(thrust: Number, v_normal: Number, density: Number, radius: Number) -> Number:
    """Speed that the disc adds to the air passing through it [m/s]: T = 2 ρ A (V + v) v.

    `v_normal` is the airspeed along the shaft [m/s]; in reversed flow it counts as zero. A propeller that brakes slows
    the air, by half its speed at most: there the theory ends.
    """
    forward = maximum(v_normal, 0.0)
    disc = maximum(density, THIN) * math.pi * radius * radius
    square = forward * forward + 2.0 * thrust / disc
    pushing = square > 0.0
    return 0.5 * (where(pushing, sqrt(where(pushing, square, 1.0)), 0.0) - forward)


def stream_speed(induced: Number, distance: Number, radius: Number) -> Number:
    """Speed added to the air [m/s] at a `distance` s behind the disc [m], negative ahead: v (1 + s / √(s² + R²))."""
    return induced * (1.0 + distance / sqrt(distance * distance + radius * radius))


def stream_radius(induced: Number, added: Number, v_normal: Number, radius: Number) -> Number:
    """Radius of the stream [m] where it is faster by `added` than the air: R² (V + v) = r² (V + added)."""
    forward = maximum(v_normal, 0.0)
    through, here = forward + induced, forward + added
    flowing = here > 0.0
    section = where(flowing, through / where(flowing, here, 1.0), 1.0)
    return radius * sqrt(clip(section, NARROWEST, WIDEST))


JET_DECAY, JET_SPREAD = 6.06, 0.096
"""A jet of diameter d and speed U has U · 6.06 d / s on its axis far behind, and half of that at 0.096 s beside it."""


SMALLEST = 1e-3
"""[m] radius of a propeller, so that one whose stream is not known yet adds nothing rather than not a number."""


def jet_velocity(stream: Stream, point_w: Vector) -> Vector:
    """Velocity that a propeller adds to the air at a point anywhere around it, world axes [m/s]."""
    away = subtract(point_w, stream.disc_w)
    behind = -dot(away, stream.shaft_w)
    beside_2 = dot(away, away) - behind * behind
    radius = maximum(stream.radius, SMALLEST)
    added = stream_speed(stream.induced, behind, radius)
    core = JET_DECAY * 2.0 * stream_radius(stream.induced, added, stream.ahead, radius)
    half = JET_SPREAD * maximum(behind, core)
    speed = added * core / maximum(behind, core) * exp(-math.log(2.0) * beside_2 / (half * half))
    return scale(-speed, stream.shaft_w)


def immersed_share(stream: Number, along: Number, across: Number, span: Number) -> Number:
    """Part of a span that lies in a stream of radius `stream` [m].

    The axis of the stream passes the middle of the span at a distance `along` the span and `across` it [m].
    """
    square = stream * stream - across * across
    within = square > 0.0
    half = where(within, sqrt(where(within, square, 1.0)), 0.0)
    overlap = minimum(along + half, 0.5 * span) - maximum(along - half, -0.5 * span)
    return maximum(overlap, 0.0) / span
