"""The rollers of a Mecanum wheel, as ellipsoids whose hand-over from one to the next is nearly without a bump.

A wheel of radius R has n rollers of radius b whose middles lie d = R - b from the hub. Where two neighbours share the
load, half a spacing from the middle of either, the floor must be as far from the hub as under a middle; that gives the
half-length a of the ellipsoid.
"""

import math
from typing import Any

import mujoco
import numpy as np
from pydantic import Field

from cupola.physics.mecanum import slope_of
from cupola.schema.yaml_files import Entry

FIRM = {
    "condim": 3,
    "solref": [0.004, 1.0],
    "solimp": [0.95, 0.99, 0.0005, 0.5, 2.0],
    "solmix": 1e6,
    "friction": [0, 0, 0],
}
"""Contact with the floor: sinks in by a tenth of a millimetre; the friction is the floor's."""


DRY = {"solref_friction": [0.002, 1.0], "solimp_friction": [0.99, 0.999, 0.001, 0.5, 2.0], "armature": 1e-6}
"""Friction of a bearing: MuJoCo's usual softness lets so light a body creep at any speed."""


class Roller(Entry):
    """One roller."""

    count: int = Field(12, ge=6, le=36, description="per wheel")
    radius: float = Field(0.0145, gt=0, description="[m] at its middle")
    mass: float = Field(0.05, gt=0, description="[kg]")
    width: float = Field(0.0741, gt=0, description="[m] of the wheel")
    angle_deg: float = Field(45.0, ge=20, le=70, description="between its axis and that of the wheel")

    @property
    def slope(self) -> float:
        """Its axis on the floor is (1, ±slope)."""
        return float(slope_of(math.radians(self.angle_deg)))

    def half_length(self, wheel_radius: float) -> float:
        """Of the ellipsoid [m]."""
        b, d = self.radius, wheel_radius - self.radius
        half = math.pi / self.count
        # Under a roller turned by p the floor is d cos p + sqrt(b² + k sin² p) from the hub; k (1 + slope²) = a² - b².
        k = ((wheel_radius - d * math.cos(half)) ** 2 - b * b) / math.sin(half) ** 2
        return math.sqrt(b * b + (1.0 + self.slope**2) * k)

    def ripple(self, wheel_radius: float) -> float:
        """By how much the axle rises and falls on the way round [m]."""
        b, d = self.radius, wheel_radius - self.radius
        k = (self.half_length(wheel_radius) ** 2 - b * b) / (1.0 + self.slope**2)
        p = np.linspace(0.0, math.pi / self.count, 200)
        return float(np.ptp(d * np.cos(p) + np.sqrt(b * b + k * np.sin(p) ** 2)))


def mean_askew(count: int) -> float:
    """By which share the slope of the roller on the floor exceeds that of its middle, averaged over its passage.

    A roller whose middle is turned by p from the lowest point has its axis at (cos p, ±slope) on the floor: the slope
    is 1 / cos p of it, and p runs over half a spacing to either side.
    """
    half = math.pi / count
    return math.asinh(math.tan(half)) / half - 1.0


def places_on_wheel(roller: Roller, wheel_radius: float, tilt: float) -> list[tuple[Any, Any]]:
    """Middle and axis of each roller in the axes of the wheel, whose axle is y; the first is on the floor."""
    d, slope, found = wheel_radius - roller.radius, roller.slope, []
    for k in range(roller.count):
        turn = 2.0 * math.pi * k / roller.count
        c, s = math.cos(turn), math.sin(turn)
        found.append((np.array([-d * s, 0.0, -d * c]), np.array([c, tilt * slope, -s]) / math.sqrt(1.0 + slope**2)))
    return found


def add_rollers(wheel: Any, roller: Roller, wheel_radius: float, tilt: float, bearing: float) -> None:
    """Rollers that turn in their bearings; the hub keeps what they leave of the wheel's mass and inertia."""
    half = roller.half_length(wheel_radius)
    across = roller.mass * (roller.radius**2 + half**2) / 5.0
    own = np.diag([across, across, roller.mass * 2.0 * roller.radius**2 / 5.0])
    rest, mass = np.diag(np.array(wheel.inertia)), wheel.mass - roller.count * roller.mass
    for k, (middle, axis) in enumerate(places_on_wheel(roller, wheel_radius, tilt)):
        body = wheel.add_body(name=f"{wheel.name}_roller_{k}", pos=middle, zaxis=axis)
        body.add_joint(name=f"{wheel.name}_roller_{k}", axis=[0, 0, 1], frictionloss=bearing, **DRY)
        body.add_geom(**_ellipsoid(roller, half), **FIRM, mass=roller.mass, conaffinity=0)
        turn = _axes(axis)
        rest = rest - (turn @ own @ turn.T + roller.mass * (middle @ middle * np.eye(3) - np.outer(middle, middle)))
    if mass <= 0.0 or np.linalg.eigvalsh(rest).min() <= 0.0:
        raise ValueError(f"{roller.count} rollers of {roller.mass:g} kg leave nothing of the wheel {wheel.name!r}")
    wheel.mass, wheel.inertia = mass, np.diag(rest)


def add_drawn_rollers(wheel: Any, roller: Roller, wheel_radius: float, tilt: float) -> None:
    """Rollers to look at."""
    half = roller.half_length(wheel_radius)
    for middle, axis in places_on_wheel(roller, wheel_radius, tilt):
        wheel.add_geom(**_ellipsoid(roller, half), pos=middle, zaxis=axis, mass=0.0, contype=0, conaffinity=0)


def _ellipsoid(roller: Roller, half: float) -> dict[str, Any]:
    kind = mujoco.mjtGeom.mjGEOM_ELLIPSOID
    return {"type": kind, "size": [roller.radius, roller.radius, half], "rgba": [0.12, 0.12, 0.13, 1.0]}


def _axes(axis: Any) -> Any:
    """A rotation whose third column is `axis`."""
    side = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    return np.column_stack([side, np.cross(axis, side), axis])
