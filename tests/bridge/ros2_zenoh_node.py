"""A node that speaks to rmw_zenoh through zenoh-ros2-sdk, and shares no code with Cupola but the law:
PORT STEPS TYPES [FILE]. The bytes of each message, as they came, go into the file.
"""

import importlib
import json
import os
import struct
import sys
import threading
import time
from pathlib import Path

from zenoh_ros2_sdk import ROS2Publisher, ROS2Subscriber

sys.path.insert(0, str(Path(__file__).parent))
fly = importlib.import_module("ros_law").fly
definitions = json.loads(Path(sys.argv[3]).read_text())
"""Text and hash of each type: the SDK would fetch them from the network."""


def main(port, steps):
    stamps, done = [], threading.Event()
    at = {"router_ip": "127.0.0.1", "router_port": port}

    def kind(name):
        return {"msg_type": name, "msg_definition": definitions[name]["text"], "type_hash": definitions[name]["hash"]}

    out = ROS2Publisher(topic="/quadcopter/command", **kind("std_msgs/msg/Float64MultiArray"), **at)
    layout = out.session_mgr.store.types["std_msgs/msg/MultiArrayLayout"](dim=[], data_offset=0)
    numpy = importlib.import_module("numpy")

    def heard(m):
        pose, twist, stamp = m.pose.pose, m.twist.twist, m.header.stamp
        place = (pose.position.x, pose.position.y, pose.position.z)
        turn = (pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z)
        linear, angular = ((v.x, v.y, v.z) for v in (twist.linear, twist.angular))
        command = fly(stamp.sec + 1e-9 * stamp.nanosec, place, turn, linear, angular)
        out.publish(layout=layout, data=numpy.array(command))
        stamps.append(stamp.sec * 10**9 + stamp.nanosec)
        if len(stamps) == steps:
            done.set()

    raw = Path(sys.argv[4]).open("wb") if len(sys.argv) > 4 else None  # noqa: SIM115

    def write(sample):
        content = sample.payload.to_bytes()
        raw.write(struct.pack("<I", len(content)) + content)

    if raw:
        key = f"*/quadcopter/odometry/nav_msgs::msg::dds_::Odometry_/{definitions['nav_msgs/msg/Odometry']['hash']}"
        listening = out.session_mgr.session.declare_subscriber(key, write)
    kept = ROS2Subscriber(topic="/quadcopter/odometry", callback=heard, **kind("nav_msgs/msg/Odometry"), **at)
    done.wait(400)
    time.sleep(1.0)
    print(json.dumps({"stamps": stamps}), flush=True)
    if raw:
        listening.undeclare()
        raw.close()
    del kept
    os._exit(0)  # threads of the session may outlive the world that they were connected to


main(int(sys.argv[1]), int(sys.argv[2]))
