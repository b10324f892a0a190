"""What was recorded comes out again to the last bit, seen by other people's readers and by ours."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cupola.record import Recorder, Recording, RecordingError, Stream
from cupola.record.messages import OWN, types

from .conftest import BASE, READERS, STREAMS, Written, decode_independently

Recorded = tuple[Path, dict[str, Written]]
SINGLE = {"/joy": ("axes", "buttons"), "/quadcopter/scan": ("ranges",)}


def expected(stream: Stream, rows: Any) -> Any:
    """The rows as the message's number types can hold them: these have float32 and int32 fields."""
    held = rows.copy()
    for i, path in enumerate(stream.columns):
        if path.split(".")[0] in SINGLE.get(stream.topic, ()):
            held[:, i] = rows[:, i].astype(np.float32)
    return held


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.topic)
@pytest.mark.parametrize("reader", READERS)
def test_other_readers_get_every_bit(recorded: Recorded, stream: Stream, reader: type) -> None:
    path, written = recorded
    stamps, available, rows = written[stream.topic]
    messages = list(decode_independently(path, reader, topics=[stream.topic]))
    order = np.argsort(available, kind="stable")
    assert [m.log_time for m in messages] == available[order].tolist()
    assert [m.publish_time for m in messages] == stamps[order].tolist()
    assert [m.sequence for m in messages] == list(range(len(rows)))
    found = np.array([[float(m[column]) for column in stream.columns] for m in messages]).reshape(rows.shape)
    np.testing.assert_array_equal(found, expected(stream, rows)[order])


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.topic)
def test_our_reader_gets_every_bit(recorded: Recorded, stream: Stream) -> None:
    path, written = recorded
    stamps, available, rows = written[stream.topic]
    table = Recording(path).table(stream.topic)
    np.testing.assert_array_equal(table["time"], available / 1e9)
    np.testing.assert_array_equal(table["stamp"], stamps / 1e9)
    held = expected(stream, rows)
    for i, column in enumerate(stream.columns):
        np.testing.assert_array_equal(table[column], held[:, i], err_msg=column)


@pytest.mark.parametrize("field", ["header.stamp", "transforms.0.header.stamp", "transforms.1.header.stamp", "clock"])
def test_messages_carry_their_own_time(recorded: Recorded, field: str) -> None:
    path, written = recorded
    topic = {"header.stamp": "/quadcopter/imu", "clock": "/clock"}.get(field, "/tf")
    times = [
        int(m[f"{field}.sec"]) * 10**9 + int(m[f"{field}.nanosec"]) for m in decode_independently(path, topics=[topic])
    ]
    assert times == written[topic].stamps.tolist()


def test_constants_are_in_every_message(recorded: Recorded) -> None:
    constants = {s.topic: s.constants for s in STREAMS}
    checked = 0
    for message in decode_independently(recorded[0]):
        for field, value in constants.get(message.topic, {}).items():
            found = message[field]
            assert (found.tolist() if isinstance(found, np.ndarray) else found) == value
            checked += 1
    assert checked == 500 * sum(len(c) for c in constants.values())


def test_fields_that_nobody_gave_are_zero(recorded: Recorded) -> None:
    table = Recording(recorded[0]).table("/quadcopter/imu")
    assert not table["linear_acceleration_covariance.4"].any()
    assert (table["angular_velocity_covariance.8"] == 3.0).all()
    assert not table["angular_velocity_covariance.7"].any()


def test_numbers_that_are_no_number_survive(tmp_path: Path) -> None:
    odd = np.array([[np.nan, np.inf], [-np.inf, -0.0], [5e-324, 1.7976931348623157e308]])
    stream = Stream("/p", "sensor_msgs/msg/FluidPressure", ("fluid_pressure", "variance"), BASE)
    with Recorder(tmp_path / "odd.mcap", [stream], metadata={}) as recorder:
        recorder.write("/p", [1, 2, 3], [1, 2, 3], odd)
    table = Recording(tmp_path / "odd.mcap").table("/p")
    found = np.column_stack([table["fluid_pressure"], table["variance"]])
    assert found.tobytes() == odd.tobytes()


def test_parameters_and_notes(recorded: Recorded) -> None:
    recording = Recording(recorded[0])
    assert recording.parameters == [(1.5, "attitude.kp", 0.1), (2.500000001, "gain", -7e-300)]
    assert recording.notes == [(3.0, "the rotor broke — ouch")]
    seen = [(m.log_time, m["name"], m["value"]) for m in decode_independently(recorded[0], topics=["/parameters"])]
    assert seen == [(1_500_000_000, "attitude.kp", 0.1), (2_500_000_001, "gain", -7e-300)]
    (note,) = decode_independently(recorded[0], topics=["/log"])
    assert (note["msg"], note["level"], note["stamp.sec"]) == ("the rotor broke — ouch", 20, 3)


@pytest.mark.parametrize("name", OWN)
def test_own_definitions_say_every_unit(name: str) -> None:
    for line in OWN[name].splitlines():
        if line.startswith(("float64", "geometry_msgs")):
            assert "[" in line.split("#")[1], line
    inside_others = name == "cupola_msgs/msg/Vels"
    assert inside_others or types().fielddefs[name][1][0][0] == "header"


@pytest.mark.parametrize(
    ("stream", "complaint"),
    [
        (Stream("/x", "sensor_msgs/msg/Imo", ()), r"no message type 'sensor_msgs/msg/Imo'.*cupola_msgs/msg/Air"),
        (Stream("/x", "sensor_msgs/msg/Imu", ("omega.x",)), r"Imu has no field 'omega'; it has header, orientation"),
        (Stream("/x", "sensor_msgs/msg/Imu", ("header.frame_id",)), r"'header.frame_id' is no number"),
        (Stream("/x", "sensor_msgs/msg/Imu", ("orientation",)), r"'orientation' is no number.*orientation\.x"),
        (Stream("/x", "sensor_msgs/msg/Imu", (), {"header.frame_id": 3}), r"cannot make.*'header.frame_id': 3"),
        (Stream("/x", "sensor_msgs/msg/Joy", ("axes.0",), {"axes": [1.0]}), r"'axes.0' is given twice"),
        (Stream("/x", "sensor_msgs/msg/Joy", (), {"axes.first": 1.0}), r"cannot make a sensor_msgs/msg/Joy"),
    ],
)
def test_impossible_streams_are_named(tmp_path: Path, stream: Stream, complaint: str) -> None:
    with pytest.raises(RecordingError, match=complaint):
        Recorder(tmp_path / "x.mcap", [stream], metadata={})
    assert not (tmp_path / "x.mcap").exists()
