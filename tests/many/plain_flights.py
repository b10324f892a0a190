"""The back-end `fused` without a compiler: its texts, of one world and of worlds side by side, run by Python."""

import numpy as np

from cupola.engine.inlined import Inliner
from cupola.many.flight_text import Writer
from cupola.many.fused import FusedBatch
from cupola.many.lanes import LaneWriter

LANES = 2
"""Worlds side by side."""


class PlainBatch(FusedBatch):
    """The text of one world in plain Python."""

    writer = Writer
    function = "one"

    def _compile(self):
        space = {**self.flight.names, "__name__": "flight", "LANES": LANES}
        space |= {"lanes": lambda: np.zeros(LANES, self._floats), "whole_lanes": lambda: np.zeros(LANES, np.int64)}
        for name, value in self.flight.names.items():
            if name.startswith("local_"):
                space[name] = lambda count=value: np.zeros(count, self._floats)
        exec(self.flight.text, space)
        self._one = Inliner(self._floats, lambda function: function).copy(space[self.function])

    def _fly(self, count):
        for i in range(self.n):
            self._one(self.array, self._own, self._whole, i, count)


class PlainFlock(PlainBatch):
    """The text of worlds side by side in plain Python."""

    writer = LaneWriter
    function = "flock"

    def _fly(self, count):
        for i in range(0, self.n, LANES):
            self._one(self.array, self._own, self._whole, i, self.n, count)
