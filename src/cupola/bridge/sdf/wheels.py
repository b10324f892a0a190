"""Sticks of a vehicle on wheels: pitch drives it, roll turns it.

The wheels are those that its own plugin names; without one, joints across the vehicle that follow a speed and carry
what touches the ground, on either side, and joints about the vertical that steer such wheels.
"""

from typing import Any
from xml.etree import ElementTree as ET

from cupola.bridge.sdf.carried import Carried
from cupola.bridge.sdf.wishes import ANGLE, SPEED, Wheels

DRIVE, TURN = 1, 0
"""Stick channels: pitch, pushed to go ahead, and roll, to the right to turn right."""
SHARE = 0.5
"""Of their speed that wheels of either side gain and lose at full turn, where none of them is steered."""
ALONG = 0.9
"""Cosine of a joint's axis to the one it should have."""


def add_wheels(carried: Carried) -> bool:
    """Give the servos of wheels to two sticks; False where there are none that are all driven."""
    wheels = carried.wheels or _found(carried)
    servos = {part["actuator"]: name for name, part in carried.parts.items() if part["kind"] == "servo"}
    if wheels is None or not {*wheels.left, *wheels.right, *wheels.steering} <= {*servos}:
        return False
    for channel, part in enumerate((part for part in carried.parts.values() if "channel" in part), TURN + DRIVE + 1):
        part["channel"] = channel
    driven = {**wheels.left, **wheels.right}
    for joint, ahead in driven.items():
        part = carried.parts[servos[joint]]
        most = part["high"]
        _scale(carried, joint, -ahead * most * (1.0 if wheels.steering else 1.0 - SHARE))
        part |= {"channel": DRIVE, "low": -1.0, "high": 1.0}
        if not wheels.steering:
            _turn(carried, joint, SHARE * most * (ahead if joint in wheels.left else -ahead))
    for joint, to_left in wheels.steering.items():
        part = carried.parts[servos[joint]]
        throw = min(-part["low"], part["high"])
        _scale(carried, joint, -to_left * throw)
        part |= {"channel": TURN, "low": -1.0, "high": 1.0}
        if "rate_max" in part:
            part["rate_max"] /= throw
    said = "full stick ahead is their full speed" if wheels.steering else "ahead and turn have half of their speed each"
    carried.report.assume(f"wheels {', '.join(driven)}", said)
    return True


def _found(carried: Carried) -> Wheels | None:
    """By where joints are and what they carry."""
    joints = {carried.built.joints[j.name]: j for j in carried.robot.joints if j.name in carried.built.joints}
    below: dict[str, list[str]] = {}
    for joint in carried.robot.joints:
        below.setdefault(joint.parent, []).append(joint.child)

    def touches(link: str) -> bool:
        row, seen = [link], {link}
        for one in row:
            if one in carried.robot.links and carried.robot.links[one].collisions:
                return True
            row += [child for child in below.get(one, []) if child not in seen]
            seen |= set(row)
        return False

    def carries_a_wheel(link: str) -> bool:
        """Whether something below turns about a lateral axis without end: a head that pans does not steer."""
        turning = {j.child: j for j in joints.values() if j.kind == "revolute" and len(j.axes) == 1}
        row = [link]
        for one in row:
            row += [child for child in below.get(one, []) if child not in row]
        found = [turning[one].axes[0] for one in row[1:] if one in turning]
        return any(axis.low is None and abs(axis.direction.y) > ALONG for axis in found)

    wheels = Wheels({}, {}, {})
    # What outside sets, and what a plugin of the source holds at an angle.
    modes = {name: wish.mode for name, wish in carried.wanted.items()}
    for element in carried.built.mjcf.iter("general"):
        if float(element.get("biasprm", "0 0 0").split()[1]) < 0.0:
            modes.setdefault(element.get("joint", ""), ANGLE)
    for name, mode in modes.items():
        one = joints.get(name)
        if one is None or len(one.axes) != 1 or one.kind != "revolute" or not touches(one.child):
            continue
        axis, side = one.axes[0].direction, one.pose.pos.y
        if mode == SPEED and abs(axis.y) > ALONG and side:
            (wheels.left if side > 0.0 else wheels.right)[name] = 1.0 if axis.y > 0.0 else -1.0
        elif mode == ANGLE and abs(axis.z) > ALONG and carries_a_wheel(one.child) and _both_ways(carried, name):
            wheels.steering[name] = 1.0 if axis.z > 0.0 else -1.0
    return wheels if wheels.left and wheels.right else None


def _both_ways(carried: Carried, joint: str) -> bool:
    """Whether the servo of a joint turns it to the left and to the right."""
    parts = [part for part in carried.parts.values() if part.get("actuator") == joint]
    return any(part["low"] < 0.0 < part["high"] for part in parts)


def _element(carried: Carried, joint: str) -> ET.Element:
    return next(one for one in carried.built.mjcf.iter("general") if one.get("joint") == joint)


def _scale(carried: Carried, joint: str, by: float) -> None:
    element = _element(carried, joint)
    element.set("gainprm", repr(float(element.get("gainprm", "1")) * by))


def _turn(carried: Carried, joint: str, speed: float) -> None:
    """A second actuator that adds its share; the first holds the speed of both."""
    first, name = _element(carried, joint), f"{joint}_turn"
    stiffness = -float(first.get("biasprm", "0 0 0").split()[2])
    actuators: Any = carried.built.mjcf.find("actuator")
    ET.SubElement(actuators, "general", {"name": name, "joint": joint, "gainprm": repr(stiffness * speed)})
    carried.add(name, {"kind": "servo", "channel": TURN, "actuator": name, "low": -1.0, "high": 1.0})
