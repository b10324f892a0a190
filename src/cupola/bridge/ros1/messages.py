"""Messages on the wire of ROS 1: types, definitions and checksums for rospy, without generated code."""

import hashlib
import io
from collections.abc import Callable
from functools import cache
from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_typestore
from rosbags.typesys.store import Typestore

from cupola.bridge.ros.definitions import SERVICES, learn, request_of, response_of, text_of
from cupola.record.stream import Stream

RENAMED = {"sensor_msgs/msg/CameraInfo": {"d": "D", "k": "K", "r": "R", "p": "P"}}
"""Fields that ROS 1 calls otherwise than ROS 2."""
ABSENT = {"sensor_msgs/msg/Range": {"variance"}}
"""Fields that ROS 1 does not have."""


@cache
def store() -> Typestore:
    """The types of ROS 1 Noetic; ours are added when they are needed."""
    return get_typestore(Stores.ROS1_NOETIC)


def stream_of(stream: Stream) -> Stream:
    """The stream in ROS 1's fields."""
    learn(store(), stream.type)
    names, absent = RENAMED.get(stream.type, {}), ABSENT.get(stream.type, set())
    constants = {names.get(field, field): value for field, value in stream.constants.items() if field not in absent}
    return stream._replace(constants=constants)


def short(name: str) -> str:
    """`sensor_msgs/Imu`, as ROS 1 writes it."""
    return name.replace("/msg/", "/").replace("/srv/", "/")


@cache
def message_class(base: type, name: str) -> Any:
    """A message class for rospy, derived from its `genpy.Message`, whose only field is the bytes on the wire.

    A function in their place is called when they are needed: what is latched for nobody is never made.
    """
    learn(store(), name)
    text, checksum = _described(name)
    own = text_of(name)
    if own:
        text = own + text.partition("=" * 80)[1] + text.partition("=" * 80)[2]
    contents = {"__slots__": ("wire",), "_slot_types": ("uint8[]",), "_has_header": False}
    contents |= {"_type": short(name), "_md5sum": checksum, "_full_text": text}
    contents |= {"__init__": _hold, "serialize": _write, "deserialize": _read}
    return type(name.rpartition("/")[2], (base,), contents)


def _hold(self: Any, wire: bytes | Callable[[], bytes] = b"") -> None:
    self.wire = wire


def _write(self: Any, buffer: io.BytesIO) -> None:
    if callable(self.wire):
        self.wire = self.wire()
    buffer.write(self.wire)


def _read(self: Any, wire: bytes) -> Any:
    self.wire = wire
    return self


def _described(name: str) -> tuple[str, str]:
    """Definition and checksum; a message without fields has neither."""
    if name not in store().fielddefs:
        return "", hashlib.md5(b"").hexdigest()
    return store().generate_msgdef(name, ros_version=1)


@cache
def service_class(base: type, name: str) -> Any:
    """A service class for rospy."""
    request, response = request_of(name), response_of(name)
    contents = {
        "_type": short(name),
        "_md5sum": service_checksum(name),
        "_request_class": message_class(base, request),
        "_response_class": message_class(base, response),
    }
    return type(name.rpartition("/")[2], (), contents)


def service_checksum(name: str) -> str:
    """ROS 1's: of request and response, one behind the other."""
    if name not in SERVICES:
        raise KeyError(name)
    found = hashlib.md5()
    for part in (request_of(name), response_of(name)):
        learn(store(), part)
        if part in store().fielddefs:
            found.update("\n".join(_checked_lines(part)).encode())
    return found.hexdigest()


def _checked_lines(name: str) -> list[str]:
    """What the checksum of a message is taken of: fields, those of other types by their own checksums."""
    lines = []
    described: Any
    for field, described in store().fielddefs[name][1]:
        (kind, content), many = described, ""
        if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
            (kind, content), count = content
            many = f"[{count or ''}]"
        if kind == Nodetype.NAME:
            lines.append(f"{store().generate_msgdef(content, ros_version=1)[1]} {field}")
        else:
            lines.append(f"{content[0]}{many} {field}")
    return lines


def decoded(name: str, wire: bytes) -> Any:
    """The message in some bytes; None for a type without fields."""
    return store().deserialize_ros1(wire, name) if name in store().fielddefs else None
