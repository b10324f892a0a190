"""Splines of DAVE-ML as tables of polynomial coefficients: a function over a grid is a sum of powers times tables.

The standard names quadraticSpline and cubicSpline and leaves their ends open. Here cubic ones are natural (no curvature
at the ends), quadratic ones have their joints midway between the breaks.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline, PPoly, make_interp_spline

from cupola.schema.input_files import InputError

SPLINES = {"quadraticSpline": 2, "cubicSpline": 3}
"""Degrees."""
ENDS = "the standard does not say how it ends: here without curvature (cubic), with joints midway (quadratic)"


class Term(NamedTuple):
    """A table of coefficients."""

    powers: tuple[int, ...]
    """Of the way from the start of the piece, one for each axis."""
    values: Any
    """An array with the starts of pieces in place of the breaks."""


class Pieces(NamedTuple):
    """A function of any number of variables, of which some are interpolated by splines."""

    starts: list[list[float]]
    """Of each axis: where its polynomials begin; its breaks if it is no spline."""
    terms: list[Term]


def pieces(breaks: Sequence[Sequence[float]], values: Any, kinds: Sequence[str]) -> Pieces:
    """Coefficients of a tensor product of splines; axes of another kind stay as they are."""
    starts = [list(axis) for axis in breaks]
    arrays: dict[tuple[int, ...], Any] = {(): np.asarray(values, float)}
    for axis, kind in enumerate(kinds):
        if kind not in SPLINES:
            arrays = {(*powers, 0): array for powers, array in arrays.items()}
            continue
        degree = SPLINES[kind] if kind == "cubicSpline" else min(SPLINES[kind], len(breaks[axis]) - 1)
        if len(breaks[axis]) < 2:
            raise InputError(f"interpolation {kind!r} needs two breaks at least")
        found = {}
        for powers, array in arrays.items():
            curve = _curve(np.asarray(breaks[axis], float), array, degree, axis)
            starts[axis] = curve.x[:-1].tolist()
            for power, coefficients in enumerate(reversed(curve.c)):  # the axis of the pieces is the first
                found[(*powers, power)] = np.moveaxis(coefficients, 0, axis)
        arrays = found
    return Pieces(starts, [Term(powers, array) for powers, array in arrays.items() if np.any(array)])


def _curve(breaks: Any, values: Any, degree: int, axis: int) -> PPoly:
    """Polynomials along one axis."""
    moved = np.moveaxis(values, axis, 0)
    if degree == SPLINES["cubicSpline"]:
        return CubicSpline(breaks, moved, bc_type="natural")
    spline = make_interp_spline(breaks, moved, k=degree)
    inner = [PPoly.from_spline((spline.t, column, degree)) for column in _columns(spline.c)]
    kept = np.flatnonzero(np.diff(inner[0].x) > 0.0)  # at the ends the knots are repeated
    x = np.append(inner[0].x[kept], inner[0].x[-1])
    c = np.stack([one.c[:, kept] for one in inner], axis=-1).reshape(degree + 1, len(kept), *moved.shape[1:])
    return PPoly(c, x)


def _columns(coefficients: Any) -> list[Any]:
    """Columns of an array whose first axis is that of the spline."""
    flat = coefficients.reshape(len(coefficients), -1)
    return [flat[:, k] for k in range(flat.shape[1])]


def product(way: Sequence[str], powers: Sequence[int]) -> str:
    """Powers of the ways from the starts of pieces, as factors of an expression."""
    return "".join(f" * {name}" * power for name, power in zip(way, powers, strict=True))
