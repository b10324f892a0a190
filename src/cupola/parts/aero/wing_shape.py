"""The shape of a wing that follows its channels, and where strips and mass go with it.

The memory of a wing that changes its shape ends in the shape now and at the two ticks before: what is between them is
speed and acceleration.
"""

from typing import NamedTuple

from cupola.kernel.records import reader
from cupola.kernel.spatial import MassPlace, Mount
from cupola.parts.aero.added_mass import Grip, added_inertia, calm, grip_of, stir
from cupola.parts.aero.wing_mass import Stretch, carry_mass, place_body
from cupola.parts.aero.wing_strips import LINE
from cupola.physics.flap import parabolic_camber
from cupola.physics.planform import (
    Built,
    Shape,
    Spread,
    cos_of_sweep,
    ratio_of,
    span_factor,
    strip_place,
    strip_turn,
    turn_wing,
)
from cupola.physics.rotation import Quaternion, Vector, scale, subtract, unrotate
from cupola.xmath import Number, cos, sin

SHAPES = Shape._fields
WIDTH = len(SHAPES)
SPAN = SHAPES.index("span")
NOW, BEFORE, EARLIER, SHAPES_KEPT = 0, 1, 2, 3
"""Ages of the shapes in the memory."""
ARCHING = 0.5
"""[1] by which the speed of a parabolic arch's crown takes from what thin airfoils feel."""
read_shape = reader(Shape)


class Stage(NamedTuple):
    """A shape, and how the whole wing turns with it."""

    span: Number
    twist: Number
    turned: Quaternion
    spin: Vector
    """Turn of the whole wing against its site, axes of the site [rad/s]."""
    twisting: Number
    """Of the tip against the root, nose up [rad/s]."""


class Pose(NamedTuple):
    """Where a strip is and how it moves against the site, axes of the site."""

    pos: Vector
    vel: Vector
    turn: Quaternion
    rate: Vector
    """Axes of the strip [rad/s]."""


def shape_at(p: Number, memory: Number, age: int) -> Shape:
    """The shape now, or one or two ticks ago."""
    shape: Shape = read_shape(memory, shapes_start(p) + WIDTH * age)
    return shape


def shapes_start(p: Number) -> Number:
    """Where the shapes begin in the memory of a wing."""
    return p.shapes


def ask_shape(p: Number, memory: Number, drive: Number, age: int) -> None:
    """Write the shape that the channels ask for."""
    at = shapes_start(p) + WIDTH * age
    for k in range(WIDTH):
        memory[at + k] = p.shape_gain[k] * drive[p.shape_channel[k]]
    memory[at + SPAN] += 1.0


def change_shape(p: Number, memory: Number, drive: Number) -> None:
    """Once per tick: the shapes grow older, and the channels say the new one."""
    if p.moves:
        at = shapes_start(p)
        for k in range(WIDTH * SHAPES_KEPT - 1, WIDTH - 1, -1):
            memory[at + k] = memory[at + k - WIDTH]
        ask_shape(p, memory, drive, NOW)


def start_shape(p: Number, memory: Number, drive: Number) -> None:
    """As if the present shape had been there for long."""
    if p.moves:
        for age in range(SHAPES_KEPT):
            ask_shape(p, memory, drive, age)


def place_strips(p: Number, strips: Number, memory: Number, drive: Number, dt: Number) -> None:
    """Strips where the shape puts them, how they move, and the inertia of the air that goes along."""
    if p.moves:
        now, before = shape_at(p, memory, NOW), shape_at(p, memory, BEFORE)
        arch, down = parabolic_camber(now.camber), p.flap_gain * drive[p.flap_channel]
        arching = ARCHING * (now.camber - before.camber) / dt
        if p.stirs:
            _move(p, strips, now, before, shape_at(p, memory, EARLIER), dt)
        for k in range(strips.shape[0]):
            strip = strips[k]
            strip.alpha_0 = strip.built_alpha_0 + arch.alpha_0 - strip.flap_angle * down
            strip.c_moment_0 = strip.built_c_moment_0 + arch.c_moment + strip.flap_moment * down
            strip.arching = arching * strip.chord
            if p.slides and p.solved != LINE:
                cosine = cos_of_sweep(Quaternion(strip.turn_w, strip.turn_x, strip.turn_y, strip.turn_z))
                ratio, spread = _ratio(p, strips, now), Spread(strip.at_1, strip.slope, strip.bend)
                strip.free_factor = strip.span_factor = span_factor(ratio, cosine, strip.c_lift_a, spread)
    if p.inert:
        added_inertia(p.added, strips)


def _ratio(p: Number, strips: Number, now: Shape) -> Number:
    """Aspect ratio of the whole wing as it is now, by how far out the last strip lies."""
    last = strips[strips.shape[0] - 1]
    return ratio_of(p.ratio, p.side * last.pos_y / last.y, now.span)


def _built(strip: Number) -> Built:
    return Built(strip.x, strip.y, strip.z, strip.incidence, strip.out, strip.sweep)


def _move(p: Number, strips: Number, now: Shape, before: Shape, earlier: Shape, dt: Number) -> None:
    """Places and turns of the strips, how fast they change, and what that does to the air that goes along."""
    rate, side = 1.0 / dt, p.side
    oldest = _stage(earlier, earlier, 0.0, side)
    last, here = _stage(before, earlier, rate, side), _stage(now, before, rate, side)
    if p.slides:
        body = Stretch(here.span, here.turned)
        carry_mass(p, body, Stretch(last.span, last.turned), Stretch(oldest.span, oldest.turned), rate)
    if p.unsteady:
        calm(p.stirred, rate * (1.0 - before.span / now.span))
    for k in range(strips.shape[0]):
        strip = strips[k]
        pose = _pose(strip, here, last, rate, side)
        q = pose.turn
        strip.turn_w, strip.turn_x, strip.turn_y, strip.turn_z = q.w, q.x, q.y, q.z
        strip.rate_x, strip.rate_y, strip.rate_z = pose.rate.x, pose.rate.y, pose.rate.z
        if p.unsteady:
            width, older = strip.built_width, _pose(strip, last, oldest, rate, side)
            stir(p.stirred, _grip(strip, pose, now.span * width), _grip(strip, older, before.span * width), rate)
        if p.slides:
            strip.pos_x, strip.pos_y, strip.pos_z = pose.pos.x, pose.pos.y, pose.pos.z
            strip.vel_x, strip.vel_y, strip.vel_z = pose.vel.x, pose.vel.y, pose.vel.z
            strip.width = now.span * strip.built_width


def _stage(shape: Shape, older: Shape, rate: Number, side: Number) -> Stage:
    sweep = side * shape.sweep
    about_z, about_x = side * rate * (shape.sweep - older.sweep), side * rate * (shape.dihedral - older.dihedral)
    spin = Vector(about_x * cos(sweep), about_x * sin(sweep), about_z)
    return Stage(shape.span, shape.twist, turn_wing(shape, side), spin, rate * (shape.twist - older.twist))


def _pose(strip: Number, stage: Stage, older: Stage, rate: Number, side: Number) -> Pose:
    built = _built(strip)
    pos, turn = strip_place(built, stage.span, stage.turned, side), strip_turn(built, stage.twist, stage.turned)
    vel = scale(rate, subtract(pos, strip_place(built, older.span, older.turned, side)))
    turning = unrotate(turn, stage.spin)
    return Pose(pos, vel, turn, Vector(turning.x, turning.y - stage.twisting * strip.out, turning.z))


def _grip(strip: Number, pose: Pose, width: Number) -> Grip:
    return grip_of(pose.pos, pose.vel, pose.turn, pose.rate, strip.origin, strip.chord, width)


def mass_place(p: Number, memory: Number, mount: Mount) -> MassPlace:
    """The mass of the wing's own body is spread as the strips are; one without a mass that moves stays as it is."""
    if p.moves == 0 or not p.mass > 0.0:
        none = Vector(0.0, 0.0, 0.0)
        return MassPlace(none, Quaternion(1.0, 0.0, 0.0, 0.0), none, 0.0)
    shape = shape_at(p, memory, NOW)
    return place_body(p, Stretch(shape.span, turn_wing(shape, p.side)), mount)
