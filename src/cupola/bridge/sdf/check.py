"""What looks wrong in a model that can nevertheless be built: said, never mended."""

import itertools
import math
from collections.abc import Collection
from typing import Any

from cupola.bridge.sdf.build import Built
from cupola.bridge.sdf.pose import chain
from cupola.bridge.sdf.robot import Joint, Robot
from cupola.physics.liftdrag import LiftDrag
from cupola.physics.rotation import length, subtract


def suspicions(robot: Robot, built: Built, parts: dict[str, dict[str, Any]], shafts: Collection[str]) -> list[str]:
    """Sentences that name what is odd; servos that turn `shafts` with blades do act on the air."""
    return [*_weightless(robot), *_swapped(robot), *_falling_drag(parts), *_without_effect(robot, built, parts, shafts)]


def _weightless(robot: Robot) -> list[str]:
    if any(link.mass > 0.0 for link in robot.links.values()):
        return []
    return ["no link has a mass in the file: what can move was given a milligram, and nothing moves as the original"]


def _swapped(robot: Robot) -> list[str]:
    """Joints that lie at each other's links: left and right were mixed up."""
    found = []
    for a, b in itertools.combinations(robot.joints, 2):
        if a.parent != b.parent or a.child == b.child or {a.child, b.child} - set(robot.links):
            continue
        own = _off(robot, a, a.child) + _off(robot, b, b.child)
        crossed = _off(robot, a, b.child) + _off(robot, b, a.child)
        if crossed < 0.1 * own:
            found.append(f"{a.name} lies at {b.child} and {b.name} at {a.child}: they look swapped")
    return found


def _off(robot: Robot, joint: Joint, link: str) -> float:
    """From a joint to the centre of mass of a link [m]."""
    one = robot.links[link]
    return float(length(subtract(chain(one.pose, one.com).pos, joint.pose.pos)))


def _falling_drag(parts: dict[str, dict[str, Any]]) -> list[str]:
    found = []
    for name, part in parts.items():
        surface = LiftDrag(**part["surface"]) if part.get("surface") else LiftDrag()
        if surface.cda > 0.0 > surface.cda_stall and part.get("mode") == "faithful":
            zero = surface.alpha_stall - surface.cda * surface.alpha_stall / surface.cda_stall
            if zero < 0.5 * math.pi:
                found.append(f"{name}: drag falls past the stall, to nothing at {math.degrees(zero):.1f}°")
    return found


def _without_effect(robot: Robot, built: Built, parts: dict[str, dict[str, Any]], shafts: Collection[str]) -> list[str]:
    """Joints that are driven although no surface listens to them, in a model where surfaces listen to joints."""
    used = {control["joint"] for part in parts.values() for control in part.get("controls", [])}
    used |= {part["site"] for part in parts.values() if part["kind"] == "liftdrag"} | _carriers(robot, built, parts)
    turns = {
        element.get("name"): element.get("joint") for element in built.mjcf.iter("general") if element.get("joint")
    }
    driven = {
        part["actuator"]
        for name, part in parts.items()
        if part["kind"] == "servo" and part["actuator"] in turns and name not in shafts
    }
    idle = sorted(name for name in driven if not {name, f"{name}_joint", turns[name]} & used)
    listens = any(part.get("controls") for part in parts.values())
    return [f"{name} moves without any effect on the air" for name in idle] if listens else []


def _carriers(robot: Robot, built: Built, parts: dict[str, dict[str, Any]]) -> set[str]:
    """Joints that carry a rotor or a sensor: they move for its sake."""
    sites = {str(part.get("site")) for part in parts.values() if part["kind"] != "liftdrag"}
    bodies = {body.get("name"): {site.get("name") for site in body.findall("site")} for body in built.mjcf.iter("body")}
    links = {link for link, ours in built.bodies.items() if bodies.get(ours, set()) & sites}
    above = {joint.child: joint for joint in robot.joints}
    found: set[str] = set()
    for start in links:
        link, steps = start, 0
        while link in above and steps < len(above):
            found.add(built.joints.get(above[link].name, ""))
            link, steps = above[link].parent, steps + 1
    return found
