"""A rotor whose blades feel the air from every side: signs, what takes energy, limits, and the lag of its motor."""

import math

import numpy as np
import pytest

from cupola.physics.blades import SEA_LEVEL, LaggedMotor, blades_along, blades_aside, lagged_speed
from cupola.physics.rotation import Vector, Wrench, dot

ROTOR = LaggedMotor(2500.0, 0.072, 2.3e-8, 1.4e-10, 1.9e-6, 1.7e-6, 6.1e-8, 6.2e-8)
STILL = Vector(0.0, 0.0, 0.0)


def aside(vel_air=STILL, rate=STILL, density=SEA_LEVEL, omega=1800.0, p=ROTOR):
    return blades_aside(omega, vel_air, rate, density, p)


def test_thrust_grows_with_the_square_and_the_torque_opposes_the_rotation():
    for direction in (-1.0, 1.0):
        slow, fast = (blades_along(direction * w, 0.0, SEA_LEVEL, direction, ROTOR) for w in (900.0, 1800.0))
        assert fast.thrust == pytest.approx(2.3e-8 * 1800.0**2) and fast.thrust == pytest.approx(4.0 * slow.thrust)
        assert fast.torque == pytest.approx(-direction * 1.4e-10 * 1800.0**2)
        assert fast.omega == direction * 1800.0


def test_a_climb_costs_thrust_and_a_descent_gives_some():
    climb, hover, sink = (blades_along(1800.0, v, SEA_LEVEL, 1.0, ROTOR).thrust for v in (1.0, 0.0, -1.0))
    assert hover - climb == pytest.approx(sink - hover) == pytest.approx(1.7e-6 * 1800.0)


@pytest.mark.parametrize("direction", [-1.0, 1.0])
def test_neither_drag_nor_damping_gives_energy(direction):
    numbers = np.random.default_rng(1).normal(size=(200, 6))
    for row in numbers:
        vel, rate = Vector(*row[:3]), Vector(*row[3:])
        load = aside(vel, rate, omega=1800.0 * direction, p=ROTOR._replace(k_flap=0.0))
        assert dot(load.force, vel) < 0.0 and dot(load.torque, rate) < 0.0
        assert load.force.x == 0.0


def test_the_shaft_tips_away_from_the_motion():
    # Shaft up (x), motion along y: the torque about z must turn x towards -y, that is be negative.
    load = aside(Vector(0.0, 2.0, 0.0))
    assert load.torque == pytest.approx((0.0, 0.0, -2.0 * 1800.0 * 6.1e-8))
    assert aside(Vector(0.0, 0.0, 2.0)).torque == pytest.approx((0.0, 2.0 * 1800.0 * 6.1e-8, 0.0))
    assert aside(Vector(3.0, 0.0, 0.0)) == Wrench(STILL, STILL)


def test_without_air_nothing_is_left():
    assert blades_along(1800.0, 3.0, 0.0, 1.0, ROTOR)[:2] == (0.0, 0.0)
    load = aside(Vector(1.0, 2.0, 3.0), Vector(4.0, 5.0, 6.0), density=0.0)
    assert np.abs(load).max() == 0.0


@pytest.mark.parametrize("direction", [-1.0, 1.0])
def test_the_speed_lags_and_does_not_depend_on_the_step(direction):
    once = lagged_speed(0.0, 0.8, direction, 0.072, ROTOR)
    assert once == pytest.approx(direction * 2000.0 * (1.0 - math.exp(-1.0)))
    omega = 0.0
    for _ in range(72):
        omega = lagged_speed(omega, 0.8, direction, 0.001, ROTOR)
    assert omega == pytest.approx(once, rel=1e-12)
