"""Thrusters of gz-sim under water and in space: a push at a link, commanded by a stick channel."""

from xml.etree import ElementTree as ET

from cupola.bridge.sdf.carried import Carried
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import Pose
from cupola.bridge.sdf.servos import next_channel
from cupola.physics.rotation import Quaternion

MOST_THRUST = 1000.0
"""[N] of gz-sim's Thruster, where a file does not say."""
UPWARD = "0 0 1"


def carry_thruster(node: Node, scope: str, carried: Carried) -> None:
    """A screw: it pushes along the axis of its joint, on the link that it turns."""
    named = node.need("joint_name")
    high, low = node.number("max_thrust_cmd", MOST_THRUST), node.number("min_thrust_cmd", -MOST_THRUST)
    element = carried.shaft(named, scope) if _can_push(node, low, high, carried) else None
    if element is not None:
        scoped = next(joint for joint, gone in carried.fixed.items() if gone is element)
        child = next(joint.child for joint in carried.robot.joints if joint.name == scoped)
        _push(node, carried, child, element.get("axis", UPWARD), (low, high))
        _note(node, carried, "its push is commanded here, not the speed of its screw, whose shaft stands")
    node.swallow()


def carry_nozzle(node: Node, scope: str, carried: Carried) -> None:
    """A nozzle in space: it pushes along z of its link. Its valve pulses; here the mean of the pulses acts."""
    link = carried.link(node.need("link_name"), scope)
    high = node.number("max_thrust", 0.0)
    if link is not None and _can_push(node, 0.0, high, carried):
        scoped = next(name for name, ours in carried.built.bodies.items() if ours == link)
        carried.report.assume(f"{node}: direction", "z of its link")
        _push(node, carried, scoped, UPWARD, (0.0, high))
        _note(node, carried, "the mean of its pulses acts here")
    node.swallow()


def _can_push(node: Node, low: float, high: float, carried: Carried) -> bool:
    if high > 0.0 >= low:
        return True
    carried.report.lose(f"{node}: thrust from {low:g} to {high:g} N", "it cannot push")
    return False


def _push(node: Node, carried: Carried, scoped: str, axis: str, ends: tuple[float, float]) -> None:
    """An actuator at the centre of mass of a link; full stick is its most."""
    link, (low, high) = carried.built.bodies[scoped], ends
    at = Pose(carried.robot.links[scoped].com.pos, Quaternion(1.0, 0.0, 0.0, 0.0))
    name = carried.site(link, f"{link}_thrust", at)
    actuators = carried.built.mjcf.find("actuator")
    actuators = ET.SubElement(carried.built.mjcf, "actuator") if actuators is None else actuators
    made = {"name": name, "site": name, "gear": f"{axis} 0 0 0", "gainprm": repr(high)}
    ET.SubElement(actuators, "general", made)
    channel = next_channel(carried)
    carried.add(name, {"kind": "servo", "channel": channel, "actuator": name, "low": low / high, "high": 1.0})
    carried.report.assume(str(node), f"full stick is {high:g} N, back {low:g} N")


def _note(node: Node, carried: Carried, why: str) -> None:
    left = ", ".join(dict.fromkeys(one.tag for one in node.left()))
    if left:
        carried.report.lose(f"{node}: {left}", why)
