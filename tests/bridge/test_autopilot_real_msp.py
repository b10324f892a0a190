"""Real Betaflight and iNav programs fly, where CUPOLA_BETAFLIGHT and CUPOLA_INAV name them."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cupola.bridge.autopilot.airframe import dialect
from cupola.record.read import Recording

BETAFLIGHT, INAV = os.environ.get("CUPOLA_BETAFLIGHT", ""), os.environ.get("CUPOLA_INAV", "")
PATIENCE = 60.0
"""[s]"""
HOVER = 0.47
"""Throttle at which the quadcopter hovers."""
PAGE = Path(__file__).parents[2] / "docs" / "autopilots.md"


def lines_of_the_page(first):
    """What docs/autopilots.md says to type into a command line that begins like this; the last is `save`."""
    (found,) = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(first)]
    *lines, last = found.split("; ")
    assert last == "save"
    return lines


@contextlib.contextmanager
def started(program, *words, folder):
    with (folder / "said.txt").open("ab") as said:
        one = subprocess.Popen([str(Path(program).resolve()), *words], cwd=folder, stdout=said, stderr=said)
        try:
            yield one
        finally:
            one.kill()
            one.wait(10)


def type_in(port, lines):
    """Type lines into the command line on a TCP port; they are kept, and the program ends or starts over."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            link = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            break
        except OSError:
            assert time.monotonic() < end, "its command line does not open"
            time.sleep(0.1)
    with link:
        said = b""
        for line in ("#", *lines, "save"):
            link.sendall(line.encode() + b"\n")
            while line != "save" and not said.rstrip(b" ").endswith(b"\n#"):
                said += link.recv(65536)
            said += b"\n"
        with contextlib.suppress(OSError):
            while more := link.recv(65536):
                said += more
                if b"ebooting" in said:
                    break
    assert b"ERROR" not in said, said.decode(errors="replace")


def fly(autopilot, scenario, rows, start, folder, more=()):
    """Let it fly on sticks (time, roll, pitch, yaw, throttle 0 to 1, two switches); returns the odometry."""
    lines = [",".join(map(str, (*row[:4], 2 * row[4] - 1, *row[5:]))) for row in rows]
    (folder / "sticks.csv").write_text("\n".join(["time,roll,pitch,yaw,throttle,arm,level", *lines]) + "\n")
    words = ["autopilot", autopilot, scenario, "--sticks", str(folder / "sticks.csv"), "--out", str(folder / "out")]
    words += ["--duration", str(rows[-1][0]), "--param", "timeout=60", "--param", "patience=120", *more]
    words += ["--param", "rc=1"] if autopilot in ("xplane", "ardupilot") else []
    command = [sys.executable, "-m", "cupola", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as world:
        assert world.stderr
        said = next(line for line in world.stderr if "waits for" in line)
        found = re.search(r"told: (.*)\)", said)
        assert found
        with start(found[1].split(", ")):
            rest = world.communicate(timeout=900)
        assert world.returncode == 0, rest
    (recording,) = (folder / "out").glob("*.mcap")
    return Recording(recording).table(f"/{scenario}/odometry")


def angles(table):
    """Time, bank, nose up and heading to the right [degrees]."""
    w, x, y, z = (np.array(table[f"pose.pose.orientation.{axis}"]) for axis in "wxyz")
    bank = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    up = -np.arcsin(np.clip(2 * (w * y - z * x), -1, 1))
    right = -np.unwrap(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
    seconds = np.array(table["time"], float)
    return seconds - seconds[0], *(np.degrees(angle) for angle in (bank, up, right))


@pytest.mark.parametrize(
    ("autopilot", "airframe", "first"),
    [("betaflight", "quad_x_reversed", "mixer QUADX"), ("xplane", "plane", "set platform_type")],
)
def test_the_page_says_all_that_the_command_says_and_how_to_arm(autopilot, airframe, first):
    lines = lines_of_the_page(first)
    assert set(dialect(autopilot).airframes[airframe].tell.split(", ")) <= set(lines)
    switches = [line.split()[:6] for line in lines if line.startswith("aux")]
    assert switches == [["aux", "0", "0", "0", "1700", "2100"], ["aux", "1", "1", "1", "1700", "2100"]]


@pytest.mark.skipif(not BETAFLIGHT, reason="CUPOLA_BETAFLIGHT names no Betaflight built for SITL")
@pytest.mark.timeout(1800)
def test_betaflight_arms_a_quadcopter_and_follows_steps_of_the_sticks(tmp_path):
    """Its rates at three tenths of a stick: 0.3 x 70 + 0.09 x 600 degrees/s = 75; angles: 60 degrees x 75 / 670."""
    with started(BETAFLIGHT, folder=tmp_path) as one:
        type_in(5761, lines_of_the_page("mixer QUADX"))  # before the world speaks to it
        one.wait(PATIENCE)

    def start(_):
        return started(BETAFLIGHT, folder=tmp_path)

    climb, go = 1.12 * HOVER, 1.04 * HOVER
    rows: list[tuple[float, ...]] = [
        (0, 0, 0, 0, 0, -1, 1),
        (5, 0, 0, 0, 0, 1, 1),
        (7, 0, 0, 0, climb, 1, 1),
        (9, 0.3, 0, 0, go, 1, 1),
    ]
    rows += [(10, 0, 0.3, 0, go, 1, 1), (11, 0, 0, 0.3, go, 1, 1), (12, 0, 0, 0, go, 1, 1)]
    table = fly("betaflight", "quadcopter", rows, start, tmp_path)
    seconds, bank, up, right = angles(table)

    def at(curve, when):
        return float(np.interp(when, seconds, curve))

    height = at(np.array(table["pose.pose.position.z"]), 9.0)
    turned = at(right, 11.9) - at(right, 11.4)
    # Soon after each step: in a turn of seconds its level, which is that of an accelerometer, creeps.
    banked, nose = at(bank, 9.4), at(up, 10.4)
    print(f"climbed {height:.1f} m, bank {banked:.1f}, nose {nose:.1f}, turn {2 * turned:.0f} deg/s")
    assert height > 3.0 and abs(at(bank, 8.9)) < 2.0 and abs(at(up, 8.9)) < 2.0
    assert banked == pytest.approx(6.7, abs=2.0) and nose == pytest.approx(6.7, abs=2.0)
    assert turned == pytest.approx(37.5, rel=0.15)


@pytest.mark.skipif(not INAV, reason="CUPOLA_INAV names no iNav built for SITL")
@pytest.mark.timeout(1800)
def test_inav_takes_a_plane_off_and_holds_its_attitude(tmp_path):
    @contextlib.contextmanager
    def start(_):
        gains = {"pid_iterm_limit_percent": 90, "fw_p_pitch": 25, "fw_i_pitch": 40, "fw_p_roll": 20, "fw_i_roll": 20}
        sure = {"acczero_x": 1, "acczero_y": 1, "acczero_z": 1, "accgain_x": 4097, "accgain_y": 4097, "accgain_z": 4097}
        lines = [*lines_of_the_page("set platform_type"), *[f"set {k} = {v}" for k, v in (gains | sure).items()]]
        store = f"--path={tmp_path / 'eeprom.bin'}"
        with started(INAV, store, folder=tmp_path):
            type_in(5760, lines)
            time.sleep(1.0)  # it starts over by itself
        words = ["--sim=xp", "--simip=127.0.0.1", "--simport=49000", "--chanmap=M01-01,S01-03,S03-02,S04-04"]
        with started(INAV, store, *words, folder=tmp_path):
            yield

    rows: list[tuple[float, ...]] = [
        (0, 0, 0, 0, 0, -1, 1),
        (12, 0, 0, 0, 0, 1, 1),
        (13, 0, 0.4, 0, 0.9, 1, 1),
        (20, 0, 0.2, 0, 0.7, 1, 1),
    ]
    rows += [(26, 0.5, 0.1, 0, 0.7, 1, 1), (30, -0.5, 0.1, 0, 0.7, 1, 1), (34, 0, 0.1, 0, 0.7, 1, 1)]
    table = fly("xplane", "plane_1wing", [*rows, (37, 0, 0.1, 0, 0.7, 1, 1)], start, tmp_path)
    seconds, bank, up, _ = angles(table)
    height = np.array(table["pose.pose.position.z"])
    flown = seconds > 25.0

    def mean(curve, begin, end):
        return float(np.mean(curve[(seconds > begin) & (seconds < end)]))

    banks = [mean(bank, 25.0, 26.0), mean(bank, 29.0, 30.0), mean(bank, 33.0, 34.0), mean(bank, 36.5, 37.0)]
    print(f"{height[flown].min():.0f} to {height[flown].max():.0f} m, banks {banks}, nose {mean(up, 34.0, 37.0):.1f}")
    assert height[flown].min() > 5.0 and np.abs(up[flown]).max() < 20.0
    assert banks[0] == pytest.approx(0.0, abs=2.0) and banks[3] == pytest.approx(0.0, abs=2.0)
    assert banks[1] == pytest.approx(12.0, abs=5.0) and banks[2] == pytest.approx(-12.0, abs=5.0)
