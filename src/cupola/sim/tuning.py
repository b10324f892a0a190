"""Parameters that may change while a world runs: those that controllers, parts and the air declare."""

import difflib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from cupola.build.compile import Assembly, BoundPart
from cupola.build.controller_runner import ControllerRunner
from cupola.build.layout_builder import LayoutBuilder
from cupola.config.air import Air
from cupola.config.parameters import element_at
from cupola.parts import KINDS
from cupola.schema.tunable_fields import (
    Parameter,
    Path,
    TunableParameter,
    changed,
    declaration,
    get_number,
    numbers_of,
    set_number,
)
from cupola.schema.yaml_files import Entry, InputError
from cupola.sim.air_tuning import AirTuning
from cupola.sim.body_inertia import BodyInertias
from cupola.sim.body_tuning import BodyTuning
from cupola.sim.control_modes import ControlModes
from cupola.sim.failures import Failures

FEW = 12
"""An unknown name lists all parameters if there are at most this many."""


class Fitted(NamedTuple):
    """Result of binding a part: its row, its constants, its initial state."""

    row: Any
    constants: list[float]
    start: list[float]


class Tuning:
    """Tunable numbers: `vehicle.gain`, `vehicle.mode.gain`, `vehicle.part.number`, `vehicle.body.mass`, `air.number`,
    `floor.friction`."""

    def __init__(
        self, assembly: Assembly, all_modes: list[ControlModes], faults: Failures, air: Air, masses: BodyInertias
    ) -> None:
        self._assembly, self._all_modes, self._faults = assembly, all_modes, faults
        self._knobs: dict[str, TunableParameter] = {}
        self._bodies = BodyTuning(assembly, masses)
        self.of_bodies: frozenset[str] = frozenset()
        """Names of the numbers of bodies; where a part has the same name, it is the part's."""
        self.weather: AirTuning = AirTuning(air, assembly.arrays)
        self.touched: dict[str, float] = {}
        """Changes since the scenario was read, with their values."""
        self.changed: dict[str, float] = {}
        """Results of the last change: the parameter itself, and what a controller recomputed from it."""

    @property
    def tunables(self) -> dict[str, TunableParameter]:
        """Found at the first call, before anything is changed."""
        if not self._knobs:
            others = {**self._of_controllers(), **self.weather.tunables(), **self._of_floor(), **self._of_parts()}
            bodies = {name: one for name, one in self._bodies.tunables().items() if name not in others}
            self._knobs, self.of_bodies = {**others, **bodies}, frozenset(bodies)
        return self._knobs

    def set(self, name: str, value: Any) -> None:
        """Change a number, or all those of an array of a controller.

        It acts from the next tick on, in a controller from its next call on; before the start, from its `reset` on.
        """
        before = self.gains()
        now = self._set_array(name, value) if name in self._arrays() else self._set_one(name, value)
        self.touched |= now
        self.changed = {**{key: number for key, number in self.gains().items() if number != before[key]}, **now}

    def gains(self) -> dict[str, float]:
        """Every number of every controller, as it is now."""
        return {name: tunable.read() for name, tunable in self._of_controllers().items()}

    def check(self, name: str, value: Any) -> TunableParameter:
        """The parameter of a name; refuses an unknown name, and a value outside its range."""
        tunable = self.tunables.get(name)
        if tunable is None:
            raise InputError(f"there is no parameter {name!r}; {self._near(name)}")
        low, high, unit = tunable.declared.low, tunable.declared.high, tunable.declared.unit
        if not isinstance(value, int | float | np.number):
            raise InputError(f"{name} must be a number, got {value!r}")
        if not low <= value <= high:
            said = "" if unit == "1" else f" {unit}"
            raise InputError(f"{name} must lie between {low:g} and {high:g}{said}, got {value:g}")
        return tunable

    def _set_one(self, name: str, value: Any) -> dict[str, float]:
        tunable = self.check(name, value)
        try:
            tunable.write(float(value))
        except ValueError as error:
            raise InputError(f"{name}: {error}") from None
        return {name: float(value)}

    def _set_array(self, name: str, value: Any) -> dict[str, float]:
        runner, key = self._arrays()[name]
        try:
            runner.set(key, value, self._started)
        except ValueError as error:
            raise InputError(f"{name}: {error}") from None
        return {f"{name}{one.removeprefix(key)}": runner.controller.value_of(one) for one in _elements(runner, key)}

    @property
    def _started(self) -> bool:
        """Whether a tick has passed."""
        return int(self._assembly.arrays.counters[0]) > 0

    def _arrays(self) -> dict[str, tuple[ControllerRunner, str]]:
        """Vectors and matrices of controllers, by their full names."""
        return {
            f"{prefix}.{key}": (runner, key)
            for prefix, runner in self._runners()
            for key, p in runner.controller.declared.items()
            if p.shape
        }

    def _runners(self) -> Iterator[tuple[str, ControllerRunner]]:
        """Every controller, and what the names of its parameters begin with."""
        for modes in self._all_modes:
            for mode, runner in modes.runners.items():
                yield modes.instance.name if mode == "mission" else f"{modes.instance.name}.{mode}", runner

    def worth_noting(self) -> dict[str, float]:
        """What a recording says at its beginning: the controllers' numbers, and others that were changed."""
        return {**self.touched, **self.gains()}

    def remember(self, touched: dict[str, float]) -> None:
        """Restore the changes of a snapshot; controllers and bodies restore their own numbers with their memory."""
        for name in {**self.touched, **touched}.keys() - self._of_controllers().keys() - self.of_bodies:
            self.tunables[name].write(touched.get(name, self.tunables[name].declared.default))
        self.touched = dict(touched)

    def refit(self, vehicle: str) -> None:
        """Bind all parts of a vehicle again, so that parts that read each other's numbers agree."""
        mine = [bound for bound in self._assembly.parts if bound.vehicle == vehicle]
        try:
            fitted = [(bound, _fit(bound)) for bound in mine]
        except ArithmeticError as error:
            raise ValueError(f"leaves a part without an effect: {error}") from None
        for bound, now in fitted:
            for field in bound.part.set_by_world:
                now.row[field] = bound.row[field]
            self._faults.mark(bound, now.row)
            bound.rows[bound.place] = now.row
            if bound in self._assembly.entries.sensed:
                self._faults.mark_samples(bound, self._assembly.entries.sensor_row(bound))
            constants, start = bound.offsets["constants"], bound.offsets["numbers"]
            self._assembly.arrays.constants[constants : constants + len(now.constants)] = now.constants
            self._assembly.initial_state[start : start + len(now.start)] = now.start

    def _near(self, name: str) -> str:
        if len(self.tunables) <= FEW:
            return f"there are: {', '.join(self.tunables) or 'none'}"
        near = difflib.get_close_matches(name, self.tunables, n=5, cutoff=0.3)
        return f"there are {len(self.tunables)}, the nearest: {', '.join(near) or ', '.join(list(self.tunables)[:5])}"

    def _of_controllers(self) -> dict[str, TunableParameter]:
        found: dict[str, TunableParameter] = {}
        for prefix, runner in self._runners():
            for name, p in runner.controller.declared.items():
                value = None if p.robot is None else runner.controller.values[name]
                for key, declared in p.elements(value).items():
                    found[f"{prefix}.{key}"] = TunableParameter(
                        declared, _gain(runner, key), self._write_gain(runner, key)
                    )
        return found

    def _write_gain(self, runner: ControllerRunner, key: str) -> Callable[[float], None]:
        return lambda value: runner.set(key, value, self._started)

    def _of_floor(self) -> dict[str, TunableParameter]:
        """`floor.friction`, where there is a floor."""
        floor = int(self._assembly.arrays.world["floor"][0])
        if floor < 0:
            return {}
        friction = self._assembly.model.geom_friction

        def write(value: float) -> None:
            friction[floor, 0] = value

        declared = Parameter(float(friction[floor, 0]), 0.0, 2.0, "1", "of everything that touches it")
        return {"floor.friction": TunableParameter(declared, lambda: float(friction[floor, 0]), write)}

    def _of_parts(self) -> dict[str, TunableParameter]:
        found: dict[str, TunableParameter] = {}
        for bound in self._assembly.parts:
            for name, path in numbers_of(bound.part).items():
                if name not in bound.part.fixed and (bound.part.kind not in KINDS or _acts(bound, path)):
                    tunable = TunableParameter(
                        declaration(bound.part, path), _read(bound.part, path), self._write(bound, name)
                    )
                    found[f"{bound.vehicle}.{bound.name}.{name}"] = tunable
        return found

    def _write(self, bound: BoundPart, name: str) -> Callable[[float], None]:
        def write(value: float) -> None:
            before = get_number(bound.part, numbers_of(bound.part)[name])
            set_number(bound.part, name, value)
            try:
                self.refit(bound.vehicle)
            except ValueError:
                set_number(bound.part, name, before)
                raise

        return write


def _gain(runner: ControllerRunner, key: str) -> Callable[[], float]:
    return lambda: float(runner.controller.value_of(key))


def _elements(runner: ControllerRunner, key: str) -> list[str]:
    return [name for name in runner.controller.parameters if element_at(name)[0] == key]


def _read(entry: Entry, path: Path) -> Callable[[], float]:
    return lambda: get_number(entry, path)


def _fit(bound: BoundPart, part: Any = None) -> Fitted:
    """Bind a part again into the places it has."""
    builder = LayoutBuilder.rebind(bound.offsets)
    row = builder.bind(bound.name, part or bound.part)
    offsets = bound.offsets
    return Fitted(row, builder.constants[offsets["constants"] :], builder.numbers[offsets["numbers"] :])


def _acts(bound: BoundPart, path: Path) -> bool:
    """True if the loop reads this parameter: changing it changes the part's row or its constants."""
    value = get_number(bound.part, path)
    probe = bound.part.model_copy(update=changed(bound.part, path, value * 1.001 + 1e-6))
    try:
        one, other = _fit(bound), _fit(bound, probe)
    except ValueError:  # a limit that this step crosses is read, too
        return True
    return bool(one.row.tobytes() != other.row.tobytes() or not np.array_equal(one.constants, other.constants))
