"""Cepheus's own names (sections 2.5 to 2.7 of its specification): its simulation's, and its motion capture's."""

from collections.abc import Callable
from typing import Any

from cupola.bridge.ros.cepheus_bag import bag
from cupola.bridge.ros.dialects import clock, renamed, sensors_of
from cupola.bridge.ros.frames import Frame, moving_frames
from cupola.bridge.ros.graph import Commands, Graph, Incoming, Outgoing
from cupola.bridge.ros.present import Present
from cupola.bridge.ros.services import Controls, gazebo_services
from cupola.config.robot import Robot
from cupola.record.stream import Stream
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

NUMBER = "std_msgs/msg/Float64"
ARM = ("shoulder", "elbow", "wrist")
GRIPS = {"softgrip": 1.0, "hardgrip": 2.0, "release": 0.0}
"""What is said on /tsoulias_hear, and the command of the gripper."""
CAPTURED = {"base": "cepheusbase", "tip": "cepheus_endeffector"}
"""Sites of the chaser that the cameras see, and their names in Vicon."""


def cepheus(world: World, present: Present, controls: Controls, commanded: bool) -> Graph:
    """Of the first vehicle with that arm; the next one is its target."""
    robots = {one.name: world.robot(one.name) for one in world.instances}
    chaser = next((name for name, robot in robots.items() if set(ARM) <= set(robot.drives)), None)
    if chaser is None:
        raise InputError(f"--names cepheus: no vehicle of this scenario has drives called {', '.join(ARM)}")
    target = next((name for name in robots if name != chaser), None)
    frames = {"cepheus_base": Frame(world, f"{chaser}/{robots[chaser].root}")}
    frames["final_link"] = Frame(world, f"{chaser}/tip", site=True)
    if target:
        frames["base_link"] = Frame(world, f"{target}/{robots[target].root}")
    outgoing = [
        clock(present),
        moving_frames(present, "world", {name: frame.pose for name, frame in frames.items()}),
        _link_states(present, frames),
        _joint_states(world, present, chaser, robots[chaser]),
        *_captured(world, present, chaser, target),
    ]
    for _, topic in sensors_of(world, chaser, "geometry_msgs/msg/WrenchStamped")[:1]:
        outgoing.append(present.samples(topic, renamed(topic.stream, "/cepheus/ft_sensor_topic")))
    grip = robots[chaser].grippers
    if grip:
        outgoing.append(_gripper(present, world, chaser, next(iter(grip))))
    if not commanded:
        outgoing += bag(world, present, chaser, target)
    incoming = _commands(chaser, robots[chaser]) if commanded else []
    return Graph(outgoing, incoming, gazebo_services(world, controls))


def _commands(chaser: str, robot: Robot) -> list[Incoming]:
    """Torques of the joints and of the wheel, which every step waits for; orders to the gripper, which none does."""
    torque = "/cepheus/left_{}_effort_controller/command"
    found = [
        Incoming(torque.format(joint), NUMBER, chaser, _number(robot.drives[joint].channel), awaited=True)
        for joint in ARM
    ]
    wheel = next((drive for drive in robot.drives.values() if drive.acts_back), None)
    if wheel:
        turned = _torque_z(wheel.channel)
        found.append(Incoming("/cepheus/force_base_topic", "geometry_msgs/msg/Wrench", chaser, turned, awaited=True))
    if robot.grippers:
        channel = next(iter(robot.grippers.values())).channel
        found.append(Incoming("/tsoulias_hear", "std_msgs/msg/String", chaser, _order(channel)))
    return found


def _torque_z(channel: int) -> Callable[[Any], Commands]:
    return lambda message: {channel: float(message.torque.z)}


def _number(channel: int) -> Callable[[Any], Commands]:
    return lambda message: {channel: float(message.data)}


def _order(channel: int) -> Callable[[Any], Commands]:
    def commands(message: Any) -> Commands:
        if message.data not in GRIPS:
            raise InputError(f"/tsoulias_hear: {message.data!r} is no order of the gripper; known: {', '.join(GRIPS)}")
        return {channel: GRIPS[message.data]}

    return commands


def _link_states(present: Present, frames: dict[str, Frame]) -> Outgoing:
    """Gazebo's: pose and velocity of links, world axes."""
    pose = [*(f"position.{a}" for a in "xyz"), *(f"orientation.{a}" for a in "wxyz")]
    columns = [f"pose.{k}.{p}" for k in range(len(frames)) for p in pose]
    columns += [f"twist.{k}.{s}.{a}" for k in range(len(frames)) for s in ("linear", "angular") for a in "xyz"]
    stream = Stream("/gazebo/link_states", "gazebo_msgs/msg/LinkStates", tuple(columns), {"name": list(frames)})
    every = list(frames.values())
    return present.at_each_step(
        stream, lambda: [n for f in every for n in f.pose()] + [n for f in every for n in f.velocity_w()]
    )


def _joint_states(world: World, present: Present, chaser: str, robot: Robot) -> Outgoing:
    """Of the arm, exact."""
    joints = [robot.drives[name].joint for name in ARM]
    columns = [f"{what}.{k}" for what in ("position", "velocity") for k in range(len(ARM))]
    names = [f"left_{name}" for name in ARM]
    stream = Stream("/cepheus/joint_states", "sensor_msgs/msg/JointState", tuple(columns), {"name": names})
    signals = [f"{chaser}.{joint}.{what}" for what in ("position", "velocity") for joint in joints]
    return present.at_each_step(stream, present.numbers(signals))


def _captured(world: World, present: Present, chaser: str, target: str | None) -> list[Outgoing]:
    """What the cameras on the wall see, as vicon_bridge says it."""
    found = []
    for name in filter(None, (chaser, target)):
        for _, topic in sensors_of(world, name, "geometry_msgs/msg/TransformStamped"):
            called = CAPTURED.get(topic.samples.part.at_site() or "") if name == chaser else "cepheus_target"
            if called:
                said = f"/vicon/{called}/{called}"
                found.append(
                    present.samples(topic, renamed(topic.stream, said, "world", child_frame_id=said.lstrip("/")))
                )
    return found


def _gripper(present: Present, world: World, chaser: str, gripper: str) -> Outgoing:
    """What it is doing; "nothing" when it has finished."""
    words = {value: name for name, value in GRIPS.items()}
    stream = Stream("/tsoulias_speak", "std_msgs/msg/String", ())

    def said() -> str:
        action, finished = (world.signal(f"{chaser}.{gripper}.{what}") for what in ("action", "finished"))
        return "nothing" if finished else words.get(float(action), "nothing")  # type: ignore[arg-type]

    return present.said(stream, "data", said)
