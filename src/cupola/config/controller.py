"""Who flies: measurement and set-point in, command out, at a rate of its own, held in between.

Write one class in one file:

    class Mine(Controller):
        kp = parameter(0.3, low=0, high=1, unit="1/m")

        def step(self, obs, ref):
            return [self.kp * (2.0 - obs.pos_w.z)] * 4

A controller written as a pure `law(obs, ref, state, p) -> (command, state)` with a `State` NamedTuple of numbers
runs compiled inside the loop; the same text also runs as plain Python. What it wants and how far it is off, it says in
`Signals`: a pure `report(obs, ref, state, p) -> Signals` beside the law, or a method `signals()`.
"""

import copy
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from cupola.kernel.observation import Observation, Reference
from cupola.kernel.records import is_record
from cupola.schema.tunable_fields import Parameter
from cupola.schema.yaml_files import InputError


class parameter:  # noqa: N801 - reads as a declaration, like `property`
    """Declare a tunable number of a controller."""

    def __init__(self, default: float, *, low: float, high: float, unit: str = "1", about: str = "") -> None:
        if not low <= default <= high:
            raise ValueError(f"parameter: default {default} lies outside {low} to {high}")
        self.declared: Parameter = Parameter(default, low, high, unit, about)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else instance.values[self.name]

    def __set__(self, instance: Any, value: float) -> None:
        instance.set(self.name, value)


class NoState(NamedTuple):
    """State of a law that has none; one number, because a compiled tuple may not be empty."""

    unused: float = 0.0


class Setpoint(NamedTuple):
    """Where a controller wants its vehicle to be, world axes."""

    x: float
    y: float
    z: float
    """[m]."""
    yaw: float
    """[rad], counter-clockwise from world x."""


class Sensors(dict[str, Callable[[], Any]]):
    """Readers of sensors by name; one that is not there is answered with those that are."""

    def __missing__(self, name: object) -> Callable[[], Any]:
        raise InputError(f"there is no sensor {name!r}; there are: {', '.join(self) or 'none'}")


class Controller:
    """Base of all controllers. `sensors` maps the name of each sensor part to a function that reads its last sample.

    Those of other vehicles are there too, as `vehicle/part`: what cameras on the wall see, or what a radio tells.
    """

    rate_hz: ClassVar[float] = 400.0
    parameters: ClassVar[dict[str, Parameter]] = {}
    State: ClassVar[Any] = NoState
    law: ClassVar[Callable[..., Any] | None] = None
    Signals: ClassVar[Any] = None
    """NamedTuple of what it tells about itself; units stand in brackets in the notes below the fields."""
    report: ClassVar[Callable[..., Any] | None] = None
    """Pure function of what the law was given and the state after it: `report(obs, ref, state, p) -> Signals`."""
    phases: ClassVar[tuple[str, ...]] = ()
    """Names of the phases of its mission; `Signals` then has a field `phase`, which counts from 0."""
    needs: ClassVar[str | None] = None
    """Kind of part that the vehicle must have, because the commands mean something only to it."""
    safe_command: ClassVar[tuple[float | None, ...]] = ()
    """Held when it runs in another process and that is lost; None: as it was, channels that are not named: 0."""
    throttle_rests_at: ClassVar[float] = 0.0
    """Where the throttle stick lies when nobody holds it: -1 for one that asks for power or height, 0 for a speed."""

    def __init_subclass__(cls) -> None:
        """Gather the parameters that a class and its bases declare."""
        declared = {name: v.declared for base in reversed(cls.__mro__) for name, v in vars(base).items() if _tunable(v)}
        cls.parameters = declared

    def __init__(self, **values: float) -> None:
        self.values: dict[str, float] = {name: p.default for name, p in self.parameters.items()}
        self.sensors: Sensors = Sensors()
        for name, value in values.items():
            self.set(name, value)
        self.state: Any = self.State()

    def set(self, name: str, value: float) -> None:
        """Change a parameter; refuses what is unknown or out of range."""
        if name not in self.parameters:
            known = ", ".join(self.parameters) or "none"
            raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has: {known}")
        low, high = self.parameters[name].low, self.parameters[name].high
        if not low <= value <= high:
            raise ValueError(f"{type(self).__name__}.{name} must lie between {low} and {high}, got {value}")
        self.values[name] = float(value)

    def reset(self) -> None:
        """Start over. Override when your controller keeps anything of its own."""
        self.state = self.State()

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Commands for the channels 0, 1, 2, ... of the vehicle."""
        law = type(self).law
        if law is None:
            raise NotImplementedError(f"{type(self).__name__} has neither a step nor a law")
        command, self.state = law(obs, ref, self.state, self)
        return tuple(command)

    def signals(self) -> Any:
        """What it tells after a step, as its `Signals`: override this in a controller that has no `report`."""
        return None

    def take_over(self, obs: Observation, before: Any) -> Any:
        """State of the law with which it takes over in flight; `before` is the one with which it last let go.

        Anew, unless you override this to begin from the present motion, or to go on where it was.
        """
        return self.State()

    def goal(self, obs: Observation, ref: Reference, state: Any) -> Setpoint | None:
        """Where it wants the vehicle to be, for people to see; None when it has no place in mind."""
        return None

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """What it is doing now, in words, for people to read."""
        return type(self).__name__

    def memory(self) -> dict[str, Any]:
        """Everything a snapshot must hold."""
        return copy.deepcopy({name: value for name, value in vars(self).items() if name != "sensors"})

    def remember(self, memory: dict[str, Any]) -> None:
        """Go back to what `memory` returned."""
        sensors = self.sensors
        vars(self).clear()  # also of names that came later
        vars(self).update(copy.deepcopy(memory), sensors=sensors)


def check_signals(cls: type[Controller]) -> None:
    """Refuse a class whose signals do not go with what tells them."""
    name, tells = cls.__name__, cls.signals is not Controller.signals
    pure = cls.step is Controller.step
    if cls.Signals is None:
        if cls.report is not None or tells or cls.phases:
            raise ValueError(f"{name} has a report, signals or phases: declare a NamedTuple Signals with their fields")
        return
    if not is_record(cls.Signals):
        raise ValueError(f"{name}.Signals must be a NamedTuple of numbers, got {cls.Signals!r}")
    if cls.report is None and (pure or not tells):
        ref = "a report(obs, ref, state, p) beside its law" if pure else "a method signals(), or a report"
        raise ValueError(f"{name} declares Signals: it needs {ref}")
    if cls.phases and "phase" not in cls.Signals._fields:
        raise ValueError(f"{name} has phases: its Signals need a field 'phase'; they have: {_all(cls.Signals._fields)}")


def _all(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"


def _tunable(value: Any) -> bool:
    return isinstance(value, parameter)
