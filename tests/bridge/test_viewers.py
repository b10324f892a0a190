"""Foxglove and Rerun see the robot: shapes, frames, scans, pictures, curves, words; from a file and live."""

import contextlib
import io
import json
import struct
import sys
import threading
import time
from functools import partial
from itertools import pairwise

import mujoco
import numpy as np
import pytest
from mcap.reader import make_reader
from PIL import Image

import cupola
from cupola.bridge.viewers import foxglove as foxglove_viewer
from cupola.bridge.viewers import rerun as rerun_viewer
from cupola.bridge.viewers.recorded import write_foxglove, write_rerun
from cupola.bridge.viewers.shapes import solids
from cupola.record.read import Recording
from cupola.record.stream import Stream
from cupola.record.world_recorder import WorldRecorder

SHAPES = """
<mujoco><asset><mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
<geom name="floor" type="plane" size="2 3 .1"/>
<body name="a" pos="1 2 3"><freejoint/>
<geom name="box" type="box" size=".1 .2 .3" pos=".5 0 0" euler="0 0 90" rgba="1 0 0 1"/>
<geom name="ball" type="sphere" size=".5"/><geom name="egg" type="ellipsoid" size=".1 .2 .4"/>
<geom name="can" type="cylinder" size=".2 .5"/><geom name="pill" type="capsule" size=".2 .5"/>
<geom name="solid" type="mesh" mesh="tetra"/><geom name="hidden" type="sphere" size="1" group="3"/>
</body></worldbody></mujoco>"""


def volume(solid):
    """By the divergence theorem; positive where all faces look outwards."""
    a, b, c = (solid.points[solid.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def test_shapes_are_closed_and_of_the_right_size():
    found = {one.name: one for one in solids(mujoco.MjModel.from_xml_string(SHAPES))}
    assert set(found) == {"floor", "box", "ball", "egg", "can", "pill", "solid"}
    assert found["floor"].body == "world" and found["box"].body == "a" and found["box"].rgba == (1, 0, 0, 1)
    pi = np.pi
    exact = {"box": 0.048, "can": pi * 0.04, "solid": 1 / 6, "ball": pi / 6, "egg": 4 / 3 * pi * 0.008}
    exact["pill"] = pi * 0.04 * (1.0 + 4 / 3 * 0.2)
    for name, size in exact.items():
        flat = 1e-6 if name in ("box", "solid") else 0.03  # 24 sides lose 1.1 % of a circle, a ball twice that
        assert volume(found[name]) == pytest.approx(size, rel=flat), name
        edges = [tuple(sorted(edge)) for f in found[name].faces.tolist() for edge in pairwise([*f, f[0]])]
        assert {edges.count(edge) for edge in set(edges)} == {2}, name
    assert found["box"].points.max(axis=0) == pytest.approx([0.7, 0.1, 0.3])  # moved, and turned about z


@pytest.fixture(scope="module")
def flight(tmp_path_factory):
    """A short recording of the quadcopter."""
    path = tmp_path_factory.mktemp("flight") / "quadcopter.mcap"
    world = cupola.load("quadcopter")
    recorder = WorldRecorder(world, path)
    world.observers.append(recorder)
    world.run(0.2)
    recorder.note("hello")
    recorder.close()
    return path


class Client:
    """A viewer as Foxglove's protocol describes it: hears what is advertised, subscribes, reads."""

    def __init__(self, port, topics):
        from websockets.sync.client import connect
        from websockets.typing import Subprotocol

        self.open = contextlib.ExitStack()
        address, words = f"ws://127.0.0.1:{port}", [Subprotocol("foxglove.sdk.v1")]
        self.socket = self.open.enter_context(connect(address, subprotocols=words, max_size=None))
        self.channels = {}
        while not set(topics) <= set(self.channels):
            said = json.loads(self.socket.recv(10))
            self.channels |= {one["topic"]: one for one in said.get("channels", ())}
        asked = [{"id": k, "channelId": self.channels[topic]["id"]} for k, topic in enumerate(topics)]
        self.socket.send(json.dumps({"op": "subscribe", "subscriptions": asked}))
        self.heard = {topic: [] for topic in topics}
        self._topics = list(topics)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self):
        for message in self.socket:
            if isinstance(message, bytes) and message[0] == 1:
                number, stamp = struct.unpack_from("<IQ", message, 1)
                self.heard[self._topics[number]].append((stamp, message[13:]))

    def wait(self, enough):
        end = time.monotonic() + 20.0
        while not enough(self.heard) and time.monotonic() < end:
            time.sleep(0.01)
        return self.heard


def messages_of(path, topics):
    found = {topic: [] for topic in topics}
    with path.open("rb") as file:
        for _, channel, message in make_reader(file).iter_messages(topics=list(topics)):
            found[channel.topic].append((message.log_time, message.data))
    return found


def scene_in(data):
    """A scene, decoded with the schema that came along, by Google's own reader."""
    pytest.importorskip("google.protobuf", reason="decodes what Foxglove is sent")
    import foxglove.messages
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    pool, files = descriptor_pool.DescriptorPool(), descriptor_pb2.FileDescriptorSet()
    files.ParseFromString(foxglove.messages.SceneUpdate.get_schema().data)
    for file in files.file:
        pool.Add(file)
    cls = message_factory.GetMessageClass(pool.FindMessageTypeByName("foxglove.SceneUpdate"))
    return cls.FromString(data)


def test_foxglove_hears_live_what_a_recording_holds(tmp_path):
    pytest.importorskip("foxglove", reason="pip install 'cupola[foxglove]'")
    world = cupola.load("quadcopter")
    made = []

    def server(*given, **told):
        made.append(foxglove_viewer.FoxgloveServer(*given, model=world.model, port=0, **told))
        return made[-1]

    live, tape = WorldRecorder(world, "x", into=server), WorldRecorder(world, tmp_path / "x.mcap")
    world.observers += [live, tape]
    moving = ["/tf", "/quadcopter/odometry", "/quadcopter/imu", "/quadcopter/motor1"]
    client = Client(made[0].port, [*moving, "/tf_static", "/scene"])
    for _ in range(500):  # until the server has heard what it was asked for
        if all(made[0]._channels[topic].has_sinks() for topic in (*moving, "/scene")):
            break
        time.sleep(0.01)
    live.note("it begins")
    first = {topic: len(client.heard[topic]) for topic in moving}
    world.run(0.2)
    tape.close()
    expected = messages_of(tape.path, [*moving, "/tf_static"])
    heard = client.wait(
        lambda h: all(len(h[t]) >= len(expected[t]) for t in moving) and h["/scene"] and h["/tf_static"]
    )
    live.close()
    client.open.close()
    assert set(first.values()) == {0}
    for topic in moving:
        assert heard[topic] == expected[topic], topic
    assert heard["/tf_static"][0][1] == expected["/tf_static"][0][1]  # sent again, to one who came late
    assert client.channels["/tf"]["schemaName"] == "tf2_msgs/msg/TFMessage"
    scene = scene_in(heard["/scene"][0][1])
    shown = {one.frame_id for one in scene.entities}
    assert shown == {one.body for one in solids(world.model)} and "quadcopter/base" in shown
    assert all(one.frame_locked for one in scene.entities)


def test_a_recording_for_foxglove_has_every_message_and_the_robot(flight, tmp_path):
    pytest.importorskip("foxglove", reason="pip install 'cupola[foxglove]'")
    made = write_foxglove(flight, tmp_path / "f.mcap")
    old, new = Recording(flight), Recording(made)
    assert set(new.topics) == {*messages_of_all(flight), "/scene"}
    assert messages_of_all(made) == {**messages_of_all(flight), "/scene": 1}
    assert np.array_equal(new.table("/tf")["time"], old.table("/tf")["time"])
    assert new.attached == old.attached and new.metadata == old.metadata
    (_, data), *_ = messages_of(made, ["/scene"])["/scene"]
    model = cupola.load("quadcopter").model
    triangles = sum(len(shape.indices) // 3 for one in scene_in(data).entities for shape in one.triangles)
    assert triangles == sum(len(one.faces) for one in solids(model)) > 0


def messages_of_all(path):
    with path.open("rb") as file:
        summary = make_reader(file).get_summary()
    topics = {k: channel.topic for k, channel in summary.channels.items()}
    return {topics[k]: n for k, n in summary.statistics.channel_message_counts.items() if n}


def chunks_of(path):
    """What a file of Rerun holds: rows by entity."""
    chunk = pytest.importorskip("rerun.chunk", reason="pip install 'cupola[rerun]'")
    found = {}
    for one in chunk.RrdReader(path).stream():
        found.setdefault(one.entity_path, []).append(one.to_record_batch())
    return found


def columns_of(batches, name):
    """All values of the component whose name ends so, row by row."""
    return [
        value
        for batch in batches
        for k, field in enumerate(batch.schema)
        if field.name.endswith(name)
        for value in batch.column(k).to_pylist()
        if value is not None
    ]


def test_a_recording_for_rerun_has_the_robot_its_frames_and_its_curves(flight, tmp_path):
    pytest.importorskip("rerun", reason="pip install 'cupola[rerun]'")
    found = chunks_of(write_rerun(flight, tmp_path / "f.rrd"))
    recording, model = Recording(flight), cupola.load("quadcopter").model
    table = recording.table("/tf", text=True)
    moved = columns_of(found["/world/quadcopter.base"], "Transform3D:translation")
    k = next(
        key.split(".")[1] for key, v in table.items() if key.endswith("child_frame_id") and v[0] == "quadcopter/base"
    )
    heights = table[f"transforms.{k}.transform.translation.z"]
    assert [row[0][2] for row in moved] == pytest.approx(heights, rel=1e-6) and len(moved) == len(heights)
    shapes = [one for one in solids(model) if one.body == "quadcopter/base"]
    for one in shapes:
        (points,) = columns_of(found[f"/world/quadcopter.base/{one.name.replace('/', '.')}"], "Mesh3D:vertex_positions")
        assert np.allclose(points, one.points, atol=1e-6)
    assert shapes
    thrust = columns_of(found["/quadcopter/motor1"], "Scalars:scalars")
    assert len(thrust) == len(recording.table("/quadcopter/motor1")["time"])
    assert ["hello"] in columns_of(found["/log"], "TextLog:text") or any(
        "hello" in text[0] for text in columns_of(found["/log"], "TextLog:text")
    )


def test_rerun_shows_scans_and_pictures_where_they_were_taken(tmp_path):
    pytest.importorskip("rerun", reason="pip install 'cupola[rerun]'")
    frames = {"transforms.0.header.frame_id": "world", "transforms.0.child_frame_id": "base/scanner"}
    poses = tuple(
        f"transforms.0.transform.{what}.{axis}"
        for what, axes in (("translation", "xyz"), ("rotation", "wxyz"))
        for axis in axes
    )
    scan = {"header.frame_id": "base/scanner", "angle_min": 0.0, "angle_increment": np.pi / 2, "range_max": 10.0}
    picture = {"header.frame_id": "base/scanner", "height": 2, "width": 3}
    streams = [
        Stream("/tf", "tf2_msgs/msg/TFMessage", poses, frames),
        Stream("/laser", "sensor_msgs/msg/LaserScan", ("ranges.0", "ranges.1", "ranges.2"), scan),
        Stream("/camera", "sensor_msgs/msg/Image", (), picture, "data"),
        Stream("/packed", "sensor_msgs/msg/CompressedImage", (), {"format": "png"}, "data"),
    ]
    model = mujoco.MjModel.from_xml_string(SHAPES)
    viewer = rerun_viewer.RerunViewer("x", streams, model=model, name="x", file=tmp_path / "x.rrd")
    viewer.write("/tf", [0], [0], [[1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]])  # w x y z: half a turn about z
    viewer.write("/laser", [0, 10**9], [0, 10**9], [[1.0, 2.0, np.inf], [3.0, 11.0, 4.0]])
    pixels = np.arange(18, dtype=np.uint8)
    viewer.write_bytes("/camera", 0, 0, pixels)
    packed = io.BytesIO()
    Image.fromarray(pixels.reshape(2, 3, 3)).save(packed, "png")
    viewer.write_bytes("/packed", 0, 0, np.frombuffer(packed.getvalue(), np.uint8))
    viewer.close()
    found = chunks_of(tmp_path / "x.rrd")
    assert columns_of(found["/world/base.scanner"], "Transform3D:translation") == [[[1.0, 2.0, 3.0]]]
    assert columns_of(found["/world/base.scanner"], "Transform3D:quaternion") == [[[0.0, 0.0, 1.0, 0.0]]]  # x y z w
    first, second = columns_of(found["/world/base.scanner/laser"], "Points3D:positions")
    assert np.allclose(first, [[1, 0, 0], [0, 2, 0]], atol=1e-6) and np.allclose(
        second, [[3, 0, 0], [-4, 0, 0]], atol=1e-6
    )
    assert columns_of(found["/camera"], "Image:buffer") and columns_of(found["/packed"], "EncodedImage:media_type") == [
        ["image/png"]
    ]


def test_rerun_serves_a_world_live():
    pytest.importorskip("rerun", reason="pip install 'cupola[rerun]'")
    world = cupola.load("quadcopter")
    made = []
    into = partial(lambda *given, **told: made.append(rerun_viewer.RerunViewer(*given, **told)) or made[-1])
    tap = WorldRecorder(world, "x", into=partial(into, model=world.model, name="x", port=free_port()))
    world.observers.append(tap)
    world.run(0.05)
    assert made[0].address.startswith("rerun+http://127.0.0.1:")
    tap.close()


def free_port():
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.mark.parametrize(("module", "say"), [("foxglove", "cupola[foxglove]"), ("rerun", "cupola[rerun]")])
def test_what_is_not_installed_is_said_in_a_sentence(monkeypatch, module, say):
    monkeypatch.setitem(sys.modules, module, None)
    viewer = foxglove_viewer if module == "foxglove" else rerun_viewer
    with pytest.raises(cupola.InputError, match=rf"pip install '{say[:6]}"):
        viewer._sdk()
