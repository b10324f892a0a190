"""What is raised, and what is kept, when a run must stop."""

from typing import Any

import numpy as np

from cupola.engine.loop import HISTORY


class SimulationError(Exception):
    """The state of a world is no longer a number, or runs away."""


def recent_states(arrays: Any, tick: int) -> Any:
    """The last states up to `tick`, oldest first: MuJoCo's, then `array_groups.REMEMBERED`, then the counters."""
    ticks = np.arange(max(0, tick - HISTORY + 1), tick + 1)
    rows = arrays.history.reshape(HISTORY, -1)[ticks % HISTORY]
    return rows[rows[:, -arrays.counters.size] == ticks]  # not those before a restore


def replace_history(arrays: Any, states: Any) -> None:
    """Put states of a file in the place of the last ones."""
    ticks = states[:, -arrays.counters.size].astype(int)
    arrays.history.reshape(HISTORY, -1)[ticks % HISTORY] = states
