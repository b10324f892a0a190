"""Autopilots in lock step: what they are told, what their outputs move, and what happens when one is lost."""

import logging
import math
import random
import re
import select
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import cupola
from cupola.bridge.autopilot.airframe import Airframe, dialect, match
from cupola.bridge.autopilot.ardupilot import ArduPilot, state_text
from cupola.bridge.autopilot.datagrams import Polling, bind, receive, send, waiting_already
from cupola.bridge.autopilot.radio import radio
from cupola.bridge.autopilot.seen import Eyes, Seen, ned, ned_from_frd
from cupola.bridge.lockstep.protocol import PeerError
from cupola.cli import main
from cupola.config.controller import Controller
from cupola.config.robot import Robot
from cupola.config.scenario import VehicleEntry
from cupola.parts.described import RotorPlace
from cupola.physics.rotation import Euler, Quaternion, Vector, quaternion_from_euler, rotate
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder

from . import autopilot_peers as peers

PEERS = Path(peers.__file__)


def robot(*rotors, name="robot"):
    """A robot of rotors alone: channel, bearing [degrees], spin; `None` for the bearing: it pushes."""
    found = {}
    for channel, bearing, spin in rotors:
        b = math.radians(bearing or 0.0)
        axis = Vector(1, 0, 0) if bearing is None else Vector(0, 0, 1)
        place = Vector(math.cos(b), -math.sin(b), 0)
        found[f"motor{channel}"] = RotorPlace(channel, place, axis, spin, 1.0, 0.01, 0.1, 0.0)
    zero = (Vector(0, 0, 0),) * 3
    return Robot(name, 1.0, Vector(0, 0, 0), zero, 9.81, "base", {}, {}, {}, {}, rotors=found)


def fly(**parameters):
    world = cupola.load("quadcopter", controllers={"quadcopter": "ardupilot"})
    for name, value in {"port": 0, "timeout": 10.0, "patience": 20.0, **parameters}.items():
        world.tune(f"quadcopter.{name}", value)
    return world


def pilot(world):
    found = world.runner().controller
    assert isinstance(found, ArduPilot)
    return found


@pytest.fixture
def called():
    """Let a peer call a world; hangs up afterwards."""
    worlds, threads = [], []

    def call(world, peer=peers.ardupilot, **more):
        threads.append(peers.background(peer, pilot(world).open(), **more))
        worlds.append(world)
        return threads[-1]

    yield call
    for world in worlds:
        pilot(world).close()


def last_moment(path):
    """[s] of the last row of a recording."""
    return float(Recording(path).table("/quadcopter/channels")["time"][-1])


# Frames and signs


def test_axes_are_those_of_an_autopilot():
    """Asymmetric numbers, against matrices written down by hand: a swapped axis or sign fails."""
    quat_wb = quaternion_from_euler(Euler(0.3, -0.2, 1.1))
    to_ned = np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1]])
    to_frd = np.diag([1, -1, -1])
    for vector in ((1.0, 2.0, 3.0), (-0.5, 0.1, 7.0)):
        assert np.allclose(ned(Vector(*vector)), to_ned @ vector)
        flu = to_frd @ np.array(vector)
        by_world = to_ned @ np.array(rotate(quat_wb, Vector(*flu)))
        assert np.allclose(rotate(ned_from_frd(quat_wb), Vector(*vector)), by_world, atol=1e-15)
    nose_north = quaternion_from_euler(Euler(0, 0, math.pi / 2))
    assert np.allclose(peers.euler(ned_from_frd(nose_north)), 0.0, atol=1e-15)
    right_side_down = quaternion_from_euler(Euler(0.1, 0, math.pi / 2))
    assert np.allclose(peers.euler(ned_from_frd(right_side_down)), [0.1, 0, 0])
    nose_down = quaternion_from_euler(Euler(0, 0.1, 0))  # nose to the east
    assert np.allclose(peers.euler(ned_from_frd(nose_down)), [0, -0.1, math.pi / 2])


def test_the_specific_force_points_up_at_rest_with_an_imu_and_without():
    world = cupola.load("quadcopter", controllers={"quadcopter": "idle"})
    world.run(2.0)  # it has fallen on its feet
    with_imu = Eyes(9.81, world.runner().controller.sensors)
    without = Eyes(9.81, type(world.runner().controller.sensors)())
    obs = world.motion()._replace(period=0.0025)
    for eyes in (with_imu, without):
        seen = eyes.look(obs)
        assert seen.force.z == pytest.approx(-9.81, abs=0.05) and abs(seen.force.x) < 0.05
        assert seen.position.z == -obs.pos_w.z and seen.time == obs.time


def test_the_state_is_read_with_every_digit():
    third = Vector(1 / 3, -2 / 3, 1e-17)
    quat = Quaternion(*(np.array([0.1, 0.2, -0.3, 0.9]) / 0.95**0.5).tolist())
    seen = Seen(0.1 + 0.2, third, third, third, third, quat, 12.5, (1.25,))
    told = peers.read_ardupilot(state_text(seen, [1000, 2000]))
    assert told.time == 0.1 + 0.2 and told.gyro == told.accel == told.position == told.velocity == list(third)
    assert told.euler == peers.euler(quat)


def test_sticks_become_a_radio():
    sticks = [0.5, -1.0, 0.25, -1.0, 1.0, *[0.0] * 15]  # roll, pitch, yaw, throttle, the first free one
    assert radio(sticks)[:5] == [1750, 1000, 1000, 1625, 2000]  # of ArduPilot: pulled back is high
    assert radio(sticks, nose_up=1000)[:5] == [1750, 2000, 1000, 1625, 2000]  # of Betaflight: pushed is high


# Airframes: which output moves what


@pytest.mark.parametrize("autopilot", ["ardupilot", "betaflight", "px4"])
def test_every_airframe_finds_its_own_rotors_in_any_order(autopilot):
    for name, airframe in dialect(autopilot).airframes.items():
        rotors: list[tuple[int, float | None, int]] = []
        for k, text in enumerate(airframe.outputs):
            if found := re.fullmatch(r"(-?\d+) (c?cw)", text):
                rotors.append((20 - k, float(found[1]), 1 if found[2] == "ccw" else -1))
        if "throttle" in airframe.outputs:
            rotors.append((7, None, 1))
        random.Random(1).shuffle(rotors)
        fitting = match(robot(*rotors), dialect(autopilot).airframes)
        assert fitting.name == name
        for moved in fitting.moved:
            text = airframe.outputs[moved.output]
            wanted = {"roll": 4, "pitch": 5, "yaw": 6, "throttle": 7}.get(text, 20 - moved.output)
            assert moved.channel == wanted, (name, text)


def test_rotors_that_no_airframe_has_are_refused_by_name():
    wrong_spin = robot((0, 45, 1), (1, -135, -1), (2, -45, -1), (3, 135, 1))
    with pytest.raises(ValueError, match=r"robot is no airframe .*45 ccw, -135 cw, -45 cw, 135 ccw.*quad_x: 45 ccw"):
        match(wrong_spin, dialect("ardupilot").airframes)
    with pytest.raises(ValueError, match=r"lifting rotors .*: none"):
        match(robot(), dialect("ardupilot").airframes)


def test_an_output_that_means_nothing_is_refused():
    with pytest.raises(cupola.InputError, match=r"an output is 'BEARING cw'.*; got '45 left'"):
        Airframe(tell="", outputs=("45 left",))


def test_each_output_moves_the_motor_at_its_place():
    """Of the quadcopter, whose motors are numbered clockwise from the front right."""
    world = fly()
    commands = {}
    for output, place in enumerate(("front right", "back left", "front left", "back right")):
        pwm = [1000] * 16
        pwm[output] = 1750
        commands[place] = pilot(world).commands(pwm)
    assert commands["front right"] == [0.75, 0, 0, 0] and commands["back right"] == [0, 0.75, 0, 0]
    assert commands["back left"] == [0, 0, 0.75, 0] and commands["front left"] == [0, 0, 0, 0.75]
    assert pilot(world).commands([0] * 16) == [0.0] * 4 == pilot(world).commands([900] * 16)
    assert pilot(world).commands([2200] * 16) == [1.0] * 4


def test_the_surfaces_of_a_plane_follow_their_outputs():
    plane = ArduPilot()
    plane.meet(robot((3, None, 1)), 0)
    assert plane.commands([1750, 1250, 1600, 2000]) == [0.5, -0.5, 1.0, 0.6]  # roll, pitch, yaw, throttle
    assert plane.commands([0, 0, 0, 0]) == [0.0] * 4  # no pulse: at rest


def test_a_controller_that_would_speak_to_a_mixer_is_refused():
    with pytest.raises(cupola.InputError, match="begin at channel 4, and the controller at 0"):
        cupola.load("quadcopter_x", controllers={"quadcopter_x": "ardupilot"})


# Flying


class Rounded(Controller):
    """The peer's law in this process, fed the numbers that go over the wire."""

    def __init__(self):
        super().__init__()
        self.twin = ArduPilot()

    def accept(self, robot, channel):
        self.twin.meet(robot, channel)

    def reset(self):
        super().reset()
        self.eyes = None

    def step(self, obs, ref):
        self.eyes = self.eyes or Eyes(self.robot.gravity, self.sensors)
        told = peers.read_ardupilot(state_text(self.eyes.look(obs)))
        return self.twin.commands(peers.pwm_of(peers.cascade(told)))


def test_it_flies_the_same_to_the_bit_as_the_same_law_in_this_process(called):
    world, same = fly(), cupola.load("quadcopter", controllers={"quadcopter": Rounded()})
    called(world)
    for _ in range(3):
        world.run(1.0)
        same.run(1.0)
        assert world.state_hash() == same.state_hash()
    assert world.motion().pos_w.z == pytest.approx(3.0, abs=0.3)
    assert pilot(world).exchanges == 1200


def test_a_quadcopter_flies_to_a_place_in_the_north_west_and_turns_north(called):
    world = fly()
    called(world, law=lambda told: peers.cascade(told, goal=(2.0, -1.0, 3.0), heading=0.0))
    world.run(10.0)
    motion = world.motion()
    assert np.allclose(motion.pos_w, [-1.0, 2.0, 3.0], atol=0.3)  # east, north, up
    assert math.degrees(2 * math.atan2(motion.quat_wb.z, motion.quat_wb.w)) == pytest.approx(90, abs=5)


def test_a_failure_is_injected_while_it_flies(called):
    world = fly()
    called(world)
    world.run(2.0)
    world.fail("quadcopter.motor1", "off")
    world.run(0.5)
    assert max(abs(rate) for rate in world.motion().rate_b) > 1.0


def test_thirty_two_outputs_are_understood(called):
    world = fly()
    called(world, magic=29569, channels=32)
    world.run(0.5)
    assert world.motion().pos_w.z > 0.3


def test_several_vehicles_have_an_autopilot_each():
    pair = tuple(
        VehicleEntry(model="quadcopter", name=name, position=(0.0, y, 0.3)) for name, y in (("one", 0.0), ("two", 4.0))
    )
    world = cupola.World(cupola.Scenario(vehicles=pair), controllers={"one": "ardupilot", "two": "ardupilot"})
    for name, goal in (("one", (0.0, 0.0, 2.0)), ("two", (4.0, 0.0, 4.0))):
        world.tune(f"{name}.port", 0)
        port = world.runner(name).controller.open()  # type: ignore[attr-defined]
        peers.background(peers.ardupilot, port, law=lambda told, goal=goal: peers.cascade(told, goal=goal))
    world.run(6.0)
    assert world.motion("one").pos_w.z == pytest.approx(2.0, abs=0.3)
    assert world.motion("two").pos_w.z == pytest.approx(4.0, abs=0.3)
    for name in ("one", "two"):
        world.runner(name).controller.close()  # type: ignore[attr-defined]


def test_an_autopilot_with_fixed_ports_flies_one_vehicle(tmp_path, capsys):
    """Two of them were said to wait on one port, and the second found it in use."""
    pair = "vehicles: [{model: quadcopter, name: one}, {model: quadcopter, name: two, position: [0, 4, 0]}]"
    (tmp_path / "pair.yaml").write_text(pair)
    asked = ["autopilot", "betaflight", str(tmp_path / "pair.yaml"), "--dry"]
    for words, code in ((asked, 2), ([*asked, "--port", "0"], 0)):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == code
    said = " ".join(capsys.readouterr().err.split())
    assert "betaflight flies one vehicle, since its ports are fixed; there are one, two" in said


# Faults: late, gone, of another version, at another rate, repeated, started anew


def recorded(world, path, until=5.0):
    """Fly until the run ends by itself; returns the reason and the last recorded moment [s]."""
    recorder = WorldRecorder(world, path)
    world.observers.append(recorder)
    with pytest.raises(PeerError) as end:
        world.run(until)
    recorder.close(str(end.value))
    assert Recording(path).is_complete and Recording(path).interrupted == str(end.value)
    return str(end.value), last_moment(path)


def test_one_that_never_calls_is_waited_for_as_long_as_was_said():
    world = fly(patience=0.2)
    began = time.monotonic()
    with pytest.raises(PeerError, match=r"ArduPilot did not call on UDP port \d+ within 0\.2 s"):
        world.run(1.0)
    assert time.monotonic() - began >= 0.2 and world.tick == 0
    pilot(world).close()


def test_one_that_falls_silent_ends_the_run_with_the_motors_off(called, tmp_path, caplog):
    world = fly(timeout=0.2)
    called(world, frames=300)
    why, last = recorded(world, tmp_path / "a.mcap")
    assert "ArduPilot did not answer within 0.2 s" in why and "the run ended at" in why
    assert world.time == pytest.approx(299 / 400 + 0.1, abs=0.01)  # a tenth of a second on safe commands
    assert not world.command().any()
    assert "the commands are zero now" in caplog.text
    assert last == pytest.approx(world.time, abs=0.02)


def test_one_that_is_killed_at_random_leaves_a_readable_recording(called, tmp_path):
    world, chance = fly(timeout=0.15), random.Random(7)
    for k in range(6):
        frames = chance.randrange(2, 200)
        world.reset()
        called(world, frames=frames)
        why, last = recorded(world, tmp_path / f"{k}.mcap")
        assert "did not answer" in why
        assert last == pytest.approx((frames - 1) / 400 + 0.1, abs=0.02)


@pytest.mark.parametrize(
    ("packet", "why"),
    [
        (
            peers.servo_packet(1, [1000], magic=18459),
            r"another version: magic number 18459, known: 18458 \(16 outputs\)",
        ),
        (peers.servo_packet(1, [1000], channels=15), r"38 bytes with magic number 18458: expected 40"),
        (b"abc", r"3 bytes: too few"),
    ],
)
def test_one_of_another_version_is_refused(packet, why):
    world = fly()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.sendto(packet, ("127.0.0.1", pilot(world).open()))
        with pytest.raises(PeerError, match=why):
            world.run(1.0)
    pilot(world).close()


def test_one_that_asks_for_another_rate_is_told_and_flies(called, caplog):
    world = fly()
    called(world, rate=1200)
    world.run(0.5)
    said = [r.message for r in caplog.records if "exchanges per second" in r.message]
    assert len(said) == 1 and "asks for 1200 exchanges per second (SIM_RATE_HZ) and gets 400" in said[0]


@pytest.mark.parametrize("fault", ["twice", "skip"])
def test_a_frame_that_comes_twice_or_not_at_all_changes_nothing(called, fault, caplog):
    """A repeated frame is answered again, which the peer may not mistake for the next answer."""
    world = fly()
    called(world, hurt=lambda count: fault if count == 100 else "")
    world.run(1.0)
    assert pilot(world).exchanges == 400
    assert ("packets were lost" in caplog.text) == (fault == "skip")


def test_one_that_is_started_anew_flies_on(called, caplog):
    world = fly()
    first = called(world, frames=200)
    world.run(0.4)
    with caplog.at_level(logging.WARNING):

        def again(port):
            first.join(20)
            peers.ardupilot(port)

        called(world, peer=again)
        world.run(1.0)
    assert "ArduPilot was started anew" in caplog.text
    assert world.time == pytest.approx(1.4)


@pytest.mark.parametrize("packet", [b"", b"hello", struct.pack("<HHI16H", 1, 0, 0, *[1000] * 16), b"x" * 60000])
def test_what_somebody_else_sends_ends_no_flight(called, packet, caplog):
    """A scanner of ports, another program with a wrong port: once with what it sent, then not heard any more."""
    world = fly()
    called(world)
    world.run(0.2)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        for _ in range(3):
            stranger.sendto(packet, (peers.HERE, pilot(world).open()))
            world.run(0.1)
        assert caplog.text.count(f"{stranger.getsockname()[1]} is not the ArduPilot that flies") == 1
    assert world.time == pytest.approx(0.5)
    calm = fly()
    called(calm)
    calm.run(0.5)
    assert world.state_hash() == calm.state_hash()


def test_two_autopilots_on_one_port_are_told_apart(called):
    world = fly(timeout=5.0)
    called(world)
    world.run(0.2)
    called(world, wait=2.0)
    with pytest.raises(PeerError, match="two ArduPilots call on UDP port"):
        world.run(2.0)


def test_it_cannot_be_turned_back_but_started_over(called):
    world = fly()
    before = world.snapshot()
    thread = called(world, frames=101, wait=0.3)
    world.run(0.25)
    with pytest.raises(PeerError, match="cannot be turned back"):
        world.restore(before)
    thread.join(25)
    world.reset()
    called(world)
    world.run(0.25)
    assert world.time == 0.25


def test_a_port_that_is_taken_is_named():
    world = fly()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        world.tune("quadcopter.port", other.getsockname()[1])
        with pytest.raises(PeerError, match=r"cannot listen on UDP port \d+"):
            world.run(0.1)


# The command


def test_the_command_says_what_to_start_and_flies_with_it(tmp_path):
    command = [sys.executable, "-m", "cupola", "autopilot", "ardupilot", "quadcopter"]
    words = ["--duration", "1", "--port", "0", "--out", str(tmp_path), "--param", "timeout=20", "--json"]
    with subprocess.Popen([*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr and process.stdout
        line = next(line for line in process.stderr if "waits for" in line)
        found = re.search(
            r"UDP port (\d+): (\S+) --model JSON:127.0.0.1 --home (\S+) .*FRAME_CLASS 1, FRAME_TYPE 3", line
        )
        assert found and found[2] == "arducopter" and found[3] == "37.9838000,23.7275000,0,90"
        peer = subprocess.Popen([sys.executable, str(PEERS), "ardupilot", found[1]])
        said = process.stderr.read()
        assert process.wait(60) == 0, said
        peer.kill()
        peer.wait(10)
    assert re.search(r"1000 exchanges; each took \d+ µs here", said)
    assert last_moment(tmp_path / "quadcopter.mcap") == pytest.approx(1.0, abs=0.02)


def test_what_cannot_be_flown_is_refused(capsys):
    for words, why in (
        (["nobody", "quadcopter"], "there is no autopilot 'nobody'; there are: ardupilot, betaflight, px4"),
        (["ardupilot", "omni_solo"], "is no airframe of this autopilot"),
    ):
        with pytest.raises(SystemExit) as end:
            main(["autopilot", *words])
        assert end.value.code == 2 and why in capsys.readouterr().err.replace("\n", " ")


def test_a_dry_run_only_says_it(capsys):
    main_code = None
    try:
        main(["autopilot", "ardupilot", "quadcopter_x", "--dry"])
    except SystemExit as end:
        main_code = end.code
    assert (
        main_code == 0
        and "quadcopter_x is quad_x_reversed; it waits for ArduPilot on UDP port 9002"
        in capsys.readouterr().err.replace("\n", " ")
    )


@pytest.mark.parametrize(
    ("vehicle", "airframe"),
    [
        ("hexacopter", "hexa_plus"),
        ("crazyflie", "quad_x"),
        ("vtol", "quadplane"),
        ("plane_3wing_2motor", "plane"),
        ("morphing_uav", "plane"),
        *[(name, "") for name in ("gull", "robird", "xcell", "velma_base", "cepheus")],
    ],
)
def test_every_family_of_vehicles_is_an_airframe_or_told_why_not(vehicle, airframe, capsys):
    """Surfaces without a channel of their own are no reason to refuse a vehicle."""
    with pytest.raises(SystemExit) as end:
        main(["autopilot", "ardupilot", vehicle, "--dry"])
    said = " ".join(capsys.readouterr().err.split())
    assert end.value.code == (0 if airframe else 2)
    assert (
        f"{vehicle} is {airframe}; it waits for ArduPilot" if airframe else "is no airframe of this autopilot"
    ) in said


def test_time_spent_looking_for_an_answer_is_not_the_worlds():
    polling = Polling()
    with bind(0) as here, bind(0) as there:
        assert polling.look(waiting_already, here) is None and polling.spent > 0.0
        before = polling.spent
        send(there, b"answer", here.getsockname())
        select.select([here], [], [], 10.0)
        assert polling.look(waiting_already, here) == (b"answer", there.getsockname())
        assert polling.spent == before  # what is there is taken at once
        with pytest.raises(PeerError, match="nobody"):
            receive(here, 0.01, "nobody", polling)
