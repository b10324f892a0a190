"""What a part shows: numbers with a name and a unit, where they lie, and the message they become.

Units stand in square brackets in the notes below the fields of an `Output`: `[N] along +x of the site`.
"""

import functools
import re
from collections.abc import Mapping
from typing import Any, NamedTuple, get_type_hints

from cupola.kernel.records import is_record
from cupola.schema.field_notes import field_notes

NUMBERS = "cupola_msgs/msg/Numbers"
"""Message of a part that names no other: names and values."""


class Signal(NamedTuple):
    """A number of a running world."""

    name: str
    """`vehicle.part.number`; a part names its own without the first two."""
    unit: str
    """`1` where it has none."""
    array: str
    """Array of `kernel.memory.Views`; `derived`: computed from others, `sensed`: a sensor's last sample."""
    place: int
    """Which number of the array, counted through."""


class RecordedFields(NamedTuple):
    """The message of a part: the number that fills each field, and the fields that are always the same."""

    type: str
    """ROS 2 message type."""
    fields: Mapping[str, tuple[str, int]]
    """Array and place of each field's number."""
    constants: Mapping[str, Any] = {}


def unit_of(cls: Any, field: str) -> str:
    """Unit that the note of a field has in brackets; empty if there is none, or no source text of the class."""
    try:
        notes = field_notes(cls)
    except (OSError, TypeError):
        return ""
    said = re.search(r"\[([^\]]+)\]", notes.get(field, ""))
    return said[1] if said else ""


@functools.cache
def leaf_units(cls: Any, inherited: str = "1") -> Mapping[str, str]:
    """Unit of every number in a NamedTuple by its dotted name; numbers of nested ones have that of their field."""
    if cls is None:
        return {}
    hints = get_type_hints(cls)
    found: dict[str, str] = {}
    for field in cls._fields:
        unit = unit_of(cls, field) or inherited
        if is_record(hints[field]):
            found |= {f"{field}.{name}": inside for name, inside in leaf_units(hints[field], unit).items()}
        else:
            found[field] = unit
    return found


def named_numbers(shown: list[Signal]) -> RecordedFields:
    """Numbers as a message that names them."""
    fields = {f"value.{k}": (one.array, one.place) for k, one in enumerate(shown)}
    return RecordedFields(NUMBERS, fields, {"name": [one.name for one in shown]})
