"""A robot as MJCF: every link a body with its own mass, centre and full inertia, every joint at its place."""

import math
from collections import Counter
from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.inertia import SIX, repair_inertia
from cupola.bridge.limits import LONGEST_CHAIN, MOST_LINKS
from cupola.bridge.report import Report
from cupola.bridge.sdf.meshes import Meshes
from cupola.bridge.sdf.pose import NOWHERE, Pose, attributes, between, matrix, text
from cupola.bridge.sdf.robot import Gear, Joint, Link, Robot, Shape
from cupola.bridge.sdf.solids import solid_inertias
from cupola.physics.rotation import dot, scale, unrotate
from cupola.schema.input_files import InputError

Lost = list[tuple[str, str]]
VISUAL = {"contype": "0", "conaffinity": "0", "group": "1"}
COLLISION = {"contype": "2", "conaffinity": "1", "group": "3"}
"""Links of one model do not touch each other, as SDF has it; they touch the world and other vehicles."""
LIGHT, LIGHT_INERTIA = 1e-6, 1e-9
"""[kg] and [kg m²] of a link that moves and has no mass: MuJoCo wants some, and nothing notices it."""
SHEET = 5e-4
"""[m] Half the thickness of a plane that moves."""
ROLLING, TORSION = 0.005, 0.0001
WORLD = "world"


class Built(NamedTuple):
    """The MJCF and the names that things of the source have in it."""

    mjcf: ET.Element
    root: str
    bodies: dict[str, str]
    joints: dict[str, str]
    """Scoped name to name; a second axis has `_2` behind it."""


class Builder:
    """Walks the tree of links from the root."""

    def __init__(self, robot: Robot, meshes: Meshes, report: Report) -> None:
        self.robot, self.meshes, self.report = robot, meshes, report
        self.lost: Lost = report.lost
        self._drop_world()
        if len(self.robot.links) > MOST_LINKS or len(robot.joints) > MOST_LINKS:
            raise InputError(
                f"{robot.name}: {len(robot.links)} links and {len(robot.joints)} joints; {MOST_LINKS} are read"
            )
        if not self.robot.links:
            raise InputError(f"{robot.name}: there is no <link> in it, so there is nothing that could be a vehicle")
        self.bodies: dict[str, str] = short_names([*self.robot.links])
        self.joint_names: dict[str, str] = short_names([joint.name for joint in robot.joints])
        self.children: dict[str, list[Joint]] = {}
        self.above: dict[str, Joint] = {}
        self.emptied: list[str] = []
        """Joints that cannot move, as both of their limits are the same."""
        for given in robot.joints:
            joint = given if given.child != WORLD else _turned_round(given)
            if joint.child in self.above:
                first = self.above[joint.child].name
                self.lost.append((joint.where, f"closes a loop: {joint.child} hangs on {first} already; left out"))
                continue
            self.above[joint.child] = joint
            self.children.setdefault(joint.parent, []).append(joint)

    def _drop_world(self) -> None:
        """A link called world is the world itself, whatever it weighs; MuJoCo knows it by that name too."""
        world = self.robot.links.get(WORLD)
        if world is None:
            return
        links = {name: link for name, link in self.robot.links.items() if name != WORLD}
        self.robot = self.robot._replace(links=links)
        self.report.assume(world.where, "a link of this name is the world itself: it stands still and weighs nothing")
        if world.visuals or world.collisions:
            self.lost.append((f"{world.where}: its shapes", "they are the world's, and not the vehicle's"))

    def build(self) -> Built:
        """The tree with the most links; others are listed."""
        trees = {name: self._reach(name) for name in self.robot.links if self._is_root(name)}
        if not trees:
            ring = ", ".join(self.above)
            raise InputError(f"{self.robot.name}: every link has a parent ({ring}): there is no root to begin with")
        root = max(trees, key=lambda name: (len(trees[name]), self.robot.links[name].mass))
        for other, reached in trees.items():
            if other != root:
                more = f" and {len(reached) - 1} more links" if len(reached) > 1 else ""
                self.lost.append((f"{self.robot.links[other].where}{more}", f"no joint leads to it from {root}"))
        hanging = {name for links in trees.values() for name in links}
        for name in self.robot.links:
            if name not in hanging:
                self.lost.append((self.robot.links[name].where, "it hangs in a ring of joints that has no beginning"))
        mjcf = ET.Element("mujoco", {"model": self.robot.name})
        ET.SubElement(mjcf, "compiler", {"angle": "radian", "meshdir": "meshes", "autolimits": "true"})
        self.asset = ET.SubElement(mjcf, "asset")
        world = ET.SubElement(mjcf, "worldbody")
        body = self._body(self.robot.links[root], Pose(*self.robot.links[root].pose))
        if root in self.above:  # held in the world
            self._joints(self.above[root], self.robot.links[root], body)
        elif self._fixed_mass(root) <= 0.0:
            said = "it has no mass, nor what is fixed to it: it is held in the world, as other simulators do"
            self.report.assume(self.robot.links[root].where, said)
        else:
            body.insert(0, ET.Element("freejoint"))
        world.append(body)
        self._mimics(mjcf, set(trees[root]))
        self._gears(mjcf, set(trees[root]))
        if not len(self.asset):
            mjcf.remove(self.asset)
        used = set(trees[root])
        bodies = {scoped: name for scoped, name in self.bodies.items() if scoped in used}
        moving = {element.get("name") for element in mjcf.iter("joint")}
        if self.emptied and not moving:
            said = "all of its joints have limits that allow no motion, and so it is rigid: widen them in the source"
            self.report.warnings.append(said)
        joints = {j.name: self.joint_names[j.name] for j in self.robot.joints if self.joint_names[j.name] in moving}
        return Built(mjcf, self.bodies[root], bodies, joints)

    def _is_root(self, name: str) -> bool:
        return name not in self.above or self.above[name].parent == WORLD

    def _reach(self, name: str) -> list[str]:
        """The links of a tree, from its root."""
        found: list[str] = []
        row = [name]
        for _ in range(LONGEST_CHAIN + 1):
            if not row:
                return found
            found += row
            row = [joint.child for one in row for joint in self.children.get(one, [])]
        raise InputError(f"{self.robot.links[name].where}: more than {LONGEST_CHAIN} links hang on it in a row")

    def _body(self, link: Link, place: Pose) -> ET.Element:
        body = ET.Element("body", {"name": self.bodies[link.name], **attributes(place)})
        if link.weightless:
            body.set("gravcomp", "1")
        if link.mass <= 0.0 and self._moves_alone(link.name):
            link = link._replace(mass=LIGHT, inertia=LIGHT_INERTIA * np.eye(3), com=NOWHERE)
            said = f"{LIGHT:g} kg, {LIGHT_INERTIA:g} kg m²"
            self.report.repair(f"{link.where}: mass", "none", said, "a body that moves must have some")
        if link.mass > 0.0 or link.inertia.any():  # URDF has frames that are links without mass
            turn = matrix(link.com.quat)
            own = repair_inertia(link.mass, link.inertia, link.where, self.report, solid_inertias(link))
            tensor = turn @ own @ turn.T
            six = [tensor[i, j] for i, j in SIX]
            given = {"pos": text(link.com.pos), "mass": repr(link.mass), "fullinertia": text(six)}
            ET.SubElement(body, "inertial", given)
        for shape in link.visuals:
            self._geoms(shape, body, VISUAL)
        for shape in link.collisions:
            grip = {} if shape.friction is None else {"friction": text([shape.friction, ROLLING, TORSION])}
            self._geoms(shape, body, {**COLLISION, **grip, "priority": "1"}, one_piece=True)
        ET.SubElement(body, "site", {"name": self.bodies[link.name], "group": "4"})
        for joint in self.children.get(link.name, []):
            child = self.robot.links[joint.child]
            made = self._body(child, between(link.pose, child.pose))
            self._joints(joint, child, made)
            body.append(made)
        return body

    def _moves_alone(self, name: str) -> bool:
        """Whether a link turns on a joint of its own, and nothing that is fixed to it has mass."""
        moves = name in self.above and self.above[name].kind != "fixed"
        return moves and self._fixed_mass(name) <= 0.0

    def _fixed_mass(self, name: str) -> float:
        """[kg] of a link with all that is fixed to it."""
        fixed = [name]
        for one in fixed:
            fixed += [joint.child for joint in self.children.get(one, []) if joint.kind == "fixed"]
        return sum(self.robot.links[one].mass for one in fixed)

    def _joints(self, joint: Joint, child: Link, body: ET.Element) -> None:
        """Before the inertial of the child: MuJoCo applies them in their order."""
        place = between(child.pose, joint.pose).pos
        if joint.kind == "ball":
            body.insert(
                0, ET.Element("joint", {"name": self.joint_names[joint.name], "type": "ball", "pos": text(place)})
            )
        for k, axis in enumerate(joint.axes):
            name = self.joint_names[joint.name] + ("" if k == 0 else f"_{k + 1}")
            made = {
                "name": name,
                "type": "slide" if joint.kind == "prismatic" or axis.slides else "hinge",
                "pos": text(place),
                "axis": text(unrotate(child.pose.quat, axis.direction)),
            }
            if axis.low is not None or axis.high is not None:
                low, high = (-1e6 if axis.low is None else axis.low), (1e6 if axis.high is None else axis.high)
                if low == high:
                    self.lost.append((joint.where, f"its range is empty ({low:g}); it was fixed instead"))
                    self.emptied.append(joint.where)
                    continue
                made["range"] = text((low, high))
            for key, value in (
                ("damping", axis.damping),
                ("frictionloss", axis.friction),
                ("stiffness", axis.stiffness),
            ):
                if value > 0.0:
                    made[key] = repr(value)
                elif value < 0.0:
                    self.lost.append((f"{joint.where}: {key} {value:g}", "negative; left out"))
            if axis.stiffness > 0.0:
                made["springref"] = repr(axis.rest)
            if axis.effort:
                made["actuatorfrcrange"] = text((-axis.effort, axis.effort))
            body.insert(k, ET.Element("joint", made))

    def _geoms(self, shape: Shape, body: ET.Element, options: dict[str, str], one_piece: bool = False) -> None:
        pose = attributes(shape.pose)
        if shape.kind != "mesh":
            if min(shape.size) <= 0.0:
                self.lost.append((shape.where, f"a {shape.kind} of size {text(shape.size)}, which is nothing to see"))
                return
            sheet = shape.kind == "plane"  # MuJoCo has planes on the ground alone
            kind, size = ("box", (*shape.size, SHEET)) if sheet else (shape.kind, shape.size)
            colour = {"rgba": text(shape.rgba)} if shape.rgba else {}
            made = {"type": kind, "size": text(size), **pose, "mass": "0", **colour, **options}
            ET.SubElement(body, "geom", made)
            return
        for name, rgba in self.meshes.add(shape, self.asset, self.lost, one_piece):
            colour = {"rgba": text(shape.rgba or rgba)}
            ET.SubElement(body, "geom", {"type": "mesh", "mesh": name, **pose, "mass": "0", **colour, **options})

    def _mimics(self, mjcf: ET.Element, used: set[str]) -> None:
        """Joints that follow others; one whose leader stands is held where that puts it."""
        follow = [joint for joint in self.robot.joints if joint.mimic and joint.child in used]
        moving = {element.get("name") for element in mjcf.iter("joint") if element.get("type") != "ball"}
        rows = []
        for joint in follow:
            assert joint.mimic is not None
            own, leader = self.joint_names[joint.name], self.joint_names.get(joint.mimic.joint)
            if leader is None or leader == own:
                why = "itself" if leader else f"the joint {joint.mimic.joint!r}, which is not there"
                self.lost.append((f"{joint.where}: mimic", f"it follows {why}; it moves as it is pushed"))
            elif own not in moving:
                self.lost.append((f"{joint.where}: mimic", "the joint is fixed, and follows nothing"))
            else:
                law = [joint.mimic.offset, joint.mimic.multiplier, 0, 0, 0]
                rows.append({"joint1": own, "joint2": leader, "polycoef": text(law)})
                if leader not in moving:
                    del rows[-1]["joint2"]
                    why = f"{joint.mimic.joint} is fixed, and so this joint is held at {joint.mimic.offset:g}"
                    self.lost.append((f"{joint.where}: mimic", why))
        if rows:
            equality = ET.SubElement(mjcf, "equality")
            for row in rows:
                ET.SubElement(equality, "joint", row)

    def _gears(self, mjcf: ET.Element, used: set[str]) -> None:
        """Gearboxes, as equalities of the joints of their two links."""
        for gear in self.robot.gears:
            first, second = (self._turning(end, gear, k) for k, end in enumerate((gear.parent, gear.child)))
            if first is None or second is None or not {gear.parent, gear.child} <= used:
                self.lost.append((gear.where, f"a gearbox whose links do not both turn in {gear.reference}"))
                continue
            found = mjcf.find("equality")
            equality = ET.SubElement(mjcf, "equality") if found is None else found
            names = {"joint1": self.joint_names[second[0].name], "joint2": self.joint_names[first[0].name]}
            law = text([0.0, -gear.ratio * first[1] * second[1], 0, 0, 0])
            ET.SubElement(equality, "joint", {**names, "polycoef": law})

    def _turning(self, link: str, gear: Gear, k: int) -> tuple[Joint, float] | None:
        """The hinge of a link in the reference of a gearbox; and 1 if its angle counts as the gear's, else -1."""
        for joint in self.robot.joints:
            if {joint.parent, joint.child} == {link, gear.reference} and joint.kind == "revolute":
                along = dot(joint.axes[0].direction, gear.axes[k])
                return joint, math.copysign(1.0, along if joint.child == link else -along)
        return None


def _turned_round(joint: Joint) -> Joint:
    """A joint whose child is the world, as one that hangs on it: what moves is the other end."""
    axes = [axis._replace(direction=scale(-1.0, axis.direction)) for axis in joint.axes]
    return joint._replace(parent=WORLD, child=joint.parent, axes=axes)


def short_names(scoped: list[str]) -> dict[str, str]:
    """The last part of each scoped name where it is the only one of its kind, else all parts."""
    last = Counter(name.rpartition("::")[2] for name in scoped)
    return {
        name: name.rpartition("::")[2] if last[name.rpartition("::")[2]] == 1 else name.replace("::", "_")
        for name in scoped
    }
