"""Panels of a wing: corner points as an array (chordwise + 1, spanwise + 1, 3), and what a lattice needs of them.

Rows run from the leading to the trailing edge, columns from right to left; a symmetric wing is given by its left half,
from the root outwards. Axes are x forward, y left, z up [m].
"""

from typing import Any, NamedTuple

import numpy as np

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


def panels(corners: Array, rear: Array) -> Panels:
    """Panels of a grid of corners; `rear` (spanwise + 1, 3) leads from the trailing edge to the last row of nodes."""
    nodes = np.empty_like(corners)
    nodes[:-1] = 0.75 * corners[:-1] + 0.25 * corners[1:]
    nodes[-1] = corners[-1] + rear
    aft = 0.25 * corners[:-1] + 0.75 * corners[1:]
    centres = 0.5 * (aft[:, 1:] + aft[:, :-1])
    one, two = corners[:-1, 1:] - corners[1:, :-1], corners[1:, 1:] - corners[:-1, :-1]
    across = np.cross(one, two)
    size = np.linalg.norm(across, axis=-1, keepdims=True)
    return Panels(nodes, centres, across / size, 0.5 * size[..., 0])


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
