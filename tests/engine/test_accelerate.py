"""Accelerations without a step: the same as in a step, with actuators where they come to rest."""

import numpy as np
import pytest

STAND = '<body name="base"><geom size="0.1" mass="1"/><site name="motor"/></body>'
BOX = '<body name="base"><freejoint/><geom size="0.1" mass="2"/><site name="hook"/></body>'
ELECTRIC = {
    "k_v": 13.333, "r_motor": 0.041, "i_0": 0.9, "r_battery": 0.01, "cells": 3.0, "cell_voltage": 4.0,
    "prop_diameter": 0.305, "inertia": 0.0008, "omega_min": 0.01, "omega_max": 1000.0, "thrust_max": 138.0,
    "j_min": 0.0, "j_max": 0.8,
}  # fmt: skip
MOTOR = {
    "kind": "rotor", "site": "motor", "channel": 1, "electric": ELECTRIC,
    "efficiency": {"coefficients": [0.0, 3.19, -12.15, 27.83, -21.82]},
    "c_power": {"coefficients": [0.0661, -0.1647, 0.2958, -0.2355]},
}  # fmt: skip


def test_the_same_as_in_a_step(make_world):
    start = {"velocity_b": [22, 1, -0.5], "attitude_deg": [10, -5, 30], "rate_b": [0.2, 0.1, -0.3]}
    world = make_world({"model": "aerosonde", "position": [0, 0, 80], **start})
    before = world.snapshot()
    world.step()  # shows the accelerations at its start
    expected, outputs, command = (a.copy() for a in (world.data.qacc, world.arrays.outputs, world.arrays.command))
    world.restore(before)
    world.arrays.command[:] = command
    world.accelerate()
    np.testing.assert_array_equal(world.data.qacc, expected)
    np.testing.assert_array_equal(world.arrays.outputs, outputs)
    assert world.tick == 0 and world.time == 0.0


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("throttle", [0.0, 0.3, 1.0])
def test_an_electric_motor_is_at_its_steady_speed(vehicle, make_world, throttle, direction):
    servo = {"kind": "servo", "channel": 1, "time_constant": 0.2, "high": 0.9}
    world = make_world(vehicle(STAND, parts={"motor": {**MOTOR, "direction": direction}, "servo": servo}))
    world.sticks([0, throttle])
    world.run(20.0)
    expected = world.arrays.outputs.copy()
    world.reset()
    world.arrays.command[world.instances[0].channels.start + 1] = throttle
    world.accelerate()
    np.testing.assert_allclose(world.arrays.outputs, expected, rtol=1e-7, atol=1e-9)
    assert abs(world.part("motor").outputs.omega) > 100 or throttle == 0.0


def test_a_second_order_servo_arrives(vehicle, make_world):
    servo = {"kind": "servo", "channel": 0, "natural_frequency": 3.0, "damping": 0.1, "rate_max": 0.5}
    world = make_world(vehicle(STAND, parts={"servo": servo}))
    slot = world.instances[0].channels.start
    for command, reached in ((0.4, 0.4), (-3.0, -1.0)):
        world.arrays.command[slot] = command
        world.accelerate()
        assert world.arrays.drive[slot] == pytest.approx(reached, abs=1e-12)


def test_loads_in_plain_python_take_part(vehicle, make_world):
    part = "from cupola import Load, Vector, Wrench\n\n"
    part += "class Spring(Load):\n    def step(self, motion, density, drive):\n"
    part += "        return Wrench(Vector(3.0 - motion.vel_s.x, 0.0, 0.0), Vector(0.0, 0.0, 0.0))\n"
    folder = vehicle(BOX, files={"mine.py": part}, parts={"spring": {"kind": "mine.py:Spring", "site": "hook"}})
    world = make_world(folder, gravity=0)
    world.data.qvel[0] = 1.0
    world.accelerate()
    assert world.data.qacc[0] == pytest.approx((3.0 - 1.0) / 2.0)
