"""Gazebo's plugins that have a counterpart: lift and drag become parts, the Cessna's joint control becomes servos."""

import math
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.sdf.build import Built, Lost
from cupola.bridge.sdf.node import Node
from cupola.physics.advanced_liftdrag import Advanced
from cupola.physics.liftdrag import LiftDrag
from cupola.schema.yaml_files import InputError

Part = dict[str, Any]
GAZEBO_NAMES = tuple(name for name in LiftDrag._fields[: LiftDrag._fields.index("area") + 1])
"""Numbers that the plugin itself has."""
ADVANCED_NAMES = {"mac": "mac", "ar": "AR", "eff": "eff", "area": "area", "alpha_stall": "alpha_stall", "mcoeff": "M"}
EFFECTS = {"drag": "CD", "side": "CY", "lift": "CL", "roll": "Cell", "moment": "Cem", "yaw": "Cen"}
CESSNA = ("propeller", "left_aileron", "left_flap", "right_aileron", "right_flap", "elevators", "rudder")
"""Joints of the Cessna's control plugin, in the order of its message; that of our channels."""
SURFACE_LIMIT, PROPELLER_LIMIT = 20.0, 20000.0
"""Most that its controllers do [N m]: fixed in its code, the gains of a world do not change them."""
GAINS = {"p": 50.0, "i": 0.1, "d": 1.0}
"""Of its code, where the world gives none."""


class Carried(NamedTuple):
    """What the plugins of a model became."""

    parts: dict[str, Part]
    controller: str


def carry(plugins: list[tuple[str, Node]], built: Built, lost: Lost) -> Carried:
    """Parts of all plugins; those without a counterpart are listed."""
    parts: dict[str, Part] = {}
    controller = "pass_through"
    for scope, node in plugins:
        file = f"{node.element.get('filename', '')} {node.name}"
        if "AdvancedLiftDrag" in file or "advanced-lift-drag" in file:
            parts[_name(node, parts)] = _advanced(node, scope, built, lost)
        elif "LiftDrag" in file or "lift-drag" in file:
            parts[_name(node, parts)] = _liftdrag(node, scope, built, lost)
        elif "libCessnaPlugin" in file:
            parts |= _cessna(node, scope, built, lost)
            controller = "cessna_presets"
        elif "JointPositionController" in file:
            channel = sum(part["kind"] == "servo" for part in parts.values())
            parts |= _position_controller(node, scope, built, channel, lost)
        else:
            lost.append((str(node), f"plugin {node.element.get('filename', '?')} has no counterpart: {node.summary()}"))
            node.swallow()
    if controller == "pass_through":
        lost.append(("controller", "no plugin that we know flies it; pass_through was written, see `cupola list`"))
    return Carried(parts, controller)


def _liftdrag(node: Node, scope: str, built: Built, lost: Lost) -> Part:
    """The plugin of gazebo-classic is taken as it is; that of gz-sim has lost the worst defects and is put right."""
    classic = node.element.get("filename", "").startswith("lib") and "gz" not in node.name
    given = {name: node.number(name, getattr(LiftDrag(), name)) for name in GAZEBO_NAMES}
    part: Part = {
        "kind": "liftdrag",
        "mode": "faithful" if classic else "corrected",
        "site": _found(node.need("link_name"), scope, built.bodies, "link"),
        "surface": given,
        **_vectors(node),
    }
    if node.flag("radial_symmetry"):
        part["radial_symmetry"] = True
    joint = node.one("control_joint_name")
    gain = node.number("control_joint_rad_to_cl", 4.0)
    if joint:
        part["controls"] = [{"joint": _found(joint, scope, built.joints, "joint"), "lift": gain}]
        if not classic:
            part["controls"][0]["moment"] = node.number("cm_delta", 0.0)
    if not classic:
        lost.append((str(node), "gz-sim's curve past the stall; here the surface becomes a flat plate there"))
    return part


def _advanced(node: Node, scope: str, built: Built, lost: Lost) -> Part:
    """Coefficients keep their names; controls are per degree in the source and per radian here."""
    names = {field: ADVANCED_NAMES.get(field, _gz(field)) for field in Advanced._fields}
    required = [field for field in ("area", "mac", "ar") if node.one(names[field]) is None]
    if required:
        raise InputError(f"{node}: there is no <{names[required[0]]}>")
    numbers = {field: node.number(names[field], 0.0) for field in Advanced._fields if node.one(names[field])}
    controls = []
    for surface in node.all("control_surface"):
        factor = math.degrees(1.0) * surface.number("direction", 1.0)
        effects = {ours: factor * surface.number(f"{theirs}_ctrl", 0.0) for ours, theirs in EFFECTS.items()}
        joint = _found(surface.need("name"), scope, built.joints, "joint")
        controls.append({"joint": joint, **{ours: value for ours, value in effects.items() if value != 0.0}})
    lost.append((f"{node}: pitching moment", "gz-sim loses Cem0 and Cema in it; here they act"))
    site = _found(node.need("link_name"), scope, built.bodies, "link")
    return {"kind": "liftdrag", "site": site, "advanced": numbers, "controls": controls, **_vectors(node)}


def _gz(field: str) -> str:
    """Our name of a coefficient as gz-sim spells it: cema_stall is Cema_stall, clb is CLb."""
    for ours, theirs in (("cell", "Cell"), ("cem", "Cem"), ("cen", "Cen"), ("cl", "CL"), ("cd", "CD"), ("cy", "CY")):
        if field.startswith(ours):
            return theirs + field.removeprefix(ours)
    return field


def _vectors(node: Node) -> Part:
    usual = {"cp": (0.0, 0.0, 0.0), "forward": (1.0, 0.0, 0.0), "upward": (0.0, 0.0, 1.0)}
    part: Part = {name: list(node.numbers(name, 3, default)) for name, default in usual.items()}
    if node.one("air_density"):
        part["air_density"] = node.number("air_density", 0.0)
    return part


def _cessna(node: Node, scope: str, built: Built, lost: Lost) -> dict[str, Part]:
    """A servo per joint: the propeller follows a speed, surfaces an angle, each with the plugin's gain and limit."""
    top = node.number("propeller_max_rpm", 0.0)
    if top == 0.0:
        raise InputError(f"{node}: <propeller_max_rpm> must be there and not zero")
    gains = {
        kind: {name: node.number(f"{kind}_{name}_gain", value) for name, value in GAINS.items()}
        for kind in ("propeller", "surfaces")
    }
    for kind, given in gains.items():
        if given["i"] != 0.0 or (kind == "propeller" and given["d"] != 0.0):
            lost.append((f"{node}: {kind} gains i {given['i']:g}, d {given['d']:g}", "a servo here has neither"))
    parts: dict[str, Part] = {}
    for channel, name in enumerate(CESSNA):
        joint = _found(node.need(name), scope, built.joints, "joint")
        kind = "propeller" if name == "propeller" else "surfaces"
        kp, kd = gains[kind]["p"], gains[kind]["d"]
        if kind == "propeller":
            law = (kp * top * math.pi / 30.0, 0.0, -kp)
            servo = _servo(built, name, joint, law, PROPELLER_LIMIT, channel)
            parts[f"{name}_servo"] = {**servo, "low": -1.0, "high": 1.0}
        else:
            parts[f"{name}_servo"] = _servo(built, name, joint, (kp, -kp, -kd), SURFACE_LIMIT, channel)
    return parts


def _position_controller(node: Node, scope: str, built: Built, channel: int, lost: Lost) -> dict[str, Part]:
    """gz-sim's JointPositionController: the joint follows the angle on a channel."""
    joint = _found(node.need("joint_name"), scope, built.joints, "joint")
    kp, kd, ki = node.number("p_gain", 1.0), node.number("d_gain", 0.1), node.number("i_gain", 0.1)
    if ki != 0.0:
        lost.append((f"{node}: i_gain {ki:g}", "a servo here has none"))
    limit = min(abs(node.number("cmd_max", 1000.0)), abs(node.number("cmd_min", -1000.0)))
    return {f"{joint}_servo": _servo(built, joint, joint, (kp, -kp, -kd), limit, channel)}


def _servo(built: Built, name: str, joint: str, law: tuple[float, float, float], limit: float, channel: int) -> Part:
    """An actuator of force g u + a q + b q', held within a limit, and the part that gives it u."""
    actuators = built.mjcf.find("actuator")
    actuators = ET.SubElement(built.mjcf, "actuator") if actuators is None else actuators
    gain, angle, speed = law
    made = {"name": name, "joint": joint, "gainprm": repr(gain), "biasprm": f"0 {angle!r} {speed!r}"}
    ET.SubElement(actuators, "general", {**made, "biastype": "affine", "forcerange": f"{-limit!r} {limit!r}"})
    low, high = _range(built.mjcf, joint)
    return {"kind": "servo", "channel": channel, "actuator": name, "low": low, "high": high}


def _range(mjcf: ET.Element, joint: str) -> tuple[float, float]:
    found = next(element for element in mjcf.iter("joint") if element.get("name") == joint)
    low, high = (float(end) for end in found.get("range", "-3.2 3.2").split())
    return low, high


def _found(node: Node, scope: str, names: dict[str, str], what: str) -> str:
    """Our name of a link or joint, as a plugin in `scope` names it."""
    for name in (f"{scope}{node.text}", node.text):
        if name in names:
            return names[name]
    raise InputError(f"{node}: there is no {what} {node.text!r}; there are: {', '.join(names) or 'none'}")


def _name(node: Node, parts: dict[str, Part]) -> str:
    """A name of its own for a part."""
    start = "".join(c if c.isalnum() else "_" for c in node.name.rpartition("::")[2]) or "surface"
    name, k = start, 2
    while name in parts:
        name, k = f"{start}_{k}", k + 1
    return name
