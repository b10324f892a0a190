"""Real nodes of ROS 1, in their own processes and their own Python, fly, drive and serve what Cupola simulates."""

import contextlib
import os
import random
import signal
import subprocess
import time
from typing import Any

import numpy as np
import pytest
from rosbags.highlevel import AnyReader
from tests.bridge.processes import LONG, warm
from tests.bridge.ros1_machine import Machine, missing
from tests.bridge.ros_law import fly
from tests.bridge.test_ros_wire import generated

import cupola
from cupola.cli import main
from cupola.config.controller import Controller
from cupola.physics.rotation import euler_from_quaternion
from cupola.record.read import Recording

WHY_NOT = missing()
pytestmark = [pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT), pytest.mark.timeout(1200)]
KILLS = int(os.environ.get("CUPOLA_KILLS", "1"))
SECONDS = float(os.environ.get("CUPOLA_BRIDGE_SECONDS", "1.5"))
"""Of the flight whose messages are counted."""
TAPED = ["/clock", "/quadcopter/imu", "/quadcopter/odometry", "/tf"]


@pytest.fixture(scope="module")
def ros(tmp_path_factory):
    warm("quadcopter")
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
    """Bytes of all messages of a bag, topic by topic; without the sequence number, which counts what is told again."""
    with AnyReader([path]) as reader:
        found = {}
        for connection, _, content in reader.messages():
            counted = 4 if connection.topic.startswith("/quadcopter") else 0
            found.setdefault(connection.topic, {})[bytes(content)[counted:]] = None
        return {topic: list(messages) for topic, messages in found.items()}


def flight(ros, name, duration, beside=False):
    """Fly over ROS with a tape, and `rosbag record` beside it; returns the recording, the tape and what it took."""
    folder, steps = ros.folder / name, round(400 * duration)
    folder.mkdir()
    ros.forget_time()
    tape = ros.node("tape", str(folder / "tape.bag"), str(steps), *TAPED)
    bag = ros.start(["rosbag", "record", "-O", str(folder / "taped.bag"), *TAPED], "rosbag") if beside else None
    world = ros.world("quadcopter", "--duration", str(duration), "--out", str(folder), "--patience", "400")
    ros.until(lambda: ros.hears("/tape", TAPED) and (not bag or ros.hears("/record", TAPED)), "the tapes")
    pilot = ros.node("pilot")
    took = ros.flown(world, pilot, tape)
    with contextlib.suppress(subprocess.TimeoutExpired):
        tape.wait(60)  # it ends when it has everything
    if bag:
        end_tape(ros, bag, folder / "taped.bag")
    ros.stop(tape)
    ros.stop(pilot)
    return Recording(folder / "quadcopter.mcap"), tape_of(folder / "tape.bag"), took


def end_tape(ros, bag, path):
    """Let rosbag complete its file: the program that was started ends before the one that writes."""
    os.killpg(bag.pid, signal.SIGINT)
    end = time.monotonic() + LONG
    while not path.exists():
        assert time.monotonic() < end, ros.said()
        time.sleep(0.1)
    ros.stop(bag)


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
    """With CUPOLA_BRIDGE_SECONDS=60 and `pytest -s`: how fast, and what share of the processor each process has."""
    recording, taped, took = flight(ros, "one", SECONDS, beside=True)
    here = cupola.load("quadcopter", controllers={"quadcopter": Pilot})
    here.run(SECONDS)
    assert recording.ending["state_sha256"] == here.state_hash()
    assert here.motion().pos_w.z > 0.4  # it flew
    steps = round(400 * SECONDS)
    assert f"{steps} exchanges with ROS 1" in (ros.folder / "world.log").read_text()  # each was answered
    compare_with_ours(ros.folder / "one" / "taped.bag", recording)
    compare_with_ours(ros.folder / "one" / "tape.bag", recording)
    assert {topic: len(messages) for topic, messages in taped.items()} == dict.fromkeys(TAPED, steps)  # none was lost
    again = flight(ros, "two", SECONDS)
    assert again[0].ending == recording.ending
    for topic in TAPED:
        assert again[1][topic] == taped[topic], topic
    kept = tape_of(ros.folder / "one" / "taped.bag")
    print(*(f"{topic}: {len(taped[topic])} of {steps}, rosbag record {len(kept[topic])}" for topic in TAPED), sep="\n")
    for wall, *spent in (took, again[2]):
        each = ", ".join(f"{who} {1e6 * s:.0f}" for who, s in zip(("world", "pilot", "tape"), spent, strict=True))
        print(
            f"an exchange took {1e6 * wall:.0f} us, {0.0025 / wall:.2f} x real time; processor: {each} us, world and "
            f"pilot, who wait for each other, {0.0025 / sum(spent[:2]):.2f} x real time"
        )


def test_a_node_that_is_killed_ends_the_run_within_its_time_out_and_the_recording_is_whole(ros):
    """At random moments, as often as CUPOLA_KILLS says."""
    chance = random.Random(7)
    for k in range(KILLS):
        folder = ros.folder / f"killed{k}"
        pilot, after = ros.node("pilot"), chance.randrange(5, 300)
        words = ("quadcopter", "--duration", "600", "--out", str(folder), "--timeout", "2", "--patience", "400")
        world = ros.world(*words)
        ros.until(lambda after=after: ros.sent("/quadcopter/odometry") > after, "the pilot")
        ros.stop(pilot, signal.SIGKILL)
        killed = time.monotonic()
        assert ros.ended(world) not in (0, None)
        assert time.monotonic() - killed < 200.0
        assert "no command on /quadcopter/command within 2 s" in world.words.read_text()
        recording = Recording(folder / "quadcopter.mcap")
        assert recording.is_complete and "no command" in recording.interrupted
        assert recording.table("/quadcopter/odometry")["pose.pose.position.z"].size > 0
        ros.stop(world)


def test_a_node_that_comes_back_within_the_time_out_flies_on(ros):
    folder = ros.folder / "back"
    pilot = ros.node("pilot")
    world = ros.world("quadcopter", "--duration", "4", "--out", str(folder), "--timeout", "100", "--patience", "400")
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


class Thesis(Controller):
    """The law of the thesis's node, in process, fed the same single-precision numbers."""

    def step(self, obs, ref):
        single = [
            tuple(float(np.float32(number)) for number in vector)
            for vector in (obs.pos_w, euler_from_quaternion(obs.quat_wb), obs.vel_b, obs.rate_b)
        ]
        turn = (1.0, *(0.5 * angle for angle in single[1]))
        return fly(obs.time, single[0], turn, single[2], single[3])


def test_a_controller_node_of_last_letter_flies_unchanged(ros):
    with pytest.raises(SystemExit):
        main(["ros1", "quadcopter", "--names", "last_letter", "--messages", str(ros.folder / "src")])
    package = ros.folder / "src" / "last_letter_2_msgs"
    for kind in ("msg", "srv"):
        made = generated(package, kind, ros.folder)
        lines = "".join(f"from ._{name} import *\n" for name in made)
        (ros.folder / "out" / package.name / kind / "__init__.py").write_text(lines)
    (ros.folder / "out" / package.name / "__init__.py").touch()
    ros.node("thesis", PYTHONPATH=str(ros.folder / "out"))
    words = ("--names", "last_letter", "--duration", "1", "--out", str(ros.folder / "thesis"), "--patience", "400")
    assert ros.ended(ros.world("quadcopter", *words)) == 0, ros.said()
    here = cupola.load("quadcopter", controllers={"quadcopter": Thesis})
    here.run(1.0)
    assert here.motion().pos_w.z > 0.35  # it flew
    assert Recording(ros.folder / "thesis" / "quadcopter.mcap").ending["state_sha256"] == here.state_hash()


def test_a_node_drives_a_base_by_velocity_and_silence_stops_it(ros):
    words = (
        "velma_base",
        "--commands",
        "own",
        "--rate",
        "50",
        "--duration",
        "600",
        "--out",
        str(ros.folder / "driven"),
    )
    world, driver = ros.world(*words), ros.node("driver")
    assert ros.ended(driver) == 0, ros.said()
    ros.stop(world)
    recording = Recording(ros.folder / "driven" / "velma_base.mcap")
    assert recording.is_complete
    table = recording.table("/velma_base/odometry")
    assert table["pose.pose.position.x"].max() > 0.15
    assert np.abs(table["twist.twist.linear.x"]).max() < 0.5


def test_a_node_brings_the_hand_of_cepheus_to_its_target_and_grips(ros):
    warm("cepheus_simulation")
    node = ros.node("captor")
    words = ("--names", "cepheus", "--rate", "500", "--duration", "5", "--out", str(ros.folder / "held"))
    assert ros.ended(ros.world("cepheus_simulation", *words, "--patience", "400")) == 0, ros.said()
    ros.stop(node)
    table = Recording(ros.folder / "held" / "cepheus_simulation.mcap").named("/chaser/gripper")
    assert table["holding"][0] == 0.0 and table["holding"][-1] == 1.0


def test_services_and_frames_of_a_world_that_flies_itself(ros):
    warm("hover")
    words = ("hover", "--commands", "own", "--rate", "100", "--duration", "600", "--out", str(ros.folder / "served"))
    world, caller = ros.world(*words), ros.node("caller")
    assert ros.ended(caller) == 0, ros.said()
    ros.stop(world)
    recording = Recording(ros.folder / "served" / "hover.mcap")
    assert recording.is_complete
    assert [command.call for command in recording.commands(2000)].count("drop_box") == 1
    assert any("starts over" in note.text for note in recording.notes)
