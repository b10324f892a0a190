"""Recordings that are damaged, hostile or empty: the answer to any question is numbers or a RecordingError."""

import io
import random
import struct
import time

import lz4.frame
import numpy as np
import pytest
import zstandard
from mcap.opcode import Opcode
from mcap.writer import CompressionType, Writer
from PIL import Image

from cupola.cli import comparing
from cupola.record import Recorder, Recording, RecordingError, write_csv
from cupola.record.compare import ODOMETRY, ways
from cupola.record.plot import plot
from cupola.record.stream import Stream

from .conftest import STREAMS

PLACE = tuple(f"pose.pose.{p}" for p in ("position.x", "position.y", "orientation.w", "orientation.z"))


def ask_everything(path):
    """Everything that a command may ask of a recording; only a RecordingError may come out."""
    recording = Recording(path)
    for _ in (recording.metadata, recording.attachments, recording.units, recording.parameters, recording.notes):
        pass
    recording.events, recording.phases("quadcopter"), recording.commands(1000)
    for topic in recording.topics:
        try:
            recording.named(topic, text=True)
            recording.pictures(topic, 2)
        except RecordingError:
            pass


def damage(data, rng):
    """One of the ways in which files break."""
    data = bytearray(data)
    at, n = rng.randrange(len(data)), rng.randrange(1, 40)
    match rng.randrange(6):
        case 0:
            data[at] ^= 1 << rng.randrange(8)
        case 1:
            data[at : at + n] = rng.randbytes(n)
        case 2:
            del data[at : at + n]
        case 3:
            data[at:at] = rng.randbytes(n)
        case 4:
            del data[at:]
        case 5:
            data[at : at + 8] = struct.pack("<Q", rng.choice([0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1]))
    return bytes(data)


def test_damaged_recordings(recorded, tmp_path):
    """120 of them, complete, or cut off so that everything is found again by walking; each is read whole."""
    whole, rng, refused = recorded[0].read_bytes(), random.Random(20), 0
    whole = whole[: 1 << 17] + whole[-(1 << 15) :]  # the beginning, with all definitions, and the summary
    for k in range(120):
        path = tmp_path / "damaged.mcap"
        path.write_bytes(damage(whole[: len(whole) // 2] if k % 3 == 0 else whole, rng))
        try:
            ask_everything(path)
        except RecordingError as error:
            refused += 1
            assert "damaged.mcap" in str(error) and "\n" not in str(error)
    assert refused > 12  # the damage is real


def write(path, *, schema=b"float64 x", name="m/msg/M", data=b"\0\1\0\0" + bytes(8), topic="/m", encoding="ros2msg"):
    with path.open("wb") as file:
        writer = Writer(file, compression=CompressionType.NONE)
        writer.start("ros2")
        channel = writer.register_channel(topic, "cdr", writer.register_schema(name, encoding, schema))
        writer.add_message(channel, 1, data, 1)
        writer.finish()
    return path


SEP = b"=" * 80
FIELDS = {k: b"".join(f"m/A{k - 1} f{j}\n".encode() for j in range(10)) if k else b"" for k in range(10)}
NESTED = b"m/A9 a\n" + b"".join(SEP + f"\nMSG: m/A{k}\n".encode() + fields for k, fields in FIELDS.items())


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "given",
    [
        {"schema": b"m/M inner\n" + SEP + b"\nMSG: m/M\nm/M inner"},  # holds itself
        {"schema": NESTED},  # 10 to the 10 fields of no size
        {"schema": b"float64[4000000000] x"},
        {"schema": b"float64[] x", "data": b"\0\1\0\0\xff\xff\xff\xff" + bytes(8)},
        {"schema": b"m/E[] x\n" + SEP + b"\nMSG: m/E\n", "data": b"\0\1\0\0\xff\xff\xff\xff" + bytes(8)},
        {"schema": b"string x", "data": b"\0\1\0\0\xff\xff\xff\xff" + bytes(8)},
        {"schema": b"float64 x", "data": b""},
        {"schema": b"float64 x", "data": b"\0\1"},
        {"schema": b"what x"},
        {"schema": b"\xff\xfe"},
        {"schema": b"float64 x\n" * 50_000},
        {"schema": b"struct {" * 1000, "encoding": "ros2idl"},
        {"name": ""},
        {"name": "../../etc/passwd"},
        {"topic": "/" + "x" * 5000},
        {"topic": "/../../../\0\n"},
    ],
)
def test_hostile_messages(tmp_path, given):
    path = write(tmp_path / "h.mcap", **given)
    ask_everything(path)
    try:
        files = write_csv(path, tmp_path / "csv")
        assert all(file.parent == tmp_path / "csv" for file in files)
    except RecordingError as error:
        assert str(error)


def chunked(path, packed, compression, size):
    """A file of one chunk that says to unpack to `size`."""
    name = compression.encode()
    body = struct.pack("<QQQI", 1, 1, size, 0) + struct.pack("<I", len(name)) + name + struct.pack("<Q", len(packed))
    head = struct.pack("<BQ", Opcode.CHUNK, len(body) + len(packed))
    header = struct.pack("<BQII", Opcode.HEADER, 8, 0, 0)
    path.write_bytes(b"\x89MCAP0\r\n" + header + head + body + packed)
    return path


BOMB = bytes(50_000_000)


@pytest.mark.parametrize("said", [10, 1 << 20, 1 << 40, 2**64 - 1])
@pytest.mark.parametrize(
    ("compression", "pack"), [("lz4", lz4.frame.compress), ("zstd", zstandard.compress), ("", bytes), ("rar", bytes)]
)
def test_bombs_are_not_unpacked(tmp_path, compression, pack, said):
    packed = pack(BOMB) if pack is not bytes else BOMB[:100]
    path = chunked(tmp_path / "bomb.mcap", packed, compression, said)
    with pytest.raises(RecordingError, match=r"bomb\.mcap: the chunk at byte \d+ is damaged"):
        Recording(path)


@pytest.mark.parametrize("count", [17, 2000])
def test_many_small_bombs_are_one(tmp_path, count):
    """Each of them may be unpacked; all together they say to be a thousand times what any recording packs to."""
    one = chunked(tmp_path / "one.mcap", zstandard.compress(b""), "zstd", 1 << 28).read_bytes()
    head = one[: 8 + 9 + 8]
    (tmp_path / "many.mcap").write_bytes(head + one[len(head) :] * count)
    with pytest.raises(RecordingError, match=r"many\.mcap: its \d+ bytes say to unpack to more than 4\.\d GB"):
        Recording(tmp_path / "many.mcap")


@pytest.mark.parametrize(("room", "said"), [(50_000_000, "have 10000 fields between them"), (80_000, "has more than")])
def test_one_long_message_among_many_short_ones_does_not_fill_the_memory(tmp_path, monkeypatch, room, said):
    """A table has a column for each of its fields and a row for each message."""
    monkeypatch.setattr("cupola.record.decode.room", lambda: room)
    path = tmp_path / "cross.mcap"
    with path.open("wb") as file:
        writer = Writer(file, compression=CompressionType.ZSTD)
        writer.start("ros2")
        channel = writer.register_channel("/m", "cdr", writer.register_schema("m/msg/M", "ros2msg", b"float64[] x"))
        writer.add_message(channel, 0, b"\0\1\0\0" + struct.pack("<I", 10_000) + bytes(80_004), 0)
        for k in range(1000):
            writer.add_message(channel, k, b"\0\1\0\0" + bytes(4), k)
        writer.finish()
    with pytest.raises(RecordingError, match=said):
        Recording(path).table("/m")


def test_as_many_topics_as_there_may_be(tmp_path):
    """What is asked of each topic does not look at all others."""
    path, count = tmp_path / "topics.mcap", 20_000
    with path.open("wb") as file:
        writer = Writer(file)
        writer.start("ros2")
        schema = writer.register_schema("m/msg/M", "ros2msg", b"float64 x")
        for k in range(count):
            writer.register_channel(f"/t{k}", "cdr", schema)
        writer.finish()
    recording = Recording(path)
    before = time.process_time()
    assert all(recording.definition(topic) and recording.topics[topic] for topic in [*recording.topics])
    assert time.process_time() - before < 2.0


def test_a_picture_that_claims_to_be_huge(tmp_path):
    from cupola.record.messages import types
    from cupola.record.picture import PACKED

    target = io.BytesIO()
    Image.fromarray(np.zeros((2, 2, 3), np.uint8)).save(target, "png")
    data = bytearray(target.getvalue())
    data[16:24] = struct.pack(">II", 60_000, 60_000)
    store = types()
    stamp, header, message = (store.types[n] for n in ("builtin_interfaces/msg/Time", "std_msgs/msg/Header", PACKED))
    made = message(header(stamp(0, 0), ""), "png", np.frombuffer(bytes(data), np.uint8))
    text = store.generate_msgdef(PACKED, ros_version=2)[0].encode()
    path = write(tmp_path / "p.mcap", schema=text, name=PACKED, data=bytes(store.serialize_cdr(made, PACKED)))
    with pytest.raises(RecordingError):
        Recording(path).pictures("/m", 1)


def test_a_healthy_recording_without_messages(tmp_path):
    """It ends in the sentence that there is nothing to compare, and draws nothing."""
    streams = [Stream(f"/{name}/odometry", ODOMETRY, PLACE) for name in "abc"]
    attachments = {f"{name}/vehicle.yaml": "" for name in "abc"}
    path = tmp_path / "empty.mcap"
    Recorder(path, streams, metadata={}, attachments=attachments).close()
    with pytest.raises(RecordingError, match="has the path of no vehicle; it takes two to compare"):
        comparing.compare([path], tmp_path, as_json=True)
    assert plot(path, tmp_path / "plots") == [] and write_csv(path, tmp_path / "csv") == []


def test_vehicles_without_messages_are_left_out_and_said(tmp_path, caplog):
    streams = [Stream(f"/{name}/odometry", ODOMETRY, PLACE) for name in "abc"]
    attachments = {f"{name}/vehicle.yaml": "" for name in "abc"}
    path = tmp_path / "some.mcap"
    with Recorder(path, streams, metadata={}, attachments=attachments) as recorder:
        for name in "ac":
            times = np.arange(3) * 10**9
            recorder.write(f"/{name}/odometry", times, times, np.tile([1.0, 2.0, 1.0, 0.0], (3, 1)))
    assert [way.name for way in ways(Recording(path))] == ["a", "c"]
    assert "no place of b was recorded; it is left out" in caplog.text


def test_an_odometry_that_is_none(tmp_path):
    streams = [Stream(f"/{name}/odometry", "rosgraph_msgs/msg/Clock", ()) for name in "ab"]
    path = tmp_path / "clocks.mcap"
    Recorder(path, streams, metadata={}, attachments={"a/x": "", "b/x": ""}).close()
    with pytest.raises(RecordingError, match=r"/a/odometry is rosgraph_msgs/msg/Clock, expected nav_msgs/msg/Odometry"):
        ways(Recording(path))


def test_streams_of_the_other_tests_are_read(recorded):
    ask_everything(recorded[0])
    assert set(Recording(recorded[0]).topics) >= {stream.topic for stream in STREAMS}
