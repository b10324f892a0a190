"""Motor plugins of PX4, gz-sim and RotorS as rotor parts: the shaft turns in the part, the joint stands."""

from cupola.bridge.sdf.carried import Carried
from cupola.bridge.sdf.dialect import PX4
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import Pose
from cupola.physics.gazebo_motor import GazeboMotor
from cupola.physics.rotation import Quaternion

X_TO_Z = Quaternion(0.5**0.5, 0.0, -(0.5**0.5), 0.0)
"""Axes of a site whose x is z of the link."""
X_TO_MINUS_Z = Quaternion(0.5**0.5, 0.0, 0.5**0.5, 0.0)
PX4_AIRSPEED = 25.0
"""[m/s] at which PX4's thrust has vanished, where a file does not say."""
NAMES = {
    "max_rot_velocity": "maxRotVelocity",
    "motor_constant": "motorConstant",
    "moment_constant": "momentConstant",
    "time_constant_up": "timeConstantUp",
    "time_constant_down": "timeConstantDown",
    "rotor_drag_coefficient": "rotorDragCoefficient",
    "rolling_moment_coefficient": "rollingMomentCoefficient",
}
TOPICS = ("robotNamespace", "commandSubTopic", "motorSpeedPubTopic", "windSubTopic", "motorType", "input_index")


def carry_motor(node: Node, scope: str, origin: str, carried: Carried) -> None:
    """A rotor at the centre of mass of its link, thrust along the link's z."""
    link = carried.link(node.need("linkName"), scope)
    element = carried.shaft(node.need("jointName"), scope) if link else None
    if link is None or element is None:
        node.swallow()
        return
    usual = GazeboMotor()
    numbers = {ours: node.number(theirs, getattr(usual, ours)) for ours, theirs in NAMES.items()}
    if origin == PX4:
        numbers |= {"px4": 1.0, "max_relative_airspeed": node.number("maxRelativeAirspeed", PX4_AIRSPEED)}
        numbers["reversible"] = float(node.flag("reversible"))
    for said in TOPICS:
        node.all(said)
    node.number("rotorVelocitySlowdownSim", 10.0)  # of the joint that is drawn; the thrust goes by the true speed
    turning = node.say("turningDirection", "ccw").lower()
    if turning not in ("cw", "ccw"):
        carried.report.repair(f"{node}: turningDirection", turning or "empty", "ccw", "it is cw or ccw")
    number = int(node.number("actuator_number", node.number("motorNumber", float(len(carried.parts)))))
    x, y, z = (float(word) for word in element.get("axis", "0 0 1").split())
    backward = _is_backward(node, numbers, carried)
    numbers |= {"axis_x": -z, "axis_y": y, "axis_z": x} if backward else {"axis_x": z, "axis_y": y, "axis_z": -x}
    scoped = next(name for name, ours in carried.built.bodies.items() if ours == link)
    at = Pose(carried.robot.links[scoped].com.pos, X_TO_MINUS_Z if backward else X_TO_Z)
    site = carried.site(link, f"{link}_shaft", at)
    direction = -1 if turning == "cw" else 1
    carried.add(link, {"kind": "rotor", "site": site, "channel": number, "direction": direction, "gazebo": numbers})
    carried.report.assume("joints of rotors", "fixed: the rotor parts have angle and speed of the shafts")
    carried.report.assume("motor commands", "full throttle is maxRotVelocity")


def _is_backward(node: Node, numbers: dict[str, float], carried: Carried) -> bool:
    """Whether it pushes against the link's z: its motorConstant is negative, as of thrusters under water."""
    constant = numbers["motor_constant"]
    if constant >= 0.0:
        return False
    numbers["motor_constant"] = -constant
    if numbers.get("px4") and not numbers["reversible"]:
        carried.report.assume(
            f"{node}: motorConstant {constant:g}", "its size: PX4's thrust has no sign unless reversible"
        )
        return False
    return True
