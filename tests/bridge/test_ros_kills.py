"""Nodes of ROS that are killed at random, over each bridge: the world waits, and the next node flies on as if nothing
had been.

Each bridge loses 2 of them, or as many as CUPOLA_KILLS says.
"""

import json
import os
import sys
from pathlib import Path

import pytest
from tests.bridge.processes import LONG, free_port, warm
from tests.bridge.ros1_machine import NODES, SYSTEM, Machine, missing
from tests.bridge.ros_law import fly
from tests.bridge.test_ros2 import HERE, needs_dds, needs_linux, needs_zenoh, network, zenoh_types

import cupola
from cupola.config.controller import Controller
from cupola.record.read import Recording

__all__ = ["network"]
pytestmark = pytest.mark.timeout(3000)
KILLS = int(os.environ.get("CUPOLA_KILLS", "2"))
STEPS = 100 + 20 * KILLS
"""Of a flight, more than all lives together."""
MORTAL = str(Path(__file__).with_name("mortal_nodes.py"))
KILLED = "died of 14"


class Pilot(Controller):
    """The law of the nodes, in process."""

    def step(self, obs, ref):
        return fly(obs.time, obs.pos_w, obs.quat_wb, obs.vel_b, obs.rate_b)


def common(folder):
    times = ("--timeout", str(LONG), "--patience", str(LONG), "--rate", "400")
    return ("quadcopter", "--duration", str(STEPS / 400), "--out", str(folder), *times)


def all_is_as_it_was(processes, world, nodes):
    """Every one died, and the state is that of the law in process: no answer was lost, none was taken twice."""
    assert processes.ended(world) == 0, processes.said()
    assert nodes.words.read_text().split("\n").count(KILLED) == KILLS, processes.said()
    processes.stop(nodes)
    here = cupola.load("quadcopter", controllers={"quadcopter": Pilot})
    here.run(STEPS / 400)
    recording = Recording(processes.folder / "quadcopter.mcap")
    assert recording.is_complete and recording.ending["state_sha256"] == here.state_hash()
    assert "came anew at" in world.words.read_text()


@needs_dds
@needs_linux
def test_nodes_that_die_over_dds(network):
    world = network.start([sys.executable, "-m", "cupola", "ros2", *common(network.folder)], "world")
    words = [sys.executable, MORTAL, str(KILLS), "cyclonedds.core", str(HERE / "ros2_node.py"), "pilot", "1000000"]
    all_is_as_it_was(network, world, network.start(words, "nodes"))


@needs_zenoh
def test_nodes_that_die_over_zenoh(network):
    port = free_port()
    (network.folder / "types.json").write_text(json.dumps(zenoh_types()))
    over = ("--over", "zenoh", "--listen", f"tcp/127.0.0.1:{port}", "--domain", "0")
    world = network.start([sys.executable, "-m", "cupola", "ros2", *common(network.folder), *over], "world")
    node = [str(HERE / "ros2_zenoh_node.py"), str(port), "1000000", str(network.folder / "types.json")]
    words = [sys.executable, MORTAL, str(KILLS), "numpy,rosbags.typesys", *node]
    network.until(lambda: "every step waits" in world.words.read_text(), "the world")
    all_is_as_it_was(network, world, network.start(words, "nodes", ROS_DOMAIN_ID="0"))


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_nodes_that_die_over_ros_1(tmp_path):
    warm("quadcopter")
    machine = Machine(tmp_path)
    try:
        world = machine.world(*common(tmp_path))
        words = [SYSTEM, MORTAL, str(KILLS), "rospy,nav_msgs.msg,tf2_ros", str(NODES), "pilot"]
        all_is_as_it_was(machine, world, machine.start(words, "nodes"))
    finally:
        machine.close()
