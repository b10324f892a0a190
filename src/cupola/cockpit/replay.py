"""A recording in the cockpit: a world that is not stepped but filled from the rows of a file."""

import json
import logging
import math
import time
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from cupola.cockpit import messages as say
from cupola.cockpit.cameras import Cameras
from cupola.cockpit.derived import DerivedCurves
from cupola.cockpit.flown import FlightData, gather
from cupola.cockpit.frame import Frame
from cupola.cockpit.link import Link
from cupola.cockpit.moments import BODIES, FELT, SCANS, Moments
from cupola.cockpit.pages import NEUTRAL
from cupola.cockpit.scene import scene_of
from cupola.cockpit.share import answer_with
from cupola.cockpit.timeline import Timeline
from cupola.kernel.memory import LOGGED, as_numbers, log_columns
from cupola.kernel.observation import observation_in
from cupola.kernel.rows import AIR_AT, OBSERVATION
from cupola.kernel.wind import mean_wind_w
from cupola.parts.stand_in import StandIn
from cupola.physics.rotation import Quaternion, Vector, rotate, subtract, unrotate
from cupola.record.held_files import FileIndex, HeldRecording
from cupola.record.named_numbers import is_named, is_same_kind
from cupola.record.picture import PICTURES
from cupola.record.read import Recording
from cupola.record.shown_world import world_of
from cupola.record.stream import Stream
from cupola.record.topics import JOINTS, TRANSFORMS, SensorTopic, log_topics, sensor_topics
from cupola.schema.yaml_files import InputError
from cupola.sim.camera_images import Pictures
from cupola.sim.measures import phases_of
from cupola.sim.samples import Samples
from cupola.sim.signal_rows import SignalRows
from cupola.sim.signals import place_in, sensors_with_signals
from cupola.sim.world import World

MOST_BYTES = 256e6
"""Of rows in memory; a longer recording is shown with fewer rows a second."""
MOST_BESIDE = 64
"""Numbers in a message that are shown as signals though the world has none of them."""

log = logging.getLogger("cupola")


class Replay:
    """A recording, and the row of it that is shown."""

    recording = False

    def __init__(self, path: Path, link: Link) -> None:
        file = Recording(path)
        held = HeldRecording(file)
        self._name = path.name
        self.world: World = world_of(held, path)
        mujoco.mj_resetData(self.world.model, self.world.data)  # no contacts: their forces are not in a recording
        reports = _beside(file, self.world)
        units = file.units
        self.link, self.frame = link, Frame(self.world, {name: units.get(name, "1") for name in reports})
        self._records = self.world.arrays.as_records()
        self._times, self._rows, self._thinned = _rows_of(file, held.index, self.world)
        self._reports = [table[_newest(times, self._times)] for times, table in reports.values()]
        self._sensors = _sensors_of(file, self.world)
        self._commands = _commands_of(file)
        self._phases = {one.name: file.phases(one.name) for one in self.world.instances}
        self.timeline = self._whole_timeline()
        self._curves = DerivedCurves(self.frame.signals, phases_of(self.world))
        self._cameras = Cameras(self.world, link)
        self._at, self._over = 0, False
        self._said: say.Changed | None = None
        self.dt: float = float(np.median(np.diff(self._times))) if len(self._times) > 1 else self.world.dt
        self._fill()

    @property
    def end(self) -> float:
        """[s] the last moment of the recording."""
        return float(self._times[-1])

    @property
    def emergency(self) -> bool:
        """Whether the motors were held off then."""
        stops = [c for c in self._done() if c[1] == "stop_motors"]
        return bool(stops and stops[-1][2][0])

    def begin(self) -> tuple[say.Hello, say.Scene]:
        """What pages must know first."""
        hello = say.Hello(
            scenario=self._name,
            about=self.world.scenario.about,
            replay=(float(self._times[0]), float(self._times[-1])),
            layout=self.frame.layout,
            length=len(self.frame.numbers),
            signals=self.frame.signals,
            parameters=[],
            faults=[],
            scenarios=[],
            snapshots=0,
            step=self.dt,
            note=f"Of the recording's rows, one in {self._thinned} is shown." if self._thinned > 1 else "",
        )
        return hello, scene_of(self.world)

    def flown(self) -> FlightData:
        """The whole recording, to be shared or compared; the row that is shown stays."""
        kept, told = self._at, list[say.Told]()
        moments = [Moments(self.frame, names, 0.0) for names in (BODIES, FELT, SCANS)]
        strides = [math.ceil(len(self._times) / (one.most - 1)) for one in moments]
        last = len(self._times) - 1
        for row, now in enumerate(self._times):
            due = [one for one, n in zip(moments, strides, strict=True) if row % n == 0 or row == last]
            if not due:
                continue
            self._at = row
            self._fill()
            self.frame.fill()
            for one in due:
                one.add(float(now))
            if not told or self._changed() != told[-1].changed:
                told.append(say.Told(time=float(now), changed=self._changed()))
        self._at = kept
        self._fill()
        return gather(*self.begin(), told, moments, self.timeline)

    def step(self, ticks: int) -> int:
        """Go on by some rows; from the end, begin again."""
        before = 0 if self._over else self._at
        self._at = min(before + ticks, len(self._times) - 1)
        self._over = self._at < before + ticks
        self._fill()
        return self._at - before

    def obey(self, message: Any) -> bool:
        """Handle a seek, or which cameras are watched; any other message is refused."""
        if isinstance(message, say.Seek):
            self._over = False
            self._at = max(0, int(np.searchsorted(self._times, message.time, side="right")) - 1)
            self._fill()
        elif isinstance(message, say.Curves):
            self.link.answer(message.number, self._curves.between(self.timeline, message).as_bytes())
        elif isinstance(message, say.Derive):
            self.link.answer(message.number, self._curves.tell(message.formula).model_dump_json().encode())
        elif isinstance(message, say.Share):
            answer_with(self.link, message, self.flown())
        elif isinstance(message, say.Watch):
            self._cameras.watch(message.cameras)
        elif message != NEUTRAL:
            raise InputError(f"a recording cannot {message.kind}: it can be paused, sought and played at any speed")
        return False

    def look(self, paused: bool = False) -> None:
        """Send pictures and the active control modes."""
        self._cameras.look(time.monotonic())
        now = self._changed()
        if now != self._said:
            self._said = now
            self.link.tell(now)

    def _changed(self) -> say.Changed:
        modes = [self._mode(k) for k in range(len(self.world.instances))]
        return say.Changed(
            modes=modes,
            missions=[self._phase(instance.name) for instance in self.world.instances],
            conditions=[self._condition()] * len(modes),
            faults=[],
            snapshots=0,
            recording=None,
        )

    def close(self) -> None:
        """Nothing was begun."""

    def _whole_timeline(self) -> Timeline:
        """All rows of the recording, as they would have been plotted while it was made."""
        world = self.world
        values = SignalRows(world).values(_completed(world, self._rows))
        place = {one.name: k for k, one in enumerate(world.signals())}
        by_samples = {id(one.samples): one for one in self._sensors}
        for found in sensors_with_signals(world):
            places = [place[one.name] for one in found.signals]
            values[:, places] = by_samples[id(found.samples)].at(self._times)[:, 1:][:, found.columns]
        timeline = Timeline(len(self.frame.signals), math.inf)
        timeline.add(self._times, np.column_stack([values, *self._reports]))
        return timeline

    def _phase(self, vehicle: str) -> str:
        """What its controller was doing then; empty where the recording does not tell."""
        told = [note.text for note in self._phases[vehicle] if note.time <= self._times[self._at]]
        return told[-1] if told else ""

    def _condition(self) -> say.Condition:
        """As far as a recording tells: contacts are not in it."""
        off = self.emergency
        return say.Condition(name="motors off" if off else "moving", text="motors off" if off else "", alarm=off)

    def _mode(self, vehicle: int) -> str:
        instance = self.world.instances[vehicle]
        taken = [c[2][0] for c in self._done() if c[1] == "take_over" and c[2][1] == instance.name]
        return str(taken[-1]) if taken else self.world.scenario.vehicles[vehicle].mode

    def _done(self) -> list[tuple[float, str, list[Any]]]:
        """What had been done to the world by then."""
        return [command for command in self._commands if command[0] <= self._times[self._at]]

    def _fill(self) -> None:
        """Put everything where the present row has it."""
        world, row = self.world, self._rows[self._at]
        arrays, at = world.arrays, log_columns(world.arrays)
        for name in LOGGED:
            as_numbers(getattr(arrays, name))[:] = row[at[name]]
        arrays.counters[0] = round(self._times[self._at] / world.dt)
        _place_free_bodies(world)
        for vehicle, instance in enumerate(world.instances):
            row, air = self._records.observations[vehicle], self._records.air_samples[vehicle]
            # The gust is what the wind was beyond its mean.
            wind_w = Vector(air.wind_x, air.wind_y, air.wind_z)
            mean_w = mean_wind_w(self._records, Vector(*arrays.xpos[instance.root]))
            air.gust_x, air.gust_y, air.gust_z = subtract(wind_w, mean_w)
            now = observation_in(row)
            row.vx, row.vy, row.vz = rotate(now.quat_wb, now.vel_b)
            row.air_u, row.air_v, row.air_w = subtract(now.vel_b, unrotate(now.quat_wb, wind_w))
        _move_free_bodies(world)
        for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_comVel):
            stage(world.model, world.data)
        for sensed in self._sensors:
            sensed.put(self._times[self._at], arrays.qpos, self._at)
        self.frame.beside[:] = [values[self._at] for values in self._reports]


class _Sensed:
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


def _rows_of(file: Recording, index: FileIndex | None, world: World) -> tuple[Any, Any, int]:
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
        newest = _newest(table["time"], times)
        for field, column in zip(_fields(topic.stream, index, world), topic.columns, strict=True):
            if field in table:
                rows[:, column] = table[field][newest]
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


def _newest(stamps: Any, times: Any) -> Any:
    """Which of the rows with these stamps was the newest at each of some times; the first before there was one."""
    return np.maximum(0, np.searchsorted(stamps, times, side="right") - 1)


def _beside(file: Recording, world: World) -> dict[str, tuple[Any, Any]]:
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


def _sensors_of(file: Recording, world: World) -> list[_Sensed]:
    """Every sensor with its topics."""
    topics = sensor_topics(world)
    return [
        _Sensed(file, samples, [topic for topic in topics if topic.samples is samples], world.dt)
        for samples in world.samples.values()
    ]


def _completed(world: World, rows: Any) -> Any:
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


def _place_free_bodies(world: World) -> None:
    """Coordinates of free joints from the poses of their bodies: only those are in a recording."""
    model, arrays = world.model, world.arrays
    for joint in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        first, body = model.jnt_qposadr[joint], model.jnt_bodyid[joint]
        arrays.qpos[first : first + 7] = [*arrays.xpos[body], *arrays.xquat[body]]


def _move_free_bodies(world: World) -> None:
    """Velocities of free joints from what is known of the vehicles; of other bodies nothing is."""
    model, arrays = world.model, world.arrays
    roots = {instance.root: observation_in(arrays.observations[k]) for k, instance in enumerate(world.instances)}
    for joint in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        first, body = model.jnt_dofadr[joint], int(model.jnt_bodyid[joint])
        now = roots.get(body)
        arrays.qvel[first : first + 6] = 0.0 if now is None else [*now.vel_w, *now.rate_b]


def _commands_of(file: Recording) -> list[tuple[float, str, list[Any]]]:
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
