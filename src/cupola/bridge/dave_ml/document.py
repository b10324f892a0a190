"""A DAVE-ML file as functions: variables, tables, what goes in and out, and the check cases it carries."""

import math
import re
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.dave_ml.mathml import MathMl
from cupola.bridge.formulas import Formulas, number, plain_name
from cupola.parts.functions.program import Functions
from cupola.parts.functions.table import Table
from cupola.schema.input_files import InputError, boundary
from cupola.schema.xml_files import read_plain_xml

METHODS = {"linear": "linear", "discrete": "nearest", "floor": "below", "ceiling": "above"}


class Variable(NamedTuple):
    """One variable of the file."""

    id: str
    name: str
    units: str
    initial: float | None
    low: float
    high: float
    is_input: bool
    is_output: bool
    own: str
    """Its name in expressions; what clipping leaves of it."""
    raw: str
    """The same before it is clipped."""


class Shot(NamedTuple):
    """A check case: inputs and outputs by name, inner values by ID; of each output its tolerance."""

    name: str
    inputs: dict[str, float]
    outputs: dict[str, tuple[float, float]]
    inside: dict[str, tuple[float, float]]


class DaveModel(NamedTuple):
    """A file."""

    path: Path
    variables: dict[str, Variable]
    """By ID."""
    tables: dict[str, Table]
    constants: dict[str, float]
    values: dict[str, str]
    shots: list[Shot]

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
        self._variables = {one.id: one for one in map(_variable, root.findall("variableDef"))}
        self._constants: dict[str, float] = {}
        self._values: dict[str, str] = {}
        self._formulas = Formulas(self._values)
        self._math = MathMl(self._formulas, self._named)
        self._breaks = {_get(one, "bpID"): _numbers(_child(one, "bpVals")) for one in root.findall("breakpointDef")}
        self._grids = {_get(one, "gtID"): one for one in root.findall("griddedTableDef")}
        self._tables: dict[str, Table] = {}

    def model(self) -> DaveModel:
        looked_up = {self._function(one) for one in self._root.findall("function")}
        for element in self._root.findall("variableDef"):
            self._variable(element, looked_up)
        shots = [_shot(one) for one in self._root.iterfind("checkData/staticShot")]
        return DaveModel(self._path, self._variables, self._tables, self._constants, self._values, shots)

    def _named(self, name: str) -> str:
        if name not in self._variables:
            raise InputError(f"there is no variable {name!r}")
        return self._variables[name].own

    def _variable(self, element: ET.Element, looked_up: set[str]) -> None:
        one = self._variables[_get(element, "varID")]
        calculation = element.find("calculation/math")
        if calculation is not None:
            self._formulas.owner = one.own
            self._values[one.raw] = self._math.text(calculation[0])
        elif one.id not in looked_up and not one.is_input:
            if one.initial is None:
                raise InputError(f"the variable {one.id} has no calculation, no function and no initial value")
            self._constants[one.raw] = one.initial
        if one.own != one.raw:
            low = "" if one.low == -math.inf else number(one.low)
            high = "" if one.high == math.inf else number(one.high)
            inner = f"max({one.raw}, {low})" if low else one.raw
            self._values[one.own] = f"min({inner}, {high})" if high else inner

    def _function(self, element: ET.Element) -> str:
        """A table by name, and the value of the variable that it gives; its ID."""
        gives = element.find("dependentVarRef")
        arguments = element.findall("independentVarRef")
        if gives is None:  # a function of one variable, written out
            return self._simple(element)
        grid = element.find("functionDefn/griddedTableDef")
        if grid is None:
            grid = element.find("functionDefn/griddedTable")  # its name in the first edition
        named = element.find("functionDefn/griddedTableRef")
        if grid is None and named is not None:
            grid = self._grids.get(_get(named, "gtID"))
        if grid is None:
            raise InputError(f"function {element.get('name')}: only gridded tables are read, scattered points are not")
        references = [_get(one, "bpID") for one in grid.iterfind("breakpointRefs/bpRef")]
        if unknown := [one for one in references if one not in self._breaks]:
            raise InputError(f"function {element.get('name')}: there is no breakpointDef {unknown[0]!r}")
        breaks = [self._breaks[one] for one in references]
        self._table(element, _get(gives, "varID"), arguments, breaks, _numbers(_child(grid, "dataTable")))
        return _get(gives, "varID")

    def _simple(self, element: ET.Element) -> str:
        points, values = element.find("independentVarPts"), element.find("dependentVarPts")
        if points is None or values is None:
            raise InputError(f"function {element.get('name')}: has neither a table nor points")
        self._table(element, _get(values, "varID"), [points], [_numbers(points)], _numbers(values))
        return _get(values, "varID")

    def _table(self, element: ET.Element, gives: str, arguments: Any, breaks: Any, numbers: list[float]) -> None:
        kinds = {one.get("interpolate", "linear") for one in arguments}
        ends = {one.get("extrapolate", "neither") for one in arguments}
        for kind in kinds - set(METHODS):
            raise InputError(f"function {element.get('name')}: interpolation {kind!r} is not read here")
        if len(kinds) > 1 or len(breaks) != len(arguments):
            raise InputError(f"function {element.get('name')}: all its variables must be interpolated alike")
        variable = self._variables[gives]
        name = plain_name(f"{gives}_table")
        extend = ends != {"neither"}
        texts = [self._argument(one, axis, extend) for one, axis in zip(arguments, breaks, strict=True)]
        names = texts if len(set(texts)) == len(texts) else [f"x{k}" for k in range(len(texts))]
        over = dict(zip(names, breaks, strict=True))
        self._tables[name] = Table(
            over=over,
            values=numbers,
            outside="extend" if extend else "hold",
            method=METHODS[kinds.pop()],  # type: ignore[arg-type]
        )
        self._values[variable.raw] = f"{name}({', '.join(texts)})"

    def _argument(self, element: ET.Element, axis: list[float], extend: bool) -> str:
        """A variable, limited as the reference says; where only one end extends, the other is held by a limit."""
        text, ends = self._named(_get(element, "varID")), element.get("extrapolate", "neither")
        low, high = element.get("min"), element.get("max")
        least = max(float(low) if low else -math.inf, axis[0] if extend and ends not in ("min", "both") else -math.inf)
        most = min(float(high) if high else math.inf, axis[-1] if extend and ends not in ("max", "both") else math.inf)
        if least > axis[0] or (extend and least > -math.inf):
            text = f"max({text}, {number(least)})"
        if most < axis[-1] or (extend and most < math.inf):
            text = f"min({text}, {number(most)})"
        return text


def _variable(element: ET.Element) -> Variable:
    identity, units = _get(element, "varID"), element.get("units", "nd")
    initial = element.get("initialValue")
    low, high = float(element.get("minValue", -math.inf)), float(element.get("maxValue", math.inf))
    own = plain_name(identity, units)
    raw = own if low == -math.inf and high == math.inf else f"{own}_unlimited"
    given, out = element.find("isInput") is not None, element.find("isOutput") is not None
    value = None if initial is None else float(initial)
    return Variable(identity, element.get("name", identity), units, value, low, high, given, out, own, raw)


def _shot(element: ET.Element) -> Shot:
    def signals(group: str, key: str) -> dict[str, tuple[float, float]]:
        found = {}
        for one in element.iterfind(f"{group}/signal"):
            name = one.findtext(key, "").strip() or one.findtext("signalID", "").strip()
            found[name] = float(one.findtext("signalValue", "nan")), float(one.findtext("tol", "nan"))
        return found

    inputs = {name: value for name, (value, _) in signals("checkInputs", "signalName").items()}
    outputs, inside = signals("checkOutputs", "signalName"), signals("internalValues", "varID")
    return Shot(element.get("name", ""), inputs, outputs, inside)


def _numbers(element: ET.Element) -> list[float]:
    return [float(piece) for piece in re.split(r"[\s,]+", "".join(element.itertext())) if piece]


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
