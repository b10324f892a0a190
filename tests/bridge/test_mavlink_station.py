"""A ground station sees and commands vehicles that no autopilot flies; pymavlink is the station."""

import math
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cupola
from cupola.bridge.mavlink.items import LAND, SPEED, TAKEOFF, WAYPOINT
from cupola.bridge.mavlink.place import Origin
from cupola.bridge.mavlink.station import Station, address_of
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.physics.rotation import Vector
from cupola.sim.events import Command, repeat

mavutil = pytest.importorskip("pymavlink.mavutil", reason="pip install 'cupola[mavlink]'")
STEP = 0.02
RELATIVE = 6


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Flight:
    """A world and its station, turn by turn."""

    def __init__(self, name="quadcopter", prepare=lambda world: None):
        self.world = cupola.load(name)
        prepare(self.world)
        self.told: list[Command] = []
        self.world.listeners.append(self.told.append)
        port = free_port()
        self.gcs = mavutil.mavlink_connection(f"udpin:127.0.0.1:{port}", source_system=250)
        self.link = Station(self.world, ("127.0.0.1", port))
        self.heard: list = []
        self.turn()
        self.gcs.target_system, self.gcs.target_component = 1, 1

    def turn(self, seconds=0.0):
        end = self.world.time + seconds
        while True:
            self.link.exchange()
            while (message := self.gcs.recv_match(blocking=False)) is not None:
                self.heard.append(message)
            if self.world.time >= end - 1e-9:
                return
            self.world.step(round(STEP / self.world.dt))

    def last(self, kind, system=1):
        return [m for m in self.heard if m.get_type() == kind and m.get_srcSystem() == system][-1]

    def order(self, command, *params, seconds=0.1):
        given = [*params, *[0.0] * (7 - len(params))]
        self.gcs.mav.command_long_send(1, 1, command, 0, *given)
        self.turn(seconds)
        return self.last("COMMAND_ACK")

    def until(self, there, seconds=60.0):
        end = self.world.time + seconds
        while not there() and self.world.time < end:
            self.turn(0.1)
        return there()

    def close(self):
        self.link.close()
        self.gcs.close()


@pytest.fixture
def flight():
    made = Flight()
    yield made
    made.close()


def leaning(world):
    world.start_at(position=(3.0, -4.0, 5.0), attitude_deg=(10.0, -20.0, 30.0), velocity_b=(1.0, 2.0, -3.0))
    world.reset()


def test_axes_signs_and_units_are_those_of_mavlink():
    """A vehicle that leans right, nose up, and looks 30 degrees north of east; numbers that no swapped axis gives."""
    flight = Flight(prepare=leaning)
    obs = flight.world.motion()
    attitude, place = flight.last("ATTITUDE"), flight.last("LOCAL_POSITION_NED")
    assert [math.degrees(v) for v in (attitude.roll, attitude.pitch, attitude.yaw)] == pytest.approx(
        [10, 20, 60], abs=1e-4
    )
    assert (place.x, place.y, place.z) == pytest.approx((-4, 3, -5))
    assert (place.vx, place.vy, place.vz) == pytest.approx((obs.vel_w.y, obs.vel_w.x, -obs.vel_w.z), abs=1e-5)
    glob, home = flight.last("GLOBAL_POSITION_INT"), flight.world.scenario.origin
    assert glob.lat * 1e-7 == pytest.approx(home.latitude_deg - 4.0 / 110992.0, abs=2e-7)  # m per degree at 38° north
    assert glob.lon * 1e-7 == pytest.approx(home.longitude_deg + 3.0 / 87833.0, abs=2e-7)
    assert (
        glob.alt == pytest.approx(1000 * (flight.world.scenario.air.altitude + 5.0), abs=1) and glob.relative_alt == 0
    )
    assert glob.hdg == 6000 and glob.vx == round(100 * obs.vel_w.y) and glob.vz == round(-100 * obs.vel_w.z)
    beat = flight.last("HEARTBEAT")
    assert beat.type == 2 and beat.base_mode & 128 and beat.custom_mode == 0
    flight.close()


def test_places_go_there_and_back():
    origin = Origin.of(cupola.load("quadcopter"))
    there = Vector(1234.5, -678.9, 42.0)
    place = origin.geodetic(there)
    back = origin.world(math.degrees(place.latitude), math.degrees(place.longitude), place.altitude)
    assert back == pytest.approx(there, abs=1e-6)


def read_mission(flight):
    """As a station downloads it."""
    flight.gcs.mav.mission_request_list_send(1, 1)
    flight.turn(0.1)
    items = []
    for k in range(flight.last("MISSION_COUNT").count):
        flight.gcs.mav.mission_request_int_send(1, 1, k)
        flight.turn(0.05)
        items.append(flight.last("MISSION_ITEM_INT"))
    flight.gcs.mav.mission_ack_send(1, 1, 0)
    return items


def write_mission(flight, items, drop=()):
    """As a station uploads it; the first answer to a request in `drop` is lost."""
    flight.gcs.mav.mission_count_send(1, 1, len(items))
    lost, done = set(drop), 0
    for _ in range(200):
        flight.turn(0.02)
        asked = [m for m in flight.heard[done:] if m.get_type() == "MISSION_REQUEST_INT"]
        done = len(flight.heard)
        for one in asked:
            if one.seq in lost:
                lost.discard(one.seq)
                flight.link._missions[1]._asked -= 10.0  # it is asked for again at once
                continue
            command, *params, x, y, z = items[one.seq]
            flight.gcs.mav.mission_item_int_send(1, 1, one.seq, RELATIVE, command, 0, 1, *params, x, y, z)
        if any(m.get_type() == "MISSION_ACK" for m in flight.heard[done - len(asked) - 5 :]):
            break
    return flight.last("MISSION_ACK").type


def at(flight, x, y, z):
    """Item numbers of a place."""
    place = Origin.of(flight.world).geodetic(Vector(x, y, z))
    return round(math.degrees(place.latitude) * 1e7), round(math.degrees(place.longitude) * 1e7), z


def test_the_plan_of_a_scenario_is_read_and_written_back():
    flight = Flight("square")
    rows = flight.world.runner().plan.tolist()
    items = read_mission(flight)
    assert [m.command for m in items if m.command != SPEED] == [LAND if row[6] else WAYPOINT for row in rows]
    again = [(m.command, m.param1, m.param2, m.param3, m.param4, m.x, m.y, m.z) for m in items]
    assert write_mission(flight, again, drop={1}) == 0
    flown = [row for row in flight.world.runner().plan.tolist() if not row[6]]
    for row, first in zip(flown, [r for r in rows if not r[6]], strict=False):
        assert row[:3] == pytest.approx(first[:3], abs=0.02)  # 1e-7 degrees are a centimetre
        assert row[4:6] == first[4:6] and math.cos(row[3] - first[3]) == pytest.approx(1.0)
    assert [(m.x, m.y) for m in read_mission(flight)] == [(m.x, m.y) for m in items]
    flight.close()


def test_a_mission_of_a_station_is_flown_and_the_run_repeats_to_the_bit(flight):
    nan = math.nan
    items = [
        (TAKEOFF, 0.0, 0.0, 0.0, nan, 0, 0, 3.0),
        (SPEED, 1.0, 3.0, -1.0, 0.0, 0, 0, 0.0),
        (WAYPOINT, 0.5, 0.0, 0.0, 90.0, *at(flight, 4.0, -2.0, 3.0)),
        (LAND, 0.0, 0.0, 0.0, nan, *at(flight, 4.0, -2.0, 0.0)),
    ]
    assert write_mission(flight, items) == 0
    assert flight.until(lambda: flight.last("MISSION_CURRENT").seq >= 2)
    flight.world.fail("quadcopter.imu", "stuck", 0.0)
    assert flight.until(lambda: flight.world.mission() == "landed")
    now = flight.world.motion().pos_w
    assert (now.x, now.y) == pytest.approx((4.0, -2.0), abs=0.3) and now.z < 0.1
    assert {m.seq for m in flight.heard if m.get_type() == "MISSION_ITEM_REACHED"} >= {2}
    again = cupola.load("quadcopter")
    repeat(again, flight.told, flight.world.tick)
    assert again.state_hash() == flight.world.state_hash()


def test_commands_arm_take_off_go_and_return(flight):
    world, start = flight.world, flight.world.motion().pos_w
    assert flight.order(400, 0.0).result == 0 and world.stopped() and not flight.last("HEARTBEAT").base_mode & 128
    assert flight.order(400, 1.0).result == 0 and not world.stopped()
    assert flight.order(22, 0, 0, 0, 0, 0, 0, 4.0).result == 0
    assert flight.until(lambda: abs(world.motion().pos_w.z - start.z - 4.0) < 0.2)
    lat, lon, _ = at(flight, 5.0, 1.0, 0.0)
    flight.gcs.mav.command_int_send(1, 1, RELATIVE, 192, 0, 0, -1.0, 0.0, 0.0, math.nan, lat, lon, 4.0)
    assert flight.until(lambda: math.dist(world.motion().pos_w[:2], (5.0, 1.0)) < 0.3)
    assert flight.order(20).result == 0
    assert flight.until(lambda: world.mission() == "landed")
    assert world.motion().pos_w[:2] == pytest.approx(start[:2], abs=0.3)


def test_modes_sticks_parameters_and_failures(flight):
    world = flight.world
    assisted = world.modes().index("assisted")
    assert flight.order(176, 1.0, float(assisted)).result == 0 and world.mode() == "assisted"
    assert flight.last("HEARTBEAT").custom_mode == assisted
    flight.gcs.mav.manual_control_send(1, 300, -200, 750, 100, 0)
    flight.turn(0.02)
    assert world.runner().sticks[:4].tolist() == pytest.approx([-0.2, 0.3, 0.1, 0.5])
    flight.gcs.mav.param_request_list_send(1, 1)
    flight.turn(0.02)
    given = {m.param_id: m.param_value for m in flight.heard if m.get_type() == "PARAM_VALUE"}
    assert given["position_kp"] == pytest.approx(world.parameters["quadcopter.position_kp"][1])
    flight.gcs.mav.param_set_send(1, 1, b"position_kp", 1.5, 9)
    flight.turn(0.02)
    assert world.parameters["quadcopter.position_kp"][1] == 1.5 and flight.last("PARAM_VALUE").param_value == 1.5
    assert flight.order(420, 101, 1, 2).result == 0
    broken = {f.part for f in world.faults() if f.amount}
    assert broken == {"quadcopter.motor2"}
    assert flight.order(420, 101, 0, 0).result == 0 and not any(f.amount for f in world.faults())


def test_what_cannot_be_done_is_refused_with_a_reason(flight, caplog):
    assert flight.order(31010).result == 3 and flight.order(511, 30, 100_000).result == 3  # rates are fixed
    assert flight.order(22).result == 2 and "to which height" in caplog.text
    assert flight.order(176, 1.0, 9.0).result == 2 and "0: mission" in caplog.text
    assert flight.order(420, 101, 1, 9).result == 2
    rows = flight.world.runner().plan.tolist()
    assert write_mission(flight, [(82, 0.0, 0.0, 0.0, 0.0, 1, 1, 1.0)]) == 3 and "command 82" in caplog.text
    assert flight.world.runner().plan.tolist() == rows


def test_what_is_not_known_is_said_once_and_not_passed_over(flight, caplog):
    for _ in range(2):
        flight.gcs.mav.set_position_target_local_ned_send(0, 1, 1, 1, 0b110111111000, 1, 2, -3, *[0] * 8)
        flight.gcs.mav.log_request_list_send(1, 1, 0, 9)
        flight.gcs.mav.request_data_stream_send(1, 1, 0, 4, 1)  # it changes nothing, as the page says
        flight.gcs.mav.ping_send(0, 1, 0, 0)
        flight.turn(0.1)
    said = [m.text for m in flight.heard if m.get_type() == "STATUSTEXT"]
    expected = [f"{kind} is not known" for kind in ("SET_POSITION_TARGET_LOCAL_NED", "LOG_REQUEST_LIST")]
    assert len(said) == 2 and all(e in caplog.text and e in s for e, s in zip(expected, said, strict=True))


def test_fences_and_parts_of_missions_are_refused_and_all_kinds_are_cleared_together(flight):
    def acks():
        flight.turn(0.1)
        found = [(m.mission_type, m.type) for m in flight.heard if m.get_type() == "MISSION_ACK"]
        flight.heard.clear()
        return found

    assert write_mission(flight, [(16, 0.0, 0.0, 0.0, 0.0, *at(flight, 1.0, 2.0, 3.0))]) == 0
    acks()
    flight.gcs.mav.mission_write_partial_list_send(1, 1, 0, 0)
    flight.gcs.mav.mission_count_send(1, 1, 2, 1)
    flight.gcs.mav.mission_count_send(1, 1, 2, 255)
    assert acks() == [(0, 3), (1, 3), (255, 3)]
    flight.gcs.mav.mission_ack_send(1, 1, 0, 1)  # a fence was read: nothing to answer
    assert acks() == [] and len(read_mission(flight)) == 1
    flight.gcs.mav.mission_clear_all_send(1, 1, 255)
    assert acks() == [(0, 0)] and read_mission(flight) == []


def test_a_station_that_comes_late_goes_and_sends_rubbish_stops_nothing(flight):
    flight.gcs.close()
    flight.world.step(10)
    for _ in range(20):
        flight.link.exchange()
    flight.link._hear(flight.link._mav.MAVLink_heartbeat_message(6, 8, 0, 0, 4, 3))
    assert flight.link._parse(b"\x00" * 40 + b"\xfd\xff\xff") == []


def test_two_vehicles_are_two_systems():
    pair = tuple(VehicleEntry(model="quadcopter", name=name, position=(x, 0.0, 0.3)) for x, name in enumerate("ab"))
    flight = Flight(Scenario(vehicles=pair))
    assert {m.get_srcSystem() for m in flight.heard if m.get_type() == "HEARTBEAT"} == {1, 2}
    flight.gcs.mav.command_long_send(2, 1, 400, 0, 0, 0, 0, 0, 0, 0, 0)
    flight.turn(0.1)
    assert (flight.world.stopped("a"), flight.world.stopped("b")) == (False, True)
    flight.close()


def mavproxy():
    """MAVProxy, where it is installed."""
    return shutil.which("mavproxy.py", path=str(Path(sys.executable).parent))


@pytest.mark.skipif(mavproxy() is None, reason="MAVProxy is not installed: pip install MAVProxy")
def test_mavproxy_sees_reads_and_commands_it(tmp_path):
    world, port = cupola.load("square"), free_port()
    link = Station(world, ("127.0.0.1", port))
    where = [f"--master=udpin:127.0.0.1:{port}", "--streamrate=-1", "--state-basedir", str(tmp_path)]
    command = [sys.executable, str(mavproxy()), *where]
    said = tmp_path / "said.txt"
    with said.open("wb") as out, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, cwd=tmp_path) as process:
        assert process.stdin

        def hears(text, order=""):
            """Whether it prints this after an order, while the world goes on."""
            end, asked = time.monotonic() + 90.0, 0.0
            while text not in said.read_text(errors="replace"):
                if order and time.monotonic() > asked + 5.0:  # it drops what is typed before it is ready
                    asked = time.monotonic()
                    process.stdin.write(f"{order}\n".encode())
                    process.stdin.flush()
                link.exchange()
                world.step(10)
                time.sleep(0.005)
                if time.monotonic() > end:
                    return False
            return True

        try:
            assert hears("online system 1"), said.read_text()
            assert hears("Requesting", "wp list") and hears("16 ", "wp list"), said.read_text()
            assert hears("DISARMED", "disarm") and world.stopped(), said.read_text()
        finally:
            process.kill()
            link.close()


@pytest.mark.parametrize(
    ("text", "where"),
    [("14551", ("127.0.0.1", 14551)), ("10.0.0.2", ("10.0.0.2", 14550)), ("h:1", ("h", 1))],
)
def test_addresses(text, where):
    assert address_of(text) == where


def test_a_host_that_does_not_exist_is_refused_before_the_start():
    with pytest.raises(cupola.InputError, match="there is no address 'nowhere"):
        Station(cupola.load("quadcopter"), ("nowhere.invalid", 14550))


def test_an_address_that_is_none():
    with pytest.raises(cupola.InputError, match="expected HOST:PORT"):
        address_of("localhost:x")
