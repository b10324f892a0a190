"""Numbers that each world of a fused batch has of its own: what a name of `World.parameters` changes in the flight.

Found by trying: the name is set to three values in a world that is never flown, and every number that stands in the
flight is compared. One that follows in a straight line is computed for all worlds at once; the rest world by world.
"""

import logging
from typing import Any

import numpy as np

from cupola.many import spread
from cupola.many.flight_template import numbers_in
from cupola.sim.world import Snapshot, World

log = logging.getLogger("cupola")
Array = np.ndarray[Any, Any]
STRAIGHT = 1e-9
"""Relative to its change: what deviates less follows a straight line."""
MANY = 1000
"""Worlds for which trying takes long enough to say so."""
INERTIA = tuple(f"solid.{k}" for k in range(4, 10))
INVERSE = tuple(f"solid.{k}" for k in range(10, 16))
PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def own_numbers(world: World, given: dict[str, Array]) -> dict[str, Array]:
    """What differs from world to world in the flight, by the names of `numbers_in`."""
    before = world.snapshot()
    try:
        return _tried(world, given, before)
    finally:
        as_before(world, before)  # a value may have been refused on the way


def _tried(world: World, given: dict[str, Array], before: Snapshot) -> dict[str, Array]:
    base = numbers_in(world)
    n = max((len(values) for values in given.values()), default=0)
    found: dict[str, Array] = {}
    for name, values in given.items():
        for key, column in _followed(world, name, values, base).items():
            found[key] = found.get(key, np.full(n, base[key])) + column - base[key]
        as_before(world, before)
    if not all(_foretold(world, given, found, base, before, i) for i in sorted({0, n // 2, n - 1}) if n):
        found = _one_by_one(world, given, base, before, n)
    if set(INERTIA) & set(found):
        full = {key: found.get(key, np.full(n, base[key])) for key in INERTIA}
        matrix = np.zeros((n, 3, 3))
        for (r, c), key in zip(PLACES, INERTIA, strict=True):
            matrix[:, r, c] = matrix[:, c, r] = full[key]
        inverse = np.linalg.inv(matrix)
        found |= full | {key: inverse[:, r, c] for key, (r, c) in zip(INVERSE, PLACES, strict=True)}
    return found


def as_before(world: World, before: Snapshot) -> None:
    """Take back what was tried in a world."""
    world.restore(before)
    for instance in world.instances:
        world.tuning.refit(instance.name)  # what parts know of the masses, too


def _together(world: World, given: dict[str, Array], before: Snapshot, i: int) -> dict[str, float]:
    """The numbers of world `i` with all that is given, in the order in which it was given."""
    for name, values in given.items():
        spread.apply(world, name, float(values[i]))
    seen = numbers_in(world)
    as_before(world, before)
    return seen


def _foretold(
    world: World, given: dict[str, Array], found: dict[str, Array], base: dict[str, float], before: Snapshot, i: int
) -> bool:
    """Whether the names, each tried alone, do to world `i` what they do together."""
    seen = _together(world, given, before, i)
    return all(
        key in INVERSE or np.isclose(seen[key], found[key][i] if key in found else base[key], rtol=STRAIGHT, atol=0.0)
        for key in base
    )


def _one_by_one(
    world: World, given: dict[str, Array], base: dict[str, float], before: Snapshot, n: int
) -> dict[str, Array]:
    """The same, tried for every world: names that act on each other, as a mass and what a mixer makes of it."""
    if n > MANY:
        log.warning("%s act on each other: they are tried in each of %d worlds", ", ".join(given), n)
    each = [_together(world, given, before, i) for i in range(n)]
    columns = {key: np.array([one[key] for one in each]) for key in base}
    return {key: values for key, values in columns.items() if (values != base[key]).any()}


def _followed(world: World, name: str, values: Array, base: dict[str, float]) -> dict[str, Array]:
    low, high = float(np.min(values)), float(np.max(values))
    if low == high:
        seen = _with(world, name, low)
        return {key: np.full(len(values), seen[key]) for key in base if seen[key] != base[key]}
    ends, middle = (_with(world, name, low), _with(world, name, high)), _with(world, name, 0.5 * (low + high))
    changed = [key for key in base if not ends[0][key] == ends[1][key] == middle[key] == base[key]]
    bent = [key for key in changed if key not in INVERSE and not _straight(ends[0][key], middle[key], ends[1][key])]
    share = (values - low) / (high - low)
    found = {key: ends[0][key] + share * (ends[1][key] - ends[0][key]) for key in changed if key not in bent}
    if bent:
        each = [_with(world, name, float(value)) for value in values]
        found |= {key: np.array([one[key] for one in each]) for key in bent}
    return found


def _straight(low: float, middle: float, high: float) -> bool:
    return abs(middle - 0.5 * (low + high)) <= STRAIGHT * abs(high - low)


def _with(world: World, name: str, value: float) -> dict[str, float]:
    spread.apply(world, name, value)
    return numbers_in(world)
