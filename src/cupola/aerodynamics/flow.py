"""The flow around several surfaces at once: vortex sheets that all feel each other, and their images in the ground.

Katz and Plotkin, "Low-Speed Aerodynamics" (2001), chapters 12 and 13, as in `lattice` and `march`, whose functions
these are made of. Arrays hold one surface after another; a row of `layout` says where each begins. Axes rest in the
air, z up. Loops over numbers, not slices of arrays: those take seconds to compile.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.aerodynamics.edges import edge_forces, edge_points, point_speeds
from cupola.aerodynamics.grid import panels
from cupola.aerodynamics.lattice import CORE, cores
from cupola.aerodynamics.rings import add_sheet, influence
from cupola.kernel.jit import jit

Array = Any
ROWS, COLUMNS, NODE, RING, EDGE, WIDTH = range(6)
"""Columns of a layout: panels along the chord and the span; where nodes, rings and points of edges begin; how many."""
SOFT = 0.2
"""Core of the vortices of a wake for a surface that lies behind or on which it begins, by the mean width of the columns
that shed it. Without one such a surface would feel single vortices, not the sheet that they stand for, and the drift of
a fin's wake from the wing on which it stands gave forces without end; with narrower columns it vanishes."""
BEHIND, APART = 0.5, 0.1
"""By the chord: how far aft of another a surface lies behind it, and how far away it does not belong to it, as the
halves of a wing do to each other."""
JOINED = 1e-3
"""By the chord: how far from each other trailing edges are that shed one sheet."""


class Lattice(NamedTuple):
    """Surfaces of one instant, as panels."""

    nodes: Array
    """Of the rings (n, 3) [m]."""
    centres: Array
    """Where the flow is tangent (rings, 3) [m]."""
    normals: Array
    """There, away from the upper side, tilted by what camber and flaps do."""
    areas: Array
    """(rings) [m²]."""


class Solved(NamedTuple):
    """Solution for several surfaces."""

    gamma: Array
    """Circulation of all rings [m²/s]."""
    force: Array
    """On each panel by density (rings, 3) [m⁴/s²], of the edges."""


def set_layout(layout: Array, k: Any, rows: Any, columns: Any) -> None:
    """Write row `k` of a layout for a surface of so many panels, which follows the one before."""
    layout[k, ROWS], layout[k, COLUMNS] = rows, columns
    if k > 0:
        r, c = layout[k - 1, ROWS], layout[k - 1, COLUMNS]
        layout[k, NODE] = layout[k - 1, NODE] + (r + 1) * (c + 1)
        layout[k, RING] = layout[k - 1, RING] + r * c
        layout[k, EDGE] = layout[k - 1, EDGE] + r * (2 * c + 1)


def rings_in(layout: Array) -> Any:
    """How many rings all surfaces have."""
    last = len(layout) - 1
    return layout[last, RING] + layout[last, ROWS] * layout[last, COLUMNS]


def columns_in(layout: Array) -> Any:
    """How many columns all surfaces have."""
    count = 0
    for k in range(len(layout)):
        count += layout[k, COLUMNS]
    return count


def nodes_of(layout: Array, k: Any, nodes: Array) -> Array:
    """The nodes of one surface (rows + 1, columns + 1, 3)."""
    rows, columns, first = layout[k, ROWS], layout[k, COLUMNS], layout[k, NODE]
    return nodes[first : first + (rows + 1) * (columns + 1)].reshape((rows + 1, columns + 1, 3))


def rings_of(layout: Array, k: Any, gamma: Array) -> Array:
    """The circulations of one surface (rows, columns)."""
    rows, columns, first = layout[k, ROWS], layout[k, COLUMNS], layout[k, RING]
    return gamma[first : first + rows * columns].reshape((rows, columns))


def _put(target: Array, first: Any, source: Array) -> None:
    """Copy rows of three numbers."""
    for i in range(len(source)):
        for n in range(3):
            target[first + i, n] = source[i, n]


def _mirrored(a: Array) -> Array:
    """Points or vectors (n, 3) mirrored at the ground, the plane z = 0."""
    made = a.copy()
    for i in range(len(a)):
        made[i, 2] = -a[i, 2]
    return made


def mean_chords(layout: Array, corners: Array) -> Array:
    """From nose to tail of every surface (k, 3) [m]."""
    made = np.zeros((len(layout), 3))
    for k in range(len(layout)):
        own, rows, columns = nodes_of(layout, k, corners), layout[k, ROWS], layout[k, COLUMNS]
        for x in range(3):
            for j in range(columns + 1):
                made[k, x] += (own[rows, j, x] - own[0, j, x]) / (columns + 1)
    return made


@jit
def wake_cores(layout: Array, corners: Array, chords: Array) -> Array:
    """Cores (k, n) [m] of the vortices that trail from surface `n`, at the points of surface `k`; see `SOFT`."""
    count = len(layout)
    made, middle = np.full((count, count), CORE), np.zeros((count, 3))
    for k in range(count):
        own = nodes_of(layout, k, corners)
        for i in range(own.shape[0]):
            for j in range(own.shape[1]):
                for x in range(3):
                    middle[k, x] += own[i, j, x] / (own.shape[0] * own.shape[1])
    for n in range(count):
        own, columns, chord, span = nodes_of(layout, n, corners), layout[n, COLUMNS], 0.0, 0.0
        for x in range(3):
            chord += chords[n, x] * chords[n, x]
            span += (own[0, columns, x] - own[0, 0, x]) ** 2
        for k in range(count):
            aft = 0.0
            for x in range(3):
                aft += (middle[k, x] - middle[n, x]) * chords[n, x]
            other = nodes_of(layout, k, corners)
            if nearest(own, 0, other, 0) > APART * APART * chord:
                feels_sheet = aft > BEHIND * chord
            else:  # halves of one wing shed one sheet, a fin that stands on a wing sheds its own
                feels_sheet = nearest(own, len(own) - 1, other, len(other) - 1) > JOINED * JOINED * chord
            if feels_sheet and k != n:
                made[k, n] = SOFT * math.sqrt(span) / columns
    return made


def nearest(own: Array, first: Any, other: Array, start: Any) -> Any:
    """Smallest squared distance of the corners of two surfaces [m²], from a row of each on."""
    found = math.inf
    for i in range(first, own.shape[0]):
        for j in range(own.shape[1]):
            for m in range(start, other.shape[0]):
                for n in range(other.shape[1]):
                    square = 0.0
                    for x in range(3):
                        square += (own[i, j, x] - other[m, n, x]) ** 2
                    found = min(found, square)
    return found


def sharp(layout: Array) -> Array:
    """Cores of the surfaces themselves, as `wake_cores`: none."""
    return np.full((len(layout), len(layout)), CORE)


def _end(layout: Array, k: Any, which: int, points: Array) -> Any:
    """Behind the last point of a surface."""
    return layout[k + 1, which] if k + 1 < len(layout) else len(points)


@jit
def add_flow(
    points: Array,
    which: int,
    layout: Array,
    soft: Array,
    sheet: Array,
    nodes: Array,
    gamma: Array,
    ground: bool,
    out: Array,
) -> None:
    """Add to `out` [m/s] the velocity of sheets at the points of surfaces; `ground`: and of their images.

    Points of a surface begin at the column `which` of its `layout`; `sheet` is the layout of the sheets and `soft`
    (surface, sheet) [m] their cores.
    """
    below, image = _mirrored(points), np.zeros(points.shape)
    for k in range(len(layout)):
        first, last = layout[k, which], _end(layout, k, which, points)
        for n in range(len(sheet)):
            place, own = nodes_of(sheet, n, nodes), rings_of(sheet, n, gamma)
            rows = cores(place, soft[k, n])
            add_sheet(points[first:last], place, own, rows, False, out[first:last])
            if ground:
                add_sheet(below[first:last], place, own, rows, False, image[first:last])
    for i in range(len(points)):
        out[i, 0] += image[i, 0]
        out[i, 1] += image[i, 1]
        out[i, 2] -= image[i, 2]


@jit
def add_matrix(
    points: Array, normals: Array, layout: Array, soft: Array, sheet: Array, nodes: Array, ground: bool, matrix: Array
) -> None:
    """Add to `matrix` the speed along `normals` at the points of surfaces, one for each ring, that each ring of the
    sheets induces [1/m]; as `add_flow`. A row of rings in a wake has the circulations of the last row ahead of it.
    """
    for side in range(2 if ground else 1):
        seen, square = (_mirrored(points), _mirrored(normals)) if side else (points, normals)
        for k in range(len(layout)):
            start, end = layout[k, RING], _end(layout, k, RING, points)
            for m in range(len(sheet)):
                place, count = nodes_of(sheet, m, nodes), sheet[m, ROWS] * sheet[m, COLUMNS]
                first = layout[m, RING] + layout[m, ROWS] * layout[m, COLUMNS] - count
                block = influence(seen[start:end], square[start:end], place, cores(place, soft[k, m]), False)
                for n in range(end - start):
                    for j in range(count):
                        matrix[start + n, first + j] += block[n, j]


def lattice_of(layout: Array, corners: Array, rear: Array, tilt: Array) -> Lattice:
    """Panels of all surfaces. `rear` (n, 3) leads from each trailing edge to the last nodes, `tilt` [rad] is the
    zero-lift angle of each column, surface by surface: the flow is tangent to the line that carries no lift.
    """
    count, column = rings_in(layout), 0
    nodes, centres, normals = np.empty(corners.shape), np.empty((count, 3)), np.empty((count, 3))
    areas, ahead = np.empty(count), np.empty(3)
    for k in range(len(layout)):
        rows, columns = layout[k, ROWS], layout[k, COLUMNS]
        own = nodes_of(layout, k, corners)
        found = panels(own, rear[column + k : column + k + columns + 1])
        _put(nodes, layout[k, NODE], found.nodes.reshape(((rows + 1) * (columns + 1), 3)))
        for i in range(rows):
            for j in range(columns):
                n, size = layout[k, RING] + i * columns + j, 0.0
                c, s = math.cos(tilt[column + j]), math.sin(tilt[column + j])
                areas[n] = found.areas[i, j]
                for x in range(3):
                    ahead[x] = own[i, j, x] + own[i, j + 1, x] - own[i + 1, j, x] - own[i + 1, j + 1, x]
                    size += ahead[x] * ahead[x]
                for x in range(3):
                    centres[n, x] = found.centres[i, j, x]
                    normals[n, x] = c * found.normals[i, j, x] + s * ahead[x] / math.sqrt(size)
        column += columns
    return Lattice(nodes, centres, normals, areas)


def normal_speeds(layout: Array, speed: Array, normals: Array) -> Array:
    """Velocities of the centres along the normals, from those of the corners [m/s]."""
    made = np.empty(len(normals))
    for k in range(len(layout)):
        own, first = point_speeds(nodes_of(layout, k, speed)).centres, layout[k, RING]
        for n in range(len(own)):
            square = normals[first + n]
            made[first + n] = own[n, 0] * square[0] + own[n, 1] * square[1] + own[n, 2] * square[2]
    return made


def all_edge_points(layout: Array, nodes: Array) -> Array:
    """Where the edges of all surfaces feel the flow (n, 3) [m]."""
    last = len(layout) - 1
    points = np.empty((layout[last, EDGE] + layout[last, ROWS] * (2 * layout[last, COLUMNS] + 1), 3))
    for k in range(len(layout)):
        _put(points, layout[k, EDGE], edge_points(nodes_of(layout, k, nodes)))
    return points


def past_edges(layout: Array, speed: Array, points: Array) -> Array:
    """Velocity of the air past the points of all edges, without what vortices induce [m/s]."""
    made = np.empty(points.shape)
    for k in range(len(layout)):
        own, first = point_speeds(nodes_of(layout, k, speed)).edges, layout[k, EDGE]
        for i in range(len(own)):
            for n in range(3):
                made[first + i, n] = -own[i, n]
    return made


def all_edge_forces(layout: Array, corners: Array, nodes: Array, gamma: Array, past: Array) -> Array:
    """Force on each panel of all surfaces by density (rings, 3) [m⁴/s²]."""
    force = np.empty((len(gamma), 3))
    for k in range(len(layout)):
        rows, columns, edge = layout[k, ROWS], layout[k, COLUMNS], layout[k, EDGE]
        air, own = past[edge : edge + rows * (2 * columns + 1)], rings_of(layout, k, gamma)
        found = edge_forces(nodes_of(layout, k, corners), nodes_of(layout, k, nodes), own, air, False)
        _put(force, layout[k, RING], found.reshape((rows * columns, 3)))
    return force


def at_trailing_edges(layout: Array, corners: Array, ahead: int) -> Array:
    """Values of the corners (n, 3) at all trailing edges, or `ahead` panels in front of them."""
    made, at = np.empty((columns_in(layout) + len(layout), 3)), 0
    for k in range(len(layout)):
        wide = layout[k, COLUMNS] + 1
        first = layout[k, NODE] + (layout[k, ROWS] - ahead) * wide
        _put(made, at, corners[first : first + wide])
        at += wide
    return made


def wake_layout(layout: Array, rows: Any) -> Array:
    """Layout of the wakes of all surfaces, of `rows` rows each."""
    made = np.zeros((len(layout), WIDTH), np.int64)
    for k in range(len(layout)):
        set_layout(made, k, rows, layout[k, COLUMNS])
    return made


def straight_wake(layout: Array, nodes: Array, way: Array) -> Array:
    """One row of rings behind every trailing edge, to `way` (n, 3) [m] from it: nodes in the order of `wake_layout`."""
    made, at = np.empty((2 * len(way), 3)), 0
    edge = at_trailing_edges(layout, nodes, 0)
    for k in range(len(layout)):
        wide = layout[k, COLUMNS] + 1
        for j in range(wide):
            for n in range(3):
                made[2 * at + j, n] = edge[at + j, n]
                made[2 * at + wide + j, n] = edge[at + j, n] + way[at + j, n]
        at += wide
    return made


def trailing(layout: Array, gamma: Array) -> Array:
    """Circulation of the last row of every surface."""
    made, at = np.empty(columns_in(layout)), 0
    for k in range(len(layout)):
        columns = layout[k, COLUMNS]
        first = layout[k, RING] + (layout[k, ROWS] - 1) * columns
        for j in range(columns):
            made[at + j] = gamma[first + j]
        at += columns
    return made


@jit
def solve_steady(
    layout: Array, corners: Array, speed: Array, tilt: Array, rear: Array, way: Array, ground: bool
) -> Solved:
    """Surfaces whose corners move so for long. `rear` leads from the trailing edges to the last nodes, `way` (n, 3) [m]
    from there along straight wakes to their ends.
    """
    found = lattice_of(layout, corners, rear, tilt)
    shed, wake, own = wake_layout(layout, 1), straight_wake(layout, found.nodes, way), sharp(layout)
    soft = wake_cores(layout, corners, mean_chords(layout, corners))
    matrix = np.zeros((len(found.centres), len(found.centres)))
    add_matrix(found.centres, found.normals, layout, own, layout, found.nodes, ground, matrix)
    add_matrix(found.centres, found.normals, layout, soft, shed, wake, ground, matrix)
    gamma = np.linalg.solve(matrix, normal_speeds(layout, speed, found.normals))
    points = all_edge_points(layout, found.nodes)
    past = past_edges(layout, speed, points)
    add_flow(points, EDGE, layout, own, layout, found.nodes, gamma, ground, past)
    add_flow(points, EDGE, layout, soft, shed, wake, trailing(layout, gamma), ground, past)
    return Solved(gamma, all_edge_forces(layout, corners, found.nodes, gamma, past))
