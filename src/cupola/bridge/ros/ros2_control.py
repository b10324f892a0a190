"""A base on Mecanum wheels under the names of mecanum_drive_controller of ros2_controllers, with REP 105's frames."""

from cupola.bridge.ros.dialects import clock, cupola, renamed, sensors_of, velocity
from cupola.bridge.ros.graph import Graph
from cupola.bridge.ros.present import Present
from cupola.bridge.ros.services import Controls
from cupola.record.stream import Stream
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

CONTROLLER = "/mecanum_drive_controller"
ODOMETRY, BASE = "odom", "base_link"
PLACE = {f"pose.pose.position.{a}": f"translation.{a}" for a in "xyz"}
PLACE |= {f"pose.pose.orientation.{a}": f"rotation.{a}" for a in "wxyz"}


def ros2_control(world: World, present: Present, controls: Controls, commanded: bool) -> Graph:
    """Of the first base: velocities in, within its limits and time-out; odometry of its encoders and its frame out."""
    base = next((one.name for one in world.instances if world.robot(one.name).wheels), None)
    if base is None or not (asked := velocity(world, f"{CONTROLLER}/reference", base, stamped=True)):
        raise InputError("--names ros2_control: no vehicle of this scenario has Mecanum wheels and takes velocities")
    if commanded:
        raise InputError("--names ros2_control: its own mecanum_drive flies it by velocities: add --commands own")
    every = cupola(world, present, controls, commanded=False)
    outgoing = [one for one in every.outgoing if one.stream.topic not in (f"/{base}/encoders/odometry", "/clock")]
    outgoing.insert(0, clock(present))
    for _, topic in sensors_of(world, base, "nav_msgs/msg/Odometry"):
        if topic.stream.constants.get("header.frame_id") != ODOMETRY:
            continue
        stream = renamed(topic.stream, f"{CONTROLLER}/odometry", ODOMETRY, child_frame_id=BASE)
        outgoing.append(present.samples(topic, stream))
        places = [k for k, field in enumerate(stream.columns) if field in PLACE]
        columns = tuple(f"transforms.0.transform.{PLACE[stream.columns[k]]}" for k in places)
        constants = {"transforms.0.header.frame_id": ODOMETRY, "transforms.0.child_frame_id": BASE}
        frame = Stream(f"{CONTROLLER}/tf_odometry", "tf2_msgs/msg/TFMessage", columns, constants)
        outgoing.append(present.samples(topic, frame, places))
    return Graph(outgoing, [*every.incoming, *asked], every.services)
