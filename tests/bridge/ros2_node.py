"""Nodes of ROS 2 without ROS, in processes of their own: `ros2_node.py WHO`. Types are written by hand, from ROS's IDL.

They share no code with Cupola but the law; Cyclone DDS and Zenoh decode for them.
"""

# mypy: ignore-errors
# Cyclone reads the annotations of these classes, which mypy takes for types of its own.
import importlib
import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import array, float64, int32, int64, sequence, uint8, uint32, uint64
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

sys.path.insert(0, str(Path(__file__).parent))
fly = importlib.import_module("ros_law").fly


@dataclass
class Time(IdlStruct, typename="builtin_interfaces.msg.dds_.Time_"):
    sec: int32
    nanosec: uint32


@dataclass
class Header(IdlStruct, typename="std_msgs.msg.dds_.Header_"):
    stamp: Time
    frame_id: str


@dataclass
class Vector3(IdlStruct, typename="geometry_msgs.msg.dds_.Vector3_"):
    x: float64
    y: float64
    z: float64


@dataclass
class Point(IdlStruct, typename="geometry_msgs.msg.dds_.Point_"):
    x: float64
    y: float64
    z: float64


@dataclass
class Quaternion(IdlStruct, typename="geometry_msgs.msg.dds_.Quaternion_"):
    x: float64
    y: float64
    z: float64
    w: float64


@dataclass
class Pose(IdlStruct, typename="geometry_msgs.msg.dds_.Pose_"):
    position: Point
    orientation: Quaternion


@dataclass
class PoseWithCovariance(IdlStruct, typename="geometry_msgs.msg.dds_.PoseWithCovariance_"):
    pose: Pose
    covariance: array[float64, 36]


@dataclass
class Twist(IdlStruct, typename="geometry_msgs.msg.dds_.Twist_"):
    linear: Vector3
    angular: Vector3


@dataclass
class TwistWithCovariance(IdlStruct, typename="geometry_msgs.msg.dds_.TwistWithCovariance_"):
    twist: Twist
    covariance: array[float64, 36]


@dataclass
class Odometry(IdlStruct, typename="nav_msgs.msg.dds_.Odometry_"):
    header: Header
    child_frame_id: str
    pose: PoseWithCovariance
    twist: TwistWithCovariance


@dataclass
class Dimension(IdlStruct, typename="std_msgs.msg.dds_.MultiArrayDimension_"):
    label: str
    size: uint32
    stride: uint32


@dataclass
class Layout(IdlStruct, typename="std_msgs.msg.dds_.MultiArrayLayout_"):
    dim: sequence[Dimension]
    data_offset: uint32


@dataclass
class Numbers(IdlStruct, typename="std_msgs.msg.dds_.Float64MultiArray_"):
    layout: Layout = field(default_factory=lambda: Layout([], 0))
    data: sequence[float64] = field(default_factory=list)


@dataclass
class Trigger(IdlStruct, typename="std_srvs.srv.dds_.Trigger_Request_"):
    """Who asks, and the number of the question, come first, as rmw_cyclonedds has it."""

    guid: uint64
    seq: int64
    structure_needs_at_least_one_member: uint8 = 0


@dataclass
class Triggered(IdlStruct, typename="std_srvs.srv.dds_.Trigger_Response_"):
    guid: uint64
    seq: int64
    success: bool
    message: str


@dataclass
class SetBool(IdlStruct, typename="std_srvs.srv.dds_.SetBool_Request_"):
    guid: uint64
    seq: int64
    data: bool


@dataclass
class BoolSet(IdlStruct, typename="std_srvs.srv.dds_.SetBool_Response_"):
    guid: uint64
    seq: int64
    success: bool
    message: str


@dataclass
class SetFriction(IdlStruct, typename="omnivelma_msgs.srv.dds_.SetFriction_Request_"):
    guid: uint64
    seq: int64
    mu1: float64
    mu2: float64


@dataclass
class FrictionSet(IdlStruct, typename="omnivelma_msgs.srv.dds_.SetFriction_Response_"):
    guid: uint64
    seq: int64
    structure_needs_at_least_one_member: uint8 = 0


RELIABLE = Qos(
    Policy.Reliability.Reliable(duration(seconds=10)),
    Policy.Durability.Volatile,
    Policy.History.KeepAll,
    Policy.DataRepresentation(use_cdrv0_representation=True, use_xcdrv2_representation=False),
)


def pilot(steps):
    """Fly the quadcopter, so many steps; then say what was seen."""
    participant = DomainParticipant(int(os.environ["ROS_DOMAIN_ID"]))
    seen = Topic(participant, "rt/quadcopter/odometry", Odometry)
    reader = DataReader(participant, seen, qos=RELIABLE)
    writer = DataWriter(participant, Topic(participant, "rt/quadcopter/command", Numbers), qos=RELIABLE)
    stamps, highest = [], 0.0
    end = time.monotonic() + 400
    while len(stamps) < steps and time.monotonic() < end:
        for m in reader.take_iter(timeout=duration(seconds=1)):
            pose, twist, stamp = m.pose.pose, m.twist.twist, m.header.stamp
            at = (pose.position.x, pose.position.y, pose.position.z)
            turn = (pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z)
            linear, angular = ((v.x, v.y, v.z) for v in (twist.linear, twist.angular))
            writer.write(Numbers(data=fly(stamp.sec + 1e-9 * stamp.nanosec, at, turn, linear, angular)))
            stamps.append(stamp.sec * 10**9 + stamp.nanosec)
            highest = max(highest, pose.position.z)
            if len(stamps) >= steps:
                break
    time.sleep(1.0)  # the last command is on its way
    frames = [m.header.frame_id, m.child_frame_id]
    print(json.dumps({"stamps": stamps, "highest": highest, "frames": frames}), flush=True)


def call(participant, name, request, answer):
    """The answer of a service of the world."""
    asked = DataWriter(participant, Topic(participant, f"rq{name}Request", type(request)), qos=RELIABLE)
    heard = DataReader(participant, Topic(participant, f"rr{name}Reply", answer), qos=RELIABLE)
    end = time.monotonic() + 100
    while not (asked.get_matched_subscriptions() and heard.get_matched_publications()):
        assert time.monotonic() < end, f"{name} is not there"
        time.sleep(0.05)
    asked.write(request)
    for reply in heard.take_iter(timeout=duration(seconds=100)):
        if (reply.guid, reply.seq) == (request.guid, request.seq):
            return [getattr(reply, "success", None), getattr(reply, "message", None)]
    return "no answer"


def caller(number):
    """Call the services of the world, then say what they answered."""
    there = DomainParticipant(int(os.environ["ROS_DOMAIN_ID"]))
    me = 0xFEDCBA9876543210
    said = {
        "box": call(there, "/quadcopter/drop_box", Trigger(me, number), Triggered),
        "pause": call(there, "/cupola/pause", SetBool(me, number + 1, True), BoolSet),
        "friction": call(there, "/cupola/set_friction", SetFriction(me, number + 2, 0.5, 0.5), FrictionSet),
        "reset": call(there, "/cupola/reset", Trigger(me, number + 3), Triggered),
    }
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    {"pilot": pilot, "caller": caller}[sys.argv[1]](int(sys.argv[2]))
