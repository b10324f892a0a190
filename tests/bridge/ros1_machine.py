"""A ROS 1 machine for tests: `roscore` on a free port of this machine, nodes and worlds beside it, all ended after."""

import contextlib
import os
import subprocess
import sys
import time
import xmlrpc.client
from pathlib import Path
from typing import Any

import numpy as np
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


def processor_time(process):
    """[s] that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


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

    def forget_time(self):
        """Who comes now lives in real time: else rospy itself hears the clock, one at a time, for the whole node."""
        if self.master.hasParam("/test", "/use_sim_time")[2]:
            self.master.deleteParam("/test", "/use_sim_time")

    def clock(self, *processes):
        """Exchanges so far, [s] of the wall, and [s] of processor time of each process."""
        return np.array([self.sent("/quadcopter/odometry"), time.monotonic(), *map(processor_time, processes)])

    def flown(self, world, *others):
        """Wait for the end of a flight; returns what an exchange took, after the first fifty, as `clock` says it."""
        self.until(lambda: self.sent("/quadcopter/odometry") > 50, "the pilot")
        first = last = self.clock(world, *others)
        while world.poll() is None:
            with contextlib.suppress(OSError, xmlrpc.client.Error, ValueError):
                last = self.clock(world, *others)
            time.sleep(0.2)
        assert self.ended(world) == 0, self.said()
        exchanges, *spent = last - first
        return [seconds / max(exchanges, 1.0) for seconds in spent]

    def close(self):
        """End everything."""
        self.clear()
        self.stop(self.core)

    def clear(self, but=()):
        """End everything but the master."""
        super().clear((*but, self.core))
