"""The rows of a recording as the world once logged them, and what stands beside them in the file."""

import json
import logging
import math
from typing import Any

import mujoco
import numpy as np

from cupola.kernel.array_groups import log_columns
from cupola.kernel.observation import observation_in
from cupola.kernel.rows import AIR_AT, OBSERVATION
from cupola.parts.stand_in import StandIn
from cupola.physics.rotation import Quaternion, Vector, rotate, subtract, unrotate
from cupola.record.held_files import FileIndex
from cupola.record.named_numbers import is_named, is_same_kind
from cupola.record.picture import PICTURES
from cupola.record.read import Recording
from cupola.record.stream import Stream
from cupola.record.topics import JOINTS, TRANSFORMS, SensorTopic, log_topics, sensor_topics
from cupola.schema.yaml_files import InputError
from cupola.sim.camera_images import Pictures
from cupola.sim.samples import Samples
from cupola.sim.signals import place_in
from cupola.sim.world import World

MOST_BYTES = 256e6
"""Of rows in memory; a longer recording is shown with fewer rows a second."""
MOST_BESIDE = 64
"""Numbers in a message that are shown as signals though the world has none of them."""

log = logging.getLogger("cupola")


class SensedThen:
    """The samples of a sensor in a recording; its numbers may stand in several topics."""

    def __init__(self, file: Recording, samples: Samples, topics: list[SensorTopic], dt: float) -> None:
        self.samples, self._dt = samples, dt
        self._times = self._stamps = np.zeros(0)
        self._values: list[tuple[int, Any]] = []
        for topic in topics:
            if topic.stream.topic in file.topics:
                table = file.named(topic.stream.topic)
                self._times, self._stamps = table["time"], table["stamp"]
                known = zip(topic.stream.names or topic.stream.columns, topic.columns, topic.factors, strict=True)
                self._values += [(column, table[field] / factor) for field, column, factor in known if field in table]
        self._row = np.full(1 + samples.part.width(), np.nan)

    def at(self, times: Any) -> Any:
        """For each time [s] the sample that was the newest then: its tick, which is not known, and its numbers."""
        table = np.full((len(times), len(self._row)), np.nan)
        known = np.searchsorted(self._times, times, side="right") - 1
        for column, values in self._values:
            table[known >= 0, column] = values[np.minimum(known[known >= 0], len(values) - 1)]
        return table

    def put(self, now: float, qpos: Any, frame: int) -> None:
        """Let the sample that was the newest at `now` [s] be it again; a picture is drawn anew, of `qpos`."""
        k = int(np.searchsorted(self._times, now, side="right")) - 1
        if k < 0:
            return
        if isinstance(self.samples, Pictures):
            self._row[0], self._row[1:] = math.floor(now / self._dt + 1e-6), qpos
        else:
            self._row[0] = math.floor(self._stamps[k] / self._dt + 1e-6)
            for column, values in self._values:
                self._row[column] = values[min(k, len(values) - 1)]
        self.samples.put(frame, self._row)


def rows_of(file: Recording, index: FileIndex | None, world: World) -> tuple[Any, Any, int]:
    """Times [s], for each of them a log row as the world once wrote it, NaN for what is not in the file, and how many
    recorded rows one of them stands for."""
    path = file.path
    topics = [
        topic for topic in log_topics(world) if is_same_kind(file.topics.get(topic.stream.topic, ""), topic.stream.type)
    ]
    if not topics or topics[0].stream.topic != "/tf":
        raise InputError(f"{path} holds no motion to show: there is no topic /tf")
    tables = [file.named(topic.stream.topic) for topic in topics]
    times, width = tables[0]["time"], int(world.arrays.world["log_width"][0])
    if not len(times):
        raise InputError(f"{path} ends before its first row")
    stride = max(1, math.ceil(8.0 * len(times) * width / MOST_BYTES))
    times = times[::stride]
    rows = np.full((len(times), width), np.nan)
    for topic, table in zip(topics, tables, strict=True):
        at = newest(table["time"], times)
        for field, column in zip(_fields(topic.stream, index, world), topic.columns, strict=True):
            if field in table:
                rows[:, column] = table[field][at]
    return times, rows, stride


def _fields(stream: Stream, index: FileIndex | None, world: World) -> list[str]:
    """Columns of a recorded table that fill a stream; bodies and joints are found by their names."""
    if stream.names:
        return list(stream.names)
    recorded: tuple[str, ...] | None = None
    shown: list[str] = []
    if index and stream.type == TRANSFORMS:
        recorded, shown = index.bodies, [world.model.body(k).name for k in range(1, world.model.nbody)]
    elif index and stream.type == JOINTS:
        recorded, shown = index.joints.get(stream.topic), stream.constants["name"]
    if recorded is None or list(recorded) == shown:
        return list(stream.columns)
    if missing := set(recorded) - set(shown):
        log.warning("%s: not shown, because code added it: %s", stream.topic, ", ".join(sorted(missing)))
    found = []
    for column in stream.columns:
        what, number, *rest = column.split(".")  # transforms.3.transform.rotation.x, position.3
        name = shown[int(number)]
        found.append(".".join((what, str(recorded.index(name)) if name in recorded else "none", *rest)))
    return found


def newest(stamps: Any, times: Any) -> Any:
    """Which of the rows with these stamps was the newest at each of some times; the first before there was one."""
    return np.maximum(0, np.searchsorted(stamps, times, side="right") - 1)


def told_beside(file: Recording, world: World) -> dict[str, tuple[Any, Any]]:
    """What controllers and parts that are code told, which the world shown does not have: by name, times and values."""
    own = {one.name for one in world.signals()}
    code = {f"/{b.vehicle}/{b.name}" for b in world.assembly.parts if isinstance(b.part, StandIn)}
    code -= {one.stream.topic for one in log_topics(world)}  # these are shown already
    found: dict[str, tuple[Any, Any]] = {}
    for topic, kind in file.topics.items():
        vehicle = topic.split("/")[1]
        told = is_named(kind) or (topic in code and kind not in PICTURES)
        if not told or vehicle not in {instance.name for instance in world.instances}:
            continue
        table = file.named(topic)
        fields = [name for name in table if name not in ("time", "stamp") and not name.startswith("header.")]
        if len(table["time"]) and len(fields) <= MOST_BESIDE:
            names = {f"{topic[1:].replace('/', '.')}.{name}": name for name in fields}
            found |= {full: (table["time"], table[name]) for full, name in names.items() if full not in own}
    return found


def sensors_of(file: Recording, world: World) -> list[SensedThen]:
    """Every sensor with its topics."""
    topics = sensor_topics(world)
    return [
        SensedThen(file, samples, [topic for topic in topics if topic.samples is samples], world.dt)
        for samples in world.samples.values()
    ]


def completed(world: World, rows: Any) -> Any:
    """Rows of the log with what follows from them and is not in a recording: velocities in other axes."""
    out, at = np.array(rows), log_columns(world.arrays)

    def columns(array: str, row_type: Any, vehicle: int, *names: str) -> list[int]:
        return [at[array].start + place_in(row_type, vehicle, name) for name in names]

    for k in range(len(world.instances)):
        quat_wb = Quaternion(*out[:, columns("observations", OBSERVATION, k, "qw", "qx", "qy", "qz")].T)
        vel_b = Vector(*out[:, columns("observations", OBSERVATION, k, "u", "v", "w")].T)
        wind = columns("air_samples", AIR_AT, k, "wind_x", "wind_y", "wind_z")
        vel_air_b = subtract(vel_b, unrotate(quat_wb, Vector(*out[:, wind].T)))
        out[:, columns("observations", OBSERVATION, k, "vx", "vy", "vz")] = np.column_stack(rotate(quat_wb, vel_b))
        out[:, columns("observations", OBSERVATION, k, "air_u", "air_v", "air_w")] = np.column_stack(vel_air_b)
    return out


def place_free_bodies(world: World) -> None:
    """Coordinates of free joints from the poses of their bodies: only those are in a recording."""
    model, arrays = world.model, world.arrays
    for joint in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        first, body = model.jnt_qposadr[joint], model.jnt_bodyid[joint]
        arrays.qpos[first : first + 7] = [*arrays.xpos[body], *arrays.xquat[body]]


def move_free_bodies(world: World) -> None:
    """Velocities of free joints from what is known of the vehicles; of other bodies nothing is."""
    model, arrays = world.model, world.arrays
    roots = {instance.root: observation_in(arrays.observations[k]) for k, instance in enumerate(world.instances)}
    for joint in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        first, body = model.jnt_dofadr[joint], int(model.jnt_bodyid[joint])
        now = roots.get(body)
        arrays.qvel[first : first + 6] = 0.0 if now is None else [*now.vel_w, *now.rate_b]


def commands_of(file: Recording) -> list[tuple[float, str, list[Any]]]:
    """What was done to the world: time [s], name of the method, arguments."""
    if "/commands" not in file.topics:
        return []
    table = file.table("/commands", text=True)
    if "call" not in table:
        return []
    return [
        (float(t), str(call), json.loads(arguments))
        for t, call, arguments in zip(table["time"], table["call"], table["arguments"], strict=True)
    ]
