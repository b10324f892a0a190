"""A model from outside: it reads joints, motion and air, and drives sites, joints or actuators.

One interface, whoever is behind it: a class in plain Python, an FMU, a shared library, another process. `inputs` and
`outputs` map quantities of ours (`quantity.py`) to variables of the model. Every `1/rate_hz` the loop reads the
inputs, calls the model once for the step ahead, and holds its outputs for that step. Behind each is one C function,

    int step(const double *in, double *out, double *state, const void *context, double time, double dt);

which returns 0, or what went wrong. `time` [s] is the model's own: it begins with 0 when the model is reset.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from pydantic import Field, PrivateAttr

from cupola.parts.external.plumbing import Plumbing
from cupola.parts.external.quantity import sinks, taps
from cupola.parts.external.wiring import SINK, Slot, all_slots, check_fed, group_sinks, pair, put, units_of
from cupola.parts.part import Part, Places, Row, ticks_between

AGE, STATUS, OUT = 0, 1, 2
"""In the state of a model: its ticks since it was reset, what its step returned, then its outputs and its own state."""
COLUMNS = "vehicle function context every state shown given taken taps sinks sunk parameters"
EXTERNAL = np.dtype([(name, "i8") for name in COLUMNS.split()])
"""Row of a model: its step, where its state and its inputs lie, how many of them, and places in the pool."""


class Interface(NamedTuple):
    """The variables of a model and how many numbers each has; None stands for whatever is mapped."""

    takes: Mapping[str, int] | None = None
    gives: Mapping[str, int] | None = None
    whole: bool = False
    """Whether it reads and writes all of them, in this order."""


class External(Part):
    """A model from outside. One in plain Python derives from this and writes `step`."""

    inputs: dict[str, str | list[str]] = Field({}, description="quantity to read: variable(s) of the model")
    outputs: dict[str, str | list[str]] = Field({}, description="quantity to drive: variable(s) of the model")
    rate_hz: float | None = Field(
        None, gt=0, description="steps per second: a divisor of physics_hz, or unset for all of it"
    )
    fixed: ClassVar[tuple[str, ...]] = ("rate_hz",)
    apart: ClassVar[bool] = False
    """Whether what it remembers lies neither in the world nor in the part."""
    _plumbing: Plumbing = PrivateAttr(default_factory=Plumbing)

    def step(self, inputs: Any, time: float, dt: float) -> Mapping[str, Any]:
        """Model in plain Python: outputs by name, for the `dt` [s] that begin at its `time` [s].

        `inputs` has one attribute per variable: a number, or a `Vector` or `Quaternion` where a whole one is mapped.
        """
        raise NotImplementedError(f"{type(self).__name__} has no step()")

    def used_channels(self) -> tuple[int, ...]:
        """Channels it reads."""
        found = [name.removeprefix("channel.") for name in self.inputs if name.startswith("channel.")]
        return tuple(int(number) for number in found if number.isdigit())

    def interface(self, folder: Path, dt: float) -> Interface:
        """What the model takes and gives; files are looked up from `folder`, and a step will last `dt` [s]."""
        return Interface()

    def connect(self) -> tuple[int, int]:
        """Addresses of the step and of what it is given as `context`; 0 for the latter means: its parameters."""
        self._plumbing.answer = self.respond
        return self._plumbing.address(), 0

    def respond(self, given: list[float], time: float, dt: float) -> Sequence[float]:
        """Numbers for numbers: what `step` does with names."""
        found = self.step(self._plumbing.pack(given), time, dt)
        return self._plumbing.flat(found)

    def start(self) -> list[float]:
        """State of the model that the world keeps for it, at its start."""
        return []

    def numbers(self) -> list[float]:
        """Parameters that its step is given."""
        return []

    def complaint(self, status: int) -> str:
        """What was wrong with a step that returned `status`."""
        return self._plumbing.said() or f"failed: its step returned {status}"

    def cause(self) -> BaseException | None:
        """The exception that ended the last step."""
        return self._plumbing.failure

    def signals(self) -> tuple[list[str], list[str]]:
        """Names of the numbers it reads and gives, in their order."""
        return self._plumbing.signals()

    def units(self) -> dict[str, str]:
        """Of its variables, as those of the quantities that they are mapped to."""
        return self._plumbing.units

    def hear(self, given: list[Slot], taken: list[Slot]) -> None:
        """Which variables it will be given, and which it shall give."""
        self._plumbing.wire(given, taken)

    def memory(self) -> dict[str, Any]:
        """Its fields and what it keeps under names with an underscore, without the plumbing."""
        kept = {**vars(self), **(self.__pydantic_private__ or {})}
        return copy.deepcopy({name: value for name, value in kept.items() if name != "_plumbing"})

    def bind(self, places: Places) -> Row:
        """Wire it up: taps, sinks, state and the address of its step."""
        every = ticks_between(self.rate_hz or places.physics_hz, places.physics_hz)
        face = self.interface(places.folder, every / places.physics_hz)
        reads = pair("inputs", self.inputs, face.takes, lambda name: taps(name, places))
        drives = pair("outputs", self.outputs, face.gives, lambda name: sinks(name, places))
        given, taken = list(dict(reads)), list(dict(drives))
        if face.whole:
            given, taken = all_slots(face.takes or {}), all_slots(face.gives or {})
        check_fed(given, [slot for slot, _ in reads])
        self.hear(given, taken)
        self._plumbing.units = units_of({**self.inputs, **self.outputs}, places)
        row = np.zeros((), EXTERNAL)
        row["vehicle"], row["every"] = places.vehicle, every
        row["given"], row["taken"] = len(given), len(taken)
        row["function"], row["context"] = self.connect()
        row["state"] = places.state(*[0.0] * (OUT + len(taken)), *self.start())
        row["shown"] = places.output(len(given))
        row["taps"] = put(places, [number for slot in given for number in dict(reads)[slot]])
        driven = group_sinks([(taken.index(slot), sink) for slot, sink in drives if sink], places)
        row["sinks"], row["sunk"] = put(places, driven), len(driven) // SINK
        row["parameters"] = put(places, self.numbers())
        return row


def as_model(function: Callable[[Any, float, float], Mapping[str, Any]]) -> type[External]:
    """A plain function `f(inputs, time, dt)` as a model without numbers of its own."""

    class Function(External):
        def step(self, inputs: Any, time: float, dt: float) -> Mapping[str, Any]:
            return function(inputs, time, dt)

    return Function
