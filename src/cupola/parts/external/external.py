"""External models: they read joints, motion and air, and drive sites, joints or actuators.

One interface, whoever is behind it: a class in plain Python, an FMU, a shared library, another process. `inputs` and
`outputs` map quantities of ours (`quantity.py`) to variables of the model. Every `1/rate_hz` the loop reads the
inputs, calls the model once for the step ahead, and holds its outputs for that step: `coupling: held`. A model with a
state that gives what it has at the end of its step is then late by half a step and early by half a step, which cancel:
second order. A law, whose outputs follow at once from its inputs, is late: first order; `coupling: extrapolated` gives
it the inputs of the middle of the step, along the line through the last two, and makes it second. Kübler and Schiehlen,
"Two methods of simulator coupling", Mathematical and Computer Modelling of Dynamical Systems 6 (2000) 93-113. Command
channels and the time are given as they are. Behind each model is one C function,

    int step(const double *in, double *out, double *state, const void *context, double time, double dt);

which returns 0, or what went wrong. `time` [s] is the model's own: it begins with 0 when the model is reset.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field, PrivateAttr

from cupola.kernel.memory import Views
from cupola.kernel.records import reader
from cupola.parts.binding import BindContext, PushedSite, Row, ticks_between
from cupola.parts.external.exchange import Exchanged, ExternalState, drive, exchange, push_sites
from cupola.parts.external.plumbing import Plumbing
from cupola.parts.external.quantity import SITE, model_inputs, model_outputs
from cupola.parts.external.wiring import Driven, Slot, all_slots, check_fed, group_outputs, pair, put, units_of
from cupola.parts.part import Part
from cupola.parts.shown import RecordedFields, Signal
from cupola.schema.trust import Code
from cupola.xmath import Number

state_at = reader(ExternalState)


class Interface(NamedTuple):
    """The variables of a model and their sizes; None: any variables that are mapped."""

    takes: Mapping[str, int] | None = None
    gives: Mapping[str, int] | None = None
    whole: bool = False
    """Whether it reads and writes all of them, in this order."""


class External(Part):
    """An external model. Derive your own in plain Python from this class and write `step`."""

    inputs: dict[str, str | list[str]] = Field({}, description="quantity to read: variable(s) of the model")
    outputs: dict[str, str | list[str]] = Field({}, description="quantity to drive: variable(s) of the model")
    rate_hz: float | None = Field(
        None, gt=0, description="steps per second: a divisor of physics_hz, or unset for all of it"
    )
    coupling: Literal["held", "extrapolated"] = Field(
        "held",
        description="extrapolated: inputs of the middle of the step, for a model whose outputs follow at once from its "
        "inputs or stand for the whole step; held is for one whose outputs are those at the end of the step",
    )
    isolate: bool = Field(
        False, description="in a process of its own: one that hangs or crashes ends the run, not the program"
    )
    time_limit: float = Field(2.0, gt=0, le=3600, description="[s] for a step of an isolated model; then the run ends")
    Index: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("function", "context", "every", "given_count", "taken_count"), "i8"),
        **dict.fromkeys(("model_inputs", "driven", "driven_count", "parameters", "extrapolates", "before"), "i8"),
    }
    State = ExternalState
    order = 170
    fixed: ClassVar[tuple[str, ...]] = ("rate_hz", "time_limit", "coupling")
    has_load_at_rest = False
    message = "cupola_msgs/msg/Exchange"
    _plumbing: Plumbing = PrivateAttr(default_factory=Plumbing)
    _driven: list[Driven] = PrivateAttr(default_factory=list)
    _memory_at: int = PrivateAttr(-1)

    def step(self, inputs: Any, time: float, dt: float) -> Mapping[str, Any]:
        """Model in plain Python: outputs by name, for the `dt` [s] that begin at its `time` [s].

        `inputs` has one attribute per variable: a number, or a `Vector` or `Quaternion` where a whole one is mapped.
        """
        raise NotImplementedError(f"{type(self).__name__} has no step()")

    def used_channels(self) -> tuple[int, ...]:
        """Command channels that it reads."""
        found = [name.removeprefix("channel.") for name in self.inputs if name.startswith("channel.")]
        return tuple(int(number) for number in found if number.isdigit())

    def interface(self, folder: Path, dt: float) -> Interface:
        """Inputs and outputs of the model; files are relative to `folder`, and a step lasts `dt` [s]."""
        return Interface()

    def connect(self) -> tuple[int, int]:
        """Addresses of the step and of its `context`; 0 for the latter passes its parameters."""
        self._plumbing.answer = self.respond
        return self._plumbing.address(), 0

    def respond(self, given: list[float], time: float, dt: float) -> Sequence[float]:
        """`step` with numbers instead of names."""
        found = self.step(self._plumbing.pack(given), time, dt)
        return self._plumbing.flat(found)

    def own_state(self) -> list[float]:
        """Initial state of the model, as far as the world stores it."""
        return []

    def step_parameters(self) -> list[float]:
        """Parameters passed to its step."""
        return []

    def runs_in_python(self) -> bool:
        """If it has `step`."""
        return type(self).step is not External.step

    def remembers_in_python(self) -> bool:
        """A snapshot always asks: the model may keep its state elsewhere."""
        return True

    def complaint(self, arrays: Any, row: Any) -> str:
        """The error of the model, or the name of its NaN output."""
        if status := int(state_at(arrays.state, int(row["state"])).status):
            return self.step_complaint(status)
        values = dict(zip(self.signals()[1], arrays.state[int(row["memory"]) :], strict=False))
        wrong = [f"{value:g} for {name!r}" for name, value in values.items() if not abs(value) < 1e300]
        return "gave " + ", ".join(wrong)

    def step_complaint(self, status: int) -> str:
        """The error of a step that returned `status`."""
        return self._plumbing.said() or f"failed: its step returned {status}"

    def loads_shown(self, arrays: Any, row: Any) -> Any:
        """All its outputs."""
        return arrays.state[int(row["memory"]) :][: int(row["taken_count"])]

    def cause(self) -> BaseException | None:
        """The exception that ended the last step."""
        return self._plumbing.failure

    def signals(self) -> tuple[list[str], list[str]]:
        """Names of the numbers that it reads and returns, in order."""
        return self._plumbing.signals()

    def units(self) -> dict[str, str]:
        """Of its variables, as those of the quantities that they are mapped to."""
        return self._plumbing.units

    def shown(self, row: Row) -> list[Signal]:
        """Its inputs, stored among the outputs, then its outputs, stored in its state."""
        units, found = self.units(), []
        places = (("outputs", int(row["output"])), ("state", int(row["memory"])))
        for names, (array, first) in zip(self.signals(), places, strict=True):
            found += [Signal(n, units.get(n.partition("[")[0], "1"), array, first + k) for k, n in enumerate(names)]
        return found

    def recorded(self, row: Row) -> RecordedFields:
        """One exchange: inputs and outputs with their names."""
        given, taken = self.signals()
        names = [f"input.{k}" for k in range(len(given))] + [f"output.{k}" for k in range(len(taken))]
        fields = {name: (one.array, one.place) for name, one in zip(names, self.shown(row), strict=True)}
        return RecordedFields(self.message, fields, {"input_name": given, "output_name": taken})

    def hear(self, given: list[Slot], taken: list[Slot]) -> None:
        """Set the variables that are connected as inputs and as outputs."""
        self._plumbing.wire(given, taken)

    def pushed_sites(self) -> list[PushedSite]:
        """Sites at which it applies forces, once it is bound."""
        found = []
        for one in self._driven:
            if one.kind == SITE:
                x, y, z = (int(self._memory_at + k) if k >= 0 else -1 for k in (one.first, one.force_y, one.force_z))
                found.append(PushedSite(int(one.place), (x, y, z)))
        return found

    def memory(self) -> dict[str, Any]:
        """Its fields and attributes with an underscore, without the callback."""
        kept = {**vars(self), **(self.__pydantic_private__ or {})}
        return copy.deepcopy({name: value for name, value in kept.items() if name != "_plumbing"})

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Bind inputs, driven quantities and the address of its step."""
        every = ticks_between(self.rate_hz or places.physics_hz, places.physics_hz)
        if file := self.code_file():
            places.trust.demand([Code(places.folder / file, file, f"part of kind {self.kind!r}")])
        face = self.interface(places.folder, every / places.physics_hz)
        reads = pair("inputs", self.inputs, face.takes, lambda name: model_inputs(name, places))
        drives = pair("outputs", self.outputs, face.gives, lambda name: model_outputs(name, places))
        given, taken = list(dict(reads)), list(dict(drives))
        if face.whole:
            given, taken = all_slots(face.takes or {}), all_slots(face.gives or {})
        check_fed(given, [slot for slot, _ in reads])
        self.hear(given, taken)
        self._plumbing.units = units_of({**self.inputs, **self.outputs}, places)
        function, context = self.connect()
        self._driven = group_outputs([(taken.index(slot), sink) for slot, sink in drives if sink], places)
        return {
            "every": every,
            "given_count": len(given),
            "taken_count": len(taken),
            "function": function,
            "context": context,
            "model_inputs": put(places, [number for slot in given for number in dict(reads)[slot]]),
            "driven": put(places, [number for one in self._driven for number in one]),
            "driven_count": len(self._driven),
            "parameters": put(places, self.step_parameters()),
            "extrapolates": self.coupling == "extrapolated",
            "before": len(taken) + len(self.own_state()),
        }

    def initial_memory(self) -> list[float]:
        """Its outputs, then its own state; then the inputs of the exchange before, where they are used."""
        given, taken = self.signals()
        before = [] if self.coupling == "held" else [0.0] * len(given)
        return [0.0] * len(taken) + self.own_state() + before

    def bind(self, places: BindContext) -> Row:
        """As any part; its outputs are the inputs of the model, as many as there are."""
        row = super().bind(places)
        row["output"] = self._output_at = places.output(int(row["given_count"]))
        self._memory_at = int(row["memory"])
        return row

    def _link(self, places: BindContext, row: Row) -> None:
        """It is linked to others by quantities only; a model in Python may use the names of links for its fields."""

    @staticmethod
    def exchange(p: Number, v: Views, state: ExternalState, memory: Number, tick: Number) -> Exchanged:
        """Call the model if it is due. It may read anything in the world, so it gets `v`."""
        return exchange(p, v, state, memory, tick)

    @staticmethod
    def before_step(p: Number, v: Views, memory: Number) -> None:
        """Apply joint torques and controls after those of all models were cleared; it may change any of `v`."""
        drive(p, v, memory)

    @staticmethod
    def load(p: Number, v: Views, memory: Number) -> None:
        """Apply its held wrenches at any number of sites, directly in `v`."""
        push_sites(p, v, memory)


def as_model(function: Callable[[Any, float, float], Mapping[str, Any]]) -> type[External]:
    """A plain function `f(inputs, time, dt)` as a model without parameters."""

    class Function(External):
        def step(self, inputs: Any, time: float, dt: float) -> Mapping[str, Any]:
            return function(inputs, time, dt)

    return Function
