"""What trim, equilibrium and linearisation are asked of: x' = f(x, u), y = g(x, u), with names and units."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cupola.analysis.controls import Control
from cupola.schema.yaml_files import InputError

Array = np.ndarray[Any, np.dtype[np.float64]]
STEP = 1e-4
"""Of a variable's scale: truncation 1e-8, rounding 1e-11 of the derivatives."""
SHORTER, OFTEN = 0.1, 4
"""A difference that crosses a corner of the forces is taken again with a step so much shorter, so often at most."""


class Variable(NamedTuple):
    """A state or an output."""

    name: str
    unit: str
    scale: float = 1.0
    """Typical size of a change: the unit of differences and norms."""


class Derivative(NamedTuple):
    """What a system does in a state."""

    rates: Array
    """Change of each state [1/s]."""
    outputs: Array


class Jacobian(NamedTuple):
    """Derivatives of rates and outputs with respect to states and inputs."""

    A: Array
    B: Array
    C: Array
    D: Array


class System:
    """A vehicle of a world, asked but not flown."""

    name: str
    states: tuple[Variable, ...]
    controls: tuple[Control, ...]
    outputs: tuple[Variable, ...]

    def derivative(self, state: Sequence[float] | Array, inputs: Array) -> Derivative:
        """How the states change, and what can be seen."""
        raise NotImplementedError

    def holds(self) -> list[bool]:
        """What dry friction holds, where the system was asked last; forces have a corner where it begins to slide."""
        return []

    def names(self) -> dict[str, tuple[str, int]]:
        """Whatever has a name: kind (state, input, output) and place; a state goes before an output of its name."""
        found = {one.name: ("output", k) for k, one in enumerate(self.outputs)}
        found |= {one.name: ("input", k) for k, one in enumerate(self.controls)}
        return found | {one.name: ("state", k) for k, one in enumerate(self.states)}

    def find(self, name: str) -> tuple[str, int]:
        """Kind and place of a name."""
        known = self.names()
        if name not in known:
            raise InputError(f"{self.name} has no {name!r}; it has: {', '.join(known)}")
        return known[name]

    def jacobian(
        self, state: Array, inputs: Array, forward: float | None = None, columns: Sequence[int] | None = None
    ) -> Jacobian:
        """Central differences, or forward ones with a step `forward`; `columns` alone where not all are needed.

        Where a control has no room on one side the difference is taken on the other. What dry friction holds does not
        begin to slide within a step of our choice.
        """
        point, n = np.concatenate([state, inputs]), len(self.states)
        scales = scales_of(self)
        held = self._asked_at(point)[1]
        found = np.zeros((n + len(self.outputs), len(point)))
        for i in range(len(point)) if columns is None else columns:
            step = STEP * scales[i] if forward is None else forward
            for _ in range(OFTEN):
                found[:, i], same = self._difference(point, i, step, forward is None, held)
                if same or forward is not None:
                    break
                step *= SHORTER
        return Jacobian(found[:n, :n], found[:n, n:], found[n:, :n], found[n:, n:])

    def _asked_at(self, point: Array) -> tuple[Array, list[bool]]:
        n = len(self.states)
        return np.concatenate(self.derivative(point[:n], point[n:])), self.holds()

    def _difference(self, point: Array, i: int, step: float, central: bool, held: list[bool]) -> tuple[Array, bool]:
        """A column, and whether what is held stays so."""
        n = len(self.states)
        low, high = (-np.inf, np.inf) if i < n else (self.controls[i - n].low, self.controls[i - n].high)
        up = max(min(step, high - point[i]), 0.0)
        down = max(min(step, point[i] - low), 0.0) if central or up <= 0.0 else 0.0
        above, below = point.copy(), point.copy()
        above[i] += up
        below[i] -= down
        change, first = self._asked_at(above)
        less, second = self._asked_at(below)
        slides = any(one and not (a and b) for one, a, b in zip(held, first, second, strict=False))
        return (change - less) / (above[i] - below[i]), not slides


def scales_of(system: System) -> Array:
    """Scales of the states, then of the controls."""
    return np.array([s.scale for s in system.states] + [0.5 * min(c.high - c.low, 2.0) for c in system.controls])
