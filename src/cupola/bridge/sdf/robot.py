"""What SDF and URDF have in common: links with mass and shapes, joints between them. All poses in the model's frame."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import Array, Pose
from cupola.physics.rotation import Vector

Rgba = tuple[float, float, float, float]


class Shape(NamedTuple):
    """A visual or a collision shape."""

    name: str
    pose: Pose
    """In its link."""
    kind: str
    """box, cylinder, capsule, sphere, ellipsoid, plane or mesh."""
    size: tuple[float, ...]
    """[m] as MJCF has it: half edges; radius and half length; of a mesh the scale."""
    mesh: Path | None
    rgba: Rgba | None
    friction: float | None
    where: str


class Link(NamedTuple):
    """A rigid body."""

    name: str
    pose: Pose
    mass: float
    """[kg]"""
    com: Pose
    """Of the centre of mass, with the axes of `inertia`, in the link."""
    inertia: Array
    """[kg m²] about it."""
    visuals: list[Shape]
    collisions: list[Shape]
    weightless: bool
    where: str


class Axis(NamedTuple):
    """One degree of freedom."""

    direction: Vector
    """Unit, in the model's frame."""
    low: float | None
    high: float | None
    """[rad] or [m]; None: no end."""
    damping: float
    friction: float
    stiffness: float
    rest: float
    """Where its spring rests."""
    effort: float | None
    """Most that a motor may do [N m] or [N]."""
    slides: bool = False
    """Along it, where other axes of the same joint turn."""
    speed: float | None = None
    """[rad/s] or [m/s] that a servo may turn it with."""


class Mimic(NamedTuple):
    """A joint that follows another: position = multiplier times that of the other + offset."""

    joint: str
    multiplier: float
    offset: float


class Joint(NamedTuple):
    """Between two links; `parent` "world" holds the child in the world."""

    name: str
    kind: str
    """fixed, revolute, prismatic, ball, universal: two revolute axes, or planar: two that slide and one that turns."""
    parent: str
    child: str
    pose: Pose
    axes: list[Axis]
    mimic: Mimic | None
    where: str


class Gear(NamedTuple):
    """A gearbox: about their axes, both in `reference`, `child` turns by -ratio times what `parent` turns."""

    parent: str
    child: str
    reference: str
    ratio: float
    axes: tuple[Vector, Vector]
    """Unit, in the model's frame."""
    where: str


class Robot(NamedTuple):
    """One model with everything nested in it."""

    name: str
    pose: Pose
    """In its world."""
    static: bool
    links: dict[str, Link]
    """By scoped name: `a::b` is link b of the model a nested in this one."""
    joints: list[Joint]
    plugins: list[tuple[str, Node]]
    """With the scope in which their names are looked up."""
    sensors: Sequence[tuple[str, Node]] = ()
    """With the scoped name of their link."""
    gears: Sequence[Gear] = ()
