"""How far a channel moves a surface of a DAVE-ML file, and which way: sticks mean right, nose up, nose right."""

import math

import numpy as np

from cupola.bridge.dave_ml.document import DaveModel
from cupola.bridge.dave_ml.units import QUANTITIES, factor
from cupola.bridge.dave_ml.variable import Variable
from cupola.parts.functions.evaluate import evaluate
from cupola.parts.functions.program import build

USUAL_TRAVEL = {"deg": 20.0, "rad": math.radians(20.0), "pct": 100.0}
"""Of a channel whose file does not say how far it goes, by its units."""
FLYING = {"airspeed": 100.0, "alpha": 0.05, "mach": 0.3, "dynamic_pressure": 6000.0, "density": 1.225}
"""A flight in which a surface is tried [SI]."""


def travel(model: DaveModel, one: Variable) -> float | None:
    """Full deflection in the file's units: its limit, or the end of the tables over it; none where neither is there."""
    if one.high < math.inf:
        return one.high
    ends = [abs(end) for table in model.tables.values() for end in table.over.get(one.own, [])]
    return max(ends, default=None)


def sense(model: DaveModel, one: Variable, axis: str, far: float) -> float:
    """1, or -1 for a surface whose deflection rolls left, lowers the nose or turns it left."""
    name = f"aerobodymomentcoefficient_{axis}"
    moment = next((found for found in model.variables.values() if found.name.lower() == name), None)
    if moment is None:
        return 1.0
    program = build(model.functions(), {"moment": moment.own})

    def tried(deflection: float) -> float:
        block = np.array(program.block)
        for k, given in enumerate(model.inputs()):
            known = FLYING.get(QUANTITIES.get(given.name.lower(), ""))
            block[k] = (given.initial or 0.0) if known is None else known / factor(given.units, given.name)
            if given is one:
                block[k] = deflection
        evaluate(block, program.code, program.lines, program.result, (), ())
        return float(block[program.wanted["moment"]])

    return -1.0 if tried(0.25 * far) < tried(-0.25 * far) else 1.0
