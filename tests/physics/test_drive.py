"""From asked torque to given torque: the chain of a motor, its driver and its gear."""

import math

import pytest

from cupola.physics.drive import (
    asked_current,
    gear_friction,
    motor_power,
    pulse,
    reachable_current,
    slowed,
    through_teeth,
)


def test_current_of_a_torque_behind_a_gear():
    assert asked_current(1.0, 186.0, 0.0452) == pytest.approx(1.0 / (186.0 * 0.0452))
    assert asked_current(-1.0, -186.0, 0.0452) > 0.0


@pytest.mark.parametrize("current", [-2.0, -0.4, 0.0, 0.0013, 1.9])
def test_pulses_lie_between_their_ends_and_on_steps(current):
    exact, stepped = pulse(current, 2.0, 0.1, 0.9, 0.0), pulse(current, 2.0, 0.1, 0.9, 5000.0)
    assert exact.current == pytest.approx(current)
    assert exact.duty == pytest.approx(0.1 + 0.4 * abs(current))
    assert stepped.duty * 5000.0 == pytest.approx(round(stepped.duty * 5000.0), abs=1e-9)
    assert abs(stepped.current - current) <= 0.5 / 5000.0 / 0.8 * 2.0 + 1e-15


def test_a_current_beyond_the_largest_is_cut():
    assert pulse(-7.0, 2.0, 0.1, 0.9, 5000.0) == pytest.approx((0.9, -2.0))


def test_voltage_limits_what_flows_against_the_rotation():
    assert reachable_current(9.0, 24.0, 12.0, 6.0) == pytest.approx(2.0)
    assert reachable_current(1.0, 24.0, 12.0, 6.0) == 1.0
    assert reachable_current(0.0, 24.0, 30.0, 6.0) == pytest.approx(-1.0)  # turned faster than its supply: it brakes
    assert reachable_current(-9.0, 24.0, 12.0, 6.0) == pytest.approx(-6.0)


def test_a_driven_joint_feels_the_efficiency():
    torque, efficiency = 2.0, 0.75
    assert torque - gear_friction(torque, 0.0, efficiency) == pytest.approx(efficiency * torque)
    assert gear_friction(-torque, 0.1, efficiency) == gear_friction(torque, 0.1, efficiency)
    assert gear_friction(0.0, 0.1, efficiency) == 0.1


def test_teeth_touch_only_beyond_their_play():
    assert through_teeth(0.009, 5.0, 0.02, 300.0, 2.0) == 0.0
    assert through_teeth(0.011, 0.0, 0.02, 300.0, 2.0) == pytest.approx(0.3)
    assert through_teeth(-0.011, -1.0, 0.02, 300.0, 2.0) == pytest.approx(-0.3 - 2.0)


def test_dry_friction_stops_and_does_not_turn_back():
    assert slowed(0.5, 0.2) == pytest.approx(0.3)
    assert slowed(-0.5, 0.2) == pytest.approx(-0.3)
    assert slowed(0.1, 0.2) == 0.0


def test_power_is_heat_and_work():
    assert motor_power(2.0, 3.0, 0.5, -4.0) == pytest.approx(12.0 - 2.0)
    assert motor_power(0.0, 3.0, 0.0, math.pi) == 0.0
