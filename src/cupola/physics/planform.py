"""Where the strips of a wing lie, and how they follow when the wing changes its shape.

Axes of the wing: x front, y along the span of a left wing, z up, from its root. A right wing is the mirror image of a
left one: everything is computed as on the left, then reflected.
"""

from typing import NamedTuple

from cupola.physics.rotation import Quaternion, Vector, multiply, rotate
from cupola.xmath import Number, cos, sin


class Shape(NamedTuple):
    """What a wing can change in flight."""

    span: Number = 1.0
    """By the span as built [1]."""
    sweep: Number = 0.0
    """Turn of the whole wing about the upright axis of its root, tip backwards [rad]."""
    dihedral: Number = 0.0
    """Turn about the front axis of its root, tip up [rad]."""
    twist: Number = 0.0
    """Of the tip against the root, nose up, growing evenly along the span [rad]."""
    camber: Number = 0.0
    """Height of the arched section over the chord [1]."""


class Built(NamedTuple):
    """A strip as built: its quarter chord in axes of the wing, nose up against it, and how far out it is."""

    x: Number
    """[m]."""
    y: Number
    """[m]."""
    z: Number
    """[m]."""
    incidence: Number
    """[rad]."""
    out: Number
    """0 at the root, 1 at the tip."""


class Place(NamedTuple):
    """Where a strip lies: its origin [m] and the turn from its axes to those of the wing."""

    pos: Vector
    turn: Quaternion


def place_strip(strip: Built, shape: Shape, side: Number) -> Place:
    """Of a strip of a left wing (`side` 1) or of a right one (-1)."""
    sweep, dihedral = 0.5 * shape.sweep * side, 0.5 * shape.dihedral * side
    nose_up = 0.5 * (strip.incidence + shape.twist * strip.out)
    about_z = Quaternion(cos(sweep), 0.0, 0.0, sin(sweep))
    about_x = Quaternion(cos(dihedral), sin(dihedral), 0.0, 0.0)
    root = multiply(about_z, about_x)
    turn = multiply(root, Quaternion(cos(nose_up), 0.0, -sin(nose_up), 0.0))
    return Place(rotate(root, Vector(strip.x, side * strip.y * shape.span, strip.z)), turn)
