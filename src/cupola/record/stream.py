"""What one recorded topic looks like, and the error that every recording problem ends in."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class RecordingError(Exception):
    """A recording cannot be written or read; the text says what was asked and what exists."""


class Stream(NamedTuple):
    """A topic whose messages are rows of numbers around fixed texts and fixed array lengths."""

    topic: str
    """ROS topic, "/quadcopter/imu"; its first part is the vehicle."""
    type: str
    """ROS 2 message type, "sensor_msgs/msg/Imu" or one of ours, "cupola_msgs/msg/Rotor"."""
    columns: tuple[str, ...]
    """Field of each column of the rows: "angular_velocity.x", "position.3", "transforms.0.transform.rotation.w"."""
    constants: Mapping[str, Any] = {}
    """Fields equal in every message: {"header.frame_id": "quadcopter/base", "name": ["left", "right"]}."""
    ends_in: str = ""
    """The last field, "data", where that is bytes of any number, as those of a picture: see `Recorder.write_bytes`."""
    names: tuple[str, ...] = ()
    """Of the numbers in the columns, where the type of the message was made of them: see `named_numbers`."""
