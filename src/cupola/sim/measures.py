"""Figures of a run that a scenario names: expressions on its signals, evaluated from the rows of the log.

    measures:
      tracking error: rms(quadcopter.controller.path_error)
      landed after: time_of(quadcopter.controller.phase == 'landed')

What is not a number at a row counts for nothing there: a controller says nothing before its first call.
"""

import functools
import logging
from collections.abc import Callable, Mapping, Set
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cupola.kernel.array_groups import log_columns
from cupola.kernel.records import leaves
from cupola.schema.expressions import ExpressionError, Node, parse_expression
from cupola.schema.units import ONE
from cupola.schema.yaml_files import InputError
from cupola.sim.kept_rows import KeptRows
from cupola.sim.measure_types import TIME, Names, Type
from cupola.sim.signal_rows import NewRows, SampledColumns, columns_of, value_of
from cupola.sim.signals import REPORTS, SENSED, sensors_with_signals

if TYPE_CHECKING:
    from cupola.sim.world import World

Array = np.ndarray[Any, Any]
log: logging.Logger = logging.getLogger("cupola")


class Measure(NamedTuple):
    """One figure of a run."""

    value: float | bool | None
    """None: there was nothing to measure, or the result is NaN."""
    unit: str
    """Empty for true or false."""


class Run(NamedTuple):
    """Rows of a run."""

    time: Array
    """[s]."""
    of: Callable[[str], Array]
    """Values of a signal at these times."""
    groups: Mapping[str, list[str]]
    """Signals of each group."""
    phases: Mapping[str, tuple[str, ...]]
    """Names of the values of signals that count phases."""


def evaluate(node: Node, run: Run, operators: Mapping[str, Callable[..., Any]] | None = None) -> Any:
    """The value of an expression that was checked: a number, or one for each row.

    `operators` are those of another array library, by the names of `OPERATORS`; reductions are NumPy's alone.
    """
    using = operators or OPERATORS
    if node.kind == "number":
        return using["number"](node.value)
    if node.kind == "name":
        return run.time if node.word == TIME else run.of(node.word)
    if node.kind == "norm":
        return using["sqrt"](sum(one * one for one in _components(node, run, using)))
    if node.kind == "==" and any(one.kind == "text" for one in node.inside):
        name, text = sorted(node.inside, key=lambda one: one.kind == "text")
        return run.of(name.word) == run.phases[name.word].index(text.word)
    inside = [evaluate(one, run, using) for one in node.inside]
    if node.kind in ("min", "max") and len(inside) > 1:
        return functools.reduce(using[f"{node.kind} of two"], inside)
    if node.kind in using:
        return using[node.kind](*inside)
    if node.kind == "derivative":
        return _derivative(inside[0], run.time)
    return REDUCTIONS[node.kind](inside[0], run.time)


def _components(node: Node, run: Run, using: Mapping[str, Callable[..., Any]]) -> list[Any]:
    if len(node.inside) == 1:
        return [run.of(name) for name in run.groups[node.inside[0].word]]
    return [evaluate(one, run, using) for one in node.inside]


OPERATORS: dict[str, Callable[..., Any]] = {
    "number": np.float64,
    "min of two": np.fmin,
    "max of two": np.fmax,
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.float_power,
    "negative": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
    "when": lambda value, condition: np.where(condition, value, np.nan),
}


def _derivative(values: Array, time: Array) -> Array:
    """Over time: centred differences, one-sided ones at the ends."""
    return np.gradient(values, time) if len(time) > 1 else np.full(len(time), np.nan)


def _numbers(values: Array) -> Array:
    """All values except NaN."""
    return values if values.dtype == bool else values[np.isfinite(values)]


def _over(function: Callable[[Array], Any]) -> Callable[[Array, Array], Any]:
    def reduced(values: Array, time: Array) -> Any:
        found = _numbers(values)
        return function(found) if len(found) else np.nan

    return reduced


def _integral(values: Array, time: Array) -> float:
    """By trapezoids; a gap counts for nothing."""
    pieces = 0.5 * (values[1:] + values[:-1]) * np.diff(time)
    return float(pieces[np.isfinite(pieces)].sum())


def _time_of(holds: Array, time: Array) -> float:
    return float(time[holds.argmax()]) if holds.any() else np.nan


REDUCTIONS: dict[str, Callable[[Array, Array], Any]] = {
    "rms": _over(lambda x: np.sqrt(np.mean(np.square(x)))),
    "mean": _over(np.mean),
    "max": _over(np.max),
    "min": _over(np.min),
    "first": _over(lambda x: x[0]),
    "final": _over(lambda x: x[-1]),
    "integral": _integral,
    "duration": lambda holds, time: np.diff(time)[holds[:-1]].sum(),
    "time_of": _time_of,
    "count": lambda holds, time: np.float64((holds[1:] & ~holds[:-1]).sum()),
}


class Measures:
    """An observer that keeps what the measures of a scenario need, at the recording rate.

    `replaced` are vehicles that somebody gave another controller: what it does not tell is not measured.
    """

    def __init__(self, world: "World", texts: Mapping[str, str], source: str, replaced: Set[str] = frozenset()) -> None:
        self._names = names = Names(world.signals(), phases_of(world))
        self._listed = tuple(texts)
        self._trees: dict[str, tuple[Node, Type]] = {}
        for name, text in texts.items():
            try:
                tree = parse_expression(text)
                self._trees[name] = tree, names.check(tree)
            except ExpressionError as error:
                if not any(f"{vehicle}.{REPORTS}." in text for vehicle in replaced):
                    raise InputError(f"{source}: measures.{name}: {error}") from None
                log.warning("%s is not measured, its controller was replaced: %s", name, error)
        used = sorted(set().union(*(names.used(tree) for tree, _ in self._trees.values())))
        self._dt, at = world.dt, log_columns(world.arrays)
        places = {name: columns_of(names.signals[name], at) for name in used}
        self._columns = [0, *sorted({column for columns in places.values() for column in columns})]
        self._places = {name: [self._columns.index(column) for column in columns] for name, columns in places.items()}
        sensed = {
            one.name: (found.samples, [column])
            for found in sensors_with_signals(world)
            for one, column in zip(found.signals, found.columns, strict=True)
        }
        self._sensors = {name: SampledColumns(*sensed[name]) for name in used if names.signals[name].array == SENSED}
        self._kept, self._new = self._nothing(), NewRows()

    def observe(self, world: "World") -> None:
        """Store the rows since the last call."""
        rows = self._new.of(world)
        for sensor in self._sensors.values():
            sensor.observe()
        if len(rows):
            sensed = [sensor.at(rows[:, 0]) for sensor in self._sensors.values()]
            self._kept.append(np.hstack([rows[:, self._columns], *sensed]))
            for sensor in self._sensors.values():
                sensor.forget(rows[-1, 0])

    def begin(self) -> None:
        """The world was reset."""
        self._kept, self._new = self._nothing(), NewRows()
        for sensor in self._sensors.values():
            sensor.begin()

    def rewind(self, world: "World") -> None:
        """The world was restored to an earlier time: drop later rows."""
        self._kept.cut(world.tick)
        self._new.skip(world)
        for sensor in self._sensors.values():
            sensor.rewind()

    def values(self) -> dict[str, Measure]:
        """All measures of the run so far."""
        rows = self._kept.all()
        run = Run(rows[:, 0] * self._dt, lambda name: self._of(name, rows), self._names.groups, self._names.phases)
        with np.errstate(all="ignore"):
            found = {name: _measure(evaluate(tree, run), type_) for name, (tree, type_) in self._trees.items()}
        return {name: found.get(name, Measure(None, "")) for name in self._listed}

    def _nothing(self) -> KeptRows:
        """Columns of the log, then those of sensors."""
        return KeptRows(len(self._columns) + len(self._sensors))

    def _of(self, name: str, rows: Array) -> Array:
        """Values of a signal at the rows."""
        if name in self._sensors:
            return rows[:, len(self._columns) + list(self._sensors).index(name)]
        return value_of(self._names.signals[name], [rows[:, k] for k in self._places[name]])


def _measure(value: Any, found: Type) -> Measure:
    if found.logical:
        return Measure(None if np.isnan(value) else bool(value), "")
    return Measure(float(value) if np.isfinite(value) else None, (found.unit or ONE).text or "?")


def phases_of(world: "World") -> dict[str, tuple[str, ...]]:
    """Names of the phases, by the signal that counts them."""
    places = {}
    for instance in world.instances:
        for runner in instance.runners.values():
            controller = runner.controller
            if controller.phases:
                place = runner.reports.start + leaves(controller.Signals).index("phase")
                places[place] = controller.phases
    return {one.name: places[one.place] for one in world.signals() if one.array == "reported" and one.place in places}
