"""The keys of Gazebo's Cessna demo: presets, and steps of 1° and of a tenth of throttle, as in its plugin."""

import math
from types import SimpleNamespace
from typing import Any

import pytest

from cupola.config.channels import STICK_CHANNELS, ChannelMix
from cupola.control.plane.cessna_presets import KEYS, CessnaPresets, PresetState, cessna_presets
from cupola.physics.rotation import Quaternion, Vector
from cupola.schema.yaml_files import InputError

PERIOD = 0.01
DEGREE = math.radians(1.0)
LEVEL: Any = SimpleNamespace(quat_wb=Quaternion(1.0, 0.0, 0.0, 0.0), rate_b=Vector(0.0, 0.0, 0.0), period=PERIOD)


class Hand:
    """Holds keys for some time; knows the command."""

    def __init__(self):
        self.state, self.numbers = PresetState(), CessnaPresets()
        self.hold("", 0.02)

    def hold(self, keys, seconds=0.1):
        sticks = [0.0] * STICK_CHANNELS
        for key in keys.split():
            sticks[KEYS[key]] = 1.0
        ref: Any = SimpleNamespace(sticks=sticks)
        for _ in range(round(seconds / PERIOD)):
            self.command, self.state = cessna_presets(LEVEL, ref, self.state, self.numbers)

    def tap(self, keys, times=1):
        for _ in range(times):
            self.hold(keys)
            self.hold("")


@pytest.fixture
def hand():
    return Hand()


@pytest.mark.parametrize(
    ("key", "joint", "step"),
    [
        ("w", "propeller", 0.1),
        ("s", "propeller", -0.1),
        ("left", "left_aileron", DEGREE),
        ("left", "right_aileron", -DEGREE),
        ("right", "left_aileron", -DEGREE),
        ("down", "elevators", DEGREE),
        ("up", "elevators", -DEGREE),
        ("d", "rudder", DEGREE),
        ("a", "rudder", -DEGREE),
        ("g", "left_flap", DEGREE),
        ("g", "right_flap", DEGREE),
        ("b", "left_flap", -DEGREE),
    ],
)
def test_a_key_is_one_step(hand, key, joint, step):
    before = hand.command
    hand.tap(key)
    assert getattr(hand.command, joint) - getattr(before, joint) == pytest.approx(step, abs=1e-12)
    moved = {name for name in before._fields if getattr(before, name) != getattr(hand.command, name)}
    pairs = {"left_aileron": {"right_aileron"}, "right_aileron": {"left_aileron"}}
    pairs |= {"left_flap": {"right_flap"}, "right_flap": {"left_flap"}}
    assert moved == {joint} | pairs.get(joint, set())


def test_a_preset_takes_the_steps_back(hand):
    takeoff = hand.command
    hand.tap("g", 3)
    hand.tap("up", 2)
    hand.tap("2")
    assert (hand.command.propeller, hand.command.elevators, hand.command.left_flap) == (0.6, 0.12, 0.0)
    hand.tap("down")
    hand.tap("2")
    assert hand.command.elevators == 0.12
    hand.tap("1")
    assert hand.command == takeoff


def test_steps_end_at_30_degrees_and_full_throttle(hand):
    """And come back at once: nothing is wound up beyond the end."""
    hand.tap("w", 5)
    hand.tap("g", 40)
    assert hand.command.propeller == 1.0 and hand.command.left_flap == pytest.approx(math.radians(30))
    hand.tap("s")
    hand.tap("b")
    assert hand.command.propeller == pytest.approx(0.9) and hand.command.left_flap == pytest.approx(math.radians(29))


def test_a_held_key_repeats_and_a_second_one_beside_it_steps_alone(hand):
    hand.hold("g", 0.3)
    hand.hold("g d", 0.3)
    assert hand.command.left_flap == pytest.approx(DEGREE)
    assert hand.command.rudder == pytest.approx(-0.035 + DEGREE)
    hand.hold("g", 0.3)  # the one that goes up does nothing either
    assert hand.command.left_flap == pytest.approx(DEGREE) and hand.command.rudder == pytest.approx(-0.035 + DEGREE)
    hand.hold("g", 1.2)  # 1.5 s in all: repeats 0.5 s after the last change, 20 times a second
    assert 15 <= hand.command.left_flap / DEGREE <= 22


def test_no_key_presses_a_stick_or_another_function():
    mix = ChannelMix(keys=KEYS)
    functions = {mix.drop_box, mix.remove_boxes, mix.reset, *mix.sticks}
    assert len(set(KEYS.values())) == len(KEYS) and not functions & set(KEYS.values())


def test_a_key_that_does_not_exist_is_refused():
    with pytest.raises(
        InputError, match="'enter' is not a key; expected one character, or one of up, down, left, right"
    ):
        ChannelMix(keys={"enter": 8})
