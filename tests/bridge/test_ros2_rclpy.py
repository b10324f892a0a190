"""A world through rclpy: a stand-in of its documented functions carries what a node hears, says and asks."""

import importlib
import queue
import sys
import threading
import time

import pytest
from mcap.reader import make_reader
from tests.bridge.processes import LONG
from tests.bridge.rclpy_stand_in import install
from tests.bridge.ros_law import fly
from tests.bridge.test_ros2 import hash_in_process

import cupola
from cupola.bridge.ros.dialects import dialect
from cupola.bridge.ros.exchange import Exchange, Times
from cupola.bridge.ros2.rclpy_node import Rclpy
from cupola.cli import main
from cupola.config.controller import Controller
from cupola.record.read import Recording
from cupola.schema.yaml_files import InputError

DURATION = 0.4


class Pilot(Controller):
    """The law of the node, in process."""

    def step(self, obs, ref):
        return fly(obs.time, obs.pos_w, obs.quat_wb, obs.vel_b, obs.rate_b)


@pytest.fixture
def net(monkeypatch):
    return install(monkeypatch)


class Other:
    """A node of a user, beside the world."""

    def __init__(self):
        rclpy, executors = importlib.import_module("rclpy"), importlib.import_module("rclpy.executors")
        context = importlib.import_module("rclpy.context").Context()
        rclpy.init(context=context)
        self.node = rclpy.create_node("pilot", context=context)
        self.executor = executors.MultiThreadedExecutor(1, context=context)
        self.executor.add_node(self.node)
        self.heard = []
        qos = importlib.import_module("rclpy.qos")
        quality = qos.QoSProfile(depth=10)
        command = importlib.import_module("std_msgs.msg").Float64MultiArray
        self.out = self.node.create_publisher(command, "/quadcopter/command", quality)
        odometry = importlib.import_module("nav_msgs.msg").Odometry
        self.node.create_subscription(odometry, "/quadcopter/odometry", self.fly, quality, raw=True)
        self.thread = threading.Thread(target=self.executor.spin, daemon=True)
        self.thread.start()

    def fly(self, wire):
        self.heard.append(wire)
        serialization = importlib.import_module("rclpy.serialization")
        m = serialization.deserialize_message(wire, importlib.import_module("nav_msgs.msg").Odometry).fields
        pose, twist, stamp = m["pose"].pose, m["twist"].twist, m["header"].stamp
        at, turn, v, w = pose.position, pose.orientation, twist.linear, twist.angular
        turned = turn.w, turn.x, turn.y, turn.z
        found = fly(stamp.sec + 1e-9 * stamp.nanosec, (at.x, at.y, at.z), turned, (v.x, v.y, v.z), (w.x, w.y, w.z))
        self.out.publish(array(found))

    def close(self):
        self.executor.shutdown()
        self.thread.join(LONG)


def array(data):
    message = importlib.import_module("std_msgs.msg").Float64MultiArray
    known = importlib.import_module("cupola.record.messages").types().types
    layout = known["std_msgs/msg/MultiArrayLayout"](dim=[], data_offset=0)
    return message(layout=layout, data=importlib.import_module("numpy").array(data))


def ask(net, name, **fields):
    """Call a service of the world as soon as it is there."""
    end = time.monotonic() + LONG
    while not (found := [one for one in net.services if one.name == name and one.node.executor]):
        assert time.monotonic() < end
        time.sleep(0.01)
    answer: queue.SimpleQueue = queue.SimpleQueue()
    found[0].ask(found[0].type.Request(**fields), answer.put)
    return answer.get(timeout=LONG).fields


def test_a_node_of_rclpy_flies_as_the_same_law_in_process_and_is_served(net, tmp_path, capfd):
    other, answers = Other(), []
    asking = threading.Thread(target=lambda: answers.append(ask(net, "/cupola/pause", data=False)), daemon=True)
    asking.start()
    words = ["--duration", str(DURATION), "--out", str(tmp_path), "--timeout", str(LONG), "--patience", str(LONG)]
    with pytest.raises(SystemExit) as end:
        main(["ros2", "quadcopter", "--over", "rclpy", *words])
    asking.join(LONG)
    other.close()
    assert end.value.code in (0, None), capfd.readouterr().err
    path = tmp_path / "quadcopter.mcap"
    assert Recording(path).ending["state_sha256"] == hash_in_process(Pilot, DURATION)
    with path.open("rb") as file:
        taped = [m.data for _, _, m in make_reader(file).iter_messages(topics=["/quadcopter/odometry"])]
    heard = list(dict.fromkeys(other.heard))
    assert len(heard) == round(400 * DURATION)  # none was lost; the first may be told again
    assert len(taped) > 10 and set(taped[:-1]) <= set(heard)  # the same bytes, but for the end, which nobody is told
    assert answers[0]["success"] is True
    said = " ".join(capfd.readouterr().err.split())
    assert "cupola_msgs cannot be imported, so there is no /quadcopter/" in said  # and not in silence
    assert not net.publishers or {one.node.name for one in net.publishers} == {"pilot"}  # the world has left


def test_what_a_world_latches_is_kept_for_who_comes_later(net):
    """By the quality of service that /tf_static has."""
    link = Rclpy()
    exchange = Exchange(link, Times(1.0, 1.0), lockstep=False)
    exchange.open(cupola.load("quadcopter"), dialect("cupola"), commanded=True)
    qos = importlib.import_module("rclpy.qos")
    by_topic = {one.topic: one.qos for one in net.publishers}
    assert (
        by_topic["/tf_static"].durability is qos.DurabilityPolicy.TRANSIENT_LOCAL and by_topic["/tf_static"].depth == 1
    )
    assert by_topic["/tf"].durability is qos.DurabilityPolicy.VOLATILE
    assert by_topic["/tf"].history is qos.HistoryPolicy.KEEP_ALL
    exchange.close()


def test_without_rclpy_a_sentence_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "rclpy", None)
    with pytest.raises(InputError, match=r"source the setup\.bash of ROS 2"):
        Rclpy()
