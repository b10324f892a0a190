"""Stick channels straight to command channels, each over a range of its own: for who acts from outside, as a learner.

The channels begin at stick 8: those below have meanings for people (sticks, boxes), and 17 starts a vehicle over.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from cupola.config.controller import Controller, NoState, parameter
from cupola.config.stick_words import NO_STICKS
from cupola.kernel.observation import Observation, Reference
from cupola.xmath import Number, clip

FIRST_STICK, CHANNELS = 8, 8


class Channels(NamedTuple):
    """Commands."""

    c0: Number
    c1: Number
    c2: Number
    c3: Number
    c4: Number
    c5: Number
    c6: Number
    c7: Number


def commanded(sticks: Any, k: int, p: Any) -> Number:
    """The command of a stick: -1 asks for the lowest, 1 for the highest."""
    share = 0.5 + 0.5 * clip(sticks[FIRST_STICK + k], -1.0, 1.0)
    return p.low[k] + share * (p.high[k] - p.low[k])


def direct(obs: Observation, ref: Reference, state: NoState, p: Any) -> tuple[Channels, NoState]:
    """Sticks 8 to 15."""
    s = ref.sticks
    return Channels(
        commanded(s, 0, p),
        commanded(s, 1, p),
        commanded(s, 2, p),
        commanded(s, 3, p),
        commanded(s, 4, p),
        commanded(s, 5, p),
        commanded(s, 6, p),
        commanded(s, 7, p),
    ), state


class Direct(Controller):
    """Sticks 8 to 15 to eight command channels, each with a range; the default range keeps a channel at 0."""

    stick_words = NO_STICKS
    channel_words: ClassVar[Mapping[int, str]] = {FIRST_STICK + k: f"command {k}" for k in range(CHANNELS)}
    law = staticmethod(direct)
    low: parameter = parameter(np.zeros(CHANNELS), low=-1e6, high=1e6, about="command at stick -1")
    high: parameter = parameter(np.zeros(CHANNELS), low=-1e6, high=1e6, about="command at stick 1")

    def mission(self, obs: Observation, ref: Reference, state: NoState) -> str:
        """It has no set-point."""
        return "channels as they are asked for"
