"""Prandtl's lifting line with sections of any polar: a straight wing in steady flow.

Glauert's series Γ = 2 b V Σ Aₙ sin nθ, y = -(b/2) cos θ, with the sections' own lift at the angle that the wake leaves
(Anderson, "Fundamentals of Aerodynamics", 2011, section 5.4). Solved by Newton's method, whose first step is exact
while the polar is a straight line; its step is halved where the residual does not fall.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Array = Any
TOLERANCE = 1e-10
MOST_STEPS = 200
APART = 1e-5
"""[rad] either side, for the slope of a polar."""


class LiftingLine(NamedTuple):
    """A wing as a lifting line carries it."""

    y: Array
    """Stations from the right tip to the left one [m]."""
    alpha: Array
    """Effective angle of attack of the sections [rad]."""
    c_lift: Array
    """Of the sections."""
    circulation: Array
    """By the flight speed [m]."""
    wing_lift: float
    """Lift coefficient of the wing."""
    wing_drag: float
    """Coefficient of induced drag."""
    delta: float
    """Induced drag beyond the elliptic wing's, by it."""
    residual: float
    """Largest mismatch of section lift and circulation: beyond 1e-6 no solution was found."""


def lifting_line(
    span: float, chord: Callable[[Array], Array], alpha: Callable[[Array], Array], polar: Any, terms: int = 100
) -> LiftingLine:
    """Solve a wing of `span` [m].

    `chord` [m] and geometric angle of attack `alpha` [rad] are functions of y [m]; `polar` gives the lift coefficients
    of the sections at angles of attack.
    """
    n = np.arange(1, terms + 1)
    theta = np.pi * n / (terms + 1.0)
    y = -0.5 * span * np.cos(theta)
    sines = np.sin(np.outer(theta, n))
    downwash = sines * n / np.sin(theta)[:, None]
    chords, angle = chord(y), alpha(y)

    def mismatch(a: Array) -> Array:
        return polar(angle - downwash @ a) * chords / (4.0 * span) - sines @ a

    a = np.zeros(terms)
    wrong = mismatch(a)
    for _ in range(MOST_STEPS):
        if np.abs(wrong).max() < TOLERANCE:
            break
        felt = angle - downwash @ a
        slope = (polar(felt + APART) - polar(felt - APART)) / (2.0 * APART)
        step = np.linalg.solve((slope * chords / (4.0 * span))[:, None] * downwash + sines, wrong)
        for _ in range(12):
            after = mismatch(a + step)
            if np.linalg.norm(after) < np.linalg.norm(wrong):
                break
            step = 0.5 * step
        a, wrong = a + step, after
    return _result(y, span, chords, angle - downwash @ a, polar, sines @ a, a, float(np.abs(wrong).max()))


def _result(
    y: Array, span: float, chords: Array, felt: Array, polar: Any, series: Array, a: Array, residual: float
) -> LiftingLine:
    """Totals of the series; the area is that of the stations by the same quadrature as the series uses."""
    n = np.arange(1, len(a) + 1)
    theta = np.pi * n / (len(a) + 1.0)
    area = float((chords * 0.5 * span * np.sin(theta)).sum() * np.pi / (len(a) + 1.0))
    aspect_ratio = span * span / area
    drag = np.pi * aspect_ratio * float((n * a * a).sum())
    delta = float((n[1:] * (a[1:] / a[0]) ** 2).sum()) if a[0] else 0.0
    lift = np.pi * aspect_ratio * float(a[0])
    return LiftingLine(y, felt, polar(felt), 2.0 * span * series, lift, drag, delta, residual)
