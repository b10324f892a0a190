"""Pictures in a recording: Image and CameraInfo as `rosbags` reads them, packed forms, sheets, tables, memory."""

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from rosbags.typesys import Stores, get_typestore

from cupola.record import Recorder, Recording, RecordingError, Stream, plot, write_csv
from cupola.record.picture import pack, unpack
from cupola.record.plot import figures
from cupola.record.world_recorder import WorldRecorder

from .conftest import READERS, decode_independently

BODY = """<body name="base"><freejoint/><geom size="0.05" mass="1"/>
  <body name="head" pos="0.1 0.2 0.3" euler="0 0 -40"><joint name="turn" axis="0 0 1"/>
    <geom size="0.05" mass="0.1"/><site name="eye" pos="0 0 0.2" euler="0 30 0"/></body></body>
  <body name="red" pos="1.6 -0.8 0.5"><geom size="0.1" rgba="1 0 0 1"/></body>"""
WIDTH, HEIGHT, ANGLE, DELAY = 60, 40, 1.2, 0.05
LENS = {
    "kind": "camera", "site": "eye", "rate_hz": 30, "delay": DELAY, "noise": 0.01,
    "width_px": WIDTH, "height_px": HEIGHT, "field_of_view": ANGLE,
}  # fmt: skip


@pytest.fixture
def fly(vehicle: Any, make_world: Any, tmp_path: Path) -> Any:
    """Record 0.5 s of a falling camera; returns the world and the file."""

    def run(pictures: str = "raw", name: str = "toy", seconds: float = 0.5, **lens: Any) -> tuple[Any, Path]:
        record = {"rate_hz": 100, "pictures": pictures}
        folder = vehicle(BODY, name=name, parts={"lens": {**LENS, **lens}})
        world = make_world({"model": folder, "position": [0, 0, 1]}, floor={}, record=record)
        path = tmp_path / f"{name}.mcap"
        tap = WorldRecorder(world, path)
        world.observers.append(tap)
        world.run(seconds)
        tap.close()
        return world, path

    return run


def on(path: Path, topic: str, reader: Any = READERS[0]) -> list[Any]:
    return [message for message in decode_independently(path, reader) if message.topic == topic]


@pytest.mark.parametrize("reader", READERS)
def test_every_picture_is_an_image_with_its_stamp(fly: Any, reader: Any) -> None:
    world, path = fly()
    said, samples = on(path, "/toy/lens/image", reader), world.samples["toy", "lens"]
    ticks = [math.ceil(k * 2000 / 30 - 1e-9) for k in range(16)]
    assert [m.publish_time for m in said] == [tick * 500_000 for tick in ticks]
    assert [m.sequence for m in said] == list(range(16))
    for k, m in enumerate(said):
        assert m.log_time == m.publish_time + round(1e9 * DELAY)
        assert m["header.stamp.sec"] * 10**9 + m["header.stamp.nanosec"] == m.publish_time
        assert (m["height"], m["width"], m["encoding"], m["step"]) == (HEIGHT, WIDTH, "rgb8", 3 * WIDTH)
        assert m["is_bigendian"] == 0 and m["header.frame_id"] == "toy/eye_optical_site"
        np.testing.assert_array_equal(m["data"].reshape(HEIGHT, WIDTH, 3), samples.picture(k))


def test_camera_info_is_the_pinhole_that_took_the_picture(fly: Any) -> None:
    _, path = fly()
    infos = on(path, "/toy/lens/camera_info")
    assert [m.publish_time for m in infos] == [m.publish_time for m in on(path, "/toy/lens/image")]
    info, focal = infos[0], WIDTH / 2 / math.tan(ANGLE / 2)
    k = [[focal, 0, (WIDTH - 1) / 2], [0, focal, (HEIGHT - 1) / 2], [0, 0, 1]]
    np.testing.assert_allclose(info["k"].reshape(3, 3), np.array(k), rtol=1e-15)
    np.testing.assert_array_equal(info["p"].reshape(3, 4), np.column_stack([info["k"].reshape(3, 3), [0, 0, 0]]))
    np.testing.assert_array_equal(info["r"].reshape(3, 3), np.eye(3))
    assert info["d"].tolist() == [0] * 5 and info["distortion_model"] == "plumb_bob"
    assert (info["height"], info["width"], info["header.frame_id"]) == (HEIGHT, WIDTH, "toy/eye_optical_site")


def matrix(transform: Any) -> Any:
    """A transform of ROS as 4 x 4."""
    q, t = transform.rotation, transform.translation
    x, y, z, w = q.x, q.y, q.z, q.w
    turn = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), t.x],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), t.y],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), t.z],
        [0, 0, 0, 1],
    ]
    return np.array(turn)


def test_transforms_and_camera_info_lead_from_the_world_to_the_pixel(fly: Any) -> None:
    """Only what is in the file: where the red box is, seen through /tf, /tf_static and the CameraInfo."""
    _, path = fly(width_px=600, height_px=400, noise=0.0)
    image, info = on(path, "/toy/lens/image")[3], on(path, "/toy/lens/camera_info")[3]  # at 0.1 s
    moving = next(m for m in on(path, "/tf") if m.publish_time >= image.publish_time)
    assert moving.publish_time == image.publish_time
    world = {t.child_frame_id: matrix(t.transform) for t in moving["transforms"]}
    fixed = {t.child_frame_id: t for t in on(path, "/tf_static")[0]["transforms"]}
    lens = fixed[image["header.frame_id"]]
    T_wl = world[lens.header.frame_id] @ matrix(lens.transform)
    point = np.linalg.inv(T_wl) @ world["toy/red"] @ [0, 0, 0, 1]
    u, v, w = info["p"].reshape(3, 4) @ point
    pixels = image["data"].reshape(400, 600, 3).astype(int)
    rows, columns = np.nonzero((pixels[:, :, 0] > 100) & (pixels[:, :, 1] < 60))
    assert w > 0 and (columns.mean(), rows.mean()) == pytest.approx((u / w, v / w), abs=1.0)
    assert 50 < columns.mean() < 550 and len(rows) > 500


@pytest.mark.parametrize(("how", "off"), [("png", 0.0), ("jpeg", 4.0)])
def test_packed_pictures_are_compressed_images(fly: Any, how: str, off: float) -> None:
    world, path = fly(how)
    assert "/toy/lens/image" not in Recording(path).topics and len(on(path, "/toy/lens/camera_info")) == 16
    said = on(path, "/toy/lens/image/compressed")
    assert [m.sequence for m in said] == list(range(16))
    for k, m in enumerate(said):
        assert (m["format"], m["header.frame_id"]) == (how, "toy/eye_optical_site")
        error = unpack(m.message).astype(int) - world.samples["toy", "lens"].picture(k)
        assert np.abs(error).mean() <= off


def test_without_pictures_nothing_is_drawn(fly: Any) -> None:
    world, path = fly("none")
    topics = Recording(path).topics
    assert "/toy/lens/camera_info" in topics and not [topic for topic in topics if "image" in topic]
    assert not world._renderer._opened


@pytest.mark.parametrize("how", ["raw", "jpeg"])
def test_a_sheet_shows_six_pictures_of_the_flight(fly: Any, tmp_path: Path, how: str) -> None:
    world, path = fly(how)
    name = "toy.lens.image" + (".compressed" if how == "jpeg" else "")
    assert tmp_path / f"{name}.png" in plot(path, tmp_path)
    sheet = dict(figures(Recording(path), Figure))[name]
    shown = [(ax.get_title(loc="left"), ax.get_images()[0].get_array()) for ax in sheet.axes]
    assert [title for title, _ in shown] == [f"{math.ceil(k * 200 / 3) / 2000:.3f} s" for k in range(0, 16, 3)]
    if how == "raw":
        for k, (_, pixels) in zip(range(0, 16, 3), shown, strict=True):
            np.testing.assert_array_equal(pixels, world.samples["toy", "lens"].picture(k))


def test_a_table_of_pictures_has_a_row_per_picture_and_no_pixels(fly: Any, tmp_path: Path) -> None:
    _, path = fly()
    written = {file.name: file for file in write_csv(path, tmp_path / "csv")}
    with written["toy.lens.image.csv"].open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16 and len(rows[0]) < 20 and rows[3]["stamp"] == "0.1" and rows[3]["width"] == str(WIDTH)


def test_only_pictures_are_pictures(fly: Any) -> None:
    _, path = fly()
    with pytest.raises(RecordingError, match=r"/tf holds no pictures but messages of type tf2_msgs/msg/TFMessage"):
        Recording(path).pictures("/tf", 1)


@pytest.mark.parametrize("encoding", ["rgb8", "bgr8", "rgba8", "bgra8", "mono8"])
def test_encodings_of_others_are_read(encoding: str) -> None:
    store = get_typestore(Stores.ROS2_JAZZY)
    image, header = store.types["sensor_msgs/msg/Image"], store.types["std_msgs/msg/Header"]
    stamp = store.types["builtin_interfaces/msg/Time"](0, 0)
    order = {"r": 10, "g": 20, "b": 30, "a": 255}
    pixel = [20] if encoding == "mono8" else [order[letter] for letter in encoding[:-1]]
    line = np.array(pixel * 2 + [99], np.uint8)  # a line may be longer than its pixels
    message = image(header(stamp, ""), 3, 2, encoding, 0, len(line), np.tile(line, 3))
    expected = [20, 20, 20] if encoding == "mono8" else [10, 20, 30]
    assert unpack(message).tolist() == [[expected] * 2] * 3


def test_an_encoding_that_is_not_read_is_named() -> None:
    store = get_typestore(Stores.ROS2_JAZZY)
    header = store.types["std_msgs/msg/Header"](store.types["builtin_interfaces/msg/Time"](0, 0), "")
    message = store.types["sensor_msgs/msg/Image"](header, 1, 1, "32FC1", 0, 4, np.zeros(4, np.uint8))
    with pytest.raises(RecordingError, match=r"'32FC1'.*rgb8"):
        unpack(message)


def test_a_stream_that_does_not_end_in_bytes_is_refused(tmp_path: Path) -> None:
    for stream in (
        Stream("/a", "sensor_msgs/msg/Image", (), {}, "encoding"),
        Stream("/a", "sensor_msgs/msg/Joy", (), {}, "buttons"),
    ):
        with pytest.raises(RecordingError, match="does not end in bytes"):
            Recorder(tmp_path / "a.mcap", [stream], metadata={})


def test_unwritten_pictures_stay_below_the_limit(tmp_path: Path) -> None:
    """The simulation waits for the disk: what waits in memory is the limit and one picture more."""
    stream = Stream("/a", "sensor_msgs/msg/Image", (), {}, "data")
    picture = pack(np.random.default_rng(1).integers(0, 256, (800, 800, 3), np.uint8), "raw")
    with Recorder(tmp_path / "a.mcap", [stream], metadata={}) as recorder:
        most = 0
        for k in range(60):
            recorder.write_bytes("/a", k, k, picture)
            most = max(most, recorder._pending_bytes)
    assert most < (4 << 20) + picture.size + 1000
    assert (tmp_path / "a.mcap").stat().st_size > 60 * picture.size
