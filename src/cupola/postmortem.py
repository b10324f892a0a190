"""When a run must stop: name the part and the tick, keep the last states in a file that `restore` can load."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import mujoco
import numpy as np

from cupola.engine.fault import ARRAY_OF, COMMAND, SimulationError, recent_states, split

if TYPE_CHECKING:
    from cupola.world import Snapshot, World


def stop(world: "World") -> NoReturn:
    """Raise a `SimulationError` after writing the last states."""
    path = world.dump_folder / f"{world.name}_stopped_at_{world.tick}.npz"
    text = f"stopped at tick {world.tick} (t = {world.time:.6g} s): {_culprit(world)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, states=recent_states(world.arrays, world.tick), samples=world.arrays.samples)
        text += f"; the last states are in {path}: World.restore_file('{path}') goes back to one of them"
    except OSError as error:
        text += f"; the last states could not be written to {path}: {error}"
    raise SimulationError(text)


def _culprit(world: "World") -> str:
    kind, index = split(int(world.arrays.fault[0]))
    if kind == COMMAND:
        pilot = world.members[index].pilot
        return f"the controller {type(pilot.controller).__name__} of {pilot.name!r} gave a command that is not a number"
    if kind in ARRAY_OF:
        bound = next(b for b in world.assembly.parts if b.kind == ARRAY_OF[kind] and b.row == index)
        return f"part {bound.name!r} ({bound.part.kind}) of {bound.vehicle!r} gave a load that is not a number"
    joint = int(world.model.dof_jntid[index])
    body = world.model.jnt_bodyid[joint]
    name = mujoco.mj_id2name(world.model, mujoco.mjtObj.mjOBJ_BODY, body)
    speed = world.arrays.qvel[index]
    return f"body {name!r} runs away (velocity {speed:.3g}); the last loads came from {_heaviest(world, body)}"


def _heaviest(world: "World", body: int) -> str:
    """The part with the largest load on the tree of `body`, the likeliest cause."""
    best, size = "no part", 0.0
    for bound in world.assembly.parts:
        rows = getattr(world.arrays, bound.kind)
        if "output" not in (rows.dtype.names or ()):
            continue
        row = rows[bound.row]
        if world.model.body_rootid[row["body"]] != world.model.body_rootid[body]:
            continue
        width = 11 if bound.kind == "airfoils" else 2
        values: Any = world.arrays.outputs[row["output"] : row["output"] + width]
        load = float(np.abs(values[5:] if bound.kind == "airfoils" else values).max())
        if load >= size or not np.isfinite(load):
            best, size = f"{bound.name!r} ({bound.part.kind})", load
    return best


def read_states(world: "World", path: Path, index: int) -> "Snapshot":
    """State `index` of a file written by `stop`; controllers in plain Python keep their present memory."""
    with np.load(path) as file:
        row, samples = file["states"][index], file["samples"]
    now = world.snapshot()
    parts = np.cumsum([len(now.engine), len(now.numbers["state"]), len(now.numbers["command"])])
    engine, state, command, counters = np.split(row, parts)
    if len(counters) != len(now.numbers["counters"]) or len(samples) != len(now.numbers["samples"]):
        raise ValueError(f"{path} holds states of another scenario")
    numbers = {**now.numbers, "state": state, "command": command, "counters": counters, "samples": samples}
    return now._replace(engine=engine, numbers=numbers)
