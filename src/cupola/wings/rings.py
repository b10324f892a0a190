"""The velocity that a sheet of vortex rings induces, compiled.

A sheet is a grid of nodes, rows from front to rear and columns from right to left; ring (i, j) lies between rows i, i + 1
and columns j, j + 1 and runs from its front left corner to its front right one, so that a positive circulation lifts.
Neighbours share their edges: each edge is one straight vortex of the difference of two rings, half the work of four edges
a ring.
"""

import math
from typing import Any

import numpy as np

from cupola.engine.compiled import jit

Array = Any
"""NumPy array of floats."""


def _add_edge(a: Array, i: int, b: Array, j: int, strength: float, core: float, speed: Array) -> None:
    """Biot and Savart for a straight vortex from `a` to `b`, both given as seen from the point, with their distances."""
    ax, ay, az, bx, by, bz = a[0, i], a[1, i], a[2, i], b[0, j], b[1, j], b[2, j]
    cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    lx, ly, lz = ax - bx, ay - by, az - bz
    along = (lx * ax + ly * ay + lz * az) / a[3, i] - (lx * bx + ly * by + lz * bz) / b[3, j]
    square = lx * lx + ly * ly + lz * lz
    factor = strength * along / (4.0 * math.pi * (cx * cx + cy * cy + cz * cz + core * core * square + 1e-30))
    speed[0] += factor * cx
    speed[1] += factor * cy
    speed[2] += factor * cz


def _add_row(now: Array, gamma: Array, i: int, core: float, speed: Array) -> None:
    """Edges along the span between the nodes of row `i`, from left to right."""
    rows, columns = gamma.shape
    for j in range(columns):
        strength = (gamma[i, j] if i < rows else 0.0) - (gamma[i - 1, j] if i > 0 else 0.0)
        _add_edge(now, j + 1, now, j, strength, core, speed)


def _add_columns(front: Array, rear: Array, gamma: Array, i: int, core: float, speed: Array) -> None:
    """Edges along the chord from row `i` to the next."""
    columns = gamma.shape[1]
    for j in range(columns + 1):
        strength = (gamma[i, j] if j < columns else 0.0) - (gamma[i, j - 1] if j > 0 else 0.0)
        _add_edge(front, j, rear, j, strength, core, speed)


@jit
def add_sheet(points: Array, nodes: Array, gamma: Array, core: float, mirror: bool, out: Array) -> None:
    """Add to `out` [m/s] the velocity at `points` (n, 3) of the sheet `nodes` (r + 1, c + 1, 3) with rings `gamma`.

    `core` [m] smooths the flow near an edge. `mirror` adds the same sheet on the other side of y = 0.
    """
    rows, columns = gamma.shape
    now, before = np.empty((4, columns + 1)), np.empty((4, columns + 1))
    speed = np.zeros(3)
    for n in range(len(points)):
        for side in range(2 if mirror else 1):
            sign = 1.0 if side == 0 else -1.0
            x, y, z = points[n, 0], sign * points[n, 1], points[n, 2]
            speed[:] = 0.0
            for i in range(rows + 1):
                for j in range(columns + 1):
                    dx, dy, dz = x - nodes[i, j, 0], y - nodes[i, j, 1], z - nodes[i, j, 2]
                    now[0, j], now[1, j], now[2, j] = dx, dy, dz
                    now[3, j] = math.sqrt(dx * dx + dy * dy + dz * dz) + 1e-12
                _add_row(now, gamma, i, core, speed)
                if i > 0:
                    _add_columns(before, now, gamma, i - 1, core, speed)
                now, before = before, now
            out[n, 0] += speed[0]
            out[n, 1] += sign * speed[1]
            out[n, 2] += speed[2]


@jit
def influence(points: Array, normals: Array, nodes: Array, core: float, mirror: bool) -> Array:
    """Matrix (n, rings) of the speed along `normals` at `points` that each ring of unit circulation induces [1/m]."""
    rows, columns = nodes.shape[0] - 1, nodes.shape[1] - 1
    matrix = np.empty((len(points), rows * columns))
    unit, speed = np.ones((1, 1)), np.zeros((1, 3))
    for k in range(rows * columns):
        i, j = k // columns, k % columns
        ring = nodes[i : i + 2, j : j + 2]
        for n in range(len(points)):
            speed[:] = 0.0
            add_sheet(points[n : n + 1], ring, unit, core, mirror, speed)
            matrix[n, k] = speed[0, 0] * normals[n, 0] + speed[0, 1] * normals[n, 1] + speed[0, 2] * normals[n, 2]
    return matrix
