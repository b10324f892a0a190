"""Parameters that parts and the air declare: found by name, read, set, described with unit and range.

A number is a float field of an entry, one of a triple (`deflection_max_x`), or one of the named numbers inside a field
(`generic: {k_omega: ...}` is `k_omega`, `parameters: {stiffness: ...}` is `stiffness`). Units are those in square
brackets where the number is declared.
"""

import re
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, TypeVar, cast

from annotated_types import Ge, Gt, Le, Lt
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from cupola.schema.field_notes import field_notes
from cupola.schema.yaml_files import Entry

Path = tuple[str, str | int | None]
"""A field, and what inside it."""
Given = TypeVar("Given", bound=Entry)
AXES = "xyz"
BEYOND = 4.0
"""Times its value: how far a number without bounds may be changed."""


class Parameter(NamedTuple):
    """A number that may be changed while the world runs."""

    default: float
    low: float
    high: float
    unit: str
    about: str


class TunableParameter(NamedTuple):
    """A number that may be changed while the world runs."""

    declared: Parameter
    read: Callable[[], float]
    write: Callable[[float], None]


def numbers_of(entry: Entry) -> dict[str, Path]:
    """Every number of an entry by its name."""
    found: dict[str, Path] = {}
    for field in type(entry).model_fields:
        value = getattr(entry, field)
        if isinstance(value, float):
            found[field] = (field, None)
        elif isinstance(value, tuple) and hasattr(value, "_fields"):
            found |= {name: (field, name) for name in value._fields if isinstance(getattr(value, name), float)}
        elif isinstance(value, dict):
            found |= {name: (field, name) for name, number in value.items() if isinstance(number, float)}
        elif isinstance(value, tuple) and len(value) == len(AXES) and all(isinstance(v, float) for v in value):
            found |= {f"{field}_{axis}": (field, k) for k, axis in enumerate(AXES)}
    return found


def get_number(entry: Entry, path: Path) -> float:
    """The number at a path."""
    field, inside = path
    value = getattr(entry, field)
    if inside is None:
        return float(value)
    return float(value[inside] if isinstance(inside, int) or isinstance(value, dict) else getattr(value, inside))


def changed(entry: Entry, path: Path, value: float) -> dict[str, Any]:
    """The field at a path with another number in it."""
    field, inside = path
    held = getattr(entry, field)
    if inside is None:
        return {field: value}
    if isinstance(held, dict):
        return {field: {**held, inside: value}}
    if isinstance(inside, str):
        return {field: held._replace(**{inside: value})}
    return {field: (*held[:inside], value, *held[inside + 1 :])}


def set_number(entry: Entry, name: str, value: float) -> None:
    """Change a number of an entry in place; refuses, with a ValueError, what is unknown or what its kind forbids."""
    known = numbers_of(entry)
    if name not in known:
        raise ValueError(f"there is no number {name!r}; there are: {', '.join(known) or 'none'}")
    ((field, new),) = changed(entry, known[name], value).items()
    try:
        type(entry).__pydantic_validator__.validate_assignment(entry.model_copy(), field, new)
    except ValidationError as error:
        raise ValueError(f"{error.errors(include_url=False)[0]['msg']}, got {value:g}") from None
    setattr(entry, field, new)


def with_fields(entry: Given, given: Mapping[str, bool | int | float | str]) -> Given:
    """An entry with other numbers and choices, named as `numbers_of` does; refuses as `set_number` does."""
    fields = {name: value for name, value in given.items() if name in type(entry).model_fields}
    try:
        changed_entry = type(entry).model_validate({**entry.model_dump(exclude_unset=True), **fields})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}, got {first['input']!r}") from None
    for name in given.keys() - fields.keys():
        value = given[name]
        if isinstance(value, str):
            raise ValueError(f"there is no {name!r}; there are: {', '.join(type(entry).model_fields)}")
        set_number(changed_entry, name, value)
    return changed_entry


def declaration(entry: Entry, path: Path) -> Parameter:
    """Present value, range, unit and meaning of a number."""
    field, inside = path
    info = type(entry).model_fields[field]
    about = info.description or ""
    if isinstance(inside, str) and not isinstance(getattr(entry, field), dict):
        about = field_notes(cast(Hashable, type(getattr(entry, field)))).get(inside, "")
    value = get_number(entry, path)
    low, high = _around(value) if isinstance(inside, str) else _range(info, value)
    unit = re.search(r"\[([^\]]+)\]", about)
    said = unit[1].replace("2", "²") if unit else "°" if field.endswith("_deg") else "1"
    return Parameter(value, low, high, said, re.sub(r"\s*\[[^\]]*\]\s*", " ", about).strip(" .;"))


def _range(info: FieldInfo, value: float) -> tuple[float, float]:
    """The bounds of a field; where there are none, those that the declaration calls usual, else around the value."""
    extra = info.json_schema_extra
    if isinstance(extra, dict) and isinstance(usual := extra.get("usual"), list):
        low, high = (float(str(end)) for end in usual)
        return min(low, value), max(high, value)
    low, high = _around(value)
    for bound in info.metadata:
        if isinstance(bound, Ge):
            low = float(str(bound.ge))
            high = max(high, low + BEYOND * (value - low) or 1.0)
        elif isinstance(bound, Gt):
            low = max(low, float(str(bound.gt)) + 0.01 * (value - float(str(bound.gt))))
    for bound in info.metadata:
        if isinstance(bound, Le):
            high = float(str(bound.le))
        elif isinstance(bound, Lt):
            high = min(high, float(str(bound.lt)))
    return low, high


def _around(value: float) -> tuple[float, float]:
    """From nothing to a few times the value, on its own side of zero; one to each side of nothing."""
    if value == 0.0:
        return -1.0, 1.0
    low, high = sorted((0.0, BEYOND * value))
    return low, high
