"""The inertia that a link would have if it were one of its shapes, filled evenly."""

import numpy as np

from cupola.bridge.sdf.pose import Array, matrix
from cupola.bridge.sdf.robot import Link, Shape


def solid_inertias(link: Link) -> list[Array]:
    """[kg m²] of each plain shape of a link at the link's mass, about its own centre, in the axes of `link.inertia`."""
    found = []
    for shape in (*link.collisions, *link.visuals):
        moments = _moments(shape, link.mass)
        if moments is not None:
            turn = matrix(link.com.quat).T @ matrix(shape.pose.quat)
            found.append(turn @ np.diag(moments) @ turn.T)
    return found


def _moments(shape: Shape, mass: float) -> list[float] | None:
    """About the shape's own axes; sizes are half edges, or radius and half length."""
    match shape.kind:
        case "box":
            x, y, z = (edge * edge for edge in shape.size)
            return [mass / 3.0 * (y + z), mass / 3.0 * (x + z), mass / 3.0 * (x + y)]
        case "cylinder":
            radius, half = shape.size
            across = mass * (0.25 * radius * radius + half * half / 3.0)
            return [across, across, 0.5 * mass * radius * radius]
        case "sphere":
            return [0.4 * mass * shape.size[0] ** 2] * 3
    return None
