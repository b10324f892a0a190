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
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from cupola.config.parameters import element_at, parameter
from cupola.config.robot import Robot
from cupola.config.stick_words import STICK_NAMES, StickWords
from cupola.kernel.observation import Observation, Reference
from cupola.kernel.records import is_record
from cupola.schema.tunable_fields import Parameter
from cupola.schema.yaml_files import InputError

OF_THE_WORLD = ("sensors", "_robot", "_world")
"""What a controller is handed and no snapshot holds."""


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
    declared: ClassVar[dict[str, parameter]] = {}
    """Its parameters, arrays as wholes."""
    parameters: ClassVar[dict[str, Parameter]] = {}
    """Every number of them: `gain`, `matrix[0,1]`; the default of one that comes from the robot is not a number."""
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
    stick_words: ClassVar[StickWords] = STICK_NAMES
    """What the vehicle does when a stick moves; `NO_STICKS` of one that does not listen to them."""
    channel_words: ClassVar[Mapping[int, str]] = {}
    """What further channels do at 1, by number; one with neither these nor `stick_words` of its own may hear any."""

    def __init_subclass__(cls) -> None:
        """Gather the parameters that a class and its bases declare."""
        cls.declared = {
            name: v for base in reversed(cls.__mro__) for name, v in vars(base).items() if isinstance(v, parameter)
        }
        cls.parameters = {key: one for p in cls.declared.values() for key, one in p.elements().items()}

    def __init__(self, **values: Any) -> None:
        self.values: dict[str, Any] = {name: p.default for name, p in self.declared.items()}
        self.sensors: Sensors = Sensors()
        self.read_at_reset: frozenset[str] = frozenset()
        """Parameters that `reset` computes with."""
        self.given: frozenset[str] = frozenset(element_at(name)[0] for name in values)
        """Parameters that its file gives, or that were set on it by hand."""
        self._robot: Robot | None = None
        self._world: Any = None  # for one that reads signals by their names, as a policy that was learnt on them
        self._reading: set[str] | None = None
        for name, value in values.items():
            self.set(name, value)
        self.state: Any = self.State()

    @property
    def robot(self) -> Robot:
        """What is known of the vehicle; the world hands it over before the first `reset`."""
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
        """Refuse, with a ValueError that says why, a robot that it cannot steer. Override where there are such."""

    def value_of(self, name: str) -> Any:
        """The value of a parameter, or of one number of an array."""
        # Parameters are read at every step, most of them as wholes.
        whole, at = (name, None) if name in self.values else element_at(name)
        if self._reading is not None:
            self._reading.add(whole)
        value = self.values[whole]
        if value is None:
            raise ValueError(f"{type(self).__name__}.{whole} comes from the robot, which it has not met: give a value")
        return value if at is None else float(value[at])

    def set(self, name: str, value: Any) -> None:
        """Change a parameter, or one number of an array; refuses what is unknown or out of range."""
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
        """Call `reset`, and note which parameters it computes with."""
        self._reading = set()
        try:
            self.reset()
        finally:
            self.read_at_reset, self._reading = frozenset(self._reading), None

    def on_tune(self, name: str) -> None:
        """A parameter was changed in flight. Override to compute anew what `reset` computes from it."""

    @property
    def follows_tuning(self) -> bool:
        """Whether it computes anew when a parameter changes in flight."""
        return type(self).on_tune is not Controller.on_tune

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
        return copy.deepcopy({name: value for name, value in vars(self).items() if name not in OF_THE_WORLD})

    def remember(self, memory: dict[str, Any]) -> None:
        """Go back to what `memory` returned."""
        kept = {name: vars(self)[name] for name in OF_THE_WORLD}
        vars(self).clear()  # also of names that came later
        vars(self).update(copy.deepcopy(memory), **kept)


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


__all__ = ["Controller", "NoState", "Setpoint", "check_signals", "parameter"]
