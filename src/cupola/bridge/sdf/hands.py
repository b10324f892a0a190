"""Shafts with blades that no plugin turns: in Gazebo a person does it by the joint controls of its window."""

from xml.etree import ElementTree as ET

from cupola.bridge.sdf.carried import Carried, Part
from cupola.bridge.sdf.servos import STRENGTH, is_driven, next_channel


def add_hands(carried: Carried) -> None:
    """A torque on a stick channel for every endless joint that carries LiftDrag blades and that nobody turns."""
    if carried.controller is not None:
        return
    for name, joint in carried.built.joints.items():
        element = carried.joint_element(joint)
        endless = element.get("type", "hinge") == "hinge" and element.get("range") is None
        if not endless or is_driven(carried, joint) or not _blades(carried, name) or _is_geared(carried, joint):
            continue
        most = float(element.get("actuatorfrcrange", f"0 {STRENGTH}").split()[1])
        mjcf = carried.built.mjcf
        found = mjcf.find("actuator")
        actuators = ET.SubElement(mjcf, "actuator") if found is None else found
        ET.SubElement(actuators, "general", {"name": joint, "joint": joint, "gainprm": repr(most)})
        channel = next_channel(carried)
        part: Part = {"kind": "servo", "channel": channel, "actuator": joint, "low": -1.0, "high": 1.0}
        carried.add(f"{joint}_torque", part)
        said = f"no plugin turns it, in Gazebo a person does: stick channel {channel} turns it, with up to {most:g} N m"
        carried.report.assume(f"joint {joint}", said)
        stands = f"{joint}: nothing in the file turns it: it stands until stick channel {channel} is moved"
        carried.report.warnings.append(stands)


def _blades(carried: Carried, name: str) -> bool:
    """Whether a surface of LiftDrag rides on what a joint turns."""
    turned = {next(joint.child for joint in carried.robot.joints if joint.name == name)}
    while more := {joint.child for joint in carried.robot.joints if joint.parent in turned} - turned:
        turned |= more
    ours = {carried.built.bodies[link] for link in turned if link in carried.built.bodies}
    return any(part["kind"] == "liftdrag" and part["site"] in ours for part in carried.parts.values())


def _is_geared(carried: Carried, joint: str) -> bool:
    """Whether it follows, by a gearbox, a joint that a hand turns already."""
    pairs = [(one.get("joint1"), one.get("joint2")) for one in carried.built.mjcf.iterfind("equality/joint")]
    return any(joint in pair and is_driven(carried, str(other)) for pair in pairs for other in pair if other != joint)
