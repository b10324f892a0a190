"""Real nodes of ROS 1, in their own processes and their own Python, fly, drive and serve what Cupola simulates."""

import signal
import time
from typing import Any

import pytest
from rosbags.highlevel import AnyReader
from tests.bridge.ros1_machine import Machine, missing
from tests.bridge.ros_law import fly

import cupola
from cupola.config.controller import Controller
from cupola.record.read import Recording

WHY_NOT = missing()
pytestmark = [pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT), pytest.mark.timeout(600)]
TAPED = ["/clock", "/quadcopter/command", "/quadcopter/imu", "/quadcopter/odometry", "/tf"]


@pytest.fixture(scope="module")
def ros(tmp_path_factory):
    machine = Machine(tmp_path_factory.mktemp("ros"))
    yield machine
    machine.close()


@pytest.fixture(autouse=True)
def ended(ros):
    yield
    ros.clear()


class Pilot(Controller):
    """The law of the node, in process."""

    def step(self, obs, ref):
        return fly(obs.time, obs.pos_w, obs.quat_wb, obs.vel_b, obs.rate_b)


def tape_of(path):
    """Bytes of all messages of a bag, topic by topic."""
    with AnyReader([path]) as reader:
        found = {}
        for connection, _, content in reader.messages():
            found.setdefault(connection.topic, []).append(bytes(content))
        return found


def flight(ros, name, duration):
    """Fly over ROS with a recorder beside it; returns the recording and the bag."""
    folder = ros.folder / name
    folder.mkdir()
    bag = ros.start(["rosbag", "record", "-O", str(folder / "taped.bag"), *TAPED], "rosbag")
    world = ros.world("quadcopter", "--duration", str(duration), "--out", str(folder), "--patience", "120")
    ros.until(lambda: ros.hears("/record", set(TAPED) - {"/quadcopter/command"}), "rosbag")
    pilot = ros.node("pilot")
    assert ros.ended(world) == 0, ros.said()
    time.sleep(0.5)  # rosbag writes what it has
    ros.stop(bag)
    ros.stop(pilot)
    return Recording(folder / "quadcopter.mcap"), tape_of(folder / "taped.bag")


def compare_with_ours(bag, recording):
    """What rosbag wrote is what Cupola wrote, at the moments that both have."""
    table = recording.table("/quadcopter/odometry")
    at = {round(stamp * 1e9): k for k, stamp in enumerate(table["time"])}
    compared = 0
    with AnyReader([bag]) as reader:
        for connection, _, content in reader.messages([c for c in reader.connections if "odometry" in c.topic]):
            message: Any = reader.deserialize(content, connection.msgtype)
            k = at.get(message.header.stamp.sec * 10**9 + message.header.stamp.nanosec)
            if k is not None:
                compared += 1
                assert message.pose.pose.position.z == table["pose.pose.position.z"][k]
                assert message.twist.twist.angular.y == table["twist.twist.angular.y"][k]
                assert (message.header.frame_id, message.child_frame_id) == ("world", "quadcopter/base")
    assert compared > 100


def test_a_node_flies_as_the_same_law_in_process_and_every_message_arrives_in_the_same_order_twice(ros):
    recording, taped = flight(ros, "one", 1.5)
    here = cupola.load("quadcopter", controllers={"quadcopter": Pilot})
    here.run(1.5)
    assert recording.ending["state_sha256"] == here.state_hash()
    assert here.motion().pos_w.z > 0.4  # it flew
    steps = 600
    assert {topic: len(found) for topic, found in taped.items()} == {
        **dict.fromkeys(TAPED, steps),
        "/quadcopter/imu": pytest.approx(steps, abs=1),  # the one of the last tick is nobody's any more
    }
    compare_with_ours(ros.folder / "one" / "taped.bag", recording)
    again = flight(ros, "two", 1.5)
    assert again[1] == taped
    assert again[0].ending == recording.ending


def test_a_node_that_is_killed_ends_the_run_within_its_time_out_and_the_recording_is_whole(ros):
    folder = ros.folder / "killed"
    pilot = ros.node("pilot")
    words = ("quadcopter", "--duration", "600", "--out", str(folder), "--timeout", "2", "--patience", "120")
    world = ros.world(*words)
    ros.until(lambda: ros.sent("/quadcopter/odometry") > 200, "the pilot")
    ros.stop(pilot, signal.SIGKILL)
    killed = time.monotonic()
    assert ros.ended(world) not in (0, None)
    assert time.monotonic() - killed < 60.0
    assert "no command on /quadcopter/command within 2 s" in world.words.read_text()
    recording = Recording(folder / "quadcopter.mcap")
    assert recording.is_complete and "no command" in recording.interrupted
    assert recording.table("/quadcopter/odometry")["pose.pose.position.z"].size > 0


def test_a_node_that_comes_back_within_the_time_out_flies_on(ros):
    folder = ros.folder / "back"
    pilot = ros.node("pilot")
    world = ros.world("quadcopter", "--duration", "4", "--out", str(folder), "--timeout", "100", "--patience", "120")
    ros.until(lambda: ros.sent("/quadcopter/odometry") > 100, "the pilot")
    ros.stop(pilot, signal.SIGKILL)
    ros.node("pilot")
    assert ros.ended(world) == 0, ros.said()
    here = cupola.load("quadcopter", controllers={"quadcopter": Pilot})
    here.run(4.0)
    assert Recording(folder / "quadcopter.mcap").ending["state_sha256"] == here.state_hash()


def test_without_a_master_it_says_what_to_start(ros):
    env = dict(ros.env)
    ros.env["ROS_MASTER_URI"] = "http://127.0.0.1:9"
    try:
        world = ros.world("quadcopter", "--duration", "1")
        assert ros.ended(world) != 0
    finally:
        ros.env = env
    ros.started.remove(world)
    assert "there is no ROS master at ROS_MASTER_URI=http://127.0.0.1:9: start roscore" in world.words.read_text()
