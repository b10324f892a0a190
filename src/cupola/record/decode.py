"""Turn ROS 2 messages into columns of numbers, many at once: the way back from `encode`.

Messages are sorted by length and then by layout (`layout`); those that share one are read as strided columns.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from rosbags.interfaces.typing import Typesdict

from cupola.record.encode import HEAD, LENGTH_FROM
from cupola.record.layout import Leaf, leaves
from cupola.record.scan import Chunk
from cupola.record.stream import RecordingError

MOST_COLUMNS = 1_000_000
"""Fields of all layouts of the messages of one length: some seconds of reading."""
MOST_WITHOUT_SAYING = 4 << 30
"""[bytes] of one topic, where a machine does not tell how much memory it has."""
Table = dict[str, NDArray[Any]]


class Messages(NamedTuple):
    """Messages of one length."""

    places: NDArray[np.int64]
    """Where each stands among all messages."""
    bytes: NDArray[np.uint8]
    """(messages, length)."""


def gather(chunks: Iterable[Chunk], channels: set[int], most: int | None = None) -> tuple[NDArray[Any], list[Messages]]:
    """Messages of some channels: the heads in the order of the file, and the first `most` bytes of each, by length."""
    heads: list[NDArray[Any]] = [np.empty(0, HEAD)]
    found: dict[int, list[Messages]] = {}
    count, kept, most_kept = 0, 0, room()
    for chunk in chunks:
        if chunk.index and not channels & chunk.index.keys():
            continue
        content = chunk.content()
        parts = [starts for channel, starts in chunk.starts(content).items() if channel in channels]
        if not parts:
            continue
        data, starts = np.frombuffer(content, np.uint8), np.unique(np.concatenate(parts))
        if starts[0] < 0 or starts[-1] > len(data) - HEAD.itemsize:
            raise RecordingError(f"{chunk.path}: the index of the chunk at byte {chunk.at} points outside of it")
        head = sliding_window_view(data, HEAD.itemsize)[starts].view(HEAD)[:, 0]
        if int(head["length"].astype(float).sum()) > len(data):
            raise RecordingError(f"{chunk.path}: messages of the chunk at byte {chunk.at} are longer than it is")
        for length in np.unique(head["length"]).tolist():
            chosen = np.flatnonzero(head["length"] == length)
            size = LENGTH_FROM + length if most is None else min(LENGTH_FROM + length, HEAD.itemsize + most)
            kept += size * len(chosen)
            if kept > most_kept:
                raise RecordingError(f"{chunk.path}: a topic has more than the {most_kept} bytes there is room for")
            records = sliding_window_view(data, size)[starts[chosen]]
            found.setdefault(length, []).append(Messages(count + chosen, records[:, HEAD.itemsize :]))
        heads.append(head)
        count += len(starts)
    groups = [Messages(*map(np.concatenate, zip(*parts, strict=True))) for parts in found.values()]
    return np.concatenate(heads), groups


def decode(definitions: Typesdict, name: str, groups: Iterable[Messages], *, text: bool) -> Table:
    """Columns of all messages of type `name`, in their places; NaN or "" where a message lacks the field."""
    pieces = [piece for group in groups for piece in _by_layout(definitions, name, group, text)]
    count = sum(len(places) for places, _ in pieces)
    widths = {path: columns[path].itemsize for _, columns in pieces for path in columns}
    if (wanted := count * sum(widths.values())) > (most := room()):
        raise RecordingError(
            f"{count} messages of type {name} have {len(widths)} fields between them: {wanted} bytes as a table, more "
            f"than the {most} there is room for"
        )
    paths = list(widths)
    return {path: _merge([(places, c[path]) for places, c in pieces if path in c], count) for path in paths}


def room() -> int:
    """Half of the memory of this machine [bytes]."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # Windows
        return MOST_WITHOUT_SAYING


def _by_layout(
    definitions: Typesdict, name: str, group: Messages, text: bool
) -> Iterator[tuple[NDArray[np.int64], Table]]:
    """Repeatedly split off the messages that have the layout of the first."""
    places, rows = group
    columns = 0
    while len(rows):
        found = leaves(definitions, name, rows[0].tobytes())
        columns += len(found)
        if columns > MOST_COLUMNS:
            raise RecordingError(f"messages of type {name} are laid out in more ways than can be read")
        lengths = [leaf.offset + i for leaf in found if leaf.dtype == "length" for i in range(leaf.size)]
        structure = [0, 1, *lengths]  # bytes 0 and 1 tell the byte order
        alike = (rows[:, structure] == rows[0, structure]).all(axis=1)
        kept = [leaf for leaf in found if leaf.dtype != "length" and (text or leaf.dtype != "S")]
        chosen = rows[alike]
        yield places[alike], {leaf.path: _column(chosen, leaf) for leaf in kept}
        places, rows = places[~alike], rows[~alike]


def _column(rows: NDArray[np.uint8], leaf: Leaf) -> NDArray[Any]:
    field = np.ascontiguousarray(rows[:, leaf.offset : leaf.offset + leaf.size])
    if leaf.dtype != "S":
        column = field.view(leaf.dtype)[:, 0]
        return column.astype(column.dtype.newbyteorder("="))
    if leaf.size < 1:
        return np.full(len(rows), "")
    return np.char.decode(field.view(f"S{leaf.size}")[:, 0], "utf-8", "replace")


def _merge(parts: list[tuple[NDArray[np.int64], NDArray[Any]]], count: int) -> NDArray[Any]:
    """One column from the pieces of it."""
    is_text = parts[0][1].dtype.kind == "U"
    dtype = np.result_type(*(values for _, values in parts))
    if sum(len(places) for places, _ in parts) < count and not is_text:
        dtype = np.dtype(np.float64)
    column = np.full(count, "" if is_text else np.nan if dtype.kind == "f" else 0, dtype)
    for places, values in parts:
        column[places] = values
    return column
