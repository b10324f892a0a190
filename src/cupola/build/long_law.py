"""A law with a long memory where no loop calls it: served to another process, or in a world that is not compiled."""

from typing import Any

import numpy as np

from cupola.build.readings import Readings
from cupola.config.controller import Controller
from cupola.engine.law import PLAN_WIDTH, compile_law, law_block, law_of, long_law_block, record_of
from cupola.kernel.memory import STICKS
from cupola.kernel.observation import Observation, Reference
from cupola.kernel.records import flat, size
from cupola.kernel.rows import OBSERVATION

Array = np.ndarray[Any, Any]


class LongLaw:
    """The compiled law with arrays of its own; what it computes is the same to the bit."""

    def __init__(self, controller: Controller, state: Array, channels: int) -> None:
        law = law_of(type(controller))
        self._controller, self._law = controller, compile_law(law)
        self._readings = Readings(controller.sensors, controller.sees)
        self._obs, self._sticks = np.zeros(1, OBSERVATION), np.zeros(STICKS)
        self._numbers, self._plan = np.zeros(1, record_of(law.parameters)), np.zeros((0, PLAN_WIDTH))
        self.command: Array = np.zeros(channels)
        self.told: Array = np.full(size(controller.Signals), np.nan)
        short = law_block(self._obs, self._sticks, state, self._numbers, self.command, self._plan, self.told)
        no_rings = np.zeros(1), np.zeros(1, np.int64), np.zeros((0, 1), np.int64)
        self._arrays = state, no_rings  # the block has only their addresses
        self._block = long_law_block(short, state, self._readings.numbers, *no_rings)

    def step(self, obs: Observation, ref: Reference) -> list[float]:
        """Call it once; its memory and what it tells change in place."""
        self._obs[0], self._sticks[:] = tuple(flat(obs)), ref.sticks
        for name, value in self._controller.values.items():
            self._numbers[name] = value
        self._readings.read()
        self._law.ctypes(self._block.ctypes.data)
        commands: list[float] = self.command.tolist()
        return commands
