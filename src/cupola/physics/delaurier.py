"""DeLaurier's strip of a flapping wing: harmonic motion, a finite span, leading-edge suction and stall.

DeLaurier, "An aerodynamic model for flapping-wing flight", Aeronautical Journal 97 (1993) 125-130. Plunge is positive
down, pitch nose up about the leading edge's line of the paper; angles are from the mean flow.

His wake is that of a harmonic motion, by Scherer's fit C(k) = 1 - C₁ (k² + i C₂ k) / (k² + C₂²). That is the answer
1 - C₁ s / (s + C₂ · 2U/c) of one lag, so a strip with that lag (`lagging_down`, `lagging_step`) is his in any harmonic
motion, mean flow included, and needs to know neither frequency nor mean: it can fly.
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector, Wrench, length
from cupola.physics.strip import StripFlow
from cupola.xmath import Number, both, cos, exp, sin, where


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


class WakeLag(NamedTuple):
    """Part of the lift that comes late, and how fast it comes [1 / half chords travelled]."""

    share: Number
    rate: Number


class SectionLoad(NamedTuple):
    """Of one strip without the inertia of the air [N]: across its chord, towards the nose, and what both rest on."""

    normal: Number
    forward: Number
    pressure: Number
    """Dynamic pressure times area."""
    attached: Number
    """1 or 0."""


def scherer_lag(aspect_ratio: Number) -> WakeLag:
    """Scherer's C₁ and C₂ (1968), as DeLaurier uses them."""
    return WakeLag(0.5 * aspect_ratio / (2.32 + aspect_ratio), 0.181 + 0.772 / aspect_ratio)


def scherer(reduced_frequency: Number, aspect_ratio: Number) -> Deficiency:
    """Fit to Jones' finite-wing Theodorsen function, k = ω c / 2U; Scherer (1968), as DeLaurier uses it."""
    lag = scherer_lag(aspect_ratio)
    c1, c2 = lag.share, lag.rate
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
    across_mid = plunge * c + 0.5 * p.chord * theta_rate + speed * sin(theta)
    air = section_load(felt + p.mean_pitch, speed, StripFlow(along, across_mid, 0.0, theta_rate, 0.0), density, p)
    mass = 0.25 * math.pi * density * p.chord * p.chord * p.width
    moved = mass * (speed * alpha_rate - 0.25 * p.chord * motion.pitch_acceleration)
    added = where(air.attached > 0.0, moved, 0.5 * moved)
    normal = added + air.normal
    turn = 0.25 * p.chord * theta_rate
    damping = mass * p.chord * (0.25 * speed * theta_rate + 0.03125 * p.chord * motion.pitch_acceleration)
    moment = air.attached * (p.c_moment * air.pressure * p.chord) - damping
    return FlappingLoad(
        normal * cos(theta) + air.forward * sin(theta),
        air.forward * cos(theta) - normal * sin(theta),
        air.forward * plunge * s + normal * (plunge * c + turn) + added * turn - moment * theta_rate,
        air.attached,
    )


def section_load(angle: Number, speed: Number, flow: StripFlow, density: Number, p: FlappingStrip) -> SectionLoad:
    """Load at an `angle` that the wake leaves of the angle of attack [rad], in a stream of `speed` [m/s].

    Of the flow only the speed along the chord, that across it at mid-chord and the nose-up rate count.
    """
    across = speed * angle - 0.5 * p.chord * flow.rate
    push = 0.5 * density * speed * length(Vector(flow.forward, across, 0.0)) * p.chord * p.width
    off = angle - 0.75 * p.chord * flow.rate / speed
    attached = where(both(off > p.stall_low, off < p.stall_high), 1.0, 0.0)
    bound = push * 2.0 * math.pi * (angle + p.alpha_0)
    nose = angle - 0.25 * p.chord * flow.rate / speed
    chordwise = (
        p.suction * 2.0 * math.pi * nose * nose * push
        + 2.0 * math.pi * p.alpha_0 * angle * push
        - 0.5 * density * p.c_friction * flow.forward * flow.forward * p.chord * p.width
    )
    hit = length(Vector(flow.forward, flow.down, 0.0))
    broken = 0.5 * density * p.c_cross * hit * flow.down * p.chord * p.width
    return SectionLoad(where(attached > 0.0, bound, broken), attached * chordwise, push, attached)


def flapping_wrench(flow: StripFlow, late: Number, speed: Number, density: Number, p: FlappingStrip) -> Wrench:
    """Load about the quarter chord in axes of the strip, without the inertia of the air, in any motion [N, N m].

    `late` is what the wake remembers (`lagging_step`), `speed` that of the wing as a whole through the air [m/s].
    """
    share = p.aspect_ratio / (2.0 + p.aspect_ratio)
    angle = lagging_down(flow, late, p) / speed - (1.0 - share) * p.alpha_0
    air = section_load(angle, speed, flow, density, p)
    mass = 0.25 * math.pi * density * p.chord * p.chord * p.width
    pitch = air.attached * p.c_moment * air.pressure * p.chord - 0.25 * mass * p.chord * speed * flow.rate
    return Wrench(Vector(air.forward, 0.0, air.normal), Vector(0.0, -pitch, 0.0))


def lagging_down(flow: StripFlow, late: Number, p: FlappingStrip) -> Number:
    """What the wake and the finite span leave of the downwash at three quarters of the chord [m/s]."""
    lag = scherer_lag(p.aspect_ratio)
    return p.aspect_ratio / (2.0 + p.aspect_ratio) * ((1.0 - lag.share) * flow.felt + lag.share * late)


def lagging_step(late: Number, flow: StripFlow, speed: Number, dt: Number, p: FlappingStrip) -> Number:
    """What the wake remembers after `dt` [s] of a flow held constant [m/s]; in the end that flow's `felt`."""
    way = 2.0 * speed * dt / p.chord
    return flow.felt + (late - flow.felt) * exp(-scherer_lag(p.aspect_ratio).rate * way)
