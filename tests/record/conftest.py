"""Streams of every kind that the tests record, and a way to look into messages that shares no code with ours."""

from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from mcap.reader import NonSeekingReader, SeekingReader
from rosbags.typesys import get_types_from_msg
from rosbags.typesys.store import Typestore

from cupola.record import Recorder, Stream

BASE = {"header.frame_id": "quadcopter/base"}


def vector(name: str, letters: str = "xyz") -> tuple[str, ...]:
    return tuple(f"{name}.{letter}" for letter in letters)


def numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"{name}.{i}" for i in range(count))


def transform(i: int) -> tuple[str, ...]:
    return vector(f"transforms.{i}.transform.translation") + vector(f"transforms.{i}.transform.rotation", "xyzw")


ROTATION = vector("orientation", "xyzw")


def corners(field: str) -> tuple[str, ...]:
    """Columns of one number per wheel."""
    return tuple(f"{field}.{wheel}" for wheel in ("fr", "fl", "rl", "rr"))


STREAMS = [
    Stream(
        "/quadcopter/imu",
        "sensor_msgs/msg/Imu",
        ROTATION + vector("angular_velocity") + vector("linear_acceleration"),
        {**BASE, "orientation_covariance": [0.5, 0, 0, 0, 0.25, 0, 0, 0, 0.125], "angular_velocity_covariance.8": 3.0},
    ),
    Stream(
        "/quadcopter/odom",
        "nav_msgs/msg/Odometry",
        vector("pose.pose.position")
        + vector("pose.pose.orientation", "xyzw")
        + vector("twist.twist.linear")
        + vector("twist.twist.angular"),
        {"header.frame_id": "world", "child_frame_id": "quadcopter/base"},
    ),
    Stream(
        "/tf",
        "tf2_msgs/msg/TFMessage",
        transform(1) + transform(0),  # not in the order of the message
        {
            "transforms.0.header.frame_id": "world",
            "transforms.0.child_frame_id": "quadcopter/base",
            "transforms.1.header.frame_id": "quadcopter/base",
            "transforms.1.child_frame_id": "quadcopter/camera",
        },
    ),
    Stream(
        "/quadcopter/joint_states",
        "sensor_msgs/msg/JointState",
        numbered("position", 3) + numbered("velocity", 3),
        {"name": ["links", "rechts", "größe"]},
    ),
    Stream("/joy", "sensor_msgs/msg/Joy", numbered("axes", 4) + numbered("buttons", 3)),
    Stream("/quadcopter/pressure", "sensor_msgs/msg/FluidPressure", ("fluid_pressure", "variance"), BASE),
    Stream("/quadcopter/scan", "sensor_msgs/msg/LaserScan", numbered("ranges", 90), {"range_max": 30.0}),
    Stream("/clock", "rosgraph_msgs/msg/Clock", ()),
    Stream("/quadcopter/pitot", "cupola_msgs/msg/Airspeed", ("differential_pressure", "indicated_airspeed"), BASE),
    Stream("/quadcopter/air", "cupola_msgs/msg/Air", (*vector("wind"), "density", "pressure", "temperature")),
    Stream(
        "/quadcopter/rotor_1",
        "cupola_msgs/msg/Rotor",
        ("thrust", "torque", "omega", "airspeed", "current", "power"),
        {"header.frame_id": "quadcopter/rotor_1"},
    ),
    Stream(
        "/quadcopter/wing",
        "cupola_msgs/msg/Airfoil",
        ("airspeed", "alpha", "beta", "c_lift", "c_drag", *vector("force"), *vector("torque")),
    ),
    Stream("/quadcopter/channels", "cupola_msgs/msg/Channels", numbered("command", 4) + numbered("drive", 4)),
    Stream(
        "/quadcopter/flapping_wing",
        "cupola_msgs/msg/Wing",
        ("airspeed", "alpha", "beta", "c_lift", "c_drag", *vector("force"), *vector("torque"), "power", "work"),
    ),
    Stream("/quadcopter/liftdrag", "cupola_msgs/msg/LiftDrag", ("speed", "alpha", *vector("vel"), *vector("force"))),
    Stream(
        "/quadcopter/wheels", "cupola_msgs/msg/Wheels", (*corners("target"), *corners("torque"), "current", "tripped")
    ),
    Stream("/quadcopter/encoders", "cupola_msgs/msg/Encoders", (*corners("velocity"), *corners("angle"))),
    Stream("/quadcopter/observer", "cupola_msgs/msg/Relative", ("distance", "angle")),
    Stream("/quadcopter/tank", "cupola_msgs/msg/Numbers", numbered("value", 2), {"name": ["mass", "flow"]}),
    Stream(
        "/quadcopter/model",
        "cupola_msgs/msg/Exchange",
        numbered("input", 2) + numbered("output", 1),
        {"input_name": ["angle", "rate"], "output_name": ["torque"]},
    ),
]


class Written(NamedTuple):
    """What went into a recording."""

    stamps: np.ndarray[Any, Any]
    available: np.ndarray[Any, Any]
    rows: np.ndarray[Any, Any]


def random_rows(stream: Stream, n: int, seed: int = 1) -> Written:
    """Numbers of all sizes at irregular times that arrive late."""
    rng = np.random.default_rng([seed, len(stream.topic), len(stream.columns)])
    stamps = np.cumsum(rng.integers(1, 50_000_000, n))
    available = stamps + rng.integers(0, 200_000_000)
    rows = rng.normal(size=(n, len(stream.columns))) * 10.0 ** rng.integers(-12, 12, (n, 1))
    buttons = [i for i, path in enumerate(stream.columns) if path.startswith("buttons")]
    rows[:, buttons] = rng.integers(0, 2, (n, len(buttons)))
    return Written(stamps, available, rows)


class Decoded(NamedTuple):
    """A message as `mcap` finds it and `rosbags` understands it, with the definition that lies in the file."""

    topic: str
    log_time: int
    publish_time: int
    sequence: int
    message: Any

    def __getitem__(self, path: Any) -> Any:
        """The field with this dotted path."""
        steps = path.split(".")
        return reduce(lambda at, step: at[int(step)] if step.isdigit() else getattr(at, step), steps, self.message)


def decode_independently(path: Path, reader: type = SeekingReader, **options: Any) -> Iterator[Decoded]:
    """Every message of a file, without any code of ours."""
    stores: dict[str, Typestore] = {}
    with path.open("rb") as file:
        for schema, channel, message in reader(file, validate_crcs=True).iter_messages(**options):
            if schema.name not in stores:
                stores[schema.name] = Typestore()
                stores[schema.name].register(get_types_from_msg(schema.data.decode(), schema.name))
            content = stores[schema.name].deserialize_cdr(message.data, schema.name)
            yield Decoded(channel.topic, message.log_time, message.publish_time, message.sequence, content)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Written]]:
    """A recording of all streams, in many pieces, and what is in it."""
    path = tmp_path_factory.mktemp("record") / "all.mcap"
    written = {stream.topic: random_rows(stream, 500) for stream in STREAMS}
    attachments = {"scenario.yaml": "name: gusty\n# größe\n", "quadcopter/vehicle.yaml": "parts: []\n"}
    metadata = {"scenario": "gusty", "seed": "7"}
    with pytest.MonkeyPatch.context() as patch:  # small chunks, so that there are several
        patch.setattr("cupola.record.recorder.CHUNK", 1 << 16)
        patch.setattr("cupola.record.recorder.LIMIT", 1 << 18)
        with Recorder(path, STREAMS, metadata=metadata, attachments=attachments) as recorder:
            for start in range(0, 500, 50):
                for topic, (stamps, available, rows) in written.items():
                    part = slice(start, start + 50)
                    recorder.write(topic, stamps[part], available[part], rows[part])
            recorder.parameter_changed(1_500_000_000, "attitude.kp", 0.1)
            recorder.parameter_changed(2_500_000_001, "gain", -7e-300)
            recorder.note(3_000_000_000, "the rotor broke — ouch")
    return path, written


READERS: list[Callable[..., Any]] = [SeekingReader, NonSeekingReader]
