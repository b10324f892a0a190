"""PX4's HIL messages in lock step, with a peer that reads and writes them with pymavlink."""

import itertools
import math

import pytest

import cupola
from cupola.bridge.autopilot.px4 import Px4, gps_fields, sensor_fields, truth_fields
from cupola.bridge.autopilot.seen import Seen
from cupola.bridge.lockstep.protocol import PeerError
from cupola.config.vehicle import Vehicle
from cupola.parts.sensors.gnss import GnssReading
from cupola.physics.rotation import Quaternion, Vector

from . import autopilot_peers as peers

pytest.importorskip("pymavlink", reason="px4 needs pymavlink: pip install 'cupola[mavlink]'")
SENSORS = {
    f"parts.{kind}": {"kind": kind, "site": "base", "rate_hz": rate}
    for kind, rate in (("barometer", 50), ("gnss", 10), ("magnetometer", 100))
}


@pytest.fixture
def called():
    worlds = []

    def call(timeout=10.0, patience=20.0, **more):
        vehicle = Vehicle.load("quadcopter").with_(SENSORS)
        world = cupola.load("quadcopter", controllers={"quadcopter": "px4"}, vehicles={"quadcopter": vehicle})
        world.tune("quadcopter.port", 0)
        world.tune("quadcopter.timeout", timeout)
        world.tune("quadcopter.patience", patience)
        worlds.append(world)
        peers.background(peers.px4, pilot(world).open(), law=more.pop("law", peers.lift), **more)
        return world

    yield call
    for world in worlds:
        pilot(world).close()


def pilot(world):
    found = world.runner().controller
    assert isinstance(found, Px4)
    return found


def test_it_boots_while_the_world_stands_still_and_then_flies_the_same_twice(called):
    hashes = []
    for _ in range(2):
        seen: list[object] = []
        world = called(boot=5, seen=seen)
        world.run(2.0)
        hashes.append(world.state_hash())
        assert pilot(world).exchanges == 800 and world.motion().pos_w.z > 2.0
        times = [m.time_usec for m in seen if m.get_type() == "HIL_SENSOR"]  # type: ignore[attr-defined]
        steps = {after - before for before, after in itertools.pairwise(times)}
        assert steps == {2500}  # it goes on evenly from the boot into the flight
    assert hashes[0] == hashes[1]


def test_messages_carry_what_is_seen_in_their_units():
    fix = GnssReading(0.5, -0.25, 120.25, Vector(3.0, -4.0, 1.0))
    quat = Quaternion(0.5, -0.5, 0.5, 0.5)
    field = Vector(2e-5, -1e-5, 4e-5)
    seen = Seen(
        1.0,
        Vector(1, 2, 3),
        Vector(4, 5, -9.8),
        Vector(7, 8, 9),
        Vector(10, 11, 12),
        quat,
        6.0,
        (),
        95000.0,
        fix,
        field,
    )
    micros, *rest = sensor_fields(seen, 1_000_000, 0x1BFF)
    assert micros == 1_000_000 and rest[:6] == [4, 5, -9.8, 1, 2, 3]
    assert rest[6:9] == pytest.approx([0.2, -0.1, 0.4]) and rest[9] == 950.0 and rest[11] == pytest.approx(540, abs=1)
    found = gps_fields(fix, 7)
    assert found[:5] == (7, 3, round(math.degrees(0.5) * 1e7), round(math.degrees(-0.25) * 1e7), 120250)
    assert found[7:11] == (500, -400, 300, -100) and found[11] == pytest.approx(14313, abs=1)  # south-east
    truth = truth_fields(seen, fix, 7)
    assert truth[1:5] == ([0.5, -0.5, 0.5, 0.5], 1, 2, 3) and truth[8:11] == (1000, 1100, 1200)


def test_one_that_hangs_up_ends_the_run(called):
    world = called(frames=100)
    with pytest.raises(PeerError, match=r"the run ended at .*PX4 is gone"):
        world.run(5.0)
    assert not world.command().any() and world.time < 0.5


def test_one_that_never_boots_is_waited_for(called):
    world = called(boot=1 << 30, patience=0.5)
    with pytest.raises(PeerError, match=r"sent no HIL_ACTUATOR_CONTROLS within 0\.5 s"):
        world.run(1.0)
    assert world.tick == 0


def test_one_that_never_calls_is_named():
    world = cupola.load("quadcopter", controllers={"quadcopter": "px4"})
    world.tune("quadcopter.port", 0)
    world.tune("quadcopter.patience", 0.1)
    with pytest.raises(PeerError, match=r"PX4 did not call on TCP port \d+ within 0\.1 s"):
        world.run(0.1)
    pilot(world).close()


def test_one_that_does_not_wait_is_told(called, caplog):
    world = called(flags=0)
    world.run(0.1)
    assert caplog.text.count("does not wait for the world") == 1


def test_one_that_speaks_something_else_is_refused(called):
    world = called(noise=b"GET / HTTP/1.1\r\n\r\n", boot=1)
    with pytest.raises(PeerError, match="another version of MAVLink"):
        world.run(0.5)
