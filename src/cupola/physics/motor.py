"""Two propulsion models: an ideal one that follows the throttle at once, and motor + battery + propeller.

One sign for both. The shaft and thrust axis is +x of the motor's site. `direction` is +1 for right-handed rotation
about it (clockwise seen from behind), -1 for left-handed. `omega` carries that sign; `torque` is the reaction on the
vehicle about +x and always opposes the rotation.
"""

import math
from typing import NamedTuple

from cupola.xmath import Number, absolute, clip, exp, maximum, power, where

THROTTLE_DEAD_BAND = 0.01
"""Below this throttle the electric model gives neither thrust nor torque."""
STATIC_EFFICIENCY = 0.9
STATIC_FADE = 4.0
"""Speed [m/s] over which the static thrust falls by a factor e."""
TINY = 1e-10
SLOW = 1e-3
"""Shaft speed [rad/s] below which the advance ratio is that of this speed."""


class GenericMotor(NamedTuple):
    """Ideal motor and propeller: Beard and McLain, "Small Unmanned Aircraft" (2012), section 4.3."""

    s_prop: float
    """Area swept by the propeller [m2]."""
    c_prop: float
    k_motor: float
    """Speed of the slipstream at full throttle [m/s]."""
    k_t_p: float
    """Torque per squared shaft speed [N m s2]."""
    k_omega: float
    """Shaft speed at full throttle [rad/s]."""


class MotorOutput(NamedTuple):
    """Thrust [N], reaction torque [N m] about the thrust axis, shaft speed [rad/s]."""

    thrust: Number
    torque: Number
    omega: Number


class ElectricMotor(NamedTuple):
    """Brushless motor, battery and propeller of an advance-ratio table."""

    k_v: float
    """Speed constant [rev/s/V]."""
    r_motor: float
    """[ohm]"""
    i_0: float
    """No-load current [A]."""
    r_battery: float
    """[ohm]"""
    cells: float
    cell_voltage: float
    """[V]"""
    prop_diameter: float
    """[m]"""
    inertia: float
    """Of rotor and propeller about the shaft [kg m2]."""
    omega_min: float
    omega_max: float
    """[rad/s]"""
    thrust_max: float
    """[N]"""
    j_min: float
    j_max: float
    """Range of the advance ratio that the propeller data cover."""
    fade_in: float = 0.0
    """0: thrust as the source has it; 1: the part from useful power fades in as the static part fades out."""


class ElectricOutput(NamedTuple):
    """Thrust [N], reaction torque [N m], change of |omega| [rad/s2], current [A], powers [W]."""

    thrust: Number
    torque: Number
    omega_dot: Number
    current: Number
    power_motor: Number
    power_propeller: Number


def generic_motor(
    throttle: Number, airspeed: Number, density: Number, direction: Number, p: GenericMotor
) -> MotorOutput:
    """Thrust from the momentum added to the stream; negative when the air is faster than the propeller throws it."""
    slipstream = p.k_motor * throttle
    omega = p.k_omega * throttle
    thrust = 0.5 * density * p.s_prop * p.c_prop * (slipstream * slipstream - airspeed * airspeed)
    return MotorOutput(thrust, -direction * p.k_t_p * omega * omega, direction * omega)


def advance_ratio(v_normal: Number, omega: Number, p: ElectricMotor) -> Number:
    """J = V / (n D), held within the propeller's data: a shaft near rest in moving air would leave any table."""
    turns = maximum(absolute(omega), SLOW) / (2.0 * math.pi)
    return clip(v_normal / (turns * p.prop_diameter), p.j_min, p.j_max)


def electric_motor(
    throttle: Number,
    omega: Number,
    v_normal: Number,
    density: Number,
    efficiency: Number,
    c_power: Number,
    direction: Number,
    p: ElectricMotor,
) -> ElectricOutput:
    """Currents, powers and thrust at shaft speed `omega`, with the propeller's coefficients at its advance ratio.

    `v_normal` is the airspeed along the thrust axis [m/s]. Thrust is the useful power by the speed plus a static part,
    0.9 of ideal momentum theory, that fades as the aircraft gathers speed. In reversed flow the speed counts as zero,
    and a motor that brakes adds no static thrust. The source's formula is kept with its flaw: as the speed falls to
    zero the first part tends to a finite value, so thrust drops by more than half at exactly zero. With `fade_in` 1 the
    weights of the two parts add up to one, and thrust is continuous.
    """
    turns = absolute(omega) / (2.0 * math.pi)
    back_voltage = turns / p.k_v
    current = (p.cell_voltage * p.cells * throttle - back_voltage) / (p.r_battery * throttle + p.r_motor)
    power_motor = back_voltage * (current - p.i_0)
    torque_motor = (current - p.i_0) / (2.0 * math.pi * p.k_v)
    drag = c_power * density * turns * turns * power(p.prop_diameter, 5.0) / (2.0 * math.pi)
    power_propeller = drag * absolute(omega)

    forward = maximum(v_normal, 0.0)
    fade = exp(-forward / STATIC_FADE)
    moving = (1.0 - p.fade_in * fade) * power_propeller * absolute(efficiency / (forward + TINY))
    cube = 0.5 * math.pi * density * _square(p.prop_diameter * maximum(power_motor, 0.0))
    pulling = cube > 0.0
    ideal = where(pulling, power(where(pulling, cube, 1.0), 1.0 / 3.0), 0.0)
    static = STATIC_EFFICIENCY * fade * ideal
    on = throttle >= THROTTLE_DEAD_BAND
    return ElectricOutput(
        thrust=where(on, clip(moving + static, 0.0, p.thrust_max), 0.0),
        torque=where(on, -direction * drag, 0.0),
        omega_dot=(torque_motor - drag) / p.inertia,
        current=current,
        power_motor=power_motor,
        power_propeller=power_propeller,
    )


def spin_up(omega: Number, omega_dot: Number, direction: Number, dt: Number, p: ElectricMotor) -> Number:
    """Shaft speed after `dt` [s], held within its limits."""
    return direction * clip(absolute(omega) + omega_dot * dt, p.omega_min, p.omega_max)


def spin_up_literal(omega: Number, omega_dot: Number, throttle: Number, direction: Number, p: ElectricMotor) -> Number:
    """Shaft speed after one step as the Last_letter_2 thesis prints it, with the throttle in place of the time step.

    The steady state is the same, the spin-up is not: it depends on the number of steps, whatever their length.
    """
    return direction * clip(absolute(omega + direction * omega_dot * throttle), p.omega_min, p.omega_max)


def _square(x: Number) -> Number:
    return x * x
