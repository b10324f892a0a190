"""The shipped vehicles carry the default values of Last_letter_2, restated as facts from its Annex B."""

from pathlib import Path

import pytest

from cupola.config.channels import ChannelMix
from cupola.config.scenario import Scenario, find_scenario
from cupola.config.vehicle import find_vehicle, read_vehicle
from cupola.control.multirotor.quadcopter_pd import QuadcopterPD
from cupola.physics.airfoil import Surface

MULTIROTOR_MOTOR = {"s_prop": 0.017, "c_prop": 0.17, "k_motor": 80, "k_t_p": 0.00002, "k_omega": 254}
PLANE_MOTOR = {"s_prop": 0.01619, "c_prop": 1.0, "k_motor": 55, "k_t_p": 0.0, "k_omega": 20.0}
STALL = {"mcoeff": 50, "oswald": 0.9, "alpha_stall": 0.4712}
SURFACES = {
    ("plane_1wing", "wing"): Surface(
        area=0.30, span=2, chord=0.15, c_lift_0=0.56, c_lift_a=6.9, c_drag_p=0.0437, c_y_b=-0.98, c_y_input_z=-0.2,
        c_l_p=-1.0, c_l_b=-0.12, c_l_r=0.14, c_l_input_x=0.25, c_l_input_z=-0.037,
        c_m_0=0.045, c_m_a=-0.7, c_m_q=-20, c_m_input_y=1.0, c_n_b=0.25, c_n_p=0.022, c_n_r=-1, c_n_input_z=0.1,
        **STALL,
    ),
    ("plane_1wing_sensors", "wing"): Surface(
        area=0.45, span=1.88, chord=0.24, c_lift_q=4.154, c_lift_input_y=-0.381,
        c_y_b=-1.64, c_y_p=-0.0658, c_y_r=1.201, c_y_input_z=-0.2,
        c_l_p=-0.448, c_l_b=-0.093, c_l_r=0.209, c_l_input_x=0.1028, c_l_input_z=-0.00635,
        c_m_0=-0.00778, c_m_a=-0.268, c_m_q=-8.513, c_m_input_y=1.079,
        c_n_b=0.155, c_n_p=0.0324, c_n_r=-0.408, c_n_input_x=-0.01018, c_n_input_z=0.0476,
    ),
    ("plane_3wing_2motor", "wing"): Surface(
        area=0.3, span=2, chord=0.15, c_lift_0=0.56, c_lift_a=6.9, c_drag_p=0.0437, c_y_b=-0.98,
        c_l_p=-1.0, c_l_b=-0.12, c_l_r=0.14, c_l_input_x=0.20, c_n_b=0.25, c_n_p=0.022, c_n_r=-1, **STALL,
    ),
    ("plane_3wing_2motor", "horizontal_tail"): Surface(
        area=0.08, span=0.8, chord=0.1, c_lift_0=0.27, c_lift_a=3.5, c_lift_input_y=-0.3, c_drag_q=0.02, c_m_0=0.02,
        **STALL,
    ),
    ("plane_3wing_2motor", "vertical_tail"): Surface(
        area=0.015, span=0.15, chord=0.1, c_lift_a=0.5, c_lift_input_y=-0.3, c_drag_input_y=0.01, c_m_a=2,
        c_m_input_y=10, **STALL,
    ),
}  # fmt: skip


def shipped(name):
    return read_vehicle(find_vehicle(name, Path()))


@pytest.mark.parametrize(("name", "part"), SURFACES)
def test_all_numbers_of_a_surface(name, part):
    assert shipped(name).parts[part].surface == SURFACES[name, part]


@pytest.mark.parametrize(
    ("name", "part", "channels", "deflection_max"),
    [
        ("plane_1wing", "wing", (0, 1, 2), (0.3491, 0.3491, 0.3491)),
        ("plane_1wing_sensors", "wing", (0, 1, 2), (0.2618, 0.4363, 0.4363)),
        ("plane_3wing_2motor", "wing", (0, -1, -1), (0.3491, 0, 0)),
        ("plane_3wing_2motor", "horizontal_tail", (-1, 1, -1), (0, 0.4, 0)),
        ("plane_3wing_2motor", "vertical_tail", (-1, 2, -1), (0, 0.6, 0)),
    ],
)
def test_channels_and_deflections(name, part, channels, deflection_max):
    surface = shipped(name).parts[part]
    assert (surface.channels, surface.deflection_max) == (channels, deflection_max)


@pytest.mark.parametrize(
    ("name", "count", "numbers"),
    [
        ("quadcopter", 4, MULTIROTOR_MOTOR),
        ("hexacopter", 6, MULTIROTOR_MOTOR),
        ("plane_1wing", 1, PLANE_MOTOR),
        ("plane_1wing_sensors", 1, PLANE_MOTOR),
    ],
)
def test_generic_motors(name, count, numbers):
    motors = [part.generic._asdict() for part in shipped(name).parts.values() if part.kind == "rotor"]
    assert motors == [numbers] * count


def test_electric_motors():
    motors = [part for part in shipped("plane_3wing_2motor").parts.values() if part.kind == "rotor"]
    given = {
        "k_v": 13.333, "r_motor": 0.041, "i_0": 0.9, "r_battery": 0.0, "cells": 3, "prop_diameter": 0.305,
        "inertia": 0.008, "omega_min": 0.01, "omega_max": 1000.0, "thrust_max": 138,
    }  # fmt: skip
    assert [(m.channel, m.direction) for m in motors] == [(3, 1), (3, -1)]
    for motor in motors:
        assert {name: getattr(motor.electric, name) for name in given} == given
        assert motor.efficiency.coefficients == [0.0, 3.19, -12.15, 27.83, -21.82]
        assert motor.c_power.coefficients == [0.0661, -0.1647, 0.2958, -0.2355]


@pytest.mark.parametrize(
    ("name", "position", "velocity"),
    [
        ("plane_1wing", (0, 0, 1.0), (0, 0, 0)),
        ("plane_1wing_sensors", (0, 0, 0.5), (0, 0, 0)),
        ("plane_3wing_2motor", (0, 0, 1.0), (10.0, 0, 0)),
        ("quadcopter", (0, 0, 0.3), (0, 0, 0)),
        ("hexacopter", (0, 0, 1.0), (0, 0, 0)),
    ],
)
def test_starts_and_rates(name, position, velocity):
    vehicle = shipped(name)
    assert (vehicle.start.position, vehicle.start.velocity_b) == (position, velocity)
    assert vehicle.start.attitude_deg == vehicle.start.rate_b == (0, 0, 0)
    assert vehicle.controller.rate_hz == 400
    assert Scenario.model_fields["physics_hz"].default == 5 * 400  # the loop between two controls is finer than theirs


def test_the_values_of_the_repository_ship_as_a_scenario():
    """Annex B of the specification: updatePhysics and environment; the wind's angle is read as an import reads it."""
    scenario, _ = find_scenario("twin_defaults")
    assert (scenario.physics_hz, scenario.start_paused, scenario.gravity) == (400, True, 9.81)
    air = scenario.air
    assert (air.temperature_offset, air.sea_level_pressure, air.density) == (25.0 - 15.0, 101325.0, 1.2250)
    assert air.turbulence is None and air.wind is not None
    assert (air.wind.speed, air.wind.height, air.wind.exponent) == (1.0, 10.0, 0.28)
    assert air.wind.from_deg == 0.0


def test_channels_of_functions():
    mix = ChannelMix()
    assert mix.sticks == (0, 1, 2, 3)
    assert (mix.drop_box, mix.remove_boxes, mix.reset) == (6, 7, 17)
    assert (mix.camera_angle, mix.laser_angle) == (-1, -1)
    sensors = shipped("plane_1wing_sensors").channel_mix
    assert (sensors.camera_angle, sensors.laser_angle) == (4, 5)


def test_gains_may_be_tuned_from_0_to_1():
    tunable = QuadcopterPD.parameters
    assert {name: p.default for name, p in tunable.items()} == {
        "roll_kp": 0.09, "roll_kd": 0.02, "pitch_kp": 0.09, "pitch_kd": 0.02,
        "yaw_kp": 0.11, "yaw_kd": 0.10, "alt_kp": 0.30, "alt_kd": 0.26,
    }  # fmt: skip
    assert {(p.low, p.high) for p in tunable.values()} == {(0, 1)}
