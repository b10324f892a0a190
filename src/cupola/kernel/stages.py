"""The stages of a tick: lists of entries (function, rows), built when a world is compiled and called by address."""

from cupola.kernel.jit import ask
from cupola.kernel.memory import Views, table_of
from cupola.xmath import Number

STAGES = {
    "start": "after a reset",
    "reopen": "after a restore: what follows from the state and lies outside it",
    "gusts": "wind of this tick",
    "actuate": "commands become drives",
    "exchange": "models from outside, and loads in plain Python",
    "publish": "what parts give each other at the present motion",
    "load": "forces and torques, at every stage of the integrator; writes no state",
    "tally": "after each of those, weighted",
    "inertia": "between MuJoCo's makeM and factorM",
    "contact": "between MuJoCo's collision and makeConstraint",
    "before_step": "before the integrator",
    "after_step": "after it",
    "integrate": "loads and MuJoCo, by the scenario's integrator",
    "air": "air at each vehicle, where it now is",
    "observe": "what controllers and recorders see, at ticks at which somebody looks",
    "sense": "sensors that are due",
    "settle": "actuators at rest, before shafts are balanced",
    "settled": "and after",
}
"""Names of the stages, and when each is called."""
(
    START,
    REOPEN,
    GUSTS,
    ACTUATE,
    EXCHANGE,
    PUBLISH,
    LOAD,
    TALLY,
    INERTIA,
    CONTACT,
    BEFORE_STEP,
    AFTER_STEP,
    INTEGRATE,
    AIR,
    OBSERVE,
    SENSE,
    SETTLE,
    SETTLED,
) = range(len(STAGES))

NOTHING, COMMAND, MOTION, PART, SENSOR = range(5)
"""What can go wrong in a tick: a command, the motion of a body, a kernel of a part, or a sensor in plain Python."""


def run_stage(v: Views, stage: int, x: Number) -> Number:
    """Call all kernels of a stage; 0 or what went wrong, and `v.error` says with which row of which entry."""
    problem = 0
    for i in range(v.stage_starts[stage], v.stage_starts[stage + 1]):
        entry = v.entries[i]
        row = ask(entry.function, (table_of(v), entry.rows, entry.count, x))
        if row != 0 and problem == 0:
            problem = blame(v, PART, i, row - 1)
    return problem


def blame(v: Views, what: int, which: Number, row: Number) -> Number:
    """Say what went wrong first in this tick."""
    fault = v.error[0]
    if fault.what == NOTHING:
        fault.what, fault.which, fault.row = what, which, row
    return what
