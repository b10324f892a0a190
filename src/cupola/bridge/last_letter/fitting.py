"""A URDF as Last_letter_2 means it: joints that only look as if they moved, shafts, and mounts that are steered."""

import re
from typing import Any
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
        element.set("armature", repr(ARMATURE))
        element.set("damping", repr(max(DAMPING, float(element.get("damping", "0")))))
        actuators = built.mjcf.find("actuator")
        actuators = ET.SubElement(built.mjcf, "actuator") if actuators is None else actuators
        ET.SubElement(actuators, "position", {"name": joint, "joint": joint, "kp": repr(STIFFNESS)})
        low, high = (float(end) for end in element.get("range", "-3.2 3.2").split())
        servo: dict[str, Any] = {"kind": "servo", "channel": channel, "actuator": joint, "low": low, "high": high}
        if speeds.get(joint):
            servo["rate_max"] = speeds[joint]
        vehicle["parts"][f"{joint.removesuffix('_joint')}_servo"] = servo
        _let_pass(built.mjcf, element, report)
        how = f"a drive of {STIFFNESS:g} N m/rad turns it at {speeds.get(joint, 0.0):g} rad/s; there the angle is set"
        report.assume(f"joint {joint}", how)


def _let_pass(mjcf: ET.Element, joint: ET.Element, report: Report) -> None:
    """A mount touches nothing: in the source a contact cannot turn it, here it would drag it over the ground."""
    body = next(body for body in mjcf.iter("body") if joint in list(body))
    for geom in body.iter("geom"):
        if geom.get("contype") != "0":
            geom.set("contype", "0")
            geom.set("conaffinity", "0")
            report.lose(f"collision of {body.get('name')}", "it touches nothing: its mount would drag it on the ground")
