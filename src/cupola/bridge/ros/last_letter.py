"""Last_letter_2's own names (sections 2.4 to 2.6 and 2.10 of its specification): its controller nodes fly unchanged.

The world stands in the place of Gazebo and core_n: it publishes the states of all links and asks the controller's
service for the channels. x, y, z of the world are its north, west, up: the numbers are the same, the names are not.
"""

import logging
from typing import Any

import numpy as np

from cupola.bridge.ros.dialects import clock, move_sticks, renamed, sensors_of, sticks
from cupola.bridge.ros.frames import Frame, fixed_frames, moving_frames
from cupola.bridge.ros.graph import Asked, Commands, Graph, Incoming
from cupola.bridge.ros.present import Present
from cupola.bridge.ros.services import Controls, gazebo_services
from cupola.record.stream import Stream
from cupola.record.topics import log_topics
from cupola.sim.world import World

log = logging.getLogger("cupola.bridge")
BEFORE = "/last_letter_2/"
WORLD, BASE = "inertial_NWU", "body_FLU"
LINK = ["x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r"]
MOTION = {"position": "xyz", "attitude": ("roll", "pitch", "yaw"), "velocity_b": "xyz", "rate_b": "xyz"}
"""Signals of a vehicle, in the order of a link's state."""
MOST = 10
"""Airfoils, and motors, of a message."""
SENSORS = {
    "Imu": "imu",
    "LaserScan": "laser",
    "Image": "camera/image",
    "CompressedImage": "camera/image/compressed",
    "CameraInfo": "camera/camera_info",
}
OVER = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]
"""Half a turn about x: from front-left-up to front-right-down."""
PER_MBAR = 0.01
"""[mbar/Pa]."""


def last_letter(world: World, present: Present, controls: Controls, commanded: bool) -> Graph:
    """Of the first vehicle."""
    vehicle = world.instances[0].name
    root = f"{vehicle}/{world.instances[0].vehicle.root}"
    wings = _sites(world, vehicle, "cupola_msgs/msg/Airfoil")
    motors = _sites(world, vehicle, "cupola_msgs/msg/Rotor")
    motion = [f"{vehicle}.{what}.{axis}" for what, axes in MOTION.items() for axis in axes]
    base = present.numbers(motion)  # as controllers in process see it, to the bit
    links = {f"airfoil{k}": Frame(world, site, site=True) for k, site in enumerate(wings, 1)}
    links |= {f"motor{k}": Frame(world, site, site=True) for k, site in enumerate(motors, 1)}
    poses = {BASE: Frame(world, root).pose, **{name: link.pose for name, link in links.items()}}
    states = _states(len(wings), len(motors))
    outgoing = [
        clock(present),
        fixed_frames(present, [(WORLD, "inertial_NED", OVER), (BASE, "body_FRD", OVER)]),
        moving_frames(present, WORLD, poses),
        present.at_each_step(states, lambda: [*base(), *(n for link in links.values() for n in link.link_state())]),
        _air(world, present, vehicle),
    ]
    for stream, columns in log_topics(world):
        if stream.topic == f"/{vehicle}/joint_states":
            outgoing.append(present.columns(renamed(stream, f"{BEFORE}joint_states"), columns))
    for kind, name in SENSORS.items():
        for _, topic in sensors_of(world, vehicle, f"sensor_msgs/msg/{kind}")[:1]:
            outgoing.append(present.samples(topic, renamed(topic.stream, f"{BEFORE}sensors/{name}")))
    incoming = [
        sticks(world, "/joy", vehicle),
        Incoming(f"{BEFORE}channels", "last_letter_2_msgs/msg/channels", vehicle, act=_channels(world, vehicle)),
    ]
    service = "last_letter_2_msgs/srv/get_control_inputs_srv"
    asked = [Asked(f"{BEFORE}get_control_inputs_srv", service, vehicle, _inputs)] if commanded else []
    return Graph(outgoing, incoming, gazebo_services(world, controls), asked)


def _sites(world: World, vehicle: str, message: str) -> list[str]:
    """Sites of the parts that say such messages, in the order of the vehicle file."""
    found = [b for b in world.assembly.parts if b.vehicle == vehicle and b.part.message == message]
    if len(found) > MOST:
        log.warning("model_states has %d places: %s are not in it", MOST, ", ".join(b.name for b in found[MOST:]))
    return [f"{vehicle}/{b.part.at_site()}" for b in found][:MOST]


def _states(wings: int, motors: int) -> Stream:
    """The states of all links, single precision as there."""
    places = ["base_link_states", *(f"airfoil_states.{k}" for k in range(wings))]
    places += [f"motor_states.{k}" for k in range(motors)]
    columns = tuple(f"{place}.{field}" for place in places for field in LINK)
    constants = {"header.frame_id": WORLD, "base_link_states.header.frame_id": BASE}
    return Stream(f"{BEFORE}model_states", "last_letter_2_msgs/msg/model_states", columns, constants)


def _air(world: World, present: Present, vehicle: str) -> Any:
    stream = Stream(
        f"{BEFORE}air_data",
        "last_letter_2_msgs/msg/air_data",
        ("wind_x", "wind_y", "wind_z", "density", "pressure", "temperature", "gravity"),
        {"header.frame_id": WORLD},
    )
    read = present.numbers([f"{vehicle}.wind.{axis}" for axis in "xyz"] + [f"{vehicle}.density"])
    rest = present.numbers([f"{vehicle}.pressure", f"{vehicle}.temperature"])
    gravity = world.robot(vehicle).gravity

    def numbers() -> list[float]:
        pressure, temperature = rest()
        return [*read(), PER_MBAR * pressure, temperature, gravity]

    return present.at_each_step(stream, numbers)


def _channels(world: World, vehicle: str) -> Any:
    """What joy2chan_n says moves the sticks: camera, laser, boxes and reset hang on them."""
    return lambda message: move_sticks(world, message.value, vehicle)


def _inputs(message: Any) -> Commands:
    """The channels that its controller returns."""
    return dict(enumerate(np.asarray(message.channels, float).tolist()))
