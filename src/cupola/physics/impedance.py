"""Impedance control along one axis: a mass, a damper and a spring to a reference, which also push with a wanted force.

m ë + b ė + k e = wanted - push, with e the place less the reference and `push` the force on the other body, positive
when pushing. Free of contact and in contact the numbers differ; the push blends them. Equations (2.1) to (2.20) of the
Cepheus thesis (NTUA 2025).
"""

from typing import NamedTuple

from cupola.xmath import Number, absolute, exp, maximum, sqrt


class Gains(NamedTuple):
    """Desired mass [kg], damping [N s/m] and stiffness [N/m]; for a turn the same about an axis."""

    mass: Number
    damping: Number
    stiffness: Number


def gains(mass: Number, damping_ratio: Number, frequency: Number) -> Gains:
    """From the ratio and the natural frequency [rad/s]: (2.14) to (2.17)."""
    return Gains(mass, 2.0 * damping_ratio * frequency * mass, frequency * frequency * mass)


def settling_gains(mass: Number, settling: Number) -> Gains:
    """Critically damped, within 2 % of the reference after `settling` [s]: the frequency is 6 / settling."""
    return gains(mass, 1.0, 6.0 / settling)


def contact_gains(free: Gains, stiffness: Number, wall: Number, wall_damping: Number) -> Gains:
    """Of stiffness [N/m], against a wall of stiffness `wall` and `wall_damping`: decays as fast as `free` does.

    The frequency is that of free motion with the wall's spring beside the own one; the damping ratio falls by as much.
    """
    stiffer = (free.stiffness + wall) / free.stiffness
    frequency = sqrt(free.stiffness / free.mass * stiffer)
    ratio = free.damping / (2.0 * sqrt(free.stiffness * free.mass)) / sqrt(stiffer)
    mass = (stiffness + wall) / (frequency * frequency)
    return Gains(mass, 2.0 * ratio * frequency * mass - wall_damping, stiffness)


class Blend(NamedTuple):
    """How much the free and the contact numbers count; together one, else the reference itself would shrink."""

    free: Number
    contact: Number


def blend(push: Number, dead_band: Number, sharpness: Number) -> Blend:
    """From free to contact with the size of the push beyond a dead band [N]; `sharpness` [1/N] is the thesis's a1.

    Its a2 is 1 / a1, as all its values are. Without a dead band the noise of a force sensor counts as contact.
    """
    beyond = sharpness * maximum(absolute(push) - dead_band, 0.0)
    free = 1.0 / (1.0 + beyond)
    return Blend(free, beyond * free)


def held_push(held: Number, push: Number, dt: Number, release: Number) -> Number:
    """Size of the push [N], remembered: a lost contact is forgotten with the time constant `release` [s].

    A hand that bounces would else fall back to the free reference, which lies where the target was before the touch.
    """
    return maximum(absolute(push), held * exp(-dt / release))


def mix(weights: Blend, free: Number, contact: Number) -> Number:
    """(2.10)."""
    return weights.free * free + weights.contact * contact


def mix_gains(weights: Blend, free: Gains, contact: Gains) -> Gains:
    """(2.11) to (2.13)."""
    return Gains(
        mix(weights, free.mass, contact.mass),
        mix(weights, free.damping, contact.damping),
        mix(weights, free.stiffness, contact.stiffness),
    )


def impedance_acceleration(error: Number, rate: Number, push: Number, wanted: Number, p: Gains) -> Number:
    """Of the error, as the desired dynamics have it [m/s²]: (2.8), `wanted` being zero where nothing is touched."""
    return (wanted - push - p.damping * rate - p.stiffness * error) / p.mass


def chaser_force(mass: Number, push: Number, acceleration: Number) -> Number:
    """Actuation [N] that gives a mass on one axis the acceleration while it pushes: (2.19), with (2.8) it is (2.20)."""
    return mass * acceleration + push
