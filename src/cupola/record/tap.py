"""What a world writes down: its log rows and sensor samples, as streams of ROS messages."""

import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

import mujoco
import numpy as np

from cupola.kernel.memory import SEEN, log_columns
from cupola.parts.aero.airfoil import Airfoil
from cupola.parts.aero.liftdrag import LiftDragOutput, LiftDragSurface
from cupola.parts.aero.wing import Wing
from cupola.parts.external.external import OUT, External
from cupola.parts.joints.mecanum import WHEELS, Mecanum
from cupola.parts.propulsion.rotor import Rotor
from cupola.parts.sensors.encoder import CORNERS
from cupola.parts.sensors.truth import POSE
from cupola.record.picture import compressed, pack
from cupola.record.provenance import provenance
from cupola.record.recorder import Recorder
from cupola.record.stream import Stream
from cupola.sim.camera_images import Pictures
from cupola.sim.events import Command
from cupola.sim.samples import Samples
from cupola.sim.world import World

SECOND = 1_000_000_000
SCALAR_JOINTS = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
"""Joints with one coordinate, which a JointState can tell of."""


class Track(NamedTuple):
    """A stream and the columns of the log row that fill it."""

    stream: Stream
    columns: list[int]


class Topic(NamedTuple):
    """A stream and the columns of a sensor's sample that fill it."""

    stream: Stream
    columns: list[int]
    factors: Any
    samples: Samples

    def pictures(self) -> Pictures | None:
        """The samples, where each is one."""
        return self.samples if self.stream.ends_in and isinstance(self.samples, Pictures) else None


class Tap:
    """An observer that records a world into an MCAP file."""

    def __init__(self, world: World, path: Path | str, *, if_full: Literal["stop", "continue"] | None = None) -> None:
        self.world = world
        self.path = Path(path)
        self._tracks = log_tracks(world)
        self._topics = sensor_topics(world)
        for topic in self._topics:
            if pictures := topic.pictures():
                pictures.open()
        fixed, transforms = site_frames(world)
        streams = [fixed, *(t.stream for t in self._tracks), *(t.stream for t in self._topics)]
        self._recorder = Recorder(
            path,
            streams,
            metadata={"scenario": world.name, "seed": str(int(world.arrays.world["seed"][0])), **provenance()},
            attachments=attachments(world),
            if_full=if_full or world.scenario.record.if_full,
        )
        # From here on: what happened before a recording began is not in it, but the present moment is.
        self._next_row = max(0, int(world.arrays.counters[-1]) - 1)
        self._next_sample = [max(0, topic.samples.count - 1) for topic in self._topics]
        self._recorder.write(fixed.topic, [self._nanoseconds(0)], [self._nanoseconds(0)], [transforms])
        for name, value in world.tuning.worth_noting().items():
            self._recorder.parameter_changed(0, name, value)
        world.listeners.append(self._told)

    def observe(self, world: World) -> None:
        """Write what has come since the last call."""
        arrays = world.arrays
        count = int(arrays.counters[-1])
        table = arrays.log.reshape(-1, int(arrays.world["log_width"][0]))
        if count < self._next_row:  # the world was reset or restored
            self._next_row = count
        if count - self._next_row > len(table):
            self._recorder.note(self._nanoseconds(world.tick), f"{count - self._next_row - len(table)} rows were lost")
            self._next_row = count - len(table)
        rows = table[np.arange(self._next_row, count) % len(table)]
        self._next_row = count
        stamps = self._nanoseconds(rows[:, 0].astype(np.int64))
        for stream, columns in self._tracks:
            self._recorder.write(stream.topic, stamps, stamps, rows[:, columns])
        for i, topic in enumerate(self._topics):
            self._write_samples(topic, min(self._next_sample[i], topic.samples.count))
            self._next_sample[i] = topic.samples.count

    def _write_samples(self, topic: Topic, first: int) -> None:
        """Write sample `first` and all later ones."""
        samples, name = topic.samples, topic.stream.topic
        new = samples.since(first)
        ticks = new[:, 0].astype(np.int64)
        stamps, available = self._nanoseconds(ticks), self._nanoseconds(ticks + samples.delay)
        if pictures := topic.pictures():
            how = self.world.scenario.record.pictures
            for k, stamp, at in zip(range(samples.count - len(new), samples.count), stamps, available, strict=True):
                self._recorder.write_bytes(name, stamp, at, pack(pictures.picture(k), how))
            return
        self._recorder.write(name, stamps, available, new[:, topic.columns] * topic.factors)

    def note(self, text: str) -> None:
        """Put a line into the log of the file."""
        self._recorder.note(self._nanoseconds(self.world.tick), text)

    def close(self) -> None:
        """Write the rest and complete the file."""
        self.world.listeners.remove(self._told)
        if self in self.world.observers:
            self.world.observers.remove(self)
        try:
            self.observe(self.world)
        finally:
            self._recorder.close()

    def _told(self, command: Command) -> None:
        time = self._nanoseconds(command.tick)
        self._recorder.command(time, command.call, json.dumps(command.arguments), command.outside)
        if command.call == "tune":
            self._recorder.parameter_changed(time, *command.arguments)

    def _nanoseconds(self, ticks: Any) -> Any:
        return ticks * SECOND // self.world.scenario.physics_hz


def log_tracks(world: World) -> list[Track]:
    """Streams of the log row: transforms, then per vehicle its motion, joints, air, channels, sticks and parts."""
    at = {name: list(range(s.start, s.stop)) for name, s in log_columns(world.arrays).items()}
    tracks = [_transforms(world, at)]
    for i, member in enumerate(world.members):
        name, frame = member.name, f"{member.name}/{member.vehicle.root}"
        seen, air = at["seen"][SEEN * i : SEEN * (i + 1)], at["airs"][9 * i : 9 * (i + 1)]
        header = {"header.frame_id": frame}
        odometry = {"header.frame_id": "world", "child_frame_id": frame}
        tracks.append(
            Track(Stream(f"/{name}/odometry", "nav_msgs/msg/Odometry", POSE, odometry), [*seen[2:9], *seen[12:18]])
        )
        wind = ("wind.x", "wind.y", "wind.z", "density", "pressure", "temperature")
        tracks.append(Track(Stream(f"/{name}/air", "cupola_msgs/msg/Air", wind, header), [*air[0:3], *air[6:9]]))
        pressure = Stream(f"/{name}/pressure", "sensor_msgs/msg/FluidPressure", ("fluid_pressure",), header)
        tracks.append(Track(pressure, [air[7]]))
        tracks.append(_channels(world, name, member.channels, at, header))
        axes = tuple(f"axes.{k}" for k in range(20))
        tracks.append(
            Track(Stream(f"/{name}/joy", "sensor_msgs/msg/Joy", axes, header), at["sticks"][20 * i : 20 * (i + 1)])
        )
        tracks += _joints(world, name, at, header) + _parts(world, name, at)
        tracks += _wheels(world, name, at, header) + _models(world, name, at, header)
    return tracks


def _transforms(world: World, at: dict[str, list[int]]) -> Track:
    columns: list[str] = []
    places: list[int] = []
    constants: dict[str, Any] = {}
    for i, body in enumerate(range(1, world.model.nbody)):
        constants[f"transforms.{i}.header.frame_id"] = "world"
        constants[f"transforms.{i}.child_frame_id"] = mujoco.mj_id2name(world.model, mujoco.mjtObj.mjOBJ_BODY, body)
        columns += [f"transforms.{i}.transform.translation.{axis}" for axis in "xyz"]
        columns += [f"transforms.{i}.transform.rotation.{axis}" for axis in "wxyz"]
        places += at["xpos"][3 * body : 3 * body + 3] + at["xquat"][4 * body : 4 * body + 4]
    return Track(Stream("/tf", "tf2_msgs/msg/TFMessage", tuple(columns), constants), places)


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
        columns += [f"transforms.{i}.transform.translation.{axis}" for axis in "xyz"]
        columns += [f"transforms.{i}.transform.rotation.{axis}" for axis in "wxyz"]
        numbers += [*world.model.site_pos[i], *world.model.site_quat[i]]
    return Stream("/tf_static", "tf2_msgs/msg/TFMessage", tuple(columns), constants), numbers


def site_frame(site: str) -> str:
    """Frame of a site; a body may carry the same name, so the site says what it is."""
    return f"{site}_site"


def _channels(world: World, name: str, slots: slice, at: dict[str, list[int]], header: dict[str, Any]) -> Track:
    used = [c for b in world.assembly.parts if b.vehicle == name for c in b.part.used_channels()]
    count = 1 + max(0, *used, 0)
    slots = slice(slots.start, slots.start + count)
    constants = {**header, "name": [f"channel {k}" for k in range(count)]}
    columns = tuple(f"{field}.{k}" for field in ("command", "drive") for k in range(count))
    return Track(
        Stream(f"/{name}/channels", "cupola_msgs/msg/Channels", columns, constants),
        at["command"][slots] + at["drive"][slots],
    )


def _joints(world: World, name: str, at: dict[str, list[int]], header: dict[str, Any]) -> list[Track]:
    """Hinges and slides of the model, and the shafts of the rotors."""
    names: list[str] = []
    positions: list[int] = []
    velocities: list[int] = []
    model = world.model
    for joint in range(model.njnt):
        full = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, joint) or ""
        if model.jnt_type[joint] in SCALAR_JOINTS and full.startswith(f"{name}/"):
            names.append(full.removeprefix(f"{name}/"))
            positions.append(at["qpos"][model.jnt_qposadr[joint]])
            velocities.append(at["qvel"][model.jnt_dofadr[joint]])
    for bound in world.assembly.parts:
        if bound.vehicle == name and isinstance(bound.part, Rotor):
            state = at["state"][int(world.arrays.rotors[bound.row]["state"]) :]
            names.append(f"{bound.name}_shaft")
            velocities.append(state[0])
            positions.append(state[1])
    if not names:
        return []
    count = len(names)
    constants = {**header, "name": names}
    columns = tuple(f"{field}.{k}" for field in ("position", "velocity") for k in range(count))
    return [
        Track(Stream(f"/{name}/joint_states", "sensor_msgs/msg/JointState", columns, constants), positions + velocities)
    ]


def _parts(world: World, name: str, at: dict[str, list[int]]) -> list[Track]:
    rotor = ("thrust", "torque", "omega", "airspeed", "current", "power")
    forces = tuple(f"{field}.{axis}" for field in ("force", "torque") for axis in "xyz")
    airfoil = ("airspeed", "alpha", "beta", "c_lift", "c_drag", *forces)
    liftdrag = (*LiftDragOutput._fields[:-2], *(f"vel.{axis}" for axis in "xyz"), *forces)
    known = {
        Rotor: ("Rotor", rotor),
        Airfoil: ("Airfoil", airfoil),
        LiftDragSurface: ("LiftDrag", liftdrag),
        Wing: ("Wing", (*airfoil, "power", "work")),
    }
    tracks = []
    for bound in world.assembly.parts:
        if bound.vehicle != name or not isinstance(bound.part, Rotor | Airfoil | LiftDragSurface | Wing):
            continue
        kind, columns = known[type(bound.part)]
        start = int(getattr(world.arrays, bound.kind)[bound.row]["output"])
        header = {"header.frame_id": site_frame(f"{name}/{bound.part.site}")}
        stream = Stream(f"/{name}/{bound.name}", f"cupola_msgs/msg/{kind}", columns, header)
        tracks.append(Track(stream, at["outputs"][start : start + len(columns)]))
    return tracks


def _models(world: World, name: str, at: dict[str, list[int]], header: dict[str, Any]) -> list[Track]:
    """What went to and came from models from outside."""
    tracks = []
    for bound in world.assembly.parts:
        if bound.vehicle != name or not isinstance(bound.part, External):
            continue
        row, (given, taken) = world.arrays.externals[bound.row], bound.part.signals()
        columns = [f"input.{k}" for k in range(len(given))] + [f"output.{k}" for k in range(len(taken))]
        constants = {**header, "input_name": given, "output_name": taken}
        stream = Stream(f"/{name}/{bound.name}", "cupola_msgs/msg/Exchange", tuple(columns), constants)
        shown, state = int(row["shown"]), int(row["state"]) + OUT
        tracks.append(Track(stream, at["outputs"][shown:][: len(given)] + at["state"][state:][: len(taken)]))
    return tracks


def _wheels(world: World, name: str, at: dict[str, list[int]], header: dict[str, Any]) -> list[Track]:
    """What the motors of Mecanum wheels are asked for and give."""
    columns = tuple(f"{field}.{wheel}" for field in ("target", "torque") for wheel in CORNERS)
    tracks = []
    for bound in world.assembly.parts:
        if bound.vehicle == name and isinstance(bound.part, Mecanum):
            row = world.arrays.mecanums[bound.row]
            drive, output = at["drive"][int(row["channel"]) :], at["outputs"][int(row["output"]) :]
            stream = Stream(f"/{name}/{bound.name}", "cupola_msgs/msg/Wheels", (*columns, "current", "tripped"), header)
            tracks.append(Track(stream, drive[:WHEELS] + output[: WHEELS + 2]))
    return tracks


def sensor_topics(world: World) -> list[Topic]:
    """What each sensor says, as its part declares it."""
    topics = []
    for (vehicle, name), samples in world.samples.items():
        for message in samples.part.messages(site_frame(f"{vehicle}/{samples.part.at_site()}")):
            topic = "/".join(("", vehicle, name, *([message.topic] if message.topic else [])))
            stream = Stream(topic, message.type, tuple(message.fields), message.constants, message.ends_in)
            if stream.ends_in and world.scenario.record.pictures == "none":
                continue
            if stream.ends_in and world.scenario.record.pictures != "raw":
                stream = compressed(stream, world.scenario.record.pictures)
            factors = np.array([message.factors.get(field, 1.0) for field in message.fields])
            topics.append(Topic(stream, [1 + k for k in message.fields.values()], factors, samples))
    return topics


def attachments(world: World) -> dict[str, str]:
    """The texts that made this world: the scenario with all defaults written out, and each vehicle's files."""
    texts = {"scenario.json": world.scenario_now().model_dump_json(indent=2)}
    for member in world.members:
        for path in (member.path, member.path.parent / member.vehicle.mjcf):
            texts[f"{member.name}/{path.name}"] = path.read_text(encoding="utf-8")
    return texts
