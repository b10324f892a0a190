"""Servos on a channel against closed forms; an electric motor on a test stand; a root body without a free joint."""

import math

import numpy as np
import pytest

from cupola.schema.yaml_files import InputError

STAND = '<body name="base"><geom size="0.1" mass="1"/><site name="motor"/></body>'
GENERIC = {"s_prop": 0.02, "c_prop": 1.0, "k_motor": 50.0, "k_t_p": 1e-4, "k_omega": 100.0}


def respond(vehicle, make_world, command=0.8, **servo):
    """Output of a servo on channel 1 at each tick after a step of its command."""
    folder = vehicle(STAND, parts={"servo": {"kind": "servo", "channel": 1, **servo}})
    world = make_world(folder, physics_hz=1000)
    world.sticks([0, command])
    slot = world.instances[0].channels.start + 1
    output = []
    for _ in range(400):
        world.step()
        output.append(world.arrays.drive[slot])
    return np.array(output), 1e-3 * np.arange(1, 401)


def test_first_order(vehicle, make_world):
    output, t = respond(vehicle, make_world, time_constant=0.05)
    np.testing.assert_allclose(output, 0.8 * (1 - np.exp(-t / 0.05)), atol=1e-13)  # the filter is exact at any step


@pytest.mark.parametrize("damping", [0.3, 1.0, 2.5])
def test_second_order(vehicle, make_world, damping):
    output, t = respond(vehicle, make_world, command=0.5, natural_frequency=40.0, damping=damping)
    roots = np.roots([1.0, 2 * damping * 40.0, 40.0**2]).astype(complex)
    if damping == 1.0:
        exact = 1 - (1 + 40 * t) * np.exp(-40 * t)
    else:
        exact = 1 - ((roots[1] * np.exp(roots[0] * t) - roots[0] * np.exp(roots[1] * t)) / (roots[1] - roots[0])).real
    np.testing.assert_allclose(output, 0.5 * exact, atol=1e-11)


def test_rate_limit(vehicle, make_world):
    output, t = respond(vehicle, make_world, rate_max=4.0)
    np.testing.assert_allclose(output, np.minimum(4.0 * t, 0.8), atol=1e-13)


def test_end_stops(vehicle, make_world):
    output, _ = respond(vehicle, make_world, command=1.0, natural_frequency=40.0, damping=0.2, low=-0.3, high=0.6)
    assert output.max() == 0.6 and output[-1] == 0.6
    output, _ = respond(lambda *a, **k: vehicle(*a, name="down", **k), make_world, command=-1.0, low=-0.3, high=0.6)
    assert output.min() == output[0] == -0.3


def test_a_channel_is_added_to_the_middle(vehicle, make_world):
    """It begins there, goes there when it hears nothing, and its stops are its own."""
    output, _ = respond(vehicle, make_world, command=0.0, time_constant=0.05, middle=0.4)
    assert (output == 0.4).all()
    folder = vehicle(STAND, parts={"servo": {"kind": "servo", "channel": 1, "middle": 0.4, "high": 0.5}}, name="up")
    world = make_world(folder, physics_hz=1000)
    slot = world.instances[0].channels.start + 1
    for command, expected in ((-0.1, 0.3), (0.8, 0.5), (-1.0, -0.6)):
        world.sticks([0, command])
        world.step(20)
        assert world.arrays.drive[slot] == pytest.approx(expected, abs=1e-15)
    world.fail("up.servo", "off")
    world.step(20)
    assert world.arrays.drive[slot] == 0.4


def test_a_middle_beyond_the_stops_is_refused(vehicle, make_world):
    folder = vehicle(STAND, parts={"servo": {"kind": "servo", "channel": 1, "middle": 1.4}})
    with pytest.raises(InputError, match=r"middle: 1.4 is beyond its end stops, -1 and 1"):
        make_world(folder)


def test_a_part_reads_the_output_of_the_servo_and_other_channels_are_untouched(vehicle, make_world):
    rotor = {"kind": "rotor", "site": "motor", "direction": 1, "generic": GENERIC}
    servo = {"kind": "servo", "channel": 1, "time_constant": 0.05}
    parts = {"lagging": {**rotor, "channel": 1}, "servo": servo, "direct": {**rotor, "channel": 2}}
    world = make_world(vehicle(STAND, parts=parts), physics_hz=1000)
    world.sticks([0, 0.8, 0.8])
    world.step(50)
    assert world.part("lagging").outputs.omega == pytest.approx(100 * 0.8 * (1 - math.exp(-1)), rel=1e-12)
    assert world.part("direct").outputs.omega == pytest.approx(80, rel=1e-12)


# Motor, propeller and battery of plane_3wing_2motor, and its steady states: Last_letter_2 specification, B.5 and 3.5.
ELECTRIC = {
    "k_v": 13.333, "r_motor": 0.041, "i_0": 0.9, "r_battery": 0.0, "cells": 3.0, "cell_voltage": 4.0,
    "prop_diameter": 0.305, "inertia": 0.008, "omega_min": 0.01, "omega_max": 1000.0, "thrust_max": 138.0,
    "j_min": 0.0, "j_max": 0.8,
}  # fmt: skip
MOTOR = {
    "kind": "rotor", "site": "motor", "channel": 3, "electric": ELECTRIC,
    "efficiency": {"coefficients": [0.0, 3.19, -12.15, 27.83, -21.82]},
    "c_power": {"coefficients": [0.0661, -0.1647, 0.2958, -0.2355]},
}  # fmt: skip
STEADY = [(1.0, 0, 831, 31.7, 494), (1.0, 10, 883, 15.7, 366), (1.0, 20, 908, 9.3, 296), (0.5, 0, 449, 9.3, None)]


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize(("throttle", "speed", "omega", "thrust", "power"), STEADY)
def test_electric_motor_on_a_stand(vehicle, make_world, direction, throttle, speed, omega, thrust, power):
    air = {"wind": {"speed": speed, "from_deg": 90}} if speed else {}  # from the east, against a shaft along +x
    world = make_world(vehicle(STAND, parts={"motor": {**MOTOR, "direction": direction}}), physics_hz=400, air=air)
    world.sticks([0, 0, 0, 2 * throttle - 1])
    world.step(400 * 30)
    found = dict(zip(("thrust", "torque", "omega", "airspeed", "current", "power"), world.arrays.outputs, strict=True))
    # The specification prints three digits.
    assert found["omega"] == pytest.approx(direction * omega, rel=2e-3)
    assert found["thrust"] == pytest.approx(thrust, rel=1e-2)
    assert power is None or found["power"] == pytest.approx(power, rel=2e-3)
    # In the steady state the propeller takes all the power, and the vehicle feels its torque against the rotation.
    assert found["torque"] * found["omega"] == pytest.approx(-found["power"], rel=1e-5)


def test_electric_motor_feels_only_the_air_along_its_shaft(vehicle, make_world):
    # 10 m/s from the north blow across a shaft that points east: it turns as in still air, 831 rad/s, not 883.
    air = {"wind": {"speed": 10, "from_deg": 0}}
    world = make_world(vehicle(STAND, parts={"motor": {**MOTOR, "direction": 1}}), physics_hz=400, air=air)
    world.sticks([0, 0, 0, 1])
    world.step(400 * 30)
    motor = world.part("motor").outputs
    assert motor.omega == pytest.approx(831, rel=2e-3) and motor.thrust == pytest.approx(31.7, rel=1e-2)
    assert motor.airspeed == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"efficiency": {"breaks": [0.0, 0.6], "coefficients": [0, 0, 1, 0]}},
            "efficiency covers .* 0 to 0.6, but .* 0.8",
        ),
        (
            {"c_power": {"breaks": [0.1, 0.9], "coefficients": [0, 0, 0, 0.1]}},
            "c_power covers .* 0.1 to 0.9, but .* 0 to",
        ),
        ({"electric": {**ELECTRIC, "j_min": 0.8}}, "j_min 0.8 must lie below j_max 0.8"),
        ({"c_power": None}, "needs the curves efficiency and c_power"),
    ],
)
def test_advance_ratios_beyond_the_propeller_data_are_refused(vehicle, make_world, change, said):
    folder = vehicle(STAND, parts={"motor": {**MOTOR, "direction": 1, **change}})
    with pytest.raises(InputError, match=rf"parts\.motor: .*{said}"):
        make_world(folder)


def test_a_propeller_table_in_a_file_flies_like_its_polynomial(vehicle, make_world):
    # The power polynomial as one segment of a cubic spline from 0: the same numbers, highest power first.
    table = "break,a,b,c,d\n0,-0.2355,0.2958,-0.1647,0.0661\n0.8,,,,\n"
    curves = {"polynomial": MOTOR["c_power"], "table": {"file": "power.csv"}}
    speeds = []
    for name, curve in curves.items():
        parts = {"motor": {**MOTOR, "direction": 1, "c_power": curve}}
        world = make_world(vehicle(STAND, name=name, parts=parts, files={"power.csv": table}), physics_hz=400)
        world.sticks([0, 0, 0, 1])
        world.step(2000)
        speeds.append(world.part("motor").outputs.omega)
    assert speeds[0] == pytest.approx(speeds[1], rel=1e-12) and speeds[0] > 700


def test_electric_motor_spins_up_in_time_not_in_steps(vehicle, make_world):
    reached = []
    for rate in (400, 2000):
        folder = vehicle(STAND, name=f"at_{rate}", parts={"motor": {**MOTOR, "direction": 1}})
        world = make_world(folder, physics_hz=rate)
        world.sticks([0, 0, 0, 1])
        while world.part("motor").outputs.omega < 0.95 * 831:
            world.step(rate // 100)
        reached.append(world.time)
    # About 2,020 steps of 2.5 ms (specification, 3.5).
    assert reached == pytest.approx([2020 / 400] * 2, rel=0.02)


def test_a_root_without_a_free_joint_stands_still(vehicle, make_world):
    folder = vehicle('<body name="base" pos="1 2 3" euler="0 0 90"><geom size="0.1"/><site name="motor"/></body>')
    world = make_world(folder, air={"wind": {"speed": 10, "from_deg": 0}})
    world.step(100)
    seen = world.motion()
    np.testing.assert_allclose(seen.pos_w, [1, 2, 3], atol=1e-15)
    np.testing.assert_allclose(seen.quat_wb, [math.sqrt(0.5), 0, 0, math.sqrt(0.5)], atol=1e-15)
    assert seen.vel_w == seen.vel_b == seen.rate_b == (0, 0, 0)
    moved = make_world({"model": folder, "position": [0, 0, 1]})
    np.testing.assert_allclose(moved.motion().pos_w, [0, 0, 1], atol=1e-15)


def test_a_root_on_a_hinge_moves_with_it(vehicle, make_world):
    body = '<body name="base"><joint type="hinge" axis="0 0 1"/><geom size="0.1" pos="1 0 0"/></body>'
    world = make_world(vehicle(body))
    world.data.qvel[0] = 2.0
    world.step(500)
    assert world.motion().rate_b.z == pytest.approx(2.0, rel=1e-12)
    assert world.motion().quat_wb.z == pytest.approx(math.sin(0.25), rel=1e-12)
