"""Read a recording back as columns of numbers."""

import importlib
import json
import logging
import math
from collections.abc import Callable
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray
from rosbags.interfaces.typing import Typesdict
from rosbags.typesys import TypesysError, get_types_from_idl, get_types_from_msg

from cupola.record.decode import Table, decode, gather
from cupola.record.encode import HEAD, LENGTH_FROM
from cupola.record.mcap_file import END
from cupola.record.messages import types
from cupola.record.named_numbers import is_named, names_in
from cupola.record.picture import PICTURES, unpack
from cupola.record.scan import Scan
from cupola.record.stream import RecordingError
from cupola.schema.input_files import boundary, reason
from cupola.schema.validation_messages import short
from cupola.schema.whole_files import is_being_written
from cupola.sim.events import Command

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cupola.record.shown_figure import ShownFigure

log = logging.getLogger("cupola")

STAMPS = ("header.stamp", "stamp", "clock", "transforms.0.header.stamp")
"""Where messages keep the time of measurement."""
BEFORE_PIXELS = 1024
"""[bytes] of a picture's message hold everything but the picture."""


LONGEST_DEFINITION = 1 << 18
"""[bytes] limit of the definition text of a message."""


class ParameterChange(NamedTuple):
    """A parameter got a new value at `time` [s]."""

    time: float
    name: str
    value: float


class Happened(NamedTuple):
    """An event at `time` [s]: a touch, a take-off, a grip, a fault."""

    time: float
    vehicle: str
    part: str
    """Empty for the vehicle as a whole."""
    event: str


class Note(NamedTuple):
    """A text noted at `time` [s]."""

    time: float
    text: str


class Shot(NamedTuple):
    """A picture taken at `time` [s]."""

    time: float
    pixels: NDArray[np.uint8]
    """(height, width, 3): red, green, blue."""


R = TypeVar("R")
P = ParamSpec("P")


def _guarded(method: Callable[Concatenate["Recording", P], R]) -> Callable[Concatenate["Recording", P], R]:
    """The same method; all its errors name the damaged file."""

    @wraps(method)
    def inside(self: "Recording", /, *given: P.args, **named: P.kwargs) -> R:
        with boundary(self.path, "is damaged", RecordingError):
            return method(self, *given, **named)

    return inside


class Recording:
    """An MCAP file of ROS 2 messages: ours or another's, complete or cut off by a crash."""

    def __init__(self, path: str | Path) -> None:
        self.path: Path = Path(path)
        self._scan = Scan(self.path)
        if why := self.interrupted:
            log.warning("%s is incomplete: %s", self.path, why)
        self._types: dict[str, Typesdict] = {}

    @cached_property
    @_guarded
    def topics(self) -> dict[str, str]:
        """Message type of each topic."""
        schemas = self._scan.schemas
        channels = sorted(self._scan.channels.values(), key=lambda channel: str(channel.topic))
        return {c.topic: schemas[c.schema_id].name if c.schema_id in schemas else "" for c in channels}

    @property
    def metadata(self) -> dict[str, str]:
        """Metadata of the run: scenario, seed, versions, git commit."""
        return self._scan.metadata.get("cupola", {})

    @property
    @_guarded
    def attachments(self) -> dict[str, str]:
        """Texts in the file by name: the scenario, the vehicles."""
        return {name: data.decode(errors="replace") for name, data in self._scan.attachments.items()}

    @property
    def attached(self) -> dict[str, bytes]:
        """Files in the file by name, as they are: meshes and textures, too."""
        return dict(self._scan.attachments)

    @property
    def ending(self) -> dict[str, str]:
        """Metadata of the end: the last tick and the hash of the state."""
        return self._scan.metadata.get("cupola_end", {})

    @property
    def is_complete(self) -> bool:
        """Whether the recording was closed; a killed one holds everything up to its last chunk."""
        return self._scan.is_complete

    @property
    def interrupted(self) -> str:
        """Reason why the run did not finish; empty if it did."""
        if not self.is_complete:
            under_way = is_being_written(self.path)
            return "it is still being written" if under_way else "its writer was stopped before the end"
        return self._scan.metadata.get(END, {}).get("interrupted", "")

    @cached_property
    @_guarded
    def parameters(self) -> list[ParameterChange]:
        """Parameter changes in order of time."""
        return [ParameterChange(*row) for row in self._events("/parameters", "name", "value")]

    @cached_property
    @_guarded
    def notes(self) -> list[Note]:
        """Notes in order of time."""
        return [Note(*row) for row in self._events("/log", "msg")]

    @cached_property
    @_guarded
    def events(self) -> list[Happened]:
        """Events in order of time."""
        return [Happened(*row) for row in self._events("/events", "vehicle", "part", "event")]

    @_guarded
    def phases(self, vehicle: str) -> list[Note]:
        """Phases of the controller of a vehicle with their start times."""
        topic = f"/{vehicle}/phase"
        is_ours = self.topics.get(topic) == "std_msgs/msg/String"
        return [Note(*row) for row in self._events(topic, "data")] if is_ours else []

    @cached_property
    @_guarded
    def units(self) -> dict[str, str]:
        """Units of all signals of the world, by name; empty for a recording without them."""
        found = json.loads(self.attachments.get("signals.json", "{}"))
        return {str(name): str(unit) for name, unit in found.items()}

    @_guarded
    def commands(self, physics_hz: int) -> list[Command]:
        """Recorded commands, for `cupola.sim.events.repeat`; `physics_hz` is that of its scenario."""
        rows = self._events("/commands", "call", "arguments", "outside")
        return [Command(math.ceil(t * physics_hz - 1e-6), call, _frozen(text), out) for t, call, text, out in rows]

    @_guarded
    def table(self, topic: str, *, text: bool = False) -> Table:
        """Every number of a topic's messages as an array over the messages, with its dotted name.

        `time` [s] is when the message was available and gives the order, `stamp` [s] when it was measured; both count
        from the start of the simulation, or of the recording if it is not ours. A field that a message lacks, being
        shorter than others, is NaN. With `text`, the fields that are text come too.
        """
        channels = self._channels(topic)
        definitions, name = self._definitions(channels[0])
        most = BEFORE_PIXELS if name in PICTURES else None  # a minute of pictures does not fit into memory
        heads, groups = gather(self._scan.chunks, {channel.id for channel in channels}, most)
        columns = decode(definitions, name, groups, text=text)
        order = np.argsort(heads["log_time"], kind="stable")
        heads, columns = heads[order], {path: values[order] for path, values in columns.items()}
        fields = [path for path in STAMPS if f"{path}.sec" in columns]
        stamps = _nanoseconds(columns, fields[0]) if fields else heads["publish_time"]
        return {"time": self._seconds(heads["log_time"]), "stamp": self._seconds(stamps), **columns}

    @_guarded
    def named(self, topic: str, *, text: bool = False) -> Table:
        """As `table`, with one column per name for messages of named numbers; a `time` of theirs is `time_shown`."""
        table = self.table(topic, text=True)
        if not is_named(self.topics[topic]) or not len(table["time"]):
            return {name: values for name, values in table.items() if text or values.dtype.kind != "U"}
        said = {path: str(values[0]) for path, values in table.items() if path.startswith("name.")}
        names = {path.replace("name.", "value.", 1): name for path, name in said.items()}
        names = names or names_in(self.definition(topic))
        own = {"time": table["time"], "stamp": table["stamp"]}
        found = {path: f"{name}_shown" if name in own else name for path, name in names.items() if path in table}
        return {**own, **{name: table[path] for path, name in found.items()}}

    def frame(self, topic: str) -> "pd.DataFrame":
        """A topic as a table of pandas over `time` [s], with texts and arrays; units stand in `attrs["units"]`."""
        from cupola.record.frames import frame

        return frame(self, topic)

    def dataset(self, topic: str | None = None) -> "xr.Dataset":
        """A topic, or all of them (`vehicle.topic.field`), as a dataset of xarray; units stand in `attrs["units"]`."""
        from cupola.record.frames import dataset

        return dataset(self, topic)

    def plot(self, sheet: str = "overview", vehicle: str | None = None) -> "ShownFigure":
        """A sheet of a vehicle (the first one unless named) as a figure of matplotlib: overview, motion, actuators, ...

        Or any field over time or against another, `TOPIC:FIELD` or `TOPIC:X:Y`.
        """
        from cupola.record.plot import figure_of

        return figure_of(self, sheet, vehicle)

    def view(self, *, height: int = 600, speed: float | None = 1.0) -> Any:
        """The recording on the page of the cockpit, inside a notebook, until `close()` of what is returned."""
        # The cockpit stands to the right of recordings, so it is found by name.
        return importlib.import_module("cupola.cockpit.notebook").view_recording(self.path, height=height, speed=speed)

    def _repr_html_(self) -> str:
        from cupola.record.recording_html import recording_html

        return recording_html(self)

    def definition(self, topic: str) -> str:
        """Definition text of the messages of a topic; empty if the file has none."""
        schema = self._scan.schemas.get(self._channels(topic)[0].schema_id)
        return schema.data.decode(errors="replace") if schema else ""

    @_guarded
    def pictures(self, topic: str, count: int) -> list[Shot]:
        """Up to `count` pictures of a topic, evenly spread from the first to the last."""
        channels = self._channels(topic)
        name = self.topics[topic]
        if name not in PICTURES:
            raise RecordingError(f"{topic} holds no pictures but messages of type {name}")
        numbers = {channel.id for channel in channels}
        places = [
            (chunk, int(start))
            for chunk in self._scan.chunks
            for number, starts in (chunk.index or chunk.starts(chunk.content())).items()
            if number in numbers
            for start in starts
        ]
        chosen = np.unique(np.linspace(0, len(places) - 1, min(count, len(places))).round().astype(int))
        return [self._shot(places[k][0].content(), places[k][1], name) for k in chosen]

    def _shot(self, content: bytes, start: int, name: str) -> Shot:
        """The picture in the message record at `start`."""
        head = np.frombuffer(content, HEAD, 1, start)[0]
        data = content[start + HEAD.itemsize : start + LENGTH_FROM + int(head["length"])]
        return Shot(float(self._seconds(head["publish_time"])), unpack(types().deserialize_cdr(data, name)))

    def _channels(self, topic: str) -> list[Any]:
        if topic not in self._of_topics:
            raise RecordingError(f"no topic {topic!r} in {self.path}; there are {', '.join(self.topics) or 'none'}")
        return self._of_topics[topic]

    @cached_property
    def _of_topics(self) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for channel in self._scan.channels.values():
            found.setdefault(channel.topic, []).append(channel)
        return found

    def _definitions(self, channel: Any) -> tuple[Typesdict, str]:
        """Parsed definition of a channel's message type, and its name."""
        schema = self._scan.schemas.get(channel.schema_id)
        if schema is None or channel.message_encoding != "cdr" or not schema.encoding.startswith("ros2"):
            encoding = f"{channel.message_encoding!r} (definition: {schema.encoding if schema else 'none'})"
            raise RecordingError(f"{channel.topic} is encoded as {encoding}; only ROS 2 messages, 'cdr', are read")
        name, text = schema.name, schema.data.decode()
        if len(text) > LONGEST_DEFINITION:
            raise RecordingError(f"{channel.topic}: the definition of {short(name)} has {len(text)} characters")
        if name not in self._types:
            try:
                is_idl = schema.encoding == "ros2idl"
                self._types[name] = get_types_from_idl(text) if is_idl else get_types_from_msg(text, name)
            except TypesysError as error:
                raise RecordingError(
                    f"{channel.topic}: the definition of {name} cannot be read: {reason(error)}"
                ) from error
        return self._types[name], name

    def _seconds(self, nanoseconds: NDArray[Any]) -> NDArray[np.float64]:
        seconds: NDArray[np.float64] = (nanoseconds.astype(np.int64) - self._origin) / 1e9
        return seconds

    @cached_property
    def _origin(self) -> int:
        """Zero of the time axis [ns]: a simulation starts at zero, other recorders use the calendar."""
        if "cupola" in self._scan.metadata:
            return 0
        return min((chunk.first for chunk in self._scan.chunks if chunk.first), default=0)

    def _events(self, topic: str, *fields: str) -> list[tuple[Any, ...]]:
        table = self.table(topic, text=True) if topic in self.topics else {}
        if any(field not in table for field in fields):
            return []
        return list(zip(*(table[field].tolist() for field in ("time", *fields)), strict=True))


def _nanoseconds(columns: Table, path: str) -> NDArray[np.int64]:
    """Time in the fields sec and nanosec [ns]."""
    seconds: NDArray[np.int64] = columns[f"{path}.sec"].astype(np.int64)
    return seconds * 1_000_000_000 + columns[f"{path}.nanosec"]


def _frozen(text: str) -> tuple[Any, ...]:
    """Arguments of a call from JSON, whose lists are tuples."""
    return tuple(tuple(value) if isinstance(value, list) else value for value in json.loads(text))
