"""Curves that are computed from signals: expressions as those of measures, with one value at every row."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cupola.cockpit import messages as say
from cupola.cockpit.timeline import Curves, Timeline, thinned
from cupola.parts.shown import Signal
from cupola.schema.expressions import ExpressionError, Node, parse_expression
from cupola.schema.units import ONE
from cupola.sim.measure_types import OVER_THE_RUN, Names
from cupola.sim.measures import Run, evaluate

Array = np.ndarray[Any, Any]


class DerivedCurves:
    """The curves of a timeline: its signals, and what is computed from them."""

    def __init__(self, signals: list[say.Signal], phases: Mapping[str, tuple[str, ...]]) -> None:
        self._names = Names([Signal(one.name, one.unit, "", k) for k, one in enumerate(signals)], phases)
        self._count = len(signals)

    def tell(self, formula: str) -> say.Derived:
        """The unit of what an expression gives, or what is wrong with it."""
        try:
            found = self._names.check_series(parse_expression(formula))
        except ExpressionError as error:
            return say.Derived(unit="", error=str(error))
        unit = "1" if found.logical or found.unit is None else found.unit.text or "1"
        return say.Derived(unit="1" if found.unit == ONE else unit, error="")

    def between(self, timeline: Timeline, asked: say.Curves) -> Curves:
        """What a page asks for; of an expression that makes no sense, nothing but NaN: `tell` says why."""
        signals = [k for k in asked.signals if k < self._count]
        trees = [self._tree(formula) for formula in asked.formulas]
        used = sorted(set().union(*(self._names.used(tree) for tree in trees if tree)))
        places = {name: len(signals) + k for k, name in enumerate(used)}
        needed = [*signals, *(self._names.signals[name].place for name in used)]
        # Means and the like are those of the whole run, whatever stretch of it is shown.
        whole_run = any(tree and _goes_over_the_run(tree) for tree in trees)
        found = timeline.between(needed, *((-np.inf, np.inf) if whole_run else (asked.since, asked.until)))
        run = Run(found.times, lambda name: found.values[:, places[name]], self._names.groups, self._names.phases)
        with np.errstate(all="ignore"):
            derived = [_column(tree, run) for tree in trees]
        table = np.column_stack([found.times, found.values[:, : len(signals)], *derived])
        kept = table[(table[:, 0] >= asked.since) & (table[:, 0] <= asked.until + 1e-12)] if whole_run else table
        return thinned(kept, found.whole, asked.points, asked.thin)

    def _tree(self, formula: str) -> Node | None:
        try:
            tree = parse_expression(formula)
            self._names.check_series(tree)
        except ExpressionError:
            return None
        return tree


def _column(tree: Node | None, run: Run) -> Array:
    if tree is None:
        return np.full(len(run.time), np.nan)
    return np.broadcast_to(np.asarray(evaluate(tree, run), float), run.time.shape)


def _goes_over_the_run(node: Node) -> bool:
    reduced = node.kind in OVER_THE_RUN or (node.kind in ("min", "max") and len(node.inside) == 1)
    return reduced or any(_goes_over_the_run(one) for one in node.inside)
