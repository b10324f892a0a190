"""The MuJoCo model of a scenario: all vehicles on one floor."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from cupola.build.boxes import add_boxes
from cupola.build.links import resize
from cupola.build.mjcf_assets import check_picture
from cupola.build.mjcf_files import files_named, pack_model
from cupola.build.mjcf_limits import check_mjcf, check_numbers, check_texts
from cupola.build.mujoco_warnings import compiled, pass_on
from cupola.build.scenery import add_obstacles, add_patches, add_scenery
from cupola.config.held import HeldVehicle
from cupola.config.resolved_vehicle import ResolvedVehicle
from cupola.config.scenario import Scenario
from cupola.config.vehicle import Start
from cupola.physics.rotation import (
    Euler,
    Vector,
    conjugate,
    dot,
    multiply,
    quaternion_from_euler,
    rotate,
    scale,
    subtract,
)
from cupola.schema.input_files import InputError, boundary

BEYOND_STOP = 1.0
"""[°] by which a joint may begin beyond an end stop: stops give way a little."""
pass_on()  # whoever compiles a model imports this


def build_model(scenario: Scenario, resolved: list[ResolvedVehicle]) -> Any:
    """One model of all vehicles, names prefixed `vehicle/`."""
    # MuJoCo keeps what it read of meshes and pictures, and takes a file of the same second for the same.
    mujoco.mj_clearCache(mujoco.mj_getCache())
    spec = mujoco.MjSpec()
    spec.option.timestep = 1.0 / scenario.physics_hz
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{scenario.integrator.upper()}")
    flat = not scenario.origin.is_round
    spec.option.gravity = _gravity(scenario) if flat else [0.0, 0.0, 0.0]  # kernel/planet.py pulls on a round Earth
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
        add_patches(spec, scenario.floor.patches)
    add_obstacles(spec, scenario.obstacles)
    for one in resolved:
        child = read_held(one.held, one.path) if one.held else read_mjcf(mjcf_file(one), f"{one.path}: mjcf")
        resize(child, one.links, str(one.path))
        set_freedom(child, one)
        for name, part in one.vehicle.parts.items():
            part.configure(spec.option)
            try:
                part.attach(child)
            except ValueError as error:
                raise InputError(f"{one.path}: parts.{name}: {error}") from None
        spec.attach(child, prefix=f"{one.name}/", frame=spec.worldbody.add_frame())
    add_boxes(spec, scenario.boxes)
    add_scenery(spec, [part for one in resolved for part in one.vehicle.parts.values() if part.takes_pictures])
    files = ", ".join(str(mjcf_file(one)) for one in resolved)
    with boundary(files, "MuJoCo refuses the model"):
        model = compiled(spec)
    if model.na and scenario.integrator == "RK4":
        raise InputError(f"{files}: actuators with a state of their own need integrator Euler or implicit, not RK4")
    return model


def mjcf_file(one: ResolvedVehicle) -> Path:
    """The MuJoCo model of a vehicle."""
    return one.path.parent / one.vehicle.mjcf


def read_held(held: HeldVehicle, path: Path) -> Any:
    """The MJCF of a vehicle that is held in memory; nothing is looked up on the disk."""
    models = {name: content for name, content in held.assets.items() if name.endswith(".xml")}
    texts = {name: content.decode(errors="replace") for name, content in models.items()}
    check_texts({**texts, path.name: held.mjcf}, path.name, path)
    for name, content in held.assets.items():
        check_picture(name, content)
    missing = sorted(set().union(*map(files_named, (held.mjcf, *texts.values()))) - held.assets.keys())
    if missing:
        raise InputError(f"{path}: its model needs {', '.join(missing)}, which the recording does not hold")
    with boundary(path, "MuJoCo refuses the recorded model"):
        spec = _spec_of(held.mjcf, held.assets)
        check_numbers(compiled(spec), path)
        return spec


def read_mjcf(path: Path, source: str) -> Any:
    """The MJCF file that `source` names; its own compile errors name the file itself."""
    if not path.is_file():
        near = ", ".join(sorted(f.name for f in path.parent.glob("*.xml"))) or "no .xml file"
        raise InputError(f"{source}: there is no file {path}; beside the vehicle file there is {near}")
    with boundary(path, "MuJoCo refuses the model"):
        check_mjcf(path)
        spec, model = _compiled(path)
        check_numbers(model, path)
        return spec


def _compiled(path: Path) -> tuple[Any, Any]:
    """From the bytes that a recording will hold. Where MuJoCo refuses these, its words are those about the file."""
    try:
        packed = pack_model(path)
        spec = _spec_of(packed.text, packed.assets)
        return spec, compiled(spec)
    except (InputError, ValueError):
        spec = mujoco.MjSpec.from_file(str(path))
        return spec, compiled(spec)


def _spec_of(text: str, assets: Mapping[str, bytes]) -> Any:
    """The model of a text and of the files that it names, which may be models."""
    models = {name: content for name, content in assets.items() if name.endswith(".xml")}
    others = {name: content for name, content in assets.items() if name not in models}
    return mujoco.MjSpec.from_string(text, include=models, assets=others)


def place(one: ResolvedVehicle, root: int, model: Any, data: Any) -> None:
    """Set the start of a vehicle: pose in the world, velocities in body axes."""
    bend(one, model, data)
    joint = model.body_jntadr[root]
    if joint < 0 or model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
        _place_on_joints(one, root, model, data)
        return
    q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
    quat = quaternion_from_euler(Euler(*(math.radians(a) for a in one.start.attitude_deg)))
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, np.array(quat))
    data.qpos[q : q + 7] = [*one.start.position, *quat]
    data.qvel[v : v + 3] = turn.reshape(3, 3) @ one.start.velocity_b
    data.qvel[v + 3 : v + 6] = one.start.rate_b


def _place_on_joints(one: ResolvedVehicle, root: int, model: Any, data: Any) -> None:
    """A root that slides, turns or is fixed: its joints take what they can of the pose, its frame the rest.

    A hinge about its own z axis takes the yaw. Without a start the model's own place is kept.
    """
    start = one.start
    if start == Start(joints_deg=start.joints_deg):
        return
    first = int(model.body_jntadr[root])
    joints = range(first, first + int(model.body_jntnum[root]))
    yaw_joint = next((j for j in joints if _turns_about_z(model, j)), -1)
    roll, pitch, yaw = (math.radians(a) for a in start.attitude_deg)
    whole = quaternion_from_euler(Euler(roll, pitch, yaw))
    turned = quaternion_from_euler(Euler(0.0, 0.0, yaw if yaw_joint >= 0 else 0.0))
    frame = multiply(whole, conjugate(turned))
    vel_w, rest = rotate(whole, Vector(*start.velocity_b)), Vector(*start.position)
    rate = start.rate_b
    for j in joints:
        q, v = model.jnt_qposadr[j], model.jnt_dofadr[j]
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_SLIDE:
            axis_w = rotate(frame, Vector(*model.jnt_axis[j].tolist()))
            data.qpos[q], data.qvel[v] = dot(rest, axis_w), dot(vel_w, axis_w)
            rest = subtract(rest, scale(data.qpos[q], axis_w))
            vel_w = subtract(vel_w, scale(data.qvel[v], axis_w))
        elif j == yaw_joint:
            data.qpos[q], data.qvel[v] = yaw, rate[2]
            rate = (rate[0], rate[1], 0.0)
    if max(map(abs, (*vel_w, *rate))) > 1e-9:
        raise InputError(f"{one.path}: start: the joints of {one.vehicle.root!r} do not allow this velocity or rate")
    model.body_pos[root], model.body_quat[root] = rest, frame


def _turns_about_z(model: Any, joint: int) -> bool:
    hinge = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE
    return bool(hinge and np.allclose(model.jnt_axis[joint], [0.0, 0.0, 1.0]))


def bend(one: ResolvedVehicle, model: Any, data: Any) -> None:
    """Put the hinges of a vehicle where its start has them."""
    for name, angle in one.start.joints_deg.items():
        joint = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, f"{one.name}/{name}")
        if joint < 0 or model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_HINGE:
            hinges = [_name(model, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(model.njnt)]
            own = ", ".join(n.partition("/")[2] for n in hinges if n.startswith(f"{one.name}/"))
            raise InputError(f"{one.path}: start.joints_deg: there is no hinge {name!r}; its joints: {own or 'none'}")
        low, high = np.degrees(model.jnt_range[joint]).tolist() if model.jnt_limited[joint] else (-math.inf, math.inf)
        if not low - BEYOND_STOP <= angle <= high + BEYOND_STOP:
            raise InputError(
                f"{one.path}: start.joints_deg: {name} at {angle:g}° is beyond its end stops, {low:.4g}° and "
                f"{high:.4g}°, which would throw it back"
            )
        data.qpos[model.jnt_qposadr[joint]] = math.radians(angle)


def set_freedom(spec: Any, one: ResolvedVehicle) -> None:
    """Other joints for the root body, where the scenario asks for them."""
    if one.freedom == "model":
        return
    root = spec.body(one.vehicle.root)
    if root is None:
        raise InputError(f"{one.path}: root: there is no body {one.vehicle.root!r}")
    for joint in list(root.joints):
        spec.delete(joint)
    if one.freedom == "free":
        root.add_freejoint()
    elif one.freedom == "planar":
        for name, axis in (("x", [1, 0, 0]), ("y", [0, 1, 0])):
            root.add_joint(name=f"{root.name}_{name}", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
        root.add_joint(name=f"{root.name}_yaw", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])


def _gravity(scenario: Scenario) -> list[float]:
    """[m/s²] in the world, whose x and y may rise against the horizon."""
    x, y = (math.sin(math.radians(slope)) for slope in scenario.slope_deg)
    return [-scenario.gravity * x, -scenario.gravity * y, -scenario.gravity * math.sqrt(max(0.0, 1.0 - x * x - y * y))]


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
