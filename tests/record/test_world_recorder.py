"""What a world writes down is what it was."""

import json

import numpy as np
import pytest

import cupola
from cupola.record import Recording
from cupola.record.world_recorder import WorldRecorder


@pytest.fixture(scope="module")
def flight(tmp_path_factory):
    """Ten seconds of the plane from its wheels, and the states the world had at each recorded moment."""
    world = cupola.load("plane_takeoff")
    path = tmp_path_factory.mktemp("tap") / "plane.mcap"
    tap = WorldRecorder(world, path)
    world.observers.append(tap)
    every = round(world.scenario.physics_hz / world.scenario.record_hz)
    states = [(world.snapshot(), world.data.qpos.copy(), world.data.qvel.copy(), world.data.xquat.copy())]
    for _ in range(1000):
        world.run(every * world.dt)
        states.append((world.snapshot(), world.data.qpos.copy(), world.data.qvel.copy(), world.data.xquat.copy()))
    tap.close()
    return world, Recording(path), states


def test_every_topic_holds_the_numbers_of_the_world(flight):
    world, recording, states = flight
    qpos, qvel = np.array([s[1] for s in states]), np.array([s[2] for s in states])
    kept = [s[0].numbers for s in states]
    time = np.arange(len(states)) / world.scenario.record_hz

    odometry = recording.table("/plane_1wing/odometry")
    np.testing.assert_allclose(odometry["time"], time, atol=1e-9)
    for k, axis in enumerate("xyz"):
        np.testing.assert_array_equal(odometry[f"pose.pose.position.{axis}"], qpos[:, k])
        np.testing.assert_allclose(odometry[f"twist.twist.angular.{axis}"], qvel[:, 3 + k], atol=1e-12)
    for k, axis in enumerate("wxyz"):
        np.testing.assert_allclose(odometry[f"pose.pose.orientation.{axis}"], qpos[:, 3 + k], atol=1e-12)

    joints = recording.table("/plane_1wing/joint_states")
    for k in range(3):  # left, right and rear wheel, then the shaft
        np.testing.assert_array_equal(joints[f"position.{k}"], qpos[:, 7 + k])
        np.testing.assert_array_equal(joints[f"velocity.{k}"], qvel[:, 6 + k])
    rotor = world.part("motor1").row
    np.testing.assert_array_equal(joints["velocity.3"], [n["state"][rotor.state] for n in kept])

    air = recording.table("/plane_1wing/air")
    np.testing.assert_array_equal(air["density"], [n["air_samples"]["density"][0] for n in kept])
    np.testing.assert_array_equal(recording.table("/plane_1wing/pressure")["fluid_pressure"], air["pressure"])

    channels = recording.table("/plane_1wing/channels")
    for k in range(4):
        np.testing.assert_array_equal(channels[f"command.{k}"], [n["command"][1 + k] for n in kept])
    joy = recording.table("/plane_1wing/joy")
    assert sum(name.startswith("axes.") for name in joy) == 20
    np.testing.assert_array_equal(joy["axes.3"], np.float32([n["sticks"][0, 3] for n in kept]))

    outputs = np.array([n["outputs"] for n in kept])
    wing, motor = world.part("wing").row.output, rotor.output
    np.testing.assert_array_equal(recording.table("/plane_1wing/wing")["alpha"], outputs[:, wing + 1])
    np.testing.assert_array_equal(recording.table("/plane_1wing/motor1")["thrust"], outputs[:, motor])


def test_frames_are_recorded_and_those_of_sites_once(flight):
    world, recording, states = flight
    moving = recording.table("/tf")
    assert len(moving["time"]) == len(states)
    np.testing.assert_array_equal(moving["transforms.0.transform.translation.z"], [s[1][2] for s in states])
    wheel = world.model.body("plane_1wing/rear_wheel").id
    spin = [s[3][wheel, 2] for s in states]
    np.testing.assert_array_equal(moving[f"transforms.{wheel - 1}.transform.rotation.y"], spin)
    fixed = recording.table("/tf_static")
    assert len(fixed["time"]) == 1
    assert fixed["transforms.2.transform.translation.x"][0] == 0.5  # the motor's site


def test_the_file_says_what_made_it(flight):
    world, recording, _ = flight
    assert recording.metadata["seed"] == str(world.scenario.seed)
    assert json.loads(recording.attachments["scenario.json"])["physics_hz"] == 2000
    assert recording.attachments["plane_1wing/vehicle.yaml"].startswith("about: Fixed-wing")


def test_parameter_changes_stand_in_the_file_with_their_time(tmp_path):
    world = cupola.load("quadcopter")
    tap = WorldRecorder(world, tmp_path / "tuned.mcap")
    world.observers.append(tap)
    world.run(0.5)
    world.tune("quadcopter.yaw_kp", 0.2)
    world.run(0.5)
    tap.close()
    changes = Recording(tmp_path / "tuned.mcap").parameters
    assert changes[-1] == (0.5, "quadcopter.yaw_kp", 0.2)
    assert (0.0, "quadcopter.yaw_kp", 0.11) in changes


def test_a_recording_opened_in_flight_begins_there(tmp_path):
    world = cupola.load("quadcopter")
    world.run(2.0)
    tap = WorldRecorder(world, tmp_path / "late.mcap")
    world.observers.append(tap)
    world.run(1.0)
    tap.close()
    time = Recording(tmp_path / "late.mcap").table("/quadcopter/odometry")["time"]
    assert time[0] == 2.0 and time[-1] == 3.0 and len(time) == 101
