"""Where the plugins and sensors of a model put what they become: names of the source, parts, sites, actuators."""

from typing import Any
from xml.etree import ElementTree as ET

from cupola.bridge.report import Report
from cupola.bridge.sdf.build import Built
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import Pose, attributes
from cupola.bridge.sdf.robot import Robot
from cupola.bridge.sdf.wishes import Wheels, Wish

Part = dict[str, Any]


class Carried:
    """Grows with every plugin that has a counterpart."""

    def __init__(self, robot: Robot, built: Built, report: Report) -> None:
        self.robot, self.built, self.report = robot, built, report
        self.parts: dict[str, Part] = {}
        self.controller: dict[str, Any] | None = None
        """Of a plugin that is itself a controller."""
        self.keys: dict[str, int] = {}
        """Keys of a keyboard, and the stick channels of that controller which they press."""
        self.wanted: dict[str, Wish] = {}
        """Joints that somebody moves and nobody drives yet, by their name here."""
        self.speeds: dict[str, float] = {}
        """[rad/s] or [m/s] that joints may have, by their name here."""
        for joint in robot.joints:
            if joint.name in built.joints and len(joint.axes) == 1 and joint.axes[0].speed:
                self.speeds[built.joints[joint.name]] = joint.axes[0].speed
        self.kept: set[str] = set()
        """Joints whose servos keep that limit."""
        self.fixed: dict[str, ET.Element] = {}
        """Joints of the source that were taken away, by their scoped names."""
        self.wheels: Wheels | None = None
        """Of a plugin that drives and steers."""

    def want(self, joint: str, wish: Wish) -> None:
        """Somebody outside moves a joint; of several that do, the first that says how far counts."""
        before = self.wanted.get(joint)
        if before is None or (before.most is None and before.mode == wish.mode):
            self.wanted[joint] = wish

    def joint_named(self, name: str, node: Node) -> str | None:
        """Our name of a joint that moves, by its name in a URDF; what is not there is listed."""
        if name in self.built.joints:
            return self.built.joints[name]
        have = ", ".join(self.built.joints) or "none"
        self.report.lose(f"{node}", f"there is no joint {name!r} that moves, so nothing drives it; there are: {have}")
        return None

    def link(self, node: Node, scope: str) -> str | None:
        """Our name of the link that an element of a plugin in `scope` names."""
        return self._found(node, scope, self.built.bodies, "link")

    def joint(self, node: Node, scope: str) -> str | None:
        """The same of a joint that moves."""
        return self._found(node, scope, self.built.joints, "joint")

    def _found(self, node: Node, scope: str, names: dict[str, str], what: str) -> str | None:
        """As Gazebo looks it up: in the scope of the plugin, in the model, with the model's own name before it."""
        text = node.text.replace("/", "::") if node.text.replace("/", "::") in names else node.text
        inner = text.partition("::")[2] if text.partition("::")[0] == self.robot.name else text
        for name in (f"{scope}{text}", text, f"{scope}{inner}", inner):
            if name in names:
                return names[name]
        ends = {ours for name, ours in names.items() if name.endswith(f"::{inner}")}
        if len(ends) == 1:
            return ends.pop()
        have = ", ".join(names) or "none"
        self.report.lose(
            f"{node}: {text}", f"there is no {what} {text!r}, so the plugin does nothing; there are: {have}"
        )
        return None

    def add(self, start: str, part: Part) -> str:
        """A part under a name of its own."""
        plain = "".join(c if c.isalnum() else "_" for c in start.rpartition("::")[2]).strip("_") or part["kind"]
        name, k = plain, 2
        while name in self.parts:
            name, k = f"{plain}_{k}", k + 1
        self.parts[name] = part
        return name

    def site(self, body: str, start: str, pose: Pose) -> str:
        """A new frame on a body; its name."""
        taken = {site.get("name") for site in self.built.mjcf.iter("site")}
        plain = "".join(c if c.isalnum() else "_" for c in start) or "sensor"
        name = (
            plain
            if plain not in taken
            else next(f"{plain}_{k}" for k in range(2, 10**6) if f"{plain}_{k}" not in taken)
        )
        where = next(element for element in self.built.mjcf.iter("body") if element.get("name") == body)
        where.append(ET.Element("site", {"name": name, **attributes(pose), "group": "4"}))
        return name

    def joint_element(self, joint: str) -> ET.Element:
        """Of the MJCF."""
        return next(element for element in self.built.mjcf.iter("joint") if element.get("name") == joint)

    def fix(self, joint: str) -> ET.Element:
        """Take a joint away: what turned about it no longer does."""
        for body in self.built.mjcf.iter("body"):
            for element in body.findall("joint"):
                if element.get("name") == joint:
                    body.remove(element)
                    for scoped in [s for s, ours in self.built.joints.items() if ours == joint]:
                        self.fixed[scoped] = element
                        del self.built.joints[scoped]
                    return element
        raise KeyError(joint)

    def shaft(self, node: Node, scope: str) -> ET.Element | None:
        """The joint of a motor, taken away; that of a second motor on the same shaft already is."""
        names = {**self.built.joints, **{scoped: str(element.get("name")) for scoped, element in self.fixed.items()}}
        joint = self._found(node, scope, names, "joint")
        gone = {str(element.get("name")): element for element in self.fixed.values()}
        if joint is None:
            return None
        return gone[joint] if joint in gone else self.fix(joint)

    def actuator(
        self, name: str, joint: str, law: tuple[float, float, float], limits: tuple[float, float] | None
    ) -> None:
        """A force g u + a q + b q' on a joint, held within limits."""
        actuators = self.built.mjcf.find("actuator")
        actuators = ET.SubElement(self.built.mjcf, "actuator") if actuators is None else actuators
        gain, angle, speed = law
        made = {"name": name, "joint": joint, "gainprm": repr(gain), "biasprm": f"0 {angle!r} {speed!r}"}
        made["biastype"] = "affine"
        if limits is not None:
            made["forcerange"] = f"{limits[0]!r} {limits[1]!r}"
        ET.SubElement(actuators, "general", made)
