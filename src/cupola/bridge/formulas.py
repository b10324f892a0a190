"""Writing expressions of vehicle files: names that may stand in them, and long ones cut into several."""

import re
from collections.abc import Iterable

from cupola.parts.functions.part import QUANTITIES
from cupola.parts.functions.program import FUNCTIONS
from cupola.schema.expressions import WORDS

LONG = 250
"""Characters of an expression before it becomes a value of its own."""


class Formulas:
    """Values under construction. An expression inside another one that grows long gets a name of its own.

    `owner` is what such names begin with.
    """

    def __init__(self, values: dict[str, str]) -> None:
        self.values = values
        self.owner = "value"

    def short(self, text: str) -> str:
        """The text, or the name of a value that has it."""
        return text if len(text) <= LONG else self.named(text)

    def named(self, text: str) -> str:
        """The name of a value that has this text; a name stays as it is."""
        if text.isidentifier():
            return text
        number = 1
        while f"{self.owner}_{number}" in self.values:
            number += 1
        name = f"{self.owner}_{number}"
        self.values[name] = text
        return name

    def chain(self, sign: str, inside: Iterable[str]) -> str:
        """Terms or factors joined by a sign."""
        found = ""
        for piece in inside:
            found = self.short(f"{found} {sign} {piece}" if found else piece)
        return f"({found})"

    def call(self, name: str, *inside: str) -> str:
        """A function of some expressions."""
        return self.short(f"{name}({', '.join(self.short(piece) for piece in inside)})")

    def nested(self, name: str, inside: list[str]) -> str:
        """`min` or `max` of any number of expressions."""
        found = inside[0]
        for piece in inside[1:]:
            found = self.call(name, found, piece)
        return found


TAKEN = {*QUANTITIES, *FUNCTIONS, *WORDS}


def plain_name(text: str, suffix: str = "") -> str:
    """A name that may stand in an expression and means nothing else there."""
    name = re.sub(r"[\W_]+", "_", text).strip("_") or "value"
    name = f"v_{name}" if name[0].isdigit() else name
    if name in TAKEN:
        name = f"{name}_{re.sub(r'[^a-z0-9]+', '_', suffix.lower()).strip('_') or 'here'}"
    return name


def stem(name: str) -> str:
    """What the names of its parts begin with: the first part of `x` is `x__1`, and the property `x[1]` is `x_1`.

    No plain name has two underscores in a row.
    """
    return f"{name}_"


def number(value: float) -> str:
    """A number as it may stand in an expression: all its digits, in brackets if negative."""
    text = repr(float(value))
    return f"({text})" if value < 0 else text
