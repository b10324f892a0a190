"""Scattered points of DAVE-ML as planes over triangles (tetrahedra and so on), to be written as expressions.

Lifted onto a paraboloid, the points' lower hull lies over their Delaunay triangulation (Edelsbrunner and Seidel,
Discrete & Computational Geometry 1 (1986) 25): the triangle that holds a place is the one whose lifted plane is highest
there. So a search is a maximum, and goes on beyond the hull.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from cupola.schema.input_files import InputError

MOST, DIMENSIONS = 400, 4
"""Triangles of a table: all of them are looked at in every tick. With more variables there would be millions."""
NOTE = (
    "the standard does not say how to draw triangles: here Delaunay's, each variable counted in its range; between the "
    "hull of the points and their ranges the triangle beside goes on"
)
LIFTED = 1e-7
"""By how much points are lifted differently, so that of four on a circle one pair of triangles is chosen."""
FLAT = 1e-9
"""Of a triangle that is none."""


class Triangles(NamedTuple):
    """Planes a + b · s of variables s that go from 0 to 1 in their range."""

    low: list[float]
    span: list[float]
    lifted: list[list[float]]
    """Of each triangle: a, then b."""
    values: list[list[float]]


def triangles(rows: list[list[float]], count: int) -> Triangles:
    """Of points, each the variables and a value."""
    if count > DIMENSIONS or len(rows) > MOST:
        wanted = f"at most {MOST} points in {DIMENSIONS} variables that are no grid are read here"
        raise InputError(f"{wanted}, got {len(rows)} in {count}")
    table = np.array(rows)
    points, values = table[:, :count], table[:, count]
    if len(np.unique(points, axis=0)) != len(points):
        raise InputError("two of its scattered points are at the same place")
    low, span = points.min(axis=0), np.ptp(points, axis=0)
    if len(points) <= count or not np.all(span > 0.0):
        raise InputError(f"its {len(points)} scattered points span nothing in {count} variables")
    scaled = (points - low) / span
    lifts = (scaled**2).sum(axis=1) + LIFTED * np.random.default_rng(0).uniform(size=len(points))
    found = _lower(scaled, lifts)
    if len(found) > MOST:
        raise InputError(
            f"its {len(points)} scattered points need {len(found)} triangles, {MOST} at most are read here"
        )
    lifted, over = [], []
    for corners in found:
        matrix = np.column_stack([np.ones(count + 1), scaled[corners]])
        lifted.append(np.linalg.solve(matrix, lifts[corners]).tolist())
        over.append(np.linalg.solve(matrix, values[corners]).tolist())
    return Triangles(low.tolist(), span.tolist(), lifted, over)


def _lower(points: Any, lifts: Any) -> list[Any]:
    """Corners of the simplices of the lower hull."""
    count = points.shape[1]
    if len(points) == count + 1:
        found = [np.arange(count + 1)]
    else:
        try:
            hull = ConvexHull(np.column_stack([points, lifts]))
        except QhullError:
            raise InputError(f"its {len(points)} scattered points lie on one line or plane") from None
        found = [corners for corners, plane in zip(hull.simplices, hull.equations, strict=True) if plane[count] < 0.0]
    thick = [corners for corners in found if abs(np.linalg.det(points[corners[1:]] - points[corners[0]])) > FLAT]
    if not thick:
        raise InputError(f"its {len(points)} scattered points lie on one line or plane")
    return thick
