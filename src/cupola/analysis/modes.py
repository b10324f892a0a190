"""Eigenmodes of an aircraft, by name: phugoid and short period, Dutch roll, roll and spiral.

Etkin and Reid, Dynamics of Flight (1996), chapter 6. Which family a motion belongs to is told by participation factors
(Pérez-Arriaga, Verghese and Schweppe, 1982), which know no units, so coupled flight such as a turn has names too.
"""

import math
from typing import NamedTuple

import numpy as np

from cupola.analysis.linear_model import LinearModel
from cupola.analysis.system import Array

UPRIGHT = ("u", "w", "q", "theta")
SIDEWAYS = ("v", "p", "r", "phi")
OSCILLATES = 1e-9
"""An eigenvalue with a larger imaginary part belongs to a pair [rad/s]."""


class Mode(NamedTuple):
    """One eigenmode: a pair of complex eigenvalues, or a real one."""

    name: str
    real: float
    imaginary: float
    """Eigenvalue [1/s]; of a pair the one above the real axis."""

    @property
    def frequency(self) -> float:
        """Undamped natural frequency [rad/s]; that of a real one is its rate."""
        return math.hypot(self.real, self.imaginary)

    @property
    def damping(self) -> float:
        """Damping ratio; ±1 for a real one."""
        return -self.real / self.frequency if self.frequency else 0.0

    @property
    def period(self) -> float | None:
        """[s] from swing to swing; none for a real one."""
        return 2.0 * math.pi / self.imaginary if self.imaginary else None

    @property
    def time_constant(self) -> float | None:
        """[s] to fall to 1/e; negative for one that grows, none for one that does neither."""
        return -1.0 / self.real if self.real else None


def eigenvalues(model: LinearModel) -> list[complex]:
    """All of the matrix A, fast before slow [1/s]; Floquet's multipliers where it goes from beat to beat."""
    return sorted((complex(v) for v in np.linalg.eigvals(model.A)), key=lambda v: (-abs(v), v.imag))


def modes(model: LinearModel) -> list[Mode]:
    """The natural motions, those in the plane of symmetry first, fast before slow."""
    names = (*UPRIGHT, *SIDEWAYS)
    matrix = model.part(names).A
    values, right = np.linalg.eig(matrix)
    share = np.abs(right * np.linalg.inv(right).T)  # of each state (row) in each eigenvalue (column)
    upright = share[: len(UPRIGHT)].sum(axis=0) / share.sum(axis=0)
    # A pair shares its family, so the four with the largest share are whole pairs unless two modes are half and half.
    order = np.lexsort((values.imag, -np.round(upright, 6)))
    first, rest = values[order[: len(UPRIGHT)]], values[order[len(UPRIGHT) :]]
    return [*_name_upright(_pairs(first)), *_name_sideways(_pairs(rest))]


def _pairs(values: Array) -> list[complex]:
    """One of each pair and every real one, fast before slow."""
    kept = [complex(v) for v in values if v.imag > -OSCILLATES]
    return sorted(kept, key=lambda v: -abs(v))


def _name_upright(found: list[complex]) -> list[Mode]:
    """Two pairs are short period and phugoid; where one has split into real ones, its name is given to both."""
    swinging, steady = [v for v in found if _swings(v)], [v for v in found if not _swings(v)]
    fast, slow = "short period", "phugoid"
    if len(swinging) == 2:
        return [_mode(fast, swinging[0]), _mode(slow, swinging[1])]
    if not swinging:
        return [_mode(f"{fast if k < 2 else slow} {k % 2 + 1}", v) for k, v in enumerate(steady)]
    pair, split = (fast, slow) if abs(swinging[0]) > abs(steady[0]) else (slow, fast)
    named = [_mode(pair, swinging[0]), *(_mode(f"{split} {k}", v) for k, v in enumerate(steady, 1))]
    return sorted(named, key=lambda mode: -mode.frequency)


def _name_sideways(found: list[complex]) -> list[Mode]:
    """A pair is the Dutch roll, the faster one if roll and spiral have joined; the real ones are roll and spiral."""
    swinging, steady = [v for v in found if _swings(v)], [v for v in found if not _swings(v)]
    names = ["Dutch roll", "roll and spiral"] if not steady else ["Dutch roll"]
    pairs = [_mode(name, v) for name, v in zip(names, swinging, strict=False)]
    if len(steady) == 2:
        return [*pairs, _mode("roll", steady[0]), _mode("spiral", steady[1])]
    return [*pairs, *(_mode(f"sideways {k}", v) for k, v in enumerate(steady, 1))]


def _swings(value: complex) -> bool:
    return value.imag > OSCILLATES


def _mode(name: str, value: complex) -> Mode:
    return Mode(name, value.real, value.imag if _swings(value) else 0.0)
