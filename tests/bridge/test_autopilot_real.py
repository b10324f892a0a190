"""Real ArduPilots fly, where CUPOLA_ARDUCOPTER and CUPOLA_ARDUPLANE name their programs."""

import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.bridge.test_autopilot_real_msp import angles, fly, started

from cupola.record.read import Recording

PROGRAM, PLANE = os.environ.get("CUPOLA_ARDUCOPTER", ""), os.environ.get("CUPOLA_ARDUPLANE", "")
MAVLINK = 5760
"""TCP port on which ArduPilot listens for stations."""
HEIGHT, SIDE = 10.0, 8.0
"""[m]"""
NEAR = 1.0
"""[m] that counts as there."""
PATIENCE = 240.0
"""[s] for each stage."""
GUIDED, LAND = 4, 9
ARM, TAKEOFF = 400, 22
ESTIMATOR_GOOD = 0x1F
"""EKF_STATUS_REPORT: attitude, both velocities, both positions."""
PARAMETERS = "{told}\nARMING_CHECK 0\nFS_THR_ENABLE 0\nDISARM_DELAY 0\n"


class Copter:
    """The autopilot over MAVLink."""

    def __init__(self):
        mavutil = pytest.importorskip("pymavlink.mavutil", reason="pip install 'cupola[mavlink]'")
        self.link = mavutil.mavlink_connection(f"tcp:127.0.0.1:{MAVLINK}", retries=60, source_system=250)
        assert self.link.wait_heartbeat(timeout=PATIENCE) is not None
        self.link.mav.request_data_stream_send(1, 1, 0, 10, 1)
        self.place = (0.0, 0.0, 0.0)
        self.armed = False
        self.flags = 0

    def look(self):
        message = self.link.recv_match(blocking=True, timeout=1.0)
        kind = message.get_type() if message else ""
        if kind == "LOCAL_POSITION_NED":
            self.place = message.x, message.y, -message.z
        elif kind == "HEARTBEAT" and message.get_srcSystem() == 1:
            self.armed = bool(message.base_mode & 128)
        elif kind == "EKF_STATUS_REPORT":
            self.flags = message.flags

    def until(self, there, ask=lambda: None):
        """Ask every two seconds until it is so."""
        end, asked = time.monotonic() + PATIENCE, -math.inf
        while not there():
            if time.monotonic() > asked + 2.0:
                asked = time.monotonic()
                ask()
            self.look()
            assert time.monotonic() < end, (self.place, self.armed, self.flags)

    def order(self, command, *params):
        given = [*params, *[0.0] * (7 - len(params))]
        self.link.mav.command_long_send(1, 1, command, 0, *given)

    def go(self, north, east, up):
        """To a place in metres from home."""
        only_place = 0b110111111000
        self.link.mav.set_position_target_local_ned_send(0, 1, 1, 1, only_place, north, east, -up, *[0.0] * 8)


def waiting_world(process):
    """What the command says to start: the parameters that ArduPilot must be told."""
    for line in process.stderr:
        if found := re.search(r"UDP port (\d+): .*\(told: (.*)\)", line):
            return int(found[1]), found[2].replace(", ", "\n")
    pytest.fail("the world did not wait for an autopilot")


@pytest.mark.skipif(not PROGRAM, reason="CUPOLA_ARDUCOPTER names no ArduCopter built for SITL")
@pytest.mark.timeout(1800)
def test_arducopter_arms_takes_off_flies_a_square_and_lands(tmp_path):
    words = ["autopilot", "ardupilot", "quadcopter", "--duration", "600", "--param", "timeout=60", "--speed", "1"]
    command = [sys.executable, "-m", "cupola", *words, "--out", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as world:
        _, told = waiting_world(world)
        (tmp_path / "copter.parm").write_text(PARAMETERS.format(told=told))
        start = [str(Path(PROGRAM).resolve()), "--model", "JSON:127.0.0.1", "--wipe", "--defaults", "copter.parm"]
        home = ["--home", "37.9838,23.7275,0,90"]
        with (tmp_path / "copter.txt").open("wb") as said:
            pilot = subprocess.Popen([*start, *home], cwd=tmp_path, stdout=said, stderr=said)
            try:
                copter = Copter()
                copter.until(lambda: copter.flags & ESTIMATOR_GOOD == ESTIMATOR_GOOD)
                copter.until(lambda: copter.armed, lambda: (copter.link.set_mode(GUIDED), copter.order(ARM, 1.0)))
                copter.until(
                    lambda: copter.place[2] > HEIGHT - NEAR, lambda: copter.order(TAKEOFF, 0, 0, 0, 0, 0, 0, HEIGHT)
                )
                for corner in ((SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE), (0.0, 0.0)):
                    copter.until(
                        lambda corner=corner: math.dist(copter.place[:2], corner) < NEAR,
                        lambda corner=corner: copter.go(corner[0], corner[1], HEIGHT),
                    )
                    assert copter.place[2] == pytest.approx(HEIGHT, abs=2 * NEAR)
                copter.until(lambda: not copter.armed, lambda: copter.link.set_mode(LAND))
                assert copter.flags & ESTIMATOR_GOOD == ESTIMATOR_GOOD
            finally:
                pilot.kill()
                pilot.wait(10)
        world.communicate(timeout=300)
    (recording,) = tmp_path.glob("*.mcap")
    table = Recording(recording).table("/quadcopter/odometry")
    east, north, heights = (table[f"pose.pose.position.{axis}"] for axis in "xyz")
    print(f"up to {max(heights):.2f} m, {max(north):.2f} m north, {max(east):.2f} m east, down to {heights[-1]:.2f} m")
    assert max(north) == pytest.approx(SIDE, abs=NEAR) and max(east) == pytest.approx(SIDE, abs=NEAR)
    assert max(heights) == pytest.approx(HEIGHT, abs=2 * NEAR) and heights[-1] < 0.5


FLY_BY_WIRE = "FLTMODE_CH 0\nINITIAL_MODE 5\nRC5_OPTION 153\nARMING_CHECK 0\nARMING_SKIPCHK -1\nTHR_FAILSAFE 0\n"
"""FBWA: the sticks are angles; the fifth channel arms."""
WIDEST, DEAD, REACH = 45.0, 30.0, 400.0
"""Its ROLL_LIMIT_DEG [degrees], RC1_DZ, and RC1_MAX - RC1_TRIM [us]; half a stick of the world is 250 us."""


@pytest.mark.skipif(not PLANE, reason="CUPOLA_ARDUPLANE names no ArduPlane built for SITL")
@pytest.mark.timeout(1800)
def test_arduplane_takes_a_plane_off_and_holds_its_attitude(tmp_path):
    (tmp_path / "plane.parm").write_text(FLY_BY_WIRE)

    def start(_):
        words = ["--model", "JSON:127.0.0.1", "--wipe", "--defaults", "plane.parm", "--home", "37.9838,23.7275,0,90"]
        words += ["--serial0", "tcp:0"]  # nobody is waited for there
        return started(PLANE, *words, folder=tmp_path)

    rows: list[tuple[float, ...]] = [
        (0, 0, 0, 0, 0, -1, 1),
        (30, 0, 0, 0, 0, 1, 1),
        (32, 0, 0.4, 0, 0.9, 1, 1),
        (40, 0, 0.2, 0, 0.7, 1, 1),
    ]
    rows += [(46, 0.5, 0.1, 0, 0.7, 1, 1), (52, -0.5, 0.1, 0, 0.7, 1, 1), (58, 0, 0.1, 0, 0.7, 1, 1)]
    table = fly("ardupilot", "plane_1wing", [*rows, (64, 0, 0.1, 0, 0.7, 1, 1)], start, tmp_path, ["--speed", "1"])
    seconds, bank, up, _ = angles(table)
    height = np.array(table["pose.pose.position.z"])
    flown = seconds > 45.0

    def mean(curve, begin, end):
        return float(np.mean(curve[(seconds > begin) & (seconds < end)]))

    banks = [mean(bank, 45.0, 46.0), mean(bank, 51.0, 52.0), mean(bank, 57.0, 58.0), mean(bank, 63.0, 64.0)]
    print(f"{height[flown].min():.0f} to {height[flown].max():.0f} m, banks {banks}, nose {mean(up, 62.0, 64.0):.1f}")
    wish = WIDEST * (250.0 - DEAD) / (REACH - DEAD)
    assert height[flown].min() > 5.0 and np.abs(up[flown]).max() < 25.0
    assert banks[0] == pytest.approx(0.0, abs=3.0) and banks[3] == pytest.approx(0.0, abs=3.0)
    assert banks[1] == pytest.approx(wish, abs=4.0) and banks[2] == pytest.approx(-wish, abs=4.0)
