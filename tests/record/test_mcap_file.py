"""The file itself: what the MCAP specification asks for, checked with the readers of `mcap` and `rosbags`."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from mcap.reader import NonSeekingReader, SeekingReader
from mcap.records import Chunk
from mcap.stream_reader import CRCValidationError, StreamReader, breakup_chunk
from rosbags.highlevel import AnyReader

from cupola.record import Recorder, Recording
from cupola.record.messages import OWN
from cupola.record.provenance import provenance

from .conftest import READERS, STREAMS, Written, random_rows

Recorded = tuple[Path, dict[str, Written]]
COUNT = 500 * len(STREAMS) + 3


def test_statistics_and_indexes_are_complete(recorded: Recorded) -> None:
    with recorded[0].open("rb") as file:
        summary = SeekingReader(file, validate_crcs=True).get_summary()
    assert summary is not None and summary.statistics is not None
    statistics = summary.statistics
    assert statistics.message_count == COUNT
    assert sorted(statistics.channel_message_counts.values()) == [1, 2] + [500] * len(STREAMS)
    times = np.concatenate([w.available for w in recorded[1].values()])
    assert (statistics.message_start_time, statistics.message_end_time) == (times.min(), times.max())
    assert statistics.chunk_count == len(summary.chunk_indexes) >= 2
    assert {c.topic: summary.schemas[c.schema_id].name for c in summary.channels.values()} == {
        **{s.topic: s.type for s in STREAMS},
        "/parameters": "cupola_msgs/msg/Parameter",
        "/commands": "cupola_msgs/msg/Command",
        "/log": "rcl_interfaces/msg/Log",
    }
    own = {s.name: s.data.decode() for s in summary.schemas.values() if s.name in OWN}
    # Vels only stands inside others, events are found by the recorder of a world.
    assert own.keys() == OWN.keys() - {"cupola_msgs/msg/Vels", "cupola_msgs/msg/Event"}
    assert all(own[name].startswith(OWN[name]) for name in own)


@pytest.mark.parametrize("reader", READERS)
def test_scenario_and_metadata_are_inside(recorded: Recorded, reader: type) -> None:
    with recorded[0].open("rb") as file:
        metadata = {m.name: m.metadata for m in reader(file, validate_crcs=True).iter_metadata()}
        file.seek(0)
        attachments = {a.name: a.data.decode() for a in reader(file, validate_crcs=True).iter_attachments()}
    recording = Recording(recorded[0])
    assert metadata["cupola"] == recording.metadata == {"scenario": "gusty", "seed": "7"}
    assert attachments == recording.attachments
    assert recording.attachments["scenario.yaml"] == "name: gusty\n# größe\n"
    assert recording.is_complete


def test_messages_lie_in_order_of_time_within_each_chunk(recorded: Recorded) -> None:
    with recorded[0].open("rb") as file:
        chunks = [record for record in StreamReader(file, emit_chunks=True).records if isinstance(record, Chunk)]
    assert len(chunks) >= 2
    for chunk in chunks:
        times = [message.log_time for message in breakup_chunk(chunk, validate_crc=True)]
        assert times == sorted(times)
        assert (chunk.message_start_time, chunk.message_end_time) == (times[0], times[-1])


def test_readers_seek_by_time(recorded: Recorded) -> None:
    path, written = recorded
    start, stop = 2_000_000_000, 2_300_000_000
    expected = sum(int(((w.available >= start) & (w.available < stop)).sum()) for w in written.values())
    with path.open("rb") as file:
        times = [
            message.log_time
            for _, channel, message in SeekingReader(file).iter_messages(starting_at=start, ending_before=stop)
            if channel.topic in written
        ]
    assert len(times) == expected > 100
    assert times == sorted(times)


def test_message_indexes_point_at_their_messages(recorded: Recorded) -> None:
    """Ours reads by index, `mcap` by walking the chunk: both must find the same number of messages."""
    recording = Recording(recorded[0])
    assert sum(len(recording.table(topic)["time"]) for topic in recording.topics) == COUNT


def test_rosbags_reads_it_as_a_bag(recorded: Recorded) -> None:
    with AnyReader([recorded[0]]) as bag:
        times = [time for _, time, _ in bag.messages()]
        assert len(times) == bag.message_count == COUNT
        assert times == sorted(times)
        assert {c.topic: c.msgtype for c in bag.connections} == Recording(recorded[0]).topics


@pytest.mark.parametrize("where", [0.2, 0.5, 0.8])
def test_a_changed_byte_is_noticed(recorded: Recorded, where: float) -> None:
    data = bytearray(recorded[0].read_bytes())
    data[int(where * len(data))] ^= 0x10
    with pytest.raises((CRCValidationError, RuntimeError)):
        list(NonSeekingReader(BytesIO(bytes(data)), validate_crcs=True).iter_messages())


def test_an_empty_recording_is_a_valid_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.mcap"
    Recorder(path, STREAMS, metadata={"seed": "1"}).close()
    with path.open("rb") as file:
        assert list(SeekingReader(file, validate_crcs=True).iter_messages()) == []
    recording = Recording(path)
    assert recording.topics.keys() == {*(s.topic for s in STREAMS), "/parameters", "/commands", "/log"}
    assert len(recording.table("/tf")["time"]) == 0
    assert recording.parameters == recording.notes == []


def test_a_long_recording_has_many_small_chunks(tmp_path: Path) -> None:
    """Chunks are what a kill can cost and what a reader must hold, so they stay near a MiB."""
    stream = STREAMS[1]
    stamps, available, rows = random_rows(stream, 400)
    with Recorder(tmp_path / "long.mcap", [stream], metadata={}) as recorder:
        for i in range(40):
            recorder.write(stream.topic, stamps + i * stamps[-1], available + i * stamps[-1], rows)
    with (tmp_path / "long.mcap").open("rb") as file:
        summary = SeekingReader(file).get_summary()
    assert summary is not None
    sizes = [chunk.uncompressed_size for chunk in summary.chunk_indexes]
    assert 3 <= len(sizes) <= 20
    assert max(sizes) < 5 << 20
    assert len(Recording(tmp_path / "long.mcap").table(stream.topic)["time"]) == 16_000


def test_provenance_names_what_can_change_a_digit() -> None:
    found = provenance()
    assert {"cupola", "python", "mujoco", "numba", "numpy", "git_commit"} <= found.keys()
    assert found["numpy"] == np.__version__
    assert all(isinstance(value, str) for value in found.values())
