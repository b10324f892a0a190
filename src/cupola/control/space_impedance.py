"""One impedance law from the approach through contact: the Cepheus thesis (NTUA 2025), equations (2.25) to (2.61).

Base and hand behave as masses on springs and dampers to their references, exactly so where the model is right: the
arm's own inertia, its Coriolis forces and the reaction of the push are cancelled. Which reference and gains hold is a
blend by the measured push (`by_force`, the theory) or a switch at the end of the motion (`by_time`, its program).
"""

from typing import NamedTuple

from cupola.control.space_motion import (
    Measured,
    Plan,
    Reference,
    contact_reference,
    coordinate_rates,
    coordinates,
    error,
    error_rate,
    free_reference,
    mix_references,
)
from cupola.physics.impedance import Blend, Gains, blend, impedance_acceleration, mix_gains
from cupola.physics.space_arm import Constants
from cupola.physics.space_task import Actuated, Task, float_free, task_torques
from cupola.xmath import Number, cos, sin


class Impedance(NamedTuple):
    """What the law is told."""

    free: Gains
    contact: Gains
    """Of the hand, in each direction and about its axis."""
    base: Gains
    push: Number
    """[N] wanted on the target in contact."""
    dead_band: Number
    """[N] of measured push that counts as none."""
    sharpness: Number = 1e7
    """[1/N] of the blend."""
    follow: Number = 1.0
    """1: in contact the reference has the target's acceleration too."""


def by_force(m: Measured, p: Impedance) -> Blend:
    """The theory's blend."""
    return blend(m.push, p.dead_band, p.sharpness)


def impedance_law(m: Measured, plan: Plan, weights: Blend, arm: Constants, p: Impedance) -> Actuated:
    """Torques [N m] on base and joints."""
    free, contact = free_reference(plan, m.time), contact_reference(plan, m, p.follow)
    return impedance_torques(m, mix_references(weights, free, contact), weights, arm, p)


def impedance_torques(m: Measured, reference: Reference, weights: Blend, arm: Constants, p: Impedance) -> Actuated:
    """The same to any reference."""
    e, rate = error(m, reference), error_rate(m, reference)
    hand = mix_gains(weights, p.free, p.contact)
    wanted = weights.contact * p.push
    c, s = cos(m.hand.yaw), sin(m.hand.yaw)
    a = reference.acceleration
    u = Task(
        a.base + impedance_acceleration(e.base, rate.base, 0.0, 0.0, p.base),
        a.x + impedance_acceleration(e.x, rate.x, c * m.push, c * wanted, hand),
        a.y + impedance_acceleration(e.y, rate.y, s * m.push, s * wanted, hand),
        a.yaw + impedance_acceleration(e.yaw, rate.yaw, 0.0, 0.0, hand),
    )
    return task_torques(float_free(coordinates(m), coordinate_rates(m), arm), u, Task(0.0, c * m.push, s * m.push, 0.0))
