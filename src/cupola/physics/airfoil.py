"""A lifting surface by its coefficients, in the axes of the books: front-right-down (FRD).

Beard and McLain, "Small Unmanned Aircraft" (2012), chapter 4. Forces act at the surface's origin. Deflections are about
x (aileron), y (elevator) and z (rudder) [rad].
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector, Wrench, angle_of, length
from cupola.xmath import Number, absolute, cos, exp, sin, where


class Surface(NamedTuple):
    """Geometry and coefficients, without unit and per radian. `mcoeff` and `alpha_stall` only enter `linear_lift`."""

    area: float
    """[m2]"""
    span: float
    """[m]; reference length of roll and yaw"""
    chord: float
    """[m]; reference length of pitch"""
    oswald: float = 1.0
    mcoeff: float = 50.0
    """How abruptly attached flow turns into that of a flat plate."""
    alpha_stall: float = 0.4712
    """[rad]"""
    c_lift_0: float = 0.0
    c_lift_a: float = 0.0
    c_lift_q: float = 0.0
    c_lift_input_y: float = 0.0
    c_drag_p: float = 0.0
    c_drag_q: float = 0.0
    c_drag_input_y: float = 0.0
    c_y_0: float = 0.0
    c_y_b: float = 0.0
    c_y_p: float = 0.0
    c_y_r: float = 0.0
    c_y_input_x: float = 0.0
    c_y_input_z: float = 0.0
    c_l_0: float = 0.0
    c_l_b: float = 0.0
    c_l_p: float = 0.0
    c_l_r: float = 0.0
    c_l_input_x: float = 0.0
    c_l_input_z: float = 0.0
    c_m_0: float = 0.0
    c_m_a: float = 0.0
    c_m_q: float = 0.0
    c_m_input_y: float = 0.0
    c_n_0: float = 0.0
    c_n_b: float = 0.0
    c_n_p: float = 0.0
    c_n_r: float = 0.0
    c_n_input_x: float = 0.0
    c_n_input_z: float = 0.0


class Airflow(NamedTuple):
    """Airspeed [m/s], angle of attack and angle of sideslip [rad]."""

    speed: Number
    alpha: Number
    beta: Number


def airflow(vel_air_frd: Vector) -> Airflow:
    """Airspeed triplet of the velocity through the air [m/s].

    alpha = atan2(w, u); beta = asin(v / V) as in the books, not atan2(v, u). It is written as the angle of v against
    the rest of the flow, which is the same angle with a finite slope in pure side flow. At rest all three are zero.
    """
    u, v, w = vel_air_frd
    return Airflow(length(vel_air_frd), angle_of(w, u), angle_of(v, length(Vector(u, 0.0, w))))


def stall_blend(alpha: Number, alpha_stall: Number, mcoeff: Number) -> Number:
    """Weight of the flat plate: 0 in attached flow, 1/2 at ±`alpha_stall`, 1 far beyond.

    The book's quotient of exponentials overflows. It equals a + b - a b with two logistic functions, which does not.
    """
    above = _logistic(mcoeff * (alpha - alpha_stall))
    below = _logistic(-mcoeff * (alpha + alpha_stall))
    return above + below - above * below


def plate_lift(alpha: Number) -> Number:
    """Lift coefficient of a flat plate in separated flow."""
    return 2.0 * where(alpha < 0.0, -1.0, 1.0) * sin(alpha) * sin(alpha) * cos(alpha)


def linear_lift(alpha: Number, p: Surface) -> Number:
    """Lift coefficient: a line that blends into a flat plate past the stall."""
    stalled = stall_blend(alpha, p.alpha_stall, p.mcoeff)
    return (1.0 - stalled) * (p.c_lift_0 + p.c_lift_a * alpha) + stalled * plate_lift(alpha)


def linear_drag(alpha: Number, p: Surface) -> Number:
    """Drag coefficient: parasitic and induced. The line of lift feeds it past the stall too, so it keeps growing."""
    line = p.c_lift_0 + p.c_lift_a * alpha
    return p.c_drag_p + line * line * p.area / (math.pi * p.oswald * p.span * p.span)


def surface_wrench(
    flow: Airflow, rate_frd: Vector, deflection: Vector, c_lift: Number, c_drag: Number, density: Number, p: Surface
) -> Wrench:
    """Force [N] and torque [N m] in FRD axes from the lift and drag coefficients at `flow.alpha`.

    `rate_frd` is the surface's angular velocity [rad/s]. The books scale rates by chord / 2V or span / 2V; multiplied
    out with the dynamic pressure no speed is left below the line, so the wrench fades to zero with the speed.
    """
    push = 0.5 * density * flow.speed * flow.speed * p.area
    damp = 0.25 * density * flow.speed * p.area
    p_rate, q_rate, r_rate = rate_frd
    lift = push * (c_lift + p.c_lift_input_y * deflection.y) + damp * p.chord * p.c_lift_q * q_rate
    drag = push * (c_drag + p.c_drag_input_y * deflection.y) + damp * p.chord * p.c_drag_q * q_rate
    side = p.c_y_0 + p.c_y_b * flow.beta + p.c_y_input_x * deflection.x + p.c_y_input_z * deflection.z
    roll = p.c_l_0 + p.c_l_b * flow.beta + p.c_l_input_x * deflection.x + p.c_l_input_z * deflection.z
    pitch = p.c_m_0 + p.c_m_a * flow.alpha + p.c_m_input_y * deflection.y
    yaw = p.c_n_0 + p.c_n_b * flow.beta + p.c_n_input_x * deflection.x + p.c_n_input_z * deflection.z
    ca, sa = cos(flow.alpha), sin(flow.alpha)
    return Wrench(
        Vector(
            lift * sa - drag * ca,
            push * side + damp * p.span * (p.c_y_p * p_rate + p.c_y_r * r_rate),
            -lift * ca - drag * sa,
        ),
        Vector(
            p.span * (push * roll + damp * p.span * (p.c_l_p * p_rate + p.c_l_r * r_rate)),
            p.chord * (push * pitch + damp * p.chord * p.c_m_q * q_rate),
            p.span * (push * yaw + damp * p.span * (p.c_n_p * p_rate + p.c_n_r * r_rate)),
        ),
    )


def _logistic(x: Number) -> Number:
    """1 / (1 + e^-x), without overflow and precise at both ends."""
    small = exp(-absolute(x))
    return where(x < 0.0, small, 1.0) / (1.0 + small)
