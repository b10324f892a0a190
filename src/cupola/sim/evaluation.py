"""Forces, moments and accelerations at a given state, with commands and wind, without advancing time."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import mujoco
import numpy as np
from pydantic import ValidationError

from cupola.build.mjcf import bend, place
from cupola.config.vehicle import Start
from cupola.engine.adapters import C_BATCH
from cupola.engine.loop import accelerate_as_is, accelerate_now
from cupola.kernel.planet import fall_w
from cupola.kernel.stages import LOAD
from cupola.parts.sensors.sensor import Sensor
from cupola.physics.rotation import Vector, Wrench
from cupola.schema.yaml_files import InputError
from cupola.sim.crash_dump import describe
from cupola.sim.signals import SCALAR_JOINTS
from cupola.sim.surroundings import Air, Contact, air_at, contacts_now

if TYPE_CHECKING:
    from cupola.build.compile import VehicleInstance
    from cupola.sim.world import World


SOLVER_OPTIONS = ("timestep", "tolerance", "iterations", "noslip_iterations", "noslip_tolerance")
"""Arrays of MuJoCo that an evaluation changes and restores."""


AGAIN = 1e-9
"""An acceleration that differs by more when it is asked for again does not come to rest."""


class Evaluation(NamedTuple):
    """Accelerations and loads of a vehicle at a state."""

    accel_w: Vector
    """Acceleration of the origin of its root body [m/s², world axes]."""
    angular_accel_b: Vector
    """[rad/s², axes of the root body]"""
    specific_force_b: Vector
    """Specific force at that origin [m/s², axes of the root body]."""
    joints: dict[str, float]
    """Accelerations of its hinges and slides [rad/s², m/s²]."""
    force_b: Vector
    moment_b: Vector
    """Sum of the loads of its parts, about the centre of mass of the vehicle [N, N m, axes of the root body]."""
    loads: dict[str, Wrench]
    """The same for each part with a load."""
    actuators: dict[str, float]
    """Forces and torques of MuJoCo's actuators at their joints [N, N m]."""
    outputs: dict[str, Any]
    """Outputs of its parts, by name."""
    contacts: list[Contact]
    air: Air


@contextmanager
def untouched(world: "World") -> Iterator[None]:
    """Restores the exact state of the world at the end of the block."""
    kept, copied = world.snapshot(), mujoco.MjData(world.model)
    outside: list[Any] = [world.arrays.air, world.arrays.wind_layers, world.arrays.thermals]
    air = [rows.copy() for rows in outside]
    mujoco.mj_copyData(copied, world.model, world.data)
    dt, flags = float(world.arrays.world["dt"][0]), int(world.model.opt.disableflags)
    option = {name: getattr(world.model.opt, name) for name in SOLVER_OPTIONS}
    try:
        yield
    finally:
        for rows, values in zip(outside, air, strict=True):
            rows[...] = values
        world.arrays.world["dt"], world.model.opt.disableflags = dt, flags
        for name, value in option.items():
            setattr(world.model.opt, name, value)
        world._go_back(kept)
        mujoco.mj_copyData(world.data, world.model, copied)


def evaluate(
    world: "World",
    vehicle: str | None = None,
    *,
    start: Mapping[str, Any] | None = None,
    commands: Mapping[int, float] | Sequence[float] | None = None,
    wind: Sequence[float] | None = None,
    settled: bool = True,
) -> Evaluation:
    """What a vehicle does at a state, with given commands and wind. The world stays as it is.

    `start` has the keys of `start:` in a vehicle file (position, attitude_deg, velocity_b, rate_b, joints_deg);
    without it the present state counts. `commands` are its channels, by number or all from the first on; the others
    stay as they are. `wind` [m/s, world axes] blows everywhere instead of the scenario's. Servos and motors are where
    they come to rest under these commands; `settled=False` takes them as they are now, which leaves no room for others.
    """
    if commands is not None and not settled:
        raise InputError("commands act on actuators that have time to settle: leave settled=False or commands out")
    instance = world.instances[world._index(vehicle)]
    with untouched(world):
        if start is not None:
            put_start(world, instance, start)
        if commands is not None:
            put_commands(world, instance, commands)
        if wind is not None:
            put_wind(world, wind)
        accelerate(world, settled)
        if settled:
            _check_settled(world)
        return _read(world, instance)


def accelerate(world: "World", settled: bool) -> None:
    """Fill `data.qacc` and the outputs of parts at the present coordinates; an `InputError` if there are none."""
    problem = accelerate_now(world._table) if settled else accelerate_as_is(world._table, False)
    if problem:
        complain(world)


def _check_settled(world: "World") -> None:
    """Refuse parts in plain Python that go on moving each time they are asked: nobody can tell where they end."""
    asked = [b.full_name for b in world.assembly.parts if b.part.runs_in_python() and not isinstance(b.part, Sensor)]
    if asked:
        first = world.data.qacc.copy()
        accelerate(world, settled=True)
        if not np.allclose(first, world.data.qacc, AGAIN, AGAIN):
            names = " or ".join(asked)
            raise InputError(f"{names} keeps a state of its own and cannot be settled; settled=False takes it as it is")


def complain(world: "World") -> None:
    """Raise an error that names the part without a result."""
    raised = list(world.assembly.entries.failures)
    world.assembly.entries.failures.clear()
    raise InputError(f"no forces at this state: {describe(world)}") from (raised[0] if raised else None)


def put_start(world: "World", instance: "VehicleInstance", start: Mapping[str, Any]) -> None:
    """Set the state of a vehicle; joints that are not named stay unchanged."""
    try:
        # As JSON, lists and arrays are as good as tuples, and a text is still no number.
        plain = {key: np.asarray(value).tolist() if np.ndim(value) else value for key, value in start.items()}
        there = instance.resolved._replace(start=Start.model_validate_json(json.dumps(plain, default=str)))
    except ValidationError as error:
        first = error.errors()[0]
        keys = ", ".join(Start.model_fields)
        raise InputError(f"start: {first['loc'][0]}: {first['msg']}; its keys: {keys}") from None
    if set(start) <= {"joints_deg"}:
        bend(there, world.model, world.data)
        return
    joint = int(world.model.body_jntadr[instance.root])
    if joint < 0 or world.model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
        raise InputError(f"{instance.name} has no free joint: of its start only joints_deg can be given")
    place(there, instance.root, world.model, world.data)


def put_commands(world: "World", instance: "VehicleInstance", commands: Mapping[int, float] | Sequence[float]) -> None:
    """Set command channels of a vehicle."""
    slots = world.arrays.command[instance.channels]
    pairs = commands.items() if isinstance(commands, Mapping) else enumerate(commands)
    for channel, value in pairs:
        if not (isinstance(channel, int) and 0 <= channel < len(slots)) or not math.isfinite(value):
            raise InputError(f"channel {channel}: {value}: {instance.name} has channels 0 to {len(slots) - 1}")
        slots[channel] = value


def put_wind(world: "World", wind: Sequence[float]) -> None:
    """Set a uniform wind without turbulence."""
    if np.shape(wind) != (3,) or not np.isfinite(np.array(wind, np.float64)).all():
        raise InputError(f"the wind is three finite numbers [m/s, world axes], got {wind}")
    arrays = world.arrays
    arrays.air["wind_speed"] = arrays.air["wind_up"] = arrays.wind_layers["x"] = arrays.wind_layers["y"] = 0.0
    arrays.thermals["strength"] = arrays.air["wind_scale"] = 0.0
    for name, value in zip(("gust_x", "gust_y", "gust_z"), wind, strict=True):
        world.arrays.air_samples[name] = value


def _read(world: "World", instance: "VehicleInstance") -> Evaluation:
    model, data = world.model, world.data
    turn = data.xmat[instance.root].reshape(3, 3)
    mujoco.mj_rnePostConstraint(model, data)
    found = np.zeros(6)
    mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_XBODY, instance.root, found, 0)
    felt_w = found[3:]  # MuJoCo counts from free fall
    accel_w = felt_w + model.opt.gravity
    if world.scenario.origin.is_round:  # there gravity is a load like any other
        now = world.motion(instance.name)
        felt_w = felt_w - np.array(fall_w(world.arrays.as_records(), now.pos_w, now.vel_w))
    own = f"{instance.name}/"
    loads = part_loads(world, instance)
    forces = np.array([[*load.force, *load.torque] for load in loads.values()] or np.zeros((1, 6))).sum(axis=0)
    joints = {
        model.joint(j).name.removeprefix(own): float(data.qacc[model.jnt_dofadr[j]])
        for j in range(model.njnt)
        if model.joint(j).name.startswith(own) and int(model.jnt_type[j]) in SCALAR_JOINTS
    }
    names = [model.actuator(k).name for k in range(model.nu)]
    return Evaluation(
        Vector(*accel_w.tolist()),
        Vector(*(turn.T @ found[:3]).tolist()),
        Vector(*(turn.T @ felt_w).tolist()),
        joints,
        Vector(*forces[:3].tolist()),
        Vector(*forces[3:].tolist()),
        loads,
        {n.removeprefix(own): float(data.actuator_force[k]) for k, n in enumerate(names) if n.startswith(own)},
        {b.name: world.part(b.full_name).outputs for b in world.assembly.parts if b.vehicle == instance.name},
        [one for one in contacts_now(world) if own in (one.first[: len(own)], one.second[: len(own)])],
        air_at(world, vehicle=instance.name),
    )


def part_loads(world: "World", instance: "VehicleInstance") -> dict[str, Wrench]:
    """Load of each part of a vehicle, evaluated one by one: see `Evaluation.loads`."""
    arrays, data, entries = world.arrays, world.data, world.assembly.entries
    turn, about = data.xmat[instance.root].reshape(3, 3), data.subtree_com[instance.root].copy()
    kept, found = data.xfrc_applied.copy(), {}
    for entry, owner in enumerate(entries.owners):
        if not entries.starts[LOAD] <= entry < entries.starts[LOAD + 1]:
            continue
        kernel = C_BATCH(int(entries.table[entry]["function"]))
        for bound in world.assembly.parts:
            if bound.vehicle == instance.name and bound.group == owner:
                data.xfrc_applied[:] = 0.0
                rows = bound.rows.ctypes.data + bound.place * bound.rows.itemsize
                kernel(world._table.ctypes.data, rows, 1, 0.0)
                force, torque = arrays.xfrc_applied[:, :3], arrays.xfrc_applied[:, 3:]
                moment = (torque + np.cross(arrays.xipos - about, force)).sum(axis=0)
                if force.any() or torque.any():
                    sums = (turn.T @ force.sum(axis=0), turn.T @ moment)
                    found[bound.name] = Wrench(*(Vector(*one.tolist()) for one in sums))
    data.xfrc_applied[:] = kept
    return found
