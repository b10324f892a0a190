"""The steady vortex lattice: a wing in uniform flow with a straight wake.

Katz and Plotkin, "Low-Speed Aerodynamics" (2001), chapter 12. Forces are those on the bound edges (Kutta and
Joukowski), so the suction of the leading edge is in them; the induced drag of the wake far behind (Trefftz) checks
them.
"""

from typing import Any, NamedTuple

import numpy as np

from cupola.aerodynamics.edges import edge_forces, edge_points
from cupola.aerodynamics.grid import Panels, panels
from cupola.aerodynamics.rings import add_sheet, influence
from cupola.kernel.jit import jit

Array = Any
FAR = 1e4
"""Length of the wake [spans]."""
CORE = 1e-6
"""[m]: only keeps an edge from acting on itself."""


@jit
def cores(nodes: Array, core: float = CORE) -> Array:
    """Of the rows of a sheet [m]. The first row is sharp: in a wake it must undo the last edge of the wing."""
    found = np.full(len(nodes), max(core, CORE))
    found[0] = CORE
    return found


class SteadyLoads(NamedTuple):
    """Loads of a lattice; a symmetric half counts twice in the totals."""

    panels: Panels
    gamma: Array
    """Circulation of the rings [m²/s]."""
    panel_force: Array
    """(rows, columns, 3) [N]."""
    force: Array
    """Of the whole wing [N]."""
    torque: Array
    """Of the whole wing about the origin [N m]."""
    far_drag: float
    """Induced drag by the wake far behind [N]."""


def steady_lattice(corners: Array, flow: Array, density: float = 1.225, *, mirror: bool = False) -> SteadyLoads:
    """Loads of a wing at rest in a `flow` [m/s] (of the air past it). `mirror`: the corners are the left half."""
    corners, flow = np.ascontiguousarray(corners, dtype=float), np.asarray(flow, dtype=float)
    rear = 0.25 * (corners[-1] - corners[-2])
    found = panels(corners, rear)
    span = np.ptp(corners[..., 1])
    wake = np.stack([found.nodes[-1], found.nodes[-1] + FAR * span * flow / np.linalg.norm(flow)])
    centres, normals = found.centres.reshape(-1, 3), found.normals.reshape(-1, 3)
    matrix = influence(centres, normals, found.nodes, cores(found.nodes), mirror)
    columns = corners.shape[1] - 1
    matrix[:, -columns:] += influence(centres, normals, wake, cores(wake), mirror)
    gamma = np.linalg.solve(matrix, -normals @ flow).reshape(found.areas.shape)

    points = edge_points(found.nodes)
    past = np.broadcast_to(flow, points.shape).copy()
    add_sheet(points, found.nodes, gamma, cores(found.nodes), mirror, past)
    add_sheet(points, wake, gamma[-1:], cores(wake), mirror, past)
    forces = density * edge_forces(corners, found.nodes, gamma, past, mirror)
    middle = 0.5 * (found.nodes[:-1, 1:] + found.nodes[:-1, :-1])
    force, torque = forces.sum((0, 1)), np.cross(middle, forces).sum((0, 1))
    if mirror:
        force, torque = force * [2.0, 0.0, 2.0], torque * [0.0, 2.0, 0.0]
    far_drag = density * _far_drag(found.nodes[-1], gamma[-1], mirror)
    return SteadyLoads(found, gamma, forces, force, torque, far_drag)


def _far_drag(edge: Array, gamma: Array, mirror: bool) -> float:
    """-½ ∫ Γ w dy by density over the wake's trace, in a plane across it (flat or bent, vortices square to it)."""
    middle, step = 0.5 * (edge[1:, 1:] + edge[:-1, 1:]), edge[1:, 1:] - edge[:-1, 1:]
    strength = np.diff(gamma, prepend=0.0, append=0.0)
    total = 0.0
    for sign in (1.0, -1.0) if mirror else (1.0,):
        away = middle[:, None] - edge[None, :, 1:] * [sign, 1.0]
        square = (away**2).sum(-1)
        # A vortex of strength s along -x turns the air about -x; its image turns the other way.
        turn = -sign * strength / (2.0 * np.pi * square)
        across = np.stack([-turn * away[..., 1], turn * away[..., 0]], axis=-1).sum(1)
        total += float((gamma * (across[:, 0] * step[:, 1] - across[:, 1] * step[:, 0])).sum())
    return (2.0 if mirror else 1.0) * 0.5 * total
