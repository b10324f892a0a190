"""The unsteady vortex lattice: a wing of any moving shape leaves its wake behind, step by step.

Katz and Plotkin, "Low-Speed Aerodynamics" (2001), chapter 13, in axes that rest in the air far away. The wing sheds at
each step a row of rings with the circulation that its trailing edge had; a free wake drifts with the flow that bound
rings and wake induce, a prescribed one stays where it was shed. Loads are those on the bound edges and the pressure of
growing circulation, so leading-edge suction, thrust and added mass are in them.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from cupola.aerodynamics.edges import edge_forces, edge_points, point_speeds
from cupola.aerodynamics.grid import Panels, panels
from cupola.aerodynamics.lattice import CORE, cores
from cupola.aerodynamics.rings import add_sheet, influence

Array = Any
Shape = Callable[[float], Array]
"""Corners (chordwise + 1, spanwise + 1, 3) [m] at a time [s], in axes that rest in the air."""
SHED = 0.25
"""Where the first row of the wake begins, behind the trailing edge [of its way in a step]."""
INSTANT = 1e-3
"""[steps] either side, for the speed of the wing's points."""


class LatticeStep(NamedTuple):
    """The lattice at one time."""

    time: float
    """[s]."""
    panels: Panels
    gamma: Array
    """Circulation of the rings (rows, columns) [m²/s]."""
    panel_force: Array
    """(rows, columns, 3) [N]."""
    force: Array
    """Of the whole wing [N]."""
    wake: Array
    """Nodes (rows, columns + 1, 3) [m], the first row at the trailing edge."""
    wake_gamma: Array
    """Circulation of its rings [m²/s]."""


def march(
    shape: Shape,
    steps: int,
    dt: float,
    density: float = 1.225,
    *,
    mirror: bool = False,
    free: bool = False,
    core: float = 0.0,
    wake_rows: int | None = None,
) -> Iterator[LatticeStep]:
    """The lattice at `steps` times, `dt` [s] apart, from a sudden start at time zero.

    `mirror`: the shape is the left half of a symmetric wing. `core` [m] smooths the flow near the edges of the wake; a
    free one needs some. `wake_rows` keeps that many rows, all by default.
    """
    columns = np.asarray(shape(0.0)).shape[1] - 1
    wake = _Wake(np.empty((0, columns + 1, 3)), np.empty((0, columns)), core, mirror)
    past: list[Array] = []
    for step in range(steps):
        time = step * dt
        corners, speed = np.ascontiguousarray(shape(time), dtype=float), _speed(shape, time, dt)
        found = panels(corners, -SHED * dt * speed[-1])
        nodes = np.concatenate([found.nodes[-1:], wake.nodes])[: None if wake_rows is None else wake_rows + 1]
        shed = past[-1][-1:] if past else wake.gamma
        wake = wake._replace(nodes=nodes, gamma=np.concatenate([shed, wake.gamma])[:wake_rows])
        gamma = _solve(found, speed, wake)
        past = [*past[-2:], gamma]
        forces = _loads(found, corners, speed, gamma, _growth(past, dt), wake)
        total = forces.sum((0, 1)) * ([2.0, 0.0, 2.0] if mirror else 1.0)
        yield LatticeStep(time, found, gamma, density * forces, density * total, wake.nodes, wake.gamma)
        if free:
            wake = wake._replace(nodes=wake.nodes + dt * _drift(wake, found.nodes, gamma))


class _Wake(NamedTuple):
    """The shed wake, and how its velocity is computed."""

    nodes: Array
    gamma: Array
    core: float
    mirror: bool

    def add(self, points: Array, speed: Array) -> None:
        """Add its flow at `points` to `speed` [m/s]."""
        add_sheet(points, self.nodes, self.gamma, cores(self.nodes, self.core), self.mirror, speed)


def _growth(past: list[Array], dt: float) -> Array:
    """Rate of the newest circulation [m²/s²], of second order once the sudden start is two steps old."""
    if len(past) == 1:
        return past[0] / dt
    if len(past) == 2:
        return (past[1] - past[0]) / dt
    return (3.0 * past[2] - 4.0 * past[1] + past[0]) / (2.0 * dt)


def _speed(shape: Shape, time: float, dt: float) -> Array:
    """Velocity of the corners [m/s]; one instant is far below a step, so no step enters it."""
    small = INSTANT * dt
    return np.ascontiguousarray((np.asarray(shape(time + small)) - np.asarray(shape(time - small))) / (2.0 * small))


def _solve(found: Panels, speed: Array, wake: _Wake) -> Array:
    """Circulations that keep the flow tangent to the panels."""
    centres, normals = found.centres.reshape(-1, 3), found.normals.reshape(-1, 3)
    past = -point_speeds(speed).centres
    wake.add(centres, past)
    matrix = influence(centres, normals, found.nodes, cores(found.nodes), wake.mirror)
    return np.linalg.solve(matrix, -(past * normals).sum(1)).reshape(found.areas.shape)


def _loads(found: Panels, corners: Array, speed: Array, gamma: Array, growth: Array, wake: _Wake) -> Array:
    """Force on each panel by density (rows, columns, 3) [m⁴/s²]."""
    points, past = edge_points(found.nodes), -point_speeds(speed).edges
    add_sheet(points, found.nodes, gamma, cores(found.nodes), wake.mirror, past)
    wake.add(points, past)
    # A ring begins a quarter panel behind its panel's front: that much of the panel has the jump of the ring before.
    behind = np.concatenate([np.zeros_like(growth[:1]), growth[:-1]])
    swelling = ((0.75 * growth + 0.25 * behind) * found.areas)[..., None] * found.normals
    return edge_forces(corners, found.nodes, gamma, past, wake.mirror) + swelling


def _drift(wake: _Wake, nodes: Array, gamma: Array) -> Array:
    """Velocity of the wake's nodes [m/s] in the flow of the wing's rings and its own."""
    points, past = wake.nodes.reshape(-1, 3), np.zeros((wake.nodes.size // 3, 3))
    add_sheet(points, nodes, gamma, cores(nodes, wake.core), wake.mirror, past)
    wake.add(points, past)
    if wake.mirror:
        past[np.abs(points[:, 1]) < CORE, 1] = 0.0
    return past.reshape(wake.nodes.shape)
