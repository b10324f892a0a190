"""Pydantic's errors as sentences: which key, what was given, what is allowed."""

import difflib
import re
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

Steps = tuple[str | int, ...]  # ("parts", "motor1", "axis", 2): the way to one value

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
    "too_short": "expected at least {min_length} item(s)",
    "too_long": "expected at most {max_length} items",
    "string_too_short": "expected at least {min_length} characters",
    "string_too_long": "expected at most {max_length} characters",
    "string_pattern_mismatch": "must match the pattern {pattern}",
}
# The second names are those of pydantic 2.11 for a NamedTuple.
MISSING = {"missing", "missing_argument"}
UNKNOWN = {"extra_forbidden", "unexpected_keyword_argument", "unexpected_positional_argument"}
NAMED_TUPLE = {"named_tuple_type", "arguments_type"}


class Problem(NamedTuple):
    """One line of a message; `given` is empty where the sentence is complete without it."""

    path: Steps
    text: str
    given: str = ""


def explain_all(error: ValidationError, model: type[BaseModel]) -> list[Problem]:
    """One problem per error; pydantic calls a list too short as well if one of its items is wrong."""
    details = error.errors(include_url=False)
    return [explain(one, model) for one in details if not _long_enough(one)]


def _long_enough(error: ErrorDetails) -> bool:
    return error["type"] == "too_short" and len(error["input"]) >= error["ctx"]["min_length"]


def explain(error: ErrorDetails, model: type[BaseModel]) -> Problem:
    """One error of pydantic as a sentence about the file."""
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
        return Problem(path, f"expected a mapping with the keys {', '.join(_keys(here))}", describe(given))
    if kind in ("too_short", "too_long"):
        return Problem(path, _exact_length(here) or WANTED[kind].format(**context), str(len(given)))
    if kind in WANTED:
        text = WANTED[kind].format(**{name: _number_text(value) for name, value in context.items()})
        hint = near(given, re.findall(r"'([^']*)'", text)) if kind in ("literal_error", "enum") else ""
        return Problem(path, text, describe(given) + hint)
    return Problem(path, re.sub(r"^(Input|String|Value) ", "", error["msg"]), describe(given))


def _explain_key(kind: str, path: Steps, key: str | int, parent: Any, given: Any) -> Problem:
    """A key too few or too many; pydantic also calls the item `missing` that a list lacks to fill a tuple."""
    if isinstance(key, int):
        return Problem(path, _exact_length(parent), str(len(given)) if kind in MISSING else "more")
    known = _keys(parent)
    if kind in MISSING:
        return Problem((*path, key), f"is missing; the keys here are {', '.join(known)}")
    return Problem((*path, key), f"unknown key{near(key, known)}; known keys: {', '.join(known)}")


def _explain_tag(path: Steps, here: Any, given: Any, tag: str) -> Problem:
    """The key that chooses between models (`kind`) is absent or names none of them."""
    known = [str(value) for instance in choices(here)[0] for value in tag_values(instance, tag)]
    text = f"one of {', '.join(known)}"
    if tag not in given:
        return Problem((*path, tag), f"is missing; give {text}")
    return Problem((*path, tag), f"must be {text}", describe(given[tag]) + near(given[tag], known))


def path_name(path: Steps) -> str:
    """`vehicles[0].controller.rate_hz`; a key that is not one word stands in brackets and quotes."""
    plain = "".join(
        f".{step}" if re.fullmatch(r"[\w-]+", str(step)) and isinstance(step, str) else f"[{step!r}]" for step in path
    )
    return plain.removeprefix(".")


def describe(value: Any) -> str:
    """A value as a reader would name it."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return f"text {short(value)!r}"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"a mapping with the keys {short(', '.join(value))}" if value else "an empty mapping"
    return short(_number_text(value))


def _number_text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)


def short(text: str) -> str:
    """A text cut to what fits a message."""
    return text if len(text) <= 60 else f"{text[:57]}..."


def near(key: Any, known: list[str]) -> str:
    """A hint at the known word that looks most like `key`, or nothing."""
    closest = difflib.get_close_matches(str(key), known, n=1)
    return f" (did you mean {closest[0]!r}?)" if closest else ""


# What a model allows at a place


def _follow(kind: Any, loc: Steps) -> tuple[Steps, Any]:
    """The path in the file for pydantic's `loc`, without the branch names of unions, and the type expected there."""
    path: Steps = ()
    for step in loc:
        instances, tag = choices(kind)
        if len(instances) > 1:
            kind = next((instance for instance in instances if _answers_to(instance, step, tag)), Any)
        elif step != "[key]":
            path, kind = (*path, step), child(instances[0], step)
    return path, kind


def choices(kind: Any) -> tuple[list[Any], str | None]:
    """The members of a union without None (one for any other type), and the key that chooses between them."""
    tag = None
    while True:
        if isinstance(kind, FieldInfo):
            tag, kind = kind.discriminator or tag, kind.annotation
        elif get_origin(kind) is Annotated:
            tag = next((m.discriminator for m in kind.__metadata__ if getattr(m, "discriminator", None)), tag)
            kind = get_args(kind)[0]
        elif get_origin(kind) in (Union, UnionType):
            instances = [instance for instance in get_args(kind) if instance is not NoneType]
            if len(instances) > 1:
                return instances, tag if isinstance(tag, str) else None
            kind = instances[0]
        else:
            return [kind], None


def _answers_to(instance: Any, label: str | int, tag: str | None) -> bool:
    if tag is not None:
        return str(label) in map(str, tag_values(instance, tag))
    return re.search(rf"\b{getattr(instance, '__name__', instance)!s}\b", str(label)) is not None


def tag_values(instance: Any, tag: str) -> tuple[Any, ...]:
    """The words with which a key chooses a model."""
    field = child(choices(instance)[0][0], tag)
    annotation = choices(field)[0][0]
    return get_args(annotation) if get_origin(annotation) is Literal else ()


def child(kind: Any, step: str | int) -> Any:
    """The type under a key or an index, `Any` where the model does not say."""
    if _is_named_tuple(kind):
        name = kind._fields[step] if isinstance(step, int) else step
        return get_type_hints(kind, include_extras=True).get(name, Any)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return next((field for name, field in kind.model_fields.items() if (field.alias or name) == step), Any)
    inner = get_args(kind)
    if get_origin(kind) is tuple and isinstance(step, int) and Ellipsis not in inner:
        return inner[step]
    return next((instance for instance in reversed(inner) if instance is not Ellipsis), Any)


def _keys(kind: Any) -> list[str]:
    kind = choices(kind)[0][0]
    if _is_named_tuple(kind):
        return list(kind._fields)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [field.alias or name for name, field in kind.model_fields.items()]
    return []


def _exact_length(kind: Any) -> str:
    """`expected 3 items` for a tuple, nothing for a list of free length."""
    kind = choices(kind)[0][0]
    inner = get_args(kind)
    if _is_named_tuple(kind):
        return f"expected {len(kind._fields)} items ({', '.join(kind._fields)})"
    return f"expected {len(inner)} items" if get_origin(kind) is tuple and Ellipsis not in inner else ""


def _is_named_tuple(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")
