"""Panels of a wing: corner points as an array (chordwise + 1, spanwise + 1, 3), and what a lattice needs of them.

Rows run from the leading to the trailing edge, columns from right to left; a symmetric wing is given by its left half,
from the root outwards. Axes are x forward, y left, z up [m].
"""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.kernel.jit import jit

Array = Any


class Panels(NamedTuple):
    """Lattice points of one shape [m]."""

    nodes: Array
    """Corners of the rings: a quarter panel behind the corners; the last row still needs the wake's direction."""
    centres: Array
    """Points at three quarters of the panels where the flow is tangent (rows, columns, 3)."""
    normals: Array
    """Unit vectors there, away from the upper side."""
    areas: Array
    """[m²]."""


@jit
def panels(corners: Array, rear: Array) -> Panels:
    """Panels of a grid of corners; `rear` (spanwise + 1, 3) leads from the trailing edge to the last row of nodes."""
    rows, columns = corners.shape[0] - 1, corners.shape[1] - 1
    nodes, centres = np.empty((rows + 1, columns + 1, 3)), np.empty((rows, columns, 3))
    normals, areas = np.empty((rows, columns, 3)), np.empty((rows, columns))
    # Loops over numbers: slices and sums of arrays take seconds to compile.
    for j in range(columns + 1):
        for n in range(3):
            for i in range(rows):
                nodes[i, j, n] = 0.75 * corners[i, j, n] + 0.25 * corners[i + 1, j, n]
            nodes[rows, j, n] = corners[rows, j, n] + rear[j, n]
    one, two = np.empty(3), np.empty(3)
    for i in range(rows):
        for j in range(columns):
            for n in range(3):
                behind = corners[i + 1, j, n] + corners[i + 1, j + 1, n]
                centres[i, j, n] = 0.125 * (corners[i, j, n] + corners[i, j + 1, n]) + 0.375 * behind
                one[n] = corners[i, j + 1, n] - corners[i + 1, j, n]
                two[n] = corners[i + 1, j + 1, n] - corners[i, j, n]
            x = one[1] * two[2] - one[2] * two[1]
            y = one[2] * two[0] - one[0] * two[2]
            z = one[0] * two[1] - one[1] * two[0]
            size = math.sqrt(x * x + y * y + z * z)
            normals[i, j, 0], normals[i, j, 1], normals[i, j, 2] = x / size, y / size, z / size
            areas[i, j] = 0.5 * size
    return Panels(nodes, centres, normals, areas)


def tapered(
    span: float, root: float, tip: float, *, sweep: float = 0.0, chordwise: int, spanwise: int, cosine: bool = False
) -> Array:
    """Left half of a flat wing: whole `span` and chords [m], `sweep` of the leading edge [rad]."""
    share = np.linspace(0.0, 1.0, spanwise + 1)
    if cosine:
        share = np.sin(0.5 * np.pi * share)
    y = 0.5 * span * share
    chord, front = root + (tip - root) * share, -y * np.tan(sweep)
    return between(y, front, front - chord, chordwise)


def between(y: Array, front: Array, rear: Array, chordwise: int) -> Array:
    """Flat half wing with given edges: x of leading and trailing edge at the stations `y` [m]."""
    share = np.linspace(0.0, 1.0, chordwise + 1)[:, None]
    x = front + share * (rear - front)
    return np.stack([x, np.broadcast_to(y, x.shape), np.zeros_like(x)], axis=-1)


def whole(half: Array) -> Array:
    """Both halves as one grid, from the right tip to the left one."""
    right = half[:, :0:-1] * np.array([1.0, -1.0, 1.0])
    return np.concatenate([right, half], axis=1)
