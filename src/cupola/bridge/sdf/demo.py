"""PlaneDemoPlugin of gazebo-classic: thrusters, engines and joints that keys move in steps."""

from typing import Any
from xml.etree import ElementTree as ET

from cupola.bridge.sdf.carried import Carried, Part
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import Pose
from cupola.bridge.sdf.servos import joint_range
from cupola.control.key_steps import FIRST, KEYS, OUTPUTS
from cupola.physics.rotation import Quaternion

ZERO = "c"
"""The key that sets the target of every `control` to zero."""
MOST = 1000.0
"""[N m]: cmd_max of a `control` that gives none."""
STRONG = 1e6
"""Of an engine whose joint has no limit of effort."""


class _Keys:
    """What each key does to each channel."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.steps = [[0.0] * KEYS for _ in range(OUTPUTS)]
        self.low, self.high, self.zeroed = [0.0] * OUTPUTS, [0.0] * OUTPUTS, [0.0] * OUTPUTS
        self.channels = 0

    def add(self, node: Node, step: float, low: float, high: float, zeroed: bool, carried: Carried) -> int | None:
        """A new channel with its two keys; its number."""
        pressed = {tag: chr(int(node.number(tag, 0.0))) for tag in ("inc_key", "dec_key")}
        needed = len({*self.names, *pressed.values(), ZERO})
        if self.channels == OUTPUTS or needed > KEYS:
            carried.report.lose(str(node), f"a hand has {OUTPUTS} channels and {KEYS} keys here")
            return None
        channel = self.channels
        for tag, sign in (("inc_key", 1.0), ("dec_key", -1.0)):
            if pressed[tag] not in self.names:
                self.names.append(pressed[tag])
            self.steps[channel][self.names.index(pressed[tag])] += sign * step
        self.low[channel], self.high[channel], self.zeroed[channel] = min(low, high), max(low, high), float(zeroed)
        self.channels += 1
        return channel


def carry_plane_demo(node: Node, scope: str, carried: Carried) -> None:
    """Every element a command channel; the controller `key_steps` with the keys of the file."""
    keys = _Keys()
    for thruster in node.all("thruster"):
        _thruster(thruster, scope, keys, carried)
    for engine in node.all("engine"):
        _engine(engine, scope, keys, carried)
    for control in node.all("control"):
        _control(control, scope, keys, carried)
    if ZERO not in keys.names:
        keys.names.append(ZERO)
    numbers: dict[str, Any] = {"steps": keys.steps, "low": keys.low, "high": keys.high, "zeroed": keys.zeroed}
    numbers["zero_key"] = float(keys.names.index(ZERO))
    carried.controller = {"use": "key_steps", "rate_hz": 100, "parameters": numbers}
    carried.keys = {name: FIRST + k for k, name in enumerate(keys.names)}


def _thruster(node: Node, scope: str, keys: _Keys, carried: Carried) -> None:
    """A force in the link's axes at its centre of mass: one channel per axis, as each is limited by itself."""
    link = carried.link(node.need("link_name"), scope)
    step, low, high = (node.numbers(tag, 3, (0.0, 0.0, 0.0)) for tag in ("inc_val", "min_val", "max_val"))
    if link is None:
        return
    scoped = next(name for name, ours in carried.built.bodies.items() if ours == link)
    at = Pose(carried.robot.links[scoped].com.pos, Quaternion(1.0, 0.0, 0.0, 0.0))
    for axis in (k for k in range(3) if step[k] != 0.0):
        channel = keys.add(node, step[axis], low[axis], high[axis], False, carried)
        if channel is None:
            continue
        name = f"{node.name or link}_{'xyz'[axis]}"
        site = carried.site(link, name, at)
        gear = ["0"] * 6
        gear[axis] = "1"
        _push(carried, name, {"site": site, "gear": " ".join(gear)}, channel, keys)


def _engine(node: Node, scope: str, keys: _Keys, carried: Carried) -> None:
    """A torque on a joint."""
    joint = carried.joint(node.need("joint_name"), scope)
    node.all("max_torque")  # read there, and not used
    if joint is None:
        return
    given = carried.joint_element(joint).get("actuatorfrcrange", f"{-STRONG} {STRONG}").split()
    low, high = node.number("min_val", float(given[0])), node.number("max_val", float(given[1]))
    channel = keys.add(node, node.number("inc_val", 0.0), low, high, False, carried)
    if channel is not None:
        _push(carried, node.name or joint, {"joint": joint}, channel, keys)


def _push(carried: Carried, name: str, place: dict[str, str], channel: int, keys: _Keys) -> None:
    """An actuator whose control is the force itself."""
    actuators = carried.built.mjcf.find("actuator")
    actuators = ET.SubElement(carried.built.mjcf, "actuator") if actuators is None else actuators
    ET.SubElement(actuators, "general", {"name": name, **place, "gainprm": "1.0"})
    part: Part = {"kind": "servo", "channel": channel, "actuator": name}
    carried.add(name, {**part, "low": keys.low[channel], "high": keys.high[channel]})


def _control(node: Node, scope: str, keys: _Keys, carried: Carried) -> None:
    """A joint that is pulled to a target by a controller of its own, with little force where the file says so."""
    joint = carried.joint(node.need("joint_name"), scope)
    if joint is None:
        return
    p, i, d = (node.number(tag, 0.0) for tag in ("p", "i", "d"))
    for tag in ("i_max", "i_min"):
        node.number(tag, 0.0)
    if i != 0.0:
        carried.report.lose(f"{node}: i {i:g}", "a servo here has none")
    ends = joint_range(carried, joint)
    low, high = node.number("min_val", ends[0]), node.number("max_val", ends[1])
    channel = keys.add(node, node.number("inc_val", 0.0), low, high, True, carried)
    if channel is None:
        return
    limits = (node.number("cmd_min", -MOST), node.number("cmd_max", MOST))
    carried.actuator(joint, joint, (p, -p, -d), (min(limits), max(limits)))
    part: Part = {"kind": "servo", "channel": channel, "actuator": joint, "low": min(low, high), "high": max(low, high)}
    carried.add(f"{joint}_servo", part)
