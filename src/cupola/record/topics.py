"""Which topics a world has: of its log rows and of its sensors, as its parts declare them."""

from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.kernel.array_groups import log_columns
from cupola.kernel.memory import STICKS
from cupola.kernel.records import leaves
from cupola.kernel.rows import AIR_AT, OBSERVATION
from cupola.parts.shown import RecordedFields, named_numbers
from cupola.record.named_numbers import with_names_once
from cupola.record.picture import compressed
from cupola.record.stream import Stream
from cupola.sim.camera_images import Pictures
from cupola.sim.samples import Samples
from cupola.sim.signals import REPORTS, place_in, reported, scalar_joints
from cupola.sim.world import World

ODOMETRY = {
    **{f"pose.pose.position.{axis}": axis for axis in "xyz"},
    **{f"pose.pose.orientation.{axis}": f"q{axis}" for axis in "wxyz"},
    **{f"twist.twist.linear.{axis}": column for axis, column in zip("xyz", "uvw", strict=True)},
    **{f"twist.twist.angular.{axis}": column for axis, column in zip("xyz", "pqr", strict=True)},
}
"""Fields of an odometry, and their columns in an observation."""
AIR = {
    **{f"wind.{axis}": f"wind_{axis}" for axis in "xyz"},
    **{name: name for name in ("density", "pressure", "temperature")},
}
"""Fields of a message about the air, and their columns in a sample of it."""
TRANSFORMS, JOINTS = "tf2_msgs/msg/TFMessage", "sensor_msgs/msg/JointState"
"""Messages whose rows are bodies, and joints."""
STAGES = ("phase", "waypoint")
"""What controllers call it when they report where they are in their mission."""
PHASE, TEXT = "phase", "std_msgs/msg/String"
"""Topic under a vehicle that says, whenever it changes, what its controller is doing; its message."""


class LogTopic(NamedTuple):
    """A stream and the columns of the log row that fill it."""

    stream: Stream
    columns: list[int]


class SensorTopic(NamedTuple):
    """A stream and the columns of a sensor's sample that fill it."""

    stream: Stream
    columns: list[int]
    factors: Any
    samples: Samples

    def pictures(self) -> Pictures | None:
        """The samples, where each is one."""
        return self.samples if self.stream.ends_in and isinstance(self.samples, Pictures) else None


class Log:
    """The log row of a world: which column a number of an array is."""

    def __init__(self, world: World) -> None:
        self._starts: dict[str, int] = {name: found.start for name, found in log_columns(world.arrays).items()}

    def column(self, array: str, place: int) -> int:
        """Of a number of an array."""
        return self._starts[array] + place

    def topic(self, topic: str, kind: str, fields: dict[str, tuple[str, int]], constants: dict[str, Any]) -> LogTopic:
        """A topic of some fields, each a number of an array."""
        stream = Stream(topic, kind, tuple(fields), constants)
        return LogTopic(stream, [self.column(*place) for place in fields.values()])


def log_topics(world: World) -> list[LogTopic]:
    """Streams of the log row: transforms, then per vehicle its motion, joints, air, channels, sticks and parts."""
    log, units = Log(world), units_of_signals(world)
    topics = [_transforms(world, log)]
    for i, instance in enumerate(world.instances):
        name, frame = instance.name, f"{instance.name}/{instance.vehicle.root}"
        header = {"header.frame_id": frame}
        odometry = {field: ("observations", place_in(OBSERVATION, i, column)) for field, column in ODOMETRY.items()}
        air = {field: ("air_samples", place_in(AIR_AT, i, column)) for field, column in AIR.items()}
        axes = {f"axes.{k}": ("sticks", STICKS * i + k) for k in range(STICKS)}
        topics += [
            log.topic(
                f"/{name}/odometry",
                "nav_msgs/msg/Odometry",
                odometry,
                {"header.frame_id": "world", "child_frame_id": frame},
            ),
            log.topic(f"/{name}/air", "cupola_msgs/msg/Air", air, header),
            log.topic(
                f"/{name}/pressure", "sensor_msgs/msg/FluidPressure", {"fluid_pressure": air["pressure"]}, header
            ),
            _channels(world, name, instance.channels, log, header),
            log.topic(f"/{name}/joy", "sensor_msgs/msg/Joy", axes, header),
        ]
        topics += _joints(world, name, log, header)
        taken = {one.stream.topic for one in topics} | {topic for topic, *_ in _sensor_streams(world)}
        for shown, recorded, where in _shown(world, i, header):
            topic = _free(f"/{name}/{shown}", taken)
            found = log.topic(topic, recorded.type, dict(recorded.fields), {**where, **recorded.constants})
            topics.append(found._replace(stream=with_names_once(found.stream, units)))
    return topics


def units_of_signals(world: World) -> dict[str, str]:
    """Of every signal, by its full name."""
    return {one.name: one.unit for one in world.signals()}


def _free(topic: str, taken: set[str]) -> str:
    """A topic of this name; one that is taken by something else leaves it to that."""
    while topic in taken:
        topic += "_shown"
    taken.add(topic)
    return topic


def _shown(world: World, vehicle: int, header: dict[str, Any]) -> list[tuple[str, RecordedFields, dict[str, Any]]]:
    """Name, message and header of what the parts and the controllers of a vehicle show."""
    instance = world.instances[vehicle]
    found = []
    for bound in world.assembly.parts:
        if bound.vehicle == instance.name and (recorded := bound.part.recorded(bound.row)):
            site = bound.part.at_site()
            own = {"header.frame_id": site_frame(f"{instance.name}/{site}")} if site else header
            found.append((bound.name, recorded, own))
    if reports := reported(instance):
        found.append((REPORTS, named_numbers(reports), header))
    return found


def phase_streams(world: World) -> list[Stream]:
    """A topic per vehicle that says what its controller is doing."""
    taken = {one.stream.topic for one in log_topics(world)} | {topic for topic, *_ in _sensor_streams(world)}
    return [Stream(_free(f"/{instance.name}/{PHASE}", taken), TEXT, ()) for instance in world.instances]


def phase_columns(world: World) -> dict[str, list[int]]:
    """Columns of the log row in which the controllers of each vehicle report where they are in their mission."""
    log = Log(world)
    return {
        instance.name: [log.column(s.array, s.place) for s in reported(instance) if s.name.rpartition(".")[2] in STAGES]
        for instance in world.instances
    }


def phase_names(world: World) -> dict[str, dict[int, tuple[str, ...]]]:
    """Names of the phases that each controller of a vehicle declares, by the column of the log row that counts them."""
    log = Log(world)
    found: dict[str, dict[int, tuple[str, ...]]] = {}
    for instance in world.instances:
        names = found[instance.name] = {}
        for runner in instance.runners.values():
            if phases := runner.controller.phases:
                place = runner.reports.start + leaves(runner.controller.Signals).index(PHASE)
                names[log.column("reported", place)] = phases
    return found


def _transforms(world: World, log: Log) -> LogTopic:
    fields: dict[str, tuple[str, int]] = {}
    constants: dict[str, Any] = {}
    for i, body in enumerate(range(1, world.model.nbody)):
        constants[f"transforms.{i}.header.frame_id"] = "world"
        constants[f"transforms.{i}.child_frame_id"] = mujoco.mj_id2name(world.model, mujoco.mjtObj.mjOBJ_BODY, body)
        fields |= _pose(f"transforms.{i}", body)
    return log.topic("/tf", TRANSFORMS, fields, constants)


def _pose(transform: str, body: int) -> dict[str, tuple[str, int]]:
    """Fields of the pose of a body, and where its numbers lie."""
    found = {}
    for field, axes, array in (("translation", "xyz", "xpos"), ("rotation", "wxyz", "xquat")):
        for k, axis in enumerate(axes):
            found[f"{transform}.transform.{field}.{axis}"] = array, len(axes) * body + k
    return found


def site_frames(world: World) -> tuple[Stream, list[float]]:
    """The frames of all sites on their bodies, which never change."""
    columns: list[str] = []
    numbers: list[float] = []
    constants: dict[str, Any] = {}
    for i in range(world.model.nsite):
        body = world.model.site_bodyid[i]
        constants[f"transforms.{i}.header.frame_id"] = mujoco.mj_id2name(world.model, mujoco.mjtObj.mjOBJ_BODY, body)
        name = mujoco.mj_id2name(world.model, mujoco.mjtObj.mjOBJ_SITE, i)
        constants[f"transforms.{i}.child_frame_id"] = site_frame(name)
        columns += _pose(f"transforms.{i}", i)
        numbers += [*world.model.site_pos[i], *world.model.site_quat[i]]
    return Stream("/tf_static", TRANSFORMS, tuple(columns), constants), numbers


def site_frame(site: str) -> str:
    """Frame of a site; a body may carry the same name, so the site says what it is."""
    return f"{site}_site"


def _channels(world: World, name: str, slots: slice, log: Log, header: dict[str, Any]) -> LogTopic:
    used = [c for b in world.assembly.parts if b.vehicle == name for c in b.part.used_channels()]
    count = 1 + max(0, *used, 0)
    constants = {**header, "name": [f"channel {k}" for k in range(count)]}
    fields = {f"{array}.{k}": (array, slots.start + k) for array in ("command", "drive") for k in range(count)}
    return log.topic(f"/{name}/channels", "cupola_msgs/msg/Channels", fields, constants)


def _joints(world: World, name: str, log: Log, header: dict[str, Any]) -> list[LogTopic]:
    """Hinges and slides of the model, and the shafts that parts declare."""
    model = world.model
    names: list[str] = []
    positions: list[tuple[str, int]] = []
    velocities: list[tuple[str, int]] = []
    for joint in scalar_joints(world, name):
        names.append(model.joint(joint).name.removeprefix(f"{name}/"))
        positions.append(("qpos", int(model.jnt_qposadr[joint])))
        velocities.append(("qvel", int(model.jnt_dofadr[joint])))
    for bound in world.assembly.parts:
        if bound.vehicle == name and bound.part.shaft is not None:
            fields, first = leaves(bound.part.group().State), int(bound.row["state"])
            angle, speed = (("state", first + fields.index(field)) for field in bound.part.shaft)
            names.append(f"{bound.name}_shaft")
            positions.append(angle)
            velocities.append(speed)
    if not names:
        return []
    found = {f"position.{k}": place for k, place in enumerate(positions)}
    found |= {f"velocity.{k}": place for k, place in enumerate(velocities)}
    return [log.topic(f"/{name}/joint_states", JOINTS, found, {**header, "name": names})]


def _sensor_streams(world: World) -> list[tuple[str, Any, Samples]]:
    """Topic and message of everything that sensors say, as their parts declare it."""
    found = []
    for (vehicle, name), samples in world.samples.items():
        for message in samples.part.messages(site_frame(f"{vehicle}/{samples.part.at_site()}")):
            topic = "/".join(("", vehicle, name, *([message.topic] if message.topic else [])))
            found.append((topic, message, samples))
    return found


def sensor_topics(world: World) -> list[SensorTopic]:
    """What each sensor says."""
    topics, units = [], units_of_signals(world)
    for topic, message, samples in _sensor_streams(world):
        stream = Stream(topic, message.type, tuple(message.fields), message.constants, message.ends_in)
        stream = with_names_once(stream, units)
        if stream.ends_in and world.scenario.record.pictures == "none":
            continue
        if stream.ends_in and world.scenario.record.pictures != "raw":
            stream = compressed(stream, world.scenario.record.pictures)
        factors = np.array([message.factors.get(field, 1.0) for field in message.fields])
        topics.append(SensorTopic(stream, [1 + k for k in message.fields.values()], factors, samples))
    return topics
