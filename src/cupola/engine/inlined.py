"""Functions of ours compiled into one piece: copies whose constants have the precision of a flight, inlined wherever
they are called, so that the compiler sees every number of a vehicle at once. The text of each stays the only one.
"""

import math
from collections import namedtuple
from collections.abc import Callable
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

from cupola import xmath
from cupola.physics import noise

FAST = {"contract", "nsz", "reassoc", "arcp"}
"""What the compiler may do to sums and products. Not: to believe that no number is infinite or none at all."""
BRANCHED = (xmath.clip, xmath.absolute)
"""Of `xmath` what is written with its other functions."""


def on_the_processor(function: Any) -> Any:
    """Compile a copy for the processor, inlined into who calls it."""
    return _inlined(function, fastmath=FAST)


def as_written(function: Any) -> Any:
    """The same, every sum and product in the order in which it is written."""
    return _inlined(function)


def _inlined(function: Any, **options: Any) -> Any:
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(forceinline=True, nogil=True, error_model="numpy", **wrappers, **options)(function)


class Inliner:
    """Copies functions, and all they call, for one precision and one way to compile."""

    def __init__(
        self,
        floats: Any,
        wrap: Callable[[Any], Any],
        replaced: dict[Any, Any] | None = None,
        renamed: dict[str, str] | None = None,
    ) -> None:
        """`replaced`: what stands for a function or class; `renamed`: fields of NamedTuples that get another name."""
        self._floats, self._wrap, self._renamed = floats, wrap, renamed or {}
        self._done: dict[Any, Any] = dict(replaced or {})
        self._math = _math_in(floats)

    def replace(self, functions: dict[Any, Any]) -> None:
        """Functions of ours that stand for others."""
        for function, other in functions.items():
            self._done[function] = self.copy(other)

    def put(self, functions: dict[Any, Any]) -> None:
        """Compiled functions that stand for others."""
        self._done |= functions

    def copy(self, function: Any) -> Any:
        """A compiled copy of a function."""
        if function not in self._done:
            made = self._wrap(self._plain(function))
            self._done[function] = made
        return self._done[function]

    def _plain(self, function: Any) -> FunctionType:
        spaces = dict(function.__globals__)
        for name in _names(function.__code__):
            if name in spaces:
                spaces[name] = self._taken(spaces[name], function)
        code = self._code(function.__code__)
        defaults = self._value(function.__defaults__)
        return FunctionType(code, spaces, function.__name__, defaults, function.__closure__)

    def _taken(self, used: Any, by: Any) -> Any:
        """What a name means in a copy."""
        if used is noise.threefry and self._floats is np.float32 and by is not _threefry_in_floats:
            # A word of random bits becomes a number of 32 bits, not of 64, where it is used as one.
            return self.copy(_threefry_in_floats)
        if isinstance(used, FunctionType | type) and used in self._done:
            return self._done[used]
        if isinstance(used, FunctionType) and self._is_ours(used):
            return self.copy(used)
        if used is math:
            return self._math
        return self._class(used) if isinstance(used, type) else self._value(used)

    def _class(self, cls: Any) -> Any:
        """The same NamedTuple, with other names of some fields."""
        fields = getattr(cls, "_fields", ())
        if not set(fields) & set(self._renamed):
            return cls
        if cls not in self._done:
            self._done[cls] = namedtuple(cls.__name__, [self._renamed.get(f, f) for f in fields])
        return self._done[cls]

    def _is_ours(self, function: FunctionType) -> bool:
        if function.__module__ == xmath.__name__:
            return function in BRANCHED
        return function.__module__.partition(".")[0] not in ("numba", "numpy", "math")

    def _value(self, value: Any) -> Any:
        """A constant in the precision of the flight."""
        if type(value) is float and self._floats is not np.float64:
            with np.errstate(over="ignore"):  # a bound that no number of 32 bits reaches is infinite
                return self._floats(value)
        if isinstance(value, tuple):
            inside = [self._value(one) for one in value]
            return self._class(type(value))(*inside) if hasattr(value, "_fields") else tuple(inside)
        return value

    def _code(self, code: CodeType) -> CodeType:
        inside = tuple(self._code(c) if isinstance(c, CodeType) else self._value(c) for c in code.co_consts)
        return code.replace(co_consts=inside, co_names=tuple(self._renamed.get(n, n) for n in code.co_names))


def _names(code: CodeType) -> set[str]:
    found = set(code.co_names)
    for inside in code.co_consts:
        if isinstance(inside, CodeType):
            found |= _names(inside)
    return found


def _math_in(floats: Any) -> Any:
    """The module `math` with constants of another precision."""
    if floats is np.float64:
        return math
    made = ModuleType("math")
    for name in dir(math):
        value = getattr(math, name)
        setattr(made, name, floats(value) if type(value) is float else value)
    return made


def _threefry_in_floats(key_0: Any, key_1: Any, counter_0: Any, counter_1: Any) -> Any:
    """The words of `physics.noise.threefry` as numbers of 32 bits."""
    bits = noise_words(key_0, key_1, counter_0, counter_1)
    return noise_pair(np.float32(bits.a), np.float32(bits.b))


noise_words, noise_pair = noise.threefry, noise.Pair
