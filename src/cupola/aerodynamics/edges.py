"""Forces on the vortex edges that lie on a wing, by Kutta and Joukowski, and the speeds of the points that they need.

Katz and Plotkin, "Low-Speed Aerodynamics" (2001), chapters 12 and 13. The points of a sheet are the middles of its
edges across the flow, row by row, then those of its edges along the chord.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.kernel.jit import jit

Array = Any


class PointSpeeds(NamedTuple):
    """Velocities of a moving grid [m/s]."""

    centres: Array
    """Of the points where the flow is tangent (rings, 3)."""
    edges: Array
    """Of the points of the edges, in the order of `edge_points` (n, 3)."""


def _add_force(force: Array, i: Any, j: Any, strength: Any, air: Array, at: Any, along: Array) -> None:
    """Add circulation times air x edge."""
    x, y, z = air[at, 0], air[at, 1], air[at, 2]
    force[i, j, 0] += strength * (y * along[2] - z * along[1])
    force[i, j, 1] += strength * (z * along[0] - x * along[2])
    force[i, j, 2] += strength * (x * along[1] - y * along[0])


def _apart(a: Array, b: Array, i: Any, j: Any) -> Any:
    """Distance of a corner from the node ahead of it."""
    x, y, z = a[i + 1, j, 0] - b[i, j, 0], a[i + 1, j, 1] - b[i, j, 1], a[i + 1, j, 2] - b[i, j, 2]
    return math.sqrt(x * x + y * y + z * z)


@jit
def edge_points(nodes: Array) -> Array:
    """Where edges feel the flow (n, 3) [m]."""
    rows, columns = nodes.shape[0] - 1, nodes.shape[1] - 1
    points, first = np.empty((rows * (2 * columns + 1), 3)), rows * columns
    for i in range(rows):
        for n in range(3):
            for j in range(columns):
                points[i * columns + j, n] = 0.5 * (nodes[i, j + 1, n] + nodes[i, j, n])
            for j in range(columns + 1):
                points[first + i * (columns + 1) + j, n] = 0.5 * (nodes[i, j, n] + nodes[i + 1, j, n])
    return points


@jit
def point_speeds(speed: Array) -> PointSpeeds:
    """Velocities of a lattice's points from those of its corners (rows + 1, columns + 1, 3)."""
    rows, columns = speed.shape[0] - 1, speed.shape[1] - 1
    centres, edges, first = np.empty((rows * columns, 3)), np.empty((rows * (2 * columns + 1), 3)), rows * columns
    for i in range(rows):
        for n in range(3):
            for j in range(columns):
                before, behind = speed[i, j, n] + speed[i, j + 1, n], speed[i + 1, j, n] + speed[i + 1, j + 1, n]
                centres[i * columns + j, n] = 0.125 * before + 0.375 * behind
                edges[i * columns + j, n] = 0.375 * before + 0.125 * behind
            for j in range(columns + 1):
                edges[first + i * (columns + 1) + j, n] = 0.25 * speed[i, j, n] + 0.75 * speed[i + 1, j, n]
    return PointSpeeds(centres, edges)


@jit
def edge_forces(corners: Array, nodes: Array, gamma: Array, past: Array, mirror: bool) -> Array:
    """Force on each panel by density (rows, columns, 3) [m⁴/s²] of the vortex edges that lie on the wing.

    `past` is the velocity [m/s] of the air past the wing at its `edge_points`. Of an edge along the chord half goes to
    either neighbour; of the last of them only the part ahead of the trailing edge counts.
    """
    rows, columns = gamma.shape
    force, along = np.zeros((rows, columns, 3)), np.empty(3)
    for i in range(rows):
        for j in range(columns):
            for n in range(3):
                along[n] = nodes[i, j, n] - nodes[i, j + 1, n]
            strength = gamma[i, j] - (gamma[i - 1, j] if i > 0 else 0.0)
            _add_force(force, i, j, strength, past, i * columns + j, along)
        for j in range(1 if mirror else 0, columns + 1):
            share = 0.5 if 0 < j < columns else 1.0
            if i == rows - 1:
                share *= _apart(corners, nodes, i, j) / _apart(nodes, nodes, i, j)
            for n in range(3):
                along[n] = share * (nodes[i + 1, j, n] - nodes[i, j, n])
            strength = (gamma[i, j] if j < columns else 0.0) - (gamma[i, j - 1] if j > 0 else 0.0)
            at = rows * columns + i * (columns + 1) + j
            if j > 0:
                _add_force(force, i, j - 1, strength, past, at, along)
            if j < columns:
                _add_force(force, i, j, strength, past, at, along)
    return force
