"""NamedTuples of numbers as rows of an array: which numbers they have, in which order, and how they are read back."""

import functools
from typing import Any, get_type_hints


def is_record(hint: Any) -> bool:
    """Whether a type is a NamedTuple."""
    return isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")


@functools.cache
def leaves(cls: Any) -> tuple[str, ...]:
    """Dotted names of all numbers in a NamedTuple, those of nested ones in their place: `force.x`."""
    if cls is None:
        return ()
    hints, found = get_type_hints(cls), []
    for name in cls._fields:
        inside = leaves(hints[name]) if is_record(hints.get(name)) else ()
        found += [f"{name}.{leaf}" for leaf in inside] or [name]
    return tuple(found)


def size(cls: Any) -> int:
    """How many numbers a NamedTuple has."""
    return len(leaves(cls))


def flat(value: Any) -> list[float]:
    """All numbers of a NamedTuple in the order of `leaves`."""
    if isinstance(value, tuple):
        return [number for inside in value for number in flat(inside)]
    return [float(value)]


def construct(cls: Any, numbers: Any) -> Any:
    """A NamedTuple from its numbers, in the order of `leaves`."""
    return reader(cls)(numbers, 0)


def expression(cls: Any, number: str, names: dict[str, Any]) -> str:
    """Source text that builds a NamedTuple from numbers; `number` is a format of the place, as `v.state[at + {}]`.

    The classes that the text needs are added to `names`.
    """
    count = iter(range(size(cls)))

    def text(kind: Any) -> str:
        hints = get_type_hints(kind)
        names[kind.__name__] = kind
        inside = (text(hints[n]) if is_record(hints.get(n)) else number.format(next(count)) for n in kind._fields)
        return f"{kind.__name__}({', '.join(inside)})"

    return text(cls)


@functools.cache
def reader(cls: Any) -> Any:
    """A function `read(array, at)` that builds a NamedTuple from the numbers of an array; it can be compiled."""
    names: dict[str, Any] = {"__name__": __name__}
    text = f"def read(array, at):\n    return {expression(cls, 'array[at + {}]', names)}\n"
    exec(text, names)
    return names["read"]


@functools.cache
def writer(cls: Any) -> Any:
    """A function `write(array, at, value)` that puts the numbers of a NamedTuple into an array; it can be compiled."""
    names: dict[str, Any] = {"__name__": __name__}
    lines = [f"    array[at + {k}] = value.{leaf}\n" for k, leaf in enumerate(leaves(cls))]
    exec("def write(array, at, value):\n" + "".join(lines), names)
    return names["write"]


@functools.cache
def unpacker(cls: Any) -> Any:
    """A function like `flat` for NamedTuples of one shape, several times as fast."""
    count = iter(range(size(cls)))

    def pattern(kind: Any) -> str:
        hints = get_type_hints(kind)
        inside = (pattern(hints[n]) if is_record(hints.get(n)) else f"n{next(count)}" for n in kind._fields)
        return f"({', '.join(inside)},)"

    names: dict[str, Any] = {}
    numbers = ", ".join(f"n{k}" for k in range(size(cls)))
    exec(f"def unpack(value):\n    {pattern(cls)} = value\n    return [{numbers}]\n", names)
    return names["unpack"]
