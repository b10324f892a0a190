"""PX4's HIL messages in lock step, with a peer that reads and writes them with pymavlink."""

import itertools
import math
import random
import re
from typing import Any

import pytest

import cupola
from cupola.bridge.autopilot.hil import CONTROLS, GPS, SENSOR, TRUTH, FrameError, Layout, Reader, Writer
from cupola.bridge.autopilot.px4 import Px4
from cupola.bridge.autopilot.px4_fields import gps_fields, sensor_fields, truth_fields
from cupola.bridge.autopilot.seen import ALL, Fresh, Seen
from cupola.bridge.lockstep.protocol import PeerError
from cupola.config.scenario import Scenario, VehicleEntry
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

    def call(timeout=10.0, patience=20.0, sensors=SENSORS, **more):
        vehicle = Vehicle.load("quadcopter").with_(sensors)
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


FIX = GnssReading(0.5, -0.25, 120.25, Vector(3.0, -4.0, 1.0))
SEEN = Seen(
    1.0,
    Vector(1, 2, 3),
    Vector(4, 5, -9.8),
    Vector(7, 8, 9),
    Vector(10, 11, 12),
    Quaternion(0.5, -0.5, 0.5, 0.5),
    6.0,
    (),
    95000.0,
    FIX,
    Vector(2e-5, -1e-5, 4e-5),
)


def test_messages_carry_what_is_seen_in_their_units():
    micros, *rest = sensor_fields(SEEN, 1_000_000, ALL, 540.0, None)
    assert micros == 1_000_000 and rest[:6] == [4, 5, -9.8, 1, 2, 3]
    assert rest[6:9] == pytest.approx([0.2, -0.1, 0.4]) and rest[9:14] == [950.0, 0.0, 540.0, 15.0, 0x1BFF]
    assert sensor_fields(SEEN, 1, ALL, 0.0, 250.0)[11:] == (2.5, 0.0, 15.0, 0x1FFF, 0)
    assert sensor_fields(SEEN, 1, Fresh(False, False, True, False), 0.0, 250.0)[14] == 0x1FF
    assert sensor_fields(SEEN, 1, Fresh(True, True, False, False), 0.0, 250.0)[14] == 0x1A3F
    found = gps_fields(FIX, 7)
    assert found[:5] == (7, 3, round(math.degrees(0.5) * 1e7), round(math.degrees(-0.25) * 1e7), 120250)
    assert found[7:11] == (500, -400, 300, -100) and found[11] == pytest.approx(14313, abs=1)  # south-east
    truth = truth_fields(SEEN, FIX, 7)
    assert truth[1:8] == (0.5, -0.5, 0.5, 0.5, 1, 2, 3) and truth[11:14] == (1000, 1100, 1200)
    assert truth[16:] == (round(4 / 9.80665e-3), round(5 / 9.80665e-3), round(-9.8 / 9.80665e-3))


@pytest.mark.parametrize("speed", [400.0, -2000.0, 1e7])
def test_what_is_more_than_a_message_can_hold_is_the_most_that_it_can(speed):
    """A crash of 100 g, or a rocket."""
    fix = FIX._replace(vel_w=Vector(speed, -speed, speed))
    seen = SEEN._replace(force=Vector(981.0, -981.0, 5e4), velocity=Vector(speed, 1.0, -speed), airspeed=abs(speed))
    wire = Writer(1, 51)
    frames = wire.frame(GPS, gps_fields(fix, 7)) + wire.frame(TRUTH, truth_fields(seen, fix, 7))
    gps, truth = codec().parse_buffer(bytearray(frames))
    most = 32767 if speed > 0 else -32768
    assert gps.ve == most and gps.vel == min(65534, round(math.hypot(speed, speed) * 100))
    assert (truth.xacc, truth.yacc, truth.zacc) == (32767, -32768, 32767) and truth.vx == most


def codec(count=0):
    from pymavlink.dialects.v20 import common

    found = common.MAVLink(None, srcSystem=1, srcComponent=51)
    found.seq = count
    return found


def random_row(layout: Layout, dice: random.Random):
    """A row for a message, in the order of its definition, with zeros at its end now and then."""
    low = {"Q": 0, "i": -(1 << 31), "H": 0, "h": -(1 << 15), "I": 0, "B": 0}
    high = {"Q": 1 << 63, "i": (1 << 31) - 1, "H": 65535, "h": (1 << 15) - 1, "I": (1 << 32) - 1, "B": 255}
    letters = "".join(c * int(n or 1) for n, c in re.findall(r"(\d*)([a-zA-Z])", layout.fields.format))
    wire = [dice.uniform(-1e3, 1e3) if c == "f" else dice.randint(low[c], high[c]) for c in letters]
    for k in range(dice.choice([0, 0, 3, len(wire)])):
        wire[-1 - k] = 0
    row = [0] * len(wire)
    for place, k in enumerate(layout.order or range(len(wire))):
        row[k] = wire[place]
    return tuple(row)


@pytest.mark.parametrize("name", ["hil_sensor", "hil_gps", "hil_state_quaternion"])
def test_frames_are_those_of_pymavlink_to_the_byte(name):
    layout = {"hil_sensor": SENSOR, "hil_gps": GPS, "hil_state_quaternion": TRUTH}[name]
    wire, dice = Writer(1, 51), random.Random(1)
    for k in range(600):
        row = random_row(layout, dice)
        theirs = [row[0], row[1:5], *row[5:]] if layout is TRUTH else row
        found = codec(k % 256)
        assert wire.frame(layout, row) == getattr(found, f"{name}_encode")(*theirs).pack(found), row


def controls_frame(micros, controls, mode=129, flags=1, version=2):
    found = codec(7)
    message = found.hil_actuator_controls_encode(micros, controls, mode, flags)
    return message.pack(found, force_mavlink1=version == 1)


def test_controls_are_found_in_any_stream_of_frames():
    """Of both versions, signed, between other messages, in any pieces."""
    found = codec(3)
    rows = [[0.25 * k, math.nan, *[-1.0] * 14] for k in range(4)]
    signed = bytearray(controls_frame(3, rows[3]))
    signed[2] = 1
    signed[-2:] = _check(signed, 47) + bytes(13)
    others = found.heartbeat_encode(2, 12, 0, 0, 4).pack(found) + found.attitude_encode(*[1] * 7).pack(found)
    stream = others + controls_frame(1, rows[1]) + controls_frame(2, rows[2], version=1) + others + bytes(signed)
    stream += controls_frame(0, rows[0], mode=0, flags=0)
    for size in (1, 7, 90, len(stream)):
        reader = Reader(CONTROLS)
        pieces = [stream[k : k + size] for k in range(0, len(stream), size)]
        read = [row for piece in pieces for row in reader.take(piece)]
        assert [(row[0], row[1], row[-1]) for row in read] == [(1, 1, 129), (2, 1, 129), (3, 1, 129), (0, 0, 0)]
        assert [row[2] for row in read] == [0.25, 0.5, 0.75, 0.0] and all(math.isnan(row[3]) for row in read)


def _check(frame, extra):
    from pymavlink.dialects.v20 import common

    found = common.x25crc(frame[1:-2])
    found.accumulate(bytes((extra,)))
    return found.crc.to_bytes(2, "little")


@pytest.mark.parametrize("hurt", [4, 30, -1])
def test_a_frame_that_is_damaged_is_refused(hurt):
    frame = bytearray(controls_frame(1, [0.5] * 16))
    frame[hurt] ^= 0x10
    with pytest.raises(FrameError, match="wrong checksum"):
        list(Reader(CONTROLS).take(bytes(frame)))


def test_only_what_was_measured_is_said_to_be_new(called):
    """Each sensor at its own rate; the fix goes out when the receiver has one."""
    for rates in ((50, 10, 100), (20, 5, 40)):
        sensors = {key: {**one, "rate_hz": rate} for (key, one), rate in zip(SENSORS.items(), rates, strict=True)}
        seen: list[object] = []
        world = called(boot=3, seen=seen, sensors=sensors)
        world.run(2.0)
        flown = [m for m in seen if m.get_type() == "HIL_SENSOR"][-800:]  # type: ignore[attr-defined]
        for bits, rate, field in ((0x1A00, rates[0], "abs_pressure"), (0x1C0, rates[2], "xmag")):
            new = [m.fields_updated & bits == bits for m in flown]  # type: ignore[attr-defined]
            assert sum(new) == pytest.approx(2 * rate, abs=2)
            values = [getattr(m, field) for m in flown]
            assert all(b == a or fresh for (a, b), fresh in zip(itertools.pairwise(values), new[1:], strict=True))
        assert all(m.fields_updated & 0x43F == 0x3F for m in flown)  # type: ignore[attr-defined]
        begun = flown[0].time_usec  # type: ignore[attr-defined]
        fixes = [m for m in seen if m.get_type() == "HIL_GPS" and m.time_usec >= begun]  # type: ignore[attr-defined]
        assert len(fixes) == pytest.approx(2 * rates[1], abs=1)
        times = [m.time_usec for m in seen if m.get_type() == "HIL_SENSOR"]  # type: ignore[attr-defined]
        assert times[0] > 0 and all(a < b for a, b in itertools.pairwise(times))


def test_nothing_turns_before_it_is_armed(called):
    world = called(mode=1, law=lambda message, fix: [1.0] * 4)
    world.run(0.2)
    assert pilot(world).exchanges == 80 and not world.command().any()


def test_answers_to_moments_of_its_boot_do_not_delay_the_flight(called):
    """It was shown some more moments before it began to answer, and answers them all."""
    shown: list[object] = []
    world = called(slow=0.3, seen=shown, law=lambda message, fix: [message.time_usec * 1e-8] * 4)
    world.run(0.2)
    newest = [m for m in shown if m.get_type() == "HIL_SENSOR"][-1]  # type: ignore[attr-defined]
    assert world.command()[0] * 1e8 == pytest.approx(newest.time_usec, abs=100)  # type: ignore[attr-defined]


def test_one_with_a_clock_of_its_own_is_heard_too(called):
    """Who does not keep our time cannot say which moment it answers."""
    world = called(flags=1, law=peers.lift, stamp=lambda micros: 0)
    world.run(0.2)
    assert pilot(world).exchanges == 80


def test_a_plane_is_told_its_airspeed():
    """As the pressure of a pitot tube; PX4 takes the air to have the density that it is told by pressure and heat."""
    sensors = {key: {**one, "site": "base"} for key, one in SENSORS.items()}
    for more in ({}, {"parts.pitot": {"kind": "airspeed", "site": "base", "rate_hz": 50}}):
        vehicle = Vehicle.load("plane_1wing").with_({**sensors, **more})
        world = cupola.load("plane_1wing", controllers={"plane_1wing": "px4"}, vehicles={"plane_1wing": vehicle})
        world.start_at(position=(0.0, 0.0, 100.0), velocity_b=(17.0, 0.0, 0.0))
        world.reset()
        world.tune("plane_1wing.port", 0)
        seen: list[object] = []
        peers.background(peers.px4, pilot(world).open(), law=lambda message, fix: [0.0, 0.0, 0.5, 0.0], seen=seen)
        world.run(0.3)
        pilot(world).close()
        told = [m for m in seen if m.get_type() == "HIL_SENSOR"][-1]  # type: ignore[attr-defined]
        density = 100.0 * told.abs_pressure / (287.05 * 288.15)  # type: ignore[attr-defined]
        found = math.sqrt(2.0 * 100.0 * told.diff_pressure / density)  # type: ignore[attr-defined]
        truth = world.signal("plane_1wing.airspeed")
        assert isinstance(truth, float)
        assert found == pytest.approx(truth, rel=0.02), more


def test_each_vehicle_has_a_px4_of_its_own():
    vehicle = Vehicle.load("quadcopter").with_(SENSORS)
    names = ("one", "two")
    places: list[dict[str, Any]] = [{"position": [0.0, 3.0 * k, 0.1]} for k in range(2)]
    entries = tuple(
        VehicleEntry(model="quadcopter", name=name, **place) for name, place in zip(names, places, strict=True)
    )
    world = cupola.load(
        Scenario(vehicles=entries), controllers=dict.fromkeys(names, "px4"), vehicles=dict.fromkeys(names, vehicle)
    )
    heights = {"one": 2.0, "two": 4.0}
    for name, height in heights.items():
        world.tune(f"{name}.port", 0)
        its = world.runner(name).controller
        assert isinstance(its, Px4)
        peers.background(peers.px4, its.open(), law=to_height(height))
    world.run(8.0)
    assert {name: world.motion(name).pos_w.z for name in names} == pytest.approx(heights, abs=0.3)
    for name in names:
        its = world.runner(name).controller
        assert isinstance(its, Px4)
        its.close()


def to_height(height):
    """Throttle by height alone."""
    return lambda message, fix: [peers.HOVER + 0.1 * (height - fix.alt / 1000.0) - 0.12 * -fix.vz / 100.0] * 4


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
