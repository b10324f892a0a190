"""What the actuators of a MuJoCo model do: those that push at a site one way are rotors, those that only turn the body
are moments, all others move something by a channel of their own.

A rotor there is a force along `gear` of a site and a torque about the same axis, both in proportion to the control.
Here thrust grows with the square of the throttle; the ends are the same: nothing, and the most that the source allows.
"""

import math
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from cupola.bridge.mjcf.around import keyframe
from cupola.bridge.mjcf.source import Source
from cupola.bridge.report import Report

Array = np.ndarray[Any, Any]
SHAFT_SPEED = 1000.0
"""[rad/s] at full thrust of a rotor whose source knows no shaft; it is only seen."""
AT_ONCE = 1e-4
"""[s] of lag where the source has none: less than any step."""
ALIGNED = 1e-6
NEAR = 1e-3
"""[m] from a site to a disc that is its rotor."""
FLAT = 0.5
"""Of its width: the height of a disc."""
DISCS = (int(mujoco.mjtGeom.mjGEOM_CYLINDER), int(mujoco.mjtGeom.mjGEOM_ELLIPSOID))


class Push(NamedTuple):
    """An actuator at a site."""

    element: ET.Element
    site: int
    force: Array
    torque: Array
    """[N] and [N m] per unit of control, axes of the site."""
    low: float
    high: float
    """Of the control; infinite without a limit."""

    @property
    def lifts(self) -> bool:
        """Whether it is a rotor: a force, one way."""
        return bool(np.any(self.force)) and self.low >= 0.0 and math.isfinite(self.high) and self.high > 0.0


def read_pushes(source: Source, report: Report) -> list[Push]:
    """The actuators that push or turn the vehicle at a site."""
    model, found = source.model, []
    for element in source.actuators:
        k = model.actuator(element.attrib["name"]).id
        if model.actuator_trntype[k] != mujoco.mjtTrn.mjTRN_SITE or model.actuator_trnid[k, 1] >= 0:
            continue
        plain = model.actuator_gaintype[k] == mujoco.mjtGain.mjGAIN_FIXED
        if not plain or model.actuator_biastype[k] != mujoco.mjtBias.mjBIAS_NONE:
            report.lose(f"<actuator>: {element.attrib['name']}", "a push at a site whose force depends on its motion")
            continue
        gain, gear = float(model.actuator_gainprm[k, 0]), np.array(model.actuator_gear[k])
        low, high = model.actuator_ctrlrange[k].tolist() if model.actuator_ctrllimited[k] else (-math.inf, math.inf)
        if model.actuator_forcelimited[k] and gain:
            ends = sorted(float(end) / gain for end in model.actuator_forcerange[k])
            low, high = max(low, ends[0]), min(high, ends[1])
        found.append(Push(element, int(model.actuator_trnid[k, 0]), gain * gear[:3], gain * gear[3:], low, high))
    return found


def rotor_part(push: Push, site: str, source: Source, report: Report) -> dict[str, Any]:
    """The rotor of a push, at a site whose x axis is its thrust."""
    name = push.element.attrib["name"]
    per_unit = float(np.linalg.norm(push.force))
    axis = push.force / per_unit
    about, aside = float(push.torque @ axis), push.torque - (push.torque @ axis) * axis
    if np.abs(aside).max() > ALIGNED * per_unit:
        report.lose(f"<actuator>: {name}: gear", f"its torque across the thrust, {_text(aside / per_unit)} N m per N")
    if push.low > 0.0:
        report.lose(f"<actuator>: {name}: ctrlrange", f"it never pushes less than {push.low * per_unit:.4g} N there")
    square = SHAFT_SPEED**2
    lagged = {
        "speed_max": SHAFT_SPEED,
        "time_constant": _lag(source, name, report),
        "k_thrust": per_unit * push.high / square,
        "k_torque": abs(about) * push.high / square,
    }
    made = {"kind": "rotor", "site": site, "channel": 0, "direction": -1 if about > 0.0 else 1, "lagged": lagged}
    radius = _radius(source.model, push.site, axis)
    if radius is not None:
        made["radius"] = radius
    return made


def shaft(source: Source, push: Push) -> dict[str, str]:
    """Place and turn of a site whose x axis is the thrust, in the axes of the body."""
    model = source.model
    quat, turn = np.zeros(4), np.zeros(4)
    mujoco.mju_quatZ2Vec(turn, push.force / np.linalg.norm(push.force))
    x_to_z = np.array([math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0])
    mujoco.mju_mulQuat(quat, turn, x_to_z)
    mujoco.mju_mulQuat(turn, np.array(model.site_quat[push.site]), quat)
    return {"pos": _digits(model.site_pos[push.site]), "quat": _digits(turn)}


def servo_part(source: Source, name: str, held: float, report: Report) -> dict[str, Any]:
    """A channel that is added to the control that an actuator begins with, within its limits."""
    k = source.model.actuator(name).id
    if source.model.actuator_ctrllimited[k]:
        low, high = source.model.actuator_ctrlrange[k].tolist()
    else:
        low, high = _reach(source.model, k)
        low, high = min(low, held), max(high, held)
        report.assume(f"<actuator>: {name}: no ctrlrange", f"{low:.4g} to {high:.4g}")
    made = {"kind": "servo", "channel": 0, "actuator": name, "low": low, "high": high}
    return made | ({"middle": held} if held else {})


def _reach(model: Any, k: int) -> tuple[float, float]:
    """The range of the joint for an actuator whose control is its place, else -1 to 1."""
    joint, gear = int(model.actuator_trnid[k, 0]), float(model.actuator_gear[k, 0])
    follows = model.actuator_gainprm[k, 0] > 0.0 and model.actuator_biasprm[k, 1] == -model.actuator_gainprm[k, 0]
    if model.actuator_trntype[k] != mujoco.mjtTrn.mjTRN_JOINT or not (follows and model.jnt_limited[joint]):
        return -1.0, 1.0
    ends = sorted(gear * float(end) for end in model.jnt_range[joint])
    return ends[0], ends[1]


def controls_at_start(model: Any) -> dict[str, float]:
    """What the keyframe of the start gives to each actuator, within its limits as MuJoCo keeps it there."""
    key = keyframe(model)
    if key is None:
        return {}
    held = {}
    for k in range(model.nu):
        low, high = model.actuator_ctrlrange[k] if model.actuator_ctrllimited[k] else (-math.inf, math.inf)
        held[model.actuator(k).name] = min(max(float(model.key_ctrl[key, k]), float(low)), float(high))
    return held


def _lag(source: Source, name: str, report: Report) -> float:
    """[s] of a filter before the force; it becomes one of the shaft speed."""
    k = source.model.actuator(name).id
    kind = int(source.model.actuator_dyntype[k])
    if kind in (int(mujoco.mjtDyn.mjDYN_FILTER), int(mujoco.mjtDyn.mjDYN_FILTEREXACT)):
        tau = float(source.model.actuator_dynprm[k, 0])
        report.assume(f"<actuator>: {name}", f"its lag of {tau:g} s is one of the shaft speed")
        return tau
    if kind != int(mujoco.mjtDyn.mjDYN_NONE):
        report.lose(f"<actuator>: {name}: dyntype", "the force follows at once")
    return AT_ONCE


def _radius(model: Any, site: int, axis: Array) -> float | None:
    """Of a flat round geom at the site, across the thrust: the disc of the rotor, as models draw it."""
    up = np.zeros(3)
    mujoco.mju_rotVecQuat(up, axis, np.array(model.site_quat[site]))
    for geom in range(model.ngeom):
        wide, _, high = model.geom_size[geom]
        high = model.geom_size[geom, 1] if model.geom_type[geom] == DISCS[0] else high
        if model.geom_type[geom] not in DISCS or model.geom_bodyid[geom] != model.site_bodyid[site]:
            continue
        normal = np.zeros(3)
        mujoco.mju_rotVecQuat(normal, np.array([0.0, 0.0, 1.0]), np.array(model.geom_quat[geom]))
        off = np.array(model.geom_pos[geom] - model.site_pos[site])
        along = abs(float(normal @ up)) > 1.0 - NEAR
        if along and high < FLAT * wide and np.linalg.norm(off - (off @ up) * up) < NEAR:
            return float(wide)
    return None


def _digits(numbers: Any) -> str:
    return " ".join(repr(float(number)) for number in numbers)


def _text(numbers: Any) -> str:
    return " ".join(f"{float(number):.4g}" for number in numbers)
