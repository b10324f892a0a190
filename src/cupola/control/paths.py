"""Straight lines and arcs over the ground, and when to go from one to the next.

Beard and McLain, Small Unmanned Aircraft (2012): lines 10.1, orbits 10.2, half-planes and fillets 11.1 to 11.2. Here
courses count counter-clockwise from world x, and distances are positive to the left.
"""

import math
from typing import Any, NamedTuple

from cupola.physics.rotation import Vector, wrap
from cupola.xmath import Number, absolute, atan, atan2, cos, maximum, minimum, sin, sqrt, tan, where


class Leg(NamedTuple):
    """From one waypoint towards the next, level."""

    x: Number
    y: Number
    """[m], its beginning."""
    course: Number
    """[rad]."""
    length: Number
    """[m]."""


class Fillet(NamedTuple):
    """An arc that rounds a corner."""

    ahead: Number
    """[m] before and after the corner at which it begins and ends; 0: no room, turn at the corner."""
    side: Number
    """1 to the left, -1 to the right."""
    x: Number
    y: Number
    """[m], its centre."""


def leg_between(ax: Number, ay: Number, bx: Number, by: Number) -> Leg:
    """The leg from a to b."""
    return Leg(ax, ay, atan2(by - ay, bx - ax), sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay)))


def along(leg: Leg, pos_w: Vector) -> Number:
    """Distance flown along the leg [m]."""
    return (pos_w.x - leg.x) * cos(leg.course) + (pos_w.y - leg.y) * sin(leg.course)


def beside(leg: Leg, pos_w: Vector) -> Number:
    """Distance to the left of the leg [m]."""
    return -(pos_w.x - leg.x) * sin(leg.course) + (pos_w.y - leg.y) * cos(leg.course)


def course_of_line(leg: Leg, pos_w: Vector, p: Any) -> Number:
    """Course [rad] that joins the line: straight at it, `approach` at most, from afar; along it nearby."""
    return leg.course - p.approach * 2.0 / math.pi * atan(p.path_gain * beside(leg, pos_w))


def course_of_orbit(x: Number, y: Number, radius: Number, side: Number, pos_w: Vector, p: Any) -> Number:
    """Course [rad] that joins a circle around (x, y) [m]."""
    dx, dy = pos_w.x - x, pos_w.y - y
    away = sqrt(dx * dx + dy * dy) / radius - 1.0
    return atan2(dy, dx) + side * (0.5 * math.pi + atan(p.orbit_gain * away))


def fillet_between(before: Leg, after: Leg, radius: Number) -> Fillet:
    """The arc of `radius` [m] that touches both legs, if it leaves half of each."""
    turn = wrap(after.course - before.course)
    side = where(turn < 0.0, -1.0, 1.0)
    ahead = radius * tan(0.5 * minimum(absolute(turn), 3.1))
    fits = ahead < 0.5 * minimum(before.length, after.length)
    ahead = where(fits, ahead, 0.0)
    start = maximum(before.length, 1e-9) - ahead
    c, s = cos(before.course), sin(before.course)
    return Fillet(ahead, side, before.x + start * c - side * radius * s, before.y + start * s + side * radius * c)
