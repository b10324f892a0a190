"""YAML files into checked models, with errors that say where, which key, what was given and what is allowed.

Numbers, booleans and null follow the YAML 1.2 core schema: `1e-3` is a number, `on` and `yes` are text. Anchors,
aliases and tags are refused, as are a key written twice, NaN and infinity: a file says each thing once, in the open.
"""

import difflib
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

Steps = tuple[str | int, ...]  # ("parts", "motor1", "axis", 2): the way to one value
Marks = dict[Steps, tuple[int, int]]  # where each key or list item stands: (line, column), from 1
DEEPEST = 32  # levels; hand-written files stay below ten, and the JSON parser stops at 200

WANTED = {
    "float_type": "expected a number",
    "int_type": "expected a whole number",
    "int_from_float": "expected a whole number",
    "int_parsing": "expected a whole number",  # the key of a mapping: those are read as text
    "bool_type": "expected true or false",
    "string_type": "expected text",
    "list_type": "expected a list",
    "tuple_type": "expected a list",
    "dict_type": "expected a mapping of 'key: value'",
    "model_type": "expected a mapping of 'key: value'",
    "none_required": "expected nothing",
    "finite_number": "must be a finite number",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "too_short": "expected at least {min_length} items",
    "too_long": "expected at most {max_length} items",
    "string_too_short": "expected at least {min_length} characters",
    "string_too_long": "expected at most {max_length} characters",
    "string_pattern_mismatch": "must match the pattern {pattern}",
}
# The second names are those of pydantic 2.11 for a NamedTuple.
MISSING = {"missing", "missing_argument"}
UNKNOWN = {"extra_forbidden", "unexpected_keyword_argument", "unexpected_positional_argument"}
NAMED_TUPLE = {"named_tuple_type", "arguments_type"}


class InputError(Exception):
    """Something the user gave is wrong: one clear message; the command line prints it and exits with code 2."""


class Entry(BaseModel):
    """Base of everything written in a file: no unknown keys, no text or boolean for a number, no NaN, no change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


M = TypeVar("M", bound=BaseModel)


class Problem(NamedTuple):
    """One line of a message; `given` is empty where the sentence is complete without it."""

    path: Steps
    text: str
    given: str = ""


def read(path: Path, model: type[M]) -> M:
    """The YAML file at `path` as a checked `model`."""
    if path.is_dir():
        raise InputError(f"{path}: is a folder, expected a YAML file{_contents(path)}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(_not_found(path)) from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text (byte {error.start + 1}); save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return parse(text, str(path), model)


def parse(text: str, source: str, model: type[M]) -> M:
    """YAML `text` as a checked `model`; messages call the text `source`."""
    root = _compose(text, source)
    marks: Marks = {}
    problems: list[Problem] = []
    data = _plain(root, (), marks, problems)
    if problems:
        raise _report(problems, marks, source)
    try:
        # As JSON, pydantic is strict about numbers and still takes a list for a tuple and text for a path.
        return model.model_validate_json(json.dumps(data))
    except ValidationError as error:
        found = [_explain(details, model) for details in error.errors(include_url=False)]
        raise _report(found, marks, source) from None


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """JSON Schema of `model`, for editors that complete and check while one types."""
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        **model.model_json_schema(schema_generator=_EditorSchema),
    }


class _EditorSchema(GenerateJsonSchema):
    """Pydantic describes a NamedTuple as a list only, though it reads a mapping as well; editors should allow both."""

    def named_tuple_schema(self, schema: Any) -> dict[str, Any]:
        return self._named_or_listed(schema["fields"])

    def arguments_schema(self, schema: Any) -> dict[str, Any]:  # the same in pydantic 2.11
        return self._named_or_listed(schema["arguments_schema"])

    def _named_or_listed(self, fields: Any) -> dict[str, Any]:
        return {"anyOf": [self.kw_arguments_schema(fields, None), self.p_arguments_schema(fields, None)]}


# Files


def _not_found(path: Path) -> str:
    if not path.parent.is_dir():
        return f"{path}: no such file; the folder {path.parent} does not exist"
    names = sorted(file.name for file in path.parent.iterdir())
    near = difflib.get_close_matches(path.name, names, n=3)
    return f"{path}: no such file" + (f"; did you mean {' or '.join(near)}?" if near else _contents(path.parent))


def _contents(folder: Path) -> str:
    names = sorted(file.name for file in folder.iterdir() if file.suffix in (".yaml", ".yml"))
    return f"; {folder} holds {', '.join(names)}" if names else f"; {folder} holds no YAML file"


# YAML text to plain data


class _Loader(yaml.SafeLoader):
    """YAML with the scalars of the 1.2 core schema and without anchors, aliases and tags."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  (PyYAML fills it in `add_implicit_resolver`)

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            reason = (
                "anchors (&), aliases (*) and tags (!) are not used here: write the value out, or put text in quotes"
            )
            raise yaml.composer.ComposerError(None, None, reason, event.start_mark)
        return super().compose_node(parent, index)


for _tag, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    (
        "float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        list("-+.0123456789"),
    ),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), _first)


def _compose(text: str, source: str) -> yaml.MappingNode:
    try:
        root = yaml.compose(text, _Loader)
    except yaml.reader.ReaderError as error:
        line, column = text.count("\n", 0, error.position) + 1, error.position - text.rfind("\n", 0, error.position)
        raise InputError(f"{source}:{line}:{column}: not valid YAML: character {text[error.position]!r}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        reason = ": ".join(part for part in (error.context, error.problem) if part)
        hint = " (indent with spaces, not tabs)" if r"'\t'" in reason else ""
        raise InputError(f"{source}{place}: not valid YAML: {' '.join(reason.split())}{hint}") from None
    except RecursionError:
        raise InputError(f"{source}: not valid here: nested deeper than {DEEPEST} levels") from None
    except (ValueError, OverflowError) as error:  # PyYAML lets an impossible "\U" code or %YAML version escape
        raise InputError(f"{source}: not valid YAML: {error}") from None
    if root is None:
        raise InputError(f"{source}: is empty, expected a mapping of 'key: value'")
    if not isinstance(root, yaml.MappingNode):
        place = f"{root.start_mark.line + 1}:{root.start_mark.column + 1}"
        kind = "a list" if isinstance(root, yaml.SequenceNode) else f"the single value {_short(str(root.value))!r}"
        raise InputError(f"{source}:{place}: expected a mapping of 'key: value' at the top level, got {kind}")
    return root


def _plain(node: yaml.Node, path: Steps, marks: Marks, problems: list[Problem]) -> Any:
    """The node as dict, list, text, number, boolean or None; notes where each key stands and what cannot be kept."""
    marks.setdefault(path, (node.start_mark.line + 1, node.start_mark.column + 1))
    if len(path) > DEEPEST:
        problems.append(Problem(path, f"nested deeper than {DEEPEST} levels"))
        return None
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*path, i), marks, problems) for i, item in enumerate(node.value)]
    if not isinstance(node, yaml.MappingNode):
        return _scalar(node, path, problems)
    data: dict[str, Any] = {}
    for key, value in node.value:
        line, column = key.start_mark.line + 1, key.start_mark.column + 1
        if not isinstance(key, yaml.ScalarNode):
            problems.append(Problem(path, f"line {line} has a list or mapping as a key, expected text"))
            continue
        inside = (*path, key.value)
        if key.value in data:
            problems.append(Problem(inside, f"is written twice, again on line {line}; keep one"))
        marks.setdefault(inside, (line, column))
        _scalar(key, inside, problems)
        data[key.value] = _plain(value, inside, marks, problems)
    return data


def _scalar(node: yaml.Node, path: Steps, problems: list[Problem]) -> str | float | bool | None:
    text: str = node.value
    match node.tag.rpartition(":")[2]:
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int" | "float":
            number = _number(text)
            if number is None:
                problems.append(Problem(path, "must be a finite number", _short(text)))
            return number
    if any("\ud800" <= c <= "\udfff" for c in text):
        problems.append(Problem(path, "holds half a character (a lone surrogate), which no text may"))
    return text


def _number(text: str) -> float | None:
    """The number, or None if it is NaN or beyond the largest float."""
    if text.lstrip("+-").lower() in (".inf", ".nan"):
        return None
    base = {"0x": 16, "0o": 8}.get(text[:2])
    try:
        number = int(text, base) if base else int(text) if text.lstrip("+-").isdigit() else float(text)
    except ValueError:  # more digits than Python converts
        return None
    return number if abs(number) <= sys.float_info.max else None


# Pydantic's errors to sentences


def _explain(error: ErrorDetails, model: type[BaseModel]) -> Problem:
    kind, loc, given, context = error["type"], error["loc"], error["input"], error.get("ctx", {})
    if kind in MISSING | UNKNOWN:
        path, parent = _follow(model, loc[:-1])
        return _explain_key(kind, path, loc[-1], parent, given)
    path, here = _follow(model, loc)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _explain_tag(path, here, given, context["discriminator"].strip("'"))
    if kind in ("value_error", "assertion_error"):
        return Problem(path, str(context["error"]))
    if kind in NAMED_TUPLE:
        return Problem(path, f"expected a mapping with the keys {', '.join(_keys(here))}", _describe(given))
    if kind in ("too_short", "too_long"):
        return Problem(path, _exact_length(here) or WANTED[kind].format(**context), str(len(given)))
    if kind in WANTED:
        text = WANTED[kind].format(**{name: _number_text(value) for name, value in context.items()})
        near = _near(given, re.findall(r"'([^']*)'", text)) if kind in ("literal_error", "enum") else ""
        return Problem(path, text, _describe(given) + near)
    return Problem(path, re.sub(r"^(Input|String|Value) ", "", error["msg"]), _describe(given))


def _explain_key(kind: str, path: Steps, key: str | int, parent: Any, given: Any) -> Problem:
    """A key too few or too many; pydantic also calls the item `missing` that a list lacks to fill a tuple."""
    if isinstance(key, int):
        return Problem(path, _exact_length(parent), str(len(given)) if kind in MISSING else "more")
    known = _keys(parent)
    if kind in MISSING:
        return Problem((*path, key), f"is missing; the keys here are {', '.join(known)}")
    return Problem((*path, key), f"unknown key{_near(key, known)}; known keys: {', '.join(known)}")


def _explain_tag(path: Steps, here: Any, given: Any, tag: str) -> Problem:
    """The key that chooses between models (`kind`) is absent or names none of them."""
    known = [str(value) for member in _choices(here)[0] for value in _tag_values(member, tag)]
    text = f"one of {', '.join(known)}"
    if tag not in given:
        return Problem((*path, tag), f"is missing; give {text}")
    return Problem((*path, tag), f"must be {text}", _describe(given[tag]) + _near(given[tag], known))


def _report(problems: Iterable[Problem], marks: Marks, source: str) -> InputError:
    """All problems as one error, in the order of the file."""
    wanted: dict[tuple[Steps, str], list[str]] = {}  # the branches of a plain union each complain about one value
    for path, text, given in problems:
        texts = wanted.setdefault((path, given), [])
        if text not in texts:
            texts.append(text)
    lines = []
    for (path, given), texts in wanted.items():
        known = next(path[:n] for n in range(len(path), -1, -1) if path[:n] in marks)  # a missing key has no place
        line, column = marks[known]
        name = f"{_name(path)}: " if path else ""
        sentence = f"{' or '.join(texts)}, got {given}" if given else "; ".join(texts)
        lines.append((line, column, f"{source}:{line}:{column}: {name}{' '.join(sentence.split())}"))
    sentences = [text for _, _, text in sorted(lines)]
    return InputError("\n".join([f"{source}: {len(lines)} problems", *sentences] if len(lines) > 1 else sentences))


def _name(path: Steps) -> str:
    """`vehicles[0].controller.rate_hz`; a key that is not one word stands in brackets and quotes."""
    plain = "".join(
        f".{step}" if re.fullmatch(r"[\w-]+", str(step)) and isinstance(step, str) else f"[{step!r}]" for step in path
    )
    return plain.removeprefix(".")


def _describe(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return f"text {_short(value)!r}"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"a mapping with the keys {_short(', '.join(value))}" if value else "an empty mapping"
    return _short(_number_text(value))


def _number_text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _near(key: Any, known: list[str]) -> str:
    near = difflib.get_close_matches(str(key), known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


# What a model allows at a place


def _follow(kind: Any, loc: Steps) -> tuple[Steps, Any]:
    """The path in the file for pydantic's `loc`, without the branch names of unions, and the type expected there."""
    path: Steps = ()
    for step in loc:
        members, tag = _choices(kind)
        if len(members) > 1:
            kind = next((member for member in members if _answers_to(member, step, tag)), Any)
        elif step != "[key]":
            path, kind = (*path, step), _child(members[0], step)
    return path, kind


def _choices(kind: Any) -> tuple[list[Any], str | None]:
    """The members of a union without None (one for any other type), and the key that chooses between them."""
    tag = None
    while True:
        if isinstance(kind, FieldInfo):
            tag, kind = kind.discriminator or tag, kind.annotation
        elif get_origin(kind) is Annotated:
            tag = next((m.discriminator for m in kind.__metadata__ if getattr(m, "discriminator", None)), tag)
            kind = get_args(kind)[0]
        elif get_origin(kind) in (Union, UnionType):
            members = [member for member in get_args(kind) if member is not NoneType]
            if len(members) > 1:
                return members, tag if isinstance(tag, str) else None
            kind = members[0]
        else:
            return [kind], None


def _answers_to(member: Any, label: str | int, tag: str | None) -> bool:
    if tag is not None:
        return str(label) in map(str, _tag_values(member, tag))
    return re.search(rf"\b{getattr(member, '__name__', member)!s}\b", str(label)) is not None


def _tag_values(member: Any, tag: str) -> tuple[Any, ...]:
    field = _child(_choices(member)[0][0], tag)
    annotation = _choices(field)[0][0]
    return get_args(annotation) if get_origin(annotation) is Literal else ()


def _child(kind: Any, step: str | int) -> Any:
    """The type under a key or an index, `Any` where the model does not say."""
    if _is_named_tuple(kind):
        name = kind._fields[step] if isinstance(step, int) else step
        return get_type_hints(kind, include_extras=True).get(name, Any)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return next((field for name, field in kind.model_fields.items() if (field.alias or name) == step), Any)
    inner = get_args(kind)
    if get_origin(kind) is tuple and isinstance(step, int) and Ellipsis not in inner:
        return inner[step]
    return next((member for member in reversed(inner) if member is not Ellipsis), Any)


def _keys(kind: Any) -> list[str]:
    kind = _choices(kind)[0][0]
    if _is_named_tuple(kind):
        return list(kind._fields)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [field.alias or name for name, field in kind.model_fields.items()]
    return []


def _exact_length(kind: Any) -> str:
    """`expected 3 items` for a tuple, nothing for a list of free length."""
    kind = _choices(kind)[0][0]
    inner = get_args(kind)
    if _is_named_tuple(kind):
        return f"expected {len(kind._fields)} items ({', '.join(kind._fields)})"
    return f"expected {len(inner)} items" if get_origin(kind) is tuple and Ellipsis not in inner else ""


def _is_named_tuple(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")
