"""The laws of the space robot as compiled functions of arrays: the controllers call one of them at each look.

The equations are those of `impedance.py`, `payload_inertia.py` and `torques.py`; here their numbers are read from
arrays, because handing a hundred numbers to compiled code one by one takes longer than the law itself.
"""

from typing import Any, NamedTuple

import numpy as np

from cupola.control.space.impedance import Impedance, by_either, by_force, by_time, impedance_torques
from cupola.control.space.motion import (
    DesiredMotion,
    Joints,
    Measured,
    Plan,
    contact_reference,
    free_reference,
    mix_references,
)
from cupola.control.space.payload_inertia import Stiff, Way, closing_reference, held_torques, pressed_on
from cupola.control.space.torques import geared, limit, never_zero, together
from cupola.kernel.jit import jit
from cupola.kernel.records import reader, writer
from cupola.physics.impedance import held_push
from cupola.physics.space_arm import Constants
from cupola.physics.space_task import Actuated
from cupola.xmath import Number

EITHER, BY_FORCE, BY_TIME = 0.0, 1.0, 2.0
"""Conditions for contact."""
Array = np.ndarray[Any, Any]


class Reach(NamedTuple):
    """Inputs of the law for the target."""

    plan: Plan
    rule: Number
    """`EITHER`, `BY_FORCE` or `BY_TIME`."""
    intercept: Number
    """1: the end of the way moves with the target."""
    creep: Number
    """[m/s] with which the reference goes on after the end of the way."""
    beyond: Number
    """[m] that it does at most."""
    held: Number
    """[N] push, as it was remembered at the look before."""
    release: Number
    """[s] with which a lost contact is forgotten."""
    period: Number
    """[s] since that look."""
    law: Impedance


class Steered(NamedTuple):
    """Result."""

    torques: Actuated
    """[N m]."""
    reference: DesiredMotion
    blend: Number
    """Share of contact."""
    push_wanted: Number
    """[N]."""
    held: Number
    """[N]."""


class Keep(NamedTuple):
    """Inputs of the law for the joints."""

    yaw: Number
    """[rad] of the base."""
    way: Way
    time: Number
    """[s] on it."""
    stiff: Stiff


class Drivers(NamedTuple):
    """Limits of motors and their drivers."""

    friction: Number
    efficiency: Number
    """Of the joints' gears, made up for."""
    most: Actuated
    """[N m]."""
    smallest: Number
    """[N m] in the place of exactly zero."""
    before: Actuated
    """[N m] sent last."""


read_measured, read_constants, read_drivers = reader(Measured), reader(Constants), reader(Drivers)
read_reach, read_keep, read_torques = reader(Reach), reader(Keep), reader(Actuated)
write_steered, write_torques = writer(Steered), writer(Actuated)


def steer(m: Measured, r: Reach, arm: Constants) -> Steered:
    """The impedance law, its reference and its blend."""
    held = held_push(r.held, m.push, r.period, r.release)
    if r.rule == BY_FORCE:
        weights = by_force(m, held, r.law)
    elif r.rule == BY_TIME:
        weights = by_time(m, r.plan)
    else:
        weights = by_either(m, r.plan, held, r.law)
    free = free_reference(r.plan, m.time)
    if r.intercept > 0.5:
        free = closing_reference(r.plan, m)
    free = pressed_on(free, r.plan, m, r.creep, r.beyond)
    reference = mix_references(weights, free, contact_reference(r.plan, m, r.law.follow))
    torques = impedance_torques(m, reference, weights, arm, r.law)
    return Steered(torques, reference, weights.contact, weights.contact * r.law.push, held)


@jit
def steer_numbers(measured: Array, reach: Array, arm: Array, found: Array) -> None:
    """`steer` from arrays to an array."""
    write_steered(found, 0, steer(read_measured(measured, 0), read_reach(reach, 0), read_constants(arm, 0)))


@jit
def keep_numbers(measured: Array, keep: Array, arm: Array, found: Array) -> None:
    """`held_torques` from arrays to an array."""
    k, m = read_keep(keep, 0), read_measured(measured, 0)
    write_torques(found, 0, held_torques(m, k.yaw, k.way, k.time, k.stiff, read_constants(arm, 0)))


@jit
def drive_numbers(torques: Array, drivers: Array) -> None:
    """What the motors are asked for, in the place of what the law wants: gears, limits, and never exactly zero."""
    d = read_drivers(drivers, 0)
    asked = limit(geared(together(read_torques(torques, 0), d.most), d.friction, d.efficiency), d.most)
    write_torques(torques, 0, never_zero(asked, d.before, d.smallest))


__all__ = ["BY_FORCE", "BY_TIME", "EITHER", "Drivers", "Joints", "Keep", "Reach", "Steered"]
