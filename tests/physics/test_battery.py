"""A battery against Ohm, Kirchhoff and the conservation of charge and energy."""

import math

import pytest

from cupola.physics.battery import Draw, battery_supply, cell_voltage, discharge, motor_draw


def test_a_cell_at_rest_has_the_published_voltages():
    # Chen and Rincón-Mora, equation 2: full the powers sum up, empty only the constant and the exponential stand.
    assert cell_voltage(1.0) == pytest.approx(3.685 + 0.2156 - 0.1178 + 0.3201, abs=1e-12)
    assert cell_voltage(0.0) == pytest.approx(3.685 - 1.031, abs=1e-12)
    voltages = [cell_voltage(k / 50) for k in range(51)]
    assert voltages == sorted(voltages)


def test_voltage_and_current_satisfy_both_sides_of_the_terminals():
    motors = [(0.7, 8.0, 0.05), (0.4, 5.0, 0.08), (1.0, 11.0, 0.04)]
    draws = [motor_draw(*motor) for motor in motors]
    total = Draw(sum(d.pull for d in draws), sum(d.push for d in draws))
    now = battery_supply(12.3, 0.6, 0.03, total)
    currents = [(d * now.voltage - e) / r for d, e, r in motors]
    assert now.current == pytest.approx(sum(d * i for (d, _, _), i in zip(motors, currents, strict=True)), rel=1e-13)
    assert now.voltage == pytest.approx(12.3 - 0.03 * now.current, rel=1e-14)
    # Energy: what leaves the terminals heats the windings or turns the shafts.
    used = sum(r * i * i + e * i for (_, e, r), i in zip(motors, currents, strict=True))
    assert now.voltage * now.current == pytest.approx(used, rel=1e-13)


def test_without_load_there_is_no_sag_and_empty_there_is_nothing():
    assert battery_supply(12.0, 0.5, 0.1, Draw(0.0, 0.0)) == (12.0, 0.0)
    assert battery_supply(8.0, 0.0, 0.1, Draw(5.0, 1.0)) == (0.0, 0.0)


def test_an_hour_of_its_capacity_empties_it():
    charge = 1.0
    for _ in range(100):
        charge = discharge(charge, 2.0, 7200.0, 36.0)
    assert charge == pytest.approx(0.0, abs=1e-14)
    assert discharge(0.0, 5.0, 7200.0, 1.0) == 0.0 and discharge(1.0, -5.0, 7200.0, 1.0) == 1.0
    assert math.isclose(discharge(0.5, 0.0, 1.0, 1.0), 0.5)
