"""YAML files into checked models, with errors that say where, which key, what was given and what is allowed.

Numbers, booleans and null follow the YAML 1.2 core schema: `1e-3` is a number, `on` and `yes` are text. Anchors,
aliases and tags are refused, as are a key written twice, NaN and infinity: a file says each thing once, in the open.
"""

import difflib
import functools
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.json_schema import GenerateJsonSchema

from cupola.schema.input_files import MEBI, boundary, read_text
from cupola.schema.input_files import InputError as InputError
from cupola.schema.limits import beyond_limits
from cupola.schema.python_values import changed, explained, fit_fields, sentences, steps_of
from cupola.schema.validation_messages import Problem, Steps, explain_all, path_name, short

Marks = dict[Steps, tuple[int, int]]  # where each key or list item stands: (line, column), from 1
DEEPEST = 32  # levels; hand-written files stay below ten, and the JSON parser stops at 200
LARGEST = MEBI // 4  # bytes: some seconds of reading; long lists of sticks belong into a CSV file
MOST = 300_000  # values, with every alias written out; a file of that size has fewer
MOST_SAID = 20  # problems of one file
KEPT = 32  # texts that are not read again


class Entry(BaseModel):
    """Base of everything written in a file: no unknown keys, no text or boolean for a number, no NaN, no change."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @model_validator(mode="after")
    def _stay_within_limits(self) -> Self:
        """Each number that is declared by us; a class of the user's has its own bounds for its own numbers."""
        ours = {
            name: (getattr(self, name), info.description or "")
            for name, info in type(self).model_fields.items()
            if _declared_by(type(self), name).startswith("cupola.")
        }
        for problem in beyond_limits(ours):
            raise ValueError(problem)
        return self

    @classmethod
    def prepare(cls, data: dict[str, Any]) -> dict[str, Any]:
        """The content of a file as it is checked; a model may rewrite what its user may write more simply."""
        return data

    if not TYPE_CHECKING:  # type checkers see the fields of each model

        def __init__(self, **given: Any) -> None:
            """Checked as the keys of a file are, with the same sentences."""
            name, problems = type(self).__name__, []
            fitted = fit_fields(type(self), given, (), problems)
            if problems:
                raise InputError(sentences(name, problems))
            try:
                super().__init__(**fitted)
            except ValidationError as error:
                raise InputError(sentences(name, explained(error, type(self)))) from None

        __init__.__pydantic_base_init__ = True  # what is inside of an entry is checked with it, in one go

        def __setattr__(self, name: str, value: Any) -> None:
            try:
                super().__setattr__(name, value)
            except ValidationError:
                own = type(self).__name__
                raise InputError(f"{own}: {name} cannot be changed; with_({name}=...) gives a changed copy") from None

    def with_(self, changes: Mapping[str, Any] | None = None, /, **fields: Any) -> Self:
        """A changed copy: `scenario.with_(duration=5.0)`, or deeper, `scenario.with_({"air.wind.speed": 8.0})`."""
        found: Self = self
        for path, value in {**(changes or {}), **fields}.items():
            try:
                found = changed(found, steps_of(path), value)
            except ValueError as error:
                raise InputError(f"{type(self).__name__}: {error}") from None
        for name, value in (self.__pydantic_private__ or {}).items():  # where it was read from
            setattr(found, name, value)
        return found


@functools.lru_cache(maxsize=4096)
def _declared_by(cls: type, name: str) -> str:
    """Module of the class that declares a field."""
    return next((c.__module__ for c in cls.__mro__ if name in inspect.get_annotations(c)), "")


M = TypeVar("M", bound=Entry)


def read(path: Path, model: type[M]) -> M:
    """The YAML file at `path` as a checked `model`."""
    with boundary(path, "cannot be read"):
        if path.is_dir():
            raise InputError(f"{path}: is a folder, expected a YAML file{_contents(path)}")
        if not path.exists() and not path.is_symlink():
            raise InputError(_not_found(path))
    return parse(read_text(path, LARGEST), str(path), model)


def parse(text: str, source: str, model: type[M]) -> M:
    """YAML `text` as a checked `model`; messages call the text `source`."""
    data, marks = _content(text, source, _Loader)
    with boundary(source, "cannot be taken in"):
        try:
            # As JSON, pydantic is strict about numbers and still takes a list for a tuple and text for a path.
            return model.model_validate_json(json.dumps(model.prepare(data)))
        except ValidationError as error:
            raise _report(explain_all(error, model), marks, source) from None


def parse_plain(text: str, source: str) -> dict[str, Any]:
    """YAML `text` of another program as dict, list, text, finite number, boolean and None."""
    return _content(text, source, _ForeignLoader)[0]


def _content(text: str, source: str, loader: Any) -> tuple[dict[str, Any], Marks]:
    """What a text says, and where."""
    if len(text) > LARGEST:
        raise InputError(f"{source}: has {len(text)} characters, more than the {LARGEST} that a YAML file may have")
    written, marks = _read_once(text, source, loader)
    return json.loads(written), dict(marks)


@functools.lru_cache(maxsize=KEPT)
def _read_once(text: str, source: str, loader: Any) -> tuple[str, Marks]:
    """The same, as JSON: PyYAML is slow, and world after world has the same vehicle."""
    marks: Marks = {}
    problems: list[Problem] = []
    with boundary(source, "not valid YAML"):
        data = _plain(_compose(text, source, loader), (), marks, problems)
    if problems:
        raise _report(problems, marks, source)
    return json.dumps(data), marks


def places(text: str, source: str) -> dict[str, tuple[int, int]]:
    """Line and column of each key and list item of a YAML `text`, by the name that messages have for it."""
    return {path_name(path): mark for path, mark in _content(text, source, _Loader)[1].items() if path}


def words(text: str, source: str) -> list[tuple[str, str]]:
    """The values of a YAML `text` that are text, each after its key."""
    return [(key, node.value) for key, node in _words(_compose(text, source, _Loader))]


def with_words(text: str, source: str, change: Callable[[str, str], str]) -> str:
    """YAML `text` with other words where `change` of key and value gives another; all else stays as it was written."""
    found = sorted(_words(_compose(text, source, _Loader)), key=lambda one: -one[1].start_mark.index)
    for key, node in found:
        if (other := change(key, node.value)) != node.value:
            text = f"{text[: node.start_mark.index]}{json.dumps(other)}{text[node.end_mark.index :]}"
    return text


def _words(node: yaml.Node, key: str = "") -> Iterator[tuple[str, yaml.ScalarNode]]:
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _words(value, str(name.value))
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _words(item, key)
    elif isinstance(node, yaml.ScalarNode) and node.tag.endswith(":str"):
        yield key, node


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

    refused: tuple[str, ...] = ("anchor", "tag")

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  (PyYAML fills it in `add_implicit_resolver`)

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if any(getattr(event, kind, None) for kind in self.refused):
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


class _ForeignLoader(_Loader):
    """The same with anchors and aliases, as other programs write them."""

    refused = ("tag",)


def _compose(text: str, source: str, loader: type[_Loader]) -> yaml.MappingNode:
    try:
        root = yaml.compose(text, loader)
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
        kind = "a list" if isinstance(root, yaml.SequenceNode) else f"the single value {short(str(root.value))!r}"
        raise InputError(f"{source}:{place}: expected a mapping of 'key: value' at the top level, got {kind}")
    return root


def _plain(node: yaml.Node, path: Steps, marks: Marks, problems: list[Problem]) -> Any:
    """The node as dict, list, text, number, boolean or None; notes where each key stands and what cannot be kept."""
    marks.setdefault(path, (node.start_mark.line + 1, node.start_mark.column + 1))
    if len(marks) > MOST:
        raise ValueError(f"its aliases (*) grow to more than {MOST} values")
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
                problems.append(Problem(path, "must be a finite number", short(text)))
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


def _report(problems: Iterable[Problem], marks: Marks, source: str) -> InputError:
    """All problems as one error, in the order of the file."""
    wanted: dict[tuple[Steps, str], dict[str, None]] = {}  # the branches of a plain union each complain about one value
    for path, text, given in problems:
        wanted.setdefault((path, given), {})[text] = None
    lines = []
    for (path, given), texts in wanted.items():
        known = next(path[:n] for n in range(len(path), -1, -1) if path[:n] in marks)  # a missing key has no place
        line, column = marks[known]
        name = f"{path_name(path)}: " if path else ""
        said = list(texts)
        if len(said) > MOST_SAID:
            said[MOST_SAID:] = [f"and {len(said) - MOST_SAID} more"]
        sentence = f"{' or '.join(said)}, got {given}" if given else "; ".join(said)
        lines.append((line, column, f"{source}:{line}:{column}: {name}{' '.join(sentence.split())}"))
    sentences = [text for _, _, text in sorted(lines)]
    if len(sentences) > MOST_SAID:
        sentences[MOST_SAID:] = [f"{source}: and {len(sentences) - MOST_SAID} more"]
    return InputError("\n".join([f"{source}: {len(lines)} problems", *sentences] if len(lines) > 1 else sentences))
