"""Gazebo's plugins that have a counterpart here; those without one are listed."""

from cupola.bridge.report import Report
from cupola.bridge.sdf.build import Built
from cupola.bridge.sdf.carried import Carried
from cupola.bridge.sdf.demo import carry_plane_demo
from cupola.bridge.sdf.dialect import GZ, PX4, Origin, names_of
from cupola.bridge.sdf.drives import carry_drive, carry_ros2_control, carry_transmission
from cupola.bridge.sdf.motors import carry_motor
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pybullet_drone import carry_properties
from cupola.bridge.sdf.robot import Robot
from cupola.bridge.sdf.sensor_plugins import carry_sensor_plugin
from cupola.bridge.sdf.sensors import add_sensors
from cupola.bridge.sdf.servos import carry_cessna, carry_position_controller
from cupola.bridge.sdf.surfaces import carry_advanced, carry_liftdrag
from cupola.bridge.sdf.thrusters import carry_nozzle, carry_thruster
from cupola.bridge.sdf.wishes import Wish, mode_of

DRIVES = {
    "transmission": carry_transmission,
    "ros2_control": carry_ros2_control,
    "properties": carry_properties,
}
"""Elements of a URDF that are no plugins, but stand among them."""


def carry(robot: Robot, built: Built, report: Report, dialect: str | None) -> Carried:
    """Parts of all plugins and sensors of a model."""
    carried = Carried(robot, built, report)
    origin = Origin(robot.plugins, dialect, report)
    for scope, node in robot.plugins:
        _carry(node, scope, origin, carried)
    placed = [(built.bodies[link], sensor) for link, sensor in robot.sensors if link in built.bodies]
    for name, part in add_sensors(placed, built.mjcf, report).items():
        carried.add(name, part)
    return carried


def _carry(node: Node, scope: str, origin: Origin, carried: Carried) -> None:
    file = names_of(node)
    if node.tag in DRIVES:
        DRIVES[node.tag](node, carried)
    elif "AdvancedLiftDrag" in file or "advanced-lift-drag" in file:
        carry_advanced(node, scope, GZ if origin.of(node) == GZ else PX4, carried)
    elif "LiftDrag" in file or "lift-drag" in file:
        carry_liftdrag(node, scope, origin.of(node), carried)
    elif "motor_model" in file or "multicopter-motor-model" in file or "MulticopterMotorModel" in file:
        px4 = "motor_model" in file and "rotors_gazebo" not in file
        carry_motor(node, scope, PX4 if px4 else GZ, carried)
    elif "CessnaPlugin" in file:
        carry_cessna(node, scope, carried)
    elif "PlaneDemo" in file:
        carry_plane_demo(node, scope, carried)
    elif "joint-position-controller" in file or "JointPositionController" in file:
        carry_position_controller(node, scope, carried)
    elif "mavlink_interface" in file:
        _mavlink(node, scope, carried)
    elif "spacecraft-thruster-model" in file or "SpacecraftThrusterModel" in file:
        carry_nozzle(node, scope, carried)
    elif "thruster-system" in file or "systems::Thruster" in file:
        carry_thruster(node, scope, carried)
    elif "multicopter-control" in file or "MulticopterVelocityControl" in file:
        carried.report.lose(str(node), "its law and its gains are its own; a controller from here flies instead")
        node.swallow()
    elif not carry_sensor_plugin(node, scope, carried) and not carry_drive(node, scope, carried):
        file = node.element.get("filename", "?")
        carried.report.lose(str(node), f"plugin {file} has no counterpart: {node.summary()}")
        node.swallow()


def _mavlink(node: Node, scope: str, carried: Carried) -> None:
    """PX4's link to its autopilot: which joints it moves. The autopilot itself is another program."""
    for channel in (one for channels in node.all("control_channels") for one in channels.all("channel")):
        mode = mode_of(channel.say("joint_control_type"))
        if mode is not None and (named := channel.one("joint_name")) and named.text:
            joint = carried.joint(named, scope)
            scale = abs(channel.number("input_scaling", 1.0))
            if joint:
                carried.wanted[joint] = Wish(mode, scale or None)
    carried.report.lose(str(node), "PX4's autopilot is another program; a controller from here flies instead")
    node.swallow()
