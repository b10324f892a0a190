"""What a batch is given and asked for, checked once for all back-ends: one sentence names what does not fit."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cupola.config.vehicle import Start
from cupola.schema.arguments import described, text
from cupola.schema.limits import LARGEST
from cupola.schema.yaml_files import InputError

Array = np.ndarray[Any, Any]
START_FIELDS = tuple(name for name in Start.model_fields if name != "joints_deg")
"""Fields of `start:` that worlds may have of their own: three numbers each."""
MOST_WORLDS = 2**31
"""Of a batch: far more than any memory holds."""


def named_numbers(given: Any) -> dict[str, Any]:
    """Numbers by their names."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(
            f"numbers: expected names and their values, as {{'air.wind_speed': 3}}, got {described(given)}"
        )
    return {text(name, "numbers: name"): value for name, value in given.items()}


def names_of(names: Any) -> list[str]:
    """Names of signals: a list of them, and not one text, whose letters would be taken for names."""
    if isinstance(names, str | bytes) or not isinstance(names, Sequence):
        raise InputError(f"observe: expected a list of names, got {described(names)}")
    return [text(name, "observe") for name in names]


def array_of(values: Any, what: str) -> Array:
    """An array; what cannot be one, as rows of unlike lengths, is refused."""
    try:
        return np.asarray(values)
    except (TypeError, ValueError):
        raise InputError(f"{what}: the rows are not of one length, got {values!r}") from None


def stick_rows(value: Any, worlds: int, channels: int, vehicle: str) -> Array:
    """Positions of the first channels, a row for each world: the same row for all, or one for each."""
    try:
        found = np.asarray(value, float)
    except (TypeError, ValueError):
        found = np.zeros(())
    if found.ndim not in (1, 2) or (found.ndim == 2 and len(found) != worlds):
        said = f"expected a list of channels, or one for each of {worlds} worlds"
        raise InputError(f"{vehicle}.sticks: {said}, got {value!r}")
    if found.shape[-1] > channels:
        raise InputError(f"{vehicle}: there are {channels} stick channels, got {found.shape[-1]}")
    return np.broadcast_to(found, (worlds, found.shape[-1]))


def check_field(vehicle: str, field: str) -> None:
    """Refuse what is no field of `start:`."""
    if field not in START_FIELDS:
        raise InputError(f"{vehicle}.start: there is no {field!r}; there are: {', '.join(START_FIELDS)}")


def check_start(field: str, axis: str | None, values: Array, name: str) -> None:
    """Refuse starts that a scenario could not have: its limits hold for each number alone, so the ends are tried."""
    check_field(name.partition(".")[0], field)
    if axis is None and values.shape[1:] != (3,):
        raise InputError(f"{name}: expected three numbers for each of {len(values)} worlds, got shape {values.shape}")
    if not np.abs(values).max(initial=0.0) > min(LARGEST.values()):
        return  # a learner starts worlds over all the time
    for end in (np.min, np.max):
        worst = end(values, axis=0)
        tried: dict[str, Any] = {field: [float(worst)] * 3 if axis is not None else worst.tolist()}
        Start(**tried)


def check_options(make: Any, backend: str, options: Mapping[str, Any]) -> None:
    """Refuse a keyword that a back-end does not know, and say what it knows."""
    known = [p.name for p in inspect.signature(make).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            raise InputError(f"the back-end {backend} has no option {name!r}; it has: {', '.join(known)}")
