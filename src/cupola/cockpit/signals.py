"""Every number of a world that can be plotted: its name, its unit, and where it lies."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import mujoco
import numpy as np

from cupola.cockpit.messages import Signal
from cupola.cockpit.scene import full_name
from cupola.kernel.memory import AIR_VALUES, SEEN
from cupola.parts.aero.airfoil import Airfoil
from cupola.parts.aero.liftdrag import LiftDragOutput, LiftDragSurface
from cupola.parts.aero.wing import Wing
from cupola.parts.external.external import OUT, External
from cupola.parts.joints.mecanum import Mecanum, WheelsOutput
from cupola.parts.part import Part
from cupola.parts.propulsion.battery import Battery
from cupola.parts.propulsion.rotor import Rotor, RotorOutput
from cupola.parts.sensors.camera import Camera
from cupola.parts.sensors.laser import Laser
from cupola.physics.rotation import Quaternion, euler_from_quaternion
from cupola.record.tap import SCALAR_JOINTS
from cupola.schema.tunable_fields import field_notes
from cupola.sim.samples import Samples
from cupola.sim.world import World

XYZ = ("x", "y", "z")
MOTION = (("position", "m", 2), ("velocity", "m/s", 9), ("velocity_b", "m/s", 12), ("rate_b", "rad/s", 15))
"""Triples of `Seen`, and where they begin."""
AIR = (*((f"wind.{a}", "m/s", k) for k, a in enumerate(XYZ)), ("density", "kg/m³", 6), ("pressure", "Pa", 7))
"""Of the air at a vehicle."""
FLOW = (("airspeed", "m/s"), ("alpha", "rad"), ("beta", "rad"), ("c_lift", "1"), ("c_drag", "1"))
AIRFOIL = (*FLOW, *((f"{what}.{a}", unit) for what, unit in (("force", "N"), ("torque", "N m")) for a in XYZ))
"""Outputs of a wing in their order."""
WHEELS = tuple(zip(WheelsOutput._fields, (*["N m"] * 4, "A", "1"), strict=True))
BATTERY = (("charge", "1"), ("voltage", "V"), ("current", "A"))
STICKS = ("roll", "pitch", "yaw", "throttle")


class Found(NamedTuple):
    """A signal that is a number of an array."""

    name: str
    unit: str
    array: str
    place: int


class Sensed(NamedTuple):
    """Signals of a sensor: columns of its samples."""

    samples: Samples
    columns: list[int]
    names: list[str]
    units: list[str]


class Signals:
    """All signals of one world; `fill` writes their present values."""

    def __init__(self, world: World) -> None:
        self._world = world
        found = list(_found(world))
        self._sensed = [one for key, samples in world.samples.items() if (one := _sensed(".".join(key), samples))]
        self.listed = [Signal(name=one.name, unit=one.unit) for one in found]
        self._gathered: list[tuple[Any, Any, Any]] = []
        for array in dict.fromkeys(one.array for one in found):
            places = [k for k, one in enumerate(found) if one.array == array]
            source = getattr(world.arrays, array).reshape(-1)
            self._gathered.append((np.array(places), source, np.array([found[k].place for k in places])))
        self._derived = len(self.listed)
        for member in world.members:
            self.listed += [Signal(name=f"{member.name}.attitude.{a}", unit="rad") for a in ("roll", "pitch", "yaw")]
            self.listed += [Signal(name=f"{member.name}.{what}", unit="m/s") for what in ("speed", "airspeed")]
        for one in self._sensed:
            self.listed += [Signal(name=n, unit=u) for n, u in zip(one.names, one.units, strict=True)]

    def fill(self, out: Any) -> None:
        """Write the present value of every signal."""
        for places, source, indices in self._gathered:
            out[places] = source[indices]
        at = self._derived
        for seen in self._world.arrays.seen:
            out[at : at + 3] = euler_from_quaternion(Quaternion(*seen[5:9].tolist()))
            out[at + 3] = np.sqrt(seen[9:12] @ seen[9:12])
            out[at + 4] = np.sqrt(seen[18:21] @ seen[18:21])
            at += 5
        for one in self._sensed:
            k = one.samples.newest()
            out[at : at + len(one.columns)] = np.nan if k is None else one.samples.numbers(k)[1:][one.columns]
            at += len(one.columns)


def _found(world: World) -> Iterator[Found]:
    for i, member in enumerate(world.members):
        name = member.name
        for what, unit, first in MOTION:
            yield from (Found(f"{name}.{what}.{a}", unit, "seen", SEEN * i + first + k) for k, a in enumerate(XYZ))
        yield from (Found(f"{name}.{what}", unit, "airs", AIR_VALUES * i + k) for what, unit, k in AIR)
        width = world.arrays.sticks.shape[1]
        yield from (Found(f"{name}.stick.{what}", "1", "sticks", width * i + k) for k, what in enumerate(STICKS))
        used = {c for b in world.assembly.parts if b.vehicle == name for c in b.part.used_channels() if c >= 0}
        for array in ("command", "drive"):
            yield from (Found(f"{name}.{array}.{c}", "1", array, member.channels.start + c) for c in sorted(used))
        yield from _joints(world, name)
    for bound in world.assembly.parts:
        yield from _of_part(world, bound)


def _joints(world: World, vehicle: str) -> Iterator[Found]:
    model = world.model
    for joint in range(model.njnt):
        name = model.joint(joint).name
        if model.jnt_type[joint] in SCALAR_JOINTS and name.startswith(f"{vehicle}/"):
            said = name.replace("/", ".")
            unit = "rad" if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE else "m"
            yield Found(f"{said}.position", unit, "qpos", int(model.jnt_qposadr[joint]))
            yield Found(f"{said}.velocity", f"{unit}/s", "qvel", int(model.jnt_dofadr[joint]))


def _of_part(world: World, bound: Any) -> Iterator[Found]:
    name, row = full_name(bound), getattr(world.arrays, bound.kind)[bound.row]
    if outputs := _outputs(bound.part):
        for k, (field, unit) in enumerate(outputs):
            yield Found(f"{name}.{field}", unit, "outputs", int(row["output"]) + k)
    elif isinstance(bound.part, External):
        units = bound.part.units()
        for names, array, first in zip(
            bound.part.signals(), ("outputs", "state"), (int(row["shown"]), int(row["state"]) + OUT), strict=True
        ):
            for k, what in enumerate(names):
                yield Found(f"{name}.{what}", units.get(what.partition("[")[0], "1"), array, first + k)
    elif isinstance(bound.part, Battery):
        for k, (field, unit) in enumerate(BATTERY):
            yield Found(f"{name}.{field}", unit, "state", int(row["state"]) + k)


def _outputs(part: Part) -> tuple[tuple[str, str], ...]:
    """Names and units of what a part shows to recorders."""
    if isinstance(part, Rotor):
        return tuple((field, _unit(RotorOutput, field)) for field in RotorOutput._fields)
    if part.Output is not None:
        return tuple((field, _unit(part.Output, field)) for field in part.Output._fields)
    if isinstance(part, LiftDragSurface):
        scalars = [(field, _unit(LiftDragOutput, field) or "1") for field in LiftDragOutput._fields[:-2]]
        return (*scalars, *((f"vel.{a}", "m/s") for a in XYZ), *AIRFOIL[len(FLOW) :])
    if isinstance(part, Wing):
        return (*AIRFOIL, ("power", "W"), ("work", "J"))
    return AIRFOIL if isinstance(part, Airfoil) else WHEELS if isinstance(part, Mecanum) else ()


def _sensed(name: str, samples: Samples) -> Sensed | None:
    """The numbers of a sensor's reading; which column each is, is found by reading a sample of column numbers."""
    if isinstance(samples.part, Camera | Laser):
        return None
    width = samples.part.width()
    reading = samples.part.reading([float(k) for k in range(width)])
    leaves = [one for one in _leaves(reading, name, "1") if one[2].is_integer() and 0 <= one[2] < width]
    return Sensed(samples, [int(v) for _, _, v in leaves], [n for n, _, _ in leaves], [u for _, u, _ in leaves])


def _leaves(value: Any, name: str, unit: str) -> Iterator[tuple[str, str, float]]:
    """Numbers inside a reading, by dotted names, with the unit that the reading declares."""
    if isinstance(value, float):
        yield name, unit, value
    elif hasattr(value, "_fields"):
        for field in value._fields:
            yield from _leaves(getattr(value, field), f"{name}.{field}", _unit(type(value), field) or unit)
    elif isinstance(value, tuple):
        for k, one in enumerate(value):
            yield from _leaves(one, f"{name}.{k}", unit)


def _unit(cls: Any, field: str) -> str:
    """What the note below a field says in brackets."""
    said = re.search(r"\[([^\]]+)\]", field_notes(cast(Any, cls)).get(field, ""))
    return said[1] if said else ""
