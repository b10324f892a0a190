"""The check cases that a DAVE-ML file carries, run on the same machine that flies it."""

import math
from typing import NamedTuple

import numpy as np

from cupola.bridge.dave_ml.document import DaveModel
from cupola.bridge.dave_ml.shots import Shot
from cupola.parts.functions.evaluate import evaluate
from cupola.parts.functions.program import build

INSIDE = 1e-6
"""Relative tolerance where a file gives none, as of inner values: they print at least seven digits."""


class Checked(NamedTuple):
    """One number of a check case."""

    shot: str
    name: str
    wanted: float
    got: float
    tolerance: float

    @property
    def passed(self) -> bool:
        """Whether it lies within its tolerance."""
        return abs(self.got - self.wanted) <= self.tolerance


def run_checks(model: DaveModel) -> list[Checked]:
    """All numbers of all check cases of a file."""
    program = build(model.functions(), {one.id: one.own for one in model.variables.values()})
    found = []
    for shot in model.shots:
        block = np.array(program.block)
        for k, one in enumerate(model.inputs()):
            block[k] = shot.inputs.get(one.id, one.initial if one.initial is not None else math.nan)
        evaluate(block, program.code, program.lines, program.result, (), ())
        found += _compared(model, shot, {name: float(block[k]) for name, k in program.wanted.items()})
    return found


def _compared(model: DaveModel, shot: Shot, got: dict[str, float]) -> list[Checked]:
    rows = []
    for key, signal in (*shot.outputs.items(), *shot.inside.items()):
        allowed = signal.tolerance if math.isfinite(signal.tolerance) else INSIDE * max(1.0, abs(signal.value))
        name = model.variables[key].name if key in shot.outputs else key
        rows.append(Checked(shot.name, name, signal.value, got[key], allowed))
    return rows
