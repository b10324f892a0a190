"""X-Plane's datarefs in lock step, with a peer that speaks as iNav's SITL does."""

import math
import socket
import struct

import numpy as np
import pytest

import cupola
from cupola.bridge.autopilot.seen import Eyes, Seen
from cupola.bridge.autopilot.xplane import ASK, WRITE, XPlane, flight_values, stick_values
from cupola.bridge.lockstep.protocol import PeerError
from cupola.config.controller import Controller
from cupola.config.vehicle import Vehicle
from cupola.parts.sensors.gnss import GnssReading
from cupola.physics.rotation import Quaternion, Vector

from . import autopilot_peers as peers

PLANE = "cessna"
SENSORS = {
    "parts.air": {"kind": "barometer", "site": "base", "rate_hz": 50},
    "parts.fix": {"kind": "gnss", "site": "base", "rate_hz": 10},
}


def fly(who="xplane", **parameters):
    """The plane, at speed in the air."""
    vehicle = Vehicle.load(PLANE)
    site = next(part.at_site() for part in vehicle.parts.values() if part.at_site())
    added = {name: {**part, "site": site} for name, part in SENSORS.items()}
    world = cupola.load(PLANE, controllers={PLANE: who}, vehicles={PLANE: vehicle.with_(added)})
    world.start_at(position=(0.0, 0.0, 100.0), velocity_b=(55.0, 0.0, 0.0))
    world.reset()
    for name, value in parameters.items():
        world.tune(f"{PLANE}.{name}", value)
    return world


def pilot(world):
    found = world.runner().controller
    assert isinstance(found, XPlane)
    return found


@pytest.fixture
def called():
    worlds = []

    def call(timeout=10.0, rc=0.0, patience=20.0, **more):
        world = fly(port=0, timeout=timeout, rc=rc, patience=patience)
        worlds.append(world)
        peers.background(peers.xplane, pilot(world).open(), **more)
        return world

    yield call
    for world in worlds:
        pilot(world).close()


class Rounded(Controller):
    """The same law in this process, fed the same rounded numbers."""

    def __init__(self):
        super().__init__()
        self.twin = XPlane()

    def accept(self, robot, channel):
        self.twin.meet(robot, channel)

    def reset(self):
        super().reset()
        self.eyes = None

    def step(self, obs, ref):
        self.eyes = self.eyes or Eyes(self.robot.gravity, self.sensors)
        seen = self.eyes.look(obs)
        known = flight_values(seen)
        values = [float(np.float32(known[name])) for name in peers.ASKED]
        return self.twin.commands([float(np.float32(value)) for value in peers.wings_level(values)])


def test_a_plane_holds_its_attitude_and_flies_as_the_same_law_in_this_process(called):
    world, same = called(), fly(Rounded())
    world.run(0.02)
    same.run(0.02)
    for _ in range(2):
        world.run(2.0)
        same.run(2.0)
        assert world.state_hash() == same.state_hash()
    roll, pitch = world.signal(f"{PLANE}.attitude.roll"), world.signal(f"{PLANE}.attitude.pitch")
    assert math.degrees(float(roll)) == pytest.approx(10.0, abs=4.0)
    assert -math.degrees(float(pitch)) == pytest.approx(5.0, abs=10.0)  # it has no integral


def test_datarefs_have_the_signs_and_units_of_x_plane():
    """Nose up, right wing down, to the south-east; by the signs that iNav and others read them with."""
    fix = GnssReading(math.radians(37.5), math.radians(-23.25), 120.0, Vector(1.0, 2.0, 3.0))
    quat = Quaternion(0.9, 0.1, 0.2, 0.3)
    size = math.sqrt(sum(value * value for value in quat))
    quat = Quaternion(*(value / size for value in quat))
    force = Vector(-2.0, 3.0, -9.80665)
    velocity, rate = Vector(-4.0, 5.0, -6.0), Vector(0.1, 0.2, 0.3)
    seen = Seen(2.5, rate, force, Vector(7, 8, -9), velocity, quat, 20.0, (), 101325.0, fix)
    of = {name.rpartition("/")[2]: value for name, value in flight_values(seen).items()}
    assert (of["latitude"], of["longitude"], of["elevation"], of["y_agl"]) == pytest.approx((37.5, -23.25, 120.0, 9.0))
    assert (of["local_vx"], of["local_vy"], of["local_vz"]) == (5.0, 6.0, 4.0)  # east, up, south
    assert [of["phi"], of["theta"], of["psi"]] == pytest.approx([math.degrees(a) % 360 for a in peers.euler(quat)])
    assert (of["P"], of["Q"], of["R"]) == pytest.approx([math.degrees(value) for value in rate])
    assert (of["g_axil"], of["g_side"], of["g_nrml"]) == pytest.approx((2 / 9.80665, -3 / 9.80665, 1.0))
    assert of["barometer_current_inhg"] == pytest.approx(29.92, abs=0.01)
    assert of["hpath"] == pytest.approx(math.degrees(math.atan2(5.0, -4.0))) and of["groundspeed"] == math.hypot(4, 5)


def test_packets_have_the_sizes_of_x_plane():
    assert (ASK.size, WRITE.size) == (413, 509)


def test_sticks_are_its_radio(called):
    heard: list[dict[int, float]] = []
    more = [name for name in stick_values([0.0] * 20, True) if "joystick" in name]
    world = called(rc=1.0, more=more, values=heard)
    world.sticks([0.5, 0.2, -0.5, -1.0, 1.0])
    world.run(0.3)
    of = dict(zip(more, list(heard[-1].values())[len(peers.ASKED) :], strict=True))
    axis = "sim/joystick/joy_mapped_axis_value"
    found = [of[f"{axis}[{k}]"] for k in (2, 1, 3, 57, 58)]
    assert found == pytest.approx([0.5, -0.2, -0.5, 0.0, 1.0]) and of["sim/joystick/has_joystick"] == 1.0


def test_one_that_falls_silent_ends_the_run_with_what_it_did_not_write(called):
    world = called(frames=40, timeout=0.3)
    with pytest.raises(
        PeerError, match=r"the run ended at .* did not write sim/joystick/yoke_roll_ratio.* within 0\.3 s"
    ):
        world.run(5.0)
    assert not world.command().any()


def test_one_that_writes_only_some_controls_is_told_which_are_missing(called):
    world = called(leave_out=("sim/joystick/yoke_heading_ratio",), patience=2.0)
    with pytest.raises(PeerError, match=r"did not write sim/joystick/yoke_heading_ratio within"):
        world.run(1.0)


def test_unknown_datarefs_are_told_and_get_0_as_from_x_plane(called, caplog):
    heard: list[dict[int, float]] = []
    world = called(more=["sim/flightmodel/weight/m_total"], values=heard)
    world.run(0.1)
    assert "asks for sim/flightmodel/weight/m_total, which is not known here: it gets 0" in caplog.text
    assert heard[-1][len(peers.ASKED)] == 0.0


def test_a_peer_that_waits_for_the_version_of_a_plugin_is_told_that_there_is_none(called, caplog):
    """iNav asks for nothing else before it knows."""
    world = called(patience=5.0, plugin=True)
    world.run(0.1)
    assert pilot(world).exchanges > 5 and "plugin" not in caplog.text


@pytest.mark.parametrize(
    ("packet", "why"),
    [(b"DATA" + bytes(30), r"34 bytes that begin with b'DATA'"), (struct.pack("<4sxii", b"RREF", 1, 1), "13 bytes")],
)
def test_what_is_neither_is_refused(packet, why):
    world = fly(port=0, patience=5.0)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.sendto(packet, ("127.0.0.1", pilot(world).open()))
        with pytest.raises(PeerError, match=why):
            world.run(0.1)
    pilot(world).close()


def test_a_multirotor_is_none_of_its_airframes():
    with pytest.raises(cupola.InputError, match="no airframe of this autopilot"):
        cupola.load("quadcopter", controllers={"quadcopter": "xplane"})
