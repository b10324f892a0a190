"""A URDF robot as MJCF text: every link a body with its own mass, centre and full inertia, kept to the last digit.

URDF turns the inertia tensor by the rotation of its `inertial` origin; MJCF wants it in the axes of the body.
"""

import math
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.last_letter.values import Lost
from cupola.physics.rotation import Euler, Vector, quaternion_from_euler, rotate
from cupola.schema.yaml_files import InputError

ROOT = "body_FLU"
TURNING = {"continuous": "hinge", "revolute": "hinge", "prismatic": "slide"}
HIDDEN = {"group": "3"}
VISUAL = {"contype": "0", "conaffinity": "0", "group": "1"}
Array = np.ndarray[Any, Any]


class Robot(NamedTuple):
    """The MJCF, and the links that became bodies."""

    mjcf: ET.Element
    links: list[str]


class _Builder:
    """Walks the tree of links."""

    def __init__(self, robot: ET.Element, source: str, lost: list[Lost]) -> None:
        self.source, self.lost = source, lost
        self.links = {link.attrib["name"]: link for link in robot.iter("link")}
        self.joints: dict[str, list[ET.Element]] = {}
        for joint in robot.findall("joint"):
            self.joints.setdefault(_link(joint, "parent"), []).append(joint)
        others = [element for element in robot if element.tag not in ("link", "joint", "material")]
        lost += [(f"{source}: <{element.tag}>", _about(element)) for element in others]
        self.colours = {m.get("name"): m for m in robot.findall("material")}

    def body(self, name: str, place: ET.Element | None) -> ET.Element:
        if name not in self.links:
            raise InputError(f"{self.source}: there is no link {name!r}; there are: {', '.join(self.links)}")
        link = self.links[name]
        body = ET.Element("body", {"name": name, **_pose(place)})
        self._inertial(link, body)
        drawn = [self._geom(name, "visual", shape, body, VISUAL) for shape in link.findall("visual")]
        for shape in link.findall("collision"):  # hidden where there is something better to look at
            self._geom(name, "collision", shape, body, HIDDEN if any(drawn) else {})
        ET.SubElement(body, "site", {"name": name})
        for joint in self.joints.get(name, []):
            child = self.body(_link(joint, "child"), joint.find("origin"))
            self._joint(joint, child)
            body.append(child)
        return body

    def _inertial(self, link: ET.Element, body: ET.Element) -> None:
        inertial = link.find("inertial")
        if inertial is None:
            return
        mass, tensor = inertial.find("mass"), inertial.find("inertia")
        if mass is None or tensor is None:
            raise InputError(f"{self.source}: link {link.get('name')!r}: <inertial> needs <mass> and <inertia>")
        origin = inertial.find("origin")
        inertia = turned(inertia_matrix(tensor), rotation(origin))
        six = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        ET.SubElement(
            body,
            "inertial",
            {"pos": _text(_vector(origin, "xyz")), "mass": mass.attrib["value"], "fullinertia": _text(six)},
        )

    def _geom(self, link: str, kind: str, shape: ET.Element, body: ET.Element, options: dict[str, str]) -> bool:
        """Add a shape; False for one that cannot be drawn."""
        geometry = shape.find("geometry")
        solid = geometry[0] if geometry is not None and len(geometry) else None
        size = _size(solid)
        if solid is None or size is None:
            what = "nothing" if solid is None else f"<{solid.tag}> {solid.get('filename', '')}".strip()
            self.lost.append((f"{self.source}: {kind} of {link}: {what}", "only box, cylinder and sphere are drawn"))
            return False
        colour = shape.find("material")
        name = colour.get("name") if colour is not None else None
        found = colour if colour is not None and colour.find("color") is not None else self.colours.get(name)
        rgba = found.find("color") if found is not None else None
        look = {"rgba": rgba.attrib["rgba"]} if rgba is not None else {}
        pose = _pose(shape.find("origin"))
        ET.SubElement(body, "geom", {"type": solid.tag, "size": _text(size), **pose, "mass": "0", **look, **options})
        return True

    def _joint(self, joint: ET.Element, body: ET.Element) -> None:
        name, kind = joint.attrib["name"].strip(), joint.attrib["type"]
        limit = joint.find("limit")
        low, high = (float(limit.get(side, 0)) if limit is not None else 0.0 for side in ("lower", "upper"))
        where = f"{self.source}: joint {name}"
        if kind == "fixed" or (kind != "continuous" and kind in TURNING and low >= high):
            return  # a revolute joint without range is how Last_letter_2 writes a fixed one: see its §6.1
        if kind not in TURNING:
            raise InputError(f"{where}: type {kind!r}; known: fixed, {', '.join(TURNING)}")
        if name.startswith("motor") and "_to_axle" in name:
            self.lost.append((f"{where} ({kind})", "fixed: the rotor part has the angle and the speed of the shaft"))
            return
        axis = joint.find("axis")
        made = {"name": name, "type": TURNING[kind], "axis": axis.attrib["xyz"] if axis is not None else "1 0 0"}
        if kind != "continuous":
            ends = [low, high] if kind == "prismatic" else [math.degrees(low), math.degrees(high)]
            made |= {"limited": "true", "range": _text(ends)}
        dynamics = joint.find("dynamics")
        if dynamics is not None:
            made |= {"damping": dynamics.get("damping", "0"), "frictionloss": dynamics.get("friction", "0")}
        if limit is not None:
            given = ", ".join(f"{key} {limit.get(key)}" for key in ("effort", "velocity") if limit.get(key))
            if given:
                self.lost.append((f"{where}: limit {given}", "a joint has no such limits here"))
        ET.SubElement(body, "joint", made)


def convert(robot: ET.Element, name: str, source: str, lost: list[Lost]) -> Robot:
    """The MJCF of a URDF without xacro; its root must be `body_FLU`, as everywhere in Last_letter_2."""
    builder = _Builder(robot, source, lost)
    mjcf = ET.Element("mujoco", {"model": name})
    body = builder.body(ROOT, None)
    body.insert(0, ET.Element("freejoint"))
    ET.SubElement(mjcf, "worldbody").append(body)
    reached = [element.attrib["name"] for element in body.iter("body")]
    lost += [(f"{source}: link {link}", "no joint leads to it") for link in builder.links if link not in reached]
    return Robot(mjcf, reached)


def inertia_matrix(tensor: ET.Element) -> Array:
    """3 × 3, [kg m²]."""
    xx, yy, zz, xy, xz, yz = (float(tensor.get(f"i{axes}", 0)) for axes in ("xx", "yy", "zz", "xy", "xz", "yz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def rotation(origin: ET.Element | None) -> Array:
    """Matrix of a URDF origin: its columns are the turned axes."""
    quat = quaternion_from_euler(Euler(*_vector(origin, "rpy")))
    axes = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
    return np.array([rotate(quat, axis) for axis in axes]).T


def turned(inertia: Array, turn: Array) -> Array:
    """The tensor in the axes that `turn` leads to."""
    result: Array = turn @ inertia @ turn.T
    return result


def _size(solid: ET.Element | None) -> list[float] | None:
    """Half sizes, as MJCF has them."""
    if solid is None:
        return None
    match solid.tag:
        case "box":
            return [float(edge) / 2 for edge in solid.attrib["size"].split()]
        case "cylinder":
            return [float(solid.attrib["radius"]), float(solid.attrib["length"]) / 2]
        case "sphere":
            return [float(solid.attrib["radius"])]
    return None


def _pose(origin: ET.Element | None) -> dict[str, str]:
    place, angles = _vector(origin, "xyz"), _vector(origin, "rpy")
    pose = {"pos": _text(place)} if any(place) else {}
    return pose | ({"quat": _text(quaternion_from_euler(Euler(*angles)))} if any(angles) else {})


def _vector(origin: ET.Element | None, key: str) -> list[float]:
    text = origin.get(key, "0 0 0") if origin is not None else "0 0 0"
    return [float(number) for number in text.split()]


def _text(numbers: Any) -> str:
    return " ".join(repr(float(number)) for number in numbers)


def _link(joint: ET.Element, end: str) -> str:
    found = joint.find(end)
    if found is None:
        raise InputError(f"joint {joint.get('name')!r} has no <{end}>")
    return found.attrib["link"]


def _about(element: ET.Element) -> str:
    """What is in an element that has no counterpart here."""
    inside = [f"{e.tag} {e.get('name', '')}".strip() for e in element.iter() if e.tag in ("sensor", "plugin")]
    rest = [f"{e.tag} {(e.text or '').strip()}" for e in element if e.tag not in ("sensor", "plugin")]
    link = f"of {element.get('reference')}: " if element.get("reference") else ""
    return f"{link}{'; '.join([*inside, *rest]) or 'empty'}; add a part by hand where you need it"
