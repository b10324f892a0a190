"""Units of recorded fields: from definitions in the file, ROS conventions, signals of the world."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cupola.record.read import Recording

NOTED = re.compile(r"^[\w/\[\]<>=]+\s+(\w+)\s*#.*\[([^\]]+)\]", re.MULTILINE)
"""A field of a definition whose comment says its unit in brackets."""
NOT_ONE = ("unit of", "unit said", "the same")
"""Comments that define no unit."""
LINEAR = {"position": "m", "translation": "m", "orientation": "1", "rotation": "1"}
TWIST = {"linear": "m/s", "angular": "rad/s"}
ROS: dict[str, dict[str, str]] = {
    "Odometry": {"pose.pose.position": "m", "pose.pose.orientation": "1"}
    | {f"twist.twist.{name}": unit for name, unit in TWIST.items()},
    "Imu": {"angular_velocity": "rad/s", "linear_acceleration": "m/s²", "orientation": "1"}
    | {"angular_velocity_covariance": "rad²/s²", "linear_acceleration_covariance": "m²/s⁴"},
    "FluidPressure": {"fluid_pressure": "Pa", "variance": "Pa²"},
    "MagneticField": {"magnetic_field": "T"},
    "Range": {"range": "m", "min_range": "m", "max_range": "m", "field_of_view": "rad"},
    "LaserScan": {"ranges": "m", "range_min": "m", "range_max": "m", "scan_time": "s", "time_increment": "s"}
    | dict.fromkeys(("angle_min", "angle_max", "angle_increment"), "rad"),
    "NavSatFix": {"latitude": "deg", "longitude": "deg", "altitude": "m", "position_covariance": "m²"},
    "JointState": {"position": "rad or m", "velocity": "rad/s or m/s", "effort": "N m or N"},
    "Joy": {"axes": "1"},
    "Temperature": {"temperature": "°C"},
    "BatteryState": {"voltage": "V", "current": "A", "charge": "A h", "capacity": "A h", "percentage": "1"},
    "PoseStamped": {f"pose.{name}": unit for name, unit in LINEAR.items()},
    "TwistStamped": {f"twist.{name}": unit for name, unit in TWIST.items()},
    "WrenchStamped": {"wrench.force": "N", "wrench.torque": "N m"},
}
"""Of REP 103 and the definitions' comments, which recorded definitions leave out."""


def units_of(recording: "Recording", topic: str, names: list[str]) -> dict[str, str]:
    """The unit of each field of a topic that has a known one."""
    kind = recording.topics[topic].rpartition("/")[2]
    known = {**ROS.get(kind, {}), **_noted(recording.definition(topic)), "time": "s", "stamp": "s"}
    signals = {name: recording.units.get(f"{topic.strip('/').replace('/', '.')}.{name}", "") for name in names}
    found = {}
    for name in names:
        unit = signals[name] or next((known[before] for before in _heads(name) if before in known), "")
        if kind == "TFMessage" and not unit:
            unit = next((LINEAR[word] for word in name.split(".") if word in LINEAR), "")
        if name.endswith(("stamp.sec", "stamp.nanosec")):
            unit = "s" if name.endswith(".sec") else "ns"
        if unit:
            found[name] = unit
    return found


def _noted(definition: str) -> dict[str, str]:
    """What the message's own definition says; those of the messages inside it come after a line of ="""
    own = definition.partition("=" * 80)[0]
    return {name: unit for name, unit in NOTED.findall(own) if not unit.startswith(NOT_ONE)}


def _heads(name: str) -> list[str]:
    """`a.b.c`, `a.b`, `a`."""
    words = name.split(".")
    return [".".join(words[:n]) for n in range(len(words), 0, -1)]
