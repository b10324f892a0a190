"""The MuJoCo model of a scenario: all vehicles on one floor."""

import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from cupola.boxes import add_boxes
from cupola.files import InputError
from cupola.parts.camera import Camera
from cupola.physics.rotation import Euler, quaternion_from_euler
from cupola.scenario import Entered, Scenario
from cupola.scenery import add_scenery
from cupola.vehicle import Start


def build_model(scenario: Scenario, entered: list[Entered]) -> Any:
    """One model of all vehicles, names prefixed `vehicle/`."""
    spec = mujoco.MjSpec()
    spec.option.timestep = 1.0 / scenario.physics_hz
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{scenario.integrator.upper()}")
    flat = scenario.origin.shape == "flat"
    spec.option.gravity = [0.0, 0.0, -scenario.gravity if flat else 0.0]  # engine/planet.py pulls on a round Earth
    # A world that silently starts over hides the fault; ours stops and says which part it was.
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    if scenario.floor:
        size = scenario.floor.size
        spec.worldbody.add_geom(
            name="floor",
            type=mujoco.mjtGeom.mjGEOM_PLANE,
            size=[size, size, 1.0],
            friction=[scenario.floor.friction, 0.005, 0.0001],
            rgba=[0.55, 0.6, 0.52, 1.0],
        )
    for one in entered:
        child = read_mjcf(one.path.parent / one.vehicle.mjcf, f"{one.path}: mjcf")
        for name, part in one.vehicle.parts.items():
            part.configure(spec.option)
            try:
                part.attach(child)
            except ValueError as error:
                raise InputError(f"{one.path}: parts.{name}: {error}") from None
        spec.attach(child, prefix=f"{one.name}/", frame=spec.worldbody.add_frame())
    add_boxes(spec, scenario.boxes)
    add_scenery(spec, [part for one in entered for part in one.vehicle.parts.values() if isinstance(part, Camera)])
    files = ", ".join(str(one.path.parent / one.vehicle.mjcf) for one in entered)
    try:
        model = spec.compile()
    except ValueError as error:
        raise InputError(f"{files}: MuJoCo refuses the model: {' '.join(str(error).split())}") from error
    if model.na and scenario.integrator == "RK4":
        raise InputError(f"{files}: actuators with a state of their own need integrator Euler or implicit, not RK4")
    return model


def read_mjcf(path: Path, source: str) -> Any:
    """The MJCF file that `source` names; its own compile errors name the file itself."""
    if not path.is_file():
        near = ", ".join(sorted(f.name for f in path.parent.glob("*.xml"))) or "no .xml file"
        raise InputError(f"{source}: there is no file {path}; beside the vehicle file there is {near}")
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        spec.compile()
        return spec
    except ValueError as error:
        raise InputError(f"{path}: MuJoCo refuses the model: {' '.join(str(error).split())}") from error


def place(one: Entered, root: int, model: Any, data: Any) -> None:
    """Put a vehicle at its start: pose in the world, velocities in body axes."""
    joint = model.body_jntadr[root]
    if joint < 0 or model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
        if one.start != Start():
            raise InputError(f"{one.path}: start: the root body {one.vehicle.root!r} has no free joint to move")
        return
    q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
    quat = quaternion_from_euler(Euler(*(math.radians(a) for a in one.start.attitude_deg)))
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, np.array(quat))
    data.qpos[q : q + 7] = [*one.start.position, *quat]
    data.qvel[v : v + 3] = turn.reshape(3, 3) @ one.start.velocity_b
    data.qvel[v + 3 : v + 6] = one.start.rate_b


def reset_joints(prefix: str, model: Any, data: Any) -> None:
    """Joints and actuators whose names begin with `prefix` as the model file has them, at rest."""
    for joint in range(model.njnt):
        if _name(model, mujoco.mjtObj.mjOBJ_BODY, model.jnt_bodyid[joint]).startswith(prefix):
            q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
            last = joint + 1 == model.njnt
            q_end = model.nq if last else model.jnt_qposadr[joint + 1]
            v_end = model.nv if last else model.jnt_dofadr[joint + 1]
            data.qpos[q:q_end] = model.qpos0[q:q_end]
            data.qvel[v:v_end] = data.qacc_warmstart[v:v_end] = 0.0
    for actuator in range(model.nu):
        if _name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, actuator).startswith(prefix):
            data.ctrl[actuator] = 0.0
            first, count = model.actuator_actadr[actuator], model.actuator_actnum[actuator]
            data.act[max(first, 0) : max(first, 0) + count] = 0.0


def _name(model: Any, kind: Any, index: int) -> str:
    return mujoco.mj_id2name(model, kind, index) or ""
