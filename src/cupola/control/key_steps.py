"""Keys that move channels in steps: a hand on the keyboard, as Gazebo's PlaneDemo plugin has it.

Each press adds a step to one or more channels, within limits; one key brings some of them back to zero. After a press
the hand rests for `wait`, in which nothing else acts, so a key that is held acts again and again.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from cupola.config.controller import Controller, parameter
from cupola.config.stick_words import NO_STICKS
from cupola.kernel.observation import Observation, Reference
from cupola.xmath import Number, clip

OUTPUTS, KEYS, FIRST = 8, 12, 8
"""Channels that it commands; keys that it knows, on stick channels from `FIRST` on."""


class Steps(NamedTuple):
    """Values of the channels, in the units of the parts that read them."""

    c0: Number
    c1: Number
    c2: Number
    c3: Number
    c4: Number
    c5: Number
    c6: Number
    c7: Number


class StepState(NamedTuple):
    """Time left until a key counts again [s], and the channels."""

    rest: Number = 0.0
    c0: Number = 0.0
    c1: Number = 0.0
    c2: Number = 0.0
    c3: Number = 0.0
    c4: Number = 0.0
    c5: Number = 0.0
    c6: Number = 0.0
    c7: Number = 0.0


def key_steps(obs: Observation, ref: Reference, state: StepState, p: Any) -> tuple[Steps, StepState]:
    """The channels after this call; of several keys at once the first counts."""
    now = Steps(state.c0, state.c1, state.c2, state.c3, state.c4, state.c5, state.c6, state.c7)
    rest = state.rest - obs.period
    if rest > 0.5 * obs.period:
        return now, StepState(rest, *now[:])
    for key in range(KEYS):
        if ref.sticks[FIRST + key] > 0.5:
            now = Steps(
                _moved(now.c0, 0, key, p),
                _moved(now.c1, 1, key, p),
                _moved(now.c2, 2, key, p),
                _moved(now.c3, 3, key, p),
                _moved(now.c4, 4, key, p),
                _moved(now.c5, 5, key, p),
                _moved(now.c6, 6, key, p),
                _moved(now.c7, 7, key, p),
            )
            return now, StepState(p.wait, *now[:])
    return now, StepState(0.0, *now[:])


def _moved(value: Number, channel: int, key: int, p: Any) -> Number:
    """A channel after a key."""
    if p.zero_key == key:
        return 0.0 if p.zeroed[channel] > 0.5 else value
    return clip(value + p.steps[channel, key], p.low[channel], p.high[channel])


class KeySteps(Controller):
    """Keys on stick channels 8 to 19 add steps to command channels 0 to 7."""

    stick_words = NO_STICKS
    channel_words: ClassVar[Mapping[int, str]] = {FIRST + k: f"key {k + 1}" for k in range(KEYS)}
    State = StepState
    law = staticmethod(key_steps)

    steps: parameter = parameter(np.zeros((OUTPUTS, KEYS)), low=-1e9, high=1e9, about="of a channel (row) by a key")
    low: parameter = parameter(np.zeros(OUTPUTS), low=-1e9, high=1e9, about="least value of a channel")
    high: parameter = parameter(np.zeros(OUTPUTS), low=-1e9, high=1e9, about="largest value of a channel")
    zeroed: parameter = parameter(np.zeros(OUTPUTS), low=0, high=1, about="1: the zero key brings the channel to 0")
    zero_key: parameter = parameter(-1.0, low=-1, high=KEYS - 1, about="number of that key; -1: none")
    wait: parameter = parameter(0.5, low=0, high=10, unit="s", about="after a key, until another one counts")

    def mission(self, obs: Observation, ref: Reference, state: StepState) -> str:
        """It has no set-point; it waits for keys."""
        return "keys move the controls in steps"
