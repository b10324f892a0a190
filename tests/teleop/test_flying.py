"""`cupola run` and `cupola joystick` with hands: a virtual joystick, a file, a terminal."""

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cupola.cli import main
from cupola.record import Recording
from cupola.teleop.sdl import SdlDevice

FULL = 32767
PLANE = ("run", "plane_1wing", "--json")


@pytest.fixture
def cupola(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words):
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main(words)
        out, err = capsys.readouterr()
        return exit_.value.code, out, err

    return run


def test_joystick_unplugged_in_flight_holds_and_returns(cupola, stick, monkeypatch):
    stick.plug()
    stick.move(0, FULL // 2)
    reads = []
    real = SdlDevice.read

    def read(device):
        reads.append(device)
        if len(reads) == 15:
            stick.unplug()
        if len(reads) == 30:
            stick.plug()
        return real(device)

    monkeypatch.setattr(SdlDevice, "read", read)
    began = time.perf_counter()
    code, out, err = cupola(*PLANE, "--joystick", "--duration", "1")
    assert code == 0
    assert time.perf_counter() - began > 0.95  # real time, without --speed
    assert err.count("the joystick is gone") == 1
    assert err.count("joystick: Virtual") == 2
    assert json.loads(out)["simulated_time"] == 1.0
    recording = Recording("out/plane_1wing.mcap")
    assert ["the joystick is gone" in note.text for note in recording.notes] == [True]
    sticks = recording.table("/plane_1wing/joy")
    half = (FULL // 2 / FULL - 0.01) / 0.99
    when, roll = sticks["time"], sticks["axes.0"]
    assert len(when) == 101
    # The 30th reading, about 0.6 s in, finds it again: centred by then.
    assert roll[(when > 0.1) & (when < 0.5)] == pytest.approx(half, abs=1e-4)
    assert roll[when > 0.7] == pytest.approx(0.0)


def test_map_of_the_user(cupola, stick):
    stick.plug()
    stick.move(1, FULL)
    Path("map.yaml").write_text("axes: [1]\nthrows: [-1]\n")
    code, *_ = cupola(*PLANE, "--joystick", "--map", "map.yaml", "--duration", "0.1", "--speed", "max")
    assert code == 0
    assert Recording("out/plane_1wing.mcap").table("/plane_1wing/joy")["axes.0"][-1] == 1.0


def test_calibration_is_printed(cupola, stick):
    stick.plug()
    code, out, err = cupola("joystick", "--seconds", "0.1")
    assert code == 0
    assert out.startswith("# Virtual")
    assert "axes: []" in out
    assert "axis 3" in err
    assert "move each stick first to its positive side" in err


def test_calibration_for_a_program(cupola, stick):
    stick.plug()
    code, out, _ = cupola("joystick", "--seconds", "0.1", "--json")
    assert (code, len(json.loads(out)["axes"])) == (0, 6)


def test_no_joystick_to_calibrate_is_said(cupola):
    code, _, err = cupola("joystick")
    assert code == 2
    assert "there is no joystick" in err


def test_sticks_of_a_file_are_flown_at_full_speed(cupola):
    Path("sticks.csv").write_text("time,roll,pitch,yaw,throttle\n0,0,0,0,1\n0.25,0.5,0,0,1\n")
    code, out, _ = cupola(*PLANE, "--sticks", "sticks.csv", "--duration", "1")
    assert code == 0
    assert json.loads(out)["real_time_factor"] > 2
    table = Recording("out/plane_1wing.mcap").table("/plane_1wing/joy")
    assert np.array_equal(table["axes.0"], np.where(table["time"] > 0.25, 0.5, 0.0))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--keyboard", "--sticks", "a.csv"), "choose one of"),
        (("--map", "a.yaml"), "add --joystick"),
        (("--sticks", "absent.csv"), "absent.csv"),
        (("--keyboard",), "not a terminal"),
    ],
)
def test_what_does_not_go_together_is_said(cupola, words, complaint, monkeypatch):
    reading, writing = os.pipe()
    with os.fdopen(reading) as pipe:
        monkeypatch.setattr(sys, "stdin", pipe)
        code, _, err = cupola(*PLANE, *words)
    os.close(writing)
    assert code == 2
    assert complaint in err


def test_keys_of_a_terminal_fly_until_q(tmp_path):
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "cupola", *PLANE, "--keyboard"]
    with subprocess.Popen(words, cwd=tmp_path, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert any(b"flying" in line for line in run.stderr)
        os.write(ours, b"\x1b[C" * 3)
        time.sleep(1.0)
        os.write(ours, b"q")
        out, err = run.communicate(timeout=120)
    os.close(ours)
    os.close(theirs)
    assert run.returncode == 130, err
    assert json.loads(out)["interrupted"] is True
    roll = Recording(tmp_path / "out" / "plane_1wing.mcap").table("/plane_1wing/joy")["axes.0"]
    assert roll[-1] == pytest.approx(0.3)
