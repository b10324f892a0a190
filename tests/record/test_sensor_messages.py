"""What each sensor says in a recording, read by `rosbags` with the definitions that lie in the file."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cupola.record.read import Recording
from cupola.record.sheets import SHEETS, Vehicle
from cupola.record.world_recorder import WorldRecorder

from .conftest import Decoded, decode_independently

BODY = '<body name="base" pos="0 0 5"><geom size="0.1"/><site name="here" euler="0 90 0"/></body>'
PARTS: dict[str, Any] = {
    "baro": {"kind": "barometer", "noise": 2.0, "drift": 1.0},
    "gnss": {"kind": "gnss", "noise": 3.0, "altitude_noise": 4.0, "delay": 0.1},
    "compass": {"kind": "magnetometer", "noise": 1e-7},
    "pitot": {"kind": "airspeed", "bias": 20.0, "noise": 0.5},
    "height": {"kind": "rangefinder", "noise": 0.01},
    "monitor": {"kind": "battery_monitor", "battery": "pack", "voltage_noise": 0.1, "current_noise": 0.1},
    "laser": {"kind": "laser", "rays": 11, "angle_min_deg": -80, "angle_max_deg": 80},
    "bright": {"kind": "laser", "rays": 11, "angle_min_deg": -80, "angle_max_deg": 80, "intensity": True},
    "imu": {"kind": "imu", "accel_noise": 0.02, "rate_noise": 0.001, "rate_drift": 0.003},
    "filtered": {"kind": "imu", "orientation": True},
}


@pytest.fixture
def flight(vehicle: Callable[..., str], make_world: Callable[..., Any], tmp_path: Path) -> Any:
    """A world, and the messages of its first second by topic."""
    parts = {name: {"site": "here", "rate_hz": 20, **part} for name, part in PARTS.items()}
    pack = {"kind": "battery", "cells": 4, "capacity_ah": 5, "charge": 0.5}
    world = make_world(
        vehicle(BODY, parts={**parts, "pack": pack}), floor={}, origin={"latitude_deg": 40, "longitude_deg": -75}
    )
    tap = WorldRecorder(world, tmp_path / "flight.mcap")
    world.observers.append(tap)
    world.run(1.0)
    tap.close()
    messages: dict[str, list[Decoded]] = {}
    for message in decode_independently(tmp_path / "flight.mcap"):
        messages.setdefault(message.topic, []).append(message)
    return world, messages


def columns(messages: list[Decoded], *fields: str) -> Any:
    return np.array([[message[field] for field in fields] for message in messages])


def numbers(world: Any, name: str) -> Any:
    return world.samples["toy", name].since(0)[:, 1:]


def test_every_sample_is_in_the_file_with_its_stamp_and_frame(flight: Any) -> None:
    _, messages = flight
    for name, part in PARTS.items():
        said = messages[f"/toy/{name}"]
        assert [m.publish_time for m in said] == [k * 50_000_000 for k in range(21)]
        late = round(1e9 * part.get("delay", 0.0))
        assert all(m.log_time == m.publish_time + late for m in said)
        assert all(m["header.stamp.sec"] * 10**9 + m["header.stamp.nanosec"] == m.publish_time for m in said)
        assert {m["header.frame_id"] for m in said} == {"toy/here_site"}


def test_a_barometer_gives_pascals(flight: Any) -> None:
    world, messages = flight
    np.testing.assert_array_equal(columns(messages["/toy/baro"], "fluid_pressure"), numbers(world, "baro"))
    assert messages["/toy/baro"][0]["variance"] == 5.0


def test_a_fix_is_in_degrees(flight: Any) -> None:
    world, messages = flight
    said = columns(messages["/toy/gnss"], "latitude", "longitude", "altitude")
    np.testing.assert_allclose(said, numbers(world, "gnss")[:, :3] * [180 / math.pi, 180 / math.pi, 1], rtol=1e-15)
    np.testing.assert_allclose(said.mean(axis=0), [40, -75, 5], atol=5)
    first = messages["/toy/gnss"][0]
    assert first["position_covariance"].tolist() == [9, 0, 0, 0, 9, 0, 0, 0, 16]
    assert (first["position_covariance_type"], first["status.status"], first["status.service"]) == (2, 0, 1)
    velocity = columns(messages["/toy/gnss/velocity"], *(f"twist.linear.{axis}" for axis in "xyz"))
    np.testing.assert_array_equal(velocity, numbers(world, "gnss")[:, 3:])
    assert messages["/toy/gnss/velocity"][0]["header.frame_id"] == "world"


def test_a_magnetometer_gives_teslas(flight: Any) -> None:
    world, messages = flight
    said = columns(messages["/toy/compass"], *(f"magnetic_field.{axis}" for axis in "xyz"))
    np.testing.assert_array_equal(said, numbers(world, "compass"))
    variance = messages["/toy/compass"][0]["magnetic_field_covariance"].reshape(3, 3)
    np.testing.assert_allclose(variance, 1e-14 * np.eye(3))


def test_a_pitot_tube_gives_pressure_and_speed(flight: Any) -> None:
    world, messages = flight
    said = columns(messages["/toy/pitot"], "differential_pressure", "indicated_airspeed")
    np.testing.assert_array_equal(said, numbers(world, "pitot"))
    pressure = messages["/toy/pitot/pressure"]
    np.testing.assert_array_equal(columns(pressure, "fluid_pressure")[:, 0], said[:, 0])
    assert pressure[0]["variance"] == 0.25


def test_a_range_has_its_limits(flight: Any) -> None:
    world, messages = flight
    said = columns(messages["/toy/height"], "range")
    np.testing.assert_array_equal(said, numbers(world, "height").astype(np.float32))
    first = messages["/toy/height"][0]
    assert (first["min_range"], first["max_range"], first["radiation_type"]) == (np.float32(0.1), 30, 1)


def test_a_scan_has_its_angles_and_ranges(flight: Any) -> None:
    world, messages = flight
    said = np.array([m["ranges"] for m in messages["/toy/laser"]])
    np.testing.assert_array_equal(said, numbers(world, "laser").astype(np.float32))
    assert np.isfinite(said).all() and said.shape == (21, 11)
    first = messages["/toy/laser"][0]
    limits = [first[field] for field in ("angle_min", "angle_max", "angle_increment", "scan_time", "range_min")]
    expected = [math.radians(-80), math.radians(80), math.radians(16), 0.05, 0.1]
    np.testing.assert_allclose(limits, expected, rtol=1e-7)


def test_a_scan_may_have_intensities(flight: Any) -> None:
    world, messages = flight
    said, plain = messages["/toy/bright"], messages["/toy/laser"]
    both = np.array([[*m["ranges"], *m["intensities"]] for m in said])
    np.testing.assert_array_equal(both, numbers(world, "bright").astype(np.float32))
    assert both.shape == (21, 22) and both[:, 11:].min() > 0
    assert all(len(m["intensities"]) == 0 for m in plain)
    for field in ("angle_min", "angle_max", "angle_increment", "time_increment", "scan_time", "range_min", "range_max"):
        assert said[0][field] == plain[0][field]
    assert said[0]["time_increment"] == 0  # all rays of one moment


def test_an_imu_says_how_sure_it_is_and_whether_it_knows_its_attitude(flight: Any) -> None:
    world, messages = flight
    fields = [f"{field}.{axis}" for field in ("linear_acceleration", "angular_velocity") for axis in "xyz"]
    np.testing.assert_array_equal(columns(messages["/toy/imu"], *fields), numbers(world, "imu"))
    first = messages["/toy/imu"][0]
    assert first["orientation_covariance"][0] == -1
    np.testing.assert_allclose(first["linear_acceleration_covariance"].reshape(3, 3), 0.02**2 * 20 * np.eye(3))
    expected = (0.001**2 * 20 + 0.003**2) * np.eye(3)
    np.testing.assert_allclose(first["angular_velocity_covariance"].reshape(3, 3), expected)
    told = messages["/toy/filtered"]
    fields += [f"orientation.{axis}" for axis in "wxyz"]
    np.testing.assert_array_equal(columns(told, *fields), numbers(world, "filtered"))
    np.testing.assert_allclose(columns(told, *fields[6:])[0], [math.sqrt(0.5), 0, math.sqrt(0.5), 0], atol=1e-12)
    assert not told[0]["orientation_covariance"].any()


def test_a_battery_has_amperes_that_leave_it_negative(flight: Any) -> None:
    world, messages = flight
    said = columns(messages["/toy/monitor"], "voltage", "current", "percentage", "charge")
    expected = numbers(world, "monitor")[:, [0, 1, 2, 2]] * [1, -1, 1, 5]
    np.testing.assert_array_equal(said, expected.astype(np.float32))
    first = messages["/toy/monitor"][0]
    assert first["present"] and len(first["cell_voltage"]) == 4 and first["capacity"] == 5
    assert first["power_supply_technology"] == 3 and first["percentage"] == 0.5


def test_a_pitot_tube_is_not_drawn_as_a_barometer(flight: Any, tmp_path: Path) -> None:
    panels = {p.title: p for p in SHEETS["air and sensors"](Vehicle(Recording(tmp_path / "flight.mcap"), "toy"))}
    assert {line.label for line in panels["Static pressure"].lines} == {"baro", "pressure"}
    assert [line.label for line in panels["Indicated airspeed"].lines] == ["pitot"]
    assert len(panels["Magnetic field"].lines) == 3 and len(panels["Range"].lines) == 1
