"""The steady vortex lattice: a wing in uniform flow with a straight wake.

Katz and Plotkin, "Low-Speed Aerodynamics" (2001), chapter 12. Forces are those on the bound edges (Kutta and
Joukowski), so the suction of the leading edge is in them; the induced drag of the wake far behind (Trefftz) checks
them.
"""

from typing import Any, NamedTuple

import numpy as np

from cupola.aerodynamics.grid import Panels, panels
from cupola.aerodynamics.rings import add_sheet, influence

Array = Any
FAR = 1e4
"""Length of the wake [spans]."""
CORE = 1e-6
"""[m]: only keeps an edge from acting on itself."""


def cores(nodes: Array, core: float = CORE) -> Array:
    """Of the rows of a sheet [m]. The first row is sharp: in a wake it must undo the last edge of the wing."""
    found = np.full(len(nodes), max(core, CORE))
    found[0] = CORE
    return found


class SteadyLoads(NamedTuple):
    """What a lattice carries; a symmetric half counts twice in the totals."""

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


def edge_forces(corners: Array, nodes: Array, gamma: Array, relative: Any, mirror: bool) -> Array:
    """Force on each panel by density (rows, columns, 3) [m⁴/s²] of the vortex edges that lie on the wing.

    `relative` gives the velocity [m/s] of the air past the wing at points (n, 3). Of an edge along the chord half goes
    to either neighbour; of the last of them only the part ahead of the trailing edge counts.
    """
    rows, columns = gamma.shape
    front, along = nodes[:-1], nodes[1:] - nodes[:-1]
    span_mid, chord_mid = 0.5 * (front[:, 1:] + front[:, :-1]), front + 0.5 * along
    along[-1] *= (np.linalg.norm(corners[-1] - front[-1], axis=-1) / np.linalg.norm(along[-1], axis=-1))[:, None]
    points = np.concatenate([span_mid.reshape(-1, 3), chord_mid.reshape(-1, 3)])
    past = relative(points)
    at_span = past[: rows * columns].reshape(rows, columns, 3)
    at_chord = past[rows * columns :].reshape(rows, columns + 1, 3)
    bound = np.diff(gamma, axis=0, prepend=0.0)
    force = bound[..., None] * np.cross(at_span, front[:, :-1] - front[:, 1:])
    trailing = np.diff(gamma, axis=1, prepend=0.0, append=0.0)
    if mirror:
        trailing[:, 0] = 0.0
    aside = trailing[..., None] * np.cross(at_chord, along)
    shares = np.full(columns + 1, 0.5)
    shares[-1] = 1.0
    if not mirror:
        shares[0] = 1.0
    right, left = aside[:, :-1] * shares[:-1, None], aside[:, 1:] * shares[1:, None]
    return force + right + left


def steady_lattice(corners: Array, flow: Array, density: float = 1.225, *, mirror: bool = False) -> SteadyLoads:
    """Loads of a wing at rest in a `flow` [m/s] (of the air past it). `mirror`: the corners are the left half."""
    corners, flow = np.asarray(corners, dtype=float), np.asarray(flow, dtype=float)
    rear = 0.25 * (corners[-1] - corners[-2])
    found = panels(corners, rear)
    span = np.ptp(corners[..., 1])
    wake = np.stack([found.nodes[-1], found.nodes[-1] + FAR * span * flow / np.linalg.norm(flow)])
    centres, normals = found.centres.reshape(-1, 3), found.normals.reshape(-1, 3)
    matrix = influence(centres, normals, found.nodes, cores(found.nodes), mirror)
    columns = corners.shape[1] - 1
    matrix[:, -columns:] += influence(centres, normals, wake, cores(wake), mirror)
    gamma = np.linalg.solve(matrix, -normals @ flow).reshape(found.areas.shape)

    def relative(points: Array) -> Array:
        speed = np.broadcast_to(flow, points.shape).copy()
        add_sheet(points, found.nodes, gamma, cores(found.nodes), mirror, speed)
        add_sheet(points, wake, gamma[-1:], cores(wake), mirror, speed)
        return speed

    forces = density * edge_forces(corners, found.nodes, gamma, relative, mirror)
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
