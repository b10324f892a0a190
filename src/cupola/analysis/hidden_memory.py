"""Models that keep a state where an operating point cannot put it: attributes that a `step` in Python changes.

Each is looked at twice in the same place, and elsewhere for a longer while in between: one whose outputs have changed
remembers something of its own.
"""

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cupola.analysis.system import Array
from cupola.parts.external.external import External
from cupola.schema.yaml_files import InputError
from cupola.sim.evaluation import untouched

if TYPE_CHECKING:
    from cupola.sim.world import World

ASIDE, WHILE, TIMES = 0.01, 0.1, 3
"""Size of the disturbance, duration [s], and number of repetitions."""


def refuse_hidden_memory(
    world: "World", vehicle: str, act: Callable[[Array, Array, float], Array], state: Array, inputs: Array, noise: float
) -> None:
    """Say which parts of a vehicle remember what they do not declare; `act` gives accelerations after a while."""
    bound = [one for one in world.assembly.parts if one.vehicle == vehicle and not hasattr(one.group.kind, "measure")]
    asked = [one for one in bound if one.part.runs_in_python() or isinstance(one.part, External)]
    if not asked:
        return
    with untouched(world):
        before = [one.part.memory() for one in asked]
        first = act(state, inputs, 0.0)
        for _ in range(TIMES):
            act(state + ASIDE, inputs + ASIDE, WHILE)
        again = act(state, inputs, 0.0)
        changed = [_changed(old, one.part.memory()) for old, one in zip(before, asked, strict=True)]
        for one, memory in zip(asked, before, strict=True):
            one.part.remember(memory)
    if np.all(np.abs(again - first) <= noise * (1.0 + np.abs(first))):
        return
    named = [f"{one.full_name} ({', '.join(names)})" for one, names in zip(asked, changed, strict=True) if names]
    who = " and ".join(named) or " or ".join(one.full_name for one in asked)
    why = "keeps a state of its own, on which what it gives depends: no operating point and no linear model can hold it"
    raise InputError(f"{who} {why}. Let its step depend on what it is given alone, or declare a State and compile it")


def _changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [name for name in after if name not in before or _text(before[name]) != _text(after[name])]


def _text(value: Any) -> bytes:
    try:
        return pickle.dumps(value)
    except Exception:  # what cannot be written is compared by what it shows
        return repr(value).encode()
