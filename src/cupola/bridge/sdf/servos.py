"""Joints that somebody moves: plugins that drive them, and a servo for each control joint that nobody drives."""

import math

import mujoco

from cupola.bridge.report import Report
from cupola.bridge.sdf.carried import Carried, Part
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.wishes import ANGLE, SPEED, TORQUE, Wish
from cupola.control.plane.cessna_presets import KEYS
from cupola.schema.yaml_files import InputError

QUICKNESS = 40.0
"""[1/s] of a servo that the source does not describe: it follows within 0.1 s."""
SMALLEST = 1e-4
"""[kg m²] of the gears of such a servo: joints of control surfaces have next to no inertia of their own."""
CALM = 0.4
"""Stiffness × step² by inertia, and damping × step by inertia, up to which a servo is followed quietly."""
WIDE = math.pi
"""[rad] to either side of a joint without limits."""
CESSNA = ("propeller", "left_aileron", "left_flap", "right_aileron", "right_flap", "elevators", "rudder")
"""Joints of the Cessna's control plugin, in the order of its message; that of our channels."""
FAST = 10.0
"""[rad/s] of a joint at full command, where nobody says how fast it may turn."""
STRENGTH = 2.0
"""[N m] or [N] of a joint at full command, where nobody says how strong its motor is."""
SHOWN = 12
"""Joints that a sentence names at most."""
SURFACE_LIMIT, PROPELLER_LIMIT = 20.0, 20000.0
"""Most that its controllers do [N m]: fixed in its code, the gains of a world do not change them."""
GAINS = {"p": 50.0, "i": 0.1, "d": 1.0}
"""Of its code, where the world gives none."""


def next_channel(carried: Carried) -> int:
    """The first that no part has."""
    return max((part.get("channel", -1) for part in carried.parts.values()), default=-1) + 1


def carry_cessna(node: Node, scope: str, carried: Carried) -> None:
    """A servo per joint: the propeller follows a speed, surfaces an angle, each with the plugin's gain and limit."""
    top = node.number("propeller_max_rpm", 0.0)
    if top == 0.0:
        raise InputError(f"{node}: <propeller_max_rpm> must be there and not zero")
    gains = {
        kind: {name: node.number(f"{kind}_{name}_gain", value) for name, value in GAINS.items()}
        for kind in ("propeller", "surfaces")
    }
    for kind, given in gains.items():
        if given["i"] != 0.0 or (kind == "propeller" and given["d"] != 0.0):
            carried.report.lose(f"{node}: {kind} gains i {given['i']:g}, d {given['d']:g}", "a servo here has neither")
    for channel, name in enumerate(CESSNA):
        joint = carried.joint(node.need(name), scope)
        if joint is None:
            continue
        kind = "propeller" if name == "propeller" else "surfaces"
        kp, kd = gains[kind]["p"], gains[kind]["d"]
        if kind == "propeller":
            law, limit = (kp * top * math.pi / 30.0, 0.0, -kp), PROPELLER_LIMIT
            ends = (-1.0, 1.0)
        else:
            law, limit, ends = (kp, -kp, -kd), SURFACE_LIMIT, joint_range(carried, joint)
        _drive(carried, name, joint, law, (-limit, limit), channel, ends)
    carried.controller, carried.keys = {"use": "cessna_presets", "rate_hz": 100}, dict(KEYS)


def carry_position_controller(node: Node, scope: str, carried: Carried) -> None:
    """gz-sim's JointPositionController: the joint follows the angle on a channel."""
    joint = carried.joint(node.need("joint_name"), scope)
    kp, kd, ki = node.number("p_gain", 1.0), node.number("d_gain", 0.1), node.number("i_gain", 0.1)
    if ki != 0.0:
        carried.report.lose(f"{node}: i_gain {ki:g}", "a servo here has none")
    ends = (node.number("cmd_min", -1000.0), node.number("cmd_max", 1000.0))
    for said in ("topic", "sub_topic", "joint_index", "i_max", "i_min", "cmd_offset", "initial_position"):
        node.all(said)
    if joint is None:
        return
    if kp <= 0.0 or is_driven(carried, joint):
        carried.want(joint, Wish())
        return
    limits = (min(ends), max(ends)) if ends[0] != ends[1] else None
    _drive(carried, joint, joint, (kp, -kp, -abs(kd)), limits, next_channel(carried), joint_range(carried, joint))


def is_driven(carried: Carried, joint: str) -> bool:
    """Whether an actuator moves it already."""
    return any(element.get("joint") == joint for element in carried.built.mjcf.iter("general"))


def _drive(
    carried: Carried,
    name: str,
    joint: str,
    law: tuple[float, float, float],
    limits: tuple[float, float] | None,
    channel: int,
    ends: tuple[float, float],
) -> None:
    carried.actuator(name, joint, law, limits)
    part: Part = {"kind": "servo", "channel": channel, "actuator": name, "low": ends[0], "high": ends[1]}
    if law[1]:
        _keep_speed(carried, joint, part, law)
    carried.add(f"{name}_servo", part)


def joint_range(carried: Carried, joint: str) -> tuple[float, float]:
    """[rad] Its limits, or half a turn to either side."""
    low, high = (float(end) for end in carried.joint_element(joint).get("range", f"{-WIDE} {WIDE}").split())
    return max(low, -1e3), min(high, 1e3)


def add_servos(carried: Carried, model: mujoco.MjModel, step: float) -> None:
    """A servo for every joint that is wanted and not driven; `model` is the compiled MJCF so far, `step` its time."""
    made: dict[str, list[str]] = {}
    for joint, wish in carried.wanted.items():
        if is_driven(carried, joint):
            continue
        if carried.joint_element(joint).get("type") == "ball":
            carried.report.lose(f"joint {joint}", "a ball joint that a plugin drives; no servo does here")
            continue
        MAKE[wish.mode](carried, joint, wish, model, step)
        made.setdefault(wish.mode, []).append(joint)
    for mode, joints in made.items():
        carried.report.assume(f"control joints {', '.join(joints)}", SAID[mode])


def _angle(carried: Carried, joint: str, wish: Wish, model: mujoco.MjModel, step: float) -> None:
    low, high = joint_range(carried, joint)
    if wish.most is not None:
        low, high = max(low, -wish.most), min(high, wish.most)
    dof = int(model.joint(joint).dofadr[0])
    own, damping = float(model.dof_M0[dof]), float(model.dof_damping[dof])
    gears = max(SMALLEST - own, 0.0)
    _add_light_gears(carried, joint, own, gears)
    inertia = own + gears
    # Critically damped where inertia rules, a first-order lag where the joint's own damping does.
    kp = inertia * QUICKNESS**2 + damping * QUICKNESS
    kd = max(2.0 * inertia * QUICKNESS - damping, 0.0)
    _servo(carried, joint, (kp, -kp, -kd), wish.within(low, high), wish.effort)


def _speed(carried: Carried, joint: str, wish: Wish, model: mujoco.MjModel, step: float) -> None:
    own = 1.0 / float(model.dof_invweight0[int(model.joint(joint).dofadr[0])])  # with all other joints free to yield
    gears = max(SMALLEST - own, 0.0)
    _add_light_gears(carried, joint, own, gears)
    kv = CALM * (own + gears) / step
    most = wish.most or carried.speeds.get(joint) or FAST
    _servo(carried, joint, (kv, 0.0, -kv), wish.within(-most, most), wish.effort)


def _add_light_gears(carried: Carried, joint: str, own: float, gears: float) -> None:
    """Inertia [kg m²] that a servo needs beside that of its joint."""
    if gears > 0.0:
        carried.joint_element(joint).set("armature", repr(gears))
        said = f"gears of {gears:.2g} kg m²: {own:.2g} kg m² of its own are too light for a servo"
        carried.report.assume(f"joint {joint}", said)


def _torque(carried: Carried, joint: str, wish: Wish, model: mujoco.MjModel, step: float) -> None:
    own = float(carried.joint_element(joint).get("actuatorfrcrange", "0 0").split()[1])
    most = wish.most or wish.effort or own or STRENGTH
    _servo(carried, joint, (1.0, 0.0, 0.0), wish.within(-most, most), wish.effort)


def _servo(
    carried: Carried, joint: str, law: tuple[float, float, float], ends: tuple[float, float], effort: float | None
) -> None:
    carried.actuator(joint, joint, law, None)
    if effort:
        carried.joint_element(joint).set("actuatorfrcrange", f"{-effort!r} {effort!r}")
    part: Part = {"kind": "servo", "channel": next_channel(carried), "actuator": joint, "low": ends[0], "high": ends[1]}
    _keep_speed(carried, joint, part, law)
    carried.add(f"{joint}_servo", part)


def _keep_speed(carried: Carried, joint: str, part: Part, law: tuple[float, float, float]) -> None:
    """A servo that follows an angle does so no faster than the joint may move; one that follows a speed has its end."""
    speed = carried.speeds.get(joint)
    if not speed or not (law[1] or law[2]):
        return
    carried.kept.add(joint)
    part |= {"rate_max": speed} if law[1] else {"low": max(part["low"], -speed), "high": min(part["high"], speed)}


MAKE = {ANGLE: _angle, SPEED: _speed, TORQUE: _torque}
SAID = {
    ANGLE: f"a position servo of {QUICKNESS:g} 1/s each, as the source sets their angles from outside",
    SPEED: "a servo each that holds a speed, as the source sets their speeds from outside",
    TORQUE: "a motor each whose channel is its torque, as the source sets it from outside",
}


def add_gears(carried: Carried, model: mujoco.MjModel, step: float) -> None:
    """Inertia for joints whose servos are too stiff for a step of the physics [s]; the source's own would shake."""
    for element in carried.built.mjcf.iter("general"):
        _, angle, speed = (float(word) for word in element.get("biasprm", "0 0 0").split())
        joint = element.get("joint")
        if joint is None or angle >= 0.0:
            continue
        own = float(model.dof_M0[int(model.joint(joint).dofadr[0])])
        needed = max(-angle * step**2 / CALM, -speed * step / CALM)
        if own < needed:
            hinge = carried.joint_element(joint)
            hinge.set("armature", repr(float(hinge.get("armature", "0")) + needed - own))
            said = f"gears of {needed - own:.2g} kg m²: {own:.2g} kg m² of its own are too light for the servo's gains"
            carried.report.assume(f"joint {joint}", said)


def list_idle(carried: Carried, report: Report) -> None:
    """Joints that move freely although nothing drives them, and limits of speed that no servo keeps."""
    for joint, speed in carried.speeds.items():
        if joint in carried.built.joints.values() and joint not in carried.kept:
            why = "no servo follows an angle or a speed there, and a joint has no such limit here"
            report.lose(f"joint {joint}: limit velocity {speed:g}", why)
    free = [ours for ours in carried.built.joints.values() if not is_driven(carried, ours)]
    if free:
        named = ", ".join(free[:SHOWN]) + (f" and {len(free) - SHOWN} more" if len(free) > SHOWN else "")
        report.assume(f"{len(free)} joints: {named}", "nothing drives them: they move as they are pushed")
