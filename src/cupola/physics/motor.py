"""Propulsion models: two that follow the throttle at once, ideal or quadratic, and motor + battery + propeller.

One sign for all. The shaft and thrust axis is +x of the motor's site. `direction` is +1 for right-handed rotation
about it (clockwise seen from behind), -1 for left-handed. `omega` carries that sign; `torque` is the reaction on the
vehicle about +x and always opposes the rotation. `shaft_reaction` is what the spinning mass adds to it.
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector
from cupola.xmath import Number, absolute, clip, exp, maximum, power, sqrt, where

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


class QuadraticMotor(NamedTuple):
    """Motor on a voltage and propeller of quadratic coefficients: Beard and McLain's supplement to section 4.3."""

    diameter: float
    """Of the propeller [m]."""
    k_emf: float
    """Voltage per shaft speed, and torque per current [V s/rad = N m/A]."""
    resistance: float
    """[ohm]"""
    idle_current: float
    """[A] lost to friction."""
    voltage_max: float
    """[V] at full throttle."""
    c_q_0: float
    c_q_1: float
    c_q_2: float
    """Torque coefficient, by powers of the advance ratio."""
    c_t_0: float
    c_t_1: float
    c_t_2: float
    """Thrust coefficient, by powers of the advance ratio."""


class QuadraticOutput(NamedTuple):
    """Thrust [N], reaction torque [N m] about the thrust axis, shaft speed [rad/s], current [A], shaft power [W]."""

    thrust: Number
    torque: Number
    omega: Number
    current: Number
    power: Number


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
    throttle: Number, v_normal: Number, density: Number, direction: Number, p: GenericMotor
) -> MotorOutput:
    """Thrust from the momentum added to the stream; negative when the air is faster than the propeller throws it.

    `v_normal` is the airspeed along the thrust axis [m/s], with its sign: the `corrected` law. It is `generic_thesis`
    for a propeller that flies straight along its shaft, and differs wherever else the air comes from.
    """
    return _generic(throttle, v_normal * absolute(v_normal), density, direction, p)


def generic_thesis(
    throttle: Number, airspeed: Number, density: Number, direction: Number, p: GenericMotor
) -> MotorOutput:
    """The law as printed in Last_letter_2: T = ½ ρ S C [(k δ)² - V²] with the whole airspeed V [m/s].

    Air from the side or from behind takes thrust as well: a multirotor at 10 m/s loses 7 % of its hover thrust, and one
    that falls with its motors off is pushed ever faster towards the ground.
    """
    return _generic(throttle, airspeed * airspeed, density, direction, p)


def _generic(throttle: Number, lost: Number, density: Number, direction: Number, p: GenericMotor) -> MotorOutput:
    """`lost` is the square of the speed [m²/s²] that the stream has already."""
    slipstream = p.k_motor * throttle
    omega = p.k_omega * throttle
    thrust = 0.5 * density * p.s_prop * p.c_prop * (slipstream * slipstream - lost)
    return MotorOutput(thrust, -direction * p.k_t_p * omega * omega, direction * omega)


def quadratic_motor(
    throttle: Number, airspeed: Number, density: Number, direction: Number, p: QuadraticMotor
) -> QuadraticOutput:
    """Motor and propeller in balance: a Ω² + d Ω + f = 0 with torques of propeller, motor and friction.

    Its positive root is written so that it stays finite without air (a = 0); a motor too weak for its friction stands
    still. The coefficients are multiplied out with the advance ratio, so no shaft speed is left below the line.
    """
    voltage = p.voltage_max * throttle
    a = p.c_q_0 * density * power(p.diameter, 5.0) / (4.0 * math.pi * math.pi)
    d = p.c_q_1 * density * power(p.diameter, 4.0) * airspeed / (2.0 * math.pi) + p.k_emf * p.k_emf / p.resistance
    f = p.c_q_2 * density * power(p.diameter, 3.0) * airspeed * airspeed
    f = f - p.k_emf * voltage / p.resistance + p.k_emf * p.idle_current
    square = d * d - 4.0 * a * f
    turns_on = square > 0.0
    root = where(turns_on, sqrt(where(turns_on, square, 1.0)), 0.0)
    omega = maximum(-2.0 * f / (d + root), 0.0)
    tip = p.diameter * omega / (2.0 * math.pi)  # so that the advance ratio is airspeed / tip [m/s]
    disc = density * p.diameter * p.diameter
    thrust = disc * (p.c_t_2 * airspeed * airspeed + p.c_t_1 * airspeed * tip + p.c_t_0 * tip * tip)
    drag = disc * p.diameter * (p.c_q_2 * airspeed * airspeed + p.c_q_1 * airspeed * tip + p.c_q_0 * tip * tip)
    current = (voltage - p.k_emf * omega) / p.resistance
    return QuadraticOutput(thrust, -direction * drag, direction * omega, current, drag * omega)


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


def shaft_reaction(inertia: Number, omega: Number, omega_dot: Number, rate: Vector) -> Vector:
    """Torque on the vehicle [N m] of a shaft that spins and gathers speed, in axes whose x is along the shaft.

    The shaft holds the angular momentum h = J Ω about x beside what the vehicle has with its shafts locked; a vehicle
    that turns at `rate` [rad/s] feels -dh/dt = -J dΩ/dt - rate × h (Euler). The second part does no work.
    """
    spin = inertia * omega
    return Vector(-inertia * omega_dot, -spin * rate.z, spin * rate.y)


def _square(x: Number) -> Number:
    return x * x
