"""Gazebo's Cessna as its keyboard plugin flies it: three presets on keys 1, 2, 3, and sticks that add to them.

Facts of gazebo-classic's CessnaGUIPlugin: throttle, ailerons, elevator and rudder of take-off, cruise and landing;
angles up to 30°. A preset stays until another is chosen. Positive elevator and rudder are nose up and nose right; a
positive left aileron lifts its trailing edge, which rolls left.
"""

import math
from typing import Any, NamedTuple

from cupola.config.controller import Controller, parameter
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import euler_from_quaternion
from cupola.xmath import Number, clip, where

MOST = math.radians(30.0)
TAKE_OFF, CRUISE, LANDING = 1.0, 2.0, 3.0
NAMES = {TAKE_OFF: "take-off", CRUISE: "cruise", LANDING: "landing"}
BUTTON = 8
"""Stick channels 8, 9, 10 are the keys 1, 2, 3."""


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
    """The preset that holds, and the one that the parameter last asked for; 0 before the first call."""

    preset: Number = 0.0
    asked: Number = 0.0


def _throttle(preset: Number, p: Any) -> Number:
    return where(preset < CRUISE, p.throttle_1, where(preset < LANDING, p.throttle_2, p.throttle_3))


def _elevators(preset: Number, p: Any) -> Number:
    return where(preset < CRUISE, p.elevators_1, where(preset < LANDING, p.elevators_2, p.elevators_3))


def cessna_presets(obs: Observation, ref: Reference, state: PresetState, p: Any) -> tuple[CessnaCommand, PresetState]:
    """Targets of the seven joints."""
    s = ref.sticks
    preset = where(state.asked == p.preset, state.preset, p.preset)
    preset = where(s[BUTTON] > 0.5, TAKE_OFF, preset)
    preset = where(s[BUTTON + 1] > 0.5, CRUISE, preset)
    preset = where(s[BUTTON + 2] > 0.5, LANDING, preset)
    throttle, elevators = _throttle(preset, p), _elevators(preset, p)
    roll = euler_from_quaternion(obs.quat_wb).roll
    aileron = where(preset < CRUISE, p.aileron_1, 0.0) - MOST * s[0] + p.level * roll + p.level_rate * obs.rate_b.x
    command = CessnaCommand(
        clip(throttle + s[3], 0.0, 1.0),
        clip(aileron, -MOST, MOST),
        p.flaps,
        clip(-aileron, -MOST, MOST),
        p.flaps,
        clip(elevators + MOST * s[1], -MOST, MOST),
        clip(p.rudder + MOST * s[2], -MOST, MOST),
    )
    return command, PresetState(preset, p.preset)


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
    """Keys 1, 2, 3 of Gazebo's Cessna demo on stick channels 8, 9, 10; sticks add up to 30° and full throttle."""

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
