"""`web/src/messages.ts` from `messages`: the page's side of the one schema.

`python -m cupola.cockpit.typescript web/src/messages.ts` writes it; a test says when that was forgotten.
"""

import inspect
import json
import sys
import types
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from cupola.cockpit import messages
from cupola.cockpit.messages import flown, page, questions, scene, server
from cupola.config.channels import STICK_CHANNELS
from cupola.schema.field_notes import field_notes
from cupola.teleop import manual_modes

HEAD = "// Made from src/cupola/cockpit/messages/ by `python -m cupola.cockpit.typescript`: do not edit.\n"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
CONSTANTS = {
    "CLOCK": messages.CLOCK,
    "STICK_CHANNELS": STICK_CHANNELS,
    "STICKS_EXPIRE": messages.STICKS_EXPIRE,
    "PUSH_EXPIRE": messages.PUSH_EXPIRE,
    "LONGEST_TEXT": messages.LONGEST_TEXT,
    "DRIVE_MODES": [mode._asdict() for mode in manual_modes.MODES],
    "DRIVE_GEARS": manual_modes.GEARS,
    "DRIVE_KEYS": manual_modes.KEYS,
    "MOVE_KEYS": [*manual_modes.WHEEL_KEYS, *manual_modes.VELOCITY_KEYS],
}
UNIONS = {"ToPage": messages.ToPage, "FromPage": messages.FromPage}


def text() -> str:
    """The whole file."""
    classes = [
        value
        for module in (scene, server, page, questions, flown)
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, messages.Message) and value.__module__ == module.__name__
    ]
    constants = [f"export const {name} = {json.dumps(value)} as const;" for name, value in CONSTANTS.items()]
    unions = [f"export type {name} = {_type(union)};" for name, union in UNIONS.items()]
    return "\n".join([HEAD, *constants, "", *(_interface(cls) for cls in classes), *unions, ""])


def _interface(cls: type[messages.Message]) -> str:
    notes = field_notes(cls)
    lines = [f"/** {_one_line(cls.__doc__)} */", f"export interface {cls.__name__} {{"]
    for name, field in cls.model_fields.items():
        if name in notes:
            lines.append(f"  /** {_one_line(notes[name])} */")
        lines.append(f"  {name}{'?' if _optional(name, field) else ''}: {_type(field.annotation)};")
    return "\n".join([*lines, "}", ""])


def _optional(name: str, field: FieldInfo) -> bool:
    """Whether it may be left out; the kind tells messages apart and may not."""
    return not field.is_required() and name != "kind"


def _type(annotation: Any) -> str:
    """An annotation of Python as a type of TypeScript."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(arguments[0])
    if origin is Literal:
        return " | ".join(json.dumps(value) for value in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(_type(one) for one in arguments)
    if origin is list:
        inner = _type(arguments[0])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(_type(one) for one in arguments)}]"
    return PLAIN.get(annotation) or str(annotation.__name__)


def _one_line(words: str | None) -> str:
    return " ".join((words or "").split())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")
