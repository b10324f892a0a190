"""Newton's method for operating points: rank tested, of minimum norm, and what is left free is said by name.

Unknown are some states and inputs, each measured by its scale. Wanted is that some rates vanish and some quantities
have their values. A step is the shortest one that the linear model asks for, found by singular values: directions on
which nothing depends stay as they were, instead of being thrown about by rounding (Golub and Van Loan, Matrix
Computations, section 5.5). Inputs stop at their ends.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from cupola.analysis.system import Array, System, scales_of
from cupola.schema.yaml_files import InputError

MOST_STEPS = 40
RANK = 1e-6
"""Singular values below this fraction of the largest belong to free directions."""
BALANCED = 1e-8
"""Largest rate that counts as zero [SI]."""
EXACT = 1e-10
"""Or less than what so small a share of every unknown's scale would change."""
LONGEST = 5.0
"""Longest step, in scales of the unknowns."""
PATIENCE = 8
"""Number of steps within which the residual must halve."""
SHORTEST = 1e-4
"""Share of a step at which the search along it ends."""
NEAR = 1e-2
"""Share of its range at which an input is tried at its end, when nothing else helps."""
NAMED = 0.05
"""Parts of a free direction smaller than this share of its largest are not named."""


class Wanted(NamedTuple):
    """The problem: unknowns and conditions."""

    states: tuple[int, ...]
    """Unknown states."""
    inputs: tuple[int, ...]
    """Unknown inputs."""
    steady: tuple[int, ...]
    """States whose rates must vanish."""
    drifting: tuple[int, ...] = ()
    """Those of them that may keep changing if nothing depends on them, such as the angle of a wheel."""
    held: tuple[tuple[str, int, float], ...] = ()
    """Kind, place and value of what shall have a value."""
    unasked: tuple[int, ...] = ()
    """States that keep their values only because nothing else is prescribed."""


class Solution(NamedTuple):
    """The solution, or the best point found."""

    state: Array
    inputs: Array
    rates: Array
    outputs: Array
    left: Array
    """Residual of each condition."""
    solved: bool
    free: Array
    """Directions of (states, inputs) that change no condition, one per row."""


def balance(system: System, state: Array, inputs: Array, wanted: Wanted) -> Solution:
    """The operating point nearest to a first guess."""
    return _Search(system, wanted).run(state.copy(), inputs.copy())


def closest(system: System, near: Solution, wanted: Wanted) -> Solution:
    """Without an operating point: the point with the smallest residual, in the units of the rates."""
    search = _Search(system, wanted)
    point = np.concatenate([near.state, near.inputs])
    spread = np.eye(len(wanted.steady))

    def left(unknown: Array) -> Array:
        point[search.columns] = unknown * search.scale
        return search._left(point, spread)

    ends = (search.low / search.scale, search.high / search.scale)
    inside = np.clip(point[search.columns] / search.scale, ends[0] + 1e-6, ends[1] - 1e-6)
    found = least_squares(left, inside, bounds=ends, max_nfev=MOST_STEPS)
    last = left(found.x)
    there = system.derivative(point[: search.n], point[search.n :])
    return near._replace(state=point[: search.n], inputs=point[search.n :], rates=there.rates, left=last)


class _Search:
    def __init__(self, system: System, wanted: Wanted) -> None:
        self.system, self.wanted, self.n = system, wanted, len(system.states)
        self.columns = [*wanted.states, *(self.n + k for k in wanted.inputs)]
        controls = [system.controls[k] for k in wanted.inputs]
        self.scale = np.array(
            [system.states[k].scale for k in wanted.states] + [0.5 * min(c.high - c.low, 2.0) for c in controls]
        )
        none = [np.inf] * len(wanted.states)
        self.low = np.array([*(-end for end in none), *(c.low for c in controls)])
        self.high = np.array([*none, *(c.high for c in controls)])

    def run(self, state: Array, inputs: Array) -> Solution:
        """Iterate until the residual vanishes or no longer decreases."""
        point = np.concatenate([state, inputs])
        rows, spread = self._linear(point)
        left = self._left(point, spread)
        before: list[float] = []
        for _ in range(MOST_STEPS):
            sizes = np.linalg.norm(rows, axis=1)
            before.append(float(np.linalg.norm(left / np.maximum(sizes, 1e-30))))
            if self._done(left, sizes) or _stalls(before):
                break
            further = self._line(point, left, rows, sizes, spread)
            if further is None:
                further = self._snapped(point)
                if np.array_equal(further, point):
                    break
            point = further
            rows, spread = self._linear(point)
            left = self._left(point, spread)
        there = self.system.derivative(point[: self.n], point[self.n :])
        solved = self._done(left, np.linalg.norm(rows, axis=1))
        free = self._free(point) if solved else np.zeros((0, len(point)))
        return Solution(point[: self.n], point[self.n :], *there, left, solved, free)

    def _snapped(self, point: Array) -> Array:
        """Move inputs that are almost at an end to it: a quadratic thrust has no slope near zero."""
        found, here = point.copy(), point[self.columns]
        near = NEAR * (self.high - self.low)
        here = np.where(here - self.low < near, self.low, np.where(self.high - here < near, self.high, here))
        found[self.columns] = np.where(np.isfinite(near), here, point[self.columns])
        return found

    def _done(self, left: Array, sizes: Array) -> bool:
        return bool((np.abs(left) <= np.maximum(BALANCED, EXACT * sizes)).all())

    def _linear(self, point: Array) -> tuple[Array, Array]:
        """Derivatives of the wanted rows by the scaled unknowns, and the projection past what may drift."""
        w = self.wanted
        extra = [k for k in w.drifting if k not in self.columns]
        jacobian = self.system.jacobian(point[: self.n], point[self.n :], columns=[*self.columns, *extra])
        rates = np.hstack([jacobian.A, jacobian.B])
        seen = np.hstack([jacobian.C, jacobian.D])
        spread = np.eye(len(w.steady))
        if w.drifting:
            spread -= self._drifts(rates[np.ix_(w.steady, w.drifting)])
        held = np.zeros((len(w.held), len(point)))
        for row, (kind, place, _) in enumerate(w.held):
            held[row] = seen[place] if kind == "output" else np.eye(len(point))[place + self.n * (kind == "input")]
        return np.vstack([spread @ rates[list(w.steady)], held])[:, self.columns] * self.scale, spread

    def _drifts(self, effect: Array) -> Array:
        """Projection on changes of the drifting states that change no rate."""
        scales = np.array([self.system.states[k].scale for k in self.wanted.drifting])
        effect = effect * scales
        sizes = np.linalg.norm(effect, axis=1)
        _, values, right = np.linalg.svd(effect / np.where(sizes > 0.0, sizes, 1.0)[:, None])
        rank = int((values > RANK * max(values.max(initial=0.0), 1e-30)).sum()) if sizes.any() else 0
        into = np.zeros((len(self.wanted.steady), len(scales)))
        for column, place in enumerate(self.wanted.drifting):
            into[self.wanted.steady.index(place), column] = scales[column]
        basis = np.linalg.qr(into @ right[rank:].T)[0] if rank < len(scales) else np.zeros((len(into), 0))
        return np.array(basis @ basis.T)

    def _left(self, point: Array, spread: Array) -> Array:
        there = self.system.derivative(point[: self.n], point[self.n :])
        values = {"output": there.outputs, "state": point[: self.n], "input": point[self.n :]}
        held = [values[kind][place] - value for kind, place, value in self.wanted.held]
        return np.concatenate([spread @ there.rates[list(self.wanted.steady)], held])

    def _line(self, point: Array, left: Array, rows: Array, sizes: Array, spread: Array) -> Array | None:
        """The point after the shortest step, or after as much of it as helps."""
        weight = 1.0 / np.where(sizes > RANK * max(sizes.max(initial=0.0), 1e-30), sizes, sizes.max(initial=1.0))
        step = self._step(point, left * weight, rows * weight[:, None])
        length = float(np.linalg.norm(step / self.scale))
        share, now = min(1.0, LONGEST / max(length, 1e-30)), float(np.linalg.norm(left * weight))
        while share > SHORTEST:
            trial = point.copy()
            trial[self.columns] = np.clip(point[self.columns] + share * step, self.low, self.high)
            try:
                if np.linalg.norm(self._left(trial, spread) * weight) < (1.0 - 1e-4 * share) * now:
                    return trial
            except InputError:  # a part has no forces there: too far
                pass
            share *= 0.5
        return None

    def _step(self, point: Array, left: Array, rows: Array) -> Array:
        """Of minimum norm; inputs at their ends that it would push further stay there."""
        here, may = point[self.columns], np.ones(len(self.columns), bool)
        while True:
            step = np.zeros(len(may))
            step[may] = -np.linalg.pinv(rows[:, may], rcond=RANK) @ left * self.scale[may]
            stuck = may & (((here <= self.low) & (step < 0.0)) | ((here >= self.high) & (step > 0.0)))
            if not stuck.any():
                return step
            may &= ~stuck

    def _free(self, point: Array) -> Array:
        """Directions that change no condition, made sparse by elimination."""
        every = _Search(self.system, self.wanted._replace(states=(*self.wanted.unasked, *self.wanted.states)))
        rows, _ = every._linear(point)
        sizes = np.linalg.norm(rows, axis=1)
        _, values, right = np.linalg.svd(rows / np.where(sizes > 0.0, sizes, 1.0)[:, None])
        rank = int((values > RANK * max(values.max(initial=0.0), 1e-30)).sum())
        found = np.zeros((len(every.columns) - rank, self.n + len(self.system.controls)))
        found[:, every.columns] = _eliminated(right[rank:]) * every.scale
        return found


def _stalls(sizes: list[float]) -> bool:
    """Whether the residual no longer decreases."""
    return len(sizes) > PATIENCE and sizes[-1] > 0.5 * sizes[-1 - PATIENCE]


def _eliminated(basis: Array) -> Array:
    """The same directions, each with an unknown that the others do not have: Gauss and Jordan."""
    basis = basis.copy()
    for row in range(len(basis)):
        pivot = int(np.argmax(np.abs(basis[row])))
        basis[row] /= basis[row, pivot]
        for other in range(len(basis)):
            if other != row:
                basis[other] -= basis[other, pivot] * basis[row]
    return basis


def name_free(system: System, free: Array) -> tuple[str, ...]:
    """Free directions in words."""
    names = [*(one.name for one in system.states), *(one.name for one in system.controls)]
    scales = scales_of(system)
    alone, together = [], []
    for direction in free:
        share = direction / scales
        large = [k for k in np.argsort(-np.abs(share)) if abs(share[k]) > NAMED * np.abs(share).max()]
        if len(large) == 1:
            alone.append(large[0])
        else:
            parts = ", ".join(f"{names[k]} {direction[k]:+.3g}" for k in large)
            together.append(f"changed together, {parts} change nothing that was given")
    said = ", ".join(names[k] for k in sorted(alone))
    depends = f"no condition depends on {'it' if len(alone) == 1 else 'them'}"
    return (*([f"{said}: {depends}"] if alone else []), *together)
