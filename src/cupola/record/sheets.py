"""Contents of each sheet: topics of a vehicle drawn together, and their units."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cupola.physics.rotation import Quaternion, Vector, euler_from_quaternion, length, rotate
from cupola.record.decode import Table
from cupola.record.draw import Line, Panel
from cupola.record.named_numbers import is_named
from cupola.record.overview import Path, Wind
from cupola.record.picture import PICTURES
from cupola.record.read import Recording

DRAWN = {"Odometry", "JointState", "Joy", "Imu", "FluidPressure", "MagneticField", "Range"}
"""Message types of ROS that appear on a sheet, beside ours."""
OURS = "cupola_msgs/msg/"
TOLD = {f"{OURS}{name}" for name in ("Parameter", "Command", "Event", "Exchange", "Encoders")}
"""Of ours those that do not: texts, and what others show as well."""
PHASE = "phase"
REPORTS = "controller"
"""Topic of what controllers report."""
NAMED = "Numbers"
"""Message type of parts and controllers that name their numbers themselves."""
MOST_QUANTITIES = 10
"""Of those on a sheet."""
DEG = 180.0 / np.pi
MANY = 8
"""Channels up to here have a panel each."""
TURNS = 20 * np.pi
"""A joint that goes farther than this is a wheel: its angle says nothing [rad]."""


class Topic(NamedTuple):
    """The messages of one topic of a vehicle."""

    label: str
    """Topic without the vehicle, "rotor_1"."""
    kind: str
    """Message type without its package, "Rotor"; of numbers with names always `NAMED`."""
    table: Table


class Vehicle:
    """All that was recorded under one first part of the topics, with the topics that belong to everybody."""

    def __init__(self, recording: Recording, name: str) -> None:
        self.name: str = name
        self.units: dict[str, str] = recording.units
        self.recording: Recording = recording
        self.topics: list[Topic] = []
        for topic, kind in recording.topics.items():
            is_ours = topic.startswith(f"/{name}/") or topic.count("/") == 1
            if is_ours and is_drawn(kind):
                table = recording.named(topic, text=True)
                if len(table["time"]):
                    label = topic.removeprefix(f"/{name}").strip("/")
                    self.topics.append(Topic(label, NAMED if is_named(kind) else kind.split("/")[-1], table))

    def of(self, kind: str) -> list[Topic]:
        """Topics of a message type."""
        return [topic for topic in self.topics if topic.kind == kind]

    def having(self, *columns: str) -> list[Topic]:
        """Topics of parts that show these quantities."""
        return [topic for topic in self.topics if all(column in topic.table for column in columns)]

    @cached_property
    def odometries(self) -> list[Topic]:
        """What is known of the motion, first the truth, which is called odometry or has the shortest name."""
        found = sorted(self.of("Odometry"), key=lambda topic: (topic.label != "odometry", len(topic.label)))
        return [with_attitude(topic) for topic in found]


def names(recording: Recording) -> list[str]:
    """The vehicles of a recording: the first part of every topic that has more than one and can be drawn."""
    drawn = (topic for topic, kind in recording.topics.items() if is_drawn(kind) and topic.count("/") > 1)
    return sorted({topic.split("/")[1] for topic in drawn})


def is_drawn(kind: str) -> bool:
    """Whether messages of a type appear on a sheet."""
    return (kind.startswith(OURS) and kind not in TOLD) or kind.split("/")[-1] in DRAWN


def picture_topics(recording: Recording, vehicle: str) -> list[str]:
    """Topics of a vehicle that hold pictures."""
    found = recording.topics.items()
    return [topic for topic, kind in found if kind in PICTURES and topic.startswith(f"/{vehicle}/")]


def lines(topics: Iterable[Topic], columns: Mapping[str, str], factor: float = 1.0) -> list[Line]:
    """A line per column; those of a second topic are dashed in the same colours."""
    return [line for t, topic in enumerate(topics) for line in _lines(topic, columns, factor, t > 0)]


def _lines(topic: Topic, columns: Mapping[str, str], factor: float, dashed: bool) -> Iterator[Line]:
    for i, (label, column) in enumerate(columns.items()):
        if dashed:
            label = "" if i else topic.label  # once for all its lines
        yield Line(topic.table["stamp"], factor * topic.table[column], label, i, dashed)


def each(topics: Iterable[Topic], column: str, factor: float = 1.0) -> list[Line]:
    """A line per topic of the same column; nothing if it is zero throughout, as when a part does not model it."""
    found = [Line(t.table["stamp"], factor * t.table[column], t.label, i) for i, t in enumerate(topics)]
    return found if any(line.values.any() for line in found) else []


def xyz(field: str, x: str = "x", y: str = "y", z: str = "z") -> dict[str, str]:
    """Labels and columns of a vector."""
    return {x: f"{field}.x", y: f"{field}.y", z: f"{field}.z"}


def with_attitude(odometry: Topic) -> Topic:
    """An odometry with columns for roll, pitch and yaw [deg], yaw without jumps."""
    roll, pitch, yaw = (np.asarray(angle) for angle in euler_from_quaternion(quaternion(odometry.table)))
    angles = {"roll": roll * DEG, "pitch": pitch * DEG, "yaw": np.unwrap(yaw) * DEG}
    return odometry._replace(table={**odometry.table, **angles})


def quaternion(odometry: Table) -> Quaternion:
    """Attitude of the body in the world."""
    return Quaternion._make(odometry[f"pose.pose.orientation.{letter}"] for letter in "wxyz")


def paths(vehicle: Vehicle) -> list[Path]:
    """Where the vehicle was, and where it thought it was, as far as those are numbers."""
    found = []
    for topic in vehicle.odometries:
        columns = [topic.table[name] for name in ("stamp", *(f"pose.pose.position.{letter}" for letter in "xyz"))]
        known = np.isfinite(columns).all(axis=0)
        if known.any():
            found.append(Path(topic.label, *(column[known] for column in columns)))
    return found


def mean_wind(vehicle: Vehicle) -> Wind | None:
    """Mean of the air's motion, if there was any."""
    for topic in vehicle.of("Air"):
        wind = Wind(float(topic.table["wind.x"].mean()), float(topic.table["wind.y"].mean()))
        return wind if wind.speed > 0.05 else None
    return None


def speeds(vehicle: Vehicle) -> list[Line]:
    """Speed over ground, and through the air where that moves."""
    odometry = vehicle.odometries[0].table
    time = odometry["stamp"]
    vel_b = Vector._make(odometry[f"twist.twist.linear.{letter}"] for letter in "xyz")
    found = [Line(time, length(vel_b), "over ground", 0)]
    for topic in vehicle.of("Air")[:1]:
        wind = [np.interp(time, topic.table["stamp"], topic.table[f"wind.{letter}"]) for letter in "xyz"]
        vel_w = rotate(quaternion(odometry), vel_b)
        vel_air_w = Vector._make(v - w for v, w in zip(vel_w, wind, strict=True))
        if np.any(wind):
            found.append(Line(time, length(vel_air_w), "through the air", 4))
    return found


def overview(vehicle: Vehicle, path: Path) -> list[Panel]:
    """What the vehicle did, in one look; on the floor the heading tells more than height, roll and pitch."""
    odometries = vehicle.odometries
    speed = Panel("Speed", "[m/s]", speeds(vehicle))
    if path.is_flat:
        return [speed, Panel("Heading", "[deg]", lines(odometries, {"": "yaw"}))]
    tilt = lines(odometries[:1], {"roll": "roll", "pitch (nose down +)": "pitch"})
    return [
        Panel("Height", "[m]", lines(odometries, {"": "pose.pose.position.z"})),
        speed,
        Panel("Tilt", "[deg]", tilt),
    ]


def motion(vehicle: Vehicle) -> list[Panel]:
    """Position, velocity, attitude and rates."""
    angles = {"roll": "roll", "pitch (nose down +)": "pitch", "yaw": "yaw"}
    position = xyz("pose.pose.position", "x east", "y north", "z up")
    velocity = xyz("twist.twist.linear", "x forward", "y left", "z up")
    return [
        Panel("Position", "[m]", lines(vehicle.odometries, position)),
        Panel("Velocity (body)", "[m/s]", lines(vehicle.odometries, velocity)),
        Panel("Attitude", "[deg]", lines(vehicle.odometries, angles)),
        Panel("Turn rate (body)", "[deg/s]", lines(vehicle.odometries, xyz("twist.twist.angular"), DEG)),
    ]


def actuators(vehicle: Vehicle) -> list[Panel]:
    """Rotors, wings and joints."""
    rotors, wings = vehicle.having("thrust", "omega", "power"), vehicle.having("alpha", "c_lift")
    panels = [
        Panel("Rotor speed", "[rad/s]", each(rotors, "omega")),
        Panel("Rotor thrust", "[N]", each(rotors, "thrust")),
        Panel("Rotor power", "[W]", each(rotors, "power")),
        Panel("Angle of attack", "[deg]", each(wings, "alpha", DEG)),
        Panel("Lift coefficient", "[-]", each(wings, "c_lift")),
    ]
    shafts = {f"{rotor.label}_shaft" for rotor in rotors}  # their speed is drawn already
    for topic in vehicle.of("JointState"):
        positions, speeds = ([e for e in entries(topic, f) if e.label not in shafts] for f in ("position", "velocity"))
        bounded = [line for line in positions if np.ptp(line.values) < TURNS]
        panels.append(Panel("Joint position", "[rad] or [m]", bounded))
        panels.append(Panel("Joint speed", "[rad/s] or [m/s]", speeds))
    return panels


def entries(topic: Topic, field: str) -> list[Line]:
    """A line per entry of an array, with the names that the message gives."""
    found = [column for column in topic.table if column.startswith(f"{field}.")]
    names = [topic.table.get(f"name.{i}", [f"{field} {i}"])[0] for i in range(len(found))]
    return [Line(topic.table["stamp"], topic.table[column], str(names[i]), i) for i, column in enumerate(found)]


def commands(vehicle: Vehicle) -> list[Panel]:
    """What the controller asked for and what the actuators gave, and the sticks."""
    panels = []
    for topic in vehicle.of("Channels"):
        pairs = list(zip(entries(topic, "command"), entries(topic, "drive"), strict=False))
        used = [(command, drive) for command, drive in pairs if command.values.any() or drive.values.any()]
        if len(used) > MANY:
            panels.append(Panel("Commands", "", [command for command, _ in used]))
            panels.append(Panel("Drives", "", [drive for _, drive in used]))
        else:
            for command, drive in used:
                both = [command._replace(label="command", colour=4), drive._replace(label="drive", colour=0)]
                panels.append(Panel(command.label, "", both))
    sticks = ([axis for axis in entries(topic, "axes") if axis.values.any()] for topic in vehicle.of("Joy"))
    return panels + [Panel("Sticks", "", axes) for axes in sticks]


def surroundings(vehicle: Vehicle) -> list[Panel]:
    """The air, and what the vehicle feels of it."""
    imus, air, pitots = vehicle.of("Imu"), vehicle.of("Air"), vehicle.of("Airspeed")
    beside = {f"{pitot.label}/pressure" for pitot in pitots}  # a difference, not what a barometer says
    barometers = [topic for topic in vehicle.of("FluidPressure") if topic.label not in beside]
    return [
        Panel("Wind", "[m/s]", lines(air, xyz("wind", "to east", "to north", "up"))),
        Panel("Static pressure", "[hPa]", each(barometers, "fluid_pressure", 0.01) or each(air, "pressure", 0.01)),
        Panel("Accelerometer", "[m/s²]", lines(imus, xyz("linear_acceleration"))),
        Panel("Gyroscope", "[deg/s]", lines(imus, xyz("angular_velocity"), DEG)),
        Panel("Indicated airspeed", "[m/s]", each(pitots, "indicated_airspeed")),
        Panel("Magnetic field", "[µT]", lines(vehicle.of("MagneticField"), xyz("magnetic_field"), 1e6)),
        Panel("Range", "[m]", each(vehicle.of("Range"), "range")),
        Panel("Distance to another body", "[m]", each(vehicle.of("Relative"), "distance")),
        Panel("Turned against another body", "[deg]", each(vehicle.of("Relative"), "angle", DEG)),
    ]


def changes(line: Line) -> bool:
    """Whether a line is anything but flat."""
    known = line.values[np.isfinite(line.values)]
    return bool(len(known) and np.ptp(known) > 0.0)


def reports(vehicle: Vehicle) -> list[Panel]:
    """What controllers report: what they want, and how far that is."""
    return quantities(vehicle, [topic for topic in vehicle.of(NAMED) if topic.label == REPORTS])


def parts(vehicle: Vehicle) -> list[Panel]:
    """What parts show by names of their own."""
    return quantities(vehicle, [topic for topic in vehicle.of(NAMED) if topic.label != REPORTS])


def quantities(vehicle: Vehicle, topics: Iterable[Topic]) -> list[Panel]:
    """A panel per quantity of some topics, unless it never changes."""
    found: dict[str, list[tuple[str, Line]]] = {}
    listed = list(topics)
    several = len(listed) > 1
    for topic in listed:
        for name in [column for column in topic.table if column not in ("time", "stamp")]:
            quantity, _, inside = name.partition(".")
            told = topic.label if several else ""  # one topic needs no name beside each line
            label = " ".join(word for word in (told, inside) if word)
            line = Line(topic.table["stamp"], topic.table[name], label, len(found.setdefault(quantity, [])))
            found[quantity].append((vehicle.units.get(f"{vehicle.name}.{topic.label}.{name}", ""), line))
    panels = []
    for quantity, pairs in found.items():
        if any(changes(line) for _, line in pairs):
            units = " or ".join(dict.fromkeys(f"[{unit}]" for unit, _ in pairs if unit not in ("", "1")))
            title = quantity.replace("_", " ").capitalize()
            panels.append(Panel(title, units, [line for _, line in pairs], named=quantity == PHASE))
    return panels[:MOST_QUANTITIES]


SHEETS = {"motion": motion, "actuators": actuators, "commands": commands, "air and sensors": surroundings}
SHEETS |= {"controller": reports, "parts": parts}
"""Those of a family of robots are in `family_sheets`."""
