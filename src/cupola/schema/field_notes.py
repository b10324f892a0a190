"""What the source says of the fields of a NamedTuple."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Hashable
from typing import cast


@functools.cache
def field_notes(cls: Hashable) -> dict[str, str]:
    """What stands below each field of a NamedTuple: Python keeps such texts in the source only."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(cast(type, cls)))).body
    assert isinstance(body, ast.ClassDef)
    notes = {}
    for field, note in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(note, ast.Expr):
            text = ast.literal_eval(note.value)
            notes[field.target.id] = str(text)
    return notes


def first_line(cls: type) -> str:
    """The first line of a docstring: what a class is, in a sentence."""
    return (inspect.getdoc(cls) or "").partition("\n")[0]
