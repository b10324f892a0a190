"""What a world writes down is what it was."""

import json
from typing import Any

import numpy as np
import pytest

import cupola
from cupola.record import Recording
from cupola.record.sheets import NAMED, Vehicle, parts, reports
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
    np.testing.assert_array_equal(joy["axes.3"], np.array([n["sticks"][0, 3] for n in kept], np.float32))


def test_at_the_rate_of_the_physics_every_step_has_its_air_forces_and_moments(make_world, tmp_path):
    """In wind, gusts and warm air each number moves from step to step, so that none could stand for another."""
    plane: dict[str, Any] = {"model": "plane_3wing_2motor", "position": [0, 0, 50], "velocity_b": [16, 0, 0]}
    plane["controller"] = {
        "use": "pass_through",
        "rate_hz": 400,
        "sticks": [{"time": 0, "channels": [0.2, 0, 0.1, 0.7]}],
    }
    air = {"temperature_offset": 9, "wind": {"speed": 4, "from_deg": 250, "exponent": 0.2}}
    air["turbulence"] = {"sigma": [1.0, 1.0, 0.7]}
    world = make_world(plane, physics_hz=400, record={"rate_hz": 400}, air=air)
    tap = WorldRecorder(world, tmp_path / "steps.mcap")
    world.observers.append(tap)
    parts = {part.name: world.part(part.full_name) for part in world.assembly.parts}
    steps = []
    for _ in range(80):
        world.step(1)
        sample = world.snapshot().numbers["air_samples"][0]
        wind = {f"wind.{axis}": sample[f"wind_{axis}"] for axis in "xyz"}
        steps.append({name: numbers(part.outputs) for name, part in parts.items()})
        steps[-1]["air"] = wind | {name: sample[name] for name in ("density", "pressure", "temperature")}
    tap.close()
    recording = Recording(tmp_path / "steps.mcap")
    moments = {name for name, part in parts.items() if "torque.x" in numbers(part.outputs)}
    assert len(moments) == 3 and {"motor1", "motor2", "air"} <= set(steps[0])
    for name, first in steps[0].items():
        table = recording.table(f"/plane_3wing_2motor/{name}")
        assert len(table["time"]) == 1 + len(steps)  # the start, then each step
        for column in first:
            np.testing.assert_array_equal(table[column][1:], [step[name][column] for step in steps], f"{name} {column}")
    for name, column in [("air", "wind.x"), ("air", "wind.y"), ("air", "wind.z"), ("air", "temperature")]:
        assert np.ptp([step[name][column] for step in steps]) > 1e-6
    for column in [f"{kind}.{axis}" for kind in ("force", "torque") for axis in "xyz"]:
        assert any(np.ptp([step[wing][column] for step in steps]) > 1e-6 for wing in moments)
    for column in ("thrust", "torque", "omega", "airspeed", "current", "power"):
        assert np.ptp([step["motor1"][column] for step in steps]) > 1e-6


def numbers(outputs):
    """Outputs by the names of columns: a vector has three."""
    found = {}
    for name, value in (outputs._asdict() if outputs else {}).items():
        axes = value._asdict() if hasattr(value, "_asdict") else None
        found |= {f"{name}.{axis}": one for axis, one in axes.items()} if axes else {name: value}
    return found


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
    assert (0.0, "quadcopter.velocity_kp", 2.5) in changes


def test_a_recording_opened_in_flight_begins_there(tmp_path):
    world = cupola.load("quadcopter")
    world.run(2.0)
    tap = WorldRecorder(world, tmp_path / "late.mcap")
    world.observers.append(tap)
    world.run(1.0)
    tap.close()
    time = Recording(tmp_path / "late.mcap").table("/quadcopter/odometry")["time"]
    assert time[0] == 2.0 and time[-1] == 3.0 and len(time) == 101


def test_what_controllers_and_parts_name_has_a_sheet(tmp_path):
    """Each topic of named numbers has a message type of its own: the sheets know them all."""
    world = cupola.load("hover")
    recorder = WorldRecorder(world, tmp_path / "hover.mcap")
    world.observers.append(recorder)
    world.run(0.3)
    recorder.close()
    vehicle = Vehicle(Recording(tmp_path / "hover.mcap"), "quadcopter")
    assert {topic.label for topic in vehicle.of(NAMED)} >= {"controller", "frame"}
    assert [panel.title for panel in reports(vehicle)] and [panel.title for panel in parts(vehicle)]
