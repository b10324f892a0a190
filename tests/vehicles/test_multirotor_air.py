"""Multirotors feel the air from the side: drag of the frame, drag of the lifting rotors; the thesis's do not."""

import math

import numpy as np
import pytest

import cupola
from cupola.parts.propulsion.rotor import Rotor
from cupola.physics.blades import SIDE_FORCE, blades_aside, side_force
from cupola.physics.rotation import Vector

DENSITY = 1.225


def carried(make_world, preset, speed=25.0, model="quadcopter"):
    """[m] that a side wind moves a multirotor that holds hover thrust, level, in its first half second."""
    first = 4 if model == "quadcopter_x" else 0  # past its mixer
    idle = {"use": "idle", "channel": first}
    entry = {"model": model, "position": [0, 0, 10], "controller": idle, "preset": preset}
    world = make_world(entry, air={"wind": {"speed": speed, "from_deg": 270}})
    rotors = world.robot().rotors
    hover = math.sqrt(world.robot().mass * 9.81 / sum(one.full_thrust for one in rotors.values()))
    for one in rotors.values():
        world.turn(one.channel, hover)
    world.run(0.5)
    return world.motion().pos_w.x


@pytest.mark.parametrize("model", ["quadcopter", "quadcopter_x", "hexacopter"])
def test_a_side_wind_carries_it_away_but_not_the_one_of_the_thesis(make_world, model):
    assert abs(carried(make_world, "thesis", model=model)) < 1e-9
    one, two = (carried(make_world, None, speed, model) for speed in (10.0, 20.0))
    assert one > 0.2
    assert 2.0 * one < two < 4.0 * one  # between drag in proportion to the wind and to its square


def test_the_force_is_frame_and_rotors(make_world):
    """At rest in a wind: ½ ρ V² C_D S of the frame, and √(2 ρ A T) of each rotor's flow, a fifth of it, times V."""
    entry = {"model": "quadcopter", "position": [0, 0, 10], "controller": {"use": "idle"}}
    world = make_world(entry, air={"wind": {"speed": 5.0, "from_deg": 270}, "density": DENSITY})
    for channel in range(4):
        world.turn(channel, 0.5)
    world.step(2)
    frame = world.part("frame").outputs.force
    assert frame.x == pytest.approx(0.5 * DENSITY * 25.0 * 1.5 * 0.016, rel=1e-3)
    thrust = world.part("motor1").outputs.thrust
    rotors = 4.0 * SIDE_FORCE * math.sqrt(2.0 * DENSITY * 0.017 * thrust) * 5.0
    gained = world.motion().vel_w.x / world.time
    assert gained == pytest.approx((frame.x + rotors) / world.robot().mass, rel=0.01)


def test_the_share_is_that_of_the_crazyflie_which_was_measured():
    world = cupola.load("crazyflie")
    motor = world.part("motor1").part
    assert isinstance(motor, Rotor) and motor.lagged
    numbers = motor.lagged
    thrust = world.robot().mass * 9.81 / 4.0
    omega, aside = math.sqrt(thrust / numbers.k_thrust), Vector(0.0, 1.0, 0.0)
    measured = blades_aside(omega, aside, Vector(0.0, 0.0, 0.0), DENSITY, numbers).force.y
    assert side_force(thrust, aside, DENSITY, 0.0225, SIDE_FORCE).y == pytest.approx(measured, rel=0.05)


def test_controllers_know_the_drag_of_the_rotors(make_world):
    entry = {"model": "quadcopter", "position": [0, 0, 10], "velocity_b": [0.1, 0, 0]}
    world = make_world(entry | {"controller": {"use": "idle"}})  # so slow that the frame's drag is nothing
    robot = world.robot()
    lift = sum(one.full_thrust for one in robot.rotors.values())
    for one in robot.rotors.values():
        world.turn(one.channel, math.sqrt(robot.mass * 9.81 / lift))
    world.step(2)
    started = world.motion()
    world.run(0.02)  # so short that it has not leant
    now = world.motion()
    slowed = math.log(started.vel_w.x / now.vel_w.x) / (now.time - started.time)
    for use, channel in (("quadcopter_waypoints", 0), ("multirotor_velocity", 4)):
        world = make_world(entry | {"controller": {"use": use, "channel": channel}})
        assert world.parameters["quadcopter.drag"][1] == pytest.approx(slowed, rel=0.02)


def test_propellers_that_pull_have_none_and_a_motor_that_is_off_neither(make_world):
    plane = make_world({"model": "plane_1wing", "controller": {"use": "idle"}})
    assert plane.part("motor1").row.side == 0.0
    still = side_force(0.0, Vector(0.0, 9.0, 9.0), DENSITY, 0.1, SIDE_FORCE)
    assert np.abs(still).max() < 1e-6


def test_the_square_fights_its_gusts():
    """The same plan with and without wind: the path differs by centimetres, where the thesis's vehicle felt 6 mm."""
    world, calm = cupola.load("square"), cupola.load("square")
    calm.tune("air.wind_speed", 0.0)
    for axis in "xyz":
        calm.tune(f"air.turbulence_sigma_{axis}", 0.0)
        calm.tune(f"air.gust_1_velocity_{axis}", 0.0)
    for one in (world, calm):
        one.run()
    found, still = ({name: m.value or 0.0 for name, m in one.measures().items()} for one in (world, calm))
    assert found["tracking error"] > 1.5 * still["tracking error"] > 0.0
    assert 0.0 < found["landed off the point"] < 0.2
