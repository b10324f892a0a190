"""What drives joints from outside: plugins of wheels, arms and gimbals, <transmission> and <ros2_control> of URDF.

Each joint gets a servo of the mode that the source commands, with the limits it gives. The programs behind them (ROS
controllers, an autopilot) are others'; what they need beside the joint is listed.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from cupola.bridge.sdf.carried import Carried
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.rotor_joints import WORD, carry_rotor_joint
from cupola.bridge.sdf.servos import FAST
from cupola.bridge.sdf.wishes import ANGLE, SPEED, TORQUE, Wheels, Wish, mode_of


class Driven(NamedTuple):
    """Elements of a plugin that name joints."""

    pattern: str
    """Of its file or class name, without strokes, and in small letters."""
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    """Wheels of either side, which follow a speed."""
    steering: tuple[str, ...] = ()
    angles: tuple[str, ...] = ()
    """Others that follow an angle, and do not steer."""


SIDES = (("left_joint", "leftJoint"), ("right_joint", "rightJoint"))
LEFT = ("front_left_joint", "rear_left_joint", "frontLeftJoint", "rearLeftJoint", "leftFrontJoint", "leftRearJoint")
RIGHT = tuple(name.replace("left", "right").replace("Left", "Right") for name in LEFT)
STEERING = ("left_steering_joint", "right_steering_joint", "leftSteeringJoint", "rightSteeringJoint", "steering_joint")
PLUGINS = (
    Driven("diffdrive|differentialdrive|skidsteer", (*SIDES[0], *LEFT), (*SIDES[1], *RIGHT)),
    Driven("ackermann", (*SIDES[0], *LEFT), (*SIDES[1], *RIGHT), STEERING, ("steering_wheel_joint",)),
    Driven("gimbalcontroller", angles=("joint_yaw", "joint_roll", "joint_pitch")),
    Driven("mecanumdrive|planarmecanum", (*LEFT, *SIDES[0]), (*RIGHT, *SIDES[1])),
    Driven("jointtrajectory", angles=("joint_name",)),
)
TORQUES = ("max_wheel_torque", "wheelTorque", "torque", "max_torque")
STEER_LIMITS = ("steering_limit", "max_steer")


def plain(text: str) -> str:
    """A name of a file or class without strokes and signs, in small letters."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def carry_drive(node: Node, scope: str, carried: Carried) -> bool:
    """A plugin that moves joints; False where it is none."""
    name = plain(f"{node.element.get('filename', '')} {node.name}")
    for pattern, carry in SPECIAL.items():
        if re.search(pattern, name):
            carry(node, scope, carried)
            return True
    found = next((driven for driven in PLUGINS if re.search(driven.pattern, name)), None)
    if found is None:
        return False
    torque = next((value for tag in TORQUES if (value := node.number(tag, 0.0)) > 0.0), None)
    throw = next((value for tag in STEER_LIMITS if (value := node.number(tag, 0.0)) > 0.0), None)
    left, right = (_joints(node, scope, carried, tags) for tags in (found.left, found.right))
    steering, angles = (_joints(node, scope, carried, tags) for tags in (found.steering, found.angles))
    turns = _speed(node)
    for joint in (*left, *right):
        carried.want(joint, Wish(SPEED, turns, torque))
    for joint in (*steering, *angles):
        carried.want(joint, Wish(ANGLE, throw))
    if left and right:
        carried.wheels = Wheels(*(dict.fromkeys(joints, 1.0) for joints in (left, right, steering)))
        if turns is None:
            carried.report.assume(f"{node}: speed", f"{FAST:g} rad/s of the wheels at full stick, as it sets no limit")
    _note(node, carried)
    return True


def _joints(node: Node, scope: str, carried: Carried, tags: tuple[str, ...]) -> list[str]:
    return [joint for one in node.all(*tags) if one.text and (joint := carried.joint(one, scope))]


def _speed(node: Node) -> float | None:
    """[rad/s] of the wheels at the most that a plugin allows itself."""
    radius = node.number("wheel_radius", 0.0) or 0.5 * node.number("wheel_diameter", node.number("wheelDiameter", 0.0))
    fast = next((v for tag in ("max_linear_velocity", "max_velocity") if (v := node.number(tag, 0.0)) > 0.0), None)
    return fast / radius if fast is not None and radius > 0.0 else None


def _note(node: Node, carried: Carried) -> None:
    """What a plugin says beside its joints."""
    left = ", ".join(dict.fromkeys(one.tag for one in node.left()))
    if left:
        carried.report.lose(f"{node}: {left}", "its joints are driven by servos here; the rest is for its own program")
    node.swallow()


def _one_joint(mode: str) -> Callable[[Node, str, Carried], None]:
    """A plugin that commands the joint it names."""

    def carry(node: Node, scope: str, carried: Carried) -> None:
        most = node.number("cmd_max", 0.0)
        for joint in _joints(node, scope, carried, ("joint_name",)):
            carried.want(joint, Wish(mode, effort=most if most > 0.0 and node.flag("use_force_commands") else None))
        _note(node, carried)

    return carry


def carry_ardupilot(node: Node, scope: str, carried: Carried) -> None:
    """ArduPilot's link: a joint per <control>, to an angle, at a speed or with a torque; its autopilot is another's."""
    for control in node.all("control"):
        mode = mode_of(control.say("type", "velocity")) or SPEED
        by, offset = control.number("multiplier", 1.0), control.number("offset", 0.0)
        ends = sorted((by * offset, by * (1.0 + offset)))  # the autopilot's command goes from 0 to 1
        told = Wish(mode, max(map(abs, ends)) or None, ends=(ends[0], ends[1]))
        by_topic = control.say("type").upper() == "COMMAND"  # another plugin moves the joint, and to an angle
        for joint in _joints(control, scope, carried, ("jointName", "joint_name")):
            if by_topic:
                carried.want(joint, told._replace(mode=ANGLE))
            else:
                carried.wanted[joint] = told
    carried.report.lose(str(node), "ArduPilot is another program; its joints have servos here")
    node.swallow()


SPECIAL: dict[str, Callable[[Node, str, Carried], None]] = {
    "jointcontroller": _one_joint(SPEED),
    "applyjointforce": _one_joint(TORQUE),
    "ardupilotplugin": carry_ardupilot,
}
"""Plugins of one joint each, and others that list them their own way."""


def carry_transmission(node: Node, carried: Carried) -> None:
    """A joint, and the interface by which ros_control commands it; the gears lie before the motor, not the joint."""
    joints = node.all("joint")
    if not joints:
        carried.report.lose(str(node), "it names no joint")
    for one in joints:
        named = carried.joint_named(one.name, one)
        words = [inner.text for where in (one, *node.all("actuator")) for inner in where.all("hardwareInterface")]
        mode = next((found for word in words if (found := mode_of(word))), None)
        if named is None:
            continue
        if mode is None and any(WORD in word for word in words):
            if carry_rotor_joint(node, one.name, carried):
                continue
            carried.report.lose(f"{node}: joint {one.name}", f"a {WORD} whose joint has no upper limit, its thrust [N]")
        elif mode is None:
            carried.report.assume(f"{node}: joint {one.name}", "no interface is named: its servo follows an angle")
        carried.want(named, Wish(mode or ANGLE))
    node.swallow()


def carry_ros2_control(node: Node, carried: Carried) -> None:
    """Joints with their command interfaces, of which the first counts; parameters `min` and `max` are its limits."""
    for one in node.all("joint"):
        named = carried.joint_named(one.name, one)
        commands = one.all("command_interface")
        modes = [(command, mode) for command in commands if (mode := mode_of(command.name))]
        if named is None or not modes:
            continue
        command, mode = modes[0]
        given = {p.name: p.value() for p in command.all("param") if p.name in ("min", "max") and p.text}
        low, high = given.get("min"), given.get("max")
        ends = (low, high) if low is not None and high is not None else None
        carried.want(named, Wish(mode, max(map(abs, ends)) or None if ends else None, ends=ends))
        for other, _ in modes[1:]:
            carried.report.lose(f"{node}: joint {one.name}: {other.name}", f"its servo follows the {command.name}")
    for other in node.all("sensor", "gpio"):
        carried.report.lose(f"{node}: {other.tag} {other.name}", "no counterpart in <ros2_control>")
    node.swallow()
