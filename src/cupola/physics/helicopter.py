"""A lifting rotor with collective and cyclic pitch: blade elements, flapping blades, the inflow of the disc, the shaft.

Blades turn from the azimuth 0 in the direction of rotation; β(ψ) = β0 + β1c cos ψ + β1s sin ψ is the flap angle of a
blade, θ(ψ) its pitch likewise. Equations: Johnson, "Helicopter Theory" (1980), chapters 2 to 5; Padfield, "Helicopter
Flight Dynamics" (2007), chapter 3. The stabilizer bar and the governor are those of Gavrilets, Mettler and Feron,
"Dynamic model for a miniature aerobatic helicopter", MIT LIDS report P-2580 (2003).
"""

import math
from typing import NamedTuple

from cupola.physics.propeller import BladeElement
from cupola.physics.rotation import angle_of
from cupola.physics.section import lift_and_drag, steady_polar
from cupola.xmath import Number, clip, cos, exp, maximum, sin, sqrt

SMALL = 1e-9


class ElementForce(NamedTuple):
    """What one element of one blade does [N]."""

    normal: Number
    """Square to the blade and to its path around the shaft, towards the thrust."""
    back: Number
    """Against its path."""


class Flap(NamedTuple):
    """Harmonics of the flap angle of all blades [rad], and their rates [rad/s] in axes that do not turn."""

    coning: Number = 0.0
    cosine: Number = 0.0
    """Disc tilted down towards the azimuth 180°."""
    sine: Number = 0.0
    """Disc tilted down towards the azimuth 270°."""
    coning_rate: Number = 0.0
    cosine_rate: Number = 0.0
    sine_rate: Number = 0.0


class Harmonics(NamedTuple):
    """Mean, cosine and sine part of something that a blade meets around the disc."""

    mean: Number
    cosine: Number
    sine: Number


class DriveShaft(NamedTuple):
    """What turns a rotor."""

    speed: Number = 0.0
    """[rad/s]"""
    rate: Number = 0.0
    """[rad/s²]"""


class ShaftTorque(NamedTuple):
    """What rotors ask of the shaft that turns them [N m]."""

    torque: Number = 0.0


class Governed(NamedTuple):
    """An engine and its governor after a step."""

    speed: Number
    """[rad/s]"""
    total: Number
    """Integral of the speed error [rad]."""
    throttle: Number


def element_force(across: Number, up: Number, pitch: Number, density: Number, p: BladeElement) -> ElementForce:
    """Of an element that moves `across` along its path and `up` towards the thrust [m/s] through the air.

    `pitch` [rad] is that of the swashplate; the element's own is its twist.
    """
    phi = angle_of(up, across)
    alpha = pitch + p.pitch - phi
    found = lift_and_drag(alpha, steady_polar(alpha, p))
    drag = found.drag + p.c_friction
    push = 0.5 * density * p.chord * p.width * (across * across + up * up)
    return ElementForce(
        push * (found.lift * cos(phi) - drag * sin(phi)), push * (found.lift * sin(phi) + drag * cos(phi))
    )


def skew(induced: Number, v_axial: Number, v_edge: Number) -> Number:
    """Growth of the inflow from the middle of the disc to its edge downwind, as share of its mean: tan of half the
    angle of the wake (Coleman, Feingold and Stempin, NACA ARR L5E10, 1945).
    """
    through = v_axial + induced
    return v_edge / maximum(sqrt(v_edge * v_edge + through * through) + through, SMALL)


def disc_inflow_step(
    induced: Number, thrust: Number, slope: Number, v_axial: Number, v_edge: Number, area: Number, dt: Number
) -> Number:
    """Induced speed [m/s] after `dt` [s] under a thrust per density [m⁴/s²] that falls by `slope` [m³/s] with it.

    The air that takes part is that of an impervious disc, 8/3 ρ R³ (Carpenter and Fridovich, NACA TN 2997, 1953). One
    implicit step along the tangent.
    """
    radius = sqrt(area / math.pi)
    taking = 8.0 / 3.0 * radius * radius * radius
    through = v_axial + induced
    flow = maximum(sqrt(v_edge * v_edge + through * through), SMALL)
    rate = (thrust - 2.0 * area * induced * flow) / taking
    pull = (slope + 2.0 * area * (flow + induced * through / flow)) / taking
    return induced + dt * rate / (1.0 + dt * maximum(pull, 0.0))


def flap_step(
    flap: Flap, moment: Harmonics, omega: Number, tilting: Harmonics, stiffness: Number, inertia: Number, dt: Number
) -> Flap:
    """Flapping after `dt` [s] under the moments of the air [N m] at the hinges of blades that turn at `omega` [rad/s].

    Hinges at the shaft with a spring [N m/rad]. `tilting` [rad/s] is how fast the hub lifts the blade at azimuth 0 and
    at 90°; its acceleration and the weight of the blades are left out. The coupling by the rotation, 2 Ω, is taken in
    the middle of the step, the springs at its end: steps of a fraction of a turn neither damp nor feed it.
    """
    turn = omega * dt
    spring = stiffness / inertia
    still = spring + omega * omega
    coning_rate = (flap.coning_rate + dt * (moment.mean / inertia - still * flap.coning)) / (1.0 + dt * dt * still)
    side = 1.0 / (1.0 + dt * dt * spring)
    push_c = moment.cosine / inertia - spring * flap.cosine - 2.0 * omega * tilting.sine
    push_s = moment.sine / inertia - spring * flap.sine + 2.0 * omega * tilting.cosine
    c = flap.cosine_rate + dt * push_c * side - turn * flap.sine_rate
    s = flap.sine_rate + dt * push_s * side + turn * flap.cosine_rate
    # (1, turn; -turn, 1) times the new rates is (c, s)
    whole = 1.0 + turn * turn
    cosine_rate, sine_rate = (c - turn * s) / whole, (s + turn * c) / whole
    return Flap(
        flap.coning + dt * coning_rate,
        flap.cosine + dt * cosine_rate,
        flap.sine + dt * sine_rate,
        coning_rate,
        cosine_rate,
        sine_rate,
    )


def bar_step(tilt: Number, asked: Number, tilting: Number, lag: Number, dt: Number) -> Number:
    """Tilt [rad] of a stabilizer bar to the hub after `dt` [s]: it follows its paddles, and stays in space for a while.

    `asked` [rad] is the tilt that the swashplate gives its paddles, `tilting` [rad/s] how fast the hub tilts, `lag` [s]
    16 / (γ Ω) of its Lock number γ.
    """
    rest = asked - lag * tilting
    return rest + (tilt - rest) * exp(-dt / maximum(lag, SMALL))


def governed_step(
    speed: Number, total: Number, resisting: Number, wanted: Number, power: Number, inertia: Number, kp: Number,
    ki: Number, dt: Number,
) -> Governed:  # fmt: skip
    """Shaft after `dt` [s]: throttle by the speed error and its integral, torque by power; a freewheel drives only."""
    error = wanted - speed
    after = total + error * dt
    asked = kp * error + ki * after
    throttle = clip(asked, 0.0, 1.0)
    # An engine at its limit gathers no error that it would have to work off.
    kept = after - (asked - throttle) / maximum(ki, SMALL)
    torque = throttle * power / maximum(speed, 0.1 * wanted)
    faster = speed + dt * (torque - resisting) / inertia
    return Governed(maximum(faster, 0.0), kept, throttle)
