"""Calls services of a world through zenoh-ros2-sdk, which shares no code with Cupola: PORT, then says the answers."""

import json
import os
import sys

from zenoh_ros2_sdk import ROS2ServiceClient

SET_BOOL = ("std_srvs/srv/SetBool", "bool data\n", "bool success\nstring message\n")
FRICTION = ("omnivelma_msgs/srv/SetFriction", "float64 mu1\nfloat64 mu2\n", "# nothing\n")
TRIGGER = ("std_srvs/srv/Trigger", "# nothing\n", "bool success\nstring message\n")


def call(name, described, **fields):
    kind, request, response = described
    client = ROS2ServiceClient(
        name,
        kind,
        request_definition=request,
        response_definition=response,
        router_ip="127.0.0.1",
        router_port=int(sys.argv[1]),
        timeout=100.0,
    )
    found = client.call(**fields)
    return "no answer" if found is None else [getattr(found, "success", None), getattr(found, "message", None)]


said = {
    "box": call("/quadcopter/drop_box", TRIGGER),
    "pause": call("/cupola/pause", SET_BOOL, data=True),
    "friction": call("/cupola/set_friction", FRICTION, mu1=0.5, mu2=0.5),
    "reset": call("/cupola/reset", TRIGGER),
}
print(json.dumps(said), flush=True)
os._exit(0)  # threads of the session may outlive the world that they were connected to
