"""Foxglove: the topics of a recording with the robot itself, live over its WebSocket, and as a file.

The topics are those of a recording, ROS 2 messages as they are; one more, `/scene`, holds the shapes of all bodies as
its SceneUpdate. What a late viewer must still hear (shapes, fixed frames, what the controller is doing) is sent again
to whoever subscribes.
"""

import contextlib
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from mcap.reader import make_reader
from mcap.writer import CompressionType, Writer
from numpy.typing import NDArray

from cupola import __version__
from cupola.bridge.viewers.rows import Rows
from cupola.bridge.viewers.shapes import solids
from cupola.record.encode import HEAD, Encoder
from cupola.record.messages import definition
from cupola.record.stream import Stream
from cupola.schema.libraries import library
from cupola.schema.whole_files import whole_file
from cupola.schema.yaml_files import InputError

SCENE = "/scene"
KEPT = ("/tf_static", SCENE)
"""Topics whose last message counts for good; and those of words."""


BACKLOG = 1 << 15
"""Messages that wait for a slow viewer; then the oldest are dropped."""


def _sdk() -> Any:
    sentence = "Foxglove needs its SDK: pip install 'cupola[foxglove]'"
    library("foxglove.messages", sentence)
    return library("foxglove", sentence)


def scene_update(model: Any, time_ns: int = 0) -> Any:
    """The shapes of all bodies, each fixed to the frame of its body."""
    say = _sdk().messages
    found: dict[str, list[Any]] = {}
    for one in solids(model):
        primitive = say.TriangleListPrimitive(
            pose=say.Pose(position=say.Vector3(), orientation=say.Quaternion(w=1.0)),
            points=[say.Point3(x=x, y=y, z=z) for x, y, z in one.points.tolist()],
            color=say.Color(r=one.rgba[0], g=one.rgba[1], b=one.rgba[2], a=one.rgba[3]),
            indices=one.faces.ravel().tolist(),
        )
        found.setdefault(one.body, []).append(primitive)
    stamp = say.Timestamp(sec=time_ns // 10**9, nsec=time_ns % 10**9)
    entities = [
        say.SceneEntity(timestamp=stamp, frame_id=body, id=body, frame_locked=True, triangles=shapes)
        for body, shapes in found.items()
    ]
    return say.SceneUpdate(entities=entities)


class FoxgloveServer(Rows):
    """A world over Foxglove's WebSocket; `into=` of a WorldRecorder."""

    def __init__(self, path: Path | str, streams: Iterable[Stream], *, model: Any, port: int, **told: Any) -> None:
        super().__init__(path, streams, **told)
        sdk = _sdk()
        self._context = sdk.Context()
        self._channels = {
            topic: sdk.Channel(
                topic,
                message_encoding="cdr",
                schema=sdk.Schema(name=one.type, encoding="ros2msg", data=definition(one.type).encode()),
                context=self._context,
            )
            for topic, one in self.streams.items()
        }
        self._encoders = {topic: Encoder(one, 1) for topic, one in self.streams.items()}
        scene = scene_update(model)
        self._channels[SCENE] = sdk.Channel(
            SCENE, message_encoding="protobuf", schema=type(scene).get_schema(), context=self._context
        )
        self._kept: dict[str, tuple[bytes, int]] = {SCENE: (scene.encode(), 0)}
        self._asked: list[str] = []
        try:
            self._server = sdk.start_server(
                name="Cupola",
                port=port,
                context=self._context,
                server_listener=_Listener(self._asked),
                message_backlog_size=BACKLOG,
            )
        except Exception as error:
            raise InputError(f"Foxglove's WebSocket cannot listen on port {port}: {error}") from None
        self.port: int = int(self._server.port)

    def show(self, stream: Stream, stamps: NDArray[np.int64], rows: NDArray[Any]) -> None:
        """Send a message for each row."""
        topic = stream.topic
        is_same = stream is self.streams[topic]
        encoder = self._encoders[topic] if is_same else Encoder(stream, 1)
        channel = self._channels[topic]
        for record, stamp in zip(encoder.encode(stamps, stamps, rows, 0), stamps.tolist(), strict=True):
            message = record[HEAD.itemsize :].tobytes()
            channel.log(message, log_time=stamp)
            if topic in KEPT or not stream.columns:
                self._kept[topic] = message, stamp
        while self._asked:
            asked = self._asked.pop()
            if asked in self._kept:
                message, stamp = self._kept[asked]
                self._channels[asked].log(message, log_time=max(stamp, int(stamps[-1])))

    def close(self, interrupted: str = "") -> None:
        """Hang up."""
        with contextlib.suppress(Exception):
            self._server.stop()


class _Listener:
    """Writes down who wants to hear what; the thread of the world answers."""

    def __init__(self, asked: list[str]) -> None:
        self._asked = asked

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None

    def on_subscribe(self, client: Any, channel: Any) -> None:
        """Somebody looks at a topic from now on."""
        self._asked.append(channel.topic)


def add_scene(source: Path, model: Any, target: Path) -> Path:
    """Copy a recording with the shapes of its bodies added as `/scene`."""
    scene = scene_update(model)
    schema = type(scene).get_schema()
    with source.open("rb") as old, whole_file(target) as made:
        new = io.BufferedWriter(made.file)
        writer = Writer(new, compression=CompressionType.LZ4)
        writer.start("ros2", library=f"cupola {__version__}")
        number = writer.register_schema(schema.name, schema.encoding, schema.data)
        channel = writer.register_channel(SCENE, "protobuf", number)
        writer.add_message(channel, 0, scene.encode(), 0)
        reader = make_reader(old)
        known: dict[int, int] = {}
        channels: dict[int, int] = {}
        for form, topic, message in reader.iter_messages():
            if topic.id not in channels:
                if form and form.id not in known:
                    known[form.id] = writer.register_schema(form.name, form.encoding, form.data)
                held = known[form.id] if form else 0
                channels[topic.id] = writer.register_channel(topic.topic, topic.message_encoding, held, topic.metadata)
            writer.add_message(channels[topic.id], message.log_time, message.data, message.publish_time)
        for found in reader.iter_attachments():
            writer.add_attachment(found.create_time, found.log_time, found.name, found.media_type, found.data)
        for one in reader.iter_metadata():
            writer.add_metadata(one.name, one.metadata)
        writer.finish()
        new.detach()  # which writes the rest, and leaves the file open
    return target
