"""A controller in another process flies the same to the bit; one that is lost ends the run safely."""

import hashlib
import json
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

import cupola
from cupola.bridge.lockstep import protocol as lockstep
from cupola.bridge.lockstep.protocol import HELLO, Link, PeerError, call, listen
from cupola.bridge.lockstep.remote import Host
from cupola.cli import main
from cupola.config.controller import Controller
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder

NOISY = """
from cupola import Controller, parameter
from cupola.control.mixing import mix_quad

class Noisy(Controller):
    '''Climbs with what its sensors say; remembers something.'''

    safe_command = (0.01, 0.02, None)
    gain = parameter(0.02, low=0, high=1)

    def reset(self):
        super().reset()
        self.calls = 0

    def step(self, obs, ref):
        self.calls += 1
        imu = self.sensors["imu"]()
        shake = 0.0 if imu is None else self.gain * imu.rate_s.x
        return mix_quad(0.5 + 0.001 * (self.calls % 7), -shake, ref.sticks[1], 0.0)

    def mission(self, obs, ref, state):
        return "early" if self.calls < 100 else "late"
"""
FAULTY = """
from cupola import Controller

class Faulty(Controller):
    def step(self, obs, ref):
        return [0.5] * 4 if obs.time < 0.1 else [1.0 / 0.0] * 4
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    (tmp_path / "noisy.py").write_text(NOISY)
    (tmp_path / "faulty.py").write_text(FAULTY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def serve(files):
    """Start `cupola serve`; gives the process and its port."""
    started = []

    def start(*words):
        command = [sys.executable, "-m", "cupola", "serve", *words, "--port", "0"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        started.append(process)
        return process, int(process.stderr.readline().partition("port ")[2].partition(":")[0])

    yield start
    for process in started:
        process.kill()
        process.wait(10)
        process.stderr.close()


def fly(port, timeout=5.0):
    world = cupola.load("quadcopter", controllers={"quadcopter": "remote"})
    world.tune("quadcopter.port", port)
    world.tune("quadcopter.timeout", timeout)
    world.sticks([0, 0.01, 0, 0])
    return world


def here(compiled=False, who="noisy.py:Noisy"):
    world = cupola.load("quadcopter", controllers={"quadcopter": who}, compiled=compiled)
    world.sticks([0, 0.01, 0, 0])
    return world


def digest(world):
    numbers = world.data.qpos, world.data.qvel, world.command()
    return hashlib.sha256(b"".join(n.tobytes() for n in numbers)).hexdigest()


def test_another_process_flies_the_same_to_the_bit(serve):
    _, port = serve("noisy.py:Noisy", "--param", "gain=0.03")
    world, same = fly(port), here()
    same.tune("quadcopter.gain", 0.03)
    for _ in range(2):
        world.run(1.0)
        same.run(1.0)
        assert digest(world) == digest(same)
        assert world.mission() == same.mission()
    world.reset()
    same.reset()
    world.run(0.5)
    same.run(0.5)
    assert digest(world) == digest(same)
    assert same.mission() == "late"


def test_a_compiled_law_flies_the_same_in_another_process(serve):
    plan = cupola.load("square").scenario
    numbers = plan.vehicles[0].controller.parameters
    words = [word for name, value in numbers.items() for word in ("--param", f"{name}={value}")]
    process, port = serve("quadcopter_waypoints", "--once", *words)
    world = cupola.World(plan, controllers={"quadcopter": "remote"})
    world.tune("quadcopter.port", port)
    same = cupola.World(plan)
    world.run(3.0)
    same.run(3.0)
    assert digest(world) == digest(same) and world.mission() == same.mission()
    world.runner().controller._hang_up()  # type: ignore[attr-defined]
    assert process.wait(10) == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nobody"], "there is no controller 'nobody'"),
        (["remote", "--param", "timeout=soon"], "--param timeout=soon: expected NAME=VALUE with a number"),
        (["remote", "--param", "speed=1"], "has no parameter 'speed'; it has: port, timeout"),
    ],
)
def test_what_cannot_be_served_is_refused(words, why, capsys):
    with pytest.raises(SystemExit) as end:
        main(["serve", *words])
    assert end.value.code == 2 and why in capsys.readouterr().err.replace("\n", " ")


def test_the_capture_of_a_satellite_is_the_same_to_the_bit_until_its_controller_dies(serve):
    numbers = cupola.load("cepheus_capture").scenario.vehicles[0].controller.parameters
    words = [word for name, value in numbers.items() for word in ("--param", f"{name}={value}")]
    process, port = serve("space_mission", *words)
    world, same = cupola.load("cepheus_capture", controllers={"chaser": "remote"}), cupola.load("cepheus_capture")
    world.tune("chaser.port", port)
    for seconds in (3.0, 5.0):  # in the approach, and in the soft grip
        world.run(seconds)
        same.run(seconds)
        assert digest(world) == digest(same) and world.mission("chaser") == same.mission("chaser")
    assert same.mission("chaser") == "soft grip"
    process.kill()
    with pytest.raises(PeerError, match=r"ended at 8\.1 s"):
        world.run(1.0)
    assert world.command("chaser")[:5].tolist() == [1e-4, 1e-4, 1e-4, 1e-4, 1.0]  # the grip stays


def test_a_snapshot_holds_what_the_other_process_remembers(serve):
    _, port = serve("noisy.py:Noisy")
    world = fly(port)
    start = world.snapshot()
    world.run(0.3)
    middle = world.snapshot()
    world.run(0.3)
    end = digest(world)
    world.restore(middle)
    world.run(0.3)
    assert digest(world) == end
    world.restore(start)
    world.run(0.6)
    assert digest(world) == end
    world.runner().controller._hang_up()
    another = fly(port)  # worlds come one after another
    another.run(0.6)
    assert digest(another) == end


@pytest.mark.parametrize("way", ["dies", "hangs"])
def test_a_lost_controller_is_noticed_commands_go_safe_and_the_recording_is_kept(serve, files, way):
    process, port = serve("noisy.py:Noisy")
    world = fly(port, timeout=0.4)
    tap = WorldRecorder(world, files / "lost.mcap")
    world.observers.append(tap)
    world.run(0.5)
    assert world.command()[0] > 0.4
    process.kill() if way == "dies" else process.send_signal(19)
    began = time.monotonic()
    with pytest.raises(PeerError, match=r"ended at 0.6 s: the controller .*(gone|did not answer within 0.4 s)"):
        world.run(1.0)
    assert time.monotonic() - began < 1.0
    tap.close()
    rows = Recording(files / "lost.mcap").table("/quadcopter/channels")
    safe = [[rows[f"command.{k}"][row] for k in range(4)] for row in (50, 51, -1)]
    assert min(safe[0]) > 0.4 and safe[1] == safe[2] == [0.01, 0.02, safe[0][2], 0.0]
    if way == "hangs":
        process.send_signal(18)
        return
    _, port = serve("noisy.py:Noisy")  # another one is started, and the world with it
    world.tune("quadcopter.port", port)
    world.reset()
    world.run(0.2)
    assert world.command()[0] > 0.4 and world.time == pytest.approx(0.2)


def test_a_fault_of_the_controller_is_told_to_the_world(serve):
    process, port = serve("faulty.py:Faulty")
    world = fly(port)
    with pytest.raises(PeerError, match="Faulty: ZeroDivisionError: float division by zero"):
        world.run(1.0)
    assert process.wait(10) == 1
    assert "faulty.py:6: in step: ZeroDivisionError" in process.stderr.read()


def test_nobody_listens():
    with listen(0) as free:
        port = free.getsockname()[1]
    with pytest.raises(PeerError, match=f"the controller does not listen on port {port}"):
        fly(port, timeout=0.1).run(0.1)


def test_it_answers_on_this_machine_only():
    with listen(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


# Bad peers. The host runs in a thread, so that its complaint can be seen on both sides.


class Still(Controller):
    def step(self, obs, ref):
        return [0.0]


@pytest.fixture
def host():
    """A host for one caller; gives a connected socket and what the host raised."""
    found = []

    def accept(listener):
        try:
            Host(Still()).serve(listener)
        except PeerError as error:
            found.append(str(error))

    with listen(0) as listener:
        thread = threading.Thread(target=accept, args=(listener,))
        thread.start()
        link = call(listener.getsockname()[1], 1.0, "the host")
        yield link, lambda: (thread.join(5), found)[1]
        link.close()
        thread.join(5)


def hello(**other):
    about = {"protocol": lockstep.PROTOCOL, "version": 1, "role": "world", "seen": 21, "sticks": 20}
    return {**about, "sensors": [], "plan": [], **other}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (hello(version=2), "expected version 1, got 2"),
        (hello(protocol="http"), "expected protocol 'cupola lockstep', got 'http'"),
        (hello(role="controller"), "expected role 'world', got 'controller'"),
        ([1, 2], "expected protocol 'cupola lockstep', got None"),
        (hello(seen=13), "sends 13 \\+ 20 numbers"),
        (hello(sensors=[{"name": "a", "width": 6, "kind": "rotor"}]), "no sensor of kind 'rotor'"),
        (hello(sensors=[{"name": "a", "width": 5, "kind": "imu", "site": "s", "rate_hz": 1}]), "6 numbers here and 5"),
        ({"protocol": lockstep.PROTOCOL, "version": 1, "role": "world"}, "seen"),
    ],
)
def test_a_wrong_hello_is_refused_with_a_reason(host, said, why):
    link, complaints = host
    link.tell(HELLO, said)
    with pytest.raises(PeerError, match=why):
        link.expect(HELLO, 2.0)
    assert len(complaints()) == 1


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "announces a message of"),
        (struct.pack("<I", 0), "announces a message of 0 bytes"),
        (struct.pack("<I", 4) + b"Hx{}", "not JSON"),
        (struct.pack("<I", 1) + b"M", "where b'H' was due"),
    ],
)
def test_noise_is_refused(host, raw, why):
    link, complaints = host
    link._socket.sendall(raw)
    assert why in complaints()[0]


def test_a_caller_that_says_nothing_does_not_block_the_host(host):
    _, complaints = host
    assert "did not answer within 2 s" in complaints()[0]


def test_a_command_cut_short_is_refused():
    with listen(0) as listener:
        ours = call(listener.getsockname()[1], 1.0, "it")
        theirs = Link(listener.accept()[0], "we")
        theirs._send(b"C", b"1234567")
        with pytest.raises(PeerError, match="holds no whole float64"):
            ours.expect(b"C", 1.0).numbers()
        theirs._send(b"H", json.dumps({"a": 1}).encode())
        assert ours.expect(b"H", 1.0).json() == {"a": 1}
        ours.close(), theirs.close()


def test_numbers_travel_to_the_bit():
    values = [0.1, -0.0, 5e-324, 1.7976931348623157e308, float("inf"), float("nan")]
    a, b = (Link(s, "it") for s in _pair())
    with a, b:
        a.send(b"C", values)
        got = b.receive(1.0).numbers()
    assert struct.pack("<6d", *got) == struct.pack("<6d", *values)


def _pair():
    with listen(0) as listener:
        one = socket.create_connection(listener.getsockname())
        return one, listener.accept()[0]
