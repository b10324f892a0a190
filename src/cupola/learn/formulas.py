"""The expressions of a task at one moment: the grammar of measures, with a row for each world instead of each time."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from cupola.parts.shown import Signal
from cupola.schema.expressions import ExpressionError, Node, parse_expression
from cupola.schema.units import ONE
from cupola.schema.yaml_files import InputError
from cupola.sim.measure_types import OVER_THE_RUN, Names, Type
from cupola.sim.measures import Run, evaluate

Array = np.ndarray[Any, Any]
GOAL = [Signal(f"goal.{axis}", "m", "goal", k) for k, axis in enumerate("xyz")]
CONDITIONS = ("lost", "reached", "success")
WITHOUT_UNIT = ("reward", "progress")
M = TypeVar("M", bound="Moment")
LARGEST = 1e6
"""Of an observation: what is beyond, or no number, would spoil a network."""


class Formulas:
    """The expressions of a task, checked against the signals of its scenario."""

    def __init__(self, texts: Mapping[str, str], signals: list[Signal], phases: Mapping[str, tuple[str, ...]]) -> None:
        self._names = Names([*signals, *GOAL], phases)
        self._trees: dict[str, Node] = {}
        for key, text in texts.items():
            try:
                tree = parse_expression(text)
                _check_moment(tree)
                _check_type(key, self._names._type(tree), tree)
            except ExpressionError as error:
                raise InputError(f"{key}: {error}, in {text!r}") from None
            self._trees[key] = tree
        self._seen = [key for key in self._trees if key.startswith("observation")]
        used = set().union(*(self._names.used(tree) for tree in self._trees.values()))
        self.signals: list[str] = sorted(used - {one.name for one in GOAL})
        """What must be read from the worlds."""

    def at(self, time: Array, values: Array, goals: Array) -> "Moment":
        """The worlds now: a row of `signals`, and a goal, for each."""
        columns = dict(zip(self.signals, values.T, strict=True))
        columns |= {one.name: goals[:, k] for k, one in enumerate(GOAL)}
        return self.moment(Moment, time, columns)

    def moment(self, kind: "type[M]", time: Any, columns: Mapping[str, Any]) -> "M":
        """The worlds now, from the value of each signal and of the goal in every world."""
        return kind(Run(time, columns.__getitem__, self._names.groups, self._names.phases), self._trees, self._seen)


class Moment:
    """Values of the expressions in all worlds."""

    def __init__(self, run: Run, trees: Mapping[str, Node], seen: list[str]) -> None:
        self._run, self._trees, self._seen = run, trees, seen

    def observations(self) -> Array:
        """A row for each world, in 32 bits. What is no number is 0, as a sensor before its first sample."""
        found = np.stack([self.number(key) for key in self._seen], axis=1)
        known = np.nan_to_num(found, nan=0.0, posinf=LARGEST, neginf=-LARGEST)
        return np.asarray(np.clip(known, -LARGEST, LARGEST), np.float32)

    def number(self, key: str) -> Array:
        """Value of an expression in each world; 0 for one that the task has not."""
        return self._of(key, 0.0)

    def holds(self, key: str) -> Array:
        """Whether a condition holds in each world; one that the task has not never does."""
        return self._of(key, False)

    def _of(self, key: str, otherwise: Any) -> Array:
        if key not in self._trees:
            return np.full(len(self._run.time), otherwise)
        with np.errstate(all="ignore"):
            return np.broadcast_to(evaluate(self._trees[key], self._run), self._run.time.shape)


def _check_moment(tree: Node) -> None:
    """Refuse what goes over a run: there is one moment only."""
    if tree.kind in OVER_THE_RUN or (tree.kind in ("min", "max") and len(tree.inside) == 1):
        raise ExpressionError(tree.at, f"{tree.kind} goes over a run; a task speaks of one moment")
    for one in tree.inside:
        _check_moment(one)


def _check_type(key: str, found: Type, tree: Node) -> None:
    if found.logical != (key in CONDITIONS):
        wanted = "a condition, as position.z < 0.1 m" if key in CONDITIONS else "a number"
        raise ExpressionError(tree.at, f"expected {wanted}, got {'a condition' if found.logical else 'a number'}")
    if key in WITHOUT_UNIT and found.unit is not None and not found.unit.same(ONE):
        raise ExpressionError(
            tree.at, f"a reward has no unit, got {found.unit.text}: divide it, as norm(a.position) / 1 m"
        )
