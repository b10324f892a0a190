"""One message of a stream: serialised once, its numbers then written at their places."""

import struct
from typing import Any

import numpy as np
from rosbags.typesys.store import Typestore

from cupola.bridge.ros.graph import Sample
from cupola.record.encode import STAMP, template
from cupola.record.layout import leaves
from cupola.record.stream import RecordingError, Stream

SECOND = 1_000_000_000
FORMATS = {"?": "?", "u1": "B", "i1": "b", "u2": "H", "i2": "h", "u4": "I", "i4": "i", "u8": "Q", "i8": "q", "f4": "f",
           "f8": "d"}  # fmt: skip


class Template:
    """Makes the bytes of the messages of a stream, in CDR or, `packed`, as ROS 1 has them."""

    def __init__(self, stream: Stream, store: Typestore, packed: bool = False) -> None:
        self._stream, self._store, self._packed = stream, store, packed
        self._made: dict[tuple[tuple[str, str], ...], _Places] = {}
        self._plain = self._places({})
        self._count = 0

    def fill(self, sample: Sample) -> bytes:
        """One message."""
        self._count += 1
        places = self._places(sample.texts) if sample.texts else self._plain
        return places.fill(sample, self._count)

    def _places(self, texts: Any) -> "_Places":
        """Where the numbers lie in a message with these texts."""
        key = tuple(texts.items())
        if key not in self._made:
            if len(self._made) > 100:
                self._made.clear()
            stream = self._stream._replace(constants={**self._stream.constants, **texts})
            self._made[key] = _Places(stream, self._store, self._packed)
        return self._made[key]


class _Places:
    """A serialised message and where its numbers lie."""

    def __init__(self, stream: Stream, store: Typestore, packed: bool) -> None:
        self._content = bytearray(template(stream, store, packed))
        found = leaves(store.fielddefs, stream.type, bytes(self._content), packed)
        numbers = {leaf.path: leaf for leaf in found if leaf.dtype not in ("S", "length")}
        if unknown := [path for path in stream.columns if path not in numbers]:
            raise RecordingError(f"{stream.topic}: {unknown[0]!r} is no number of {stream.type}: {', '.join(numbers)}")
        # Neighbours in the row that are neighbours in the message are written at once.
        self._runs: list[list[Any]] = []
        self._whole: set[int] = set()
        for k, leaf in enumerate(numbers[path] for path in stream.columns):
            letter = FORMATS[leaf.dtype.lstrip("<>")]
            if letter not in "df":
                self._whole.add(k)
            last = self._runs[-1] if self._runs else None
            if last and last[1] == leaf.offset and last[2] == letter:
                last[1], last[4] = leaf.offset + leaf.size, k + 1
            else:
                self._runs.append([leaf.offset, leaf.offset + leaf.size, letter, k, k + 1])
        self._packs = [(struct.Struct(f"<{end - k}{letter}"), at, k, end) for at, _, letter, k, end in self._runs]
        given = {*stream.columns, *stream.constants}
        self._stamps = [leaf.offset for path, leaf in numbers.items() if STAMP.fullmatch(path) and path not in given]
        self._counts = [leaf.offset for path, leaf in numbers.items() if path == "header.seq"]
        self._ends = bool(stream.ends_in)

    def fill(self, sample: Sample, count: int) -> bytes:
        """The message with these numbers."""
        content, row = self._content, sample.numbers
        for at in self._stamps:
            struct.pack_into("<iI", content, at, *divmod(sample.stamp, SECOND))
        for at in self._counts:
            struct.pack_into("<I", content, at, count & 0xFFFFFFFF)
        if self._whole:
            row = [round(value) if k in self._whole else value for k, value in enumerate(row)]
        for pack, at, first, end in self._packs:
            pack.pack_into(content, at, *row[first:end])
        if not self._ends:
            return bytes(content)
        struct.pack_into("<I", content, len(content) - 4, len(sample.ending))
        return bytes(content) + sample.ending


def plain(value: Any) -> Any:
    """A message of `rosbags` as Python's own numbers, texts, lists and dictionaries."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list):
        return [plain(one) for one in value]
    if hasattr(value, "__msgtype__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__ if name != "__msgtype__"}
    return value
