"""ROS 2 without ROS: nodes of two vendors of DDS and of a Zenoh SDK, in processes of their own, fly a quadcopter."""

import importlib.util
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from mcap.reader import make_reader
from rosbags.interfaces import QosDurability
from rosbags.rosbag2.metadata import parse_qos
from tests.bridge.processes import Processes, free_port, warm
from tests.bridge.ros_law import fly
from tests.bridge.test_ros_wire import Nobody, opened

import cupola
from cupola.bridge.lockstep.protocol import PeerError
from cupola.bridge.ros.commander import Commander
from cupola.bridge.ros.dialects import dialect
from cupola.bridge.ros.exchange import Exchange, Times
from cupola.bridge.ros2.names import dds_topic, dds_type, remappings, type_hash
from cupola.config.controller import Controller
from cupola.record.messages import types
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder

HERE = Path(__file__).parent
FAST = Path("/usr/include/fastdds/dds/domain/DomainParticipant.hpp")
STEPS = round(400 * float(os.environ.get("CUPOLA_BRIDGE_SECONDS", "0.6")))
"""Messages of a flight, each of which must arrive."""
LOOPBACK = """<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="lo"/></Interfaces>
<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>
<Peers><Peer Address="127.0.0.1"/></Peers></Discovery></Domain></CycloneDDS>"""

needs_dds = pytest.mark.skipif(importlib.util.find_spec("cyclonedds") is None, reason="cyclonedds is not installed")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="the loopback interface is called lo on Linux")
needs_zenoh = pytest.mark.skipif(
    importlib.util.find_spec("zenoh") is None or importlib.util.find_spec("zenoh_ros2_sdk") is None,
    reason="eclipse-zenoh or zenoh-ros2-sdk is not installed",
)
pytestmark = pytest.mark.timeout(1200)


@pytest.fixture
def network(tmp_path):
    domain = 10 + os.getpid() % 200  # tests that run beside this one have another
    env = {"CYCLONEDDS_URI": LOOPBACK, "ROS_DOMAIN_ID": str(domain), "GIT_PYTHON_REFRESH": "quiet"}
    warm("quadcopter")
    processes = Processes(tmp_path, **env)
    yield processes
    processes.clear()


class Pilot(Controller):
    """The law of the nodes, in process."""

    def step(self, obs, ref):
        return fly(obs.time, obs.pos_w, obs.quat_wb, obs.vel_b, obs.rate_b)


class Same(Controller):
    """What the node of the second vendor says."""

    def step(self, obs, ref):
        return [0.5625, 0.5, 0.5, 0.5625]


def world_of(network, *words, duration=STEPS / 400):
    common = ("--duration", str(duration), "--out", str(network.folder), "--patience", "400", "--timeout", "60")
    return network.start([sys.executable, "-m", "cupola", "ros2", "quadcopter", *common, *words], "world")


def hash_in_process(controller, duration=STEPS / 400):
    here = cupola.load("quadcopter", controllers={"quadcopter": controller})
    here.run(duration)
    return here.state_hash()


def stamps():
    return [k * 2_500_000 for k in range(STEPS)]


@needs_dds
@needs_linux
def test_a_node_over_dds_flies_as_the_same_law_in_process_and_nothing_is_lost(network):
    world = world_of(network)
    pilot = network.start([sys.executable, str(HERE / "ros2_node.py"), "pilot", str(STEPS)], "pilot")
    assert network.ended(world) == 0, network.said()
    assert network.ended(pilot) == 0, network.said()
    seen = json.loads(pilot.words.read_text().splitlines()[-1])
    assert list(dict.fromkeys(seen["stamps"])) == stamps()  # the first may be told again to who comes late
    assert seen["frames"] == ["world", "quadcopter/base"]
    assert Recording(network.folder / "quadcopter.mcap").ending["state_sha256"] == hash_in_process(Pilot)


@needs_dds
@needs_linux
@pytest.mark.skipif(not FAST.exists() or not shutil.which("g++"), reason="no Fast DDS: apt install libfastrtps-dev g++")
def test_a_second_vendor_of_dds_gets_the_bytes_that_rosbags_makes_and_is_understood(network):
    program, file = network.folder / "fast_dds_node", network.folder / "seen.bin"
    words = ["g++", "-O0", "-o", str(program), str(HERE / "fast_dds_node.cpp"), "-lfastrtps", "-lfastcdr"]
    subprocess.run(words, check=True, timeout=300)
    node = network.start([str(program), str(file), str(STEPS), network.env["ROS_DOMAIN_ID"]], "fast")
    world = world_of(network)
    assert network.ended(world) == 0, network.said()
    assert network.ended(node) == 0, network.said()
    assert Recording(network.folder / "quadcopter.mcap").ending["state_sha256"] == hash_in_process(Same)
    bytes_are_those_of_rosbags(file.read_bytes(), filled=4)  # DDS fills up to four bytes


def bytes_are_those_of_rosbags(content, filled):
    """Every odometry is there, in order, and has the bytes that rosbags makes of its numbers."""
    found = list(dict.fromkeys(messages_in(content)))
    read = [types().deserialize_cdr(one, "nav_msgs/msg/Odometry") for one in found]
    assert [m.header.stamp.sec * 10**9 + m.header.stamp.nanosec for m in read] == stamps()  # type: ignore[attr-defined]
    made = [bytes(types().serialize_cdr(message, "nav_msgs/msg/Odometry")) for message in read]
    assert found == [one + b"\0" * (-len(one) % filled) for one in made]


def messages_in(content):
    at = 0
    while at < len(content):
        (size,) = struct.unpack_from("<I", content, at)
        yield content[at + 4 : at + 4 + size]
        at += 4 + size


def zenoh_types():
    """Text and hash of each type that the SDK would fetch from the network."""
    kinds = ("nav_msgs/msg/Odometry", "std_msgs/msg/Float64MultiArray")
    return {kind: {"text": types().generate_msgdef(kind, ros_version=2)[0], "hash": type_hash(kind)} for kind in kinds}


@needs_zenoh
def test_a_node_over_zenoh_flies_as_the_same_law_in_process_and_nothing_is_lost(network):
    port = free_port()
    (network.folder / "types.json").write_text(json.dumps(zenoh_types()))
    world = world_of(network, "--over", "zenoh", "--listen", f"tcp/127.0.0.1:{port}", "--domain", "0")
    network.until(lambda: "every step waits" in world.words.read_text(), "the world")  # it listens
    words = [
        sys.executable,
        str(HERE / "ros2_zenoh_node.py"),
        str(port),
        str(STEPS),
        str(network.folder / "types.json"),
        str(network.folder / "seen.bin"),
    ]
    node = network.start(words, "node", ROS_DOMAIN_ID="0")
    assert network.ended(world) == 0, network.said()
    assert network.ended(node) == 0, network.said()
    seen = json.loads(node.words.read_text().splitlines()[-1])
    assert list(dict.fromkeys(seen["stamps"])) == stamps()
    assert Recording(network.folder / "quadcopter.mcap").ending["state_sha256"] == hash_in_process(Pilot)
    bytes_are_those_of_rosbags((network.folder / "seen.bin").read_bytes(), filled=1)


@needs_dds
@needs_linux
def test_a_node_that_is_killed_ends_the_run_and_the_recording_is_whole(network):
    """At random moments, as often as CUPOLA_KILLS says."""
    chance = random.Random(7)
    for k in range(int(os.environ.get("CUPOLA_KILLS", "1"))):
        table = network.folder / f"killed{k}" / "quadcopter.mcap"
        world = world_of(network, "--timeout", "2", "--out", str(table.parent), duration=600)
        pilot = network.start([sys.executable, str(HERE / "ros2_node.py"), "pilot", "1000000"], "pilot")
        enough = chance.randrange(120_000, 400_000)
        network.until(lambda table=table, enough=enough: table.exists() and table.stat().st_size > enough, "flight")
        network.stop(pilot, signal.SIGKILL)
        assert network.ended(world) == 1
        assert "no command on /quadcopter/command within 2 s" in world.words.read_text()
        assert Recording(table).is_complete
        network.stop(world)


@needs_zenoh
def test_keys_and_tokens_are_those_of_rmw_zenoh():
    keys = importlib.import_module("zenoh_ros2_sdk.keyexpr")
    quality = importlib.import_module("zenoh_ros2_sdk.qos")
    ours = importlib.import_module("cupola.bridge.ros2.zenoh")
    for name in ("nav_msgs/msg/Odometry", "tf2_msgs/msg/TFMessage"):
        expected = keys.topic_keyexpr(3, "/a/b", dds_type(name), type_hash(name))
        assert ours.topic_key(3, "/a/b", name) == expected
    assert quality.QosProfile.decode(ours.KEPT).durability == quality.QosDurability.TRANSIENT_LOCAL
    assert quality.QosProfile.decode(ours.KEPT).history_depth == 1
    assert quality.QosProfile.decode(ours.RELIABLE) == quality.QosProfile()


def test_names_on_the_wire():
    assert dds_topic("/tf_static") == "rt/tf_static"
    assert dds_type("tf2_msgs/msg/TFMessage") == "tf2_msgs::msg::dds_::TFMessage_"
    # As `ros2 topic info --verbose` of ROS 2 Jazzy prints it for std_msgs/msg/String.
    assert type_hash("std_msgs/msg/String") == "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
    assert remappings(("a:=/b/c", "/d:=e")) == {"/a": "/b/c", "/d": "/e"}


def reference(world, link, **wish):
    """Send one velocity to the base, as nav2 or a joystick does."""
    stamped = types().types["geometry_msgs/msg/TwistStamped"]
    vector, twist = types().types["geometry_msgs/msg/Vector3"], types().types["geometry_msgs/msg/Twist"]
    linear = vector(wish.get("x", 0.0), wish.get("y", 0.0), 0.0)
    header = types().types["std_msgs/msg/Header"](types().types["builtin_interfaces/msg/Time"](0, 0), "base_link")
    asked = next(one for one in link.graph.incoming if one.topic == "/mecanum_drive_controller/reference")
    link.hearer.arrived(asked, stamped(header, twist(linear, vector(0.0, 0.0, wish.get("yaw", 0.0)))))
    link.hearer.act()


def test_a_base_under_the_names_of_ros2_controllers_goes_where_each_axis_says_within_limits_and_time_out():
    world = cupola.load("velma_base")
    _, link = opened("ros2_control", world, commanded=False)
    for _ in range(100):  # three axes, three numbers: a swapped one shows
        reference(world, link, x=0.4, y=-0.2, yaw=0.1)
        world.run(0.02)
    motion = world.motion()
    assert motion.vel_b.x == pytest.approx(0.4, abs=0.02)
    assert motion.vel_b.y == pytest.approx(-0.2, abs=0.02)
    assert motion.rate_b.z == pytest.approx(0.1, abs=0.02)
    link.hearer.publish()
    said = {out.stream.topic: (out.stream, sample) for out, sample in link.sent}
    stream, sample = said["/mecanum_drive_controller/odometry"]
    assert (stream.constants["header.frame_id"], stream.constants["child_frame_id"]) == ("odom", "base_link")
    told = dict(zip(stream.columns, sample.numbers, strict=True))
    assert told["pose.pose.position.x"] == pytest.approx(motion.pos_w.x, abs=0.05)
    assert told["pose.pose.position.y"] == pytest.approx(motion.pos_w.y, abs=0.05)
    assert said["/mecanum_drive_controller/tf_odometry"][0].type == "tf2_msgs/msg/TFMessage"
    reference(world, link, x=9.0)
    for _ in range(60):
        reference(world, link, x=9.0)
        world.run(0.02)
    assert world.motion().vel_b.x == pytest.approx(0.5, abs=0.02)  # linear_x_max_velocity
    world.run(2.0)  # nobody sends any more: reference_timeout is 0.5 s
    assert abs(world.motion().vel_b.x) < 0.01
    reference(world, link, x=float("nan"))
    world.run(0.3)
    assert abs(world.motion().vel_b.x) < 0.01


def test_commands_that_fly_it_and_velocities_do_not_mix():
    with pytest.raises(cupola.InputError, match="--commands own"):
        opened("ros2_control", cupola.load("velma_base"), commanded=True)


def test_a_recording_says_that_static_frames_are_for_who_comes_later(tmp_path):
    world = cupola.load("quadcopter")
    recorder = WorldRecorder(world, tmp_path / "flight.mcap")
    world.run(0.01)
    recorder.close()
    with (tmp_path / "flight.mcap").open("rb") as file:
        channels = make_reader(file).get_summary().channels.values()
        quality = {one.topic: parse_qos(one.metadata["offered_qos_profiles"]) for one in channels}
    assert quality["/tf_static"][0].durability == QosDurability.TRANSIENT_LOCAL
    assert quality["/tf"] == []


def numbers(*values):
    layout = types().types["std_msgs/msg/MultiArrayLayout"]([], 0)
    return types().types["std_msgs/msg/Float64MultiArray"](layout, np.array(values))


def test_in_free_running_the_newest_command_is_held_and_silence_lets_go(caplog):
    exchange = Exchange(Nobody(), Times(0.2, 1.0), lockstep=False)
    commander = Commander(exchange, "quadcopter", 0, 4)
    world = cupola.load("quadcopter", controllers={"quadcopter": commander})
    exchange.open(world, dialect("cupola"), commanded=True)
    (asked,) = exchange.graph.incoming
    world.run(0.01)
    assert world.command()[:4].tolist() == [0.0] * 4
    exchange.arrived(asked, numbers(0.1, 0.2, 0.3, 0.4))
    exchange.arrived(asked, numbers(0.5, 0.25, 0.5, 0.25))
    world.run(0.01)
    assert world.command()[:4].tolist() == [0.5, 0.25, 0.5, 0.25]
    time.sleep(0.3)
    world.run(0.01)
    assert world.command()[:4].tolist() == [0.0] * 4
    assert "nothing was heard for 0.2 s" in caplog.text
    exchange.arrived(asked, numbers(0.5, 0.25, 0.5, 0.25))
    world.run(0.01)
    assert world.command()[:4].tolist() == [0.5, 0.25, 0.5, 0.25]


def test_in_lock_step_a_command_that_never_comes_ends_the_run_with_zero_commands_before(caplog):
    exchange = Exchange(Nobody(), Times(0.1, 0.2), lockstep=True)
    commander = Commander(exchange, "quadcopter", 0, 4)
    world = cupola.load("quadcopter", controllers={"quadcopter": commander})
    exchange.open(world, dialect("cupola"), commanded=True)
    with pytest.raises(PeerError, match=r"no command on /quadcopter/command within 0\.2 s"):
        world.run(0.01)
    (asked,) = exchange.graph.incoming
    exchange.link.answers = lambda: exchange.arrived(asked, numbers(0.5, 0.5, 0.5, 0.5))  # type: ignore[attr-defined]
    world.reset()
    world.run(0.05)
    exchange.link.answers = None  # type: ignore[attr-defined]
    with pytest.raises(PeerError, match="no command"):
        world.run(1.0)
    assert 0.14 < world.time < 0.2  # it went on for 0.1 s, with the motors off
    assert world.command()[:4].tolist() == [0.0] * 4
