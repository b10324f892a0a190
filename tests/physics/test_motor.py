"""Both motors: signs, limits, and the steady states and spin-up of the Last_letter_2 twin-motor plane."""

import math

import numpy as np
import pytest

from cupola.physics.curve import polynomial
from cupola.physics.motor import (
    ElectricMotor,
    GenericMotor,
    QuadraticMotor,
    advance_ratio,
    electric_motor,
    generic_motor,
    generic_thesis,
    quadratic_motor,
    shaft_reaction,
    spin_up,
    spin_up_literal,
)
from cupola.physics.rotation import Vector, cross, dot

# Seed specification annex B.2 and B.4.
PLANE = GenericMotor(s_prop=0.01619, c_prop=1.0, k_motor=55.0, k_t_p=0.0, k_omega=20.0)
QUAD = GenericMotor(s_prop=0.017, c_prop=0.17, k_motor=80.0, k_t_p=0.00002, k_omega=254.0)
# Annex B.5; the propeller polynomials hold up to the advance ratio where efficiency returns to zero.
ELECTRIC = ElectricMotor(
    k_v=13.333, r_motor=0.041, i_0=0.9, r_battery=0.0, cells=3.0, cell_voltage=4.0, prop_diameter=0.305, inertia=0.008,
    omega_min=0.01, omega_max=1000.0, thrust_max=138.0, j_min=0.0, j_max=0.8,
)  # fmt: skip
EFFICIENCY = [0.0, 3.19, -12.15, 27.83, -21.82]
POWER = [0.0661, -0.1647, 0.2958, -0.2355]
DT = 0.0025


def drive(throttle, omega, speed, direction=1.0, p=ELECTRIC):
    j = advance_ratio(speed, omega, p)
    efficiency, c_power = polynomial(j, EFFICIENCY), polynomial(j, POWER)
    return electric_motor(throttle, omega, speed, 1.225, efficiency, c_power, direction, p)


def run_up(throttle, speed, steps, direction=1.0, literal=False):
    omega, history = direction * ELECTRIC.omega_min, []
    for _ in range(steps):
        dot = drive(throttle, omega, speed, direction).omega_dot
        if literal:
            omega = spin_up_literal(omega, dot, throttle, direction, ELECTRIC)
        else:
            omega = spin_up(omega, dot, direction, DT, ELECTRIC)
        history.append(omega)
    return np.array(history)


def test_generic_static_thrust():
    assert generic_motor(1.0, 0.0, 1.225, 1.0, PLANE).thrust == pytest.approx(30.0, abs=0.05)
    assert generic_motor(1.0, 0.0, 1.225, 1.0, QUAD).thrust == pytest.approx(11.33, abs=0.005)
    # Four of them hold 1.0128 kg at 0.468 of the throttle.
    assert 4 * generic_motor(0.468, 0.0, 1.225, 1.0, QUAD).thrust == pytest.approx(1.0128 * 9.81, rel=2e-3)


def test_a_windmilling_propeller_only_brakes():
    # Without throttle the thrust opposes the flow through the disc, whichever way it goes: power thrust * V <= 0.
    assert generic_motor(0.0, 10.0, 1.225, 1.0, QUAD).thrust < 0.0 < generic_motor(0.0, -10.0, 1.225, 1.0, QUAD).thrust


@pytest.mark.parametrize("motor", [PLANE, QUAD])
@pytest.mark.parametrize("airspeed", [0.0, 3.0, 10.0, 40.0])
def test_the_law_of_the_thesis_is_the_printed_one(motor, airspeed):
    """Its equation 3.4: T = ½ ρ S C [(k δ)² - V²], Q = -d k_T (k_Ω δ)², written out once more."""
    rho, delta = 1.1, 0.468
    out = generic_thesis(delta, airspeed, rho, -1.0, motor)
    thrust = rho * motor.s_prop * motor.c_prop * ((motor.k_motor * delta) ** 2 - airspeed**2) / 2.0
    assert out.thrust == pytest.approx(thrust, rel=1e-14)
    assert out.torque == pytest.approx(motor.k_t_p * (motor.k_omega * delta) ** 2, rel=1e-14)
    assert out.omega == -motor.k_omega * delta


def test_the_two_laws_agree_along_the_shaft_only():
    ahead = generic_thesis(0.468, 10.0, 1.225, 1.0, QUAD).thrust
    assert ahead == generic_motor(0.468, 10.0, 1.225, 1.0, QUAD).thrust
    # Across the shaft of a hovering multirotor: 10² / (80 x 0.468)² = 7.1 % of its thrust; from below, twice that.
    still = generic_motor(0.468, 0.0, 1.225, 1.0, QUAD).thrust
    assert 1.0 - ahead / still == pytest.approx(0.0713, abs=5e-4)
    below = generic_motor(0.468, -10.0, 1.225, 1.0, QUAD).thrust
    assert below - still == pytest.approx(still - ahead, rel=1e-12)
    # Motors off, falling: the source pushes towards the ground.
    assert generic_thesis(0.0, 10.0, 1.225, 1.0, QUAD).thrust < 0.0 < generic_motor(0.0, -10.0, 1.225, 1.0, QUAD).thrust


def test_generic_thrust_vanishes_at_slipstream_speed_and_brakes_beyond():
    assert generic_motor(0.5, 27.5, 1.225, 1.0, PLANE).thrust == 0.0
    assert generic_motor(0.5, 30.0, 1.225, 1.0, PLANE).thrust < 0.0
    assert generic_motor(1.0, 0.0, 0.0, 1.0, PLANE).thrust == 0.0


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_reaction_opposes_rotation_in_both_models(direction):
    generic = generic_motor(0.7, 0.0, 1.225, direction, QUAD)
    assert generic.omega * direction > 0.0 > generic.torque * direction
    assert generic.torque == pytest.approx(-direction * 2e-5 * (254.0 * 0.7) ** 2)
    electric = drive(0.7, direction * 500.0, 5.0, direction)
    assert electric.torque * direction < 0.0


def test_direction_mirrors_the_electric_motor():
    right, left = run_up(1.0, 5.0, 300), run_up(1.0, 5.0, 300, direction=-1.0)
    np.testing.assert_array_equal(left, -right)
    assert drive(1.0, -700.0, 5.0, -1.0).thrust == drive(1.0, 700.0, 5.0, 1.0).thrust


# Seed specification 3.5: throttle, airspeed, then shaft speed, thrust and power as printed.
STEADY = [
    (1.0, 0.0, 831, 31.7, 494),
    (1.0, 10.0, 883, 15.7, 366),
    (1.0, 20.0, 908, 9.3, 296),
    (0.5, 0.0, 449, 9.3, None),
]


@pytest.mark.parametrize(("throttle", "speed", "omega", "thrust", "watts"), STEADY)
@pytest.mark.parametrize("literal", [False, True])
def test_steady_states(throttle, speed, omega, thrust, watts, literal):
    final = run_up(throttle, speed, 200 if literal else 12000, literal=literal)[-1]
    out = drive(throttle, final, speed)
    assert final == pytest.approx(omega, abs=0.5)
    assert out.thrust == pytest.approx(thrust, abs=0.05)
    assert out.power_motor == pytest.approx(out.power_propeller, rel=1e-3)
    if watts:
        assert out.power_propeller == pytest.approx(watts, abs=0.5)


def test_spin_up_takes_the_time_of_the_energy_balance():
    # t = ∫ I dω / (motor torque - propeller torque) to 95 % of the final speed: 5.129 s; Euler errs by about one step.
    final = run_up(1.0, 0.0, 12000)[-1]
    omega = np.linspace(ELECTRIC.omega_min, 0.95 * final, 20001)
    slowness = 1.0 / drive(1.0, omega, np.zeros_like(omega)).omega_dot
    seconds = float(((slowness[1:] + slowness[:-1]) / 2 * np.diff(omega)).sum())
    steps = int(np.argmax(run_up(1.0, 0.0, 3000) >= 0.95 * final)) + 1
    assert steps * DT == pytest.approx(seconds, abs=2 * DT)
    assert steps == pytest.approx(2020, rel=0.02)  # the specification's "about 2020"


def test_literal_spin_up_takes_four_steps():
    history = run_up(1.0, 0.0, 60, literal=True)
    assert int(np.argmax(history >= 0.95 * history[-1])) + 1 == 4


def test_power_balance_and_torque():
    out = drive(0.8, 600.0, 8.0)
    volts = 600.0 / (2 * math.pi * 13.333)
    assert out.current == pytest.approx((12.0 * 0.8 - volts) / 0.041)
    assert out.power_motor == pytest.approx(volts * (out.current - 0.9))
    assert out.power_propeller == pytest.approx(-out.torque * 600.0)
    assert out.omega_dot * 0.008 * 600.0 == pytest.approx(out.power_motor - out.power_propeller)


def test_battery_resistance_costs_current():
    assert drive(1.0, 500.0, 0.0, p=ELECTRIC._replace(r_battery=0.02)).current < drive(1.0, 500.0, 0.0).current


@pytest.mark.parametrize(("fade_in", "jump"), [(0.0, 39.1), (1.0, 0.0)])
def test_thrust_just_above_zero_speed(fade_in, jump):
    # As J falls to 0 useful power by speed tends to 3.19 P / (n D): efficiency starts as 3.19 J. Momentum theory, of
    # which the static part is 0.9, allows 35.2 N, so the source counts thrust twice there.
    motor = ELECTRIC._replace(fade_in=fade_in)
    still, moving = drive(1.0, 831.0, 0.0, p=motor), drive(1.0, 831.0, 1e-6, p=motor)
    assert still.thrust == pytest.approx(31.7, abs=0.05)
    assert moving.thrust - still.thrust == pytest.approx(jump, abs=0.05)
    turns = 831.0 / (2 * math.pi)
    assert 3.19 * still.power_propeller / (turns * 0.305) == pytest.approx(39.1, abs=0.05)


def test_no_thrust_below_one_percent():
    off = drive(0.009, 500.0, 5.0)
    assert (off.thrust, off.torque) == (0.0, 0.0)
    assert off.omega_dot < 0.0  # it still slows down
    assert drive(0.01, 500.0, 5.0).torque < 0.0


def test_limits():
    assert drive(1.0, 800.0, 0.1, p=ELECTRIC._replace(thrust_max=5.0)).thrust == 5.0
    assert spin_up(999.0, 1e6, 1.0, DT, ELECTRIC) == 1000.0
    assert spin_up(-999.0, -1e9, -1.0, DT, ELECTRIC) == -0.01
    assert advance_ratio(10.0, 0.0, ELECTRIC) == 0.8
    assert advance_ratio(-10.0, 100.0, ELECTRIC) == 0.0
    assert advance_ratio(10.0, -2 * math.pi * 100.0, ELECTRIC) == pytest.approx(10.0 / (100.0 * 0.305))


@pytest.mark.parametrize("speed", [-20.0, -1e-10, 0.0, 40.0])
@pytest.mark.parametrize("omega", [0.0, 0.01, 1000.0])
def test_always_finite_and_never_pulling_backwards(speed, omega):
    out = drive(1.0, omega, speed)
    assert np.all(np.isfinite(out))
    assert 0.0 <= out.thrust <= ELECTRIC.thrust_max
    space = electric_motor(1.0, omega, speed, 0.0, 0.0, 0.06, 1.0, ELECTRIC)
    assert (space.thrust, space.torque) == (0.0, 0.0)


# mavsim_public e8bff50, the Aerosonde.
VOLTAGE = QuadraticMotor(
    diameter=0.508, k_emf=0.0658572178311291, resistance=0.042, idle_current=1.5, voltage_max=44.4,
    c_q_0=0.00523, c_q_1=0.00497, c_q_2=-0.01664, c_t_0=0.09357, c_t_1=-0.06044, c_t_2=-0.1079,
)  # fmt: skip


@pytest.mark.parametrize(("throttle", "speed"), [(0.2, 0.0), (0.5, 25.0), (1.0, 25.0), (0.9, 3.0)])
def test_quadratic_motor_turns_where_its_torques_balance(throttle, speed):
    out, rho, D = quadratic_motor(throttle, speed, 1.2682, 1.0, VOLTAGE), 1.2682, 0.508
    n = out.omega / (2 * math.pi)
    J = speed / (n * D)
    torque = rho * n**2 * D**5 * (-0.01664 * J**2 + 0.00497 * J + 0.00523)
    current = (44.4 * throttle - VOLTAGE.k_emf * out.omega) / 0.042
    assert out.omega > 0
    assert out.current == pytest.approx(current, rel=1e-12)
    assert VOLTAGE.k_emf * (current - 1.5) == pytest.approx(torque, rel=1e-9)
    assert out.torque == pytest.approx(-torque, rel=1e-12)
    assert out.power == pytest.approx(torque * out.omega, rel=1e-12)
    assert out.thrust == pytest.approx(rho * n**2 * D**4 * (-0.1079 * J**2 - 0.06044 * J + 0.09357), rel=1e-12)


def test_quadratic_motor_of_the_source():
    # mavsim chapter 4 at 25 m/s, half and full throttle.
    for throttle, thrust, torque, omega in (
        (0.5, -12.43072534597213, -0.49879620097737787, 340.96648293),
        (1.0, 37.7794805541605, 1.8098467397878482, 655.70310703),
    ):
        out = quadratic_motor(throttle, 25.0, 1.2682, 1.0, VOLTAGE)
        assert (out.thrust, -out.torque) == pytest.approx((thrust, torque), rel=1e-12)
        assert out.omega == pytest.approx(omega, abs=5e-9)
        mirror = quadratic_motor(throttle, 25.0, 1.2682, -1.0, VOLTAGE)
        assert mirror == out._replace(torque=-out.torque, omega=-out.omega)


def test_quadratic_motor_at_its_ends():
    free = quadratic_motor(1.0, 0.0, 0.0, 1.0, VOLTAGE)  # without air only friction holds it
    assert free.omega == pytest.approx((44.4 - 1.5 * 0.042) / VOLTAGE.k_emf, rel=1e-12)
    assert free.thrust == free.torque == 0.0
    off = quadratic_motor(0.0, 0.0, 1.2682, 1.0, VOLTAGE)
    assert off.omega == off.thrust == off.torque == 0.0


def test_a_spinning_shaft_resists_turning_and_pushes_back_as_it_gathers_speed():
    # -dh/dt of the angular momentum h = J omega along x: -J omega_dot there, and -rate x h across.
    inertia, omega, omega_dot, rate = 2e-4, 700.0, 40.0, Vector(1.0, -2.0, 3.0)
    torque = shaft_reaction(inertia, omega, omega_dot, rate)
    turning = cross(rate, Vector(inertia * omega, 0.0, 0.0))
    assert torque == pytest.approx((-inertia * omega_dot, -turning.y, -turning.z), rel=1e-14)
    # A propeller that turns right-handed about the nose (+x): a turn to the left (+z) pitches the nose up (-y).
    assert shaft_reaction(inertia, omega, 0.0, Vector(0.0, 0.0, 1.0)).y < 0
    assert dot(shaft_reaction(inertia, omega, 0.0, rate), rate) == pytest.approx(0.0, abs=1e-16)
    assert shaft_reaction(inertia, omega, 0.0, Vector(5.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
