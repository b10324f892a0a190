"""Gazebo's Cessna as its keyboard plugin flies it: three presets on keys 1, 2, 3, steps from there on the other keys.

Facts of gazebo-classic's CessnaGUIPlugin: throttle, ailerons, elevator and rudder of take-off, cruise and landing; a
key is a step of 1°, of the throttle of 0.1; angles up to 30°. A preset holds with its steps until another is chosen.
Positive elevator and rudder are nose up and nose right; a positive left aileron lifts its trailing edge, which rolls
left. A key that is held steps again and again, as a keyboard repeats it.
"""

import math
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from cupola.config.controller import Controller, parameter
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import euler_from_quaternion
from cupola.xmath import Number, clip, where

MOST = math.radians(30.0)
DEGREE, TENTH = math.radians(1.0), 0.1
"""Steps of an angle and of the throttle."""
REPEAT_AFTER, REPEAT_EVERY = 0.5, 0.05
"""[s] that a key is held before it steps again, and between these steps."""
TAKE_OFF, CRUISE, LANDING = 1.0, 2.0, 3.0
NAMES = {TAKE_OFF: "take-off", CRUISE: "cruise", LANDING: "landing"}
BUTTON = 8
"""Stick channels 8, 9, 10 are the keys 1, 2, 3."""
THROTTLE, AILERON, ELEVATORS, RUDDER, FLAPS = (11, 12), (13, 14), (15, 16), (18, 19), (4, 5)
"""Stick channels of the keys that step up and down."""
KEYS = {
    "1": BUTTON,
    "2": BUTTON + 1,
    "3": BUTTON + 2,
    **dict(zip(("w", "s"), THROTTLE, strict=True)),
    **dict(zip(("left", "right"), AILERON, strict=True)),
    **dict(zip(("down", "up"), ELEVATORS, strict=True)),
    **dict(zip(("d", "a"), RUDDER, strict=True)),
    **dict(zip(("g", "b"), FLAPS, strict=True)),
}
"""Keys of the plugin and the channels that they press."""


class CessnaCommand(NamedTuple):
    """Channels of the Cessna's servos, in the order of its message: throttle [1], then angles [rad]."""

    propeller: Number
    left_aileron: Number
    left_flap: Number
    right_aileron: Number
    right_flap: Number
    elevators: Number
    rudder: Number


class PresetState(NamedTuple):
    """The preset that holds, the one that the parameter asked for (0 before the first call), what keys added."""

    preset: Number = 0.0
    asked: Number = 0.0
    held: Number = 0.0
    """[s] since the keys that are pressed went down."""
    keys: Number = 0.0
    """Those keys: the sum of 2 to the power of each channel."""
    throttle: Number = 0.0
    """[1] of steps; the next four in rad."""
    aileron: Number = 0.0
    flaps: Number = 0.0
    elevators: Number = 0.0
    rudder: Number = 0.0


def _throttle(preset: Number, p: Any) -> Number:
    return where(preset < CRUISE, p.throttle_1, where(preset < LANDING, p.throttle_2, p.throttle_3))


def _elevators(preset: Number, p: Any) -> Number:
    return where(preset < CRUISE, p.elevators_1, where(preset < LANDING, p.elevators_2, p.elevators_3))


def _acts(sticks: Any, channel: int, before: Number, again: Number) -> Number:
    """1 when a key has just gone down, or is held and repeats; 0 otherwise."""
    was = before % 2.0 ** (channel + 1) >= 2.0**channel
    return where(sticks[channel] > 0.5, where(was, again, 1.0), 0.0)


def _step(sticks: Any, pair: tuple[int, int], before: Number, again: Number) -> Number:
    """1, 0 or -1 by the two keys of something."""
    return _acts(sticks, pair[0], before, again) - _acts(sticks, pair[1], before, again)


def _moved(base: Number, added: Number, step: Number, low: float, high: float) -> Number:
    """What keys have added to `base` after a step that stays within its ends."""
    return where(step == 0.0, added, clip(base + added + step, low, high) - base)


def _pressed(sticks: Any) -> Number:
    """The step keys that are down, as one number."""
    keys = 0.0
    for pair in (THROTTLE, AILERON, ELEVATORS, RUDDER, FLAPS):
        for channel in pair:
            keys = keys + where(sticks[channel] > 0.5, 2.0**channel, 0.0)
    return keys


def _stepped(ref: Reference, state: PresetState, preset: Number, asked: Number, period: Number, p: Any) -> PresetState:
    """The state after the step keys; another preset, or the same one again, takes all steps back."""
    s = ref.sticks
    keys = _pressed(s)
    held = where(keys == state.keys, state.held + period, 0.0)
    again = where(held > REPEAT_AFTER, 1.0, 0.0)
    held = where(held > REPEAT_AFTER, held - REPEAT_EVERY, held)
    fresh = (preset != state.preset) | (s[BUTTON] > 0.5) | (s[BUTTON + 1] > 0.5) | (s[BUTTON + 2] > 0.5)
    keep = where(fresh, 0.0, 1.0)
    aileron = where(preset < CRUISE, p.aileron_1, 0.0)
    return PresetState(
        preset,
        asked,
        held,
        keys,
        _moved(_throttle(preset, p), keep * state.throttle, TENTH * _step(s, THROTTLE, state.keys, again), 0.0, 1.0),
        _moved(aileron, keep * state.aileron, DEGREE * _step(s, AILERON, state.keys, again), -MOST, MOST),
        _moved(p.flaps, keep * state.flaps, DEGREE * _step(s, FLAPS, state.keys, again), -MOST, MOST),
        _moved(
            _elevators(preset, p), keep * state.elevators, DEGREE * _step(s, ELEVATORS, state.keys, again), -MOST, MOST
        ),
        _moved(p.rudder, keep * state.rudder, DEGREE * _step(s, RUDDER, state.keys, again), -MOST, MOST),
    )


def cessna_presets(obs: Observation, ref: Reference, state: PresetState, p: Any) -> tuple[CessnaCommand, PresetState]:
    """Targets of the seven joints."""
    s = ref.sticks
    preset = where(state.asked == p.preset, state.preset, p.preset)
    preset = where(s[BUTTON] > 0.5, TAKE_OFF, preset)
    preset = where(s[BUTTON + 1] > 0.5, CRUISE, preset)
    preset = where(s[BUTTON + 2] > 0.5, LANDING, preset)
    state = _stepped(ref, state, preset, p.preset, obs.period, p)
    roll = euler_from_quaternion(obs.quat_wb).roll
    aileron = where(preset < CRUISE, p.aileron_1, 0.0) - MOST * s[0] + p.level * roll + p.level_rate * obs.rate_b.x
    aileron = aileron + state.aileron
    command = CessnaCommand(
        clip(_throttle(preset, p) + s[3] + state.throttle, 0.0, 1.0),
        clip(aileron, -MOST, MOST),
        p.flaps + state.flaps,
        clip(-aileron, -MOST, MOST),
        p.flaps + state.flaps,
        clip(_elevators(preset, p) + MOST * s[1] + state.elevators, -MOST, MOST),
        clip(p.rudder + MOST * s[2] + state.rudder, -MOST, MOST),
    )
    return command, state


class PresetSignals(NamedTuple):
    """The preset that holds."""

    throttle: Number
    """[1] of the preset."""
    elevators: Number
    """[rad] of the preset."""
    phase: Number
    """[1]."""


def preset_signals(obs: Observation, ref: Reference, state: PresetState, p: Any) -> PresetSignals:
    """From the state after a call."""
    return PresetSignals(_throttle(state.preset, p), _elevators(state.preset, p), state.preset)


class CessnaPresets(Controller):
    """Keys 1 2 3: take-off, cruise, landing; by 1° arrows: ailerons, elevator, A D: rudder, G B: flaps; W S: throttle.

    These are the keys of Gazebo's Cessna demo, on the stick channels of `KEYS`; sticks add up to 30° and full throttle.
    """

    channel_words: ClassVar[Mapping[int, str]] = {channel: f"key {key}" for key, channel in KEYS.items()}
    State = PresetState
    Signals = PresetSignals
    phases = ("waiting", "take-off", "cruise", "landing")
    law = staticmethod(cessna_presets)
    report = staticmethod(preset_signals)

    preset: parameter = parameter(1.0, low=1, high=3, about="1 take-off, 2 cruise, 3 landing; a key may choose another")
    throttle_1: parameter = parameter(0.8, low=0, high=1)
    throttle_2: parameter = parameter(0.6, low=0, high=1)
    throttle_3: parameter = parameter(0.3, low=0, high=1)
    elevators_1: parameter = parameter(0.033, low=-0.53, high=0.53, unit="rad")
    elevators_2: parameter = parameter(0.12, low=-0.53, high=0.53, unit="rad")
    elevators_3: parameter = parameter(0.16, low=-0.53, high=0.53, unit="rad")
    aileron_1: parameter = parameter(-0.017, low=-0.53, high=0.53, unit="rad", about="left; the right one is opposite")
    rudder: parameter = parameter(-0.035, low=-0.53, high=0.53, unit="rad", about="of all presets")
    level: parameter = parameter(
        0.0, low=0, high=5, about="aileron per roll: a hand that keeps the wings level; the demo has none"
    )
    level_rate: parameter = parameter(0.0, low=0, high=5, unit="s", about="aileron per roll rate")
    flaps: parameter = parameter(0.0, low=-0.53, high=0.53, unit="rad", about="they move, and the air takes no notice")

    def mission(self, obs: Observation, ref: Reference, state: PresetState) -> str:
        """The preset that holds."""
        return NAMES.get(float(state.preset), "waiting")
