"""The velocity that a sheet of vortex rings induces, compiled.

A sheet is a grid of nodes, rows from front to rear and columns from right to left; ring (i, j) lies between rows i, i +
1 and columns j, j + 1 and runs from its front left corner to its front right one, so that a positive circulation lifts.
Neighbours share their edges: each edge is one straight vortex of the difference of two rings, half the work of four
edges a ring.
"""

import math
from typing import Any

import numpy as np

from cupola.kernel.jit import jit, jit_sums

Array = Any
"""NumPy array of floats."""
TINY = 1e-30
TOUCH = 1e-6
"""[m]: a vortex nearer than this lies on the point, whose flow it does not turn. Where surfaces meet, their edges lie
on each other but for rounding, which a core alone would magnify."""


@jit_sums
def add_sheet(points: Array, nodes: Array, gamma: Array, cores: Array, mirror: bool, out: Array) -> None:
    """Add to `out` [m/s] the velocity at `points` (n, 3) of the sheet `nodes` (r + 1, c + 1, 3) with rings `gamma`.

    `cores` (r + 1) [m] smooth the flow near the edges of a row of nodes and those that lead to it. `mirror` adds the
    same sheet on the other side of y = 0. A row of nodes at a time is seen from the point; arrays of one number each
    let the processor take several edges at once.
    """

    def edge(px: Any, py: Any, pz: Any, p: Any, qx: Any, qy: Any, qz: Any, q: Any, strength: Any, soft: Any) -> Any:
        """Biot-Savart law for a straight vortex; its ends relative to the point, with their inverse distances."""
        cx, cy, cz = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
        lx, ly, lz = px - qx, py - qy, pz - qz
        along = (lx * px + ly * py + lz * pz) * p - (lx * qx + ly * qy + lz * qz) * q
        square, far = lx * lx + ly * ly + lz * lz, cx * cx + cy * cy + cz * cz
        apart = 1.0 if far > TOUCH * TOUCH * square else 0.0
        factor = apart * strength * along / (far + soft * square + TINY)
        return factor * cx, factor * cy, factor * cz

    rows, columns = gamma.shape
    place = np.empty((3, rows + 1, columns + 1))
    for i in range(rows + 1):  # a transposition of arrays takes two seconds to compile
        for j in range(columns + 1):
            for n in range(3):
                place[n, i, j] = nodes[i, j, n]
    across, aft = np.zeros((rows + 1, columns)), np.zeros((rows, columns + 1))
    for i in range(rows):
        for j in range(columns):
            part = gamma[i, j] / (4.0 * math.pi)
            across[i, j] += part
            across[i + 1, j] -= part
            aft[i, j] += part
            aft[i, j + 1] -= part
    ax, ay, az, a = np.empty(columns + 1), np.empty(columns + 1), np.empty(columns + 1), np.empty(columns + 1)
    bx, by, bz, b = np.empty(columns + 1), np.empty(columns + 1), np.empty(columns + 1), np.empty(columns + 1)
    for n in range(len(points)):
        for side in range(2 if mirror else 1):
            sign = 1.0 if side == 0 else -1.0
            x, y, z = points[n, 0], sign * points[n, 1], points[n, 2]
            u, v, w = 0.0, 0.0, 0.0
            for i in range(rows + 1):
                soft = cores[i] * cores[i]
                for j in range(columns + 1):
                    dx, dy, dz = x - place[0, i, j], y - place[1, i, j], z - place[2, i, j]
                    ax[j], ay[j], az[j] = dx, dy, dz
                    a[j] = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz + TINY)
                for j in range(columns):
                    k = j + 1
                    du, dv, dw = edge(ax[k], ay[k], az[k], a[k], ax[j], ay[j], az[j], a[j], across[i, j], soft)
                    u, v, w = u + du, v + dv, w + dw
                if i > 0:
                    for j in range(columns + 1):
                        du, dv, dw = edge(bx[j], by[j], bz[j], b[j], ax[j], ay[j], az[j], a[j], aft[i - 1, j], soft)
                        u, v, w = u + du, v + dv, w + dw
                ax, bx, ay, by, az, bz, a, b = bx, ax, by, ay, bz, az, b, a
            out[n, 0] += u
            out[n, 1] += sign * v
            out[n, 2] += w


@jit
def influence(points: Array, normals: Array, nodes: Array, cores: Array, mirror: bool) -> Array:
    """Matrix (n, rings) of the speed along `normals` at `points` that each ring of unit circulation induces [1/m]."""
    rows, columns = nodes.shape[0] - 1, nodes.shape[1] - 1
    matrix, unit = np.empty((len(points), rows * columns)), np.ones((1, 1))
    # Loops over numbers: slices and sums of arrays take seconds to compile.
    ring, soft, speed = np.empty((2, 2, 3)), np.empty(2), np.empty((len(points), 3))
    for k in range(rows * columns):
        i, j = k // columns, k % columns
        for n in range(3):
            ring[0, 0, n], ring[0, 1, n] = nodes[i, j, n], nodes[i, j + 1, n]
            ring[1, 0, n], ring[1, 1, n] = nodes[i + 1, j, n], nodes[i + 1, j + 1, n]
        soft[0], soft[1] = cores[i], cores[i + 1]
        speed[:] = 0.0
        add_sheet(points, ring, unit, soft, mirror, speed)
        for n in range(len(points)):
            along = speed[n, 0] * normals[n, 0] + speed[n, 1] * normals[n, 1] + speed[n, 2] * normals[n, 2]
            matrix[n, k] = along
    return matrix
