"""Who speaks how: topics, messages, frames and services, by name."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from cupola.bridge.ros.graph import Commands, Graph, Incoming, Outgoing
from cupola.bridge.ros.present import Present
from cupola.bridge.ros.services import Controls, world_services
from cupola.record.stream import Stream
from cupola.record.topics import SensorTopic, log_topics, phase_streams, sensor_topics, site_frames
from cupola.schema.arguments import numbers
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

CLOCK = Stream("/clock", "rosgraph_msgs/msg/Clock", ())
NUMBERS, JOY, TWIST = "std_msgs/msg/Float64MultiArray", "sensor_msgs/msg/Joy", "geometry_msgs/msg/Twist"
Dialect = Callable[[World, Present, Controls, bool], Graph]
"""Of a world; the last argument says whether the other side commands the vehicles."""


def cupola(world: World, present: Present, controls: Controls, commanded: bool) -> Graph:
    """Everything that a recording holds, under the same names; commands as plain arrays."""
    outgoing = [clock(present), static_frames(world, present)]
    outgoing += [present.columns(stream, columns) for stream, columns in log_topics(world)]
    outgoing += [present.samples(topic) for topic in sensor_topics(world)]
    for instance, stream in zip(world.instances, phase_streams(world), strict=True):
        outgoing.append(present.said(stream, "data", lambda name=instance.name: world.mission(name)))  # type: ignore[misc]
    incoming: list[Incoming] = []
    for instance in world.instances:
        name = instance.name
        if commanded:
            incoming.append(Incoming(f"/{name}/command", NUMBERS, name, array_commands, awaited=True))
        else:
            incoming.append(sticks(world, f"/{name}/sticks", name))
            incoming += velocity(world, f"/{name}/cmd_vel", name)
    return Graph(outgoing, incoming, world_services(world, controls))


def clock(present: Present) -> Outgoing:
    """The time of the world."""
    return present.at_each_step(CLOCK, lambda: ())


def static_frames(world: World, present: Present) -> Outgoing:
    """Frames of all sites on their bodies, latched."""
    stream, numbers = site_frames(world)
    return present.once(stream, numbers)


def array_commands(message: Any) -> Commands:
    """The channels of a vehicle, from the first on."""
    return dict(enumerate(np.asarray(message.data, float).tolist()))


def sticks(world: World, topic: str, vehicle: str) -> Incoming:
    """Joystick axes that move the sticks of a vehicle."""
    return Incoming(topic, JOY, vehicle, act=lambda message: move_sticks(world, message.axes, vehicle))


def move_sticks(world: World, values: Any, vehicle: str) -> None:
    """Sticks as a message has them; one that is no number is no position."""
    world.sticks(numbers(np.asarray(values, float).tolist(), "sticks"), vehicle)


def velocity(world: World, topic: str, vehicle: str, stamped: bool = False) -> list[Incoming]:
    """A velocity for a base whose `assisted` controller takes one, with the limits and the time-out of that one."""
    runner = next((one.runners.get("assisted") for one in world.instances if one.name == vehicle), None)
    if runner is None or "reference_timeout" not in type(runner.controller).declared:
        return []
    alive = [0.0]

    def act(message: Any) -> None:
        wish = message.twist if stamped else message
        if world.mode(vehicle) != "assisted":
            world.take_over("assisted", vehicle)
        alive[0] = alive[0] % 1000.0 + 1.0  # another number each time: somebody goes on sending
        limits: Any = runner.controller
        back = [
            -_stick(wish.linear.y, limits.linear_y_min_velocity, limits.linear_y_max_velocity),
            -_stick(wish.linear.x, limits.linear_x_min_velocity, limits.linear_x_max_velocity),
            -_stick(wish.angular.z, limits.angular_z_min_velocity, limits.angular_z_max_velocity),
        ]
        world.sticks([*back, 0.0, alive[0]], vehicle)

    return [Incoming(topic, f"{TWIST}Stamped" if stamped else TWIST, vehicle, act=act)]


def _stick(wish: float, low: float, high: float) -> float:
    """The stick that asks for a velocity; one that is not a number stops."""
    if not math.isfinite(wish):
        return 0.0
    limit = high if wish > 0.0 else -low
    return max(-1.0, min(1.0, wish / limit)) if limit else 0.0


def renamed(stream: Stream, topic: str, frame: str | None = None, **constants: str) -> Stream:
    """The same messages on another topic, with another frame."""
    given = {**stream.constants, **constants} | ({"header.frame_id": frame} if frame is not None else {})
    return stream._replace(topic=topic, constants=given)


def sensors_of(world: World, vehicle: str, kind: str) -> list[tuple[str, SensorTopic]]:
    """The sensors of a vehicle that say messages of a type: name of the part, and its topic."""
    found = [one for one in sensor_topics(world) if one.stream.topic.startswith(f"/{vehicle}/")]
    return [(one.stream.topic.split("/")[2], one) for one in found if one.stream.type == kind]


def dialect(name: str) -> Dialect:
    """By name."""
    from cupola.bridge.ros.cepheus import cepheus
    from cupola.bridge.ros.last_letter import last_letter
    from cupola.bridge.ros.omnivelma import omnivelma
    from cupola.bridge.ros.ros2_control import ros2_control

    known = {"cupola": cupola, "last_letter": last_letter, "omnivelma": omnivelma, "cepheus": cepheus}
    known["ros2_control"] = ros2_control
    if name not in known:
        raise InputError(f"--names: there is no dialect {name!r}; there are: {', '.join(known)}")
    return known[name]
