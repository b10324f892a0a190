"""Measurement of an inertial sensor: specific force at its position, and the noise of its data sheet."""

from cupola.physics.rotation import Quaternion, Vector, add, cross, subtract, unrotate
from cupola.xmath import Number, exp, sqrt, where


def specific_force(
    accel_w: Vector, gravity_w: Vector, quat_wb: Quaternion, rate_b: Vector, angular_accel_b: Vector, arm_b: Vector
) -> Vector:
    """Non-gravitational acceleration [m/s2] in body axes at the point `arm_b` [m] from the body origin.

    `accel_w` is the acceleration of the body origin, `gravity_w` of free fall (down) [m/s2], `rate_b` [rad/s],
    `angular_accel_b` [rad/s2]. At rest the result points up.
    """
    at_origin = unrotate(quat_wb, subtract(accel_w, gravity_w))
    tangential = cross(angular_accel_b, arm_b)
    centripetal = cross(rate_b, cross(rate_b, arm_b))
    return add(at_origin, add(tangential, centripetal))


def bias_step(bias: Number, noise: Number, walk: Number, dt: Number) -> Number:
    """Bias after `dt` [s] of a random walk; `walk` in [unit/√s], `noise` a standard normal number."""
    return bias + walk * sqrt(dt) * noise


def white_noise_sigma(density: Number, rate: Number) -> Number:
    """Standard deviation [unit] of samples at `rate` [Hz] of a noise `density` [unit/√Hz]."""
    return density * sqrt(rate)


def creep_step(crept: Number, goal: Number, time: Number, recovery: Number, dt: Number) -> Number:
    """What has crept after `dt` [s] more: to `goal` with the time constant `time`, back from it with `recovery` [s].

    A standard linear solid whose yielding and recovery differ; exact for any `dt` under a steady load.
    """
    constant = where(abs(goal) > abs(crept), time, recovery)
    return goal + (crept - goal) * exp(-dt / constant)


def gauss_markov(value: Number, noise: Number, sigma: Number, time_constant: Number, dt: Number) -> Number:
    """A wandering error after `dt` [s]: forgotten over `time_constant` [s], of standard deviation `sigma` for ever.

    First-order Gauss-Markov process, exact for any `dt`: Gelb, "Applied Optimal Estimation" (1974), section 3.6.
    """
    kept = exp(-dt / time_constant)
    return kept * value + sigma * sqrt(1.0 - kept * kept) * noise
