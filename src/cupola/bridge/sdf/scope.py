"""SDF models with what is nested and included, every pose brought into the frame of the outermost model.

Pose semantics of SDF 1.4 to 1.11 (sdformat.org): a link's pose stands in its model's frame, a joint's in its child's,
unless `relative_to` names another frame. An axis stands in the joint's frame, up to version 1.4 in the model's.
"""

from typing import NamedTuple

import numpy as np

from cupola.bridge.sdf.document import Document, MissingFileError, included
from cupola.bridge.sdf.filled import DENSITY, filled
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import NOWHERE, Pose, chain, inverse, unit_vector
from cupola.bridge.sdf.robot import Axis, Gear, Joint, Link, Mimic, Robot
from cupola.bridge.sdf.shapes import read_shape
from cupola.bridge.sdf.template import TemplateError
from cupola.physics.rotation import Vector, rotate
from cupola.schema.yaml_files import InputError

KINDS = {
    "fixed": ("fixed", 0),
    "revolute": ("revolute", 1),
    "continuous": ("revolute", 1),
    "prismatic": ("prismatic", 1),
    "ball": ("ball", 0),
    "universal": ("universal", 2),
    "revolute2": ("universal", 2),
}
DEEPEST = 40
JOINT = " (joint)"
EXPRESSED = 1.07
"""The version in which `expressed_in` took the place of `use_parent_model_frame`."""
TINY = 1e-6
"""[kg] of a link whose mass is none."""
ENDLESS = 1e6
"""Limits beyond are none; Gazebo's models write 1e12 or 1e16."""


class Framed(NamedTuple):
    """A pose in a named frame of its scope; an empty name is the model's own frame."""

    pose: Pose
    relative_to: str


class Scope:
    """The frames of one model, and of those nested in it."""

    def __init__(
        self, document: Document, node: Node, version: float, parent: "Scope | None" = None, prefix: str = ""
    ) -> None:
        self.document, self.node, self.version, self.prefix = document, node, version, prefix
        self.parent, self.local = parent, NOWHERE
        """The model around this one, and the pose of this one in its frame."""
        if prefix.count("::") > DEEPEST:
            raise InputError(f"{node}: models nested more than {DEEPEST} deep; does one include itself?")
        self.frames: dict[str, Framed] = {}
        self.links: list[Node] = []
        self.joints: list[Node] = []
        self.plugins: list[tuple[str, Node]] = []
        self.gears: list[Gear] = []
        self.nested: dict[str, Scope] = {}
        self.missing: set[str] = set()
        """Names of included models that were not found."""
        self._gather(node, "")

    def _gather(self, node: Node, own: str) -> None:
        """Take in what a model holds; `own` is the name of its frame here, empty unless it is merged into another."""
        links, joints = node.all("link"), node.all("joint")
        for link in links:
            self._name(link, link.relative_to() or own)
        for joint in joints:
            self._name(joint, joint.relative_to() or joint.say("child"), JOINT if joint.name in self.frames else "")
        for frame in node.all("frame"):
            self._name(frame, frame.relative_to() or frame.element.get("attached_to", "") or own)
        self.links += links
        self.joints += joints
        self.plugins += [(self.prefix, plugin) for plugin in node.all("plugin")]
        for model in node.all("model"):
            self._nest(model, model, self.version, model.attribute("name"), own)
        for include in node.all("include"):
            try:
                inner, version = included(self.document, include)
            except (MissingFileError, TemplateError) as error:
                self.document.report.lose(f"{include}: {include.say('uri')}", str(error))
                self.missing.add(include.say("name") or include.say("uri").rpartition("/")[2])
                include.swallow()
                continue
            placed = include if include.deep("pose") else inner
            self.plugins += [(self.prefix, plugin) for plugin in include.all("plugin")]
            if include.element.get("merge") in ("true", "1"):
                self._merge(inner, placed, own)
            else:
                self._nest(inner, placed, version, include.say("name") or inner.attribute("name"), own)

    def _name(self, node: Node, relative_to: str, mark: str = "") -> None:
        name = node.attribute("name") + mark
        if name in self.frames:
            raise InputError(f"{node}: there are two things called {name!r} in one model")
        self.frames[name] = Framed(node.pose(), relative_to)

    def _merge(self, model: Node, placed: Node, own: str) -> None:
        """Links and joints of an include become those of this model; its frame stays as one more frame."""
        frame = f"{own}__merged_{len(self.frames)}__"
        if frame.count("merged") > DEEPEST:
            raise InputError(f"{model}: models merged more than {DEEPEST} deep; does one include itself?")
        model.pose()
        self.frames[frame] = Framed(placed.pose(), placed.relative_to() or own)
        self._gather(model, frame)

    def _nest(self, model: Node, placed: Node, version: float, name: str, own: str) -> None:
        if name in self.frames:
            raise InputError(f"{placed}: there are two things called {name!r} in one model; <name> may give it another")
        model.pose()  # taken, though an include may put another in its place
        self.frames[name] = Framed(placed.pose(), placed.relative_to() or own)
        scope = Scope(self.document, model, version, self, f"{self.prefix}{name}::")
        held = scope.place(placed.say("placement_frame") or model.element.get("placement_frame", ""), str(model))
        scope.local = chain(self.place(name, str(placed)), inverse(held))
        self.nested[name] = scope
        self.plugins += scope.plugins

    @property
    def pose(self) -> Pose:
        """Of this model in the outermost one."""
        return chain(self.parent.pose, self.local) if self.parent else self.local

    def place(self, name: str, where: str, asking: tuple[str, ...] = ()) -> Pose:
        """Pose of a frame in this model's own frame."""
        if name in ("", "__model__", "__root__"):
            return NOWHERE
        head, _, rest = name.partition("::")
        if rest and head in self.nested:
            return chain(self.nested[head].local, self.nested[head].place(rest, where))
        if name not in self.frames:
            raise InputError(f"{where}: there is no frame {name!r}; there are: {', '.join(self.frames) or 'none'}")
        if name in asking:
            raise InputError(f"{where}: the frames {' → '.join((*asking, name))} are relative to each other in a ring")
        framed = self.frames[name]
        return chain(self.place(framed.relative_to, where, (*asking, name)), framed.pose)

    def outer(self, name: str, where: str) -> Pose:
        """Pose of a frame in the outermost model."""
        return chain(self.pose, self.place(name, where))

    def full(self, name: str, where: str) -> str:
        """Scoped name of a link that a joint of this model names."""
        if name == "world":
            return name
        at: Scope = self
        *path, last = name.split("::")
        if path and path[0] in self.missing:
            raise MissingFileError(f"{name} belongs to an included model that was not found")
        if len(path) == 1 and path[0] == self.node.name and path[0] not in self.nested:
            path = []  # a model may say its own name before that of its link
        for step in path:
            if step not in at.nested:
                have = ", ".join(at.nested) or "none"
                raise MissingFileError(f"{where}: there is no model {step!r} in {at.node}; there are: {have}")
            at = at.nested[step]
        names = [link.name for link in at.links]
        if last in names:
            return f"{at.prefix}{last}"
        if last in at.frames and at.frames[last].relative_to:  # a frame stands for the link it is attached to
            return at.full(at.frames[last].relative_to, where)
        raise MissingFileError(f"{where}: there is no link {name!r}; there are: {', '.join(names) or 'none'}")

    def flatten(self, links: dict[str, Link], joints: list[Joint], sensors: list[tuple[str, Node]]) -> None:
        """Add all links, joints and sensors, those nested too."""
        for node in self.links:
            links[f"{self.prefix}{node.name}"] = self._link(node)
            sensors += [(f"{self.prefix}{node.name}", sensor) for sensor in node.all("sensor")]
        for node in self.joints:
            try:
                if node.attribute("type") == "gearbox":
                    self.gears.append(self._gear(node))
                else:
                    joints.append(self._joint(node))
            except MissingFileError as error:
                self.document.report.lose(str(node), str(error))
                node.swallow()
        for scope in self.nested.values():
            scope.flatten(links, joints, sensors)
            self.gears += scope.gears

    def _link(self, node: Node) -> Link:
        inertial = node.one("inertial")
        mass, com, inertia = 1.0, NOWHERE, np.eye(3)
        if inertial is None and not self.node.flag("static"):
            self.document.lost.append((str(node), "no <inertial>: SDF's defaults, 1 kg and 1 kg m², were taken"))
        elif inertial is not None:
            mass, com = inertial.number("mass", 1.0), inertial.pose()
            xx, yy, zz = (inertial.number(f"inertia/i{axis}", 1.0) for axis in ("xx", "yy", "zz"))
            xy, xz, yz = (inertial.number(f"inertia/i{axis}", 0.0) for axis in ("xy", "xz", "yz"))
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        shapes = {
            kind: [(shape, one) for one in node.all(kind) if (shape := read_shape(one, self.document))]
            for kind in ("visual", "collision")
        }
        if inertial is not None and inertial.element.get("auto", "").lower() in ("true", "1"):
            usual = inertial.number("density", DENSITY)
            dense = [(shape, one.number("density", usual)) for shape, one in shapes["collision"]]
            mass, com, inertia = filled(dense, str(node), self.document.report) or (mass, com, inertia)
        elif inertial is not None and (missing := self._defaults(inertial)):
            said = f"no <{'>, <'.join(missing)}>: SDF's defaults, 1 kg and 1 kg m²"
            self.document.report.assume(str(node), said)
        if mass <= 0.0:
            now = abs(mass) or TINY
            self.document.report.repair(f"{node}: mass", f"{mass:g}", f"{now:g}", "a mass must be positive")
            mass = now
        gravity = node.one("gravity")
        return Link(
            f"{self.prefix}{node.name}",
            self.outer(node.name, str(node)),
            mass,
            com,
            inertia,
            [shape for shape, _ in shapes["visual"]],
            [shape for shape, _ in shapes["collision"]],
            gravity is not None and gravity.text.lower() in ("0", "false"),
            str(node),
        )

    @staticmethod
    def _defaults(inertial: Node) -> list[str]:
        """What a link with mass and inertia does not say of them."""
        return [tag for tag in ("mass", "inertia/ixx", "inertia/iyy", "inertia/izz") if inertial.deep(tag) is None]

    def _joint(self, node: Node) -> Joint:
        kind = node.attribute("type")
        if kind not in KINDS:
            if kind != "screw":
                raise InputError(f"{node}: type {kind!r}; known: {', '.join(KINDS)}")
            self.document.lost.append((str(node), f"a {kind} joint; it was fixed instead"))
        made, count = KINDS.get(kind, ("fixed", 0))
        parent, child = (self.full(node.need(end).text, str(node)) for end in ("parent", "child"))
        marked = f"{node.name}{JOINT}"  # a joint that is called like a link has its own frame
        pose = self.outer(marked if marked in self.frames else node.name, str(node))
        axes = [self._axis(node.need(tag), pose) for tag in ("axis", "axis2")[:count]]
        mimic = self._mimic(node.need("axis")) if count == 1 else None
        return Joint(f"{self.prefix}{node.name}", made, parent, child, pose, axes, mimic, str(node))

    def _mimic(self, axis: Node) -> Mimic | None:
        """Since SDF 1.11 an axis may follow that of another joint: multiplier (its position - reference) + offset."""
        node = axis.one("mimic")
        if node is None:
            return None
        ratio = node.number("multiplier", 1.0)
        offset = node.number("offset", 0.0) - ratio * node.number("reference", 0.0)
        return Mimic(f"{self.prefix}{node.attribute('joint')}", ratio, offset)

    def _gear(self, node: Node) -> Gear:
        tags = ("parent", "child", "gearbox_reference_body")
        parent, child, reference = (self.full(node.need(tag).text, str(node)) for tag in tags)
        pose = self.outer(node.name, str(node))
        axes = tuple(self._axis(node.need(tag), pose).direction for tag in ("axis", "axis2"))
        return Gear(parent, child, reference, node.number("gearbox_ratio", 1.0), (axes[0], axes[1]), str(node))

    def _in_model(self, node: Node) -> bool:
        """Whether an axis stands in the axes of its model, by a word that SDF 1.7 took away: readers pass it over."""
        if self.version < EXPRESSED:
            return node.flag("use_parent_model_frame")
        if node.flag("use_parent_model_frame"):
            why = "SDF has no such word from 1.7 on: the axis stands in the joint's frame, as gz-sim takes it"
            self.document.report.lose(f"{node}: use_parent_model_frame", why)
        return False

    def _axis(self, node: Node, pose: Pose) -> Axis:
        xyz = node.one("xyz")
        given = Vector(*xyz.floats(3)) if xyz else Vector(0.0, 0.0, 1.0)
        unit = unit_vector(given, node)
        frame = pose.quat
        if self.version < 1.05 or self._in_model(node):
            frame = self.pose.quat
        elif xyz and (named := xyz.element.get("expressed_in")):
            frame = self.outer(named, str(node)).quat
        low, high = node.limit("limit/lower"), node.limit("limit/upper")
        if low is not None and high is not None and low > high:
            raise InputError(f"{node}: the lower limit {low:g} lies above the upper {high:g}")
        effort, speed = node.limit("limit/effort"), node.limit("limit/velocity")
        return Axis(
            rotate(frame, unit),
            None if low is None or low < -ENDLESS else low,
            None if high is None or high > ENDLESS else high,
            node.number("dynamics/damping", 0.0),
            node.number("dynamics/friction", 0.0),
            node.number("dynamics/spring_stiffness", 0.0),
            node.number("dynamics/spring_reference", 0.0),
            effort if effort is not None and 0.0 <= effort < ENDLESS else None,
            speed=speed if speed is not None and 0.0 < speed < ENDLESS else None,
        )


def read_model(document: Document, node: Node, version: float, placed: Node | None = None, name: str = "") -> Robot:
    """One model of a file; `placed` is the include that puts it somewhere."""
    scope = Scope(document, node, version)
    own = node.pose()
    pose = placed.pose() if placed is not None and placed.deep("pose") else own
    links: dict[str, Link] = {}
    joints: list[Joint] = []
    sensors: list[tuple[str, Node]] = []
    scope.flatten(links, joints, sensors)
    plugins = scope.plugins + ([("", plugin) for plugin in placed.all("plugin")] if placed is not None else [])
    static = node.flag("static") or (placed is not None and placed.flag("static"))
    return Robot(name or node.attribute("name"), pose, static, links, joints, plugins, sensors, scope.gears)
