"""Dynamic stall on a lattice: what separation takes from each column of panels.

The circulation of a column says at which angle of attack a section in plane flow would carry it. With that angle the
lags and coefficients of `physics` give the normal force beyond the stall; the difference to attached flow is added to
what the lattice found. It goes one way: the wake keeps the circulation of attached flow.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from cupola.aerodynamics.march import LatticeStep
from cupola.physics.section import section_polar, separation_point
from cupola.physics.strip import Strip

Array = Any


class StalledStep(NamedTuple):
    """One step of a lattice whose columns stall."""

    time: float
    alpha: Array
    """Angle of attack of plane flow with the same circulation (columns) [rad]."""
    attached: Array
    """Part of the chord (columns)."""
    normal: Array
    """Force of each column away from its upper side, stall included [N]."""


def stalled(steps: Iterable[LatticeStep], speed: Any, density: float, p: Strip) -> Iterator[StalledStep]:
    """Follow a lattice; `p` holds arrays over its columns and `speed` gives theirs at a time [m/s]."""
    lag, attached, before = None, None, 0.0
    for step in steps:
        fast = speed(step.time)
        carried = np.clip(step.gamma[-1] / (0.5 * p.c_lift_a * p.chord * fast), -1.0, 1.0)
        alpha = p.alpha_0 + np.arcsin(carried)
        if lag is None:
            lag, attached = alpha, separation_point(alpha, p)
        way = 2.0 * fast / p.chord * (step.time - before)
        steady = separation_point(lag, p)
        attached = steady + (attached - steady) * np.exp(-way / p.lag_separation)
        lag = lag + (alpha - lag) * (1.0 - np.exp(-way / p.lag_pressure))
        lost = section_polar(alpha, np.ones_like(alpha), p).normal - section_polar(alpha, attached, p).normal
        push = 0.5 * density * fast * fast * p.chord * p.width
        normal = (step.panel_force * step.panels.normals).sum((0, 2))
        yield StalledStep(step.time, alpha, attached, normal - push * lost)
        before = step.time
