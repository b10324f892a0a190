"""A number of every world: the same, an array, or drawn from a distribution; and what each name means in a world."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from cupola.many.asked import check_field, check_start
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
    n, start = len(seeds), START.fullmatch(name)
    told = _draws(name, value, seeds) if is_drawn(value) else value
    try:
        found = np.asarray(told, float)
    except (TypeError, ValueError):
        found = np.full((), np.nan)
    if not np.isfinite(found).all():
        said = "draws what is no finite number" if is_drawn(value) else f"got {value!r}"
        raise InputError(f"{name}: expected finite numbers or a distribution with rvs(), {said}")
    if found.ndim == 0:
        found = np.full(n, float(found))
    if len(found) != n:
        raise InputError(f"{name}: expected one value for each of {n} worlds, got {len(found)}")
    if start:
        check_start(start["field"], start["axis"], found, name)
    if found.ndim > 1 and not name.startswith(SCENARIO) and not (start and start["axis"] is None):
        raise InputError(f"{name}: expected one number for each of {n} worlds, got shape {found.shape}")
    return found


def _draws(name: str, distribution: Any, seeds: Array) -> list[Any]:
    word = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
    return [distribution.rvs(random_state=np.random.default_rng([word, int(seed)])) for seed in seeds]


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


def present(world: World, name: str) -> float:
    """What a world has under a name; an unknown one is refused with its neighbours."""
    if name in world.tuning.tunables:
        return float(world.tuning.tunables[name].read())
    found = BODY.fullmatch(name)
    if not found or _body_of(world, name) is None:
        world.tune(name, 0.0)  # says what there is
    assert found is not None
    now = world.inertia(f"{found['vehicle']}/{found['body']}")
    return now.mass if found["what"] == "mass" else now.about_com["xyz".index(found["what"][-1])]


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else float(value)


def _set_start(world: World, vehicle: str, field: str, axis: str | None, value: Any) -> None:
    before = next(one for one in world.instances if one.name == vehicle).resolved.start
    check_field(vehicle, field)
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
