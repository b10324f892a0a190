"""When a run must stop: name the part and the tick, keep the last states in a file that `restore` can load."""

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import mujoco
import numpy as np

from cupola.engine.errors import SimulationError, recent_states
from cupola.kernel.array_groups import REMEMBERED, numbers_in
from cupola.kernel.stages import COMMAND, PART, SENSOR
from cupola.schema.input_files import InputError, boundary
from cupola.schema.whole_files import whole_file
from cupola.sim.snapshot_origin import check_origin

LARGEST = 1 << 31
"""[bytes] of all arrays of such a file."""

if TYPE_CHECKING:
    from cupola.build.compile import BoundPart
    from cupola.sim.world import Snapshot, World


def stop(world: "World") -> NoReturn:
    """Raise a `SimulationError` after writing the last states."""
    path = world.dump_folder / f"{world.name}_stopped_at_{world.tick}.npz"
    text = f"stopped at tick {world.tick} (t = {world.time:.6g} s): {describe(world)}"
    try:
        states, arrays = recent_states(world.arrays, world.tick), world.arrays
        seed, forces = arrays.world["seed"][0], arrays.applied_forces
        origin = json.dumps(dict(world.origin))
        kept = {"states": states, "samples": arrays.samples, "applied_forces": forces, "seed": seed, "origin": origin}
        with whole_file(path) as new:
            np.savez_compressed(new.file, **kept)
        text += f"; the last states are in {path}: World.restore('{path}') goes back to one of them"
    except OSError as error:
        text += f"; the last states could not be written to {path}: {error}"
    cause = _cause(world)
    world.assembly.entries.failures.clear()
    if isinstance(cause, KeyboardInterrupt):
        raise cause
    raise SimulationError(text) from cause


def check_start(world: "World") -> None:
    """Refuse a start at which a sensor or a part in plain Python fails; nothing has moved, so nothing is written."""
    if world.assembly.entries.failures or world.arrays.error[0].what == SENSOR:
        text, cause = describe(world), _cause(world)
        world.assembly.entries.failures.clear()
        raise cause if isinstance(cause, KeyboardInterrupt) else SimulationError(f"cannot start: {text}") from cause


def _cause(world: "World") -> BaseException | None:
    """The exception of a part in plain Python that ended the run."""
    bound = _blamed(world)
    raised = world.assembly.entries.failures
    return raised[0] if raised else bound.part.cause() if bound else None


def _blamed(world: "World") -> "BoundPart | None":
    """The part that ended the run."""
    fault = world.arrays.error[0]
    if fault.what == SENSOR:
        return world.assembly.entries.sensed[int(fault.which)]
    if fault.what != PART:
        return None
    return world.assembly.entries.failed_part(int(fault.which), int(fault.row))


def describe(world: "World") -> str:
    """The error, and the part that caused it."""
    fault = world.arrays.error[0]
    if fault.what == COMMAND:
        runner = world.runner(world.instances[fault.which].name)
        name, limit = type(runner.controller).__name__, len(runner.command)
        gave = f"a NaN command, or more than {limit} of them"
        return f"the controller {name} of {runner.name!r} gave {gave}"
    bound = _blamed(world)
    if bound:
        said = bound.part.complaint(world.arrays, bound.row)
        if raised := world.assembly.entries.failures:
            said = f"raised {type(raised[0]).__name__}: {raised[0]}"
        return f"part {bound.name!r} ({bound.part.kind}) of {bound.vehicle!r} {said}"
    joint = int(world.model.dof_jntid[fault.which])
    body = world.model.jnt_bodyid[joint]
    name = mujoco.mj_id2name(world.model, mujoco.mjtObj.mjOBJ_BODY, body)
    speed = world.arrays.qvel[fault.which]
    return f"body {name!r} runs away (velocity {speed:.3g}); the last loads came from {_heaviest(world, body)}"


def _heaviest(world: "World", body: int) -> str:
    """The part with the largest load on the tree of `body`: the most likely cause."""
    best, size = "no part", 0.0
    for bound in world.assembly.parts:
        on = int(bound.row["body"]) or world.instances[bound.row["vehicle"]].root
        if world.model.body_rootid[on] != world.model.body_rootid[body]:
            continue
        loads = bound.part.loads_shown(world.arrays, bound.row)
        load = float(np.abs(loads).max(initial=0.0))
        if len(loads) and (load >= size or not np.isfinite(load)):
            best, size = f"{bound.name!r} ({bound.part.kind})", load
    return best


def read_states(world: "World", path: Path, index: int) -> "tuple[Snapshot, Any]":
    """State `index` of a file written by `stop`, and those before it; plain controllers keep their present memory."""
    apart = [f"{b.vehicle}/{b.name}" for b in world.assembly.parts if b.part.apart]
    if apart:
        raise InputError(f"{path} holds no state of {', '.join(apart)}, which is kept elsewhere; use World.snapshot()")
    now = world.snapshot()
    kept = (*REMEMBERED, "counters")
    sizes = [len(now.engine), *(numbers_in(now.numbers[name]) for name in kept)]
    with boundary(path, "cannot be read as the states of a run that stopped"):
        if zip_size(path) > LARGEST:
            raise InputError(f"{path}: unpacks to more than {LARGEST} bytes")
        with np.load(path) as file:
            states, samples, seed = file["states"], file["samples"], int(file["seed"])
            forces = file["applied_forces"]
            said = json.loads(str(file["origin"])) if "origin" in file else {}
            check_origin(world, {str(name): tuple(map(str, values)) for name, values in said.items()}, str(path))
        if any(array.dtype != np.float64 for array in (states, samples, forces)) or not np.isfinite(forces).all():
            raise InputError(f"{path}: its states, samples and forces must be numbers of 64 bits, the forces finite")
        missing = world.arrays.applied_forces.shape[1] - forces.shape[1]
        forces = np.pad(forces, ((0, 0), (0, max(missing, 0))))  # of 0.1: nobody could push with a torque
        own_size = states.ndim == 2 and states.shape[1] == sum(sizes) and len(states) > 0
        if not own_size or len(samples) != len(now.numbers["samples"]):
            raise InputError(f"{path} holds states of another scenario than {world.name!r}")
        if not -len(states) <= index < len(states):
            raise InputError(f"{path} holds {len(states)} states; there is none with the index {index}")
    engine, *values = np.split(states[index], np.cumsum(sizes)[:-1])
    if not (np.isfinite(engine).all() and np.isfinite(values[-1]).all()):
        raise InputError(f"{path}: its state {index} holds numbers that are not finite")
    own = {name: _as(now.numbers[name], v) for name, v in zip(kept, values, strict=True)}
    numbers = {**now.numbers, **own, "samples": samples, "applied_forces": forces}
    return now._replace(engine=engine, numbers=numbers, seed=seed), states[: index % len(states)]


def zip_size(path: Path) -> int:
    """[bytes] that an archive says to unpack to; no more are read of it."""
    with zipfile.ZipFile(path) as archive:
        return sum(entry.file_size for entry in archive.infolist())


def _as(like: Any, values: Any) -> Any:
    """Numbers of a kept state in the form of an array."""
    if like.dtype.names:
        return np.ascontiguousarray(values).view(like.dtype).view(np.recarray)
    return values.reshape(like.shape).astype(like.dtype)
