"""Find what an MCAP file holds, finished or cut off anywhere (https://mcap.dev/spec).

The records are walked from the front, from head to head; a summary is not needed, and a torn last record is where the
walk ends. So a file whose writer was killed reads like any other, up to its last whole chunk.
"""

import struct
import zlib
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import lz4.frame
import numpy as np
import zstandard
from mcap import records
from mcap.data_stream import ReadDataStream
from mcap.opcode import Opcode
from numpy.typing import NDArray

from cupola.record.mcap_file import ENTRY, MAGIC
from cupola.record.stream import RecordingError
from cupola.schema.input_files import boundary

RECORD = struct.Struct("<BQ")
"""Opcode and length in front of every record."""
BEGINNING = struct.Struct("<QQQ")
"""What a chunk begins with: its earliest and latest log time [ns], its size unpacked."""
LARGEST_CHUNK = 1 << 28
"""[bytes] unpacked; writers use 1 to 16 MiB, and a few packed bytes can claim any size."""
MOST_FOR_ITS_SIZE, MOST_UNPACKED = 1000, 4 << 30
"""All chunks together may unpack to so many times the file, or to so many bytes if that is more."""


class Chunk:
    """A chunk of the file, which holds message records."""

    def __init__(self, path: Path, at: int, length: int, first: int) -> None:
        self.path, self.at, self.length = path, at, length
        self.first = first
        """Earliest log time [ns]; 0 if there is no message."""
        self.index: dict[int, NDArray[np.int64]] = {}
        """Where each channel's message records start in the content, if the file says so."""

    def content(self) -> bytes:
        """The message records, unpacked and checked."""
        with boundary(self.path, f"the chunk at byte {self.at} is damaged", RecordingError):
            with self.path.open("rb") as file:
                file.seek(self.at)
                record = file.read(self.length)
            return unpack(records.Chunk.read(ReadDataStream(BytesIO(record))))

    def starts(self, content: bytes) -> dict[int, NDArray[np.int64]]:
        """Where each channel's message records start in the content."""
        if self.index:
            return self.index
        found: dict[int, list[int]] = defaultdict(list)
        for opcode, at, _ in walk(content):
            if opcode == Opcode.MESSAGE:
                found[int.from_bytes(content[at : at + 2], "little")].append(at - RECORD.size)
        return {channel: np.array(starts, np.int64) for channel, starts in found.items()}


class Loose(Chunk):
    """Messages outside chunks, as other writers may leave them."""

    def __init__(self, path: Path, record: bytes) -> None:
        _, _, first = struct.unpack_from("<HIQ", record, RECORD.size)
        super().__init__(path, 0, 0, first)
        self.records: bytearray = bytearray(record)

    def content(self) -> bytes:
        """The message records."""
        return bytes(self.records)


class Scan:
    """The contents of the file `path`."""

    def __init__(self, path: Path) -> None:
        self.schemas: dict[int, Any] = {}
        self.channels: dict[int, Any] = {}
        self.metadata: dict[str, dict[str, str]] = {}
        self.attachments: dict[str, bytes] = {}
        self.chunks: list[Chunk] = []
        self.is_complete = False
        """Whether the file was completed."""
        try:
            with boundary(path, "is damaged", RecordingError), path.open("rb") as file:
                self._read(file, path)
        except RecordingError as error:
            if isinstance(error.__cause__, OSError):
                raise RecordingError(f"cannot read {path}: {error.__cause__.strerror}") from error.__cause__
            raise
        if not self.is_complete:
            with boundary(path, "is damaged", RecordingError):
                self._recover()

    def _read(self, file: BinaryIO, path: Path) -> None:
        if file.read(len(MAGIC)) != MAGIC:
            raise RecordingError(f"{path} is not an MCAP file")
        end, unpacked = path.stat().st_size, 0
        while len(head := file.read(RECORD.size)) == RECORD.size:
            opcode, length = RECORD.unpack(head)
            at = file.tell()
            if at + length > end:
                break
            if opcode == Opcode.FOOTER:
                self.is_complete = True
                break
            if opcode == Opcode.CHUNK:
                first, _, size = BEGINNING.unpack(file.read(BEGINNING.size))
                self.chunks.append(Chunk(path, at, length, first))
                unpacked += min(size, LARGEST_CHUNK)
                if unpacked > max(MOST_UNPACKED, MOST_FOR_ITS_SIZE * end):
                    raise RecordingError(f"{path}: its {end} bytes say to unpack to more than {unpacked / 1e9:.1f} GB")
            elif opcode == Opcode.MESSAGE:
                self._keep_loose(path, head + file.read(length))
            else:
                with boundary(path, f"the record at byte {at} is damaged", RecordingError):
                    self._keep(opcode, BytesIO(file.read(length)), length)
            file.seek(at + length)

    def _keep_loose(self, path: Path, record: bytes) -> None:
        if self.chunks and isinstance(self.chunks[-1], Loose):
            self.chunks[-1].records += record
        else:
            self.chunks.append(Loose(path, record))

    def _keep(self, opcode: int, file: BinaryIO, length: int) -> None:
        """Take in a small record."""
        if opcode == Opcode.MESSAGE_INDEX and self.chunks:
            number, _ = struct.unpack("<HI", file.read(6))
            self.chunks[-1].index[number] = np.frombuffer(file.read(length - 6), ENTRY)["offset"].astype(np.int64)
        elif opcode == Opcode.SCHEMA:
            schema = records.Schema.read(ReadDataStream(file))
            self.schemas[schema.id] = schema
        elif opcode == Opcode.CHANNEL:
            channel = records.Channel.read(ReadDataStream(file))
            self.channels[channel.id] = channel
        elif opcode == Opcode.METADATA:
            metadata = records.Metadata.read(ReadDataStream(file))
            self.metadata[metadata.name] = metadata.metadata
        elif opcode == Opcode.ATTACHMENT:
            attachment = records.Attachment.read(ReadDataStream(file))
            self.attachments[attachment.name] = attachment.data

    def _recover(self) -> None:
        """Do without a summary: the last index may be torn, and topics may be known only inside chunks."""
        for chunk in self.chunks[-1:]:
            chunk.index.clear()
        for chunk in self.chunks:
            content = chunk.content()
            for opcode, at, length in walk(content):
                if opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
                    self._keep(opcode, BytesIO(content[at : at + length]), length)


def unpack(chunk: Any) -> bytes:
    """The content of a chunk, of the size and with the checksum that it says."""
    size: int = chunk.uncompressed_size
    if size > LARGEST_CHUNK:
        raise ValueError(f"it says to be {size} bytes long, more than the {LARGEST_CHUNK} that are read")
    if chunk.compression == "zstd":
        data: bytes = zstandard.ZstdDecompressor().stream_reader(chunk.data).read(size + 1)
    elif chunk.compression == "lz4":
        data = lz4.frame.LZ4FrameDecompressor().decompress(chunk.data, max_length=size + 1)
    elif chunk.compression == "":
        data = chunk.data
    else:
        raise ValueError(f"it is packed by {chunk.compression!r}; lz4 and zstd are known")
    if len(data) != size:
        raise ValueError(f"it unpacks to another size than the {size} bytes that it says")
    if chunk.uncompressed_crc not in (0, zlib.crc32(data)):
        raise ValueError("its checksum is wrong")
    return data


def walk(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Opcode, start and length of the body of each record."""
    at = 0
    while at < len(content):
        opcode, length = RECORD.unpack_from(content, at)
        at += RECORD.size
        yield opcode, at, length
        at += length
