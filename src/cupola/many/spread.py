"""A number of every world: the same, an array, or drawn from a distribution; and what each name means in a world."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from cupola.config.vehicle import Start
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

Array = np.ndarray[Any, Any]
SCENARIO = "scenario."
"""Begins the path of a number of the scenario file: `scenario.gravity`."""
BODY = re.compile(r"(?P<vehicle>[^.]+)\.(?P<body>[^.]+)\.(?P<what>mass|inertia_[xyz])")
START = re.compile(r"(?P<vehicle>[^.]+)\.start\.(?P<field>\w+)(?:\[(?P<axis>[012])\])?")


def is_drawn(value: Any) -> bool:
    """Whether something is a distribution: it has `rvs`, as those of `scipy.stats`."""
    return callable(getattr(value, "rvs", None))


def drawn(name: str, value: Any, seeds: Array) -> Array:
    """One value for each world. What is drawn depends on the name and on the world's seed, on nothing else."""
    n = len(seeds)
    if is_drawn(value):
        word = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
        return np.array([value.rvs(random_state=np.random.default_rng([word, int(seed)])) for seed in seeds], float)
    try:
        found = np.asarray(value, float)
    except (TypeError, ValueError):
        found = np.full((), np.nan)
    if not np.isfinite(found).all():
        raise InputError(f"{name}: expected finite numbers or a distribution with rvs(), got {value!r}")
    if found.ndim == 0:
        return np.full(n, float(found))
    if len(found) != n:
        raise InputError(f"{name}: expected one value for each of {n} worlds, got {len(found)}")
    return found


def scenario_changes(numbers: Mapping[str, Array], world: int) -> dict[str, Any]:
    """Paths in the scenario file and their values in one world, for `Scenario.with_`."""
    return {
        name.removeprefix(SCENARIO): _plain(values[world])
        for name, values in numbers.items()
        if name.startswith(SCENARIO)
    }


def apply(world: World, name: str, value: Any) -> None:
    """Give a world another number: a tunable one, of a body, or of the start, which acts at the next reset."""
    start = START.fullmatch(name)
    if start and start["vehicle"] in {one.name for one in world.instances}:
        _set_start(world, start["vehicle"], start["field"], start["axis"], value)
    elif (body := _body_of(world, name)) and not _is_of_a_part(world, name):
        _set_body(world, body, name.rpartition(".")[2], float(value))
    else:
        world.tune(name, _plain(value))


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else float(value)


def _set_start(world: World, vehicle: str, field: str, axis: str | None, value: Any) -> None:
    before = next(one for one in world.instances if one.name == vehicle).resolved.start
    if field not in Start.model_fields or (field == "joints_deg"):
        known = ", ".join(name for name in Start.model_fields if name != "joints_deg")
        raise InputError(f"{vehicle}.start: there is no {field!r}; there are: {known}")
    given = [*getattr(before, field)]
    if axis is None:
        given = _plain(value) if np.ndim(value) else [float(value)]
    else:
        given[int(axis)] = float(value)
    world.start_at(vehicle, **{field: given})


def _body_of(world: World, name: str) -> str | None:
    found = BODY.fullmatch(name)
    body = f"{found['vehicle']}/{found['body']}" if found else ""
    return body if found and body in {world.model.body(k).name for k in range(1, world.model.nbody)} else None


def _is_of_a_part(world: World, name: str) -> bool:
    return name in world.tuning.tunables and name not in world.tuning.of_bodies


def _set_body(world: World, body: str, what: str, value: float) -> None:
    """Another mass, or moment about one axis of the body through its centre; products of inertia stay."""
    now = world.inertia(body)
    if what == "mass":
        world.set_inertia(body, value, now.com_b, now.about_com)
        return
    moments = list(now.about_com)
    moments["xyz".index(what[-1])] = value
    world.set_inertia(body, now.mass, now.com_b, moments)
