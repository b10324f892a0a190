"""Sticks from files, and the keyboard of a terminal."""

import os
import pty
import termios

import pytest

from cupola.config.channels import ChannelMix
from cupola.schema.yaml_files import InputError
from cupola.teleop.keyboard import Keyboard
from cupola.teleop.stick_file import read_sticks


def test_csv_with_and_without_heading(tmp_path):
    path = tmp_path / "sticks.csv"
    path.write_text("time, roll, pitch\n0, 0.5, -1\n\n1.5, 0, 1e-1\n")
    assert read_sticks(path) == [(0.0, [0.5, -1.0]), (1.5, [0.0, 0.1])]
    path.write_text("0,0.5\n")
    assert read_sticks(path) == [(0.0, [0.5])]


def test_yaml_as_in_a_scenario(tmp_path):
    path = tmp_path / "sticks.yaml"
    path.write_text("sticks:\n  - {time: 1, channels: [0, 1]}\n")
    assert read_sticks(path) == [(1.0, [0.0, 1.0])]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "holds no rows"),
        ("time,roll\n0\n", ":2: expected a time and 1 to 20 channels, got 1 cells"),
        ("0,1\n1,left\n", ":2: 'left' is not a finite number"),
        ("0,nan\n", ":1: 'nan' is not a finite number"),
        ("-1,0\n", ":1: time must be at least 0"),
        (",".join(["0"] * 22), "got 22 cells"),
    ],
)
def test_bad_rows_are_named(tmp_path, text, complaint):
    path = tmp_path / "sticks.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=complaint):
        read_sticks(path)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"expected a \.csv or \.yaml"):
        read_sticks(tmp_path / "sticks.txt")
    with pytest.raises(InputError, match="cannot be read"):
        read_sticks(tmp_path / "absent.csv")


@pytest.fixture
def terminal():
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    yield ours, theirs
    assert termios.tcgetattr(theirs)[3] == before[3]  # the terminal was given back as it was
    os.close(ours)
    os.close(theirs)


def test_a_vehicle_may_take_keys_for_itself(terminal):
    ours, theirs = terminal
    keys = Keyboard(ChannelMix(reset=-1, keys={"w": 8, "q": 15, "left": 13}), theirs)
    os.write(ours, b"wq\x1b[D")
    channels = keys.sticks()
    assert channels[8] == channels[15] == channels[13] == 1.0
    assert channels[0] == channels[3] == 0.0  # neither the sticks nor the end
    assert not any(keys.sticks())  # pressed for one reading
    keys.close()


def test_keys_move_sticks_in_steps(terminal):
    ours, theirs = terminal
    keys = Keyboard(ChannelMix(camera_angle=4), theirs)
    os.write(ours, b"\x1b[C\x1b[C\x1b[Bdwww")
    assert keys.sticks()[:4] == pytest.approx([0.2, 0.1, 0.1, 0.3])
    os.write(ours, b"\x1b")  # an arrow key in two pieces
    assert keys.sticks()[0] == pytest.approx(0.2)
    os.write(ours, b"[Dx")
    assert keys.sticks()[:4] == pytest.approx([0.1, 0.1, 0.1, 0.3])
    os.write(ours, b" " + b"s" * 30)
    assert keys.sticks()[:4] == [0.0, 0.0, 0.0, -1.0]
    os.write(ours, b"bi")
    assert [keys.sticks()[k] for k in (6, 4)] == [1.0, 0.0]  # pressed for one reading
    os.write(ours, b"2")
    assert keys.sticks()[8:11] == [0.0, 1.0, 0.0] and keys.sticks()[9] == 0.0
    os.write(ours, b"q")
    with pytest.raises(KeyboardInterrupt):
        keys.sticks()
    keys.close()


def test_no_terminal_is_said():
    reading, writing = os.pipe()
    with pytest.raises(InputError, match="not a terminal"):
        Keyboard(ChannelMix(), reading)
    os.close(reading)
    os.close(writing)
