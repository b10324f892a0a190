"""Actuators where they come to rest under held commands and held motion, found by their own equations."""

import numpy as np

from cupola.kernel.memory import Views
from cupola.kernel.stages import ACTUATE, SETTLE, SETTLED, run_stage

MOST_TRIES = 60
AT_REST = 1e-13
"""A state that changes by less in a tick, relative to itself, is at rest."""
NO_SLOPE = 1e-9


def settle(v: Views) -> None:
    """Put servos at their targets, shafts at their steady speeds, and the air that blades move at its own."""
    for i in range(v.command.shape[0]):
        v.drive[i] = v.command[i]
    run_stage(v, SETTLE, 0.0)
    _balance(v)
    run_stage(v, SETTLED, 0.0)


def _balance(v: Views) -> None:
    """Secant steps on the change of each settling state in one tick; one that follows its command at once needs one."""
    count = v.settling.shape[0]
    value, before, change, change_before = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count)
    for attempt in range(MOST_TRIES):
        for i in range(count):
            value[i] = v.state[v.settling[i]]
        for i in range(v.command.shape[0]):
            v.drive[i] = v.command[i]
        run_stage(v, ACTUATE, 0.0)
        resting = True
        for i in range(count):
            place = v.settling[i]
            change[i] = v.state[place] - value[i]
            if abs(change[i]) > AT_REST * (1.0 + abs(value[i])):
                resting = False
                slope = change[i] - change_before[i]
                # What changes by the same whatever it is, such as a count, has no rest to go to.
                if attempt > 0 and abs(slope) > NO_SLOPE * abs(change[i]):
                    v.state[place] = value[i] - change[i] * (value[i] - before[i]) / slope
            before[i], change_before[i] = value[i], change[i]
        # Twice at least: a wing that changes its shape must also stand still.
        if resting and attempt > 0:
            break
