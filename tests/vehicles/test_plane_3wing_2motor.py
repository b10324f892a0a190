"""The twin-motor plane of Last_letter_2: mass and inertia, channels, electric motors in flight, its wheels."""

import json
import math

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.config.vehicle import MODELS
from cupola.physics.atmosphere import Atmosphere, atmosphere
from cupola.physics.rotation import Vector, euler_from_quaternion, rotate

COM = (-0.047, 0.0, -0.017)
PUSH = 0.5 * atmosphere(0.0, Atmosphere()).density * 18.0**2
"""Dynamic pressure at sea level and 18 m/s [Pa]."""


@pytest.fixture(scope="module")
def fly(make_world):
    """In the air, level: sticks (roll, pitch, yaw), throttle, speed [m/s]."""

    def start(sticks=(0, 0, 0), throttle=0.0, speed=18.0, **scenario):
        entry = {"model": "plane_3wing_2motor", "position": [0, 0, 0], "velocity_b": [speed, 0, 0]}
        world = make_world(entry, **scenario)
        world.sticks([*sticks, 2 * throttle - 1])
        return world

    return start


def box(mass, x, y, z):
    return mass / 12 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])


def cylinder(mass, radius, height, axis):
    inertia = np.full(3, mass / 12 * (3 * radius**2 + height**2))
    inertia[axis] = mass / 2 * radius**2
    return np.diag(inertia)


# §4.6.1: mass [kg], place of the centre [m], inertia about it. A nominal 3 kg times a fraction, sizes in metres.
LINKS = [
    (0.9, (0, 0, 0), cylinder(0.9, 0.14, 1.0, 0)),
    (0.6, (0, 0, 0), box(0.6, 0.15, 2.0, 0.04)),
    (0.15, (-0.45, 0, 0), box(0.15, 0.1, 0.8, 0.02)),
    (0.15, (-0.45, 0, 0.215), box(0.15, 0.1, 0.02, 0.15)),
    *((0.45, (0.075 + 0.01, y, 0), box(0.45, 0.02, 0.04, 0.04)) for y in (0.6, -0.6)),
    *((0.015, (0.075 + 0.02 + 0.01, y, 0), cylinder(0.015, 0.01, 0.02, 0)) for y in (0.6, -0.6)),
    *((0.045, (0.075 + 0.02 + 0.02, y, 0), box(0.045, 0.01, 0.04, 0.26)) for y in (0.6, -0.6)),
    (0.15, (0.3, 0, -0.14), box(0.15, 0.01, 0.5, 0.01)),
    *((0.03, (0.3, y, -0.14), cylinder(0.03, 0.06, 0.02, 1)) for y in (0.26, -0.26)),
    (0.45, (-0.4, 0, -0.14), 2 / 5 * 0.45 * 0.028**2 * np.eye(3)),
]


def test_mass_centre_and_inertia_are_those_of_the_links(fly):
    world = fly()
    model, data = world.model, world.data
    mass = sum(m for m, _, _ in LINKS)
    centre = sum(m * np.array(place) for m, place, _ in LINKS) / mass
    inertia = np.zeros((3, 3))
    for m, place, own in LINKS:
        r = np.array(place) - centre
        inertia += own + m * (r @ r * np.eye(3) - np.outer(r, r))
    assert model.body_subtreemass[1] == pytest.approx(mass, abs=1e-12)
    assert mass == pytest.approx(3.48, abs=1e-12)
    assert data.subtree_com[1] == pytest.approx(centre, abs=1e-12)
    assert centre == pytest.approx(COM, abs=5e-4)
    found = np.zeros((3, 3))
    for body in range(1, model.nbody):
        turn, r = data.ximat[body].reshape(3, 3), data.xipos[body] - data.subtree_com[1]
        found += turn @ np.diag(model.body_inertia[body]) @ turn.T
        found += model.body_mass[body] * (r @ r * np.eye(3) - np.outer(r, r))
    np.testing.assert_allclose(found, inertia, atol=1e-12)


SURFACES = ("wing", "horizontal_tail", "vertical_tail")


def shown(world, part):
    """What an airfoil shows: speed, angles, coefficients, force, torque."""
    return world.part(part).outputs


def test_each_surface_has_its_own_coefficients(fly):
    world = fly()
    world.step()  # shows the loads at its start
    lift = [shown(world, part).force.z for part in SURFACES]
    assert lift == pytest.approx([PUSH * 0.3 * 0.56, PUSH * 0.08 * 0.27, 0.0], rel=1e-9, abs=1e-12)
    # Induced drag of each with its own aspect ratio b² / S; only the wing has parasitic drag.
    induced = [c**2 / (math.pi * 0.9 * b * b / s) for c, b, s in ((0.56, 2.0, 0.3), (0.27, 0.8, 0.08))]
    drag = [-shown(world, part).force.x for part in SURFACES]
    assert drag == pytest.approx([PUSH * 0.3 * (0.0437 + induced[0]), PUSH * 0.08 * induced[1], 0.0], rel=1e-9)


@pytest.mark.parametrize(("axis", "part"), [(0, 0), (1, 1), (2, 2)], ids=["roll", "pitch", "yaw"])
def test_each_channel_moves_one_surface_and_turns_the_plane_as_the_books_count(fly, axis, part):
    books = np.array([1, -1, -1])  # front-left-up to front-right-down: right side down, nose up, nose right
    plus, minus = (fly([sign * 0.5 * (k == axis) for k in range(3)]) for sign in (1, -1))
    for world in (plus, minus):
        world.step()
    moved = [shown(plus, name) != shown(minus, name) for name in SURFACES]
    assert moved == [k == part for k in range(3)]
    # The wing's torque is its own coefficient; the tails also lift 0.45 m behind the body's origin.
    own = [PUSH * 0.3 * 2.0 * 0.20 * 0.3491, 0.0, PUSH * 0.015 * 0.1 * 10.0 * 0.6][axis]
    force = [0.0, -PUSH * 0.08 * 0.3 * 0.4, -PUSH * 0.015 * 0.3 * 0.6][axis]
    after, before = shown(plus, SURFACES[part]), shown(minus, SURFACES[part])
    about = after.torque.x - before.torque.x if axis == 0 else before.torque.y - after.torque.y
    assert about == pytest.approx(own, rel=1e-9, abs=1e-12)
    assert after.force.z - before.force.z == pytest.approx(force, rel=1e-9, abs=1e-12)
    for world in (plus, minus):
        world.step(50)
    rate = (np.array(plus.motion().rate_b) - minus.motion().rate_b) * books
    assert rate[axis] > 0.05 and np.argmax(np.abs(rate)) == axis


def test_a_surface_and_a_motor_switched_off(tmp_path, make_world):
    # The source's type 0: no numbers needed, no wrench, and the model file stays as it is.
    vehicle = yaml.safe_load((MODELS / "plane_3wing_2motor/vehicle.yaml").read_text())
    vehicle["mjcf"] = str(MODELS / "plane_3wing_2motor/model.xml")
    vehicle["parts"]["wing"]["model"] = "none"
    vehicle["parts"]["motor1"] = {"kind": "rotor", "site": "motor1", "channel": 3, "direction": 1}
    (tmp_path / "vehicle.yaml").write_text(json.dumps(vehicle))
    world = make_world({"model": str(tmp_path), "name": "plane", "position": [0, 0, 0]})
    world.sticks([0, 0, 0, 1])
    world.step(200)
    wing, tail = shown(world, "wing"), shown(world, "horizontal_tail")
    assert {*wing.force, *wing.torque} == {0.0} and tail.force.x != 0.0 != tail.force.z
    left, right = motors(world)
    assert (left.thrust, left.torque, left.omega) == (0.0, 0.0, 0.0) and right.thrust > 0 > right.omega


def motors(world):
    """What both motors show."""
    return world.part("motor1").outputs, world.part("motor2").outputs


# §3.5: throttle, airspeed, then shaft speed, thrust and power as printed.
STEADY = [
    (1.0, 0.0, 831, 31.7, 494),
    (1.0, 10.0, 883, 15.7, 366),
    (1.0, 20.0, 908, 9.3, 296),
    (0.5, 0.0, 449, 9.3, None),
]


@pytest.mark.parametrize(("throttle", "speed", "omega", "thrust", "watts"), STEADY)
def test_steady_states_of_the_motors_in_flight(fly, throttle, speed, omega, thrust, watts):
    world = fly(throttle=throttle, speed=speed, gravity=0.0, physics_hz=400)
    world.model.body_mass[:] *= 1e25  # so heavy that nothing changes its speed, not even by the jump at zero
    world.model.body_inertia[:] *= 1e25
    mujoco.mj_setConst(world.model, world.data)
    world.reset()
    world.sticks([0, 0, 0, 2 * throttle - 1])
    world.run(60.0)
    assert world.motion().vel_b == pytest.approx((speed, 0, 0), abs=1e-6)
    left, right = motors(world)
    assert left.omega == pytest.approx(omega, abs=0.5) and left.thrust == pytest.approx(thrust, abs=0.05)
    if watts:
        assert left.power == pytest.approx(watts, abs=0.5)
    # The right one turns the other way: the same thrust, opposite torque against its rotation.
    assert right.omega == -left.omega and right.torque == -left.torque and right.thrust == left.thrust
    assert left.torque < 0 < right.torque


def test_the_thesis_formula_jumps_at_rest_and_the_option_does_not(fly):
    def thrust(speed, fade_in):
        world = fly(throttle=1.0, speed=speed)
        for name, omega in (("motor1", 831.0), ("motor2", -831.0)):
            world.part(name).row.fade_in = fade_in
            world.part(name).set_state(omega=omega)
        world.step()
        return motors(world)[0].thrust

    assert thrust(0.0, 0.0) == pytest.approx(31.7, abs=0.05)
    assert thrust(1e-3, 0.0) == pytest.approx(70.9, abs=0.5)
    assert thrust(0.0, 1.0) == thrust(0.0, 0.0)
    falling = [thrust(speed, 1.0) for speed in (0.0, 1e-3, 1.0, 3.0, 6.0, 10.0, 15.0)]
    assert falling[1] == pytest.approx(falling[0], abs=0.05)
    # At 1 m/s it still gains 0.4 N: what fades in grows a little faster than the static part fades out.
    assert max(falling) < 1.02 * falling[0] and np.all(np.diff(falling[2:]) < 0)


def test_takes_off_from_its_wheels():
    world = cupola.load("twin_takeoff")
    world.run(3.0)
    seen = world.motion()
    # Down from 1 m, rolling: front axle 0.06 m, rear sphere 0.028 m above the ground.
    assert seen.pos_w.z == pytest.approx(0.186, abs=0.005)
    assert world.data.qvel[6:9] * [0.06, 0.06, 0.028] == pytest.approx([seen.vel_w.x] * 3, rel=0.01)
    world.run(5.0)
    assert world.motion().pos_w.z > 2 and world.motion().vel_b.x > 18
    world.run(12.0)
    assert abs(world.motion().pos_w.y) < 0.01  # no asymmetry from motors turning in opposite senses
    world.run(30.0)
    end = world.motion()
    roll, pitch, yaw = np.degrees(euler_from_quaternion(end.quat_wb))
    assert end.pos_w.z > 30 and end.vel_b.x == pytest.approx(15.1, abs=0.3)
    assert abs(roll) < 1 and abs(pitch) < 2 and yaw == pytest.approx(-10.6, abs=0.5)  # it turned right


def test_lands_on_its_wheels(make_world):
    entry = {"model": "plane_3wing_2motor", "position": [0, 0, 2], "velocity_b": [15, 0, 0]}
    world = make_world(entry, floor={})
    world.sticks([0, 0.35, 0, -1])  # power off
    world.run(15.0)
    seen = world.motion()
    assert seen.pos_w.z == pytest.approx(0.186, abs=0.005) and abs(seen.pos_w.y) < 1
    assert 0.5 < seen.vel_b.x < 12
    assert rotate(seen.quat_wb, Vector(0, 0, 1)).z > 0.99
