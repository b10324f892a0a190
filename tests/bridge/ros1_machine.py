"""A ROS 1 machine for tests: `roscore` on a free port of this machine, nodes and worlds beside it, all ended after."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import xmlrpc.client
from pathlib import Path
from typing import Any

SYSTEM = "/usr/bin/python3"
"""Whose packages have rospy and its messages."""
NODES = Path(__file__).with_name("ros1_node.py")
LONG = 120.0
"""[s] after which something that was waited for will not come."""
NEEDED = "rospy", "rosbag", "tf2_ros", "nav_msgs.msg", "sensor_msgs.msg", "std_srvs.srv"


def missing():
    """Why there is no ROS 1 here; empty where there is."""
    if not Path(SYSTEM).exists():
        return f"no {SYSTEM}, in which ROS 1 would be"
    done = subprocess.run([SYSTEM, "-c", f"import {', '.join(NEEDED)}"], capture_output=True, text=True, timeout=LONG)
    if done.returncode:
        return f"no ROS 1 (`make ros` installs it where there are Debian's packages): {done.stderr.splitlines()[-1]}"
    return ""


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Machine:
    """Starts and ends processes of ROS."""

    def __init__(self, folder):
        self.folder = folder
        self.started = []
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("ROS")}
        self.env |= {"ROS_HOME": str(folder), "ROS_IP": "127.0.0.1", "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
        port = free_port()
        self.env["ROS_MASTER_URI"] = f"http://127.0.0.1:{port}"
        self.master = xmlrpc.client.ServerProxy(self.env["ROS_MASTER_URI"])
        self.core = self.start(["roscore", "-p", str(port)], "roscore")
        self.until(lambda: self.master.getPid("/test")[0] == 1, "roscore")

    def start(self, command, name, **more):
        """A process, whose words go into a file."""
        words = (self.folder / f"{name}.log").open("wb")
        env = {key: value for key, value in self.env.items() if command[0] == sys.executable or key != "PYTHONPATH"}
        process: Any = subprocess.Popen(
            command,
            stdout=words,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env={**env, **more},
            start_new_session=True,
        )
        words.close()
        self.started.append(process)
        process.words = self.folder / f"{name}.log"
        return process

    def node(self, who, *more, **env):
        """A node of `ros1_node.py`."""
        return self.start([SYSTEM, str(NODES), who, *more], who, **env)

    def world(self, *words):
        """`cupola ros1`."""
        return self.start([sys.executable, "-m", "cupola", "ros1", *words], "world")

    def until(self, true, what):
        """Wait; what is asked may not be there yet."""
        end = time.monotonic() + LONG
        while True:
            with contextlib.suppress(OSError, xmlrpc.client.Error, KeyError):
                if true():
                    return
            dead = [p for p in self.started if p.poll() not in (None, 0)]
            assert time.monotonic() < end, f"{what} did not come; {self.said()}"
            assert not dead, f"{what} did not come, {dead[0].args} ended: {self.said()}"
            time.sleep(0.1)

    def said(self):
        """What the processes said last."""
        return "\n".join(f"{p.words.name}: {p.words.read_text()[-2000:]}" for p in self.started)

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

    def ended(self, process):
        """Its exit code."""
        try:
            return process.wait(LONG)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{process.args} did not end; {self.said()}") from None

    def stop(self, process, how=signal.SIGINT):
        """End one process and those that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)
        if process in self.started:
            self.started.remove(process)

    def clear(self):
        """End everything but the master."""
        for process in list(self.started):
            if process is not self.core:
                self.stop(process)

    def close(self):
        """End everything."""
        self.clear()
        self.stop(self.core)
