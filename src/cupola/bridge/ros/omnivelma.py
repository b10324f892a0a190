"""omnivelma's own names (sections 4.6 to 4.8 of its specification): base, scanners, inertial unit, observers, floor."""

import math
from typing import Any

from cupola.bridge.ros.dialects import clock, renamed, sensors_of
from cupola.bridge.ros.frames import Frame, moving_frames
from cupola.bridge.ros.graph import Commands, Graph, Incoming, Outgoing
from cupola.bridge.ros.present import Present
from cupola.bridge.ros.services import CORNERS, Controls, floor_service, gazebo_services, wheel_services
from cupola.physics.mecanum import wheel_speeds
from cupola.physics.planar import Twist
from cupola.record.stream import Stream
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

MAP = "map"
VELS = "omnivelma_msgs/msg/Vels"
NOBODY = "0"
"""Frame of what encoders and observers say."""


def omnivelma(world: World, present: Present, controls: Controls, commanded: bool) -> Graph:
    """Of every vehicle on Mecanum wheels; one alone is called omnivelma."""
    bases = [one.name for one in world.instances if world.robot(one.name).wheels]
    if not bases:
        raise InputError("--names omnivelma: no vehicle of this scenario has Mecanum wheels")
    called = {bases[0]: "omnivelma"} if len(bases) == 1 else {name: name for name in bases}
    frames = {name: Frame(world, f"{name}/{world.robot(name).root}") for name in bases}
    seen = {called[name]: frame.pose for name, frame in frames.items()}
    outgoing: list[Outgoing] = []
    incoming: list[Incoming] = []
    services = [*gazebo_services(world, controls), floor_service(world, "/flooria/set_friction")]
    for name, short in called.items():
        first = "" if name == bases[0] else f"/{short}"
        outgoing += _motion(present, frames[name], short)
        outgoing += _encoders(world, present, name, short)
        for side, letter in (("right", "r"), ("left", "l")):
            for part, topic in sensors_of(world, name, "sensor_msgs/msg/LaserScan"):
                if part.endswith(side):
                    heart = f"{first.strip('/')}{'_' if first else ''}monokl_{letter}_heart"
                    outgoing.append(
                        present.samples(topic, renamed(topic.stream, f"{first}/monokl_{letter}/scan", heart))
                    )
                    seen[heart] = Frame(world, f"{name}/{topic.samples.part.at_site()}", site=True).pose
        for _, topic in sensors_of(world, name, "sensor_msgs/msg/Imu")[:1]:
            outgoing.append(present.samples(topic, renamed(topic.stream, f"{first}/wewucho/imu", short)))
        for part, topic in sensors_of(world, name, "cupola_msgs/msg/Relative"):
            stream = Stream(
                f"/{part}/relative",
                "omnivelma_msgs/msg/RelativeStamped",
                tuple(f"relative.{field}" for field in topic.stream.columns),
                {"header.frame_id": NOBODY},
            )
            outgoing.append(present.samples(topic, stream))
        if commanded:
            channel = next(iter(world.robot(name).wheels.values())).channel
            incoming.append(Incoming(f"/{short}/vels", VELS, name, _wheels(channel), awaited=True))
            if name == bases[0]:
                by_twist = _by_twist(world, name, channel)
                incoming.append(Incoming("/transmutator/twist", "geometry_msgs/msg/Twist", name, by_twist))
        services += wheel_services(world, name, short)
    if commanded and len(channels := {next(iter(world.robot(name).wheels.values())).channel for name in bases}) == 1:
        incoming.append(Incoming("/widelnica/vels", VELS, commands=_wheels(channels.pop())))
    frames_out = moving_frames(present, MAP, seen)
    return Graph([clock(present), frames_out, *outgoing], incoming, services)


def _motion(present: Present, frame: Frame, short: str) -> list[Outgoing]:
    """Pose and twist, both in the map, and the two as an odometry."""
    place = [*(f"position.{a}" for a in "xyz"), *(f"orientation.{a}" for a in "wxyz")]
    speed = [*(f"linear.{a}" for a in "xyz"), *(f"angular.{a}" for a in "xyz")]
    header = {"header.frame_id": MAP}
    both = [*(f"pose.pose.{p}" for p in place), *(f"twist.twist.{s}" for s in speed)]
    pose = Stream(f"/{short}/pose", "geometry_msgs/msg/PoseStamped", tuple(f"pose.{p}" for p in place), header)
    twist = Stream(f"/{short}/twist", "geometry_msgs/msg/TwistStamped", tuple(f"twist.{s}" for s in speed), header)
    odometry = Stream(f"/{short}/odometry", "nav_msgs/msg/Odometry", tuple(both), {**header, "child_frame_id": short})
    return [
        present.at_each_step(pose, frame.pose),
        present.at_each_step(twist, frame.velocity_w),
        present.at_each_step(odometry, lambda: [*frame.pose(), *frame.velocity_w()]),
    ]


def _encoders(world: World, present: Present, name: str, short: str) -> list[Outgoing]:
    found = []
    for _, topic in sensors_of(world, name, "cupola_msgs/msg/Encoders"):
        columns = tuple(f"encoders.{field}" for field in topic.stream.columns)
        stream = Stream(
            f"/{short}/encoders", "omnivelma_msgs/msg/EncodersStamped", columns, {"header.frame_id": NOBODY}
        )
        found.append(present.samples(topic, stream))
    return found


def _wheels(channel: int) -> Any:
    """Speeds of the wheels; one that is no number leaves its wheel as it was told before."""

    def commands(message: Any) -> Commands:
        asked = {channel + k: float(getattr(message, corner)) for k, corner in enumerate(CORNERS)}
        return {which: speed for which, speed in asked.items() if not math.isnan(speed)}

    return commands


def _by_twist(world: World, name: str, channel: int) -> Any:
    """What transmutator does: wheel speeds of a velocity."""
    kinematics = world.robot(name).wheels_at(channel).kinematics()

    def commands(message: Any) -> Commands:
        wish = Twist(float(message.linear.x), float(message.linear.y), float(message.angular.z))
        return {channel + k: float(speed) for k, speed in enumerate(wheel_speeds(wish, kinematics))}

    return commands
