"""One cycle of a vehicle as a system: how its state has changed after a period, and what it was on average.

The cycle is flown by the simulation itself, with held commands. The period is an input like the commands; the step of
the physics is stretched so that a whole number of steps fits in it. What a state has gained after a cycle, by the
period, takes the place of a rate, so a periodic orbit is found as an equilibrium is.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cupola.analysis.controls import Control
from cupola.analysis.dynamics import PATH, SLOW, Dynamics
from cupola.analysis.system import Array, Derivative, Jacobian, System, scales_of
from cupola.engine.loop import advance, reopen
from cupola.physics.airfoil import airflow
from cupola.physics.rotation import Quaternion, Vector, frd, rotate
from cupola.sim.evaluation import complain

FORWARD = 1e-6
"""Step of the differences that only lead to an orbit, in scales."""
SHORTEST, LONGEST = 0.5, 2.0
"""Least and largest period that is looked at, by the first guess."""
FEWEST = 8
"""Steps in a cycle, at least."""
TURN = 2.0 * math.pi


class Flown(NamedTuple):
    """A cycle, tick by tick, from its beginning to its end."""

    states: Array
    """One row per tick."""
    seen: Any
    """Observations, as a controller gets them."""


class Cycle(System):
    """(x(T) - x(0)) / T and averages over T, of all that a vehicle is and its parts remember.

    `clock` is the place of the angle that goes round once in a cycle.
    """

    def __init__(self, whole: Dynamics, clock: int, period: float) -> None:
        self.whole, self.world, self.name = whole, whole.world, whole.name
        self.clock, self._dt = clock, 1.0 / self.world.scenario.physics_hz
        self.ticks = max(round(period / self._dt), FEWEST)
        self.states, self.outputs = whole.states, (*whole.states, *(PATH if whole.through_air else ()))
        self.controls = (*whole.controls, Control("period", (), "s", 1.0, SHORTEST * period, LONGEST * period))
        self._where = {one.name: k for k, one in enumerate(self.states)}
        self._round = [*(k for k in whole.turning() if self.states[k].name != "psi"), clock]
        self._kept = self.world.snapshot()
        self._known: tuple[Array, Array, Array] | None = None

    def names(self) -> dict[str, tuple[str, int]]:
        """A name is that of an average before that of a state at the beginning."""
        found = {one.name: ("state", k) for k, one in enumerate(self.states)}
        found |= {one.name: ("input", k) for k, one in enumerate(self.controls)}
        return found | {one.name: ("output", k) for k, one in enumerate(self.outputs)}

    def derivative(self, state: Sequence[float] | Array, inputs: Array) -> Derivative:
        """Change over a cycle divided by the period, and averages; whole turns do not count."""
        flown = self.fly(np.asarray(state, np.float64), inputs)
        gained = flown.states[-1] - flown.states[0]
        gained[self._round] = np.remainder(gained[self._round] + math.pi, TURN) - math.pi
        return Derivative(gained / inputs[-1], np.array([*flown.states[:-1].mean(axis=0), *self._path(flown, inputs)]))

    def fly(self, state: Array, inputs: Array) -> Flown:
        """One cycle of the simulation."""
        world, arrays, data = self.world, self.world.arrays, self.world.data
        world._go_back(self._kept)
        arrays.controls["function"] = 0  # it has brought the controllers back
        arrays.world["dt"] = world.model.opt.timestep = float(inputs[-1]) / self.ticks
        self.whole.put(state, inputs[:-1])
        arrays.drive[:] = arrays.command
        reopen(world._table)
        seen = arrays.observations[self.whole.index : self.whole.index + 1].view(np.ndarray)
        watched = (data.qpos, data.qvel, arrays.state, seen)
        rows = [np.zeros((self.ticks + 1, *one.shape), one.dtype) for one in watched]
        for tick in range(self.ticks + 1):
            if tick and not advance(world._table, 1):
                complain(world)
            for kept, now in zip(rows, watched, strict=True):
                kept[tick] = now
        return Flown(self.whole.read_rows(*rows[:3]), rows[3][:, 0])

    def _path(self, flown: Flown, inputs: Array) -> list[float]:
        """Averages of the motion through the air."""
        if not self.whole.through_air:
            return []
        seen = flown.seen[:-1]
        air = Vector(seen["air_u"], seen["air_v"], seen["air_w"])
        speed, alpha, beta = (float(np.mean(one)) for one in airflow(frd(air)))
        up = float(np.mean(rotate(Quaternion(seen["qw"], seen["qx"], seen["qy"], seen["qz"]), air).z))
        psi = flown.states[:, self._where["psi"]]
        climb = math.asin(min(max(up / max(speed, SLOW), -1.0), 1.0))
        turned = float(psi[-1] - psi[0]) / float(inputs[-1])
        return [speed, alpha, beta, climb, turned]

    def jacobian(
        self, state: Array, inputs: Array, forward: float | None = None, columns: Sequence[int] | None = None
    ) -> Jacobian:
        """For the search: by differences the first time, then corrected by what each step did (Broyden, 1965)."""
        point, scale = np.concatenate([state, inputs]), scales_of(self)
        value = np.concatenate(self.derivative(state, inputs))
        if self._known is None:
            found = self._differences(point, value, scale)
        else:
            found, before, last = self._known
            step = (point - before) / scale
            if step.any():
                found = found + np.outer(value - last - found @ step, step / (step @ step))
        self._known = (found, point, value)
        return self._split(found / scale)

    def start_anew(self) -> None:
        """Take the next Jacobian from the simulation."""
        self._known = None

    def retimed(self, state: Array, inputs: Array) -> bool:
        """Whether the period has become another number of steps, which is taken from now on."""
        ticks = max(round(float(inputs[-1]) / self._dt), FEWEST)
        if ticks == self.ticks:
            return False
        self.ticks = ticks
        if self._known is not None:
            self._known = (
                self._known[0],
                np.concatenate([state, inputs]),
                np.concatenate(self.derivative(state, inputs)),
            )
        return True

    def exactly(self, state: Array, inputs: Array) -> Jacobian:
        """The Jacobian by central differences, for the answer."""
        return super().jacobian(state, inputs)

    def _differences(self, point: Array, value: Array, scale: Array) -> Array:
        """By forward differences, in scales of the unknowns."""
        n, found = len(self.states), np.zeros((len(value), len(point)))
        high = [math.inf] * n + [one.high for one in self.controls]
        for k in range(len(point)):
            trial = point.copy()
            trial[k] += FORWARD * scale[k] * (-1.0 if point[k] + FORWARD * scale[k] > high[k] else 1.0)
            change = np.concatenate(self.derivative(trial[:n], trial[n:])) - value
            found[:, k] = change / (trial[k] - point[k]) * scale[k]
        return found

    def _split(self, whole: Array) -> Jacobian:
        n = len(self.states)
        return Jacobian(whole[:n, :n], whole[:n, n:], whole[n:, :n], whole[n:, n:])
