"""What a controller or an estimator may know of the robot: derived from the compiled model and its parts.

All places and axes are those of the root body at the model's zero posture. A controller has it as `self.robot`, a
parameter takes a number of it with `robot=`, everybody else asks `world.robot()`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cupola.parts.described import BladedDisc, GripperPlace, JointDrive, NozzlePair, RotorPlace, ScannerPlace, WheelSet
from cupola.physics.rotation import Vector

Matrix = tuple[Vector, Vector, Vector]
"""Rows of a 3 × 3 matrix."""


class Link(NamedTuple):
    """One body of the model."""

    parent: str
    """Empty for the root."""
    mass: float
    """[kg]."""
    center: Vector
    """[m] its centre of mass, from the origin of the root."""
    inertia: Matrix
    """[kg m²] about its centre of mass."""


class Joint(NamedTuple):
    """A hinge or a slide."""

    kind: str
    """hinge, slide or ball."""
    link: str
    """What it moves."""
    anchor: Vector
    """[m] from the origin of the root."""
    axis: Vector
    low: float
    high: float
    """[rad] or [m]; infinite without a stop."""
    start: float
    """[rad] or [m] at the start of the scenario."""


class Site(NamedTuple):
    """A named place."""

    link: str
    place: Vector
    """[m] from the origin of the root."""
    x_axis: Vector


class PartNumbers(NamedTuple):
    """Any part, a user's too."""

    kind: str
    site: str
    """Empty for a part without a place."""
    numbers: Mapping[str, float]


@dataclass(frozen=True)
class Robot:
    """One vehicle of a world."""

    name: str
    mass: float
    """[kg]."""
    center: Vector
    """[m] its centre of mass, from the origin of the root."""
    inertia: Matrix
    """[kg m²] about its centre of mass."""
    gravity: float
    """[m/s²] of the world."""
    root: str
    links: Mapping[str, Link]
    joints: Mapping[str, Joint]
    sites: Mapping[str, Site]
    parts: Mapping[str, PartNumbers]
    rotors: Mapping[str, RotorPlace] = field(default_factory=dict)
    discs: Mapping[str, BladedDisc] = field(default_factory=dict)
    wheels: Mapping[str, WheelSet] = field(default_factory=dict)
    drives: Mapping[str, JointDrive] = field(default_factory=dict)
    nozzles: Mapping[str, NozzlePair] = field(default_factory=dict)
    grippers: Mapping[str, GripperPlace] = field(default_factory=dict)
    scanners: Mapping[str, ScannerPlace] = field(default_factory=dict)
    others: Mapping[str, "Robot"] = field(default_factory=dict)
    """The other vehicles of the world; their `others` are empty."""

    def wheels_at(self, channel: int) -> WheelSet:
        """The Mecanum wheels whose first channel is this one."""
        found: WheelSet = one_at(self.wheels, channel, "Mecanum wheels", self.name)
        return found

    def below(self, link: str) -> set[str]:
        """A link and all its descendants."""
        found = {link}
        while new := {name for name, one in self.links.items() if one.parent in found} - found:
            found |= new
        return found


def one_at(found: Mapping[str, Any], channel: int, noun: str, robot: str) -> Any:
    """The parts that read a channel."""
    for one in found.values():
        if one.channel == channel:
            return one
    there = ", ".join(f"{name} at {one.channel}" for name, one in found.items()) or "none"
    raise ValueError(f"{robot} has no {noun} at channel {channel}; it has: {there}")


def whole(links: Mapping[str, Link], which: Callable[[str], bool] = lambda name: True) -> tuple[float, Vector, Matrix]:
    """Mass, centre and inertia about it of some links as one body."""
    chosen = [link for name, link in links.items() if which(name)]
    mass = math.fsum(link.mass for link in chosen)
    if mass == 0.0:
        return 0.0, Vector(0.0, 0.0, 0.0), (Vector(0.0, 0.0, 0.0),) * 3
    center = Vector(*(math.fsum(link.mass * link.center[k] for link in chosen) / mass for k in range(3)))
    rows = [[0.0] * 3 for _ in range(3)]
    for link in chosen:
        r = [a - b for a, b in zip(link.center, center, strict=True)]
        square = sum(x * x for x in r)
        for i in range(3):
            for j in range(3):
                rows[i][j] += link.inertia[i][j] + link.mass * ((square if i == j else 0.0) - r[i] * r[j])
    one, two, three = (Vector(*row) for row in rows)
    return mass, center, (one, two, three)
