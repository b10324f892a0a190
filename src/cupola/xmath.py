"""One name per mathematical function, for floats, arrays, tracers and compiled code.

`physics/` is written once and runs four ways because it uses only these names: a plain float goes to `math`, an array
or a JAX tracer to its own namespace (`x.__array_namespace__()`), and inside compiled code Numba sees the overloads that
`cupola.kernel.jit` installs. `where` evaluates both sides, so both sides must stay finite.
"""

import math
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

Number = Any
"""A float, a NumPy or JAX array, or a tracer. Compiled code sees a float."""
Unary = Callable[[Number], Number]


def _namespace(*values: Number) -> Any:
    """The array namespace of `values`, or None when all are plain numbers.

    NumPy gives way to any other: its floats are arrays too, and a parameter must not pull a tracer into NumPy.
    """
    found = None
    for value in values:
        if hasattr(value, "__array_namespace__"):
            found = value.__array_namespace__()
            if found.__name__ != "numpy":
                return found
    return found


def _unary(name: str, on_float: Callable[[float], float]) -> Callable[[Number], Number]:
    def function(x: Number) -> Number:
        xp = _namespace(x)
        return on_float(x) if xp is None else getattr(xp, name)(x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name}(x), elementwise on arrays."
    return function


sin: Unary = _unary("sin", math.sin)
cos: Unary = _unary("cos", math.cos)
tan: Unary = _unary("tan", math.tan)
asin: Unary = _unary("asin", math.asin)
acos: Unary = _unary("acos", math.acos)
atan: Unary = _unary("atan", math.atan)
exp: Unary = _unary("exp", math.exp)
expm1: Unary = _unary("expm1", math.expm1)
log: Unary = _unary("log", math.log)
sqrt: Unary = _unary("sqrt", math.sqrt)
tanh: Unary = _unary("tanh", math.tanh)
floor: Unary = _unary("floor", math.floor)


def atan2(y: Number, x: Number) -> Number:
    """Angle of the point (x, y) [rad]."""
    xp = _namespace(y, x)
    return math.atan2(y, x) if xp is None else xp.atan2(*_both(xp, y, x))


def power(x: Number, y: Number) -> Number:
    """`x` to the power `y`."""
    xp = _namespace(x, y)
    return math.pow(x, y) if xp is None else xp.pow(*_both(xp, x, y))


def minimum(a: Number, b: Number) -> Number:
    """Smaller of two numbers."""
    xp = _namespace(a, b)
    return (a if a < b else b) if xp is None else xp.minimum(a, b)


def maximum(a: Number, b: Number) -> Number:
    """Larger of two numbers."""
    xp = _namespace(a, b)
    return (a if a > b else b) if xp is None else xp.maximum(a, b)


def clip(x: Number, low: Number, high: Number) -> Number:
    """`x` limited to [low, high]."""
    return minimum(maximum(x, low), high)


def absolute(x: Number) -> Number:
    """Absolute value."""
    return where(x < 0.0, -x, x)


def where(condition: Number, a: Number, b: Number) -> Number:
    """`a` where `condition` holds, else `b`. Both are evaluated."""
    xp = _namespace(condition)
    if xp is None:
        return a if condition else b
    return xp.where(condition, a, b)


def both(a: Number, b: Number) -> Number:
    """Logical and of two conditions."""
    xp = _namespace(a, b)
    return (a and b) if xp is None else xp.logical_and(a, b)


def take(table: Number, index: Number) -> Number:
    """Entry `index` of a 1-D table; `index` may itself be an array."""
    xp = _namespace(index, table)
    return table[index] if xp is None else xp.asarray(table)[index]


def interval(breaks: Number, x: Number) -> Number:
    """Index i of the segment [breaks[i], breaks[i+1]] that holds `x`; the end segments also take what lies outside."""
    last = len(breaks) - 2
    xp = _namespace(x, breaks)
    if xp is None:
        return min(max(bisect_right(breaks, x) - 1, 0), last)
    return xp.clip(xp.searchsorted(xp.asarray(breaks), x, side="right") - 1, 0, last)


def _both(xp: Any, a: Number, b: Number) -> tuple[Number, Number]:
    """Two arguments as arrays of one namespace (some array functions refuse plain floats)."""
    return xp.asarray(a), xp.asarray(b)
