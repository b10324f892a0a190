"""Solids as triangles: lofts along x, wings of airfoils, bodies of revolution, tubes, propellers."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]


class Solid(NamedTuple):
    """Vertices [m] and triangles, counter-clockwise from outside."""

    vertices: Points
    faces: NDArray[np.int64]


class Section(NamedTuple):
    """An airfoil of a wing: its leading edge [m], chord [m], thickness of the chord, angle of its nose up [rad]."""

    x: float
    y: float
    z: float
    chord: float
    thickness: float = 0.12
    twist: float = 0.0


class Station(NamedTuple):
    """A cross-section of a body along x: centre height, half width, half height [m]; 2 is an ellipse, more a box."""

    x: float
    z: float
    width: float
    height: float
    power: float = 2.0


def join(*solids: Solid) -> Solid:
    """Several as one."""
    starts = np.cumsum([0, *(len(one.vertices) for one in solids)])
    faces = [one.faces + start for one, start in zip(solids, starts[:-1], strict=True)]
    return Solid(np.concatenate([one.vertices for one in solids]), np.concatenate(faces))


def move(solid: Solid, offset: ArrayLike) -> Solid:
    """Shifted [m]."""
    return Solid(solid.vertices + np.asarray(offset), solid.faces)


def turn(solid: Solid, axis: str, degrees: float) -> Solid:
    """Turned about an axis through the origin."""
    k = "xyz".index(axis)
    a, b = (k + 1) % 3, (k + 2) % 3
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    out = solid.vertices.copy()
    out[:, a], out[:, b] = (
        c * solid.vertices[:, a] - s * solid.vertices[:, b],
        s * solid.vertices[:, a] + c * solid.vertices[:, b],
    )
    return Solid(out, solid.faces)


def mirror(solid: Solid) -> Solid:
    """Left becomes right."""
    return Solid(solid.vertices * [1, -1, 1], solid.faces[:, ::-1])


def both(solid: Solid) -> Solid:
    """Itself and its mirror image."""
    return join(solid, mirror(solid))


def skin(rings: Sequence[Points]) -> Solid:
    """A closed surface over rings of equally many points; the ends are flat."""
    count = len(rings[0])
    k = np.arange(count)
    after = (k + 1) % count
    faces = []
    for row in range(len(rings) - 1):
        a, b = row * count, (row + 1) * count
        faces += [np.stack([a + k, a + after, b + after], 1), np.stack([a + k, b + after, b + k], 1)]
    last, first_middle = (len(rings) - 1) * count, len(rings) * count
    faces.append(np.stack([after, k, np.full(count, first_middle)], 1))
    faces.append(np.stack([last + k, last + after, np.full(count, first_middle + 1)], 1))
    middles = np.array([rings[0].mean(0), rings[-1].mean(0)])
    solid = Solid(np.concatenate([*rings, middles]), np.concatenate(faces))
    return solid if _volume(solid) >= 0 else Solid(solid.vertices, solid.faces[:, ::-1])


def _volume(solid: Solid) -> float:
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)))


def body(stations: Sequence[Station], count: int = 18) -> Solid:
    """A fuselage: superellipses one behind the other."""
    angle = np.linspace(0, 2 * math.pi, count, endpoint=False) + math.pi / count
    c, s = np.cos(angle), np.sin(angle)
    rings = []
    for x, z, width, height, power in stations:
        y = np.sign(c) * np.abs(c) ** (2 / power) * width
        up = np.sign(s) * np.abs(s) ** (2 / power) * height
        rings.append(np.stack([np.full(count, x), y, z + up], 1))
    return skin(rings)


def box(size: ArrayLike, at: ArrayLike = (0, 0, 0), power: float = 8, count: int = 20) -> Solid:
    """A block of half sizes [m] with round edges."""
    x, y, z = np.asarray(size, float)
    ends = [(-1, 0.86), (-0.94, 1), (0.94, 1), (1, 0.86)]
    return move(body([Station(x * end, 0, y * part, z * part, power) for end, part in ends], count), at)


def lathe(profile: Sequence[tuple[float, float]], count: int = 16) -> Solid:
    """A body of revolution about x: places along it and radii [m]."""
    return body([Station(x, 0, max(r, 1e-4), max(r, 1e-4)) for x, r in profile], count)


def tube(start: ArrayLike, end: ArrayLike, radius: float, end_radius: float | None = None, count: int = 10) -> Solid:
    """A straight rod between two places."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    way = (b - a) / np.linalg.norm(b - a)
    side = np.cross(way, [0, 0, 1.0] if abs(way[2]) < 0.9 else [1.0, 0, 0])
    side /= np.linalg.norm(side)
    up = np.cross(side, way)
    angle = np.linspace(0, 2 * math.pi, count, endpoint=False)[:, None]
    ring = np.cos(angle) * side + np.sin(angle) * up
    return skin([a + radius * ring, b + (radius if end_radius is None else end_radius) * ring])


def airfoil(thickness: float, start: float = 0.0, end: float = 1.0, points: int = 7) -> Points:
    """Outline of a four-digit airfoil, 2 % cambered, between two parts of its chord: x backward, z up."""
    x = start + (end - start) * 0.5 * (1 - np.cos(np.linspace(0, math.pi, points)))
    half = 5 * thickness * (0.2969 * np.sqrt(x) - 0.126 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    half = np.maximum(half, 0.004)
    camber = np.where(x < 0.4, 0.02 / 0.16 * (0.8 * x - x * x), 0.02 / 0.36 * (0.2 + 0.8 * x - x * x))
    upper, lower = np.stack([x, camber + half], 1), np.stack([x, camber - half], 1)
    return np.concatenate([upper[::-1], lower[1:] if start == 0 else lower])


def wing(sections: Sequence[Section], start: float = 0.0, end: float = 1.0, points: int = 7) -> Solid:
    """A wing over its sections; `start` and `end` cut out a part of the chord, such as a flap."""
    rings = []
    for one in sections:
        outline = airfoil(one.thickness, start, end, points) * one.chord
        c, s = math.cos(one.twist), math.sin(one.twist)
        x, z = outline[:, 0] - 0.25 * one.chord, outline[:, 1]
        x, z = x * c + z * s + 0.25 * one.chord, z * c - x * s
        rings.append(np.stack([one.x - x, np.full(len(x), one.y), one.z + z], 1))
    return skin(rings)


def hinged(sections: Sequence[Section], at: float, gap: float = 0.02) -> tuple[Solid, Solid, Points]:
    """A wing cut at a part of its chord: what stays, what turns (about its origin), and where its hinge is [m]."""
    ends = []
    for one in (sections[0], sections[-1]):
        back = (at - 0.25) * one.chord
        c, s = math.cos(one.twist), math.sin(one.twist)
        ends.append([one.x - 0.25 * one.chord - back * c, one.y, one.z - back * s])
    hinge: Points = np.round(np.array(ends).mean(axis=0), 4)
    return wing(sections, end=at), move(wing(sections, start=at + gap), -hinge), hinge


def round_tip(sections: Sequence[Section], length: float) -> list[Section]:
    """The sections with an outer end that is drawn in over a length [m]."""
    last, before = sections[-1], sections[-2]
    away = np.array([last.y - before.y, last.z - before.z])
    away *= length / np.linalg.norm(away)
    more = []
    for part, chord in ((0.55, 0.86), (0.88, 0.6), (1.0, 0.3)):
        x = last.x - 0.4 * last.chord * (1 - chord)
        size = chord * last.chord
        more.append(Section(x, last.y + part * away[0], last.z + part * away[1], size, last.thickness, last.twist))
    return [*sections, *more]


def upright(solid: Solid) -> Solid:
    """A left wing becomes a fin."""
    return turn(solid, "x", 90)


def propeller(radius: float, chord: float, blades: int = 2, pitch: float = 0.6, hub: float = 0.12) -> Solid:
    """Blades about x, from the hub [of the radius] to a round tip; `pitch` [rad] at the root."""
    parts = [lathe([(-0.35 * hub * radius, 0.6 * hub * radius), (0.5 * hub * radius, 0.45 * hub * radius)], 12)]
    for k in range(blades):
        places = ((0.05, 0.5), (0.2, 0.75), (0.45, 1.0), (0.75, 0.85), (0.95, 0.5), (1.0, 0.2))
        sections = [
            Section(0.25 * chord * size, radius * at, 0, chord * size, 0.13, pitch / (1 + 3 * at))
            for at, size in places
        ]
        blade = turn(wing(sections, points=4), "y", 90)  # chord from along x to across the shaft
        parts.append(turn(blade, "x", 360 * k / blades))
    return join(*parts)


def shaft_up(solid: Solid) -> Solid:
    """Drawn about x, it stands about z."""
    return turn(solid, "y", -90)
