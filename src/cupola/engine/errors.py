"""What to say, and what to keep, when a run must stop."""

from typing import Any

import numpy as np

from cupola.engine.loads import (
    AIRFOIL_LOAD,
    BLUFF_LOAD,
    COMMAND,
    EXTERNAL,
    HELD_LOAD,
    LIFTDRAG_LOAD,
    MOTION,
    ROTOR_LOAD,
    WING_LOAD,
)
from cupola.engine.loop import HISTORY

ARRAY_OF = {
    AIRFOIL_LOAD: "airfoils",
    LIFTDRAG_LOAD: "liftdrags",
    ROTOR_LOAD: "rotors",
    HELD_LOAD: "held",
    BLUFF_LOAD: "bluffs",
    WING_LOAD: "wings",
}


class SimulationError(Exception):
    """The state of a world is no longer a number, or runs away."""


def split(code: int) -> tuple[int, int]:
    """Kind of problem and index of the part, from what the loop returned."""
    return code % 16, code // 16


def recent_states(arrays: Any, tick: int) -> Any:
    """The last states up to `tick`, oldest first: MuJoCo's state, then our arrays `REMEMBERED`."""
    ticks = np.arange(max(0, tick - HISTORY + 1), tick + 1)
    rows = arrays.history.reshape(HISTORY, -1)[ticks % HISTORY]
    return rows[rows[:, -arrays.counters.size] == ticks]  # not those of another story


def retell(arrays: Any, states: Any) -> None:
    """Put states of a file in the place of the last ones."""
    ticks = states[:, -arrays.counters.size].astype(int)
    arrays.history.reshape(HISTORY, -1)[ticks % HISTORY] = states


__all__ = ["ARRAY_OF", "COMMAND", "EXTERNAL", "MOTION", "SimulationError", "recent_states", "retell", "split"]
