"""A URDF as Last_letter_2 means it: joints that only look as if they moved, shafts, and mounts that are steered."""

import math
import re
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.report import Report
from cupola.bridge.sdf.build import Built
from cupola.bridge.sdf.robot import Joint, Robot
from cupola.schema.input_files import InputError

ROOT = "body_FLU"
SHAFT = re.compile(r"motor\d+_to_axle\d+")
MOUNTS = {"camera_angle": ("camera_joint", 4), "laser_angle": ("laser_joint", 5)}
"""Joint and command channel of what a stick channel turns: Last_letter_2 §2.8."""
ARMATURE, STIFFNESS, DAMPING = 1e-4, 1.0, 0.015
"""Of a mount's drive, which Last_letter_2 does not have: [kg m²], [N m/rad], [N m s/rad]; it answers at 100 rad/s."""
SAG = 0.01
"""[rad] by which the weight of what it carries may turn it: a heavier sensor gets a stronger drive."""
GRAVITY = 9.81


def fit_robot(robot: Robot, report: Report) -> Robot:
    """The robot with its shafts and its joints of no range fixed."""
    if ROOT not in robot.links:
        known = ", ".join(robot.links) or "none"
        raise InputError(f"{robot.name}: there is no link {ROOT!r}, the base of every model; there are: {known}")
    shafts = [joint.name for joint in robot.joints if SHAFT.fullmatch(joint.name) and joint.axes]
    stiff = [joint.name for joint in robot.joints if joint.name not in shafts and _is_stiff(joint)]
    if stiff:  # Gazebo would merge links that are fixed: see its §6.1
        report.assume(f"joints without a range: {', '.join(stiff)}", "fixed, as Last_letter_2 writes fixed ones")
    if shafts:
        report.assume(f"joints {', '.join(shafts)}", "fixed: the rotor parts have angle and speed of the shafts")
    fixed = {*shafts, *stiff}
    joints = [joint._replace(kind="fixed", axes=[]) if joint.name in fixed else joint for joint in robot.joints]
    return robot._replace(joints=joints)


def _is_stiff(joint: Joint) -> bool:
    return bool(joint.axes) and all(axis.low is not None and axis.low == axis.high for axis in joint.axes)


def steer_mounts(vehicle: dict[str, Any], built: Built, speeds: dict[str, float], report: Report) -> None:
    """Let the camera and the laser follow their channels: an actuator on the joint, a servo with limits before it."""
    joints = {joint.get("name"): joint for joint in built.mjcf.iter("joint")}
    for function, (joint, channel) in MOUNTS.items():
        if vehicle["channel_mix"][function] < 0:
            continue
        if joint not in joints:
            report.lose(f"channel_mix.yaml: {function}", f"there is no joint {joint} to turn")
            continue
        element = joints[joint]
        body = next(body for body in built.mjcf.iter("body") if element in list(body))
        drive = drive_for(*_carried(body))
        element.set("armature", repr(drive.armature))
        element.set("damping", repr(max(drive.damping, float(element.get("damping", "0")))))
        actuators = built.mjcf.find("actuator")
        actuators = ET.SubElement(built.mjcf, "actuator") if actuators is None else actuators
        ET.SubElement(actuators, "position", {"name": joint, "joint": joint, "kp": repr(drive.stiffness)})
        low, high = (float(end) for end in element.get("range", "-3.2 3.2").split())
        servo: dict[str, Any] = {"kind": "servo", "channel": channel, "actuator": joint, "low": low, "high": high}
        if speeds.get(joint):
            servo["rate_max"] = speeds[joint]
        vehicle["parts"][f"{joint.removesuffix('_joint')}_servo"] = servo
        _let_pass(body, report)
        how = f"a drive of {drive.stiffness:.3g} N m/rad turns it at {speeds.get(joint, 0.0):g} rad/s"
        report.assume(f"joint {joint}", f"{how}; there the angle is set")


class Drive(NamedTuple):
    """Of a mount."""

    armature: float
    """[kg m²]."""
    stiffness: float
    """[N m/rad]."""
    damping: float
    """[N m s/rad]."""


def drive_for(moment: float, inertia: float) -> Drive:
    """Strong enough for the weight [N m] and the inertia [kg m²] of what hangs on the joint, and damped alike."""
    armature = max(ARMATURE, inertia)
    stiffness = max(STIFFNESS * armature / ARMATURE, moment / SAG)
    return Drive(armature, stiffness, DAMPING * math.sqrt(stiffness / STIFFNESS * armature / ARMATURE))


def _carried(body: ET.Element, away: float = 0.0) -> tuple[float, float]:
    """Largest moment of the weight [N m] about the origin of a body, and inertia [kg m²], of all that hangs on it."""
    moment = inertia = 0.0
    for one in body.findall("inertial"):
        mass, arm = float(one.get("mass", "0")), away + _length(one)
        turning = max(abs(float(word)) for word in one.get("fullinertia", "0").split()[:3])
        moment, inertia = moment + mass * GRAVITY * arm, inertia + mass * arm * arm + turning
    for child in body.findall("body"):
        more = _carried(child, away + _length(child))
        moment, inertia = moment + more[0], inertia + more[1]
    return moment, inertia


def _length(element: ET.Element) -> float:
    return math.hypot(*(float(word) for word in element.get("pos", "0 0 0").split()))


def _let_pass(body: ET.Element, report: Report) -> None:
    """A mount touches nothing: in the source a contact cannot turn it, here it would drag it over the ground."""
    for geom in body.iter("geom"):
        if geom.get("contype") != "0":
            geom.set("contype", "0")
            geom.set("conaffinity", "0")
            report.lose(f"collision of {body.get('name')}", "it touches nothing: its mount would drag it on the ground")
