"""A model from outside: it reads joints, motion and air, and drives sites, joints or actuators.

One interface, whoever is behind it: a class in plain Python, an FMU, a shared library, another process. `inputs` and
`outputs` map quantities of ours (`parts/quantity.py`) to variables of the model. Every `1/rate_hz` the loop reads the
inputs, calls the model once for the step ahead, and holds its outputs for that step. Behind each is one C function,

    int step(const double *in, double *out, double *state, const void *context, double time, double dt);

which returns 0, or what went wrong. `time` [s] is the model's own: it begins with 0 when the model is reset.
"""

import collections
import copy
import ctypes
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from pydantic import Field, PrivateAttr

from cupola.parts.part import Part, Places, Row, ticks_between
from cupola.parts.quantity import SITE, Sink, sinks, taps, unit
from cupola.physics.rotation import Quaternion, Vector

Slot = tuple[str, int]
"""A variable of a model, and which of its numbers."""
Pairs = list[tuple[Slot, Any]]
STEP = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4, *[ctypes.c_double] * 2)
AGE, STATUS, OUT = 0, 1, 2
"""In the state of a model: its ticks since it was reset, what its step returned, then its outputs and its own state."""
SINK = 9
"""Numbers of a sink in the pool: kind, index, body, and the outputs that drive it, six of a wrench; -1 for none."""
EXTERNAL = np.dtype(
    [
        (name, "i8")
        for name in (
            *("vehicle", "function", "context", "every", "state", "shown", "given", "taken"),
            *("taps", "sinks", "sunk", "parameters"),
        )
    ]
)
"""Row of a model; `taps`, `sinks` and `parameters` are places in the pool."""


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
    _plumbing: "Plumbing" = PrivateAttr(default_factory=lambda: Plumbing())

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
        reads = _pair("inputs", self.inputs, face.takes, lambda name: taps(name, places))
        drives = _pair("outputs", self.outputs, face.gives, lambda name: sinks(name, places))
        given, taken = list(dict(reads)), list(dict(drives))
        if face.whole:
            given, taken = _slots(face.takes or {}), _slots(face.gives or {})
        _check_fed(given, [slot for slot, _ in reads])
        self.hear(given, taken)
        self._plumbing.units = _units({**self.inputs, **self.outputs}, places)
        row = np.zeros((), EXTERNAL)
        row["vehicle"], row["every"] = places.vehicle, every
        row["given"], row["taken"] = len(given), len(taken)
        row["function"], row["context"] = self.connect()
        row["state"] = places.state(*[0.0] * (OUT + len(taken)), *self.start())
        row["shown"] = places.output(len(given))
        row["taps"] = _pool(places, [number for slot in given for number in dict(reads)[slot]])
        driven = _grouped([(taken.index(slot), sink) for slot, sink in drives if sink], places)
        row["sinks"], row["sunk"] = _pool(places, driven), len(driven) // SINK
        row["parameters"] = _pool(places, self.numbers())
        return row


def as_model(function: Callable[[Any, float, float], Mapping[str, Any]]) -> type[External]:
    """A plain function `f(inputs, time, dt)` as a model without numbers of its own."""

    class Function(External):
        def step(self, inputs: Any, time: float, dt: float) -> Mapping[str, Any]:
            return function(inputs, time, dt)

    return Function


class Plumbing:
    """Between a part and compiled code: names of the numbers, and a way back into Python."""

    def __init__(self) -> None:
        self.given: list[Slot] = []
        self.taken: list[Slot] = []
        self.units: dict[str, str] = {}
        self.failure: BaseException | None = None
        self.answer: Callable[[list[float], float, float], Sequence[float]] | None = None
        self._called = STEP(self._step)
        self.wire([], [])

    def wire(self, given: list[Slot], taken: list[Slot]) -> None:
        """Learn the names; those of the inputs become the fields of a tuple."""
        self.given, self.taken = given, taken
        sizes = collections.Counter(name for name, _ in given)
        self._sizes = list(sizes.values())
        try:
            self._inputs: Any = collections.namedtuple("Inputs", sizes)  # type: ignore[misc]
        except ValueError:  # names like `der(x)`, which only models outside Python have
            self._inputs = None

    def signals(self) -> tuple[list[str], list[str]]:
        """Names of the numbers that come and go, in their order."""
        return [_said(s) for s in self.given], [_said(s) for s in self.taken]

    def __deepcopy__(self, _: Any) -> "Plumbing":
        return self  # addresses cannot be copied

    def address(self) -> int:
        """Of a C function that calls `answer`."""
        return ctypes.cast(self._called, ctypes.c_void_p).value or 0

    def _step(self, given: int, taken: int, state: int, context: int, time: float, dt: float) -> int:
        """A step in Python. Nothing may be raised into compiled code: it is kept for the one who stops the run."""
        assert self.answer
        self.failure = None
        try:
            numbers = list((ctypes.c_double * len(self.given)).from_address(given)) if self.given else []
            results = self.answer(numbers, time, dt)
            if len(results) != len(self.taken):
                raise ValueError(f"it gave {len(results)} numbers, expected {len(self.taken)}")
            if self.taken:
                (ctypes.c_double * len(results)).from_address(taken)[:] = list(results)
        except BaseException as error:
            self.failure = error
            return 1
        return 0

    def pack(self, given: list[float]) -> Any:
        """Inputs by name."""
        if self._inputs is None:
            raise ValueError(f"inputs of a model in Python need names of Python, got {self.signals()[0]}")
        values, at = [], 0
        for size in self._sizes:
            values.append(_whole(given[at : at + size]))
            at += size
        return self._inputs(*values)

    def flat(self, found: Mapping[str, Any]) -> list[float]:
        """Outputs in the order of their slots."""
        numbers = []
        for name, k in self.taken:
            if name not in found:
                raise ValueError(f"{name!r} is not among what it returned: {', '.join(map(repr, found)) or 'nothing'}")
            value = found[name]
            numbers.append(float(value[k] if isinstance(value, Sequence | np.ndarray) else value))
        return numbers

    def said(self) -> str:
        """The exception in words, with the line of the user's file."""
        error = self.failure
        if error is None:
            return ""
        trace, where = error.__traceback__, ""
        while trace:
            code = trace.tb_frame.f_code
            where = f" ({Path(code.co_filename).name}:{trace.tb_lineno})" if code.co_filename != __file__ else where
            trace = trace.tb_next
        return f"failed: {type(error).__name__}: {error}{where}"


def _whole(numbers: list[float]) -> Any:
    if len(numbers) == 1:
        return numbers[0]
    return {3: Vector, 4: Quaternion}.get(len(numbers), lambda *values: values)(*numbers)


def _said(slot: Slot) -> str:
    name, k = slot
    return f"{name}[{k}]" if k else name


def _slots(sizes: Mapping[str, int]) -> list[Slot]:
    return [(name, k) for name, size in sizes.items() for k in range(size)]


def _pair(key: str, mapping: Any, sizes: Mapping[str, int] | None, find: Callable[[str], Any]) -> Pairs:
    """Numbers of the model beside those of ours."""
    pairs: Pairs = []
    for quantity, variables in mapping.items():
        names = [variables] if isinstance(variables, str) else variables
        try:
            ours = find(quantity)
            theirs = _theirs(names, sizes, len(ours))
        except ValueError as error:
            raise ValueError(f"{key}: {quantity}: {error}") from None
        if len(theirs) != len(ours):
            raise ValueError(
                f"{key}: {quantity}: it has {len(ours)} numbers, but {', '.join(names)} together {len(theirs)}"
            )
        pairs += zip(theirs, ours, strict=True)
    return pairs


def _units(mapping: dict[str, Any], places: Places) -> dict[str, str]:
    pairs = [(names if isinstance(names, list) else [names], unit(name, places)) for name, names in mapping.items()]
    return {name: said for names, said in pairs for name in names}


def _theirs(names: list[str], sizes: Mapping[str, int] | None, wanted: int) -> list[Slot]:
    if sizes is None:
        return _slots({names[0]: wanted}) if len(names) == 1 else [(name, 0) for name in names]
    unknown = [name for name in names if name not in sizes]
    if unknown:
        raise ValueError(f"the model has no such variable {unknown[0]!r}; it has: {', '.join(sizes) or 'none'}")
    return [slot for name in names for slot in _slots({name: sizes[name]})]


def _check_fed(given: list[Slot], fed: list[Slot]) -> None:
    """Each number of the inputs comes from one place."""
    for slot in fed:
        if fed.count(slot) > 1:
            raise ValueError(f"inputs: the variable {_said(slot)!r} is fed twice")
    hungry = [_said(slot) for slot in given if slot not in fed]
    if hungry:
        raise ValueError(f"inputs: nothing feeds the variable {hungry[0]!r} of the model; it needs {', '.join(hungry)}")


def _pool(places: Places, numbers: list[Any]) -> int:
    start = len(places.pool)
    places.pool += [float(number) for number in numbers]
    return start


def _grouped(drives: list[tuple[int, Sink]], places: Places) -> list[float]:
    """Sinks as the loop reads them: the six numbers of a wrench together."""
    found: dict[tuple[int, int], list[float]] = {}
    for source, sink in drives:
        body = places.body_of(sink.place) if sink.kind == SITE else 0
        row = found.setdefault((sink.kind, sink.place), [sink.kind, sink.place, body, *[-1.0] * 6])
        if row[3 + sink.component] >= 0:
            raise ValueError("outputs: the same number is driven twice")
        row[3 + sink.component] = source
    return [number for row in found.values() for number in row]
