"""Propellers made of LiftDrag surfaces on a shaft that a plugin turns, as the models of ArduPilot have them.

The surfaces and the shaft stay what they are. What they push at full speed, in air at rest, is found by the law of
their own plugin, so that a mixer can command them: the channel of such a servo is a throttle, from 0 to 1.
"""

import math
from typing import Any

import mujoco
import numpy as np

from cupola.bridge.pilot import Shaft
from cupola.bridge.sdf.carried import Carried, Part
from cupola.bridge.sdf.pose import Pose
from cupola.bridge.sdf.wishes import SPEED
from cupola.physics.liftdrag import (
    Coefficients,
    LiftDrag,
    gazebo_coefficients,
    gazebo_flow,
    projected_flow,
    surface_load,
)
from cupola.physics.rotation import Quaternion, Vector

Array = np.ndarray[Any, Any]
AIR = 1.225
"""[kg/m³] where a surface does not say its own."""
ALONG = 0.9
"""Share of a force that must lie along the shaft: else it is a wheel of blades, not a propeller."""


def add_shafts(carried: Carried, model: mujoco.MjModel) -> dict[str, Shaft]:
    """The servos that turn propellers, which become throttles."""
    servos = {part["actuator"]: name for name, part in carried.parts.items() if part["kind"] == "servo"}
    found: dict[str, Shaft] = {}
    for joint, wish in carried.wanted.items():
        if wish.mode != SPEED or joint not in servos or model.joint(joint).type[0] != mujoco.mjtJoint.mjJNT_HINGE:
            continue
        part = carried.parts[servos[joint]]
        speed = max(part["low"], part["high"], key=abs)
        blades = _blades(carried, model, joint)
        if not blades or model.jnt_limited[model.joint(joint).id]:
            continue
        force, torque, axis = _turning(model, joint, speed, blades)
        thrust = float(force @ axis)
        if abs(thrust) <= ALONG * np.linalg.norm(force) or thrust == 0.0:
            continue
        up = axis if thrust > 0.0 else -axis
        braked = abs(float(torque @ axis))
        spin = float(model.dof_M0[int(model.joint(joint).dofadr[0])]) * abs(speed)
        kick = 0.5 * spin / braked if braked > 0.0 else math.inf
        found[servos[joint]] = Shaft(
            _site(carried, model, joint, up), abs(thrust), float(torque @ up) / abs(thrust), kick
        )
        _throttle(carried, joint, part, speed)
    if found:
        said = ", ".join(f"{name} {shaft.thrust:.3g} N" for name, shaft in found.items())
        carried.report.assume("propellers of LiftDrag surfaces", f"commanded by throttle; at full speed {said}")
    return found


def _blades(carried: Carried, model: mujoco.MjModel, joint: str) -> list[Part]:
    """Surfaces that ride on a shaft, with nothing else that moves between."""
    body = int(model.joint(joint).bodyid[0])
    rigid = {
        model.body(k).name
        for k in range(model.nbody)
        if model.body_weldid[k] == model.body_weldid[body] and model.body_weldid[k]
    }
    parts = carried.parts.values()
    return [p for p in parts if p["kind"] == "liftdrag" and p["site"] in rigid and p.get("surface")]


def _turning(model: mujoco.MjModel, joint: str, speed: float, blades: list[Part]) -> tuple[Array, Array, Array]:
    """Force, torque about the joint, and its axis, in world axes, of blades that turn in air at rest."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    k = model.joint(joint).id
    axis, anchor = data.xaxis[k], data.xanchor[k]
    force, torque = np.zeros(3), np.zeros(3)
    for part in blades:
        body = model.body(part["site"]).id
        turn = data.xmat[body].reshape(3, 3)
        cp = np.array(part.get("cp", (0.0, 0.0, 0.0)))
        at = data.xpos[body] + turn @ cp
        load = _load(part, turn.T @ np.cross(speed * axis, at - anchor))
        if part["mode"] == "faithful":  # it acts at a place measured from the centre of mass
            at = data.xpos[body] + turn @ (cp + model.body_ipos[body])
        push = turn @ np.array(load.force)
        force += push
        torque += np.cross(at - anchor, push) + turn @ np.array(load.torque)
    return force, torque, axis


def _load(part: Part, vel: Array) -> Any:
    """By the law of the part's mode."""
    surface, motion = LiftDrag(**part["surface"]), Vector(*map(float, vel))
    forward, upward = (_unit(part.get(key, usual)) for key, usual in (("forward", (1, 0, 0)), ("upward", (0, 0, 1))))
    radial = float(part.get("radial_symmetry", False))
    if part["mode"] == "faithful":
        flow = gazebo_flow(motion, forward, upward, radial, surface)
    else:
        flow = projected_flow(motion, forward, upward, radial, float(part["mode"] == "gz"), 0.0, surface)
    c = gazebo_coefficients(flow.alpha, flow.factor, 0.0, surface)
    moment = 0.0 if part["mode"] == "faithful" else c.moment
    return surface_load(flow, Coefficients(c.lift, c.drag, moment), motion, part.get("air_density", AIR), surface)


def _unit(words: Any) -> Vector:
    given = np.array(words, float)
    return Vector(*(given / np.linalg.norm(given)).tolist())


def _site(carried: Carried, model: mujoco.MjModel, joint: str, up: Array) -> str:
    """A frame on what carries the shaft, with x along the thrust."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    k = model.joint(joint).id
    above = int(model.body_parentid[model.jnt_bodyid[k]])
    turn = data.xmat[above].reshape(3, 3)
    place, axis = turn.T @ (data.xanchor[k] - data.xpos[above]), turn.T @ up
    quat = np.zeros(4)
    mujoco.mju_quatZ2Vec(quat, axis)  # which turns z there; x is turned to z before
    first, whole = np.array([math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0]), np.zeros(4)
    mujoco.mju_mulQuat(whole, quat, first)
    at = Pose(Vector(*place.tolist()), Quaternion(*whole.tolist()))
    return carried.site(model.body(above).name, f"{joint}_shaft", at)


def _throttle(carried: Carried, joint: str, part: Part, speed: float) -> None:
    """Its channel from 0 to 1 instead of a speed."""
    element = next(one for one in carried.built.mjcf.iter("general") if one.get("joint") == joint)
    element.set("gainprm", repr(float(element.get("gainprm", "1")) * speed))
    part |= {"low": 0.0, "high": 1.0}
