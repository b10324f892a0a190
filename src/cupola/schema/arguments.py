"""Arguments of public calls: one sentence that names what was asked for and what was given, instead of a traceback."""

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

from cupola.schema.validation_messages import describe
from cupola.schema.yaml_files import InputError


def is_number(value: Any) -> bool:
    """Whether something is a number, Python's or NumPy's; a truth value is none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def number(value: Any, what: str, low: float = -math.inf, high: float = math.inf) -> float:
    """A finite number in a range."""
    if not is_number(value):
        raise InputError(f"{what}: expected a number, got {described(value)}")
    found = float(value)
    if not (math.isfinite(found) and low <= found <= high):
        raise InputError(f"{what}: expected a finite number{_range(low, high)}, got {found:g}")
    return found


def whole_number(value: Any, what: str, low: float = -math.inf, high: float = math.inf) -> int:
    """A whole number in a range."""
    if not isinstance(value, Integral) or not is_number(value):
        raise InputError(f"{what}: expected a whole number, got {described(value)}")
    found = int(value)
    if not low <= found <= high:
        raise InputError(f"{what}: expected a whole number{_range(low, high)}, got {found}")
    return found


def numbers(values: Any, what: str, *, finite: bool = True) -> list[float]:
    """A list, tuple or array of numbers."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(f"{what}: expected a list of numbers, got {described(values)}")
    found = list(values)
    for k, one in enumerate(found):
        if not is_number(one) or (finite and not math.isfinite(one)):
            raise InputError(f"{what}[{k}]: expected a {'finite ' * finite}number, got {described(one)}")
    return [float(one) for one in found]


def text(value: Any, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise InputError(f"{what}: expected text, got {described(value)}")
    return value


def _range(low: float, high: float) -> str:
    if math.isfinite(low) and math.isfinite(high):
        return f" between {low:g} and {high:g}"
    return f" of at least {low:g}" if math.isfinite(low) else f" of at most {high:g}" if math.isfinite(high) else ""


def described(value: Any) -> str:
    """What was given, in a word or two."""
    if value is None or isinstance(value, bool | str | list | dict | float | int):
        return describe(value)
    return f"the class {value.__name__}" if isinstance(value, type) else f"{_article(type(value).__name__)}"


def _article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
