"""Entries built and changed in Python: checked as those of files are, with the same sentences.

Pydantic is strict about Python's own types: a list is no tuple, a mapping is no entry, a NumPy number is no number.
What people write is made fit here, and checked afterwards.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_origin

from pydantic import BaseModel, ValidationError

from cupola.schema.validation_messages import Problem, Steps, child, choices, explain_all, near, path_name, tag_values


def fit_fields(model: Any, given: Mapping[str, Any], path: Steps, problems: list[Problem]) -> dict[str, Any]:
    """Values by field as a model takes them; what is wrong inside of them is added to `problems`."""
    prepared = model.prepare(dict(given)) if hasattr(model, "prepare") else given
    return {name: _fit(value, child(model, name), (*path, name), problems) for name, value in prepared.items()}


def sentences(name: str, problems: Sequence[Problem]) -> str:
    """All problems as one message about `name`."""
    lines = []
    for path, text, given in problems:
        where = f"{path_name(path)}: " if path else ""
        lines.append(f"{name}: {where}{text}{f', got {given}' if given else ''}")
    lines = list(dict.fromkeys(lines))
    return "\n".join([f"{name}: {len(lines)} problems", *lines] if len(lines) > 1 else lines)


def explained(error: ValidationError, model: type[BaseModel], path: Steps = ()) -> list[Problem]:
    """Problems found by pydantic, with `path` before each of their paths."""
    return [problem._replace(path=(*path, *problem.path)) for problem in explain_all(error, model)]


def _fit(value: Any, kind: Any, path: Steps, problems: list[Problem]) -> Any:
    if isinstance(value, BaseModel):
        return value
    if isinstance(value, type) and issubclass(value, BaseModel):
        return _entry(value, {}, path, problems)  # a class stands for one with all its defaults
    if hasattr(value, "tolist"):
        value = value.tolist()  # NumPy's numbers and arrays
    members, tag = choices(kind)
    if isinstance(value, Mapping):
        if (model := _model_for(value, members, tag)) is not None:
            return _entry(model, value, path, problems)
        inner = child(members[0], "") if len(members) == 1 and get_origin(members[0]) is dict else Any
        return {key: _fit(one, inner, (*path, key), problems) for key, one in value.items()}
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        wanted = next((one for one in members if get_origin(one) in (list, tuple)), members[0])
        items = [_fit(one, _item(wanted, i), (*path, i), problems) for i, one in enumerate(value)]
        return tuple(items) if get_origin(wanted) is tuple else items
    return value


def _item(kind: Any, index: int) -> Any:
    """What a list or tuple holds at a place, Any beyond its end."""
    try:
        return child(kind, index)
    except IndexError:
        return Any


def _model_for(value: Mapping[str, Any], members: list[Any], tag: str | None) -> Any:
    """The model that a mapping is written for."""
    models = [one for one in members if isinstance(one, type) and issubclass(one, BaseModel)]
    if tag is not None:
        return next((one for one in models if value.get(tag) in tag_values(one, tag)), None)
    return models[0] if len(models) == 1 else None


def _entry(model: Any, value: Mapping[str, Any], path: Steps, problems: list[Problem]) -> Any:
    before = len(problems)
    fitted = fit_fields(model, value, path, problems)
    if len(problems) == before:
        try:
            return model.model_validate(fitted)
        except ValidationError as error:
            problems += explained(error, model, path)
    return None


# Changed copies


STEP = re.compile(r"\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[(['\"])(.+?)\3\]")


def steps_of(path: str) -> list[str | int]:
    """`vehicles[0].controller.rate_hz` step by step, as messages write it; a ValueError where that is not one."""
    found: list[str | int] = []
    at = 0
    while at < max(1, len(path)):  # the empty path is none either
        match = STEP.match(path, at)
        if match is None:
            raise ValueError(f"{path!r} is not a path; paths look like 'air.wind.speed' or 'vehicles[0].position'")
        word, index, _, key = match.groups()
        found.append(int(index) if index is not None else word or key)
        at = match.end()
    return found


def changed(holder: Any, steps: Sequence[str | int], value: Any, done: Steps = ()) -> Any:
    """A copy of an entry, mapping or tuple with another value at a path; a ValueError where the path leads nowhere."""
    if not steps:
        return value
    step, here = steps[0], path_name(done) or "it"
    if isinstance(holder, BaseModel):
        known = list(type(holder).model_fields)
        if step not in known:
            raise ValueError(f"{here} has no {step!r}{near(step, known)}; it has: {', '.join(known)}")
        given = {name: getattr(holder, name) for name in holder.model_fields_set}
        inner = changed(getattr(holder, str(step)), steps[1:], value, (*done, step))
        return type(holder)(**{**given, str(step): inner})
    if isinstance(holder, Mapping):
        if step not in holder and len(steps) > 1:
            raise ValueError(f"{here} has no {step!r}; it has: {', '.join(map(str, holder)) or 'nothing'}")
        return {**holder, step: changed(holder.get(step), steps[1:], value, (*done, step))}
    if isinstance(holder, tuple) and hasattr(holder, "_fields") and isinstance(step, str):
        named: Any = holder
        if step not in named._fields:
            raise ValueError(
                f"{here} has no {step!r}{near(step, list(named._fields))}; it has: {', '.join(named._fields)}"
            )
        return named._replace(**{step: changed(getattr(named, step), steps[1:], value, (*done, step))})
    if isinstance(holder, list | tuple):
        if not isinstance(step, int) or step >= len(holder):
            raise ValueError(f"{here} is a list of {len(holder)}: its items are {here}[0] to {here}[{len(holder) - 1}]")
        items = list(holder)
        items[step] = changed(items[step], steps[1:], value, (*done, step))
        return tuple(items) if isinstance(holder, tuple) else items
    raise ValueError(f"{here} is {'nothing' if holder is None else repr(holder)}, which has no {step!r}; give it whole")
