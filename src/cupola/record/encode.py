"""Turn rows of numbers into ROS 2 messages, many at once.

A stream's messages differ only in numbers at fixed places. So one message is serialised as a template, with its MCAP
record head in front, and then every column is a strided view into a block of copies of it.
"""

import re
import struct
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import FieldDesc
from rosbags.serde import SerdeError
from rosbags.typesys.store import Typestore

from cupola.record.layout import NUMBERS, Leaf, leaves
from cupola.record.messages import fields, types
from cupola.record.stream import RecordingError, Stream

HEAD = np.dtype(
    [
        ("opcode", "u1"),
        ("length", "<u8"),
        ("channel", "<u2"),
        ("sequence", "<u4"),
        ("log_time", "<u8"),
        ("publish_time", "<u8"),
    ]
)
"""Head of an MCAP message record (MCAP specification, "Message (op=0x05)"); the length counts what follows it."""
MESSAGE = 0x05
LENGTH_FROM = 9
"""Bytes of opcode and length, which the length does not count."""
STAMP = re.compile(r"(.*\.)?(stamp|clock)\.sec")
"""Seconds of a message's own time; the nanoseconds follow."""


class Run(NamedTuple):
    """Neighbouring columns that are neighbours in the message too."""

    columns: slice
    bytes: slice
    dtype: np.dtype[Any]


class Encoder:
    """Writes the messages of one stream on one MCAP channel."""

    def __init__(self, stream: Stream, channel: int) -> None:
        self.channel = channel
        message = template(stream)
        head = np.array((MESSAGE, HEAD.itemsize + len(message) - LENGTH_FROM, channel, 0, 0, 0), HEAD)
        self._record = np.frombuffer(head.tobytes() + message, np.uint8)
        found = leaves(types().fielddefs, stream.type, message)
        numbers = {leaf.path: leaf for leaf in found if leaf.dtype not in ("S", "length")}
        if unknown := [path for path in stream.columns if path not in numbers]:
            known = ", ".join(numbers)
            raise RecordingError(f"{stream.topic}: {unknown[0]!r} is no number of {stream.type}; these are: {known}")
        self._runs = runs(numbers[path] for path in stream.columns)
        given = {*stream.columns, *stream.constants}
        stamps = (leaf for path, leaf in numbers.items() if STAMP.fullmatch(path) and path not in given)
        self._stamps = [HEAD.itemsize + leaf.offset for leaf in stamps]
        if stream.ends_in and stream.ends_in != last_bytes(stream.type):
            raise RecordingError(f"{stream.topic}: {stream.type} does not end in bytes called {stream.ends_in!r}")
        self.ends_in_bytes: bool = bool(stream.ends_in)

    @property
    def size(self) -> int:
        """Length of one message record [bytes], without the bytes that some end in."""
        return len(self._record)

    def encode(
        self, stamps: NDArray[np.int64], available: NDArray[np.int64], rows: NDArray[Any], sequence: int
    ) -> NDArray[np.uint8]:
        """MCAP message records, one per row: measured at `stamps`, known to others at `available` [ns]."""
        records = self._copies(rows)
        head = records[:, : HEAD.itemsize].view(HEAD)[:, 0]
        head["sequence"] = np.arange(sequence, sequence + len(rows))
        head["log_time"], head["publish_time"] = available, stamps
        if self._stamps:
            seconds, nanoseconds = np.divmod(stamps, 1_000_000_000)
            for at in self._stamps:
                records[:, at : at + 4].view("<i4")[:, 0] = seconds
                records[:, at + 4 : at + 8].view("<u4")[:, 0] = nanoseconds
        for run in self._runs:
            values = rows[:, run.columns]
            records[:, run.bytes].view(run.dtype)[:] = values if run.dtype.kind == "f" else np.rint(values)
        return records

    def _copies(self, rows: NDArray[Any]) -> NDArray[np.uint8]:
        """The template once per row; behind it the row itself where messages end in bytes."""
        if not self.ends_in_bytes:
            return np.tile(self._record, (len(rows), 1))
        count = rows.shape[1]
        records = np.empty((len(rows), self.size + count), np.uint8)
        records[:, : self.size], records[:, self.size :] = self._record, rows
        records[:, : HEAD.itemsize].view(HEAD)[:, 0]["length"] += count
        records[:, self.size - 4 : self.size].view("<u4")[:] = count
        return records


def last_bytes(name: str) -> str:
    """The last field of a message type, if it is a sequence of bytes."""
    field, (kind, content) = fields(name)[-1]
    is_bytes = kind == Nodetype.SEQUENCE and content[0][0] == Nodetype.BASE and content[0][1][0] == "uint8"
    return field if is_bytes else ""


def runs(columns: Iterable[Leaf]) -> list[Run]:
    """Join columns that follow each other in the message as they do in the rows."""
    found: list[Run] = []
    for i, leaf in enumerate(columns):
        start = HEAD.itemsize + leaf.offset
        stop = start + leaf.size
        if found and found[-1].bytes.stop == start and found[-1].dtype == leaf.dtype:
            last = found.pop()
            found.append(Run(slice(last.columns.start, i + 1), slice(last.bytes.start, stop), last.dtype))
        else:
            found.append(Run(slice(i, i + 1), slice(start, stop), np.dtype(leaf.dtype)))
    return found


def template(stream: Stream, store: Typestore | None = None, packed: bool = False) -> bytes:
    """One serialised message of the stream: the constants in place, every other number zero.

    Of the types of `store` (else those of recordings); `packed` is the wire of ROS 1.
    """
    known = store or types()
    tree: dict[str, Any] = {}
    for path in stream.columns:
        _plant(tree, stream, path, None)
    for path, value in stream.constants.items():
        _plant(tree, stream, path, value)
    try:
        message = _message(known, stream.type, tree)
        if packed:
            return bytes(known.serialize_ros1(message, stream.type))
        return bytes(known.serialize_cdr(message, stream.type, little_endian=True))
    except (SerdeError, struct.error, TypeError, ValueError, AttributeError, OverflowError) as error:
        given = dict(stream.constants)
        raise RecordingError(f"{stream.topic}: cannot make a {stream.type} with {given}: {error}") from error


def _plant(tree: dict[str, Any], stream: Stream, path: str, value: Any) -> None:
    """Put a value at its dotted path; a list becomes its numbered items."""
    if isinstance(value, (list, tuple, np.ndarray)):
        for i, item in enumerate(value):
            _plant(tree, stream, f"{path}.{i}", item)
        return
    *parents, last = path.split(".")
    for name in parents:
        tree = tree.setdefault(name, {})
    if last in tree:
        raise RecordingError(f"{stream.topic}: field {path!r} is given twice")
    tree[last] = value


def _message(store: Typestore, name: str, given: Mapping[str, Any]) -> object:
    """Build the `rosbags` object of a message, zero and empty where nothing is given."""
    known = dict(fields(name, store))
    if unknown := given.keys() - known:
        raise RecordingError(f"{name} has no field {min(unknown)!r}; it has {', '.join(known)}")
    return store.types[name](*(_field(store, description, given.get(field)) for field, description in known.items()))


def _field(store: Typestore, description: FieldDesc, given: Any) -> Any:
    if description[0] == Nodetype.NAME:
        return _message(store, description[1], given or {})
    if description[0] == Nodetype.BASE:
        return ("" if description[1][0] == "string" else 0) if given is None else given
    item, count = description[1]
    given = {int(i): value for i, value in (given or {}).items()}
    if description[0] == Nodetype.SEQUENCE:
        count = max(given, default=-1) + 1
    items = [_field(store, item, given.get(i)) for i in range(count)]
    is_number = item[0] == Nodetype.BASE and item[1][0] in NUMBERS
    return np.array(items, NUMBERS[item[1][0]]) if is_number else items
