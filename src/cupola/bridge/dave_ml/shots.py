"""Check cases of a DAVE-ML file: inputs, outputs and inner values, in the units of the variables."""

import math
from collections.abc import Mapping
from typing import NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.dave_ml.units import factor
from cupola.bridge.dave_ml.variable import Variable
from cupola.schema.input_files import InputError, finite


class Signal(NamedTuple):
    """A number of a check case."""

    value: float
    tolerance: float
    """NaN where the file gives none."""


class Shot(NamedTuple):
    """A check case; its numbers by the IDs of their variables."""

    name: str
    inputs: dict[str, float]
    outputs: dict[str, Signal]
    inside: dict[str, Signal]


def read_shots(root: ET.Element, variables: Mapping[str, Variable]) -> list[Shot]:
    """All check cases of a file."""
    found = []
    for element in root.iterfind("checkData/staticShot"):
        name = element.get("name", "without a name")
        try:
            found.append(_shot(element, name, variables))
        except InputError as error:
            raise InputError(f"staticShot {name}: {error}") from None
    return found


def _shot(element: ET.Element, name: str, variables: Mapping[str, Variable]) -> Shot:
    given = [one for one in variables.values() if one.is_input]
    out = [one for one in variables.values() if one.is_output]
    inputs = {key: one.value for key, one in _signals(element, "checkInputs", given, "input").items()}
    inside = _signals(element, "internalValues", list(variables.values()), "variable")
    for one in given:
        if one.id not in inputs and one.initial is None:
            raise InputError(f"gives no value of the input {one.name}, which has no initial value")
    return Shot(name, inputs, _signals(element, "checkOutputs", out, "output"), inside)


def _signals(element: ET.Element, group: str, among: list[Variable], what: str) -> dict[str, Signal]:
    by_id, by_name = {one.id: one for one in among}, {one.name: one for one in among}
    found = {}
    for signal in element.iterfind(f"{group}/signal"):
        texts = {key: signal.findtext(key, "").strip() for key in ("varID", "signalID", "signalName", "signalUnits")}
        names = [texts[key] for key in ("varID", "signalID", "signalName") if texts[key]]
        one = next((by_id.get(n) or by_name.get(n) for n in names if n in by_id or n in by_name), None)
        if one is None:
            raise InputError(f"there is no {what} {next(iter(names), '')!r}; there are: {', '.join(by_name) or 'none'}")
        size = 1.0
        if texts["signalUnits"] and texts["signalUnits"] != one.units:
            size = factor(texts["signalUnits"], one.name) / factor(one.units, one.name)
        value = finite(signal.findtext("signalValue", ""))
        tolerance = finite(signal.findtext("tol", "")) if signal.find("tol") is not None else math.nan
        if value is None or tolerance is None:
            raise InputError(f"{one.name}: signalValue and tol must be finite numbers")
        found[one.id] = Signal(value * size, tolerance * size)
    return found
