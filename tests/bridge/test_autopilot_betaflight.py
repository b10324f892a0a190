"""Betaflight's packets in lock step, with a peer written from its structures."""

import math
import re
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import cupola
from cupola.bridge.autopilot.airframe import dialect
from cupola.bridge.autopilot.betaflight import Betaflight, outputs_of, place_of, state_packet
from cupola.bridge.autopilot.msp import version_on
from cupola.bridge.autopilot.seen import Eyes, Seen, ned_from_frd
from cupola.bridge.autopilot.stamps import Stamps
from cupola.bridge.autopilot.xplane import XPlane
from cupola.bridge.lockstep.protocol import PeerError
from cupola.cli import main
from cupola.config.controller import Controller
from cupola.config.vehicle import Vehicle
from cupola.parts.sensors.gnss import GnssReading
from cupola.physics.rotation import Quaternion, Vector
from cupola.sim import world as world_module

from . import autopilot_peers as peers

PEERS = Path(peers.__file__)
SENSORS = {
    "parts.air": {"kind": "barometer", "site": "base", "rate_hz": 50},
    "parts.fix": {"kind": "gnss", "site": "base", "rate_hz": 400},
}


def fly(who="betaflight", **parameters):
    vehicle = Vehicle.load("quadcopter").with_(SENSORS)
    world = cupola.load("quadcopter", controllers={"quadcopter": who}, vehicles={"quadcopter": vehicle})
    for name, value in parameters.items():
        world.tune(f"quadcopter.{name}", value)
    return world


def pilot(world):
    found = world.runner().controller
    assert isinstance(found, Betaflight)
    return found


@pytest.fixture
def called():
    worlds = []

    def call(**given):
        more = {name: given.pop(name) for name in ("law", "frames", "size", "radio") if name in given}
        world = fly(**{"port": 0, "timeout": 10.0, "version": 26.06, **given})
        worlds.append(world)
        version = 4.3 if given.get("older") else given.get("version") or 26.0
        peers.background(peers.betaflight, pilot(world).open(), version=version, **more)
        return world

    yield call
    for world in worlds:
        pilot(world).close()


class Rounded(Controller):
    """The same law in this process, fed the packets."""

    def __init__(self, version):
        super().__init__()
        self.twin, self.version = Betaflight(), version

    def accept(self, robot, channel):
        self.twin.meet(robot, channel)

    def reset(self):
        super().reset()
        self.eyes = self.origin = None

    def step(self, obs, ref):
        self.eyes = self.eyes or Eyes(self.robot.gravity, self.sensors)
        seen = self.eyes.look(obs)
        self.origin = self.origin or place_of(seen)
        told = peers.read_betaflight(state_packet(seen, self.version, self.origin), self.version, self.origin)
        fr, bl, fl, br = peers.cascade(told)
        pwm = np.array([1000 + 1000 * value for value in (br, fr, bl, fl)], np.float32).tolist()
        return self.twin.commands(pwm)


@pytest.mark.parametrize("version", [26.06, 4.5])
def test_it_flies_the_same_to_the_bit_as_the_same_law_in_this_process(called, version):
    world, same = called(version=version), fly(Rounded(version))
    for _ in range(2):
        world.run(1.0)
        same.run(1.0)
        assert world.state_hash() == same.state_hash()
    assert world.motion().pos_w.z == pytest.approx(3.0, abs=0.5)


def test_an_older_version_flies_too(called):
    world = called(older=1)
    world.run(4.0)
    assert world.motion().pos_w.z == pytest.approx(3.0, abs=0.3)


def test_an_older_version_that_was_not_announced_is_found_out():
    world = fly(port=0, patience=0.3, version=26.06)
    port = pilot(world).open()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.sendto(struct.pack("<4f", 0, 0, 0, 0), ("127.0.0.1", port + 1))
        with pytest.raises(PeerError, match=r"a version before 4\.4, fly with --param older=1"):
            world.run(0.1)
    pilot(world).close()


def test_the_state_has_the_layout_of_its_structure():
    fix = GnssReading(0.5, -0.25, 120.0, Vector(1.0, 2.0, 3.0))
    quat = Quaternion(0.5, -0.5, 0.5, 0.5)
    seen = Seen(2.5, Vector(1, 2, 3), Vector(4, 5, 6), Vector(7, 8, 9), Vector(10, 11, 12), quat, 0.0, (), 95000.0, fix)
    new = struct.unpack("<18d", state_packet(seen, version=4.5))
    assert new[:11] == (2.5, 1, 2, 3, -4, 5, 6, 0.5, -0.5, 0.5, 0.5) and new[11:14] == (1.0, 2.0, 3.0)
    assert np.allclose(new[14:], [np.degrees(-0.25), np.degrees(0.5), 120.0, 95000.0])
    old = struct.unpack("<17d", state_packet(seen, version=4.3))
    assert old[:11] == new[:11] and old[11:] == (10, 11, 12, 7, 8, 9)


@pytest.mark.parametrize("version", [4.3, 4.5, 25.12, 26.06, 26.12])
def test_every_version_senses_the_same_motion(version):
    """By the signs with which each of them reads the packet: `peers.read_betaflight`."""
    fix = GnssReading(np.radians(37.984), np.radians(23.728), 120.0, Vector(1.0, 2.0, 3.0))
    quat = Quaternion(*np.array([0.7, 0.1, -0.3, 0.4]) / np.sqrt(0.75))
    seen = Seen(2.5, Vector(1, 2, 3), Vector(4, 5, 6), Vector(7, 8, 9), Vector(2, 1, -3), quat, 0.0, (), 95000.0, fix)
    origin = (23.7, 38.0)
    told = peers.read_betaflight(state_packet(seen, version, origin), version, origin)
    assert told.gyro == [1, 2, 3] and told.accel == [4, 5, 6] and told.velocity == [2, 1, -3]
    assert told.euler == pytest.approx(peers.euler(quat))
    assert np.allclose(told.position, (7, 8, 9) if version < 4.4 else (22.24, 43.82, -120), atol=0.05)
    assert ned_from_frd(ned_from_frd(quat)) == pytest.approx(quat)


@pytest.mark.parametrize(("told", "version"), [((4, 5), 4.5), ((25, 12), 25.12), ((26, 6), 26.06)])
def test_it_is_asked_for_its_version(told, version):
    assert version_on(peers.msp(*told)) == version


def test_a_version_that_is_told_decides_and_one_that_is_not_is_guessed_aloud(called, caplog):
    world = called(version=0, msp=peers.msp(4, 5))
    peer = pilot(world)
    world.run(0.05)
    assert peer._release == 4.5 and "version" not in caplog.text
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    world = called(version=0, msp=port)
    world.run(0.05)
    assert pilot(world)._release == 26.0 and f"does not tell its version on TCP port {port} (MSP)" in caplog.text


def test_its_clock_neither_stands_still_nor_runs_away_when_the_world_pauses():
    """Betaflight's factor: the step of the times on two packets over the time between them, if that is below 0.02 s."""
    stamps, wall, factor, before = Stamps(), 0.0, 1.0, None
    steps = [1e-3] * 50 + [3.0] + [1e-3] * 20 + [0.019] * 3 + [1e-5] + [4e-3] * 400
    for k, passed in enumerate(steps):
        wall += passed
        stamp = stamps.next(wall, 1e-3)
        if before is not None:
            assert stamp > before
            if stamp - before < 0.02:
                factor = (stamp - before) / passed
        before = stamp
        assert 0.2 < factor < 1.1, k
    assert factor == pytest.approx(0.25, rel=0.02)  # a world at a quarter of real time
    assert before is not None
    for _ in range(10):
        again = stamps.next(wall)
        assert again > before  # a state that is sent again
        before = again


@pytest.mark.parametrize(("computing", "wall"), [(4e-4, 2.2e-3), (3e-3, 6e-3)])
def test_its_loop_turns_as_often_as_the_world_goes_on_and_the_world_does_not_wait_for_ever(computing, wall):
    """Betaflight since 2026: a loop of 1 ms of its own clock, each state answered at the next turn; `computing`: the
    time that the world takes for a step, `wall`: for step and answer, at most. The world is held at real time."""
    step, turn, steps = 1.0 / dialect("betaflight").rate_hz, 1e-3, 20_000
    stamps, now, clock, factor, before, sent = Stamps(), 0.0, 0.0, 1.0, 0.0, 0.0
    for k in range(steps):
        now += computing
        now = max(now, k * step)  # real time
        clock += factor * (now - sent)
        stamp = stamps.next(now, step)
        if stamp - before < 0.02:
            factor = (stamp - before) / max(now - sent, 1e-9)
        before, sent = stamp, now
        left = turn - clock % turn
        now += left / factor
        if k == steps // 2:
            half = now, clock
    assert now - half[0] < wall * steps / 2  # before, it took longer and longer
    assert clock - half[1] == pytest.approx(step * steps / 2, rel=0.05)


def test_old_and_new_packets_mean_the_same_motors():
    new = outputs_of(struct.pack("<Hxx16f", 4, 1100, 1200, 1300, 1400, *[0] * 12), older=False)
    old = outputs_of(struct.pack("<4f", 0.2, 0.3, 0.4, 0.1), older=True)
    assert new[:4] == (1100, 1200, 1300, 1400) and np.allclose(old, new[:4], atol=1e-4)


def test_sticks_are_its_radio(called):
    heard: list[tuple[float, ...]] = []
    world = called(radio=heard)
    world.sticks([0.5, 0.2, -0.5, -1.0, 1.0])
    world.run(0.2)
    assert heard[-1][1:6] == (1750, 1400, 1000, 1250, 2000)  # roll, pitch (pushed is high), throttle, yaw, first free


def test_one_that_falls_silent_ends_the_run(called):
    world = called(frames=200, timeout=0.3)
    with pytest.raises(PeerError, match=r"the run ended at .* Betaflight sent no motors to UDP port \d+ within 0\.3 s"):
        world.run(5.0)
    assert not world.command().any()


def test_another_version_is_refused(called):
    world = called(size=60)
    with pytest.raises(PeerError, match=r"another version: it sent 60 bytes of motors, expected 68"):
        world.run(1.0)


@pytest.mark.parametrize(("older", "layout"), [(False, "<Hxx16f"), (True, "<4f")])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_motors_that_are_no_numbers_are_refused(older, layout, value):
    content = struct.pack(layout, *([4] if not older else []), *[value] * (4 if older else 16))
    with pytest.raises(PeerError, match="motors that are no numbers"):
        outputs_of(content, older)


def test_without_its_sensors_it_is_refused_with_what_adds_them():
    world = cupola.load("quadcopter", controllers={"quadcopter": "betaflight"})
    world.tune("quadcopter.port", 0)
    with pytest.raises(PeerError, match="needs a gnss and a barometer part"):
        world.run(0.1)
    pilot(world).close()


def test_the_command_adds_what_it_needs_and_flies(tmp_path):
    command = [sys.executable, "-m", "cupola", "autopilot", "betaflight", "quadcopter", "--duration", "0.5"]
    words = ["--port", "0", "--out", str(tmp_path), "--param", "timeout=20", "--speed", "max"]
    with subprocess.Popen([*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "waits for" in line:
                break
        assert "gets what the autopilot cannot do without: barometer, gnss" in "".join(lines)
        found = re.search(r"UDP port (\d+): betaflight_SITL.elf .*yaw_motors_reversed = ON", lines[-1])
        assert found
        peer = subprocess.Popen([sys.executable, str(PEERS), "betaflight", found[1]])
        said = process.stderr.read()
        assert process.wait(60) == 0, said
        peer.kill()
        peer.wait(10)


@pytest.mark.parametrize(
    ("name", "cls", "scenario"), [("betaflight", Betaflight, "quadcopter"), ("xplane", XPlane, "plane_1wing")]
)
def test_whose_clock_is_the_computers_gets_each_state_at_its_own_time(name, cls, scenario, monkeypatch, tmp_path):
    """Many at once before a pause turned the attitude that Betaflight estimates by up to 15 degrees."""
    asked, when_it_slept = [], []
    monkeypatch.setattr(cls, "open", lambda self: 0)
    monkeypatch.setattr(cls, "meet_peer", lambda self, seen: None)
    monkeypatch.setattr(cls, "exchange", lambda self, seen, ref: asked.append(seen.time) or [0.0] * 16)
    clock = SimpleNamespace(perf_counter=time.perf_counter, sleep=lambda _: when_it_slept.append(len(asked)))
    monkeypatch.setattr(world_module, "time", clock)
    with pytest.raises(SystemExit, match="0"):
        main(["autopilot", name, scenario, "--duration", "0.3", "--out", str(tmp_path)])
    assert len(asked) == round(0.3 * dialect(name).rate_hz)
    assert np.diff(when_it_slept).max() == 1
