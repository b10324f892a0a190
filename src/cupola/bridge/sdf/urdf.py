"""URDF read into the same robot. A joint's origin stands in its parent link; the child's frame is the joint's."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.last_letter.robot import inertia_matrix, named
from cupola.bridge.last_letter.xacro import read_robot
from cupola.bridge.limits import LONGEST_CHAIN
from cupola.bridge.report import Report
from cupola.bridge.sdf.document import find_file, with_packages
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import NOWHERE, Pose, chain, pose_of, unit_vector
from cupola.bridge.sdf.robot import Axis, Joint, Link, Mimic, Rgba, Robot, Shape
from cupola.bridge.sdf.rotor_joints import RATE, mark_rotor_joints
from cupola.bridge.sdf.shapes import MESHES
from cupola.bridge.tolerant_numbers import tolerant_numbers
from cupola.physics.rotation import Vector, rotate
from cupola.schema.input_files import InputError
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import is_endless, numbers_at, text_at

KINDS = {
    "fixed": "fixed",
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "planar": "planar",
    "spherical": "ball",
    "ball": "ball",
}
"""Types of joints and what they are here. `spherical` is PyBullet's; `floating` holds nothing, and is no joint."""
FREE = "floating"
WORLD = "world"
"""The link that stands for what does not move."""
DRIVES = ("transmission", "ros2_control", "properties")
"""Elements that say what drives a joint, or which propellers there are."""
KNOWN = ("link", "joint", "material", "gazebo", *DRIVES)
GRIP = ("mu1", "mu", "mu2")
"""Of <gazebo reference="link">: friction, of which the first counts."""
WEIGHTLESS = {"gravity": ("0", "false"), "turnGravityOff": ("1", "true")}
"""There, too: words that take the weight of a link away."""
ENDLESS = 1e6
"""[rad/s] beyond which a limit is none."""


class Urdf:
    """One robot element taken apart."""

    def __init__(
        self,
        path: Path,
        folders: list[Path],
        report: Report,
        root: str = "",
        arguments: Mapping[str, str] | None = None,
    ) -> None:
        self.path, self.report, self.lost = path, report, report.lost
        self.folders = with_packages(path, folders)
        self.robot = read_robot(path, report, self.folders, arguments)
        self.colours = {m.get("name"): _rgba(m) for m in self.robot.iter("material") if m.find("color") is not None}
        self.links = named(self.robot.findall("link"), path.name)
        self.joints: list[ET.Element] = []
        self.free: dict[str, ET.Element] = {}
        """Floating joints by their child: they place it, and hold nothing."""
        for name, joint in named(self.robot.findall("joint"), path.name).items():
            if root and self._end(joint, "child") == root:
                report.lose(f"{path.name}: joint {name}", f"closes a loop: {root} is the root of the tree; left out")
            elif joint.get("type") == FREE:
                held = f"{self._end(joint, 'child')} is free of {self._end(joint, 'parent')}"
                report.assume(f"{path.name}: joint {name}", f"a floating joint holds nothing: {held}")
                self.free[self._end(joint, "child")] = joint
            else:
                self.joints.append(joint)
        self.places: dict[str, Pose] = {}
        # Limits that are not written are 0 by the standard, as Gazebo has it; PyBullet and MuJoCo take them for none.
        self.by_standard: bool = bool(root) or self.robot.find("gazebo") is not None

    def read(self) -> Robot:
        """Links, joints and plugins."""
        above = {**self.free, **{self._end(joint, "child"): joint for joint in self.joints}}
        for name in (*self.links, *above):
            self._place(name, above, ())
        links = {name: self._link(name, link) for name, link in self.links.items() if name != WORLD}
        joints = [self._joint(joint) for joint in self.joints]
        plugins: list[tuple[str, Node]] = []
        sensors: list[tuple[str, Node]] = []
        for gazebo in self.robot.findall("gazebo"):
            reference = gazebo.get("reference")
            for child in gazebo:
                if child.tag == "plugin":
                    plugins.append(("", Node(child, self.path, self.report).take()))
                elif child.tag == "sensor" and reference and self._carrier(reference) in links:
                    node = Node(child, self.path, self.report, f"gazebo {reference}").take()
                    sensors.append((self._carrier(reference), node))
                elif not (reference in links and child.tag in (*GRIP, *WEIGHTLESS)):
                    what = f"{self.path.name}: gazebo {reference or ''}/{child.tag}"
                    self.lost.append((what, f"not read: {' '.join((child.text or '').split())}"))
        rotors = mark_rotor_joints(self.robot)
        drives = [element for tag in DRIVES for element in self.robot.findall(tag)]
        plugins += [("", Node(element, self.path, self.report).take()) for element in drives]
        for element in self.robot:
            if element.tag not in KNOWN and not (rotors and element.tag == RATE):
                self.lost.append((f"{self.path.name}: {element.tag} {element.get('name', '')}", "no counterpart"))
        return Robot(self.robot.get("name") or self.path.stem, NOWHERE, False, links, joints, plugins, sensors)

    def _carrier(self, reference: str) -> str:
        """The link that a <gazebo reference=...> means: a link, or the child of a joint."""
        ends = {joint.get("name", "").strip(): joint for joint in self.joints}
        return self._end(ends[reference], "child") if reference in ends and reference not in self.links else reference

    def _place(self, name: str, above: dict[str, ET.Element], asking: tuple[str, ...]) -> Pose:
        """Pose of a link in the frame of the root."""
        if name in asking:
            raise InputError(f"{self.path}: the links {' → '.join((*asking, name))} hang on each other in a ring")
        if name == WORLD and name not in self.links:
            self.report.assume(f"{self.path.name}: link {WORLD}", "the file has no such link: it is the world itself")
            return NOWHERE
        if name not in self.links:
            raise InputError(f"{self.path}: there is no link {name!r}; there are: {', '.join(self.links) or 'none'}")
        if len(asking) > LONGEST_CHAIN:
            raise InputError(f"{self.path}: link {asking[0]!r} hangs on more than {LONGEST_CHAIN} others in a row")
        if name not in self.places:
            joint = above.get(name)
            self.places[name] = NOWHERE
            if joint is not None:
                parent = self._place(self._end(joint, "parent"), above, (*asking, name))
                self.places[name] = chain(parent, self._origin(joint))
        return self.places[name]

    def _link(self, name: str, link: ET.Element) -> Link:
        where = f"{self.path.name}: link {name}"
        inertial, mass, com, inertia = link.find("inertial"), 0.0, NOWHERE, np.zeros((3, 3))
        if inertial is not None:
            heavy, tensor = inertial.find("mass"), inertial.find("inertia")
            if heavy is None or tensor is None:
                raise InputError(f"{where}: <inertial> needs <mass> and <inertia>")
            mass, com = self._number(heavy, "value", where), self._origin(inertial)
            inertia = inertia_matrix(tensor, where)
            if mass < 0.0:
                self.report.repair(f"{where}: mass", f"{mass:g}", f"{-mass:g}", "a mass must not be negative")
                mass = -mass
        shapes = {
            kind: [made for shape in link.findall(kind) if (made := self._shape(shape, where))]
            for kind in ("visual", "collision")
        }
        said = self._gazebo(name)
        grip = next((said[tag] for tag in GRIP if tag in said), None)
        if grip is not None:
            mu = tolerant_numbers(grip, 1, f"{where}: {GRIP[0]}", self.report)[0]
            shapes["collision"] = [shape._replace(friction=mu) for shape in shapes["collision"]]
            if "mu2" in said and said["mu2"] != grip:
                self.lost.append((f"{where}: mu2 {said['mu2']}", f"one friction for both directions: {mu:g}"))
        floats = any(said.get(tag, "").lower() in words for tag, words in WEIGHTLESS.items())
        return Link(name, self.places[name], mass, com, inertia, shapes["visual"], shapes["collision"], floats, where)

    def _gazebo(self, name: str) -> dict[str, str]:
        """What <gazebo reference="link"> says of it, as text or as an attribute `value`."""
        inside = [one for gazebo in self.robot.findall("gazebo") if gazebo.get("reference") == name for one in gazebo]
        return {one.tag: (one.get("value") or one.text or "").strip() for one in inside}

    def _shape(self, element: ET.Element, where: str) -> Shape | None:
        geometry = element.find("geometry")
        solid = geometry[0] if geometry is not None and len(geometry) else None
        here = f"{where}/{element.tag} {element.get('name', '')}".strip()
        mesh = None
        if solid is not None and solid.tag == "box":
            size = tuple(0.5 * edge for edge in self._numbers(solid, "size", here))
        elif solid is not None and solid.tag in ("cylinder", "capsule"):
            size = (self._number(solid, "radius", here), 0.5 * self._number(solid, "length", here))
        elif solid is not None and solid.tag == "sphere":
            size = (self._number(solid, "radius", here),)
        elif solid is not None and solid.tag == "mesh":
            size = tuple(self._scale(solid, here))
            uri = solid.get("filename", "")
            mesh = find_file(uri, self.folders)
            if mesh is None or mesh.suffix.lower() not in MESHES:
                why = "there is no such file" if mesh is None else f"only {', '.join(MESHES)} are read"
                self.lost.append((f"{here}: mesh {uri}", why))
                return None
        else:
            self.lost.append(
                (here, f"a shape <{solid.tag if solid is not None else 'empty'}>, which is not drawn here")
            )
            return None
        material = element.find("material")
        rgba = None
        if material is not None:
            own = _rgba(material) if material.find("color") is not None else None
            rgba = own or self.colours.get(material.get("name"))
        return Shape(element.get("name", ""), self._origin(element), solid.tag, size, mesh, rgba, None, here)

    def _joint(self, joint: ET.Element) -> Joint:
        name, kind = joint.get("name", "").strip(), joint.get("type", "")
        where = f"{self.path.name}: joint {name}"
        if kind not in KINDS:
            raise InputError(f"{where}: type {kind!r}; known: {', '.join((*KINDS, FREE))}")
        parent, child = self._end(joint, "parent"), self._end(joint, "child")
        pose = self.places[child]
        axes = self._axes(joint, kind, pose, where)
        found, mimic = joint.find("mimic"), None
        if found is not None:
            ratio, offset = (
                self._number(found, key, where, usual) for key, usual in (("multiplier", 1.0), ("offset", 0.0))
            )
            mimic = Mimic(found.get("joint", ""), ratio, offset)
        return Joint(name, KINDS[kind], parent, child, pose, axes, mimic, where)

    def _axes(self, joint: ET.Element, kind: str, pose: Pose, where: str) -> list[Axis]:
        """One that turns or slides; in a plane two that slide, and one that turns about its normal."""
        if kind == "fixed":
            return []
        if KINDS[kind] == "ball":
            for tag in ("limit", "axis", "dynamics"):
                if joint.find(tag) is not None:
                    self.lost.append((f"{where}: {tag}", "a ball joint has none here"))
            return []
        normal = self._axis(joint, kind, pose, where)
        if kind != "planar":
            return [normal]
        if normal.low is not None or normal.high is not None:
            self.lost.append((f"{where}: limit", "a planar joint has no ends here"))
        turns = normal._replace(low=None, high=None)
        return [*(turns._replace(direction=Vector(*way), slides=True) for way in _across(normal.direction)), turns]

    def _axis(self, joint: ET.Element, kind: str, pose: Pose, where: str) -> Axis:
        axis, limit, dynamics = joint.find("axis"), joint.find("limit"), joint.find("dynamics")
        given = self._numbers(axis, "xyz", where, "1 0 0") if axis is not None else [1.0, 0.0, 0.0]
        low = high = effort = speed = None
        unsaid = limit is None or (not self.by_standard and limit.get("lower") is None and limit.get("upper") is None)
        if unsaid and kind in ("revolute", "prismatic"):
            lacks = "<limit>" if limit is None else "lower and upper <limit>"
            self.report.assume(where, f"a {kind} joint without {lacks}: it has no ends")
        if limit is not None:
            if kind != "continuous" and not unsaid:
                low, high = (self._limit(limit, end, where) if limit.get(end) else 0.0 for end in ("lower", "upper"))
            if low is not None and high is not None and low > high:
                said = f"lower {low:g} lies above upper {high:g}"
                self.report.repair(f"{where}: limit", said, "no ends", "no position lies between them")
                low = high = None
            effort = self._limit(limit, "effort", where) or None
            if limit.get("velocity"):
                speed = self._limit(limit, "velocity", where) or None
        return Axis(
            rotate(pose.quat, unit_vector(given, where)),
            low,
            high,
            self._number(dynamics, "damping", where, 0.0) if dynamics is not None else 0.0,
            self._number(dynamics, "friction", where, 0.0) if dynamics is not None else 0.0,
            0.0,
            0.0,
            effort,
            speed=speed if speed is not None and 0.0 < speed < ENDLESS else None,
        )

    def _end(self, joint: ET.Element, end: str) -> str:
        found = joint.find(end)
        if found is None or not found.get("link"):
            raise InputError(f"{self.path.name}: joint {joint.get('name')!r} has no <{end} link=...>")
        return found.attrib["link"].strip()

    def _origin(self, element: ET.Element) -> Pose:
        origin = element.find("origin")
        if origin is None:
            return NOWHERE
        here = f"{self.path.name}: {element.tag} {element.get('name', '')}/origin"
        place, angles = (self._numbers(origin, key, here, "0 0 0") for key in ("xyz", "rpy"))
        return pose_of((*place, *angles), here)

    def _numbers(self, element: ET.Element, key: str, where: str, default: str | None = None) -> list[float]:
        """Three numbers of an attribute, small faults of which are mended and listed."""
        text = default if element.get(key) is None else text_at(element, key, where)
        if text is None:
            raise InputError(f"{where}: <{short(element.tag)}> has no {key!r}")
        return list(tolerant_numbers(text, 3, f"{where}: {short(element.tag)} {key}", self.report, more=True))

    def _scale(self, mesh: ET.Element, where: str) -> list[float]:
        """Of a mesh; a single number is that of all three axes, as Drake takes it."""
        given = mesh.get("scale", "1 1 1").split()
        if len(given) == 1:
            self.report.repair(f"{where}: scale", given[0], " ".join(given * 3), "three numbers were expected")
            mesh.set("scale", " ".join(given * 3))
        return self._numbers(mesh, "scale", where, "1 1 1")

    def _number(self, element: ET.Element, key: str, where: str, default: float | None = None) -> float:
        """One number of an attribute, the same."""
        if default is not None and element.get(key) is None:
            return default
        text = text_at(element, key, where)
        return tolerant_numbers(text, 1, f"{where}: {short(element.tag)} {key}", self.report)[0]

    def _limit(self, element: ET.Element, key: str, where: str) -> float | None:
        """A limit, of which there is none where it is not given or infinite."""
        return None if is_endless(element.get(key) or "inf") else self._number(element, key, where)


def read_urdf(
    path: Path, folders: list[Path], report: Report, root: str = "", arguments: Mapping[str, str] | None = None
) -> Robot:
    """The robot of a URDF file, with the xacro that `cupola import` knows already expanded.

    Where the link that everything hangs on is known, `root`, a joint that would hang it on another is left out.
    """
    return Urdf(path, folders, report, root, arguments).read()


def _across(normal: Vector) -> np.ndarray[Any, Any]:
    """Two unit vectors across a normal, which is then the third of a right-handed frame."""
    least = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = np.cross(least, normal) / np.linalg.norm(np.cross(least, normal))
    return np.array([first, np.cross(normal, first)])


def _rgba(material: ET.Element) -> Rgba | None:
    colour = material.find("color")
    if colour is None:
        return None
    r, g, b, a = numbers_at(colour, "rgba", 4, f"material {short(material.get('name', ''))}")
    return r, g, b, a
