"""When a run must stop: name the part and the tick, keep the last states in a file that `restore` can load."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import mujoco
import numpy as np

from cupola.engine.errors import ARRAY_OF, COMMAND, EXTERNAL, SimulationError, recent_states, split
from cupola.engine.loop import REMEMBERED
from cupola.parts.external.external import OUT, STATUS, External
from cupola.schema.yaml_files import InputError

if TYPE_CHECKING:
    from cupola.sim.world import Snapshot, World

LOADS = {
    "airfoils": ("outputs", "output", 5, 11),
    "liftdrags": ("outputs", "output", 15, 21),
    "wings": ("outputs", "output", 5, 11),
    "rotors": ("outputs", "output", 0, 2),
    "held": ("state", "state", 0, 6),
    "externals": ("state", "state", OUT, 0),
}
"""Where the load of a part of each kind lies: array, field of its row, from, to; 0: to the last that its row counts."""


def stop(world: "World") -> NoReturn:
    """Raise a `SimulationError` after writing the last states."""
    path = world.dump_folder / f"{world.name}_stopped_at_{world.tick}.npz"
    text = f"stopped at tick {world.tick} (t = {world.time:.6g} s): {_culprit(world)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        states, arrays = recent_states(world.arrays, world.tick), world.arrays
        seed, pulls = arrays.world["seed"][0], arrays.pulls
        np.savez_compressed(path, states=states, samples=arrays.samples, pulls=pulls, seed=seed)
        text += f"; the last states are in {path}: World.restore('{path}') goes back to one of them"
    except OSError as error:
        text += f"; the last states could not be written to {path}: {error}"
    _, bound = _external(world)
    cause = bound.cause() if bound else None
    if isinstance(cause, KeyboardInterrupt):
        raise cause
    raise SimulationError(text) from cause


def _culprit(world: "World") -> str:
    kind, index = split(int(world.arrays.fault[0]))
    if kind == COMMAND:
        pilot = world.pilot(world.members[index].name)
        name, limit = type(pilot.controller).__name__, len(pilot.command)
        return (
            f"the controller {name} of {pilot.name!r} gave a command that is not a number, or more than {limit} of them"
        )
    name, model = _external(world)
    if model:
        return f"{name} {_complaint(world, model, index)}"
    if kind in ARRAY_OF:
        bound = next(b for b in world.assembly.parts if b.kind == ARRAY_OF[kind] and b.row == index)
        return f"part {bound.name!r} ({bound.part.kind}) of {bound.vehicle!r} gave a load that is not a number"
    joint = int(world.model.dof_jntid[index])
    body = world.model.jnt_bodyid[joint]
    name = mujoco.mj_id2name(world.model, mujoco.mjtObj.mjOBJ_BODY, body)
    speed = world.arrays.qvel[index]
    return f"body {name!r} runs away (velocity {speed:.3g}); the last loads came from {_heaviest(world, body)}"


def _external(world: "World") -> tuple[str, External | None]:
    """The model from outside that ended the run, and what to call it."""
    kind, index = split(int(world.arrays.fault[0]))
    for bound in world.assembly.parts:
        if kind == EXTERNAL and isinstance(bound.part, External) and bound.row == index:
            return f"part {bound.name!r} ({bound.part.kind}) of {bound.vehicle!r}", bound.part
    return "", None


def _complaint(world: "World", model: External, index: int) -> str:
    """What it said, or which of its numbers is none."""
    start = int(world.arrays.externals[index]["state"])
    if status := int(world.arrays.state[start + STATUS]):
        return model.complaint(status)
    values = dict(zip(model.signals()[1], world.arrays.state[start + OUT :], strict=False))
    return "gave " + ", ".join(f"{value:g} for {name!r}" for name, value in values.items() if not abs(value) < 1e300)


def _heaviest(world: "World", body: int) -> str:
    """The part with the largest load on the tree of `body`, the likeliest cause."""
    best, size = "no part", 0.0
    for bound in world.assembly.parts:
        row = getattr(world.arrays, bound.kind)[bound.row]
        if bound.kind not in LOADS:
            continue
        array, field, first, last = LOADS[bound.kind]
        on = row["body"] if last else world.members[row["vehicle"]].root
        if world.model.body_rootid[on] != world.model.body_rootid[body]:
            continue
        last = last or first + row["taken"]
        load = float(np.abs(getattr(world.arrays, array)[row[field] + first : row[field] + last]).max(initial=0.0))
        if load >= size or not np.isfinite(load):
            best, size = f"{bound.name!r} ({bound.part.kind})", load
    return best


def read_states(world: "World", path: Path, index: int) -> "tuple[Snapshot, Any]":
    """State `index` of a file written by `stop`, and those before it; plain controllers keep their present memory."""
    apart = [f"{b.vehicle}/{b.name}" for b in world.assembly.parts if isinstance(b.part, External) and b.part.apart]
    if apart:
        raise InputError(f"{path} holds no state of {', '.join(apart)}, which is kept elsewhere; use World.snapshot()")
    with np.load(path) as file:
        states, samples, pulls, seed = file["states"], file["samples"], file["pulls"], int(file["seed"])
    now = world.snapshot()
    sizes = [len(now.engine), *(now.numbers[name].size for name in REMEMBERED)]
    if states.shape[1] != sum(sizes) or len(samples) != len(now.numbers["samples"]):
        raise InputError(f"{path} holds states of another scenario than {world.name!r}")
    engine, *values = np.split(states[index], np.cumsum(sizes)[:-1])
    own = {name: v.reshape(now.numbers[name].shape) for name, v in zip(REMEMBERED, values, strict=True)}
    numbers = {**now.numbers, **own, "samples": samples, "pulls": pulls}
    return now._replace(engine=engine, numbers=numbers, seed=seed), states[: index % len(states)]
