"""Actuators where they come to rest under held commands and held motion, found by the equations of `actuate`."""

import numpy as np

from cupola.engine.loads import actuate
from cupola.engine.propeller import move_inflow
from cupola.engine.wings import remember_air
from cupola.kernel.air import motion_in_air
from cupola.parts.joints.servo import servo_step
from cupola.parts.propulsion.mixer import mix
from cupola.parts.propulsion.rotor import ELEMENTS
from cupola.xmath import Number

LONG = 1e6
"""[s] after which every servo has arrived."""
MOST_TRIES = 60
AT_REST = 1e-13
"""A shaft whose speed changes by less in a tick, relative to it, is at rest."""


def settle(v: Number) -> None:
    """Put servos at their targets, shafts at their steady speeds, and the air that blades move at its own."""
    for i in range(v.command.shape[0]):
        v.drive[i] = v.command[i]
    for i in range(v.mixers.shape[0]):
        mix(v.mixers[i], v.drive, v.curves)
    for i in range(v.servos.shape[0]):
        row = v.servos[i]
        v.state[row.state] = servo_step(row, v.state[row.state], 0.0, v.drive[row.channel], LONG).position
        v.state[row.state + 1] = 0.0
    _balance_shafts(v)
    for i in range(v.rotors.shape[0]):
        row = v.rotors[i]
        if row.model == ELEMENTS:
            motion, _ = motion_in_air(v, row)
            move_inflow(v, row, v.state[row.state], motion, True)
    remember_air(v, start=True)


def _balance_shafts(v: Number) -> None:
    """Secant steps on the change of speed in one tick; a shaft that follows its throttle at once needs one."""
    count = v.rotors.shape[0]
    speed, before, change, change_before = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count)
    for attempt in range(MOST_TRIES):
        for i in range(count):
            speed[i] = v.state[v.rotors[i].state]
        actuate(v)
        resting = True
        for i in range(count):
            place = v.rotors[i].state
            change[i] = v.state[place] - speed[i]
            if abs(change[i]) > AT_REST * (1.0 + abs(speed[i])):
                resting = False
                slope = change[i] - change_before[i]
                if attempt > 0 and slope != 0.0:
                    v.state[place] = speed[i] - change[i] * (speed[i] - before[i]) / slope
            before[i], change_before[i] = speed[i], change[i]
        if resting:
            break
    for i in range(count):
        if v.rotors[i].shaft_inertia > 0.0:
            v.state[v.rotors[i].state + 2] = 0.0  # at rest, whatever the last try left
