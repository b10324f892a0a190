"""Where a plane shall fly along its plan: lines with rounded corners, a circle at the end, a glide path to a landing.

Guidance of Beard and McLain, Small Unmanned Aircraft (2012), chapters 10 and 11, on the geometry of `paths`.
"""

from typing import Any, NamedTuple

from cupola.config.controller import Controller, parameter
from cupola.config.stick_words import NO_STICKS
from cupola.control.paths import Leg, along, beside, course_of_line, course_of_orbit, fillet_between, leg_between
from cupola.control.plane.loops import bank_of_arc
from cupola.kernel.observation import Observation, Reference
from cupola.xmath import Number, maximum, sqrt

LINE, ARC, CIRCLE = 2.0, 3.0, 4.0
"""What is flown now; a law that uses this module gives its other phases other numbers."""


class PathGains(Controller):
    """The tunable numbers of `track`."""

    stick_words = NO_STICKS
    turn_radius: parameter = parameter(
        120.0, low=5, high=2000, unit="m", about="of the rounded corners and of the last circle"
    )
    approach: parameter = parameter(
        1.05, low=0.1, high=1.5, unit="rad", about="steepest angle at which a line is joined"
    )
    path_gain: parameter = parameter(0.02, low=0.001, high=1, unit="1/m", about="how hard it returns to the line")
    orbit_gain: parameter = parameter(2.0, low=0.1, high=20, about="how hard it returns to the circle")


class Progress(NamedTuple):
    """How far along the plan, and where the flight began [m]."""

    phase: Number
    index: Number
    x: Number
    y: Number
    z: Number


class Track(NamedTuple):
    """Where to go now."""

    course: Number
    bank_ahead: Number
    height: Number
    slope: Number
    """Height per distance over ground."""
    speed: Number
    touchdown: Number
    """[m], height of the ground there; far below on legs that do not land."""


def leg_to(ref: Reference, at: Progress, index: int) -> Leg:
    """The leg to waypoint `index`; the first begins where the plane began."""
    row = ref.plan[index]
    if index == 0:
        return leg_between(at.x, at.y, row[0], row[1])
    return leg_between(ref.plan[index - 1][0], ref.plan[index - 1][1], row[0], row[1])


def next_leg(obs: Observation, ref: Reference, at: Progress, p: Any) -> tuple[Number, Number]:
    """Phase and waypoint: over the half-plane before the corner onto the arc, over the one after it onto the line."""
    leg = leg_to(ref, at, int(at.index))
    if at.index == float(len(ref.plan) - 1):
        return (CIRCLE if along(leg, obs.pos_w) > leg.length else LINE), at.index
    after = leg_to(ref, at, int(at.index) + 1)
    ahead = fillet_between(leg, after, p.turn_radius).ahead
    phase = ARC if at.phase == ARC or along(leg, obs.pos_w) > leg.length - ahead else LINE
    if phase == ARC and (ahead == 0.0 or along(after, obs.pos_w) > ahead):
        return LINE, at.index + 1.0
    return phase, at.index


def track(obs: Observation, ref: Reference, at: Progress, p: Any) -> Track:
    """Course, height and airspeed on this part of the plan; without a plan a circle over the start."""
    if len(ref.plan) == 0:
        course = course_of_orbit(at.x, at.y, p.turn_radius, 1.0, obs.pos_w, p)
        return Track(course, bank_of_arc(p.turn_radius, 1.0, obs), at.z + p.takeoff_height, 0.0, p.cruise, -1e9)
    row = ref.plan[int(at.index)]
    if at.phase == CIRCLE:
        course = course_of_orbit(row[0], row[1], p.turn_radius, 1.0, obs.pos_w, p)
        return Track(course, bank_of_arc(p.turn_radius, 1.0, obs), row[2], 0.0, row[4], -1e9)
    leg = leg_to(ref, at, int(at.index))
    if at.phase == ARC:
        f = fillet_between(leg, leg_to(ref, at, int(at.index) + 1), p.turn_radius)
        course = course_of_orbit(f.x, f.y, p.turn_radius, f.side, obs.pos_w, p)
        return Track(course, bank_of_arc(p.turn_radius, f.side, obs), row[2], 0.0, row[4], -1e9)
    course = course_of_line(leg, obs.pos_w, p)
    if row[6] > 0.5:
        top = ref.plan[int(at.index) - 1][2] if at.index > 0.0 else at.z
        slope = (row[2] - top) / maximum(leg.length, 1.0)
        return Track(course, 0.0, top + slope * along(leg, obs.pos_w), slope, row[4], row[2])
    return Track(course, 0.0, row[2], 0.0, row[4], -1e9)


def path_error(obs: Observation, ref: Reference, at: Progress, p: Any) -> Number:
    """Distance to the left of the path over ground that `track` follows [m]."""
    if len(ref.plan) == 0:
        return _inside(at.x, at.y, p.turn_radius, obs)
    row = ref.plan[int(at.index)]
    if at.phase == CIRCLE:
        return _inside(row[0], row[1], p.turn_radius, obs)
    leg = leg_to(ref, at, int(at.index))
    if at.phase == ARC:
        f = fillet_between(leg, leg_to(ref, at, int(at.index) + 1), p.turn_radius)
        return f.side * _inside(f.x, f.y, p.turn_radius, obs)
    return beside(leg, obs.pos_w)


def _inside(x: Number, y: Number, radius: Number, obs: Observation) -> Number:
    """Distance inside a circle [m]: the left, where it is flown counter-clockwise."""
    dx, dy = obs.pos_w.x - x, obs.pos_w.y - y
    return radius - sqrt(dx * dx + dy * dy)
