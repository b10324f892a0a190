"""Write an MCAP file of ready-made message records (https://mcap.dev/spec).

`mcap`'s own writer takes one message at a time; here a whole chunk is put together by NumPy. All small records are
`mcap`'s. Every append is whole or undone, so that the file is readable at any moment up to its last chunk.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import lz4.frame
import numpy as np
from mcap import records
from mcap.data_stream import RecordBuilder
from mcap.opcode import Opcode
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from cupola.record.encode import HEAD, LENGTH_FROM
from cupola.schema.whole_files import NewFile

MAGIC = b"\x89MCAP0\r\n"
LZ4 = b"lz4"
END = "cupola end"
"""Name of the metadata with the reason of an early end."""
LATCHED = ("/tf_static",)
"""Topics whose message is also delivered to late subscribers."""
FOR_EVER = "{sec: 9223372036, nsec: 854775807}"
KEPT = f"""\
- history: keep_last
  depth: 1
  reliability: reliable
  durability: transient_local
  deadline: {FOR_EVER}
  lifespan: {FOR_EVER}
  liveliness: automatic
  liveliness_lease_duration: {FOR_EVER}
  avoid_ros_namespace_conventions: false
"""
"""Their quality of service, as rosbag2 writes it."""
CHUNK = struct.Struct(f"<BQQQQII{len(LZ4)}sQ")
"""Head of a chunk: opcode, length, first and last time, unpacked size and checksum, compression, packed size."""
ENTRY = np.dtype([("log_time", "<u8"), ("offset", "<u8")])
"""One entry of an MCAP message index; the offset is from the start of the uncompressed chunk."""

Records = NDArray[np.uint8]
"""Message records of one channel, all of one size: (messages, bytes)."""


class McapFile:
    """An MCAP file of profile "ros2" that grows chunk by chunk."""

    def __init__(self, path: Path, *, numbered: bool = False) -> None:
        self._new = NewFile(path, numbered=numbered)
        self._file = self._new.file
        self._end = self._crc = 0
        self._schemas: dict[str, Any] = {}
        self._channels: list[Any] = []
        self._chunks: list[Any] = []
        self._attachments: list[Any] = []
        self._metadata: list[Any] = []
        self._counts: Counter[int] = Counter()

    def start(self, library: str) -> None:
        """Append what every MCAP file begins with."""
        self._append(MAGIC + _bytes([records.Header("ros2", library)]))

    def publish(self) -> Path:
        """Rename the file to its final name once its head is written: a file of that name is always readable."""
        return self._new.publish()

    def add_channel(self, topic: str, type_name: str, definition: str) -> int:
        """Announce a topic and, if it is new, its message type; returns the channel's number."""
        if type_name not in self._schemas:
            schema = records.Schema(len(self._schemas) + 1, definition.encode(), "ros2msg", type_name)
            self._append(_bytes([schema]))
            self._schemas[type_name] = schema
        number = len(self._channels) + 1
        # The "ros2" profile asks for the key; without a profile `ros2 bag play` is reliable and volatile.
        quality = {"offered_qos_profiles": KEPT if topic in LATCHED else ""}
        channel = records.Channel(number, topic, "cdr", quality, self._schemas[type_name].id)
        self._append(_bytes([channel]))
        self._channels.append(channel)
        return number

    def add_metadata(self, name: str, values: Mapping[str, str]) -> None:
        """Store names and texts."""
        data = _bytes([records.Metadata(name, dict(values))])
        self._metadata.append(records.MetadataIndex(self._end, len(data), name))
        self._append(data)

    def add_attachment(self, name: str, file: str | bytes) -> None:
        """Store a file: a text, or bytes of any kind."""
        content, kind = (file.encode(), "text/plain") if isinstance(file, str) else (file, "application/octet-stream")
        data = _bytes([records.Attachment(0, 0, name, kind, content)])
        self._attachments.append(records.AttachmentIndex(self._end, len(data), 0, 0, len(content), name, kind))
        self._append(data)

    def write_chunk(self, blocks: Sequence[Records]) -> int:
        """Append one chunk with all these messages in order of log time, and its index; returns the last time [ns]."""
        content, channels, entries = interleave(blocks)
        first, last = int(entries["log_time"][0]), int(entries["log_time"][-1])
        packed = lz4.frame.compress(content)
        head = CHUNK.pack(
            Opcode.CHUNK, CHUNK.size - LENGTH_FROM + len(packed), first, last,
            len(content), zlib.crc32(content.data), len(LZ4), LZ4, len(packed),
        )  # fmt: skip
        end = at = self._end + len(head) + len(packed)
        offsets, indexes = {}, []
        places = by_channel(channels)
        for channel, chosen in places:
            indexes.append(message_index(channel, entries[chosen]))
            offsets[channel] = at
            at += len(indexes[-1])
        index = records.ChunkIndex(
            end - self._end, self._end, LZ4.decode(), len(packed), last, at - end, offsets, first, len(content)
        )
        self._append(b"".join([head, packed, *indexes]))
        self._chunks.append(index)
        self._counts.update({channel: len(chosen) for channel, chosen in places})
        return last

    def finish(self) -> None:
        """Append the summary, with which readers seek; the file is then complete."""
        if not self._end:
            return  # there was no room even for the start
        data_end = _bytes([records.DataEnd(self._crc)])
        start = self._end + len(data_end)
        definitions = [list(self._schemas.values()), self._channels, [self._statistics()]]
        summary, offsets = b"", []
        for group in filter(None, [*definitions, self._chunks, self._attachments, self._metadata]):
            data = _bytes(group)
            offsets.append(records.SummaryOffset(data[0], start + len(summary), len(data)))
            summary += data
        footer = struct.pack("<BQQQ", Opcode.FOOTER, 20, start, start + len(summary))
        summary += _bytes(offsets) + footer
        self._append(data_end + summary + struct.pack("<I", zlib.crc32(summary)) + MAGIC)

    def close(self) -> None:
        """Close the file, finished or not; one that has no name yet is gone."""
        self._new.discard()

    def _statistics(self) -> Any:
        return records.Statistics(
            attachment_count=len(self._attachments),
            channel_count=len(self._channels),
            channel_message_counts=dict(self._counts),
            chunk_count=len(self._chunks),
            message_count=self._counts.total(),
            message_start_time=min((chunk.message_start_time for chunk in self._chunks), default=0),
            message_end_time=max((chunk.message_end_time for chunk in self._chunks), default=0),
            metadata_count=len(self._metadata),
            schema_count=len(self._schemas),
        )

    def _append(self, data: bytes) -> None:
        """Write all of `data`, or nothing and raise OSError."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            with suppress(OSError):  # a device cannot be shortened
                self._file.seek(self._end)
                self._file.truncate()
            raise
        self._end += len(data)
        self._crc = zlib.crc32(data, self._crc)


def interleave(blocks: Sequence[Records]) -> tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[Any]]:
    """Merge blocks by log time; returns the bytes, and per message in that order its channel and index entry."""
    heads = [block[:, : HEAD.itemsize].view(HEAD)[:, 0] for block in blocks]
    times = np.concatenate([head["log_time"] for head in heads])
    sizes = np.repeat([block.shape[1] for block in blocks], [len(block) for block in blocks])
    order = np.argsort(times, kind="stable")
    stops = np.cumsum(sizes[order])
    entries = np.empty(len(order), ENTRY)
    entries["log_time"], entries["offset"] = times[order], stops - sizes[order]
    starts = np.empty(len(order), np.int64)
    starts[order] = entries["offset"]
    content = np.empty(stops[-1], np.uint8)
    done = 0
    for block in blocks:
        windows = sliding_window_view(content, block.shape[1], writeable=True)
        windows[starts[done : done + len(block)]] = block
        done += len(block)
    return content, np.concatenate([head["channel"] for head in heads])[order], entries


def by_channel(channels: NDArray[np.uint16]) -> list[tuple[int, NDArray[np.int64]]]:
    """Each channel with the places of its messages."""
    order = np.argsort(channels, kind="stable")
    edges = np.flatnonzero(np.diff(channels[order])) + 1
    return [(int(channels[chosen[0]]), chosen) for chosen in np.split(order, edges)]


def message_index(channel: int, entries: NDArray[Any]) -> bytes:
    """MCAP message index record of one channel in one chunk."""
    data = entries.tobytes()
    return struct.pack("<BQHI", Opcode.MESSAGE_INDEX, 6 + len(data), channel, len(data)) + data


def _bytes(group: Iterable[Any]) -> bytes:
    builder = RecordBuilder()
    for record in group:
        record.write(builder)
    data: bytes = builder.end()
    return data
