"""DeLaurier's strip of a flapping wing: harmonic motion, a finite span, leading-edge suction and stall.

DeLaurier, "An aerodynamic model for flapping-wing flight", Aeronautical Journal 97 (1993) 125-130. Plunge is positive
down, pitch nose up about the leading edge's line of the paper; angles are from the mean flow.
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector, length
from cupola.xmath import Number, both, cos, sin, where


class FlappingStrip(NamedTuple):
    """Numbers of one strip and of the wing that it belongs to."""

    chord: float
    """[m]."""
    width: float
    """[m]."""
    aspect_ratio: float
    mean_pitch: float = 0.0
    """Of the chord, with the flapping axis' angle in it [rad]."""
    axis_angle: float = 0.0
    """Of the flapping axis to the mean flow [rad]."""
    alpha_0: float = 0.0
    """Angle added by camber: minus the zero-lift angle [rad]."""
    suction: float = 1.0
    c_friction: float = 0.0
    c_moment: float = 0.0
    """About the aerodynamic centre, nose up."""
    stall_low: float = -0.2
    stall_high: float = 0.2
    """Limits of attached flow [rad]."""
    c_cross: float = 1.98
    """Drag coefficient of the stalled strip square to its flow."""


class FlappingMotion(NamedTuple):
    """Of one strip at one instant: plunge speed [m/s] and its rate, pitch [rad] and its two rates."""

    plunge_rate: Number
    plunge_acceleration: Number
    pitch: Number
    pitch_rate: Number
    pitch_acceleration: Number


class Deficiency(NamedTuple):
    """What a wake leaves of the lift in harmonic motion: in phase, and in quadrature (as Theodorsen's F and G)."""

    f: Number
    g: Number


class FlappingLoad(NamedTuple):
    """Lift and thrust [N] in wind axes, power put in [W], and whether the flow is attached (1 or 0)."""

    lift: Number
    thrust: Number
    power: Number
    attached: Number


def scherer(reduced_frequency: Number, aspect_ratio: Number) -> Deficiency:
    """Fit to Jones' finite-wing Theodorsen function, k = ω c / 2U; Scherer (1968), as DeLaurier uses it."""
    c1, c2 = 0.5 * aspect_ratio / (2.32 + aspect_ratio), 0.181 + 0.772 / aspect_ratio
    k2 = reduced_frequency * reduced_frequency
    below = k2 + c2 * c2
    return Deficiency(1.0 - c1 * k2 / below, -c1 * c2 * reduced_frequency / below)


def flapping_load(
    motion: FlappingMotion, speed: Number, omega: Number, wake: Deficiency, density: Number, p: FlappingStrip
) -> FlappingLoad:
    """Load of one strip in a stream of `speed` [m/s] that flaps at `omega` [rad/s]."""
    plunge, theta, theta_rate = motion.plunge_rate, motion.pitch, motion.pitch_rate
    c, s = cos(theta - p.axis_angle), sin(theta - p.axis_angle)
    aft = 0.75 * p.chord
    alpha = (plunge * c + aft * theta_rate) / speed + theta - p.mean_pitch
    alpha_rate = (
        motion.plunge_acceleration * c - plunge * theta_rate * s + aft * motion.pitch_acceleration
    ) / speed + theta_rate
    share = p.aspect_ratio / (2.0 + p.aspect_ratio)
    lagging = share * (wake.f * alpha + wake.g / omega * alpha_rate)
    felt = lagging - 2.0 * (p.alpha_0 + p.mean_pitch) / (2.0 + p.aspect_ratio)
    along = speed * cos(theta) - plunge * s
    across = speed * (felt + p.mean_pitch) - 0.5 * p.chord * theta_rate
    push = 0.5 * density * speed * length(Vector(along, across, 0.0)) * p.chord * p.width

    angle = felt + p.mean_pitch - aft * theta_rate / speed
    attached = where(both(angle > p.stall_low, angle < p.stall_high), 1.0, 0.0)
    bound = push * 2.0 * math.pi * (felt + p.alpha_0 + p.mean_pitch)
    mass = 0.25 * math.pi * density * p.chord * p.chord * p.width
    moved = mass * (speed * alpha_rate - 0.25 * p.chord * motion.pitch_acceleration)
    nose = felt + p.mean_pitch - 0.25 * p.chord * theta_rate / speed
    chordwise = (
        p.suction * 2.0 * math.pi * nose * nose * push
        + 2.0 * math.pi * p.alpha_0 * (felt + p.mean_pitch) * push
        - 0.5 * density * p.c_friction * along * along * p.chord * p.width
    )
    across_mid = plunge * c + 0.5 * p.chord * theta_rate + speed * sin(theta)
    hit = length(Vector(along, across_mid, 0.0))
    broken = 0.5 * density * p.c_cross * hit * across_mid * p.chord * p.width

    added = where(attached > 0.0, moved, 0.5 * moved)
    normal = added + where(attached > 0.0, bound, broken)
    pull = attached * chordwise
    turn = 0.25 * p.chord * theta_rate
    damping = mass * p.chord * (0.25 * speed * theta_rate + 0.03125 * p.chord * motion.pitch_acceleration)
    moment = attached * (p.c_moment * push * p.chord) - damping
    return FlappingLoad(
        normal * cos(theta) + pull * sin(theta),
        pull * cos(theta) - normal * sin(theta),
        pull * plunge * s + normal * (plunge * c + turn) + added * turn - moment * theta_rate,
        attached,
    )
