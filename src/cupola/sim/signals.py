"""Every number of a world that has a name and a unit: what the page plots, what a script reads, what a sheet says.

Motion, air, sticks, channels and joints are named here; what parts, sensors and controllers show, they declare.
"""

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import mujoco
import numpy as np

from cupola.kernel.array_groups import as_numbers
from cupola.kernel.memory import STICKS
from cupola.kernel.observation import observation_in
from cupola.kernel.rows import AIR_AT, OBSERVATION, column_of
from cupola.parts.shown import Signal, leaf_units, unit_of
from cupola.physics.rotation import euler_from_quaternion, length
from cupola.schema.yaml_files import InputError
from cupola.sim.samples import Samples

if TYPE_CHECKING:
    from cupola.sim.world import World

DERIVED, SENSED = "derived", "sensed"
"""Arrays of signals that lie in none of the world's."""
MOTION = {
    ("position", "m"): ("x", "y", "z"),
    ("velocity", "m/s"): ("vx", "vy", "vz"),
    ("velocity_b", "m/s"): ("u", "v", "w"),
    ("rate_b", "rad/s"): ("p", "q", "r"),
}
"""Vectors of an observation, and their columns."""
AIR = {
    ("wind.x", "m/s"): "wind_x",
    ("wind.y", "m/s"): "wind_y",
    ("wind.z", "m/s"): "wind_z",
    ("density", "kg/m³"): "density",
    ("pressure", "Pa"): "pressure",
    ("temperature", "K"): "temperature",
}
"""Of the air at a vehicle, and their columns."""
NAMED_STICKS = ("roll", "pitch", "yaw", "throttle")
"""The first stick channels; what the others mean is up to the controller."""
ATTITUDE = ("attitude.roll", "attitude.pitch", "attitude.yaw")
COMPUTED = {**dict.fromkeys(ATTITUDE, "rad"), "speed": "m/s", "airspeed": "m/s"}
"""Of a vehicle, computed from its observation."""
SCALAR_JOINTS = {int(mujoco.mjtJoint.mjJNT_HINGE): "rad", int(mujoco.mjtJoint.mjJNT_SLIDE): "m"}
"""Joints with one coordinate, and its unit."""
REPORTS = "controller"
"""Pseudo part of a vehicle: the reports of its controllers."""
NEAREST = 3
"""Number of similar names listed for an unknown one."""


class Sensed(NamedTuple):
    """The signals of a sensor: columns of its samples."""

    samples: Samples
    columns: list[int]
    signals: list[Signal]

    def values(self) -> Any:
        """Of the newest sample that is available; NaN before the first."""
        k = self.samples.newest()
        return np.full(len(self.columns), np.nan) if k is None else self.samples.numbers(k)[1:][self.columns]


class Signals:
    """All signals of one world."""

    def __init__(self, world: "World") -> None:
        stored = list(_stored(world))
        reports = [
            one._replace(name=f"{instance.name}.{REPORTS}.{one.name}")
            for instance in world.instances
            for one in reported(instance)
        ]
        self._observations: Any = world.arrays.observations
        arrays = dict.fromkeys(one.array for one in (*stored, *reports))
        self._sources = {array: as_numbers(getattr(world.arrays, array)) for array in arrays}
        self._sensed = sensors_with_signals(world)
        computed = [
            (f"{instance.name}.{what}", unit) for instance in world.instances for what, unit in COMPUTED.items()
        ]
        derived = [Signal(*one, DERIVED, k) for k, one in enumerate(computed)]
        sensed = [one for found in self._sensed for one in found.signals]
        measured = [one._replace(place=k) for k, one in enumerate(sensed)]
        self.listed: list[Signal] = [*stored, *derived, *measured, *reports]
        """In the order of `fill`: those of controllers last."""
        self._gathered: list[tuple[Any, Any, Any]] = []
        for array, source in self._sources.items():
            rows = [k for k, one in enumerate(self.listed) if one.array == array]
            places = [self.listed[k].place for k in rows]
            self._gathered.append((np.array(rows, np.intp), source, np.array(places, np.intp)))
        self._derived_at, self._sensed_at = len(stored), len(stored) + len(derived)
        self._index = {one.name: k for k, one in enumerate(self.listed)}
        self._groups: dict[str, list[int]] = {}
        for k, signal in enumerate(self.listed):
            words = signal.name.split(".")
            for count in range(1, len(words)):
                self._groups.setdefault(".".join(words[:count]), []).append(k)

    def fill(self, out: Any) -> None:
        """Write the present value of every signal."""
        for rows, source, places in self._gathered:
            out[rows] = source[places]
        out[self._derived_at : self._sensed_at] = [value for row in self._observations for value in _computed(row)]
        at = self._sensed_at
        for one in self._sensed:
            out[at : at + len(one.columns)] = one.values()
            at += len(one.columns)

    def read(self, name: str) -> float | tuple[float, ...]:
        """The present value of a signal, or of all in a group."""
        found = self.find(name)
        return self._value(found[0]) if name in self._index else tuple(map(self._value, found))

    def find(self, name: str) -> list[Signal]:
        """The signal of a name, or all in a group."""
        if name in self._index or name in self._groups:
            return [self.listed[k] for k in self._groups.get(name, ())] or [self.listed[self._index[name]]]
        near = difflib.get_close_matches(name, [*self._index, *self._groups], NEAREST, 0.0)
        raise InputError(f"there is no signal {name!r}; the nearest: {', '.join(near) or 'none'}")

    def address(self, one: Signal) -> int:
        """Where its number lies in memory; 0 for one that is computed when it is read."""
        source = self._sources.get(one.array)
        return 0 if source is None else int(source.ctypes.data) + 8 * one.place

    def _value(self, one: Signal) -> float:
        if one.array == DERIVED:
            vehicle, which = divmod(one.place, len(COMPUTED))
            return float(_computed(self._observations[vehicle])[which])
        if one.array == SENSED:
            place = one.place
            for sensed in self._sensed:
                if place < len(sensed.columns):
                    return float(sensed.values()[place])
                place -= len(sensed.columns)
        return float(self._sources[one.array][one.place])


def _computed(observation: Any) -> tuple[float, ...]:
    """The values of `COMPUTED`."""
    now = observation_in(observation)
    return (*euler_from_quaternion(now.quat_wb), length(now.vel_w), length(now.vel_air_b))


def _stored(world: "World") -> Iterator[Signal]:
    """Signals that are numbers of an array; a name that is taken already is given once."""
    taken: set[str] = set()
    for one in _all_stored(world):
        name = one.name if one.name not in taken else f"{one.name}_shown"
        taken.add(name)
        yield one._replace(name=name)


def _all_stored(world: "World") -> Iterator[Signal]:
    for i, instance in enumerate(world.instances):
        name = instance.name
        for (what, unit), columns in MOTION.items():
            for axis, column in zip("xyz", columns, strict=True):
                yield Signal(f"{name}.{what}.{axis}", unit, "observations", place_in(OBSERVATION, i, column))
        for (what, unit), column in AIR.items():
            yield Signal(f"{name}.{what}", unit, "air_samples", place_in(AIR_AT, i, column))
        yield from (Signal(f"{name}.stick.{s}", "1", "sticks", STICKS * i + k) for k, s in enumerate(NAMED_STICKS))
        used = {c for b in world.assembly.parts if b.vehicle == name for c in b.part.used_channels() if c >= 0}
        for array in ("command", "drive"):
            yield from (Signal(f"{name}.{array}.{c}", "1", array, instance.channels.start + c) for c in sorted(used))
        yield from _joints(world, name)
    for bound in world.assembly.parts:
        yield from (one._replace(name=f"{bound.full_name}.{one.name}") for one in bound.part.shown(bound.row))


def place_in(row_type: np.dtype[Any], row: int, column: str) -> int:
    """Which number of an array of rows a column of one of them is."""
    assert row_type.names is not None
    return len(row_type.names) * row + column_of(row_type, column)


def _joints(world: "World", vehicle: str) -> Iterator[Signal]:
    model = world.model
    for joint in scalar_joints(world, vehicle):
        said, unit = model.joint(joint).name.replace("/", "."), SCALAR_JOINTS[int(model.jnt_type[joint])]
        yield Signal(f"{said}.position", unit, "qpos", int(model.jnt_qposadr[joint]))
        yield Signal(f"{said}.velocity", f"{unit}/s", "qvel", int(model.jnt_dofadr[joint]))


def scalar_joints(world: "World", vehicle: str) -> list[int]:
    """Hinges and slides of a vehicle."""
    model = world.model
    names = ((k, model.joint(k).name) for k in range(model.njnt) if int(model.jnt_type[k]) in SCALAR_JOINTS)
    return [k for k, name in names if name.startswith(f"{vehicle}/")]


def reported(instance: Any) -> list[Signal]:
    """What the controllers of a vehicle report: that of the mission by its names, those of other modes `mode.name`."""
    found: list[Signal] = []
    for mode, runner in instance.runners.items():
        first = getattr(runner, "reports", slice(0, 0)).start
        units = leaf_units(getattr(runner.controller, "Signals", None))
        before = "" if runner is instance.runner else f"{mode}."
        for k, (name, unit) in enumerate(units.items()):
            found.append(Signal(f"{before}{name}", unit, "reported", first + k))
    return found


def sensors_with_signals(world: "World") -> list[Sensed]:
    """The sensors whose samples are signals."""
    return [one for key, samples in world.samples.items() if (one := _sensed(".".join(key), samples))]


def _sensed(name: str, samples: Samples) -> Sensed | None:
    """The numbers of a sensor's reading; which column each is, is found by reading a sample of column numbers."""
    if not samples.part.has_signals:
        return None
    width = samples.part.width()
    reading = samples.part.reading([float(k) for k in range(width)])
    if type(reading) is tuple:  # numbers without a record are called as in recordings
        names = samples.part.sample_names()
        return Sensed(samples, [*range(width)], [Signal(f"{name}.{one}", "1", SENSED, 0) for one in names])
    leaves = [one for one in _leaves(reading, name, "1") if one[2].is_integer() and 0 <= one[2] < width]
    return Sensed(samples, [int(v) for *_, v in leaves], [Signal(n, u, SENSED, 0) for n, u, _ in leaves])


def _leaves(value: Any, name: str, unit: str) -> Iterator[tuple[str, str, float]]:
    """Numbers inside a reading, by dotted names, with the unit that the reading declares."""
    if isinstance(value, float):
        yield name, unit, value
    elif hasattr(value, "_fields"):
        for field in value._fields:
            yield from _leaves(getattr(value, field), f"{name}.{field}", unit_of(type(value), field) or unit)
    elif isinstance(value, tuple):
        for k, one in enumerate(value):
            yield from _leaves(one, f"{name}.{k}", unit)
