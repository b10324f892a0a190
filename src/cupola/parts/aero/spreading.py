"""How unevenly the wake of a wing acts on its strips, by Prandtl's lifting line.

A lifting line in even flow tells which share of the angle of attack each strip keeps, at three aspect ratios: a
parabola over their logarithms follows the wing while its span changes. So strips have the lift, its distribution and
the induced drag of the lifting line; for twist, roll and flaps these shares are an approximation.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cupola.aerodynamics.lifting_line import lifting_line
from cupola.physics.planform import Spread

TERMS = 99
"""Odd, so that one station lies in the middle."""
RATIOS = (1.5, 9.0, 48.0)
"""Aspect ratios solved, the same for all wings: so a wing that took a shape is the wing that was built so."""
SLOPE = 2.0 * math.pi
"""Of the sections' lift [1/rad]; another one acts as another aspect ratio."""
LEAST = 1e-3
"""A strip near a pointed tip can lie in upwash; strips do not gain by their wake."""
FINE = 800
"""Places along a half at which its outline is summed."""
MOST_SPREAD = 2.0
"""By which strips are spread apart; two on a wing would need more."""


class Spreading(NamedTuple):
    """The outline of a whole wing, for which strips of a part of it ask."""

    y: tuple[float, ...]
    """[m] stations from the root to the tip."""
    chord: tuple[float, ...]
    """[m]."""
    start: float = 0.0
    """[m] where the part begins."""

    def __call__(self, edges: Sequence[tuple[float, float]]) -> list[Spread]:
        """For strips between these edges [m] of the part."""
        x = [math.log(0.5 * ratio) for ratio in RATIOS]
        by_elliptic = [0.5 * ratio * (1.0 / self._kept(ratio, edges) - 1.0) for ratio in RATIOS]
        bend, slope, at_1 = np.polyfit(x, np.array(by_elliptic) - 1.0, 2)
        return [Spread(*(float(number) for number in one)) for one in zip(at_1, slope, bend, strict=True)]

    def _kept(self, ratio: float, edges: Sequence[tuple[float, float]]) -> Any:
        """Share of the angle of attack that the wake leaves strips of a wing stretched to an aspect ratio.

        Lift is the sum of chord and share, induced drag that of chord, share and what lacks of it. With the mean over
        each strip the lift would be right, but few strips do not differ as much from each other as the share does along
        the span, and have too much drag. So they are spread apart until it is right, too.
        """
        half, places = self.y[-1], np.append(0.0, self.y)
        chord = np.append(self.chord[0], self.chord)
        chord *= 2.0 * half**2 / float(np.trapezoid(chord, places)) / ratio
        line = lifting_line(
            2.0 * half,
            lambda y: np.interp(np.abs(y), places, chord),
            lambda y: np.ones_like(y),
            lambda alpha: SLOPE * alpha,
            terms=TERMS,
        )
        y = half * np.sin(np.linspace(0.0, 0.5 * np.pi, FINE + 1))
        left = slice(TERMS // 2, None)
        felt = np.clip(np.interp(y, line.y[left], line.alpha[left]), LEAST, 1.0)
        carried = np.interp(y, places, chord)
        inner, outer = self.start + np.array(edges).T

        def over_strips(values: Any) -> Any:
            summed = np.append(0.0, np.cumsum(0.5 * np.diff(y) * (values[:-1] + values[1:])))
            return np.interp(outer, y, summed) - np.interp(inner, y, summed)

        area = over_strips(carried)
        mean = over_strips(carried * felt) / area
        whole = float((area * mean).sum() / area.sum())
        apart, own = float((area * (mean - whole) ** 2).sum()), float(over_strips(carried * (felt - whole) ** 2).sum())
        wider = math.sqrt(own / apart) if apart > 0.0 else 1.0
        return np.clip(whole + min(wider, MOST_SPREAD) * (mean - whole), LEAST, 1.0)
