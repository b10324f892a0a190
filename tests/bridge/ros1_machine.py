"""A ROS 1 machine for tests: `roscore` on a free port of this machine, nodes and worlds beside it, all ended after."""

import subprocess
import sys
import xmlrpc.client
from pathlib import Path
from typing import Any

from tests.bridge.processes import LONG, Processes, free_port

SYSTEM = "/usr/bin/python3"
"""Whose packages have rospy and its messages."""
NODES = Path(__file__).with_name("ros1_node.py")
NEEDED = "rospy", "rosbag", "tf2_ros", "nav_msgs.msg", "sensor_msgs.msg", "std_srvs.srv"


def missing():
    """Why there is no ROS 1 here; empty where there is."""
    if not Path(SYSTEM).exists():
        return f"no {SYSTEM}, in which ROS 1 would be"
    done = subprocess.run([SYSTEM, "-c", f"import {', '.join(NEEDED)}"], capture_output=True, text=True, timeout=LONG)
    if done.returncode:
        return f"no ROS 1 (`make ros` installs it where there are Debian's packages): {done.stderr.splitlines()[-1]}"
    return ""


class Machine(Processes):
    """Starts and ends processes of ROS."""

    def __init__(self, folder):
        super().__init__(folder, ROS_HOME=str(folder), ROS_IP="127.0.0.1")
        port = free_port()
        self.env["ROS_MASTER_URI"] = f"http://127.0.0.1:{port}"
        self.master = xmlrpc.client.ServerProxy(self.env["ROS_MASTER_URI"])
        self.core = self.start(["roscore", "-p", str(port)], "roscore")
        self.until(lambda: self.master.getPid("/test")[0] == 1, "roscore")

    def node(self, who, *more, **env):
        """A node of `ros1_node.py`."""
        return self.start([SYSTEM, str(NODES), who, *more], who, **env)

    def world(self, *words):
        """`cupola ros1`."""
        return self.start([sys.executable, "-m", "cupola", "ros1", *words], "world")

    def _world(self) -> Any:
        """The world's node, as other nodes call it."""
        master: Any = self.master
        return xmlrpc.client.ServerProxy(master.lookupNode("/test", "/cupola")[2])

    def hears(self, node, topics):
        """Whether a node has subscribed to topics of the world, and is connected."""
        info = self._world().getBusInfo("/test")[2]
        return set(topics) <= {row[4] for row in info if row[2] == "o" and row[1].startswith(node) and row[5]}

    def sent(self, topic):
        """How many messages the world has sent on a topic to one subscriber, the most."""
        published = self._world().getBusStats("/test")[2][0]
        return max((row[2] for name, _, rows in published if name == topic for row in rows), default=0)

    def close(self):
        """End everything."""
        self.clear()
        self.stop(self.core)

    def clear(self, but=()):
        """End everything but the master."""
        super().clear((*but, self.core))
