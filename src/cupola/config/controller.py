"""Controllers: measurement and set-point in, command out, at their own rate, held in between.

Write one class in one file:

    class Mine(Controller):
        kp = parameter(0.3, low=0, high=1, unit="1/m")

        def step(self, obs, ref):
            return [self.kp * (2.0 - obs.pos_w.z)] * 4

A controller written as a pure `law(obs, ref, state, p) -> (command, state)` with a `State` NamedTuple of numbers
runs compiled inside the loop; the same text also runs as plain Python. Its set-points and errors are its
`Signals`: a pure `report(obs, ref, state, p) -> Signals` beside the law, or a method `signals()`.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from cupola.config.parameters import element_at, parameter
from cupola.config.robot import Robot
from cupola.config.stick_words import STICK_NAMES, StickWords
from cupola.kernel.observation import Observation, Reference
from cupola.kernel.records import is_record
from cupola.schema.plugins import keep_source
from cupola.schema.tunable_fields import Parameter
from cupola.schema.yaml_files import InputError

OF_THE_WORLD = ("sensors", "_robot", "_world")
"""References that a controller gets from the world and that snapshots leave out."""


class NoState(NamedTuple):
    """State of a law that has none; one number, because a compiled tuple may not be empty."""

    unused: float = 0.0


class Setpoint(NamedTuple):
    """Set-point of a vehicle, world axes."""

    x: float
    y: float
    z: float
    """[m]."""
    yaw: float
    """[rad], counter-clockwise from world x."""


class Sensors(dict[str, Callable[[], Any]]):
    """Readers of sensors by name; an unknown name raises an error that lists the known ones."""

    def __missing__(self, name: object) -> Callable[[], Any]:
        raise InputError(f"there is no sensor {name!r}; there are: {', '.join(self) or 'none'}")


class Controller:
    """Base of all controllers. `sensors` maps the name of each sensor part to a function that reads its last sample.

    Those of other vehicles are there too, as `vehicle/part`: what cameras on the wall see, or what a radio tells.
    """

    rate_hz: ClassVar[float] = 400.0
    declared: ClassVar[dict[str, parameter]] = {}
    """Its parameters, arrays as wholes."""
    parameters: ClassVar[dict[str, Parameter]] = {}
    """Every element: `gain`, `matrix[0,1]`; the default of one that comes from the robot is NaN."""
    State: ClassVar[Any] = NoState
    law: ClassVar[Callable[..., Any] | None] = None
    long_law: ClassVar[Callable[..., Any] | None] = None
    """A law with a long memory that reads sensors, compiled too.

    `long_law(obs, ref, state, p, seen, command, reported)` changes the arrays `state`, `command` and `reported`.
    `State()` gives the numbers of its memory, `sees` names the sensors whose newest samples are in `seen`: of each its
    number, then the sample; see `build/readings.py`.
    """
    sees: ClassVar[tuple[str, ...]] = ()
    Signals: ClassVar[Any] = None
    """NamedTuple of its signals; units are in brackets in the notes below the fields."""
    report: ClassVar[Callable[..., Any] | None] = None
    """Pure function of the inputs of the law and the state after it: `report(obs, ref, state, p) -> Signals`."""
    phases: ClassVar[tuple[str, ...]] = ()
    """Names of the phases of its mission; `Signals` then has a field `phase`, an index from 0."""
    needs: ClassVar[str | None] = None
    """What it commands (see `kernel.commands`), which a part of the vehicle must obey; or a kind that it must have."""
    safe_command: tuple[float | None, ...] = ()
    """Commands if its process is lost; None: the last ones. Channels not named are 0."""
    throttle_rests_at: ClassVar[float] = 0.0
    """Rest position of the throttle stick: -1 if it commands power or height, 0 if it commands a speed."""
    stick_words: ClassVar[StickWords] = STICK_NAMES
    """Effect of each stick on the vehicle; `NO_STICKS` for a controller that ignores them."""
    passes_sticks: ClassVar[bool] = False
    """True if stick k becomes command channel k as it is: its effect is that of the parts which read the channel."""
    passed_throttle: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    """What a controller that passes the sticks makes of its throttle stick at -1 and at 1."""
    channel_words: ClassVar[Mapping[int, str]] = {}
    """Effect of further channels at 1, by number; without these and `stick_words` any channel may have an effect."""

    def __init_subclass__(cls) -> None:
        """Collect the parameters that a class and its bases declare; keep the file that says what it does."""
        keep_source(cls)
        cls.declared = {
            name: v for base in reversed(cls.__mro__) for name, v in vars(base).items() if isinstance(v, parameter)
        }
        cls.parameters = {key: one for p in cls.declared.values() for key, one in p.elements().items()}

    def __init__(self, **values: Any) -> None:
        self.values: dict[str, Any] = {name: p.default for name, p in self.declared.items()}
        self.sensors: Sensors = Sensors()
        self.read_at_reset: frozenset[str] = frozenset()
        """Parameters that `reset` reads."""
        self.given: frozenset[str] = frozenset(element_at(name)[0] for name in values)
        """Parameters that were given by its file or set by the user."""
        self._robot: Robot | None = None
        self._world: Any = None  # for one that reads signals by their names, as a policy that was learnt on them
        self._reading: set[str] | None = None
        for name, value in values.items():
            self.set(name, value)
        self.state: Any = self.State()

    @property
    def robot(self) -> Robot:
        """Description of the vehicle; the world provides it before the first `reset`."""
        if self._robot is None:
            raise ValueError(f"{type(self).__name__} has no robot yet: a world hands it over, or call meet(robot)")
        return self._robot

    def meet(self, robot: Robot, channel: int = 0) -> None:
        """Be handed the description of the robot; `channel` is the first one that the controller commands.

        Parameters that come from the robot take its numbers; one that a file gives and that contradicts is refused.
        """
        self._robot = robot
        for name, p in self.declared.items():
            if p.robot is None:
                continue
            said = p.checked(p.robot(robot, channel))
            if name not in self.given:
                self.values[name] = said
            elif abs(self.values[name] - said) > p.within * abs(said):
                unit = "" if p.unit == "1" else f" {p.unit}"
                raise ValueError(
                    f"{name}: {self.values[name]:g}{unit} contradicts the model of {robot.name}, which has "
                    f"{said:g}{unit}; leave it out to take the model's"
                )
        self.accept(robot, channel)

    def accept(self, robot: Robot, channel: int) -> None:
        """Raise a ValueError with the reason for a robot that it cannot steer. Override if there are such robots."""

    def value_of(self, name: str) -> Any:
        """The value of a parameter, or of one element of an array."""
        # Parameters are read at every step, most of them as wholes.
        whole, at = (name, None) if name in self.values else element_at(name)
        if self._reading is not None:
            self._reading.add(whole)
        value = self.values[whole]
        if value is None:
            raise ValueError(f"{type(self).__name__}.{whole} comes from the robot, which it has not met: give a value")
        return value if at is None else float(value[at])

    def set(self, name: str, value: Any) -> None:
        """Change a parameter or one element of an array; refuses unknown names and values out of range."""
        whole, at = element_at(name)
        if whole not in self.declared or (at is not None and name.replace(" ", "") not in self.parameters):
            known = ", ".join(self.declared) or "none"
            raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has: {known}")
        p = self.declared[whole]
        try:
            self.values[whole] = p.checked(value) if at is None else p.with_element(self.values[whole], at, value)
        except ValueError as error:
            raise ValueError(f"{type(self).__name__}.{error}") from None

    def start_over(self) -> None:
        """Call `reset`, and record which parameters it reads."""
        self._reading = set()
        try:
            self.reset()
        finally:
            self.read_at_reset, self._reading = frozenset(self._reading), None

    def on_tune(self, name: str) -> None:
        """Called when a parameter was changed in flight. Override it to recompute what `reset` computed from it."""

    @property
    def follows_tuning(self) -> bool:
        """Whether it overrides `on_tune`."""
        return type(self).on_tune is not Controller.on_tune

    def reset(self) -> None:
        """Called at a reset. Override it if your controller has a state."""
        self.state = self.State()

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Commands for the channels 0, 1, 2, ... of the vehicle."""
        law = type(self).law
        if law is None:
            own = [name for name, what in vars(type(self)).items() if callable(what) and not name.startswith("_")]
            has = f"; it has: {', '.join(own)}" if own else ""
            raise InputError(f"{type(self).__name__} has neither a `step(self, obs, ref)` nor a law{has}")
        command, self.state = law(obs, ref, self.state, self)
        return tuple(command)

    def signals(self) -> Any:
        """Its `Signals` after a step: override this in a controller that has no `report`."""
        return None

    def take_over(self, obs: Observation, before: Any) -> Any:
        """State of the law with which it takes over in flight; `before` is the one with which it last let go.

        Anew, unless you override this to begin from the present motion, or to go on where it was.
        """
        return self.State()

    def goal(self, obs: Observation, ref: Reference, state: Any) -> Setpoint | None:
        """Its set-point, for display; None if it has none."""
        return None

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """Its present activity in words, for display."""
        return type(self).__name__

    def memory(self) -> dict[str, Any]:
        """State for a snapshot."""
        return copy.deepcopy({name: value for name, value in vars(self).items() if name not in OF_THE_WORLD})

    def remember(self, memory: dict[str, Any]) -> None:
        """Restore what `memory` returned."""
        kept = {name: vars(self)[name] for name in OF_THE_WORLD}
        vars(self).clear()  # also of names that came later
        vars(self).update(copy.deepcopy(memory), **kept)


def check_signals(cls: type[Controller]) -> None:
    """Refuse a class whose `Signals` do not match its `report` or `signals`."""
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


__all__ = ["Controller", "NoState", "Setpoint", "check_signals", "parameter"]
