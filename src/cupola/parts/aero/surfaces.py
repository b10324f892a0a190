"""Wings that are solved together: where each has its numbers, and its corners in the world at one instant."""

from typing import NamedTuple

import numpy as np

from cupola.aerodynamics.flow import COLUMNS, NODE, RING, ROWS, WIDTH, columns_in, set_layout
from cupola.kernel.air import wind_at
from cupola.kernel.arguments import elements_of
from cupola.kernel.memory import Views
from cupola.kernel.motion import SiteMotion, from_site, point_velocity_w, row_vector, site_motion, to_site
from cupola.parts.aero.wing_geometry import EDGE
from cupola.parts.aero.wing_shape import BEFORE, NOW, read_shape
from cupola.parts.aero.wing_shape import WIDTH as SHAPE
from cupola.parts.aero.wing_strips import STRIP, PanelLoad, attached_load, unknown_to_panels, write_panels
from cupola.parts.binding import row_type
from cupola.physics.planform import Built, Shape, strip_place, strip_turn, turn_wing
from cupola.physics.rotation import Quaternion, Vector, add, cross, dot, rotate, scale, subtract
from cupola.xmath import Number


class SurfaceNumbers(NamedTuple):
    """One wing among those that are solved together; places are whole numbers."""

    vehicle: float
    site: float
    body: float
    side: float
    edges: float
    """Where its edges begin among the constants."""
    strips: float
    """Where its strips begin there."""
    columns: float
    """Strips."""
    rows: float
    """Panels along the chord."""
    memory: float
    """Where its memory begins in the state of the world."""
    shapes: float
    """Where its shapes begin there; below 0: it does not change its shape."""
    lift_start: float
    lift_segments: float
    lift_numbers: float
    """Its lift curve, if it has one."""


SURFACE = row_type(SurfaceNumbers)


class Placed(NamedTuple):
    """All surfaces at one instant, in axes of the world."""

    layout: Number
    corners: Number
    """(n, 3) [m]"""
    speed: Number
    """Of the corners through the air (n, 3) [m/s]."""
    own: Number
    """Of that, what comes from the change of the shape (n, 3)."""
    tilt: Number
    """Zero-lift angle of each column [rad]."""


def strips_of(v: Views, one: Number) -> Number:
    """The strips of a surface."""
    return elements_of(v.constants, int(one.strips), int(one.columns), STRIP)


def strip_of_column(one: Number, j: Number) -> Number:
    """Columns go from right to left, strips from the root to the tip."""
    return j if one.side > 0.0 else int(one.columns) - 1 - j


def share_of_column(v: Views, one: Number, j: Number, y: Number) -> Number:
    """Where a place `y` along the span lies between the right and the left edge of its column, 0 to 1."""
    edges, strip = elements_of(v.constants, int(one.edges), int(one.columns) + 1, EDGE), strip_of_column(one, j)
    share = (y - edges[strip].y) / (edges[strip + 1].y - edges[strip].y)
    return share if one.side > 0.0 else 1.0 - share


def shape_of(v: Views, one: Number, age: int) -> Shape:
    """Its shape now or a tick ago."""
    if one.shapes < 0.0:
        return Shape(1.0, 0.0, 0.0, 0.0, 0.0)
    shape: Shape = read_shape(v.state, int(one.shapes) + SHAPE * age)
    return shape


def motion_of_surface(v: Views, one: Number) -> SiteMotion:
    """Motion of its site through the air."""
    wind = wind_at(v, int(one.vehicle), row_vector(v.site_xpos, int(one.site)))
    return site_motion(v, int(one.body), int(one.site), wind)


def place_surfaces(v: Views, surfaces: Number, rows_of_wing: int) -> Placed:
    """Corners of all surfaces; `rows_of_wing` 0: the quarter chords alone, for a lifting line."""
    count = surfaces.shape[0]
    layout = np.zeros((count, WIDTH), np.int64)
    for k in range(count):
        set_layout(layout, k, int(surfaces[k].rows) if rows_of_wing else 1, int(surfaces[k].columns))
    last, columns = layout[count - 1], columns_in(layout)
    node = last[NODE] + (last[ROWS] + 1) * (last[COLUMNS] + 1)
    corners, speed, own, tilt = np.empty((node, 3)), np.empty((node, 3)), np.empty((node, 3)), np.empty(columns)
    column = 0
    for k in range(count):
        one = surfaces[k]
        _place(v, one, layout[k], rows_of_wing, corners, speed, own)
        strips = strips_of(v, one)
        for j in range(strips.shape[0]):
            tilt[column + j] = strips[strip_of_column(one, j)].alpha_0
        column += strips.shape[0]
    return Placed(layout, corners, speed, own, tilt)


def _place(v: Views, one: Number, layout: Number, lattice: int, corners: Number, speed: Number, own: Number) -> None:
    """Corners of one surface and their speeds."""
    rows, columns, site, body = layout[ROWS], layout[COLUMNS], int(one.site), int(one.body)
    edges = elements_of(v.constants, int(one.edges), int(one.columns) + 1, EDGE)
    now, before = shape_of(v, one, NOW), shape_of(v, one, BEFORE)
    here = row_vector(v.site_xpos, site)
    wind, rate = wind_at(v, int(one.vehicle), here), 1.0 / v.world[0].dt
    for j in range(columns + 1):
        n = j if one.side > 0.0 else columns - j
        edge, inner, outer = edges[n], edges[max(n - 1, 0)], edges[min(n + 1, columns)]
        lines = cut(edge, inner, outer, now, one.side), cut(edge, inner, outer, before, one.side)
        # Material that lies on the cut now, where it was a tick ago.
        skew = lines[0].chord.y / lines[0].along.y if abs(lines[0].along.y) > 0.0 else 0.0
        for i in range(rows + 1):
            back = i / rows if lattice else 0.25
            place = corner(lines[0], skew, back)
            moved = from_site(v, site, scale(rate, subtract(place, corner(lines[1], skew, back))))
            point = add(here, from_site(v, site, place))
            vel = subtract(add(point_velocity_w(v, body, point), moved), wind)
            n = layout[NODE] + i * (columns + 1) + j
            corners[n, 0], corners[n, 1], corners[n, 2] = point.x, point.y, point.z
            speed[n, 0], speed[n, 1], speed[n, 2] = vel.x, vel.y, vel.z
            own[n, 0], own[n, 1], own[n, 2] = moved.x, moved.y, moved.z


class Cut(NamedTuple):
    """An edge of a strip, axes of the wing's site [m]."""

    quarter: Vector
    """Its quarter chord."""
    chord: Vector
    """From its tail to its nose, as the wing has turned it."""
    along: Vector
    """Between the quarter chords of the edges beside it."""


def cut(edge: Number, inner: Number, outer: Number, shape: Shape, side: Number) -> Cut:
    """An edge of a wing of this shape."""
    turned = turn_wing(shape, side)
    nose = rotate(strip_turn(_built(edge), shape.twist, turned), Vector(1.0, 0.0, 0.0))
    root, tip = _quarter(inner, shape.span, turned, side), _quarter(outer, shape.span, turned, side)
    return Cut(_quarter(edge, shape.span, turned, side), scale(edge.chord, nose), subtract(tip, root))


def _built(edge: Number) -> Built:
    return Built(edge.x, edge.y, edge.z, edge.incidence, edge.out, 0.0)


def _quarter(edge: Number, span: Number, turned: Quaternion, side: Number) -> Vector:
    return strip_place(_built(edge), span, turned, side)


def corner(line: Cut, skew: Number, back: Number) -> Vector:
    """Point of an edge `back` chords behind its nose, axes of the wing's site [m].

    A wing that swings back or forward takes its chords along. Panels are cut along the flight all the same, as a wing
    built with that sweep is, so that the two halves of a wing still meet: the `skew` shifts points along the span line.
    """
    return add(line.quarter, scale(0.25 - back, subtract(line.chord, scale(skew, line.along))))


def put_loads(v: Views, surfaces: Number, placed: Placed, force: Number) -> None:
    """Write into the memory of each surface what its panels carry beyond its strips in the same motion: force and
    torque about its site, in its axes (see `wing_strips.lattice_load`); and the power that moves the panels against it.
    """
    for k in range(surfaces.shape[0]):
        one = surfaces[k]
        site, at, density = int(one.site), int(one.memory), v.air_samples[int(one.vehicle)].density
        here = row_vector(v.site_xpos, site)
        rows, columns, first = placed.layout[k, ROWS], placed.layout[k, COLUMNS], placed.layout[k, RING]
        total, torque, drive = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0), 0.0
        for i in range(rows):
            for j in range(columns):
                f = force[first + i * columns + j]
                push = Vector(density * f[0], density * f[1], density * f[2])
                total = add(total, push)
                torque = add(torque, cross(subtract(_front(placed, placed.corners, k, i, j), here), push))
                drive -= dot(push, _front(placed, placed.own, k, i, j))
        motion, strips = motion_of_surface(v, one), strips_of(v, one)
        plain, more = attached_load(strips, motion, density), unknown_to_panels(strips, motion, density)
        total = add(to_site(v, site, total), subtract(more.force, plain.force))
        torque = add(to_site(v, site, torque), subtract(more.torque, plain.torque))
        write_panels(v.state, at, PanelLoad(total, torque, drive))


def _front(placed: Placed, c: Number, k: Number, i: Number, j: Number) -> Vector:
    """What `c` is at each corner, where the force of a panel acts: the middle of its bound vortex."""
    wide = placed.layout[k, COLUMNS] + 1
    n = placed.layout[k, NODE] + i * wide + j
    d = n + wide
    return Vector(
        0.375 * (c[n, 0] + c[n + 1, 0]) + 0.125 * (c[d, 0] + c[d + 1, 0]),
        0.375 * (c[n, 1] + c[n + 1, 1]) + 0.125 * (c[d, 1] + c[d + 1, 1]),
        0.375 * (c[n, 2] + c[n + 1, 2]) + 0.125 * (c[d, 2] + c[d + 1, 2]),
    )
