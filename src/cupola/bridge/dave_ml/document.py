"""A DAVE-ML file as functions: variables, tables, what goes in and out, and the check cases it carries."""

import itertools
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.dave_ml.grids import Points, gridded
from cupola.bridge.dave_ml.mathml import MathMl, only
from cupola.bridge.dave_ml.scattered import NOTE, triangles
from cupola.bridge.dave_ml.shots import Shot, read_shots
from cupola.bridge.dave_ml.splines import ENDS as ENDS_OPEN
from cupola.bridge.dave_ml.splines import SPLINES, pieces, product
from cupola.bridge.dave_ml.variable import Variable
from cupola.bridge.formulas import Formulas, number, plain_name, stem
from cupola.parts.functions.program import Functions, check
from cupola.parts.functions.table import Table
from cupola.schema.input_files import InputError, boundary, finite
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import is_endless, read_plain_xml

METHODS = {"linear": "linear", "discrete": "nearest", "floor": "below", "ceiling": "above"}
ENDS = ("neither", "min", "max", "both")
"""At which ends of its breaks a variable is extrapolated."""
INPUTS = ("isInput", "isControl", "isDisturbance")
"""Marks of variables that somebody must give."""


class DaveModel(NamedTuple):
    """A file."""

    path: Path
    variables: dict[str, Variable]
    """By ID."""
    tables: dict[str, Table]
    constants: dict[str, float]
    values: dict[str, str]
    shots: list[Shot]
    unread: tuple[str, ...]
    """Elements that say something of which nothing here knows, as uncertainties."""
    notes: tuple[tuple[str, str], ...] = ()
    """What the file leaves open, and what was taken."""

    def inputs(self) -> list[Variable]:
        """Variables that somebody must give."""
        return [one for one in self.variables.values() if one.is_input]

    def outputs(self) -> list[Variable]:
        """Variables that it is there for."""
        return [one for one in self.variables.values() if one.is_output]

    def functions(self) -> Functions:
        """Its content with its inputs as quantities."""
        return Functions(tuple(one.raw for one in self.inputs()), self.constants, self.tables, self.values)


def read_dave_ml(path: Path) -> DaveModel:
    """Read a file; what is not understood is refused by its name."""
    root = read_plain_xml(path, "DAVEfunc")
    with boundary(path, "cannot be read"):
        try:
            return _Reader(path, root).model()
        except (InputError, ValueError) as error:
            raise InputError(f"{path}: {error}") from None


class _Reader:
    def __init__(self, path: Path, root: ET.Element) -> None:
        self._path, self._root = path, root
        self._taken: set[str] = set()
        self._variables = {_get(one, "varID"): self._declared(one) for one in _each(root, "variableDef", "varID")}
        self._constants: dict[str, float] = {}
        self._values: dict[str, str] = {}
        self._formulas = Formulas(self._values)
        self._math = MathMl(self._formulas, self._named)
        self._breaks = {
            _get(one, "bpID"): numbers_of(_child(one, "bpVals"), f"breakpointDef {one.get('bpID')}")
            for one in _each(root, "breakpointDef", "bpID")
        }
        self._grids = {_get(one, "gtID"): one for one in _each(root, "griddedTableDef", "gtID")}
        self._scattered = {_get(one, "utID"): one for one in _each(root, "ungriddedTableDef", "utID")}
        self._tables: dict[str, Table] = {}
        self.notes: list[tuple[str, str]] = []
        """What was decided for the file, and why."""
        self._given_by: dict[str, str] = {}
        """Of a variable: which function gives it."""

    def model(self) -> DaveModel:
        for element in self._root.findall("function"):
            self._function(element)
        for element in self._root.findall("variableDef"):
            self._variable(element)
        shots = read_shots(self._root, self._variables)
        unread = tuple(tag for tag in ("uncertainty",) if self._root.find(f".//{tag}") is not None)
        found = DaveModel(
            self._path, self._variables, self._tables, self._constants, self._values, shots, unread, tuple(self.notes)
        )
        check(found.functions())
        return found

    def _declared(self, element: ET.Element) -> Variable:
        identity, units = _get(element, "varID"), element.get("units", "nd")
        where = f"variableDef {identity}"
        if element.find("isState") is not None or element.find("isStateDeriv") is not None:
            raise InputError(f"{where}: is a state or its derivative; models that remember something are not read")
        low, high = _limit(element, "minValue", -math.inf, where), _limit(element, "maxValue", math.inf, where)
        if low > high:
            raise InputError(f"{where}: minValue {low:g} is above maxValue {high:g}")
        own = plain_name(identity, units)
        while {own, f"{own}_unlimited"} & self._taken:  # `a-b` beside `a_b`
            own += "_"
        raw = own if low == -math.inf and high == math.inf else f"{own}_unlimited"
        self._taken |= {own, f"{own}_unlimited"}
        given, out = any(element.find(mark) is not None for mark in INPUTS), element.find("isOutput") is not None
        initial = element.get("initialValue")
        value = None if initial is None else _number(initial, f"{where}: initialValue")
        moved, name = element.find("isControl") is not None, element.get("name", identity)
        return Variable(identity, name, units, value, low, high, given, moved, out, own, raw)

    def _named(self, name: str) -> str:
        if name not in self._variables:
            raise InputError(f"there is no variable {name!r}")
        return self._variables[name].own

    def _variable(self, element: ET.Element) -> None:
        one = self._variables[_get(element, "varID")]
        calculation = element.find("calculation/math")
        sources = [
            *(["a calculation"] if calculation is not None else []),
            *(["an input"] if one.is_input else []),
            *([f"function {self._given_by[one.id]}"] if one.id in self._given_by else []),
        ]
        if len(sources) > 1:
            raise InputError(f"variableDef {one.id}: has two sources: {' and '.join(sources)}")
        if calculation is not None:
            self._formulas.owner = stem(one.own)
            try:
                self._values[one.raw] = self._math.text(only(calculation))
            except InputError as error:
                raise InputError(f"variableDef {one.id}: {error}") from None
        elif not sources:
            if one.initial is None:
                raise InputError(f"the variable {one.id} has no calculation, no function and no initial value")
            self._constants[one.raw] = one.initial
        if one.own != one.raw:
            low = "" if one.low == -math.inf else number(one.low)
            high = "" if one.high == math.inf else number(one.high)
            inner = f"max({one.raw}, {low})" if low else one.raw
            self._values[one.own] = f"min({inner}, {high})" if high else inner

    def _function(self, element: ET.Element) -> None:
        """A table by name, and the value of the variable that it gives."""
        try:
            gives = element.find("dependentVarRef")
            if gives is None:  # points written out in the function itself
                return self._simple(element)
            arguments = element.findall("independentVarRef")
            points = self._grid(_child(element, "functionDefn"), len(arguments))
            if not isinstance(points, Points):
                return self._of_triangles(element, _get(gives, "varID"), arguments, points)
            self._table(element, _get(gives, "varID"), arguments, points)
        except (InputError, ValueError) as error:
            raise InputError(f"function {element.get('name')}: {str(error).removeprefix('Table: ')}") from None

    def _grid(self, definition: ET.Element, count: int) -> Points | list[list[float]]:
        """Breaks and values of a table, written in the function or beside it; rows of points that are no grid."""
        found = definition.find("griddedTableDef")
        if found is None:
            found = definition.find("griddedTable")  # its name in the first edition
        named = definition.find("griddedTableRef")
        if found is None and named is not None:
            found = self._known(self._grids, _get(named, "gtID"), "griddedTableDef")
        if found is not None:
            references = [_get(one, "bpID") for one in found.iterfind("breakpointRefs/bpRef")]
            breaks = [self._known(self._breaks, one, "breakpointDef") for one in references]
            return Points(breaks, numbers_of(_child(found, "dataTable"), "dataTable"))
        scattered = definition.find("ungriddedTableDef")
        if scattered is None:
            scattered = definition.find("ungriddedTable")
        named = definition.find("ungriddedTableRef")
        if scattered is None and named is not None:
            scattered = self._known(self._scattered, _get(named, "utID"), "ungriddedTableDef")
        if scattered is None:
            raise InputError("its <functionDefn> has no table")
        rows = [numbers_of(one, "dataPoint") for one in scattered.findall("dataPoint")]
        return gridded(rows, count) or rows

    def _known(self, among: dict[str, Any], name: str, what: str) -> Any:
        if name not in among:
            raise InputError(f"there is no {what} {name!r}")
        return among[name]

    def _simple(self, element: ET.Element) -> None:
        points, values = element.findall("independentVarPts"), element.find("dependentVarPts")
        if not points or values is None:
            raise InputError("has neither a table nor points")
        breaks = [numbers_of(one, "independentVarPts") for one in points]
        self._table(element, _get(values, "varID"), points, Points(breaks, numbers_of(values, "dependentVarPts")))

    def _table(self, element: ET.Element, gives: str, arguments: list[ET.Element], points: Points) -> None:
        kinds = {one.get("interpolate", "linear") for one in arguments}
        ends = {one.get("extrapolate", "neither") for one in arguments}
        for kind in sorted(kinds - set(METHODS) - set(SPLINES)):
            raise InputError(f"interpolation {kind!r} is unknown; there are: {', '.join((*METHODS, *SPLINES))}")
        for end in sorted(ends - set(ENDS)):
            raise InputError(f"extrapolation {end!r} is unknown; there are: {', '.join(ENDS)}")
        if len(points.breaks) != len(arguments):
            raise InputError(f"has {len(arguments)} variables, its table {len(points.breaks)}")
        for one in arguments:
            kind = one.get("interpolate", "linear")
            if kind not in ("linear", *SPLINES) and one.get("extrapolate", "neither") != "neither":
                raise InputError(f"extrapolation of what is interpolated by {kind!r} is not read here")
        extend, mixed = ends != {"neither"}, len(kinds) > 1
        self._claim(element, gives)
        if kinds & set(SPLINES):
            self._values[self._variables[gives].raw] = self._spline(gives, arguments, points)
            return
        name = self._free(f"{gives}_table")
        pairs = zip(arguments, points.breaks, strict=True)
        texts = [self._argument(one, axis, extend) for one, axis in pairs]
        if mixed:
            pairs = zip(arguments, points.breaks, strict=True)
            texts = [self._at_a_break(text, *pair, gives) for text, pair in zip(texts, pairs, strict=True)]
        names = texts if len(set(texts)) == len(texts) else [f"x{k}" for k in range(len(texts))]
        self._tables[name] = Table(
            over=dict(zip(names, points.breaks, strict=True)),
            values=points.values,
            outside="extend" if extend else "hold",
            method="linear" if mixed else METHODS[kinds.pop()],  # type: ignore[arg-type]
        )
        self._values[self._variables[gives].raw] = f"{name}({', '.join(texts)})"

    def _claim(self, element: ET.Element, gives: str) -> None:
        """Let a function give a variable that nothing else gives."""
        if gives not in self._variables:
            raise InputError(f"there is no variable {gives!r}")
        if gives in self._given_by:
            raise InputError(f"{gives} is already given by function {self._given_by[gives]}")
        self._given_by[gives] = element.get("name", "without a name")

    def _of_triangles(
        self, element: ET.Element, gives: str, arguments: list[ET.Element], rows: list[list[float]]
    ) -> None:
        """The plane of the triangle that is highest when lifted."""
        for one in arguments:
            if one.get("interpolate", "linear") != "linear":
                raise InputError("its scattered points are no grid, and between these only 'linear' has a meaning")
        self._claim(element, gives)
        found = triangles(rows, len(arguments))
        self.notes.append((f"scattered points of {gives}", NOTE))
        ways = []
        for one, low, span in zip(arguments, found.low, found.span, strict=True):
            way = self._free(f"{gives}_way")
            self._values[way] = f"({self._place(gives, one, [low, low + span])} - {number(low)}) / {number(span)}"
            ways.append(way)

        def plane(numbers: list[float]) -> str:
            return " + ".join(
                [number(numbers[0]), *(f"{number(b)} * {way}" for b, way in zip(numbers[1:], ways, strict=True))]
            )

        stem = self._free(f"{gives}_triangle")
        while any(name.startswith(f"{stem}_") for name in self._taken):
            stem = self._free(stem)
        rivals: list[tuple[str, str]] = []
        for k, (lifted, over) in enumerate(zip(found.lifted, found.values, strict=True)):
            self._values[f"{stem}_lift_{k}"], self._values[f"{stem}_value_{k}"] = plane(lifted), plane(over)
            rivals.append((f"{stem}_lift_{k}", f"{stem}_value_{k}"))
        while len(rivals) > 1:  # two by two, the higher one goes on
            k = len(self._values)
            (first, its), (second, others) = rivals.pop(0), rivals.pop(0)
            self._values[f"{stem}_best_{k}"] = f"max({first}, {second})"
            self._values[f"{stem}_held_{k}"] = f"if({second} > {first}, {others}, {its})"
            rivals.append((f"{stem}_best_{k}", f"{stem}_held_{k}"))
        self._values[self._variables[gives].raw] = rivals[0][1]

    def _place(self, gives: str, element: ET.Element, axis: list[float]) -> str:
        """A variable, held at the ends of its axis as its reference says."""
        if element.get("extrapolate", "neither") != "neither":
            return self._argument(element, axis, True)
        ends, held = self._free(f"{gives}_ends"), self._argument(element, axis, False)
        over = [axis[0], axis[-1]]  # a table that holds its ends tells that it was left
        self._tables[ends] = Table(over={"x": over}, values=over)
        return f"{ends}({held})"

    def _spline(self, gives: str, arguments: list[ET.Element], points: Points) -> str:
        """Of a table with splines over some of its variables: polynomials from the start of the piece on."""
        kinds = [one.get("interpolate", "linear") for one in arguments]
        sizes = [len(axis) for axis in points.breaks]
        if len(points.values) != math.prod(sizes):
            wanted = f"breaks ({' x '.join(map(str, sizes))}) need {math.prod(sizes)} values"
            raise InputError(f"{wanted}, got {len(points.values)}")
        for one, axis in zip(arguments, points.breaks, strict=True):
            if any(b <= a for a, b in itertools.pairwise(axis)):
                raise InputError(f"the breaks of {_get(one, 'varID')} must rise from one to the next, got {axis}")
        found = pieces(points.breaks, np.reshape(points.values, sizes), kinds)
        self.notes.append((f"interpolation by {' and '.join(sorted(set(kinds) & set(SPLINES)))} of {gives}", ENDS_OPEN))
        texts, ways = [], []
        for one, axis, starts, kind in zip(arguments, points.breaks, found.starts, kinds, strict=True):
            if kind not in SPLINES:
                held = self._argument(one, axis, one.get("extrapolate", "neither") != "neither")
                texts.append(self._at_a_break(held, one, axis, gives))
                ways.append("0")
                continue
            place, first = self._free(f"{gives}_place"), self._free(f"{gives}_piece")
            self._tables[first] = Table(over={"x": [*starts, axis[-1]]}, values=[*starts, starts[-1]], method="below")
            self._values[place] = self._place(gives, one, axis)
            piece = f"{first}(clip({place}, {number(axis[0])}, {number(axis[-1])}))"
            texts.append(piece)
            ways.append(f"({place} - {piece})")
        extend = any(one.get("extrapolate", "neither") != "neither" for one in arguments)
        terms = []
        for term in found.terms:
            name = self._free(f"{gives}_table")
            over = {f"x{k}": starts for k, starts in enumerate(found.starts)}
            outside: Literal["extend", "hold"] = "extend" if extend else "hold"
            self._tables[name] = Table(over=over, values=term.values.ravel().tolist(), outside=outside)
            part = self._free(f"{gives}_part")
            self._values[part] = f"{name}({', '.join(texts)}){product(ways, term.powers)}"
            terms.append(part)
        return self._formulas.chain("+", terms) if terms else "0"

    def _free(self, wanted: str) -> str:
        """A name for a table that nothing else has."""
        name = plain_name(wanted)
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def _at_a_break(self, text: str, element: ET.Element, axis: list[float], gives: str) -> str:
        """Of a variable in steps beside others that are linear: its break, at which the linear table is read."""
        kind = METHODS[element.get("interpolate", "linear")]
        if kind == "linear":
            return text
        name = self._free(f"{gives}_break")
        self._tables[name] = Table(over={"x": axis}, values=axis, outside="hold", method=kind)  # type: ignore[arg-type]
        return f"{name}({text})"

    def _argument(self, element: ET.Element, axis: list[float], extend: bool) -> str:
        """A variable, limited as the reference says; where only one end extends, the other is held by a limit."""
        text, ends = self._named(_get(element, "varID")), element.get("extrapolate", "neither")
        low, high = _limit(element, "min", -math.inf, element.tag), _limit(element, "max", math.inf, element.tag)
        least = max(low, axis[0] if extend and ends not in ("min", "both") else -math.inf)
        most = min(high, axis[-1] if extend and ends not in ("max", "both") else math.inf)
        if least > axis[0] or (extend and least > -math.inf):
            text = f"max({text}, {number(least)})"
        if most < axis[-1] or (extend and most < math.inf):
            text = f"min({text}, {number(most)})"
        return text


def _each(root: ET.Element, tag: str, key: str) -> Iterator[ET.Element]:
    """Elements of a kind, of which no two may have the same ID."""
    seen: set[str] = set()
    for one in root.findall(tag):
        name = _get(one, key)
        if name in seen:
            raise InputError(f"there are two <{tag}> with the {key} {name!r}")
        seen.add(name)
        yield one


def numbers_of(element: ET.Element, where: str) -> list[float]:
    """The numbers in an element; `where` is said of one that is none."""
    return [_number(piece, where) for piece in re.split(r"[\s,]+", "".join(element.itertext())) if piece]


def _number(text: str, where: str) -> float:
    value = finite(text)
    if value is None:
        raise InputError(f"{where}: expected a finite number, got {short(text)!r}")
    return value


def _limit(element: ET.Element, key: str, endless: float, where: str) -> float:
    text = element.get(key)
    return endless if text is None or is_endless(text) else _number(text, f"{where}: {key}")


def _get(element: ET.Element, key: str) -> str:
    value = element.get(key)
    if value is None:
        raise InputError(f"<{element.tag}> has no {key}")
    return value


def _child(element: ET.Element, tag: str) -> ET.Element:
    found = element.find(tag)
    if found is None:
        raise InputError(f"<{element.tag}> has no <{tag}>")
    return found
