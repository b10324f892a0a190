"""A URDF robot as MJCF text: every link a body with its own mass, centre and full inertia, kept to the last digit.

URDF turns the inertia tensor by the rotation of its `inertial` origin; MJCF wants it in the axes of the body.
"""

import math
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.last_letter.values import Lost
from cupola.bridge.limits import LONGEST_CHAIN
from cupola.physics.rotation import Euler, Vector, quaternion_from_euler, rotate
from cupola.schema.input_files import InputError
from cupola.schema.xml_files import number_at, numbers_at, text_at

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
        self.links = named(robot.findall("link"), source)
        self.joints: dict[str, list[ET.Element]] = {}
        self.hung: dict[str, str] = {}
        for name, joint in named(robot.findall("joint"), source).items():
            parent, child = (_link(joint, end, f"{source}: joint {name}") for end in ("parent", "child"))
            if child in self.hung or child == ROOT:
                other = self.hung.get(child, "the root")
                lost.append((f"{source}: joint {name}", f"closes a loop: {child} hangs on {other} already; left out"))
                continue
            self.hung[child] = name
            self.joints.setdefault(parent, []).append(joint)
        others = [element for element in robot if element.tag not in ("link", "joint", "material")]
        lost += [(f"{source}: <{element.tag}>", _about(element)) for element in others]
        self.colours = {m.get("name"): m for m in robot.findall("material")}

    def body(self, name: str, place: ET.Element | None, level: int = 0) -> ET.Element:
        if level > LONGEST_CHAIN:
            raise InputError(f"{self.source}: link {name!r} hangs on more than {LONGEST_CHAIN} others in a row")
        if name not in self.links:
            raise InputError(f"{self.source}: there is no link {name!r}; there are: {', '.join(self.links)}")
        link, where = self.links[name], f"{self.source}: link {name}"
        body = ET.Element("body", {"name": name, **_pose(place, where)})
        self._inertial(link, body, where)
        drawn = [self._geom(name, "visual", shape, body, VISUAL) for shape in link.findall("visual")]
        for shape in link.findall("collision"):  # hidden where there is something better to look at
            self._geom(name, "collision", shape, body, HIDDEN if any(drawn) else {})
        ET.SubElement(body, "site", {"name": name})
        for joint in self.joints.get(name, []):
            child = self.body(_link(joint, "child", where), joint.find("origin"), level + 1)
            self._joint(joint, child)
            body.append(child)
        return body

    def _inertial(self, link: ET.Element, body: ET.Element, where: str) -> None:
        inertial = link.find("inertial")
        if inertial is None:
            return
        mass, tensor = inertial.find("mass"), inertial.find("inertia")
        if mass is None or tensor is None:
            raise InputError(f"{where}: <inertial> needs <mass> and <inertia>")
        origin = inertial.find("origin")
        inertia = turned(inertia_matrix(tensor, where), rotation(origin, where))
        six = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        place, heavy = _text(_vector(origin, "xyz", where)), _text([number_at(mass, "value", where)])
        ET.SubElement(body, "inertial", {"pos": place, "mass": heavy, "fullinertia": _text(six)})

    def _geom(self, link: str, kind: str, shape: ET.Element, body: ET.Element, options: dict[str, str]) -> bool:
        """Add a shape; False for one that cannot be drawn."""
        geometry = shape.find("geometry")
        solid = geometry[0] if geometry is not None and len(geometry) else None
        where = f"{self.source}: {kind} of {link}"
        size = _size(solid, where)
        if solid is None or size is None:
            what = "nothing" if solid is None else f"<{solid.tag}> {solid.get('filename', '')}".strip()
            self.lost.append((f"{where}: {what}", "only box, cylinder and sphere are drawn"))
            return False
        colour = shape.find("material")
        name = colour.get("name") if colour is not None else None
        found = colour if colour is not None and colour.find("color") is not None else self.colours.get(name)
        rgba = found.find("color") if found is not None else None
        look = {"rgba": _text(numbers_at(rgba, "rgba", 4, where))} if rgba is not None else {}
        pose = _pose(shape.find("origin"), where)
        ET.SubElement(body, "geom", {"type": solid.tag, "size": _text(size), **pose, "mass": "0", **look, **options})
        return True

    def _joint(self, joint: ET.Element, body: ET.Element) -> None:
        name, limit = joint.attrib["name"].strip(), joint.find("limit")
        where = f"{self.source}: joint {name}"
        kind = text_at(joint, "type", where)
        low, high = (number_at(limit, side, where, 0.0) if limit is not None else 0.0 for side in ("lower", "upper"))
        if kind == "fixed" or (kind != "continuous" and kind in TURNING and low >= high):
            return  # a revolute joint without range is how Last_letter_2 writes a fixed one: see its §6.1
        if kind not in TURNING:
            raise InputError(f"{where}: type {kind!r}; known: fixed, {', '.join(TURNING)}")
        if name.startswith("motor") and "_to_axle" in name:
            self.lost.append((f"{where} ({kind})", "fixed: the rotor part has the angle and the speed of the shaft"))
            return
        axis = joint.find("axis")
        along = numbers_at(axis, "xyz", 3, where, "1 0 0") if axis is not None else [1.0, 0.0, 0.0]
        made = {"name": name, "type": TURNING[kind], "axis": _text(along)}
        if kind != "continuous":
            ends = [low, high] if kind == "prismatic" else [math.degrees(low), math.degrees(high)]
            made |= {"limited": "true", "range": _text(ends)}
        dynamics = joint.find("dynamics")
        if dynamics is not None:
            given = [number_at(dynamics, key, where, 0.0) for key in ("damping", "friction")]
            made |= {"damping": _text(given[:1]), "frictionloss": _text(given[1:])}
        if limit is not None:
            unused = ", ".join(f"{key} {limit.get(key)}" for key in ("effort", "velocity") if limit.get(key))
            if unused:
                self.lost.append((f"{where}: limit {unused}", "a joint has no such limits here"))
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


def named(elements: list[ET.Element], source: str) -> dict[str, ET.Element]:
    """Elements by their names, which must be there and differ."""
    found: dict[str, ET.Element] = {}
    for element in elements:
        name = text_at(element, "name", source)
        if name in found:
            raise InputError(f"{source}: there are two <{element.tag}> called {name!r}")
        found[name] = element
    return found


def inertia_matrix(tensor: ET.Element, where: str) -> Array:
    """3 × 3, [kg m²]."""
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    xx, yy, zz, xy, xz, yz = (number_at(tensor, key, where, 0.0) for key in keys)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def rotation(origin: ET.Element | None, where: str) -> Array:
    """Matrix of a URDF origin: its columns are the turned axes."""
    quat = quaternion_from_euler(Euler(*_vector(origin, "rpy", where)))
    axes = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
    return np.array([rotate(quat, axis) for axis in axes]).T


def turned(inertia: Array, turn: Array) -> Array:
    """The tensor in the axes that `turn` leads to."""
    result: Array = turn @ inertia @ turn.T
    return result


def _size(solid: ET.Element | None, where: str) -> list[float] | None:
    """Half sizes, as MJCF has them."""
    if solid is None:
        return None
    match solid.tag:
        case "box":
            return [edge / 2 for edge in numbers_at(solid, "size", 3, where)]
        case "cylinder":
            return [number_at(solid, "radius", where), number_at(solid, "length", where) / 2]
        case "sphere":
            return [number_at(solid, "radius", where)]
    return None


def _pose(origin: ET.Element | None, where: str) -> dict[str, str]:
    place, angles = _vector(origin, "xyz", where), _vector(origin, "rpy", where)
    pose = {"pos": _text(place)} if any(place) else {}
    return pose | ({"quat": _text(quaternion_from_euler(Euler(*angles)))} if any(angles) else {})


def _vector(origin: ET.Element | None, key: str, where: str) -> list[float]:
    return numbers_at(origin, key, 3, where, "0 0 0") if origin is not None else [0.0, 0.0, 0.0]


def _text(numbers: Any) -> str:
    return " ".join(repr(float(number)) for number in numbers)


def _link(joint: ET.Element, end: str, where: str) -> str:
    found = joint.find(end)
    if found is None:
        raise InputError(f"{where} has no <{end}>")
    return text_at(found, "link", where)


def _about(element: ET.Element) -> str:
    """What is in an element that has no counterpart here."""
    inside = [f"{e.tag} {e.get('name', '')}".strip() for e in element.iter() if e.tag in ("sensor", "plugin")]
    rest = [f"{e.tag} {(e.text or '').strip()}" for e in element if e.tag not in ("sensor", "plugin")]
    link = f"of {element.get('reference')}: " if element.get("reference") else ""
    return f"{link}{'; '.join([*inside, *rest]) or 'empty'}; add a part by hand where you need it"
