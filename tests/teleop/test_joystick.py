"""SDL read for real, with a virtual device: signs, hats, unplugging in flight, coming back."""

import logging

import pytest

from cupola.teleop.calibration import Calibration
from cupola.teleop.hid import LOGITECH_EXTREME_3D, channels
from cupola.teleop.joystick import Joystick, State
from cupola.teleop.sdl import SdlDevice

FULL = 32767


def test_signs_are_those_of_ros(stick):
    device = SdlDevice()
    stick.plug()
    assert device.read() == State([0.0] * 6, [0] * 12)
    stick.move(0, FULL)  # right
    stick.move(1, -32768)  # forward
    stick.press(3)
    stick.hat(1)  # up
    state = device.read()
    assert state.axes == [-1.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    assert state.buttons[3] == 1
    # with the default map: right is positive roll, forward is nose down, the hat turns the laser
    values = channels(LOGITECH_EXTREME_3D, state.axes, state.buttons)
    assert values[:6] == [1.0, -1.0, 0.0, 0.0, 0.0, 1.0]
    assert values[9] == 1.0


def test_unplugged_sticks_hold_and_come_back(stick, caplog):
    hand = Joystick(SdlDevice(), LOGITECH_EXTREME_3D)
    with caplog.at_level(logging.INFO, "cupola"):
        assert hand.sticks() == [0.0] * 20
        assert "there is no joystick" in caplog.text
        stick.plug()
        hand.sticks()
        stick.move(0, FULL)
        assert hand.sticks()[0] == 1.0
        caplog.clear()
        stick.unplug()
        assert [hand.sticks()[0] for _ in range(3)] == [1.0] * 3
        warnings = [r for r in caplog.records if r.levelno == logging.WARNING]
        assert len(warnings) == 1
        assert "stay where they are" in warnings[0].getMessage()
        stick.plug()
        assert hand.sticks()[0] == 0.0
        stick.move(0, -32768)
        assert hand.sticks()[0] == -1.0


class Sleight:
    """A device that shows what it is told."""

    name = "sleight of hand"

    def __init__(self, *states):
        self.states = list(states)
        self.closed = False

    def read(self):
        return self.states.pop(0)

    def close(self):
        self.closed = True


def test_a_device_without_enough_buttons_is_named_once(caplog):
    hand = Joystick(Sleight(*[State([0.0] * 6, [0] * 4)] * 3), LOGITECH_EXTREME_3D)
    with caplog.at_level(logging.WARNING, "cupola"):
        for _ in range(3):
            hand.sticks()
    assert len(caplog.records) == 1
    assert "button 4 (channel 10)" in caplog.text


def test_calibration_suggests_throws_that_give_plus_one():
    seen = Calibration()
    lever_down = -1.0
    seen.see(State([0.0, 0.0, lever_down], [0, 0]))
    seen.see(State([0.0, -0.97, lever_down], [0, 1]))  # axis 1 first towards minus
    seen.see(State([0.0, 0.95, lever_down], [1, 0]))  # then the other way
    seen.see(State([0.0, 0.0, 0.99], [0, 0]))  # the lever rests at an end
    assert seen.moved == {1: -1.0, 2: 1.0}
    assert (seen.throw(1), seen.throw(2), seen.throw(0)) == (-0.97, 0.99, 1.0)
    assert seen.text().splitlines() == [
        "axes: [1, 2]",
        "buttons: [-1, -1, -1, -1, -1, -1, 1, 0]",
        "throws: [-0.97, 0.99]",
        "dead_zone: 0.01",
    ]


def test_without_pygame_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pygame", None)
    with pytest.raises(Exception, match=r"cupola\[joystick\]"):
        SdlDevice()
