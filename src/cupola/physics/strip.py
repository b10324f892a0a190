"""A strip of a wing that moves as it likes: steady, lagging and accelerating air forces on one section.

Axes of the strip: x towards the nose along the chord, y along the span to the left, z up. The section lies across the
span line, so flow along the span makes no lift: only what crosses it counts. Strips of a swept wing are turned with its
span line; `across_sweep` gives their chord and width.

The unsteady part is Theodorsen's thin plate (NACA report 496, 1935) in the plate's own axes, where it holds for large
motions. With D the speed of a point of the chord towards its lower side, D½ at mid-chord and Dₖ at three quarters,
b the half chord, q the nose-up rate, u the speed forward and w the effective downwash that the wake leaves of Dₖ:

    normal force   2 π ρ b u w at the quarter chord  +  π ρ b² dD½/dt at mid-chord
    suction        2 π ρ b (w - b q / 2)²  towards the nose (Garrick, NACA report 567, 1936)
    moment         - π ρ b³ u q / 2 - π ρ b⁴ (dq/dt) / 8  nose up about mid-chord

Their power is -d/dt (½ π ρ b² D½² + π ρ b⁴ q² / 16) - 2 π ρ b u w (Dₖ - w), exactly: the added mass stores what it
takes, and all that is lost goes into the wake. Stall enters through the section's coefficients at the angle of w.

The wake is a sum of lags, as R. T. Jones has it (NACA report 681, 1940), with a share of lift for a finite span. What
lags and what the span takes its share of is the downwash beyond that of the zero-lift line, so a section that is arched
or has its flap down has the induced drag of its lift. Jones' two lags are within 0.014 of Theodorsen's function; the
five here, fitted to it at k = 0.01 to 3, within 0.0007. Their rates have whole ratios, so one exponential gives all of
them. The stall lags are those of Leishman and Beddoes (see `section`).
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector, Wrench, angle_of, length, wrap
from cupola.physics.section import NACA_0012, Polar, heading, separation_point
from cupola.xmath import Number, cos, exp, tan, where

SHARE_1, SHARE_2, SHARE_3, SHARE_4, SHARE_5 = 0.0096, 0.0400, 0.1648, 0.2265, 0.0591
RATE_1 = 0.0037
RATE_2, RATE_3, RATE_4, RATE_5 = 6.0 * RATE_1, 24.0 * RATE_1, 72.0 * RATE_1, 216.0 * RATE_1
"""Parts of the lift that lag, and how fast they come [1 / half chords travelled]; half of the lift comes at once."""


class Strip(NamedTuple):
    """Numbers of one strip: where it lies, and those of its section (see `section.Section`)."""

    chord: float
    """[m] along x."""
    width: float
    """[m] along y."""
    origin: float = 0.25
    """Where the strip's origin lies, behind the leading edge [chords]."""
    span_factor: float = 1.0
    """Steady lift by that of an infinite span: see `planform.span_factor`."""
    lag_pressure: float = 1.7
    """Of the pressure behind the angle of attack [half chords travelled]."""
    lag_separation: float = 3.0
    """Of the boundary layer behind the pressure [half chords travelled]."""
    c_lift_a: float = NACA_0012.c_lift_a
    alpha_0: float = NACA_0012.alpha_0
    alpha_stall: float = NACA_0012.alpha_stall
    stall_onset: float = NACA_0012.stall_onset
    stall_spread: float = NACA_0012.stall_spread
    c_normal_90: float = NACA_0012.c_normal_90
    suction: float = NACA_0012.suction
    c_moment_0: float = NACA_0012.c_moment_0
    c_friction: float = NACA_0012.c_friction


class StripFlow(NamedTuple):
    """Motion of the section through the air, across its span line."""

    forward: Number
    """[m/s]."""
    down: Number
    """Of mid-chord, towards the lower side [m/s]."""
    aside: Number
    """Along the span, to the left [m/s]."""
    rate: Number
    """Nose up [rad/s]."""
    felt: Number
    """Down at the rear quarter point of the chord, which sets the circulation [m/s]."""


class StripState(NamedTuple):
    """Unsteady state of the air around a strip."""

    wake_1: Number
    """Lagging downwash beyond `idle_down` [m/s], the slowest first."""
    wake_2: Number
    wake_3: Number
    wake_4: Number
    wake_5: Number
    alpha: Number
    """Lagging angle of attack [rad]."""
    attached: Number
    """Part of the chord."""


class Across(NamedTuple):
    """Size of a strip across its span line [m]."""

    chord: Number
    width: Number


def across_sweep(chord: Number, width: Number, sweep: Number) -> Across:
    """Strip of a wing cut along the flight: `chord` along it and `width` across it [m], swept by `sweep` [rad]."""
    c = cos(sweep)
    return Across(chord * c, width / c)


def strip_flow(vel_air_s: Vector, rate_s: Vector, p: Strip) -> StripFlow:
    """Flow of a strip whose origin moves at `vel_air_s` [m/s] through the air and turns at `rate_s` [rad/s]."""
    forward, rate = vel_air_s.x, -rate_s.y
    down = (0.5 - p.origin) * p.chord * rate - vel_air_s.z
    speed = length(Vector(forward, 0.0, down))
    ahead = heading(where(speed > 0.0, forward / where(speed > 0.0, speed, 1.0), 1.0))
    return StripFlow(forward, down, vel_air_s.y, rate, down + ahead * 0.25 * p.chord * rate)


def idle_down(flow: StripFlow, p: Strip) -> Number:
    """Downwash at which there is no lift, nor anything induced [m/s]: that of motion along the zero-lift line."""
    return tan(p.alpha_0) * flow.forward


def effective_down(state: StripState, flow: StripFlow, p: Strip) -> Number:
    """`flow.felt` minus the velocity induced by the wake [m/s]."""
    late = SHARE_1 * state.wake_1 + SHARE_2 * state.wake_2 + SHARE_3 * state.wake_3
    late = late + SHARE_4 * state.wake_4 + SHARE_5 * state.wake_5
    return 0.5 * (flow.felt + idle_down(flow, p)) + (2.0 * p.span_factor - 1.0) * late


def steady_down(flow: StripFlow, p: Strip) -> Number:
    """The same in flow that has not changed for long [m/s]: the strip without memory."""
    return p.span_factor * flow.felt + (1.0 - p.span_factor) * idle_down(flow, p)


def strip_start(flow: StripFlow, p: Strip) -> StripState:
    """Memory of a strip that has moved so for long."""
    alpha, down = angle_of(steady_down(flow, p), flow.forward), flow.felt - idle_down(flow, p)
    return StripState(down, down, down, down, down, alpha, separation_point(alpha, p))


def strip_rates(state: StripState, flow: StripFlow, alpha: Number, p: Strip) -> StripState:
    """Change of each memory per second, at the angle of attack `alpha` of the effective downwash [rad]."""
    down, travelled = flow.felt - idle_down(flow, p), _travel(flow, p)
    return StripState(
        RATE_1 * travelled * (down - state.wake_1),
        RATE_2 * travelled * (down - state.wake_2),
        RATE_3 * travelled * (down - state.wake_3),
        RATE_4 * travelled * (down - state.wake_4),
        RATE_5 * travelled * (down - state.wake_5),
        travelled / p.lag_pressure * wrap(alpha - state.alpha),
        travelled / p.lag_separation * (separation_point(state.alpha, p) - state.attached),
    )


def strip_step(state: StripState, flow: StripFlow, alpha: Number, dt: Number, p: Strip) -> StripState:
    """Memory after `dt` [s] of a flow held constant (and `alpha` as above); stable for any step."""
    down, way = flow.felt - idle_down(flow, p), _travel(flow, p) * dt
    near = separation_point(state.alpha, p)
    left_1 = exp(-RATE_1 * way)
    left_2 = _cubed(left_1) * _cubed(left_1)
    left_3 = left_2 * left_2 * left_2 * left_2
    left_4 = _cubed(left_3)
    return StripState(
        down + (state.wake_1 - down) * left_1,
        down + (state.wake_2 - down) * left_2,
        down + (state.wake_3 - down) * left_3,
        down + (state.wake_4 - down) * left_4,
        down + (state.wake_5 - down) * _cubed(left_4),
        state.alpha + wrap(alpha - state.alpha) * (1.0 - exp(-way / p.lag_pressure)),
        near + (state.attached - near) * exp(-way / p.lag_separation),
    )


def strip_wrench(flow: StripFlow, down: Number, attached: Number, polar: Polar, density: Number, p: Strip) -> Wrench:
    """Force [N] and torque [N m] about the origin in axes of the strip, all but the added mass.

    `down` is the effective downwash [m/s] and `polar` the section's coefficients at its angle, without friction;
    `attached` weighs the share of suction that comes from turning (0 leaves it out).
    """
    half, area = 0.5 * p.chord, p.chord * p.width
    speed = length(Vector(flow.forward, 0.0, down))
    push = 0.5 * density * speed * area
    ahead = heading(where(speed > 0.0, flow.forward / where(speed > 0.0, speed, 1.0), 1.0))
    turning = 0.25 * math.pi * density * half * half * area * flow.rate
    pull = p.suction * attached * ahead * (turning - push * polar.circulation * half) * flow.rate
    rub = _rub(flow, density, p)
    normal = push * speed * polar.normal
    pitch = push * speed * polar.moment * p.chord - ahead * turning * flow.forward
    return Wrench(
        Vector(push * speed * polar.forward + pull - rub * flow.forward, -rub * flow.aside, normal),
        Vector(0.0, -pitch - (p.origin - 0.25) * p.chord * normal, 0.0),
    )


def strip_friction(flow: StripFlow, density: Number, p: Strip) -> Vector:
    """Friction alone [N], axes of the strip."""
    rub = _rub(flow, density, p)
    return Vector(-rub * flow.forward, -rub * flow.aside, 0.0)


def added_mass(density: Number, p: Strip) -> Number:
    """Mass of air that moves with the strip, across the chord [kg]."""
    return 0.25 * math.pi * density * p.chord * p.chord * p.width


def added_wrench(down_rate: Number, pitch_rate: Number, density: Number, p: Strip) -> Wrench:
    """Wrench [N, N m] about the origin of the air that must be accelerated.

    `down_rate` is the change of `StripFlow.down` [m/s²], `pitch_rate` that of `StripFlow.rate` [rad/s²].
    """
    mass = added_mass(density, p)
    normal = mass * down_rate
    pitch = -0.03125 * mass * p.chord * p.chord * pitch_rate + (p.origin - 0.5) * p.chord * normal
    return Wrench(Vector(0.0, 0.0, normal), Vector(0.0, -pitch, 0.0))


def added_energy(flow: StripFlow, density: Number, p: Strip) -> Number:
    """Kinetic energy of that air [J]."""
    turning = 0.03125 * p.chord * p.chord * flow.rate * flow.rate
    return 0.5 * added_mass(density, p) * (flow.down * flow.down + turning)


def _rub(flow: StripFlow, density: Number, p: Strip) -> Number:
    """Friction by the speed along the surface [N s/m]."""
    area = p.chord * p.width
    return 0.5 * density * area * p.c_friction * length(Vector(flow.forward, flow.aside, 0.0))


def _cubed(x: Number) -> Number:
    return x * x * x


def _travel(flow: StripFlow, p: Strip) -> Number:
    """Half chords travelled per second."""
    return 2.0 * length(Vector(flow.forward, 0.0, flow.felt)) / p.chord
