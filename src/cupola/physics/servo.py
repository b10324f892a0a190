"""Actuators that follow a target held constant over the step; both filters are exact for any step."""

from typing import NamedTuple

from cupola.xmath import Number, clip, cos, exp, maximum, sin, sqrt, where

SERIES_BELOW = 0.01


class ServoState(NamedTuple):
    """Position and its rate, in the unit of the servo."""

    position: Number = 0.0
    rate: Number = 0.0


def first_order(state: Number, target: Number, time_constant: Number, dt: Number) -> Number:
    """State after `dt` [s] of a lag; a `time_constant` of 0 [s] follows at once."""
    lagging = time_constant > 0.0
    decay = where(lagging, exp(-dt / where(lagging, time_constant, 1.0)), 0.0)
    return target + (state - target) * decay


def second_order(
    position: Number, rate: Number, target: Number, natural_frequency: Number, damping: Number, dt: Number
) -> ServoState:
    """State after `dt` [s] of x'' = w² (target - x) - 2 z w x', with w = `natural_frequency` [rad/s], z = `damping`.

    With r² = (z² - 1) w² the solution is e^(-zwt) (offset C + (rate + zw offset) S), where C = cosh(rt) and
    S = sinh(rt) / r: one formula for all dampings, evaluated as cosine, series or two decaying exponentials.
    """
    drag = damping * natural_frequency
    square = natural_frequency * natural_frequency
    split = (damping * damping - 1.0) * square
    q = split * dt * dt
    floor = 0.5 * SERIES_BELOW / (dt * dt)  # keeps the roots of the unused sides away from zero
    fade = exp(-drag * dt)

    swing = sqrt(maximum(-split, floor))
    c_under, s_under = fade * cos(swing * dt), fade * sin(swing * dt) / swing

    near = clip(q, -SERIES_BELOW, SERIES_BELOW)
    c_near = fade * (1.0 + near / 2.0 * (1.0 + near / 12.0 * (1.0 + near / 30.0 * (1.0 + near / 56.0))))
    s_near = fade * dt * (1.0 + near / 6.0 * (1.0 + near / 20.0 * (1.0 + near / 42.0 * (1.0 + near / 72.0))))

    spread = sqrt(maximum(split, floor))
    fast = exp(-(drag + spread) * dt)
    slow = exp(-square / (drag + spread) * dt)  # the product of the poles is w²: no difference of near equals
    c_over, s_over = 0.5 * (slow + fast), 0.5 * (slow - fast) / spread

    c = where(q < -SERIES_BELOW, c_under, where(q > SERIES_BELOW, c_over, c_near))
    s = where(q < -SERIES_BELOW, s_under, where(q > SERIES_BELOW, s_over, s_near))
    offset = position - target
    return ServoState(
        target + offset * c + (rate + drag * offset) * s,
        rate * c - (square * offset + drag * rate) * s,
    )


def limit_rate(previous: Number, wanted: Number, rate_max: Number, dt: Number) -> Number:
    """`wanted`, but no farther from `previous` than `rate_max` allows in `dt` [s]."""
    reach = rate_max * dt
    return previous + clip(wanted - previous, -reach, reach)
