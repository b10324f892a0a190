"""What the measures of a scenario need of a batch that keeps no log: their signals at the recording rate."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cupola.schema.expressions import parse_expression
from cupola.schema.yaml_files import InputError
from cupola.sim.measure_types import Names
from cupola.sim.measures import Run, evaluate, phases_of
from cupola.sim.signals import SENSED, sensors_with_signals

if TYPE_CHECKING:
    from cupola.many.batch import Batch

Array = np.ndarray[Any, Any]
SLACK = 1e-9
"""[ticks]: times are sums of ticks."""


class History:
    """Rows of a batch, each kept for the worlds for which it falls on a tick of the log of a single world."""

    def __init__(self, batch: "Batch") -> None:
        world = batch.pattern
        names = Names(world.signals(), phases_of(world))
        self._trees = {name: parse_expression(text) for name, text in world.scenario.measures.items()}
        for tree in self._trees.values():
            names.check(tree)
        self._names = names
        self._used: list[str] = sorted(set().union(*(names.used(tree) for tree in self._trees.values())))
        self._dt = batch.dt
        self._period = world.scenario.physics_hz / world.scenario.record_hz
        self._check(batch)
        self._ticks: list[Array] = []
        self._rows: list[Array] = []
        self._from, self._last = np.zeros(batch.n, np.int64), np.full(batch.n, -1, np.int64)

    def _check(self, batch: "Batch") -> None:
        """Refuse measures of what the batch does not show, by name."""
        if not self._trees:
            raise InputError(f"{batch.pattern.name} has no measures; write some under `measures:`")
        shown, late = {one.name for one in batch.signals()}, set()
        for sensed in sensors_with_signals(batch.pattern):
            if sensed.samples.delay:
                late |= {one.name for one in sensed.signals}
        for name, tree in self._trees.items():
            for used in sorted(self._names.used(tree)):
                if used not in shown:
                    raise InputError(f"measures.{name}: {used} is not kept in flight; the back-end threads shows it")
                if self._names.signals[used].array == SENSED and used in late:
                    raise InputError(f"measures.{name}: {used} arrives late, which only the back-end threads counts")

    def ahead(self, ticks: Array) -> int:
        """Ticks until the next row of any world."""
        after = np.floor(ticks / self._period + SLACK) + 1.0
        return int((np.ceil(after * self._period - SLACK) - ticks).min())

    def note(self, batch: "Batch") -> None:
        """Keep the present row."""
        now = batch.ticks
        number = np.floor(now / self._period + SLACK)
        due = (np.ceil(number * self._period - SLACK) == now) & (now > self._last)
        if due.any():
            self._ticks.append(np.where(due, now, -1))
            self._rows.append(batch.observe(self._used) if self._used else np.zeros((batch.n, 0)))
            self._last[due] = now[due]

    def begin(self, which: Array) -> None:
        """Some worlds start over."""
        self._from[which], self._last[which] = len(self._rows), -1

    def values(self) -> dict[str, Array]:
        """Every measure of every world; NaN where there was nothing to measure."""
        ticks, rows = np.array(self._ticks), np.array(self._rows)
        n = len(self._from)
        found = {name: np.full(n, np.nan) for name in self._trees}
        for i in range(n):
            kept = np.flatnonzero(ticks[self._from[i] :, i] >= 0) + self._from[i]
            columns = dict(zip(self._used, rows[kept, i].T, strict=True))
            run = Run(ticks[kept, i] * self._dt, columns.__getitem__, self._names.groups, self._names.phases)
            with np.errstate(all="ignore"):
                for name, tree in self._trees.items():
                    value = float(evaluate(tree, run))
                    found[name][i] = value if math.isfinite(value) else np.nan
        return found
