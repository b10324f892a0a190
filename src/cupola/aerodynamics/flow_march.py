"""Several surfaces that leave their wakes behind, step by step: `march` for all surfaces of a vehicle at once.

The wake has a fixed number of rows: the oldest is dropped when a new one is shed. It stays where it was shed in the
air, which the wind carries along.
"""

from typing import Any, NamedTuple

import numpy as np

from cupola.aerodynamics.flow import (
    COLUMNS,
    EDGE,
    RING,
    ROWS,
    Solved,
    add_flow,
    add_matrix,
    all_edge_forces,
    all_edge_points,
    at_trailing_edges,
    columns_in,
    lattice_of,
    mean_chords,
    nodes_of,
    normal_speeds,
    past_edges,
    rings_of,
    sharp,
    solve_steady,
    trailing,
    wake_cores,
    wake_layout,
)
from cupola.aerodynamics.march import SHED
from cupola.kernel.jit import jit

Array = Any


class Wake(NamedTuple):
    """State of an unsteady lattice."""

    nodes: Array
    """Of all wakes (n, 3) [m], the newest row of each first."""
    shed: Array
    """Circulations of their rings [m²/s]."""
    past: Array
    """Circulations of the last two steps (2, rings), the newest first [m²/s]."""


@jit
def settle_wake(
    layout: Array, corners: Array, speed: Array, tilt: Array, dt: float, wake: Wake, ground: bool
) -> Solved:
    """The flow when the present motion has gone on for long; `wake` is written."""
    behind, edge = at_trailing_edges(layout, speed, 0), at_trailing_edges(layout, corners, 0)
    strewn = wake_layout(layout, len(wake.shed) // columns_in(layout))
    rows = strewn[0, ROWS]
    solved = solve_steady(layout, corners, speed, tilt, -SHED * dt * behind, -(rows * dt) * behind, ground)
    last, at = trailing(layout, solved.gamma), 0
    for k in range(len(layout)):
        columns, own, rings = layout[k, COLUMNS], nodes_of(strewn, k, wake.nodes), rings_of(strewn, k, wake.shed)
        for row in range(rows + 1):
            for j in range(columns + 1):
                for n in range(3):
                    own[row, j, n] = edge[at + k + j, n] - (SHED + row) * dt * behind[at + k + j, n]
            for j in range(columns if row < rows else 0):
                rings[row, j] = last[at + j]
        at += columns
    for n in range(len(solved.gamma)):
        wake.past[0, n] = wake.past[1, n] = solved.gamma[n]
    return solved


def shed_row(layout: Array, strewn: Array, nodes: Array, wake: Wake, drift: Array) -> None:
    """Every wake gets a row at its trailing edge and drops its last; `drift` (n, 3) [m]: how far wind carried each."""
    for k in range(len(layout)):
        own, rings = nodes_of(strewn, k, wake.nodes), rings_of(strewn, k, wake.shed)
        edge, columns = nodes_of(layout, k, nodes), layout[k, COLUMNS]
        first = layout[k, RING] + (layout[k, ROWS] - 1) * columns
        for row in range(len(rings), -1, -1):
            for j in range(columns + 1):
                for n in range(3):
                    own[row, j, n] = own[row - 1, j, n] + drift[k, n] if row > 0 else edge[layout[k, ROWS], j, n]
        for row in range(len(rings) - 1, -1, -1):
            for j in range(columns):
                rings[row, j] = rings[row - 1, j] if row > 0 else wake.past[0, first + j]


@jit
def step_wake(
    layout: Array, corners: Array, speed: Array, tilt: Array, dt: float, wake: Wake, drift: Array, ground: bool
) -> Solved:
    """The flow one step later; `drift` (n, 3) [m] is how far the wind has carried each wake, which is written."""
    found = lattice_of(layout, corners, -SHED * dt * at_trailing_edges(layout, speed, 0), tilt)
    strewn, count = wake_layout(layout, len(wake.shed) // columns_in(layout)), len(found.centres)
    shed_row(layout, strewn, found.nodes, wake, drift)
    induced, matrix = np.zeros((count, 3)), np.zeros((count, count))
    own, soft = sharp(layout), wake_cores(layout, corners, mean_chords(layout, corners))
    add_flow(found.centres, RING, layout, soft, strewn, wake.nodes, wake.shed, ground, induced)
    add_matrix(found.centres, found.normals, layout, own, layout, found.nodes, ground, matrix)
    onset = normal_speeds(layout, speed, found.normals)
    for n in range(count):
        air, square = induced[n], found.normals[n]
        onset[n] -= air[0] * square[0] + air[1] * square[1] + air[2] * square[2]
    gamma, growth = np.linalg.solve(matrix, onset), np.empty(count)
    for n in range(count):
        growth[n] = (3.0 * gamma[n] - 4.0 * wake.past[0, n] + wake.past[1, n]) / (2.0 * dt)
        wake.past[1, n], wake.past[0, n] = wake.past[0, n], gamma[n]
    points = all_edge_points(layout, found.nodes)
    past = past_edges(layout, speed, points)
    add_flow(points, EDGE, layout, own, layout, found.nodes, gamma, ground, past)
    add_flow(points, EDGE, layout, soft, strewn, wake.nodes, wake.shed, ground, past)
    force = all_edge_forces(layout, corners, found.nodes, gamma, past)
    for k in range(len(layout)):
        columns, first = layout[k, COLUMNS], layout[k, RING]
        for n in range(first, first + layout[k, ROWS] * columns):
            before = growth[n - columns] if n - columns >= first else 0.0
            for x in range(3):
                force[n, x] += (0.75 * growth[n] + 0.25 * before) * found.areas[n] * found.normals[n, x]
    return Solved(gamma, force)
