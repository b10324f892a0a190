"""Why nothing balances: inputs at their ends, and the largest rate that is left."""

import math
from collections.abc import Iterable

import numpy as np

from cupola.analysis.balance import Solution
from cupola.analysis.controls import Control
from cupola.analysis.system import System, Variable

PLACE = ("psi", "x", "y", "h")
"""States that say where a vehicle is."""
NEAR_END = 1e-3
"""An input this close to its end, as a fraction of its range, counts as saturated."""


def obstacle(system: System, best: Solution, rows: Iterable[int] | None = None) -> str:
    """Saturated inputs, and the largest residual rate."""
    ends = []
    for control, value in zip(system.controls, best.inputs, strict=True):
        if math.isfinite(control.high - control.low) and saturated(control, float(value)):
            ends.append(f"{control.name} saturates at {value:.4g}{'' if control.unit == '1' else ' ' + control.unit}")
    scale = np.array([one.scale for one in system.states])
    changes = np.abs(best.rates)
    if rows is None:
        rows = [k for k, one in enumerate(system.states) if one.name not in PLACE]
    worst = max(rows, key=lambda k: changes[k] / scale[k])
    unit = per_second(system.states[worst])
    left = f"the best balance leaves {system.states[worst].name}_dot = {best.rates[worst]:.3g} {unit}"
    return "; ".join([*(ends or ["no command is at its end, yet they do not balance"]), left])


def saturated(control: Control, value: float) -> bool:
    """Whether an input is at one of its ends."""
    return min(value - control.low, control.high - value) < NEAR_END * (control.high - control.low)


def per_second(one: Variable) -> str:
    """Unit of the change of a state."""
    return {"m/s": "m/s²", "rad/s": "rad/s²", "1": "1/s"}.get(one.unit, f"{one.unit}/s")
