"""Which numbers that parts remember are states: found by changing each a little and looking at what follows.

A number is a state if it persists and the accelerations depend on it, directly or through others: the speed of a shaft,
the place of a servo, the air that a wing remembers. One that is written anew in each tick follows its command at once,
one that nothing depends on only counts, such as the work done so far, and one that makes a jump is a switch.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cupola.analysis.system import Array
from cupola.kernel.records import leaves
from cupola.parts.shown import leaf_units

if TYPE_CHECKING:
    from cupola.sim.world import World

CHANGE = 1e-5
"""Of a number, relative to 1 and to itself."""
SEEN = 1e-9
"""Smallest change of an acceleration, relative to 1 and to itself, that is not rounding."""
SEEN_IN_CONTACT = 1e-6
"""The same where a solver finds the forces of contacts."""


class InnerState(NamedTuple):
    """An element of the state of a part."""

    name: str
    unit: str
    place: int
    """In the state of the world."""


class Response(NamedTuple):
    """Effect of a short step."""

    after: Array
    """The states after it."""
    accelerations: Array


def candidates(world: "World", vehicle: str) -> list[InnerState]:
    """All states of the parts of a vehicle."""
    found = []
    for bound in world.assembly.parts:
        if bound.vehicle != vehicle or hasattr(bound.group.kind, "measure"):
            continue
        units, first, memory = leaf_units(bound.group.kind.State), int(bound.row["state"]), int(bound.row["memory"])
        found += [
            InnerState(f"{bound.name}.{leaf}", units[leaf], first + k)
            for k, leaf in enumerate(leaves(bound.group.kind.State))
            if leaf.partition(".")[0] not in bound.part.switches
        ]
        count = int(bound.row["memory_size"])
        found += [InnerState(f"{bound.name}.memory.{k}", "1", memory + k) for k in range(count)]
    return found


class Found(NamedTuple):
    """Numbers that are states, and those that go where they belong at a limited rate: in small motions at once."""

    states: list[InnerState]
    limited: list[InnerState]


def find_inner_states(
    numbers: list[InnerState], values: Array, respond: Callable[[Array], Response], duration: float, noise: float
) -> Found:
    """Which of some numbers are states; `respond` says what `duration` [s] makes of their values."""
    base = respond(values)
    acting, leads = [False] * len(numbers), [set[int]() for _ in numbers]
    lasting, limited = [False] * len(numbers), [False] * len(numbers)
    for i, value in enumerate(values):
        step = CHANGE * (1.0 + abs(value))
        once, twice = (_effect(values, i, k * step, respond, base) for k in (1.0, 2.0))
        lasting[i] = 0.5 < once.after[i] / step < 1.5
        speeds = [(one.after[i] - k * step) / duration for k, one in ((1.0, once), (2.0, twice))]
        hurries = abs(speeds[0]) > 1e-3 and abs(speeds[1] - speeds[0]) < 0.2 * abs(speeds[0])
        limited[i] = lasting[i] and hurries
        moved = np.abs(once.accelerations) > noise * (1.0 + np.abs(base.accelerations))
        sizes = [float(np.linalg.norm(one.accelerations[moved])) for one in (once, twice)]
        acting[i] = bool(moved.any()) and 1.6 < sizes[1] / sizes[0] < 2.4  # a switch does the same at both
        own = np.arange(len(numbers)) == i
        tiny = 8.0 * np.finfo(float).eps * (1.0 + np.abs(values))
        leads[i] = set(np.flatnonzero((np.abs(once.after) > tiny) & ~own).tolist())
    reached = {i for i in range(len(numbers)) if acting[i] and lasting[i]}
    while more := {i for i in range(len(numbers)) if lasting[i] and i not in reached and leads[i] & reached}:
        reached |= more
    return Found(
        [numbers[i] for i in sorted(reached) if not limited[i]], [numbers[i] for i in sorted(reached) if limited[i]]
    )


def _effect(values: Array, i: int, step: float, respond: Callable[[Array], Response], base: Response) -> Response:
    changed = values.copy()
    changed[i] += step
    found = respond(changed)
    return Response(found.after - base.after, found.accelerations - base.accelerations)
