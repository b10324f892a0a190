"""What a recorder is told, for whoever shows it instead of writing it: one method for numbers, one for words.

`WorldRecorder(world, ..., into=...)` calls these methods as those of a `Recorder`.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cupola.record.recorder import COMMANDS, LOG, PARAMETERS
from cupola.record.stream import Stream

OWN = (PARAMETERS, COMMANDS, LOG)
"""Streams that every recorder has."""


class Rows:
    """Base of the viewers."""

    def __init__(self, path: Path | str, streams: Iterable[Stream], **told: Any) -> None:
        self.path: Path = Path(path)
        self.streams: dict[str, Stream] = {one.topic: one for one in (*streams, *OWN)}
        self.ending: Mapping[str, str] = {}

    def show(self, stream: Stream, stamps: NDArray[np.int64], rows: NDArray[Any]) -> None:
        """Rows of a stream, at these times [ns]; of a picture one row of bytes, of words the constants alone."""
        raise NotImplementedError

    def write(self, topic: str, stamps_ns: ArrayLike, available_ns: ArrayLike, rows: ArrayLike) -> None:
        """Rows of one topic."""
        stamps = np.array(stamps_ns, np.int64, ndmin=1)
        if len(stamps):
            self.show(self.streams[topic], stamps, np.array(rows, np.float64, ndmin=2))

    def write_columns(
        self, topics: Iterable[tuple[str, list[int] | slice]], stamps_ns: NDArray[np.int64], rows: NDArray[Any]
    ) -> None:
        """Rows of many topics."""
        for topic, columns in topics if len(rows) else ():
            self.show(self.streams[topic], stamps_ns, rows[:, columns])

    def write_bytes(self, topic: str, stamp_ns: int, available_ns: int, data: NDArray[np.uint8]) -> None:
        """A picture."""
        self.show(self.streams[topic], np.array([stamp_ns], np.int64), data.reshape(1, -1))

    def parameter_changed(self, time_ns: int, name: str, value: float) -> None:
        """A parameter has a new value."""
        self._say(PARAMETERS._replace(constants={"name": name}), time_ns, [value])

    def command(self, time_ns: int, call: str, arguments: str, outside: bool) -> None:
        """The world was told something."""
        constants = {"call": call, "arguments": arguments, "outside": outside}
        self._say(COMMANDS._replace(constants=constants), time_ns)

    def say(self, topic: str, time_ns: int, **fields: str) -> None:
        """A message that is text."""
        stream = self.streams[topic]
        self._say(stream._replace(constants={**stream.constants, **fields}), time_ns)

    def note(self, time_ns: int, text: str) -> None:
        """A line of the log."""
        self._say(LOG._replace(constants={"level": 20, "name": "cupola", "msg": text}), time_ns)

    def close(self, interrupted: str = "") -> None:
        """The run is over."""

    def _say(self, stream: Stream, time_ns: int, row: Iterable[float] = ()) -> None:
        self.show(stream, np.array([time_ns], np.int64), np.array([[*row]], np.float64))
