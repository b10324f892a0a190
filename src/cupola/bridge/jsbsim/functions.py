"""Functions and tables of JSBSim as expressions."""

import math
from collections.abc import Callable
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.formulas import Formulas, number, plain_name, stem
from cupola.parts.functions.table import Table
from cupola.schema.input_files import finite
from cupola.schema.yaml_files import InputError

Array = np.ndarray
CALLS = {
    "abs": "abs", "sqrt": "sqrt", "exp": "exp", "ln": "log", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin",
    "acos": "acos", "atan": "atan", "floor": "floor", "ceil": "ceiling", "atan2": "atan2",
}  # fmt: skip
TRUNCATED = "(sign({0}) * floor(abs({0})))"
WRITTEN = {
    "sign": "if({0} < 0, -1, 1)",  # JSBSim's: 1 of zero
    "integer": TRUNCATED,
    "fraction": f"({{0}} - {TRUNCATED})",
    "fmod": "({0} - {1} * sign({0} / {1}) * floor(abs({0} / {1})))",
}
"""Operations written out."""
COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=="}
SCALED = {"toradians": math.pi / 180.0, "todegrees": 180.0 / math.pi, "log2": 1.0 / math.log(2.0)}
SCALED |= {"log10": 1.0 / math.log(10.0)}
SILENT = ("description", "documentation")
TWO = ("quotient", "pow", "atan2", "mod", "fmod", "nq", "ne", *COMPARED)
ONE = (*(name for name in CALLS if name != "atan2"), *SCALED, "sign", "integer", "fraction", "not")
MANY = ("product", "sum", "difference", "and", "or", "min", "max", "avg", "switch", "interpolate1d")
TAKES = {**dict.fromkeys(ONE, 1), **dict.fromkeys(TWO, 2), "ifthen": 3, "pi": 0}
"""How many arguments an operation has; `MANY` have one or more."""


class Translator:
    """Writes expressions; `named` gives that of a property, tables are collected."""

    def __init__(self, formulas: Formulas, named: Callable[[str], str]) -> None:
        self.formulas, self.named = formulas, named
        self.tables: dict[str, Table] = {}

    def function(self, element: ET.Element) -> str:
        """What stands inside a <function>."""
        inside = [piece for piece in element if piece.tag not in SILENT]
        if len(inside) != 1:
            raise InputError(f"a function has one operation, {element.get('name')} has {len(inside)}")
        return self.text(inside[0])

    def text(self, element: ET.Element) -> str:
        """The expression of an element."""
        f, tag = self.formulas, element.tag
        if tag in ("value", "v"):
            return number(_finite(element.text or "", f"<{tag}>"))
        if tag in ("property", "p"):
            return self.signed(element.text or "")
        if tag in ("table", "t"):
            return self.table(element)
        pieces = [piece for piece in element if piece.tag not in SILENT]
        if len(pieces) != TAKES.get(tag, max(int(tag in MANY), len(pieces))):
            raise InputError(f"<{tag}> has {len(pieces)} arguments, expected {TAKES.get(tag, 'one or more')}")
        if tag == "interpolate1d":
            return self._between(pieces)
        inside = [self.text(piece) for piece in pieces]
        if tag in ("product", "sum"):
            return f.chain("*" if tag == "product" else "+", inside)
        if tag in ("and", "or"):
            return f.chain(tag, inside)
        if tag == "difference":
            return f"({f.short(inside[0])} - {f.chain('+', inside[1:])})" if inside[1:] else inside[0]
        if tag == "quotient":
            return f"({f.short(inside[0])} / {f.short(inside[1])})"
        if tag == "pow":
            return f"({f.short(inside[0])} ^ {f.short(inside[1])})"
        if tag in ("min", "max"):
            return f.nested(tag, inside)
        if tag == "avg":
            return f"({f.chain('+', inside)} / {len(inside)})"
        if tag in COMPARED:
            return f"({f.short(inside[0])} {COMPARED[tag]} {f.short(inside[1])})"
        if tag in ("nq", "ne"):
            return f"(not ({f.short(inside[0])} == {f.short(inside[1])}))"
        if tag == "not":
            return f"(not {f.short(inside[0])})"
        if tag == "ifthen":
            return f.call("if", *inside)
        if tag in ("toradians", "todegrees"):
            return f"({f.short(inside[0])} * {number(SCALED[tag])})"
        if tag in SCALED:
            return f"({f.call('log', inside[0])} * {number(SCALED[tag])})"
        if tag == "pi":
            return number(math.pi)
        if tag in WRITTEN:
            return f.short(WRITTEN[tag].format(*(f.named(piece) for piece in inside)))
        if tag == "mod":  # of whole numbers
            whole = [f.named(TRUNCATED.format(f.named(piece))) for piece in inside]
            return f.short(WRITTEN["fmod"].format(*whole))
        if tag == "switch":
            return self._chosen(inside)
        if tag in CALLS:
            return f.call(CALLS[tag], *inside)
        raise InputError(f"the operation <{tag}> is not read here")

    def _chosen(self, inside: list[str]) -> str:
        """One of some values by the number before them, rounded; beyond them, where JSBSim stops, the first or last."""
        if len(inside) < 2:
            raise InputError("<switch> has a number and at least one value")
        found, which = inside[-1], self.formulas.named(inside[0])
        for place in range(len(inside) - 2, 0, -1):
            found = self.formulas.call("if", f"{which} < {place - 0.5}", inside[place], found)
        return found

    def _between(self, pieces: list[ET.Element]) -> str:
        """Linear between pairs of numbers."""
        first, *pairs = pieces
        if len(pairs) < 2 or len(pairs) % 2 or any(piece.tag not in ("value", "v") for piece in pairs):
            raise InputError("<interpolate1d> is read with pairs of <value> behind its argument only")
        numbers = [_finite(piece.text or "", "<interpolate1d>") for piece in pairs]
        name = self.kept(self.formulas.owner, [np.array(numbers[::2])], np.array(numbers[1::2]))
        return self.formulas.call(name, self.text(first))

    def signed(self, text: str) -> str:
        """A property with the minus that may stand before its name."""
        name = text.strip()
        return f"(-{self.named(name[1:])})" if name.startswith("-") else self.named(name)

    def table(self, element: ET.Element) -> str:
        """Call of a table with the properties that it names."""
        variables = {one.get("lookup", "row"): (one.text or "").strip() for one in element.findall("independentVar")}
        names = [variables[key] for key in ("row", "column", "table") if key in variables]
        if not names:
            raise InputError(f"the table {element.get('name', '')} names no variable")
        order = names if len(names) < 3 else [names[2], names[0], names[1]]
        return self.formulas.call(self._stored(element, len(names)), *(self.signed(one) for one in order))

    def table_over(self, element: ET.Element, row: str, column: str | None) -> str:
        """Call of a table that names no property with one or two expressions; a table of one ignores the second."""
        text = (element.findtext("tableData") or "").strip().splitlines()
        two = len(text) > 1 and len(text[0].split()) != len(text[1].split())
        if two and column is None:
            raise InputError(f"the table {element.get('name', '')} has two variables, and the second is fixed")
        return self.formulas.call(self._stored(element, 2 if two else 1), *([row, str(column)] if two else [row]))

    def _stored(self, element: ET.Element, count: int) -> str:
        """The name of a table that was kept."""
        pages = element.findall("tableData")
        if not pages:
            raise InputError(f"the table {element.get('name', '')} has no data")
        axes, values = _pages(pages) if count == 3 else _page(pages[0], count)
        return self.kept(element.get("name") or self.formulas.owner, axes, values)

    def kept(self, owner: str, axes: list[Array], values: Array) -> str:
        """The name of a table that is kept."""
        wanted = f"{stem(plain_name(owner))}_table"
        name, k = wanted, 1
        while name in self.tables:
            k += 1
            name = f"{wanted}_{k}"
        keys = [f"x{k}" for k in range(len(axes))]
        over = {key: axis.tolist() for key, axis in zip(keys, axes, strict=True)}
        self.tables[name] = Table(over=over, values=values.ravel().tolist())
        return name


def _page(element: ET.Element, count: int) -> tuple[list[Array], Array]:
    """Axes and values of a table of one or two variables."""
    text = [line.split() for line in (element.text or "").splitlines() if line.split()]
    lines = [[_finite(cell, f"<tableData> line {k + 1}") for cell in line] for k, line in enumerate(text)]
    if count == 1:
        cells = [cell for line in lines for cell in line]
        if not cells or len(cells) % 2:
            raise InputError(f"<tableData> of one variable needs pairs of numbers, got {len(cells)} numbers")
        table = np.array(cells).reshape(-1, 2)
        return [table[:, 0]], table[:, 1]
    if len(lines) < 2:
        raise InputError(f"<tableData> of two variables needs a line of columns and lines of rows, got {len(lines)}")
    for k, line in enumerate(lines[1:]):
        if len(line) != len(lines[0]) + 1:
            wide = f"expected a break and {len(lines[0])} values"
            raise InputError(f"<tableData> line {k + 2} has {len(line)} numbers, {wide}")
    columns, rows = np.array(lines[0]), np.array(lines[1:])
    return [rows[:, 0], columns], rows[:, 1:]


def _pages(pages: list[ET.Element]) -> tuple[list[Array], Array]:
    """A table of three variables; its pages may have breaks of their own, so all of them get all breaks."""
    found = [_page(page, 2) for page in pages]
    rows, columns = (np.unique(np.concatenate([axes[k] for axes, _ in found])) for k in (0, 1))
    values = np.array([_refined(axes, table, rows, columns) for axes, table in found])
    breaks = [_finite(page.get("breakPoint", ""), f"breakPoint of <tableData> {k + 1}") for k, page in enumerate(pages)]
    return [np.array(breaks), rows, columns], values


def _finite(text: str, where: str) -> float:
    found = finite(text)
    if found is None:
        raise InputError(f"{where}: expected a finite number, got {text.strip()!r}")
    return found


def _refined(axes: list[Array], table: Array, rows: Array, columns: Array) -> Array:
    """The same function on a finer grid: linear between breaks and held outside, so nothing is lost."""
    across = np.array([np.interp(columns, axes[1], line) for line in table])
    return np.array([np.interp(rows, axes[0], across[:, k]) for k in range(len(columns))]).T
