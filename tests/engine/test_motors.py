"""Motors on joints and reaction wheels in the loop."""

import math

import numpy as np
import pytest

from cupola.schema.yaml_files import InputError

IDLE = {"use": "idle", "rate_hz": 1}
INERTIA = 0.05
BODY = f"""<body name="base"><geom size="0.1" mass="1"/><site name="base"/>
<body name="link"><joint name="hinge" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="0.04 0.04 {INERTIA}"/>
</body></body>"""
GEARED = {
    "kind": "joint_motor", "joint": "hinge", "channel": 0, "model": "geared", "ratio": 100, "torque_constant": 0.05,
    "resistance": 5.0, "voltage": 24.0, "current_lasting": 1.0, "current_max": 2.0, "patience": 0.2,
}  # fmt: skip
WHEEL = """<body name="base"><joint name="yaw" axis="0 0 1"/><inertial pos="0 0 0" mass="9" diaginertia="1 1 0.5"/>
<site name="base"/><body name="disc"><joint name="disc" axis="0 0 1"/>
<inertial pos="0 0 0" mass="1" diaginertia="0.001 0.001 0.002"/></body></body>"""


@pytest.fixture
def stand(vehicle, make_world):
    """A link on a fixed base with one motor; the world steps at 1 kHz with RK4."""
    count = iter(range(100))

    def make(parts, body=BODY, torque=0.0, **entry):
        parts = {"motor": parts} if "kind" in parts else parts
        folder = vehicle(body, name=f"stand{next(count)}", parts=parts, controller=IDLE)
        world = make_world({"model": folder, "name": "stand", **entry}, physics_hz=1000, integrator="RK4", gravity=0.0)
        world.turn(0, torque)
        return world

    return make


def speed(world, joint="hinge"):
    return world.data.joint(f"stand/{joint}").qvel[0]


def test_an_ideal_motor_gives_what_is_asked(stand):
    world = stand({"kind": "joint_motor", "joint": "hinge", "channel": 0}, torque=0.3)
    world.run(0.5)
    assert speed(world) == pytest.approx(0.3 * 0.5 / INERTIA, rel=1e-12)


def test_a_geared_motor_moves_its_rotor_too(stand):
    rotor = 4e-6
    world = stand({**GEARED, "rotor_inertia": rotor}, torque=0.3)
    world.run(0.1)
    assert speed(world) == pytest.approx(0.3 * 0.1 / (INERTIA + 100**2 * rotor), rel=1e-9)


def test_what_the_computer_believes_scales_the_torque(stand):
    world = stand({**GEARED, "believed_constant": 0.04, "reversed": True}, torque=0.3)
    world.run(0.1)
    assert speed(world) == pytest.approx(0.3 * 0.1 / INERTIA * 0.05 / 0.04, rel=1e-9)


def test_the_gear_loses_its_share_in_both_directions(stand):
    for sign in (1.0, -1.0):
        world = stand({**GEARED, "efficiency": 0.8}, torque=sign)
        world.run(0.1)
        assert speed(world) == pytest.approx(sign * 0.8 * 0.1 / INERTIA, rel=0.01)


def test_dry_friction_holds_what_pushes_less(stand):
    world = stand({**GEARED, "dry": 0.1}, torque=0.09)
    world.run(1.0)
    assert abs(world.data.joint("stand/hinge").qpos[0]) < 1e-3
    world.turn(0, 0.3)
    world.run(0.1)
    assert speed(world) == pytest.approx(0.2 * 0.1 / INERTIA, rel=0.02)


def test_the_driver_tires_of_more_than_it_can_for_ever(stand):
    endless = {**GEARED, "voltage": 1e5}
    parts = {"motor": endless, "driver": {"kind": "monitor", "of": "motor", "rate_hz": 1000}}
    world = stand(parts, torque=50.0)
    told = []
    for _ in range(500):
        world.step()
        told.append(world.samples["stand", "driver"].latest().current)
    high, low = told.count(pytest.approx(2.0)), told.count(pytest.approx(1.0))
    assert told[100] == pytest.approx(2.0)
    assert told[300] == pytest.approx(1.0)
    assert high + low == 500
    assert 195 <= low <= 210


def test_voltage_ends_the_acceleration(stand):
    world = stand({**GEARED, "voltage": 10.0}, torque=5.0)
    world.run(5.0)
    assert speed(world) == pytest.approx(10.0 / (0.05 * 100), rel=1e-3)


def test_a_driver_that_fails_at_zero_stays_so_until_it_is_reset(stand):
    world = stand({**GEARED, "fails_at_zero": True, "reset_channel": 1}, torque=0.3)
    world.step(10)
    assert speed(world) > 0.0
    world.turn(0, 0.0)
    world.step(1)
    world.turn(0, 0.3)
    held = speed(world)
    world.step(100)
    assert speed(world) == pytest.approx(held, rel=1e-9)
    world.turn(1, 1.0)
    world.step(1)
    world.turn(1, 0.0)
    world.step(100)
    assert speed(world) > held + 0.3 * 0.1 / INERTIA * 0.99


def test_a_torque_that_is_no_number_stops_the_run(stand, tmp_path):
    from cupola.engine.errors import SimulationError

    world = stand({"kind": "joint_motor", "joint": "hinge", "channel": 0})
    world.dump_folder = tmp_path
    with pytest.raises(InputError, match="finite number"):
        world.turn(0, math.nan)
    world.arrays.command[world.instances[0].channels] = math.nan
    with pytest.raises(SimulationError, match="command"):
        world.step(1)


def test_play_lets_the_motor_turn_before_the_joint(stand):
    play = 0.02
    encoder = {"kind": "encoder", "rate_hz": 1000, "joints": ["hinge"], "marks": 10**7}
    parts = {"motor": {**GEARED, "rotor_inertia": 4e-6, "backlash": play}, "encoder": encoder}
    world = stand(parts, torque=0.05)
    world.step(50)
    told = world.samples["stand", "encoder"].latest().angles[0]
    assert 0.0 < told < play / 2
    assert world.data.joint("stand/hinge").qpos[0] == 0.0
    world.run(1.0)
    told, joint = world.samples["stand", "encoder"].latest().angles[0], world.data.joint("stand/hinge").qpos[0]
    assert told - joint == pytest.approx(play / 2, abs=1e-3)
    assert speed(world) == pytest.approx(0.05 * 1.05 / (INERTIA + 0.04), rel=0.1)


def test_play_needs_a_rotor(stand):
    with pytest.raises(InputError, match="needs the rotor_inertia"):
        stand({**GEARED, "backlash": 0.02})


def test_a_motor_names_the_joints_there_are(stand):
    with pytest.raises(InputError, match=r"no joint 'knee'; its joints: hinge"):
        stand({**GEARED, "joint": "knee"})


def test_a_broken_motor_gives_nothing(stand):
    world = stand({"kind": "joint_motor", "joint": "hinge", "channel": 0}, torque=0.3)
    world.fail("stand.motor", "off")
    world.run(0.1)
    assert speed(world) == 0.0


def test_friction_is_in_a_snapshot(stand):
    world = stand({**GEARED, "dry": 0.05, "efficiency": 0.8, "rotor_inertia": 4e-6}, torque=0.3)
    world.step(50)
    kept = world.snapshot()
    world.step(50)
    first = world.data.qpos.copy()
    world.turn(0, 5.0)
    world.step(50)
    world.restore(kept)
    world.step(50)
    assert np.array_equal(world.data.qpos, first)


def test_a_wheel_turns_the_base_and_takes_the_opposite(stand):
    world = stand({"kind": "reaction_wheel", "joint": "disc", "channel": 0}, WHEEL, torque=0.1)
    world.run(1.0)
    base, disc = speed(world, "yaw"), speed(world, "disc")
    assert base == pytest.approx(0.1 / 0.5, rel=1e-9)
    assert 0.5 * base + 0.002 * (base + disc) == pytest.approx(0.0, abs=1e-12)


def test_a_wheel_saturates(stand):
    limited = {"kind": "reaction_wheel", "joint": "disc", "channel": 0, "model": "geared", "speed_max": 20.0}
    world = stand({**limited, "torque_constant": 0.05, "current_lasting": 9, "current_max": 9}, WHEEL, torque=0.1)
    world.run(2.0)
    assert speed(world, "disc") == pytest.approx(-20.0, rel=0.01)
    held = speed(world, "yaw")
    world.run(0.5)
    assert speed(world, "yaw") == pytest.approx(held, rel=1e-6)
    world.turn(0, -0.1)
    world.run(0.1)
    assert speed(world, "yaw") < held


@pytest.mark.parametrize(("kind", "body", "joint"), [("reaction_wheel", WHEEL, "disc"), ("joint_motor", BODY, "hinge")])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_ideal_motor_has_a_speed_limit_too(stand, kind, body, joint, sign):
    """It gives all of its torque up to the limit, none that drives on beyond it, and all that slows down."""
    world = stand({"kind": kind, "joint": joint, "channel": 0, "speed_max": 20.0}, body, torque=sign * 0.1)
    inertia = 0.05 if kind == "joint_motor" else 1.0 / (1.0 / 0.5 + 1.0 / 0.002)
    reached = 20.0 * inertia / 0.1
    world.run(0.5 * reached)
    assert abs(speed(world, joint)) == pytest.approx(10.0, rel=0.01)
    world.run(reached)
    least = abs(speed(world, joint))
    assert least == pytest.approx(20.0, rel=0.01)
    world.run(1.0)
    assert abs(speed(world, joint)) == pytest.approx(least, rel=1e-9)
    world.turn(0, -sign * 0.1)
    world.run(0.5 * reached)
    assert abs(speed(world, joint)) == pytest.approx(10.0, rel=0.02)


def test_motors_and_electronics_empty_the_battery(stand):
    parts = {
        "pack": {"kind": "battery", "cells": 6, "capacity_ah": 0.01, "power": 20.0},
        "motor": {**GEARED, "battery": "pack"},
        "meter": {"kind": "battery_monitor", "battery": "pack", "site": "base", "rate_hz": 100},
    }
    world = stand(parts, torque=5.0)
    world.step(20)
    told = world.samples["stand", "meter"].latest()
    assert told.voltage * told.current == pytest.approx(20.0 + world.part("motor").outputs.power, rel=0.02)
    assert told.current > 20.0 / told.voltage
