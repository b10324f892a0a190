"""What is around a vehicle of other simulators, as keys of a scenario: things that stand still, and gravity."""

import math
from collections.abc import Sequence
from typing import Any

from cupola.bridge.report import Report
from cupola.physics.rotation import Quaternion, Vector, add, euler_from_quaternion, rotate, scale

LEVEL = 1e-6
"""[m], and of the tilt: up to which a plane is the floor of a scenario, which lies at height 0."""
THICK = 1.0
"""[m] of the box that stands for a plane elsewhere."""


def gravity_keys(pull: Sequence[float], where: str, report: Report) -> dict[str, Any]:
    """Gravity as a vector [m/s²]; one that is not straight down is that of a world whose axes rise."""
    size = math.hypot(*pull)
    if size and pull[2] >= 0.0:
        report.lose(f"{where} {' '.join(f'{part:g}' for part in pull)}", "a scenario has none that pulls upward: none")
        return {"gravity": 0.0}
    if pull[0] or pull[1]:
        return {"gravity": size, "slope_deg": [math.degrees(math.asin(-part / size)) for part in pull[:2]]}
    return {"gravity": size}


def is_floor(pos: Vector, quat: Quaternion) -> bool:
    """Whether a plane, whose normal is its z axis, is level and at height 0."""
    normal = rotate(quat, Vector(0.0, 0.0, 1.0))
    return abs(pos.z) <= LEVEL and math.hypot(normal.x, normal.y) <= LEVEL and normal.z > 0.0


def plane_box(pos: Vector, quat: Quaternion, half: Sequence[float], friction: float) -> dict[str, Any]:
    """A plane that is tilted or at another height: a box whose upper side it is."""
    middle = add(pos, rotate(quat, scale(-0.5 * THICK, Vector(0.0, 0.0, 1.0))))
    return obstacle("box", middle, quat, (2.0 * half[0], 2.0 * half[1], THICK), friction)


def obstacle(
    shape: str, pos: Vector, quat: Quaternion, size: Sequence[float], friction: float | None
) -> dict[str, Any]:
    """A box or a cylinder, by its edges, or by diameter, diameter and height [m]."""
    angles = [math.degrees(angle) for angle in euler_from_quaternion(quat)]
    made = {"shape": shape, "position": list(pos), "size": [float(edge) for edge in size], "attitude_deg": angles}
    return made | ({"friction": friction} if friction is not None else {})
