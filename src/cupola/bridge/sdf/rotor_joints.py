"""Rotors that a URDF writes as joints: a <transmission> with a `RotorInterface`, as those of jsk_aerial_robot are.

The limit of such a joint is not one of its angle: `upper` is the most thrust [N], along z of its child. `<m_f_rate>`
beside the links is the torque per thrust [m], and the sign of the joint's axis says which way it turns.
"""

from xml.etree import ElementTree as ET

from cupola.bridge.sdf.carried import Carried
from cupola.bridge.sdf.motors import X_TO_Z
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import Pose
from cupola.physics.rotation import Vector

WORD = "RotorInterface"
RATE = "m_f_rate"
THRUST = "thrust_of_"
"""Attribute with what the limit of a joint says, followed by the joint's name."""
SHAFT_SPEED = 1000.0
"""[rad/s] at full thrust, which the file does not say; it is only seen."""
AT_ONCE = 1e-4
"""[s] of lag: less than any step."""


def mark_rotor_joints(robot: ET.Element) -> bool:
    """Write into each such transmission what stands elsewhere in the file; whether there is one."""
    joints = {joint.get("name", "").strip(): joint for joint in robot.findall("joint")}
    rate, found = robot.find(RATE), False
    for element in robot.findall("transmission"):
        if not any(WORD in (said.text or "") for said in element.iter("hardwareInterface")):
            continue
        found = True
        element.set(RATE, rate.get("value", "0") if rate is not None else "0")
        for one in element.findall("joint"):
            name = one.get("name", "").strip()
            limit = joints[name].find("limit") if name in joints else None
            element.set(f"{THRUST}{name}", limit.get("upper", "0") if limit is not None else "0")
    return found


def carry_rotor_joint(node: Node, name: str, carried: Carried) -> bool:
    """A rotor instead of a joint; False where the file does not say how much it pushes."""
    try:
        thrust, rate = (float(node.element.get(key, "0")) for key in (f"{THRUST}{name}", RATE))
    except ValueError:
        return False
    joint = next(one for one in carried.robot.joints if one.name == name)
    if not thrust > 0.0 or len(joint.axes) != 1:
        return False
    carried.fix(carried.built.joints[name])
    site = carried.site(carried.built.bodies[joint.child], f"{name}_shaft", Pose(Vector(0.0, 0.0, 0.0), X_TO_Z))
    # A rotor that turns counterclockwise is braked clockwise: the rate is negative as its robots have it.
    turns = (1.0 if joint.axes[0].direction.z >= 0.0 else -1.0) * (-1.0 if rate > 0.0 else 1.0)
    square = SHAFT_SPEED**2
    lagged = {
        "speed_max": SHAFT_SPEED,
        "time_constant": AT_ONCE,
        "k_thrust": thrust / square,
        "k_torque": abs(rate) * thrust / square,
    }
    number = sum(part["kind"] == "rotor" for part in carried.parts.values())
    carried.add(name, {"kind": "rotor", "site": site, "channel": number, "direction": int(turns), "lagged": lagged})
    said = f"a rotor of {thrust:g} N along z of {joint.child}, from the upper limit of its joint, at once"
    carried.report.assume(f"{node}: joint {name}: {WORD}", said)
    return True
