"""What to say, and what to keep, when a run must stop."""

from typing import Any

from cupola.engine.loads import AIRFOIL_LOAD, COMMAND, HELD_LOAD, MOTION, ROTOR_LOAD
from cupola.engine.loop import HISTORY

ARRAY_OF = {AIRFOIL_LOAD: "airfoils", ROTOR_LOAD: "rotors", HELD_LOAD: "held"}


class SimulationError(Exception):
    """The state of a world is no longer a number, or runs away."""


def split(code: int) -> tuple[int, int]:
    """Kind of problem and index of the part, from what the loop returned."""
    return code % 16, code // 16


def recent_states(arrays: Any, tick: int) -> Any:
    """The last states before `tick`, oldest first: MuJoCo's state, ours, the commands and the counters."""
    table = arrays.history.reshape(HISTORY, -1)
    first = max(0, tick - HISTORY + 1)
    return table[[t % HISTORY for t in range(first, tick + 1)]].copy()


__all__ = ["ARRAY_OF", "COMMAND", "MOTION", "SimulationError", "recent_states", "split"]
