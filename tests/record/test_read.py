"""Reading files that others wrote, and files that cannot be read; CSV."""

import csv
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader
from mcap.writer import CompressionType, Writer
from rosbags.typesys import Stores, get_typestore

from cupola.record import Recorder, Recording, RecordingError, write_csv

from .conftest import STREAMS, Written

STORE = get_typestore(Stores.ROS2_HUMBLE)
EPOCH = 1_700_000_000_000_000_000
"""A day in 2023: other recorders use the calendar [ns]."""


def joint_state(i: int) -> Any:
    """Message `i` has i % 3 joints, with names of different lengths."""
    message, header, time = (
        STORE.types[name]
        for name in ("sensor_msgs/msg/JointState", "std_msgs/msg/Header", "builtin_interfaces/msg/Time")
    )
    n = i % 3
    stamp = time(EPOCH // 10**9, i)
    names = ["j" * (1 + i % 4)] * n
    return message(header(stamp, "base"), names, np.full(n, i + 0.5), np.full(n, -i - 0.5), np.zeros(0))


def write_foreign(path: Path, *, finish: bool = True, little_endian: bool = True, **options: Any) -> None:
    with path.open("wb") as file:
        writer = Writer(file, **options)
        writer.start("ros2")
        name = "sensor_msgs/msg/JointState"
        schema = writer.register_schema(name, "ros2msg", STORE.generate_msgdef(name, ros_version=2)[0].encode())
        channels = [writer.register_channel("/joints", "cdr", schema) for _ in range(2)]
        for i in range(60):
            data = bytes(STORE.serialize_cdr(joint_state(i), name, little_endian=little_endian))
            writer.add_message(channels[i % 2], EPOCH + i * 10**6, data, EPOCH)
        text = writer.register_schema("words", "jsonschema", b"{}")
        writer.add_message(writer.register_channel("/words", "json", text), EPOCH, b"{}", EPOCH)
        if finish:
            writer.finish()


@pytest.mark.parametrize(
    "options",
    [
        {"compression": CompressionType.ZSTD},
        {"compression": CompressionType.LZ4, "chunk_size": 2000},
        {"compression": CompressionType.NONE, "little_endian": False},
        {"use_chunking": False},
        {"compression": CompressionType.LZ4, "chunk_size": 1000, "finish": False},
    ],
    ids=["zstd", "lz4, small chunks", "big endian", "no chunks", "not finished"],
)
def test_files_of_other_recorders(tmp_path: Path, options: dict[str, Any]) -> None:
    write_foreign(tmp_path / "foreign.mcap", **options)
    recording = Recording(tmp_path / "foreign.mcap")
    table = recording.table("/joints", text=True)
    n = len(table["time"])
    i = np.arange(n)
    assert n == 60 if options.get("finish", True) else 40 < n <= 60
    assert recording.topics["/joints"] == "sensor_msgs/msg/JointState"
    assert recording.is_complete == options.get("finish", True)
    assert recording.metadata == {} and recording.parameters == [] and recording.notes == []
    np.testing.assert_array_equal(table["time"], i * 10**6 / 1e9)
    np.testing.assert_array_equal(table["stamp"], i / 1e9)
    np.testing.assert_array_equal(table["position.0"], np.where(i % 3 >= 1, i + 0.5, np.nan))
    np.testing.assert_array_equal(table["velocity.1"], np.where(i % 3 == 2, -i - 0.5, np.nan))
    assert table["name.0"].tolist() == ["j" * (1 + k % 4) if k % 3 else "" for k in range(n)]
    assert "effort.0" not in table and "position.2" not in table


IDL = """
module test_msgs { module msg {
  struct Point { double x; float y; int32 count; };
}; };
"""


def test_definitions_in_idl(tmp_path: Path) -> None:
    with (tmp_path / "idl.mcap").open("wb") as file:
        writer = Writer(file)
        writer.start("ros2")
        schema = writer.register_schema("test_msgs/msg/Point", "ros2idl", IDL.encode())
        channel = writer.register_channel("/point", "cdr", schema)
        for i in range(3):
            writer.add_message(channel, i, b"\0\1\0\0" + struct.pack("<dfi", i / 3, i / 4, -i), i)
        writer.finish()
    table = Recording(tmp_path / "idl.mcap").table("/point")
    assert table["x"].tolist() == [0.0, 1 / 3, 2 / 3]
    assert table["y"].tolist() == [0.0, 0.25, 0.5]
    assert table["count"].tolist() == [0, -1, -2]


def test_a_topic_that_is_not_ros(tmp_path: Path) -> None:
    write_foreign(tmp_path / "foreign.mcap")
    with pytest.raises(RecordingError, match=r"/words is encoded as 'json' \(definition: jsonschema\); only ROS 2"):
        Recording(tmp_path / "foreign.mcap").table("/words")


def test_what_cannot_be_read_is_named(recorded: tuple[Path, Any], tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"cannot read .*none\.mcap: No such file"):
        Recording(tmp_path / "none.mcap")
    with pytest.raises(RecordingError, match=r"cannot read .*: Is a directory"):
        Recording(tmp_path)
    for content in (b"", b"\x89MCA", b"a,b\n1,2\n" * 9):
        (tmp_path / "no.mcap").write_bytes(content)
        with pytest.raises(RecordingError, match=r"no\.mcap is not an MCAP file"):
            Recording(tmp_path / "no.mcap")
    with pytest.raises(
        RecordingError, match=r"no topic '/imu'.*there are /clock, /commands, /joy, /log, /parameters, /quadcopter/air"
    ):
        Recording(recorded[0]).table("/imu")


def test_a_damaged_chunk_is_named(recorded: tuple[Path, Any], tmp_path: Path) -> None:
    data = bytearray(recorded[0].read_bytes())
    with recorded[0].open("rb") as file:
        summary = make_reader(file).get_summary()
    assert summary
    for chunk in summary.chunk_indexes:
        data[chunk.chunk_start_offset + chunk.chunk_length // 2] ^= 0x10
    (tmp_path / "damaged.mcap").write_bytes(data)
    with pytest.raises(RecordingError, match=r"the chunk at byte \d+ is damaged"):
        Recording(tmp_path / "damaged.mcap").table("/quadcopter/imu")


def test_numbers_come_without_text_unless_asked(recorded: tuple[Path, Any]) -> None:
    recording = Recording(recorded[0])
    assert all(column.dtype.kind in "iuf" for column in recording.table("/quadcopter/joint_states").values())
    assert set(recording.table("/quadcopter/joint_states", text=True)["name.2"]) == {"größe"}


def test_csv_has_every_digit(recorded: tuple[Path, dict[str, Written]], tmp_path: Path) -> None:
    path, written = recorded
    files = write_csv(path, tmp_path / "csv")
    names = {topic.strip("/").replace("/", ".") + ".csv" for topic in [*written, "/parameters", "/log"]}
    assert {file.name for file in files} == names == {file.name for file in (tmp_path / "csv").iterdir()}
    for stream in STREAMS[:2]:
        with (tmp_path / "csv" / f"{stream.topic[1:].replace('/', '.')}.csv").open(newline="") as file:
            lines = list(csv.DictReader(file))
        assert list(lines[0])[:2] == ["time", "stamp"]
        found = np.array([[float(line[column]) for column in stream.columns] for line in lines])
        np.testing.assert_array_equal(found, written[stream.topic].rows)
        np.testing.assert_array_equal([float(line["time"]) for line in lines], written[stream.topic].available / 1e9)
    text = (tmp_path / "csv" / "parameters.csv").read_text()
    assert text.splitlines()[1].endswith(",attitude.kp,0.1")


def test_a_topic_without_messages_gives_no_csv(tmp_path: Path) -> None:
    Recorder(tmp_path / "empty.mcap", STREAMS, metadata={}).close()
    assert write_csv(tmp_path / "empty.mcap", tmp_path / "csv") == []
