"""The way from compiled code back into a model in Python: names for numbers, and a C function that calls it."""

import collections
import ctypes
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cupola.parts.external.wiring import Slot, say_slot
from cupola.physics.rotation import Quaternion, Vector

PACKAGE = Path(__file__).parents[2]
STEP = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4, *[ctypes.c_double] * 2)


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
        return [say_slot(s) for s in self.given], [say_slot(s) for s in self.taken]

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
            file = Path(trace.tb_frame.f_code.co_filename)
            if not file.is_relative_to(PACKAGE):
                where = f" ({file.name}:{trace.tb_lineno})"
            trace = trace.tb_next
        return f"failed: {type(error).__name__}: {error}{where}"


def _whole(numbers: list[float]) -> Any:
    if len(numbers) == 1:
        return numbers[0]
    return {3: Vector, 4: Quaternion}.get(len(numbers), lambda *values: values)(*numbers)
