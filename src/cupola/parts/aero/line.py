"""Lifting lines of several wings in one solution: the circulation that each section carries in the flow of all others.

Phillips and Snyder, "Modern adaptation of Prandtl's classic lifting-line theory", Journal of Aircraft 37 (2000)
662-670: horseshoe vortices along the quarter chords, sections of any polar, Newton's method. Past the stall, where the
lift falls with the angle, there are several solutions or none: `residual` then stays large.
"""

from typing import NamedTuple

import numpy as np

from cupola.aerodynamics.flow import COLUMNS, NODE, wake_cores, wake_layout
from cupola.kernel.memory import Views
from cupola.kernel.motion import from_site
from cupola.parts.aero.line_sweep import Lines, add_pairs, behind, first_of_vehicles, one_wing, straightened
from cupola.parts.aero.surfaces import Placed, motion_of_surface, share_of_column, strip_of_column, strips_of
from cupola.parts.aero.wing_strips import INDUCED, SLOW, Induced, flow_at, strip_turned, write_induced
from cupola.parts.curve import curve_value
from cupola.physics.rotation import Vector, angle_of, length, rotate
from cupola.physics.section import lift_and_drag, steady_polar
from cupola.xmath import Number

MOST_STEPS = 20
TOLERANCE = 1e-9
"""Mismatch of circulation by speed and chord at which a solution is good enough."""
APART = 1e-5
"""[rad] either side, for the slope of a section's lift."""
HALVINGS = 6
LOST = 1e-3
"""Mismatch from which the last trial of Newton's method is no approximation, but anything."""
MOST_LIFT = 4.0
"""Lift coefficient, by the speed of the motion, beyond which a circulation only carries itself."""
TRIALS, SHARE = 60, 0.08
"""Steps towards what the sections carry, and the share of the way that each takes."""


class Sections(NamedTuple):
    """The sections of all wings, column by column."""

    forward: Number
    """[m/s] of their motion along the chord, without what vortices induce."""
    down: Number
    """[m/s] at the rear quarter point."""
    points: Number
    """Where the bound vortices feel the flow (n, 3), world [m]."""
    noses: Number
    """Axes along the chord (n, 3), world."""
    ups: Number
    """Axes across it."""
    chords: Number
    """Across the line [m]."""


def sections_of(v: Views, surfaces: Number, placed: Placed) -> Sections:
    """How the sections of all wings meet the air."""
    count = len(placed.tilt)
    places = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 3))
    found = Sections(np.empty(count), np.empty(count), *places, np.empty(count))
    n = 0
    for k in range(surfaces.shape[0]):
        one = surfaces[k]
        motion, strips, first = motion_of_surface(v, one), strips_of(v, one), placed.layout[k, NODE]
        for j in range(placed.layout[k, COLUMNS]):
            strip = strips[strip_of_column(one, j)]
            flow = flow_at(strip, motion)
            found.forward[n], found.down[n], found.chords[n] = flow.forward, flow.felt, strip.chord
            # Not half-way between the edges but half-way in angle, as the edges are spaced: only so it converges fast.
            share = share_of_column(v, one, j, strip.y)
            for x in range(3):
                right, left = placed.corners[first + j, x], placed.corners[first + j + 1, x]
                found.points[n, x] = right + share * (left - right)
            turn = strip_turned(strip)
            nose = from_site(v, int(one.site), rotate(turn, Vector(1.0, 0.0, 0.0)))
            up = from_site(v, int(one.site), rotate(turn, Vector(0.0, 0.0, 1.0)))
            found.noses[n, 0], found.noses[n, 1], found.noses[n, 2] = nose.x, nose.y, nose.z
            found.ups[n, 0], found.ups[n, 1], found.ups[n, 2] = up.x, up.y, up.z
            n += 1
    return found


def section_lift(v: Views, one: Number, strip: Number, alpha: Number) -> Number:
    """Lift coefficient of a section."""
    if one.lift_numbers > 0.0:
        place = (int(one.lift_start), int(one.lift_segments), int(one.lift_numbers))
        return curve_value(alpha - (strip.alpha_0 - strip.curve_alpha_0), place, v.constants)
    return lift_and_drag(alpha, steady_polar(alpha, strip)).lift


def solve_line(v: Views, surfaces: Number, placed: Placed, nodes: Number, ground: bool) -> Number:
    """Write into the memory of each wing what the vortices of all induce at its strips; returns the residual [1]."""
    s = sections_of(v, surfaces, placed)
    count = len(s.forward)
    along, up, matrix = np.zeros((count, count)), np.zeros((count, count)), np.empty((count, count))
    chords, swept = _chords(v, surfaces, placed, s), np.zeros((count, count))
    soft, own = wake_cores(placed.layout, placed.corners, chords), one_wing(surfaces, placed, chords)
    lines = Lines(placed, wake_layout(placed.layout, 1), nodes, soft, own, first_of_vehicles(surfaces), ground)
    flat, at = straightened(lines), behind(lines, s.points, s.chords)
    add_pairs(s.points, s.noses, lines, 0, 1.0, along)
    add_pairs(s.points, s.ups, lines, 0, 1.0, up)
    add_pairs(at.flat, s.noses, flat, 1, 1.0, along)
    add_pairs(at.flat, s.ups, flat, 1, 1.0, up)
    add_pairs(at.aft, s.ups, lines, 1, 1.0, swept)
    add_pairs(at.flat_aft, s.ups, flat, 1, -1.0, swept)
    for i in range(count):
        for j in range(count):
            up[i, j] += swept[i, j]
    gamma, slopes, after = np.zeros(count), np.zeros((count, 3)), np.zeros(count)
    wrong, size = _mismatch(v, surfaces, placed, s, along, up, gamma, slopes)
    for _ in range(MOST_STEPS):
        if size < TOLERANCE:
            break
        for i in range(count):
            for j in range(count):
                matrix[i, j] = slopes[i, 1] * along[i, j] + slopes[i, 2] * up[i, j]
            matrix[i, i] += slopes[i, 0]
        step = np.linalg.solve(matrix, wrong)
        share, before = 1.0, size
        for _ in range(HALVINGS):
            for i in range(count):
                after[i] = gamma[i] - share * step[i]
            wrong, size = _mismatch(v, surfaces, placed, s, along, up, after, slopes)
            if size < before:
                break
            share *= 0.5
        for i in range(count):
            gamma[i] = after[i]
    if size > LOST or _carries_itself(v, surfaces, placed, s, gamma):
        size = _follow_sections(v, surfaces, placed, s, along, up, gamma)
    _put_induced(v, surfaces, placed, _times(along, gamma), _times(up, gamma), _times(swept, gamma))
    return size


def _carries_itself(v: Views, surfaces: Number, placed: Placed, s: Sections, gamma: Number) -> bool:
    """Whether a circulation rests on the speed that vortices induce: the equations have such solutions, too."""
    n = 0
    for k in range(surfaces.shape[0]):
        strips = strips_of(v, surfaces[k])
        for j in range(placed.layout[k, COLUMNS]):
            chord = strips[strip_of_column(surfaces[k], j)].chord
            if abs(gamma[n]) > 0.5 * MOST_LIFT * chord * length(Vector(s.forward[n], 0.0, s.down[n])):
                return True
            n += 1
    return False


def _chords(v: Views, surfaces: Number, placed: Placed, s: Sections) -> Number:
    """Mean chord of every wing, from nose to tail (k, 3) [m]."""
    made, n = np.zeros((surfaces.shape[0], 3)), 0
    for k in range(surfaces.shape[0]):
        strips, count = strips_of(v, surfaces[k]), placed.layout[k, COLUMNS]
        for j in range(count):
            for x in range(3):
                made[k, x] -= strips[strip_of_column(surfaces[k], j)].chord * s.noses[n, x] / count
            n += 1
    return made


def _follow_sections(
    v: Views, surfaces: Number, placed: Placed, s: Sections, along: Number, up: Number, gamma: Number
) -> Number:
    """Write into `gamma` circulations that follow what the sections carry in small steps, from none; how far they miss.

    Where there is no solution they hover about what would be one. With the speed of the motion alone no section carries
    more than its polar allows, so that no load grows without bound.
    """
    size = 0.0
    for i in range(len(gamma)):
        gamma[i] = 0.0
    for _ in range(TRIALS):
        ahead, lift_up, n, size = _times(along, gamma), _times(up, gamma), 0, 0.0
        for k in range(surfaces.shape[0]):
            one = surfaces[k]
            strips = strips_of(v, one)
            for j in range(placed.layout[k, COLUMNS]):
                strip = strips[strip_of_column(one, j)]
                alpha = angle_of(s.down[n] + lift_up[n], s.forward[n] - ahead[n])
                reach = 0.5 * strip.chord * length(Vector(s.forward[n], 0.0, s.down[n]))
                wrong = gamma[n] - reach * section_lift(v, one, strip, alpha)
                size = max(size, abs(wrong) / (2.0 * reach + SLOW))
                gamma[n] -= SHARE * wrong
                n += 1
    return size


def _times(matrix: Number, gamma: Number) -> Number:
    """Matrix times vector."""
    made = np.zeros(len(gamma))
    for i in range(len(gamma)):
        for j in range(len(gamma)):
            made[i] += matrix[i, j] * gamma[j]
    return made


def _mismatch(
    v: Views, surfaces: Number, placed: Placed, s: Sections, along: Number, up: Number, gamma: Number, slopes: Number
) -> Number:
    """Circulation less what the section carries, by chord and speed of its motion, and the largest of that.

    `slopes` are its derivatives by the circulation itself and by the induced speeds along the chord and across it.
    """
    wrong, ahead, lift_up, largest = np.empty(len(gamma)), _times(along, gamma), _times(up, gamma), 0.0
    n = 0
    for k in range(surfaces.shape[0]):
        one = surfaces[k]
        strips = strips_of(v, one)
        for j in range(placed.layout[k, COLUMNS]):
            strip = strips[strip_of_column(one, j)]
            x, down = s.forward[n] - ahead[n], s.down[n] + lift_up[n]
            speed = length(Vector(x, 0.0, down))
            alpha = angle_of(down, x)
            lift = section_lift(v, one, strip, alpha)
            slope = section_lift(v, one, strip, alpha + APART) - section_lift(v, one, strip, alpha - APART)
            slope = slope / (2.0 * APART)
            by = 1.0 / (strip.chord * (length(Vector(s.forward[n], 0.0, s.down[n])) + SLOW))
            half, sharp = 0.5 * strip.chord * by, 1.0 / (speed + SLOW)
            wrong[n] = by * gamma[n] - half * speed * lift
            largest = max(largest, abs(wrong[n]))
            # The carried circulation ½ c V C_L by the section's own speeds; the induced ones enter with their signs.
            slopes[n, 0] = by
            slopes[n, 1] = half * sharp * (x * lift - down * slope)
            slopes[n, 2] = -half * sharp * (down * lift + x * slope)
            n += 1
    return wrong, largest


def _put_induced(v: Views, surfaces: Number, placed: Placed, along: Number, up: Number, swept: Number) -> None:
    n = 0
    for k in range(surfaces.shape[0]):
        one = surfaces[k]
        for j in range(placed.layout[k, COLUMNS]):
            at = int(one.memory) + INDUCED * strip_of_column(one, j)
            write_induced(v.state, at, Induced(along[n], up[n], swept[n]))
            n += 1
