"""What sweep does to lifting lines: the speeds that vortices induce at the sections, as two matrices.

A bound vortex that is not square to its wake induces on itself a speed without end: the finer it is cut, the more its
tip lifts. So each wing is taken twice. Straight, with its vortices moved along the wake into one plane, it is Prandtl's
line, whose total induced drag is that of any sweep (Munk, "The minimum induced drag of aerofoils", NACA report 121,
1923): this speed tilts the lift. What sweep changes is seen half a chord behind the line, as by Weissinger, "The lift
distribution of swept-back wings", NACA TM 1120 (1947): this turns the sections alone. A straight wing has none of it.
"""

from typing import NamedTuple

import numpy as np

from cupola.aerodynamics.flow import COLUMNS, NODE, nearest, nodes_of
from cupola.aerodynamics.lattice import cores
from cupola.aerodynamics.rings import influence
from cupola.parts.aero.surfaces import Placed
from cupola.xmath import Number

GAP = 0.5
"""By the chord: halves of a wing may be so far apart, as on the hinges of a bird."""


class Lines(NamedTuple):
    """All lines with their wakes, in one array; or the same moved into planes."""

    placed: Placed
    sheet: Number
    """Layout of the wakes."""
    nodes: Number
    soft: Number
    """Cores (surface, sheet) [m]."""
    own: Number
    """Whether a surface and a sheet are of one wing (surface, sheet)."""
    first: Number
    """Of each surface, the first of its vehicle."""
    ground: bool


def first_of_vehicles(surfaces: Number) -> Number:
    """Of each surface, the first of its vehicle."""
    made = np.zeros(surfaces.shape[0], np.int64)
    for k in range(1, surfaces.shape[0]):
        made[k] = made[k - 1] if surfaces[k].vehicle == surfaces[k - 1].vehicle else k
    return made


def one_wing(surfaces: Number, placed: Placed, chords: Number) -> Number:
    """Which surfaces belong together: each to itself, and those of a vehicle that touch or nearly do."""
    count = surfaces.shape[0]
    made = np.zeros((count, count), np.int64)
    for k in range(count):
        square = 0.0
        for x in range(3):
            square += chords[k, x] * chords[k, x]
        mine = nodes_of(placed.layout, k, placed.corners)
        for m in range(count):
            if surfaces[m].vehicle == surfaces[k].vehicle:
                apart = nearest(mine, 0, nodes_of(placed.layout, m, placed.corners), 0)
                made[k, m] = 1 if m == k or apart < GAP * GAP * square else 0
    return made


def add_pairs(points: Number, normals: Number, lines: Lines, own: int, share: float, matrix: Number) -> None:
    """Add to `matrix`, `share` times, the speed along `normals` at points of surfaces that each vortex induces [1/m],
    where surface and vortex are of one wing (`own` 1) or are not (0).
    """
    start = 0
    for k in range(len(lines.sheet)):
        count, first = lines.sheet[k, COLUMNS], 0
        for m in range(len(lines.sheet)):
            columns = lines.sheet[m, COLUMNS]
            if lines.own[k, m] == own:
                place = nodes_of(lines.sheet, m, lines.nodes)
                for side in range(2 if lines.ground else 1):
                    sign = -1.0 if side else 1.0
                    seen, square = np.empty((count, 3)), np.empty((count, 3))
                    for i in range(count):
                        for x in range(3):
                            seen[i, x], square[i, x] = points[start + i, x], normals[start + i, x]
                        seen[i, 2], square[i, 2] = sign * seen[i, 2], sign * square[i, 2]
                    block = influence(seen, square, place, cores(place, lines.soft[k, m]), False)
                    for i in range(count):
                        for j in range(columns):
                            matrix[start + i, first + j] += share * block[i, j]
            first += columns
        start += count


def straightened(lines: Lines) -> Lines:
    """Lines moved along their wakes into the plane through the first corner of their vehicle that is square to them."""
    moved = lines.nodes.copy()
    for m in range(len(lines.sheet)):
        old, new = nodes_of(lines.sheet, m, lines.nodes), nodes_of(lines.sheet, m, moved)
        way, origin = wake_way(lines, m), origin_of(lines, m)
        for row in range(2):
            for j in range(old.shape[1]):
                along = 0.0
                for x in range(3):
                    along += (old[0, j, x] - origin[x]) * way[x]
                for x in range(3):
                    new[row, j, x] = old[row, j, x] - along * way[x]
    return Lines(lines.placed, lines.sheet, moved, lines.soft, lines.own, lines.first, lines.ground)


def wake_way(lines: Lines, k: Number) -> Number:
    """Direction of the wake of a surface (3)."""
    own, way, square = nodes_of(lines.sheet, k, lines.nodes), np.empty(3), 0.0
    for x in range(3):
        way[x] = own[1, 0, x] - own[0, 0, x]
        square += way[x] * way[x]
    for x in range(3):
        way[x] /= np.sqrt(square)
    return way


def origin_of(lines: Lines, k: Number) -> Number:
    """The first corner of the vehicle of a surface (3) [m]."""
    at = lines.placed.layout[lines.first[k], NODE]
    return lines.placed.corners[at]


class Behind(NamedTuple):
    """Points of the sections (n, 3) [m]."""

    flat: Number
    """On the lines, moved as `straightened` moves the vortices."""
    aft: Number
    """Half a chord behind the swept line."""
    flat_aft: Number
    """As far behind the straight one, measured across the line."""


def behind(lines: Lines, points: Number, chords: Number) -> Behind:
    """Where the sections, whose `chords` [m] lie across the line, feel what."""
    made, n = Behind(points.copy(), points.copy(), points.copy()), 0
    for k in range(len(lines.sheet)):
        way, edges, origin = wake_way(lines, k), lines.placed.corners, origin_of(lines, k)
        for j in range(lines.sheet[k, COLUMNS]):
            first, size, slant, along = lines.placed.layout[k, NODE] + j, 0.0, 0.0, 0.0
            for x in range(3):
                step = edges[first + 1, x] - edges[first, x]
                size += step * step
                slant += step * way[x]
                along += (points[n, x] - origin[x]) * way[x]
            half = 0.5 * chords[n]
            far = half / np.sqrt(max(1.0 - slant * slant / size, 1e-6))
            for x in range(3):
                made.flat[n, x] -= along * way[x]
                made.flat_aft[n, x] += (half - along) * way[x]
                made.aft[n, x] += far * way[x]
            n += 1
    return made
