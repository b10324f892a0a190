"""What becomes of an imported model that nobody flies: it is dropped in MuJoCo alone, before anybody runs it.

No part acts: no motor, no air. What the world holds up then is held up, and what it does not falls, or is thrown off.
"""

from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from cupola.build.mjcf import build_model, place
from cupola.build.mujoco_warnings import FIRST, only_count
from cupola.config.resolved_vehicle import resolve_vehicles
from cupola.config.scenario import find_scenario
from cupola.schema.input_files import InputError

WATCHED = 3.0
"""[s] for which it is watched."""
STEP = 1e-3
"""[s] of the drop at least: what holds it up is seen with that, too."""
FREELY = 0.9
"""Share of the speed of a free fall from the start at which nothing can have held it up for long."""
THROWN = 3.0
"""[m/s] faster than a fall from its height could make it: something else drives it."""

BAD = mujoco.mjtWarning.mjWARN_BADQACC


def left_alone(run: Path) -> list[str]:
    """Sentences on what it does when nobody flies it; none if it stands, lies or swings somewhere."""
    try:
        scenario, folder = find_scenario(str(run))
        resolved = resolve_vehicles(scenario, folder, {}, str(run))
        model = build_model(scenario, resolved)
    except InputError as error:
        return [f"it cannot be run as it is: {error}"]
    data = mujoco.MjData(model)
    only_count(data)
    root = model.body(f"{resolved[0].name}/{resolved[0].vehicle.root}").id
    for one in resolved:
        place(one, model.body(f"{one.name}/{one.vehicle.root}").id, model, data)
    mujoco.mj_forward(model, data)
    start, began = data.xpos[root].copy(), _speed(model, data, root)
    model.opt.timestep = max(model.opt.timestep, STEP)
    while data.time < WATCHED:
        mujoco.mj_step(model, data)
        if not np.isfinite(data.qpos).all() or data.warning[BAD].number > FIRST:
            return [f"left alone it flies apart: after {data.time:.2g} s its motion is no finite number"]
    fell = start - data.xpos[root]
    return _said(fell, _speed(model, data, root), began, abs(float(model.opt.gravity[2])))


def _said(fell: Any, now: Any, before: Any, gravity: float) -> list[str]:
    free = gravity * WATCHED
    if gravity and before[2] - now[2] > FREELY * free and fell[2] > 0.0:
        where = f"after {WATCHED:g} s it is {fell[2]:.0f} m below its start and still falling"
        return [f"nothing holds it up: left alone it falls past everything that is there; {where}"]
    energy = float(before @ before) + 2.0 * gravity * max(float(fell[2]), 0.0)
    if np.linalg.norm(now) > np.sqrt(energy) + THROWN:
        why = "shapes that begin inside each other or in the ground push it"
        return [f"left alone it runs away, after {WATCHED:g} s with {np.linalg.norm(now):.3g} m/s: {why}"]
    return []


def _speed(model: Any, data: Any, body: int) -> Any:
    """[m/s] of a body's origin, world."""
    found = np.zeros(6)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, found, 0)
    return found[3:]
