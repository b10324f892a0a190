"""Many strips that move as told: the equations of `physics.strip` over arrays, in time."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from cupola.physics.rotation import Vector, Wrench, add, angle_of
from cupola.physics.section import section_polar, separation_point
from cupola.physics.strip import (
    Strip,
    StripFlow,
    StripState,
    added_wrench,
    effective_down,
    steady_down,
    strip_flow,
    strip_start,
    strip_step,
    strip_wrench,
)

Array = Any
Motion = Callable[[float], tuple[Vector, Vector]]
"""Velocity through the air [m/s] and angular rate [rad/s] of all strips at a time [s], in their own axes."""
INSTANT = 1e-3
"""[steps] either side, for the acceleration."""


class StripStep(NamedTuple):
    """All strips at one time; numbers are arrays over them."""

    time: float
    flow: StripFlow
    state: StripState
    alpha: Array
    """Effective angle of attack [rad]."""
    attached: Array
    """Part of the chord."""
    wrench: Wrench
    """About each origin, in axes of each strip [N, N m]."""


def march_strips(
    motion: Motion,
    steps: int,
    dt: float,
    density: float,
    p: Strip,
    *,
    memory: bool = True,
    stall: bool = True,
    start: StripState | None = None,
) -> Iterator[StripStep]:
    """Strips at `steps` times, `dt` [s] apart; `p` holds arrays over the strips.

    The air remembers `start`, or else that they had moved for long as they do at first. Without `memory` neither wake
    nor stall lags and no air is accelerated (quasi-steady); without `stall` the flow is attached whatever the angle.
    """
    state = start or strip_start(strip_flow(*motion(0.0), p), p)
    for step in range(steps):
        time = step * dt
        flow = strip_flow(*motion(time), p)
        down = effective_down(state, flow, p) if memory else steady_down(flow, p)
        alpha = angle_of(down, flow.forward)
        attached = state.attached if memory else separation_point(alpha, p)
        attached = attached if stall else np.ones_like(alpha)
        wrench = strip_wrench(flow, down, attached, section_polar(alpha, attached, p), density, p)
        if memory:
            moved = _added(motion, time, dt, density, p)
            wrench = Wrench(add(wrench.force, moved.force), add(wrench.torque, moved.torque))
        yield StripStep(time, flow, state, alpha, attached, wrench)
        ahead = strip_flow(*motion(time + 0.5 * dt), p)
        state = strip_step(state, ahead, angle_of(effective_down(state, ahead, p), ahead.forward), dt, p)


def _added(motion: Motion, time: float, dt: float, density: float, p: Strip) -> Wrench:
    """Wrench of the added mass, from the motion an instant before and after."""
    small = INSTANT * dt
    before, after = strip_flow(*motion(time - small), p), strip_flow(*motion(time + small), p)
    rates = (after.down - before.down) / (2.0 * small), (after.rate - before.rate) / (2.0 * small)
    return added_wrench(*rates, density, p)
