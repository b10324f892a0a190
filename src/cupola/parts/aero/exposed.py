"""What strips of a wing feel beside their own motion: the floor, streams of rotors, the downwash of wings ahead.

Each is a switch; together they are what sets a wing of the variants `exposed` apart from one in free air. They are
found when loads are asked for, from where things are then, and kept in the wing's memory: what the strips learn from
the flow at the next tick rests on that memory alone, so that a snapshot holds all of it.
"""

from typing import NamedTuple

from cupola.kernel.links import sheet_at, stream_at
from cupola.kernel.motion import SiteFrame, SiteMotion, into_frame
from cupola.parts.aero.wing_strips import ONSET, StripsLoad, strip_pos, strip_turned, write_onset
from cupola.physics.downwash import Sheet, carried_step, elliptic_circulation, sheet_velocity
from cupola.physics.ground import factor_near_ground, image_share
from cupola.physics.rotation import Vector, add, cross, dot, length, scale, subtract, unrotate
from cupola.physics.slipstream import Stream, immersed_share, stream_radius, stream_speed
from cupola.xmath import Number

CELLS = 8
"""Of the way from a wing ahead: its downwash comes late by their sum, smoothed a little."""
FILLED, NOW, BEHIND, FIRST = 0, 1, 2, 3
WAY = FIRST + CELLS
"""Numbers of such a way: whether the cells are filled, the circulation at the wing ahead, its distance, the cells."""
AHEAD = 2
"""Numbers before the ways: whether the air is to settle at the next load, and the share that the floor takes."""
SLOW = 1e-3
"""[m/s] below which nothing is carried along."""


class Surroundings(NamedTuple):
    """Interactions of a wing."""

    given: Number
    """Memory of what parts give each other."""
    frame: SiteFrame
    height: Number
    """Of its site above the floor [m]."""


def expose(p: Number, strips: Number, memory: Number, constants: Number, around: Surroundings) -> None:
    """Write the span factor and the onset of every strip."""
    memory[p.ways - 1] = image_share(around.height, whole_span(p, strips)) if p.ground else 0.0
    near_floor(p, strips, memory)
    for j in range(p.down_count):
        _see(memory, p.ways + WAY * j, sheet_at(around.given, int(constants[p.down_start + j])), around.frame)
    for k in range(strips.shape[0]):
        strip = strips[k]
        onset, place = Vector(0.0, 0.0, 0.0), strip_pos(strip)
        for j in range(p.wash_count):
            stream = stream_at(around.given, int(constants[p.wash_start + j]))
            onset = add(onset, _washed(strip, stream, around.frame))
        for j in range(p.down_count):
            sheet = sheet_at(around.given, int(constants[p.down_start + j]))
            late = memory[p.ways + WAY * j + WAY - 1]
            air = sheet_velocity(sheet, late, in_world(around.frame, place))
            onset = subtract(onset, into_frame(around.frame, air))
        write_onset(memory, p.onset + ONSET * k, onset)


def near_floor(p: Number, strips: Number, memory: Number) -> None:
    """Span factors as the floor makes them."""
    for k in range(strips.shape[0]):
        strips[k].span_factor = factor_near_ground(strips[k].free_factor, memory[p.ways - 1])


def carry(p: Number, motion: SiteMotion, memory: Number, dt: Number) -> None:
    """Once a tick: the wakes of wings ahead come closer."""
    for j in range(p.down_count):
        at = p.ways + WAY * j
        if memory[at + FILLED] > 0.0:
            way = CELLS * length(motion.vel_air_s) * dt / max(memory[at + BEHIND], SLOW)
            ahead = memory[at + NOW]
            for n in range(CELLS):
                memory[at + FIRST + n] = carried_step(memory[at + FIRST + n], ahead, way)
                ahead = memory[at + FIRST + n]


def forget(p: Number, memory: Number) -> None:
    """At the next load, all is as when the present motion has gone on for long."""
    memory[p.ways - AHEAD] = 1.0
    for j in range(p.down_count):
        memory[p.ways + WAY * j + FILLED] = 0.0


def _see(memory: Number, at: Number, sheet: Sheet, frame: SiteFrame) -> None:
    """What is known of a wing ahead now; at first, as if it had been so for long."""
    memory[at + NOW] = sheet.circulation
    memory[at + BEHIND] = dot(subtract(frame.pos_w, sheet.root_w), sheet.back_w)
    if memory[at + FILLED] == 0.0:
        memory[at + FILLED] = 1.0
        for n in range(CELLS):
            memory[at + FIRST + n] = sheet.circulation


def sheet_of(
    p: Number, strips: Number, motion: SiteMotion, density: Number, load: StripsLoad, frame: SiteFrame
) -> Sheet:
    """Wake of a half wing."""
    air, force, speed = motion.vel_air_s, load.wrench.force, length(motion.vel_air_s)
    root, tip = strip_pos(strips[0]), strip_pos(strips[strips.shape[0] - 1])
    out = subtract(tip, root)
    out = scale(1.0 / max(length(out), 1e-9), out)
    root = subtract(root, scale(0.5 * strips[0].width, out))
    tip = add(tip, scale(0.5 * strips[strips.shape[0] - 1].width, out))
    if speed < SLOW:
        return Sheet(in_world(frame, root), in_world(frame, tip), Vector(-1.0, 0.0, 0.0), 0.0)
    back = scale(-1.0 / speed, air)
    up = cross(back, scale(-p.side, out))
    lift = dot(force, up) / max(length(up), 1e-9)
    gamma = elliptic_circulation(lift, speed, length(subtract(tip, root)), density)
    return Sheet(in_world(frame, root), in_world(frame, tip), turned(frame, back), p.side * gamma)


def whole_span(p: Number, strips: Number) -> Number:
    """Of the wing with its mirror image, as it is now [m]."""
    last = strips[strips.shape[0] - 1]
    return 2.0 * (p.side * last.pos_y + 0.5 * last.width)


def turned(frame: SiteFrame, a: Vector) -> Vector:
    """Axes of a site to world components."""
    return add(scale(a.x, frame.x_w), add(scale(a.y, frame.y_w), scale(a.z, frame.z_w)))


def in_world(frame: SiteFrame, place: Vector) -> Vector:
    """A place in axes of a site, in the world [m]."""
    return add(frame.pos_w, turned(frame, place))


def _washed(strip: Number, stream: Stream, frame: SiteFrame) -> Vector:
    """What the stream of a rotor adds to the motion of a strip through the air, as far as it lies in it."""
    place = subtract(in_world(frame, strip_pos(strip)), stream.disc_w)
    behind = -dot(stream.shaft_w, place)
    added = stream_speed(stream.induced, behind, stream.radius)
    aside = unrotate(strip_turned(strip), into_frame(frame, add(place, scale(behind, stream.shaft_w))))
    width = stream_radius(stream.induced, added, stream.ahead, stream.radius)
    share = immersed_share(width, -aside.y, aside.z, strip.width)
    return into_frame(frame, scale(share * added, stream.shaft_w))
