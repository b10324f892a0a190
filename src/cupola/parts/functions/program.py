"""From the functions of a vehicle file to instructions: each value once, in the order in which they need each other."""

import difflib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from cupola.parts.functions import evaluate as op
from cupola.parts.functions.table import Table
from cupola.schema.expressions import ExpressionError, Node, parse_expression

UNARY = {
    "abs": op.ABS, "sqrt": op.SQRT, "exp": op.EXP, "log": op.LOG, "sin": op.SIN, "cos": op.COS, "tan": op.TAN,
    "asin": op.ASIN, "acos": op.ACOS, "atan": op.ATAN, "floor": op.FLOOR, "ceiling": op.CEILING, "sign": op.SIGN,
}  # fmt: skip
BINARY = {"atan2": op.ATAN2, "modulo": op.MODULO}
CHAINED = {"min": op.MINIMUM, "max": op.MAXIMUM}
FUNCTIONS = {
    **dict.fromkeys(UNARY, (1, 1)),
    **dict.fromkeys(BINARY, (2, 2)),
    **dict.fromkeys(CHAINED, (1, 8)),
    "if": (3, 3),
    "clip": (3, 3),
}
"""Fewest and most arguments of each function; tables are functions too."""
SIGNS = {
    "+": op.ADD, "-": op.SUBTRACT, "*": op.MULTIPLY, "/": op.DIVIDE, "^": op.POWER, "negative": op.NEGATIVE,
    "<": op.LESS, "<=": op.AT_MOST, "==": op.EQUAL, "and": op.AND, "or": op.OR, "not": op.NOT,
}  # fmt: skip
ROUNDED = {"below": op.FLOOR, "above": op.CEILING}
MOST_AXES = 16


class Functions(NamedTuple):
    """What a part of a vehicle file says."""

    quantities: tuple[str, ...]
    """Names that the world answers; they are the first registers."""
    numbers: Mapping[str, float]
    tables: Mapping[str, Table]
    values: Mapping[str, str]


class Place(NamedTuple):
    """What a part must look up in the model: a command channel or a joint, and for which instruction."""

    kind: str
    name: str
    instruction: int


class Program(NamedTuple):
    """Instructions and data, before channels and joints are known."""

    block: tuple[float, ...]
    code: int
    """Where the instructions begin."""
    lines: int
    """How many there are."""
    result: int
    """Register of the first result."""
    wanted: Mapping[str, int]
    """Register of each value that was asked for."""
    places: tuple[Place, ...]
    used: frozenset[str]
    """Quantities that it reads."""
    tables: tuple[str, ...]
    """Names of the tables, in the order of their numbers."""


class FunctionError(ValueError):
    """What is wrong with a function, and in which it stands."""


def build(functions: Functions, wanted: Mapping[str, str]) -> Program:
    """The program that computes some expressions; what none of them needs is left out."""
    return _Builder(functions).build(wanted)


def check(functions: Functions) -> None:
    """Refuse a value that cannot be computed, also one that nobody asks for, and a name that means two things."""
    seen: dict[str, str] = {}
    kinds = {"quantity": functions.quantities, "number": functions.numbers, "table": functions.tables}
    for kind, names in {**kinds, "value": functions.values}.items():
        for name in names:
            if name in seen:
                raise FunctionError(f"{name!r} is the name of a {seen[name]} and of a {kind}; rename one")
            seen[name] = kind
    _Builder(functions).build({name: name for name in functions.values})


class _Builder:
    """Goes through expressions; equal pieces get one register."""

    def __init__(self, functions: Functions) -> None:
        self._f = functions
        self._calls = {**FUNCTIONS, **{name: _arity(table) for name, table in functions.tables.items()}}
        self._fixed: list[float] = []
        """Literals and numbers: registers behind the quantities."""
        self._registers: dict[Any, Any] = {name: ("in", k) for k, name in enumerate(functions.quantities)}
        self._lines: list[list[Any]] = []
        self._data: list[Any] = []
        """Numbers, registers, and places in the data itself."""
        self._open: list[str] = []
        self._places: list[Place] = []
        self._used: set[str] = set()
        self._told: list[str] = []
        self._stored: dict[str, int] = {}

    def build(self, wanted: Mapping[str, str]) -> Program:
        found = {name: self._text(name, text) for name, text in wanted.items()}
        inputs = len(self._f.quantities)
        result = inputs + len(self._fixed)
        code = result + len(self._lines)
        data = code + op.WIDTH * len(self._lines)

        def register(where: Any) -> int:
            kind, k = where
            return int({"in": 0, "fixed": inputs, "line": result}[kind] + k)

        lines: list[float] = []
        for operation, a, b, c, place in self._lines:
            shifted = data + place if operation in (op.LOCATE, op.LOOKUP) else place
            lines += [operation, register(a), register(b), register(c), shifted]
        numbers = [
            float(data + x.at if isinstance(x, _At) else register(x) if isinstance(x, tuple) else x) for x in self._data
        ]
        block = (*(0.0,) * inputs, *self._fixed, *(0.0,) * len(self._lines), *map(float, lines), *numbers)
        registers = {name: register(where) for name, where in found.items()}
        used = frozenset(self._used)
        return Program(block, code, len(self._lines), result, registers, tuple(self._places), used, tuple(self._told))

    def _text(self, name: str, text: str) -> Any:
        try:
            return self._node(parse_expression(text, self._calls))
        except ExpressionError as error:
            raise FunctionError(f"{name}: {error}") from None

    def _line(self, operation: int, a: Any = ("in", 0), b: Any = ("in", 0), c: Any = ("in", 0), place: int = 0) -> Any:
        key = operation, a, b, c, place
        if key not in self._registers:
            self._registers[key] = "line", len(self._lines)
            self._lines.append([*key])
        return self._registers[key]

    def _constant(self, key: Any, value: float) -> Any:
        if key not in self._registers:
            self._registers[key] = "fixed", len(self._fixed)
            self._fixed.append(value)
        return self._registers[key]

    def _node(self, node: Node) -> Any:
        kind = node.kind
        if kind == "number":
            return self._constant(("literal", node.value), node.value)
        if kind == "name":
            return self._name(node)
        if kind == "text":
            raise ExpressionError(node.at, "a text means nothing here")
        if kind == "when":
            raise ExpressionError(node.at, "'when' means nothing here; write if(condition, then, else)")
        inside = [self._node(piece) for piece in node.inside]
        if kind in self._f.tables:
            return self._lookup(kind, inside, node.at)
        return self._call(kind, inside)

    def _call(self, kind: str, inside: list[Any]) -> Any:
        if kind in (">", ">="):
            return self._line(SIGNS["<" if kind == ">" else "<="], inside[1], inside[0])
        if kind in SIGNS:
            return self._line(SIGNS[kind], *inside)
        if kind in UNARY or kind in BINARY:
            return self._line({**UNARY, **BINARY}[kind], *inside)
        if kind in CHAINED:
            found = inside[0]
            for other in inside[1:]:
                found = self._line(CHAINED[kind], found, other)
            return found
        if kind == "clip":
            return self._line(op.MINIMUM, self._line(op.MAXIMUM, inside[0], inside[1]), inside[2])
        return self._line(op.IF, *inside)

    def _name(self, node: Node) -> Any:
        name, f = node.word, self._f
        if name in f.values:
            return self._value(name, node.at)
        if name in f.numbers:
            return self._constant(("number", name), f.numbers[name])
        if name in f.tables:
            arguments = [self._text(f"tables.{name}.over", axis) for axis in f.tables[name].over]
            return self._lookup(name, arguments, node.at)
        if name in f.quantities:
            self._used.add(name)
            return self._registers[name]
        for kind, operation in (("channel", op.CHANNEL), ("joint", op.JOINT)):
            inside = _named_inside(name, kind)
            if inside:
                return self._place(kind, inside, operation)
        known = [*f.values, *f.numbers, *f.tables, *f.quantities, "channel[0]", "joint.NAME"]
        near = difflib.get_close_matches(name, known, n=4, cutoff=0.5)
        said = f"the nearest: {', '.join(near)}" if near else f"there are: {', '.join(known)}"
        raise ExpressionError(node.at, f"there is no {name!r}; {said}")

    def _place(self, kind: str, name: str, operation: int) -> Any:
        key = kind, name
        if key not in self._registers:
            self._places.append(Place(kind, name, len(self._lines)))
            self._registers[key] = "line", len(self._lines)
            self._lines.append([operation, ("in", 0), ("in", 0), ("in", 0), 0])
        return self._registers[key]

    def _value(self, name: str, at: int) -> Any:
        key = "value", name
        if key in self._registers:
            return self._registers[key]
        if name in self._open:
            round_ = " -> ".join([*self._open[self._open.index(name) :], name])
            raise FunctionError(f"values.{name} needs itself: {round_}")
        self._open.append(name)
        self._registers[key] = found = self._text(f"values.{name}", self._f.values[name])
        self._open.pop()
        return found

    def _lookup(self, name: str, arguments: list[Any], at: int) -> Any:
        table = self._f.tables[name]
        grid = table.grid()
        if len(grid.breaks) > MOST_AXES:
            raise ExpressionError(at, f"a table has at most {MOST_AXES} variables, {name} has {len(grid.breaks)}")
        if name not in self._told:
            self._told.append(name)
        number, places = self._told.index(name) + 1, []
        for k, (breaks, x) in enumerate(zip(grid.breaks, arguments, strict=True)):
            place = self._line(op.LOCATE, x, place=self._axis(breaks, _bits(table, grid.values, k), number))
            if table.method == "nearest":
                half = self._constant(("literal", 0.5), 0.5)
                place = self._line(op.FLOOR, self._line(op.ADD, place, half))
            elif table.method in ROUNDED:
                place = self._line(ROUNDED[table.method], place)
            places.append(place)
        key = "lookup", name, *places
        if key not in self._registers:
            self._registers[key] = self._line(op.LOOKUP, place=self._record(name, grid, places))
        return self._registers[key]

    def _axis(self, breaks: tuple[float, ...], bits: int, number: int) -> int:
        """Axes with the same breaks and habits are one, so that a place on it is found once for all their tables."""
        key = "axis", breaks, bits
        if key not in self._registers:
            self._registers[key] = len(self._data)
            self._data += [len(breaks), bits, number, *breaks]
        return int(self._registers[key])

    def _record(self, name: str, grid: Any, places: list[Any]) -> int:
        if name not in self._stored:
            self._stored[name] = len(self._data)
            self._data += grid.values.ravel().tolist()
        start, stride = len(self._data), grid.values.size
        record: list[Any] = [len(places), _At(self._stored[name])]
        for breaks, place in zip(grid.breaks, places, strict=True):
            stride //= len(breaks)
            record += [place, len(breaks), stride]
        self._data += record
        return start


class _At(NamedTuple):
    """A place in the data."""

    at: int


def _named_inside(name: str, kind: str) -> str:
    """`3` of `channel[3]`, `flap` of `joint.flap`; empty for another name."""
    if kind == "channel":
        return name[8:-1] if name.startswith("channel[") else ""
    return name.removeprefix("joint.") if name.startswith("joint.") else ""


def _arity(table: Table) -> tuple[int, int]:
    """A table is called with all its variables."""
    return len(table.over), len(table.over)


def _bits(table: Table, values: Any, axis: int) -> int:
    """What an axis does beyond its ends. Where a table is level at an end, holding it means nothing was lost."""
    bits = op.LOW_EXTENDS | op.HIGH_EXTENDS if table.outside == "extend" else 0
    along = np.moveaxis(values, axis, 0)
    if len(along) < 2 or not np.array_equal(along[0], along[1]):
        bits |= op.LOW_IS_TOLD
    if len(along) < 2 or not np.array_equal(along[-1], along[-2]):
        bits |= op.HIGH_IS_TOLD
    return bits
