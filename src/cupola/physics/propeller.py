"""A propeller by blade elements and momentum: static, in flight, and turned by the wind.

Each ring of the disc pushes as much air as its blade elements ask for, T = 4 π r F ρ |V + v| v dr, with Prandtl's loss
F at tip and hub (Glauert, "Airplane propellers", in Durand's "Aerodynamic Theory", 1935). The swirl follows from the
air being pushed square to the blade's path. Where a ring brakes the air so much that momentum theory ends, the thrust
goes on along the tangent, as Glauert's empirical line does, so that one solution exists for every speed.
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import angle_of
from cupola.physics.section import NACA_0012, lift_and_drag, steady_polar
from cupola.xmath import Number, absolute, acos, cos, exp, maximum, minimum, sin, sqrt, where

HALVINGS = 44
BRAKED = 1.0 / 3.0
"""Share of the wind taken at the disc beyond which momentum theory ends."""
SMALL = 1e-9
NEARBY = 1e-3
"""[m/s] over which the slope of the inflow's rate is taken."""


class BladeElement(NamedTuple):
    """One ring of a propeller; section numbers as in `section.Section`."""

    radius: float
    """Of the middle of the ring [m]."""
    width: float
    """[m]."""
    chord: float
    """[m]."""
    pitch: float
    """Of the chord line to the disc [rad]."""
    blades: float
    tip_radius: float
    """[m]."""
    hub_radius: float = 0.0
    """[m]."""
    c_lift_a: float = NACA_0012.c_lift_a
    alpha_0: float = NACA_0012.alpha_0
    alpha_stall: float = NACA_0012.alpha_stall
    stall_onset: float = NACA_0012.stall_onset
    stall_spread: float = NACA_0012.stall_spread
    c_normal_90: float = NACA_0012.c_normal_90
    suction: float = NACA_0012.suction
    c_moment_0: float = NACA_0012.c_moment_0
    c_friction: float = NACA_0012.c_friction


class ElementLoad(NamedTuple):
    """What one ring does, all blades together."""

    thrust: Number
    """[N]."""
    torque: Number
    """Needed to turn it [N m]."""
    induced: Number
    """Speed given to the air along the shaft [m/s]."""
    alpha: Number
    """[rad]."""


def tip_loss(radius: Number, inflow_angle: Number, p: BladeElement) -> Number:
    """Prandtl's factor, 1 far from the ends of a blade: `inflow_angle` [rad] of the blade's path to the disc."""
    steep = maximum(absolute(sin(inflow_angle)), SMALL)
    tip = 0.5 * p.blades * (p.tip_radius - radius) / (radius * steep)
    hub = 0.5 * p.blades * (radius - p.hub_radius) / (maximum(p.hub_radius, SMALL) * steep)
    return _loss(tip) * where(p.hub_radius > 0.0, _loss(hub), 1.0)


def momentum_speed(induced: Number, v_axial: Number) -> Number:
    """|V + v| v [m²/s²], with its tangent beyond the range of momentum theory: grows with v everywhere."""
    wind = absolute(v_axial)
    along = where(v_axial < 0.0, -induced, induced)
    turn = -BRAKED * wind
    inside = absolute(wind + maximum(along, turn)) * maximum(along, turn)
    beyond = (1.0 - 2.0 * BRAKED) * wind * minimum(along - turn, 0.0) - _square(minimum(along - turn, 0.0))
    return where(v_axial < 0.0, -1.0, 1.0) * (inside + beyond)


def element_load(omega: Number, v_axial: Number, density: Number, p: BladeElement) -> ElementLoad:
    """Load of one ring that has long turned at `omega` ≥ 0 [rad/s] and moved at `v_axial` [m/s] along its shaft."""
    limit = absolute(v_axial) + omega * p.tip_radius + SMALL
    low, high = -limit, limit
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        too_slow = _excess(middle, omega, v_axial, p) > 0.0
        low, high = where(too_slow, middle, low), where(too_slow, high, middle)
    return blade_load(0.5 * (low + high), omega, v_axial, density, p)


def inflow_rate(induced: Number, omega: Number, v_axial: Number, p: BladeElement) -> Number:
    """Change of the induced speed [m/s²], where it is a state: no search, and the lag that air has.

    The air of a ring is that which an impervious disc of the same size would move along, 8 ρ R / 3π per area
    (Carpenter and Fridovich, NACA TN 2997, 1953).
    """
    return 3.0 / 32.0 * _excess(induced, omega, v_axial, p) / (p.tip_radius * p.radius)


def inflow_step(induced: Number, omega: Number, v_axial: Number, dt: Number, p: BladeElement) -> Number:
    """Induced speed [m/s] after `dt` [s], one implicit step along the tangent: however small and fast, it settles."""
    rate = inflow_rate(induced, omega, v_axial, p)
    pull = (rate - inflow_rate(induced + NEARBY, omega, v_axial, p)) / NEARBY
    return induced + dt * rate / (1.0 + dt * maximum(pull, 0.0))


def blade_load(induced: Number, omega: Number, v_axial: Number, density: Number, p: BladeElement) -> ElementLoad:
    """Load of one ring in the air that it gives the speed `induced` [m/s]."""
    axial, around = _path(induced, omega, v_axial, p)
    phi = angle_of(axial, around)
    thrust, pull = _blade_force(phi, p)
    push = 0.5 * density * p.blades * p.chord * p.width * (axial * axial + around * around)
    return ElementLoad(push * thrust, push * pull * p.radius, induced, p.pitch - phi)


def _excess(induced: Number, omega: Number, v_axial: Number, p: BladeElement) -> Number:
    """Thrust of the blades less that of the momentum, by ½ ρ dr [m³/s²]."""
    axial, around = _path(induced, omega, v_axial, p)
    phi = angle_of(axial, around)
    thrust, _ = _blade_force(phi, p)
    loss = tip_loss(p.radius, phi, p)
    blades = p.blades * p.chord * (axial * axial + around * around) * thrust
    return blades - 8.0 * math.pi * p.radius * loss * momentum_speed(induced, v_axial)


def _path(induced: Number, omega: Number, v_axial: Number, p: BladeElement) -> tuple[Number, Number]:
    """Speed of the blade through the air [m/s], along the shaft and around it, swirl taken off."""
    axial, around = v_axial + induced, omega * p.radius
    square = maximum(around * around - 4.0 * induced * axial, 0.0)
    root = where(square > 0.0, sqrt(where(square > 0.0, square, 1.0)), 0.0)
    return axial, 0.5 * (around + root)


def _blade_force(phi: Number, p: BladeElement) -> tuple[Number, Number]:
    """Coefficients along the shaft and against the rotation."""
    alpha = p.pitch - phi
    found = lift_and_drag(alpha, steady_polar(alpha, p))
    drag = found.drag + p.c_friction
    return found.lift * cos(phi) - drag * sin(phi), found.lift * sin(phi) + drag * cos(phi)


def _loss(exponent: Number) -> Number:
    return 2.0 / math.pi * acos(exp(-maximum(exponent, SMALL)))


def _square(x: Number) -> Number:
    return x * x
