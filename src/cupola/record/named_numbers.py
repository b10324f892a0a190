"""Messages of numbers that have names: a type of its own for each set of names, which stand in its definition, once.

Recordings of 0.1, and streams that others make, may repeat the names in every message: `cupola_msgs/msg/Numbers`.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping

from rosbags.typesys import get_types_from_msg

from cupola.record.messages import MADE, NUMBERS, types
from cupola.record.stream import Stream

HEADER = "std_msgs/Header header"
FIELD = re.compile(r"^float64 (\w+)  # (.+?)(?: \[[^\]]*\])?$", re.MULTILINE)
"""A field of such a type, and the name of its number."""


def with_names_once(stream: Stream, units: Mapping[str, str]) -> Stream:
    """A stream whose messages repeat the names of their numbers, as one whose type says them; others as they are.

    `units` are those of all signals by their full name, `vehicle.part.number`.
    """
    names = tuple(stream.constants.get("name", ()))
    if stream.type != NUMBERS or not names or stream.columns != tuple(f"value.{k}" for k in range(len(names))):
        return stream
    before = stream.topic.strip("/").replace("/", ".")
    fields = field_names(names)
    lines = [_line(field, name, units.get(f"{before}.{name}")) for field, name in zip(fields, names, strict=True)]
    text = "\n".join(("# Numbers of a part or of controllers: the name of each behind its field.", HEADER, *lines, ""))
    kind = NUMBERS + hashlib.sha256(text.encode()).hexdigest()[:12].upper()
    if kind not in MADE:
        types().register(get_types_from_msg(text, kind))
        MADE[kind] = text
    constants = {field: value for field, value in stream.constants.items() if field != "name"}
    return stream._replace(type=kind, columns=fields, constants=constants, names=names)


def _line(field: str, name: str, unit: str | None) -> str:
    return f"float64 {field}  # {name}" + (f" [{unit}]" if unit else "")


def field_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names that ROS 2 allows for fields, no two alike: small letters, digits, single underscores, a letter first."""
    found: list[str] = []
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        plain = plain if plain[:1].isalpha() else f"number_{plain}".rstrip("_")
        plain = plain if plain != "header" else "number_header"
        k = 2
        field = plain
        while field in found:
            field, k = f"{plain}_{k}", k + 1
        found.append(field)
    return tuple(found)


def is_named(kind: str) -> bool:
    """Whether messages of this type are numbers with names."""
    return kind.startswith(NUMBERS)


def is_same_kind(one: str, other: str) -> bool:
    """Whether two types are comparable: two types of named numbers may have different names."""
    return one == other or (is_named(one) and is_named(other))


def names_in(definition: str) -> dict[str, str]:
    """Name of the number in each field of such a type."""
    return dict(FIELD.findall(definition.partition("=" * 80)[0]))
