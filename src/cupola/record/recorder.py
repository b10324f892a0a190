"""The Recorder: takes rows from the simulation; its thread writes them to an MCAP file.

The simulation pays for a copy and a list entry per call. The thread takes all that has arrived, once there is enough
for a chunk or a second has passed, and appends it to the file in one go. Killed at any moment, the file holds every
chunk up to the last.
"""

import logging
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cupola import __version__
from cupola.record.encode import Encoder
from cupola.record.mcap_file import END, McapFile, Records
from cupola.record.messages import definition
from cupola.record.stream import RecordingError, Stream

CHUNK = 1 << 20
"""Messages are written once they amount to this [bytes] ..."""
PERIOD = 1.0
"""... or have waited this long [s]."""
LIMIT = 4 * CHUNK
"""The simulation waits for the disk if this much is unwritten [bytes]: memory stays bounded."""
PARAMETERS = Stream("/parameters", "cupola_msgs/msg/Parameter", ("value",))
COMMANDS = Stream("/commands", "cupola_msgs/msg/Command", ())
LOG = Stream("/log", "rcl_interfaces/msg/Log", ())
INFO = 20
"""rcl_interfaces/msg/Log.INFO."""

log: logging.Logger = logging.getLogger(__name__)


class Batch(NamedTuple):
    """Data of one call."""

    stream: Stream
    stamps: NDArray[np.int64]
    available: NDArray[np.int64]
    rows: NDArray[Any]
    columns: list[int] | slice = slice(None)
    """Those of the rows that belong to the stream."""


class Recorder:
    """Records streams of rows, parameter changes and notes into one MCAP file.

    `metadata` (scenario name, seed, versions, git commit) is stored under the name "cupola", `attachments` (name to
    text: the scenario, the vehicles) beside it, both before the first message. When the disk is full, `if_full` says
    whether the next call raises `RecordingError` ("stop"), or a warning is logged and the simulation goes on without
    recording ("continue"); what was recorded until then stays readable.
    """

    def __init__(
        self,
        path: str | Path,
        streams: Iterable[Stream],
        *,
        metadata: Mapping[str, str],
        attachments: Mapping[str, str | bytes] | None = None,
        if_full: Literal["stop", "continue"] = "stop",
        numbered: bool = False,
    ) -> None:
        self.path: Path = Path(path)
        """Path of the file; with `numbered` the next free name if the requested one is taken."""
        self.if_full = if_full
        self._streams: dict[str, Stream] = {}
        for stream in (*streams, PARAMETERS, COMMANDS, LOG):
            if self._streams.setdefault(stream.topic, stream) is not stream:
                raise RecordingError(
                    f"two streams on the topic {stream.topic!r}: {self._streams[stream.topic]}, {stream}"
                )
        self._encoders = {
            stream.topic: Encoder(stream, channel) for channel, stream in enumerate(self._streams.values(), start=1)
        }
        self._counts: dict[str, int] = defaultdict(int)
        self._pending: list[Batch] = []
        self._pending_bytes = 0
        self._closing = self._told = False
        self.ending: dict[str, str] = {}
        """Stored under the name "cupola_end" when the file is completed."""
        self._failure: Exception | None = None
        self._written_until = 0
        self._changed = threading.Condition()
        self._end: dict[str, str] = {}
        self._file = self._open(numbered)
        try:
            self._write_head(metadata, attachments or {})
            self.path = self._file.publish()
        except OSError as error:
            self._fail(error)
            if not self._is_lived_with():
                self._file.close()
            self._tell()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def write(self, topic: str, stamps_ns: ArrayLike, available_ns: ArrayLike, rows: ArrayLike) -> None:
        """Record one message per row of `rows` (n, columns of the stream), measured at `stamps_ns` (n,) [ns].

        `available_ns` (n,) [ns] is when others could have known, later by the sensor's delay; it orders the file.
        """
        stream = self._stream(topic)
        batch = Batch(
            stream,
            np.array(stamps_ns, np.int64, ndmin=1),
            np.array(available_ns, np.int64, ndmin=1),
            np.array(rows, np.float64, ndmin=2),
        )
        n = len(batch.stamps)
        if batch.available.shape != (n,) or batch.rows.shape != (n, len(stream.columns)):
            raise RecordingError(
                f"{topic}: {batch.stamps.shape} stamps, {batch.available.shape} times and {batch.rows.shape} numbers, "
                f"but a row has {len(stream.columns)} numbers: {', '.join(stream.columns)}"
            )
        if n:
            self._hand_over([batch], n * self._encoders[topic].size)

    def write_columns(
        self, topics: Iterable[tuple[str, list[int] | slice]], stamps_ns: NDArray[np.int64], rows: NDArray[Any]
    ) -> None:
        """Record topics whose numbers are columns of the same rows; neither array may be changed afterwards."""
        if not len(rows):
            return
        batches = [Batch(self._stream(topic), stamps_ns, stamps_ns, rows, columns) for topic, columns in topics]
        self._hand_over(batches, len(rows) * sum(self._encoders[batch.stream.topic].size for batch in batches))

    def write_bytes(self, topic: str, stamp_ns: int, available_ns: int, data: NDArray[np.uint8]) -> None:
        """Record one message that ends in `data`, of any length."""
        stream = self._stream(topic)
        stamps, available = np.array([stamp_ns], np.int64), np.array([available_ns], np.int64)
        self._hand_over([Batch(stream, stamps, available, data.reshape(1, -1))], self._encoders[topic].size + data.size)

    def _stream(self, topic: str) -> Stream:
        if topic not in self._streams:
            raise RecordingError(f"no stream {topic!r} in {self.path}; there are {', '.join(self._streams)}")
        return self._streams[topic]

    def parameter_changed(self, time_ns: int, name: str, value: float) -> None:
        """Record on /parameters that a parameter has a new value from `time_ns` [ns] on."""
        self._hand_over_one(PARAMETERS._replace(constants={"name": name}), time_ns, [[value]])

    def command(self, time_ns: int, call: str, arguments: str, outside: bool) -> None:
        """Record a command of the world on /commands; `arguments` as JSON."""
        constants = {"call": call, "arguments": arguments, "outside": outside}
        self._hand_over_one(COMMANDS._replace(constants=constants), time_ns, [[]])

    def say(self, topic: str, time_ns: int, **fields: str) -> None:
        """Record a message that is text."""
        stream = self._stream(topic)
        self._hand_over_one(stream._replace(constants={**stream.constants, **fields}), time_ns, [[]])

    def note(self, time_ns: int, text: str) -> None:
        """Record a text on /log."""
        self._hand_over_one(LOG._replace(constants={"level": INFO, "name": "cupola", "msg": text}), time_ns, [[]])

    def close(self, interrupted: str = "") -> None:
        """Write what is left and complete the file; a failure that no call has told of yet is raised here.

        `interrupted` says why the run did not come to its end; the file tells it to whoever reads it.
        """
        with self._changed:
            self._end = {"interrupted": interrupted} if interrupted else {}
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        if not self._told:
            self._tell()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._told |= kind is not None  # the first error is the one to see
        self.close(f"{kind.__name__}: {error}" if kind else "")

    def _hand_over_one(self, stream: Stream, time_ns: int, row: list[list[float]]) -> None:
        time = np.array([time_ns], np.int64)
        self._hand_over([Batch(stream, time, time, np.array(row, np.float64))], self._encoders[stream.topic].size)

    def _hand_over(self, batches: list[Batch], size: int) -> None:
        with self._changed:
            while self._pending_bytes >= LIMIT and not self._failure and not self._closing:
                self._changed.wait()
            if self._failure:
                self._tell()
                return
            if self._closing:
                raise RecordingError(f"{self.path} is closed; nothing can be recorded on {batches[0].stream.topic}")
            self._pending += batches
            self._pending_bytes += size
            if self._pending_bytes >= CHUNK:
                self._changed.notify_all()

    def _tell(self) -> None:
        """Raise the failure, if there is one to raise."""
        if self._failure and not self._is_lived_with():
            self._told = True
            raise RecordingError(f"{self._what_failed()}; what was recorded before is readable") from self._failure

    def _is_lived_with(self) -> bool:
        """Whether the failure is a disk error that must not stop the run."""
        return self.if_full == "continue" and isinstance(self._failure, OSError)

    def _what_failed(self) -> str:
        return f"recording {self.path} ended at {self._written_until * 1e-9:.3f} s: {self._failure}"

    def _fail(self, error: Exception) -> None:
        """Keep the first failure; log it here if no caller will raise it."""
        if self._failure is None:
            self._failure = error
            if self._is_lived_with():
                log.warning("%s; the simulation continues without recording", self._what_failed())

    def _open(self, numbered: bool) -> McapFile:
        try:
            return McapFile(self.path, numbered=numbered)
        except OSError as error:
            raise RecordingError(f"cannot record into {self.path}: {error.strerror}") from error

    def _write_head(self, metadata: Mapping[str, str], attachments: Mapping[str, str | bytes]) -> None:
        """Write everything before the first message at once, so that it exists even after an early end."""
        self._file.start(f"cupola {__version__}")
        self._file.add_metadata("cupola", metadata)
        for name, text in attachments.items():
            self._file.add_attachment(name, text)
        for stream in self._streams.values():
            self._file.add_channel(stream.topic, stream.type, definition(stream.type))

    def _run(self) -> None:
        """The thread: write what has arrived until closed, then complete the file."""
        closing = False
        while not closing:
            with self._changed:
                self._changed.wait_for(lambda: self._closing or self._pending_bytes >= CHUNK, PERIOD)
                batches, self._pending, self._pending_bytes = self._pending, [], 0
                closing = self._closing
                self._changed.notify_all()
            try:
                if batches and not self._failure:
                    self._write_chunk(batches)
                if closing and self._end:
                    self._file.add_metadata(END, self._end)
                if closing:
                    if self.ending and not self._failure:
                        self._file.add_metadata("cupola_end", self.ending)
                    self._file.finish()
            except Exception as error:
                self._fail(error)
        self._file.close()

    def _write_chunk(self, batches: Iterable[Batch]) -> None:
        """Encode batch after batch of the same stream in one go, and append all of it as one chunk."""
        groups: dict[int, list[Batch]] = defaultdict(list)
        for batch in batches:
            alike = batch if batch.stream.ends_in else batch.stream  # bytes may be of any number
            groups[id(alike)].append(batch)
        blocks = [self._encode(group) for group in groups.values()]
        self._written_until = self._file.write_chunk(blocks)

    def _encode(self, group: list[Batch]) -> Records:
        stream = group[0].stream
        encoder = self._encoders[stream.topic]
        if stream is not self._streams[stream.topic]:  # a parameter change or a note has its own text
            encoder = Encoder(stream, encoder.channel)
        stamps, available = (np.concatenate(arrays) for arrays in list(zip(*group, strict=True))[1:3])
        rows = np.concatenate([batch.rows[:, batch.columns] for batch in group])
        first = self._counts[stream.topic]
        self._counts[stream.topic] += len(rows)
        return encoder.encode(stamps, available, rows, first)
