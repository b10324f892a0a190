"""One impedance law from the approach through contact: the Cepheus thesis (NTUA 2025), equations (2.25) to (2.61).

Base and hand behave as masses on springs and dampers to their references, exactly so where the model is right: the
arm's own inertia, its Coriolis forces and the reaction of the push are cancelled. Which reference and gains hold is a
blend by the measured push (`by_force`, the theory) or a switch at the end of the motion (`by_time`, its program).
"""

from typing import NamedTuple

from cupola.control.space.motion import (
    DesiredMotion,
    Measured,
    Plan,
    contact_reference,
    coordinate_rates,
    coordinates,
    error,
    error_rate,
    free_reference,
    mix_references,
)
from cupola.physics.impedance import Blend, Gains, blend, gains, impedance_acceleration, mix, mix_gains, settling_gains
from cupola.physics.planar import distance
from cupola.physics.space_arm import Constants
from cupola.physics.space_task import Actuated, Task, float_free, task_torques
from cupola.xmath import Number, cos, maximum, sin, where


class Impedance(NamedTuple):
    """Inputs of the law."""

    free: Gains
    contact: Gains
    """Of the hand, in each direction and about its axis."""
    base: Gains
    push: Number
    """[N] set-point on the target in contact."""
    along: Number = 0.0
    """Share of the contact stiffness along the push. 1 is the thesis; 0 leaves that direction to the push alone, so
    that a millimetre between the measured and the true target does not count as a tenth of a newton."""
    dead_band: Number = 0.001
    """[N] of measured push that counts as none."""
    near: Number = 0.01
    """[m] from the target within which a push counts as contact: noise far away must not call the hand there."""
    sharpness: Number = 1e7
    """[1/N] of the blend."""
    follow: Number = 1.0
    """1: in contact the reference has the target's acceleration too."""


def impedance_for(duration: Number, push: Number) -> Impedance:
    """Free gains of the thesis's program for a motion of `duration` [s]; contact and base as they work at 100 Hz."""
    return Impedance(settling_gains(1.0, 0.2 * duration), Gains(1.0, 30.0, 100.0), gains(1.0, 1.0, 5.0), push)


def by_force(m: Measured, held: Number, p: Impedance) -> Blend:
    """The theory's blend; `held` is the push filtered by `held_push`."""
    return blend(where(distance(m.hand, m.target) < p.near, held, 0.0), p.dead_band, p.sharpness)


def by_time(m: Measured, plan: Plan) -> Blend:
    """Free until the end of the motion, contact after it: the switch of the thesis's program."""
    late = where(m.time > plan.duration, 1.0, 0.0)
    return Blend(1.0 - late, late)


def by_either(m: Measured, plan: Plan, held: Number, p: Impedance) -> Blend:
    """By force, and after the end of the motion in any case: then it presses on until it touches."""
    contact = maximum(by_force(m, held, p).contact, by_time(m, plan).contact)
    return Blend(1.0 - contact, contact)


def impedance_law(m: Measured, plan: Plan, weights: Blend, arm: Constants, p: Impedance) -> Actuated:
    """Torques [N m] on base and joints. A push counts as far as contact does: free of it, it is the sensor's noise."""
    free, contact = free_reference(plan, m.time), contact_reference(plan, m, p.follow)
    return impedance_torques(m, mix_references(weights, free, contact), weights, arm, p)


def impedance_torques(m: Measured, reference: DesiredMotion, weights: Blend, arm: Constants, p: Impedance) -> Actuated:
    """The same to any reference."""
    e, rate = error(m, reference), error_rate(m, reference)
    hand = mix_gains(weights, p.free, p.contact)
    ahead = Gains(hand.mass, hand.damping, hand.stiffness * mix(weights, 1.0, p.along))
    c, s = cos(m.hand.yaw), sin(m.hand.yaw)
    push, wanted = weights.contact * m.push, weights.contact * p.push
    forth = impedance_acceleration(c * e.x + s * e.y, c * rate.x + s * rate.y, push, wanted, ahead)
    aside = impedance_acceleration(c * e.y - s * e.x, c * rate.y - s * rate.x, 0.0, 0.0, hand)
    a = reference.acceleration
    u = Task(
        a.base + impedance_acceleration(e.base, rate.base, 0.0, 0.0, p.base),
        a.x + c * forth - s * aside,
        a.y + s * forth + c * aside,
        a.yaw + impedance_acceleration(e.yaw, rate.yaw, 0.0, 0.0, hand),
    )
    f = float_free(coordinates(m), coordinate_rates(m), arm)
    return task_torques(f, u, Task(0.0, c * push, s * push, 0.0))
