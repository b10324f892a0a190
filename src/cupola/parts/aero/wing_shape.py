"""The shape of a wing that follows its channels, and where strips and mass go with it.

The memory of a wing that changes its shape ends in the shape now and at the two ticks before: what is between them is
speed and acceleration.
"""

from cupola.kernel.records import reader
from cupola.kernel.spatial import MassPlace, Mount
from cupola.parts.aero.added_mass import added_inertia
from cupola.parts.aero.wing_strips import LINE
from cupola.physics.flap import parabolic_camber
from cupola.physics.planform import (
    Built,
    Shape,
    cos_of_sweep,
    ratio_of,
    span_factor,
    strip_place,
    strip_turn,
    turn_wing,
)
from cupola.physics.rotation import Quaternion, Vector, add, multiply, rotate, scale, subtract
from cupola.xmath import Number

SHAPES = Shape._fields
WIDTH = len(SHAPES)
SPAN = SHAPES.index("span")
NOW, BEFORE, EARLIER, SHAPES_KEPT = 0, 1, 2, 3
"""Ages of the shapes in the memory."""
read_shape = reader(Shape)


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
    """Strips where the shape puts them, and the inertia of the air that goes along."""
    if p.moves:
        now = shape_at(p, memory, NOW)
        if p.slides:
            _slide(p, strips, now, shape_at(p, memory, BEFORE), shape_at(p, memory, EARLIER), dt)
        turned = turn_wing(now, p.side)
        arch, down = parabolic_camber(now.camber), p.flap_gain * drive[p.flap_channel]
        for k in range(strips.shape[0]):
            strip = strips[k]
            q = strip_turn(_built(strip), now.twist, turned)
            strip.turn_w, strip.turn_x, strip.turn_y, strip.turn_z = q.w, q.x, q.y, q.z
            strip.alpha_0 = strip.built_alpha_0 + arch.alpha_0 - strip.flap_angle * down
            strip.c_moment_0 = strip.built_c_moment_0 + arch.c_moment + strip.flap_moment * down
            if p.slides and p.solved != LINE:
                strip.free_factor = strip.span_factor = span_factor(_ratio(p, strips, now), cos_of_sweep(q))
    if p.unsteady:
        added_inertia(p.added, strips)


def _ratio(p: Number, strips: Number, now: Shape) -> Number:
    """Aspect ratio of the whole wing as it is now, by how far out the last strip lies."""
    last = strips[strips.shape[0] - 1]
    return ratio_of(p.ratio, p.side * last.pos_y / last.y, now.span)


def _built(strip: Number) -> Built:
    return Built(strip.x, strip.y, strip.z, strip.incidence, strip.out, strip.sweep)


def _slide(p: Number, strips: Number, now: Shape, before: Shape, earlier: Shape, dt: Number) -> None:
    """Places of the strips, and how fast and how much faster they move against the site."""
    rate, side = 1.0 / dt, p.side
    turned, turned_before, turned_earlier = turn_wing(now, side), turn_wing(before, side), turn_wing(earlier, side)
    for k in range(strips.shape[0]):
        strip = strips[k]
        pos = strip_place(_built(strip), now.span, turned, side)
        was = strip_place(_built(strip), before.span, turned_before, side)
        vel = scale(rate, subtract(pos, was))
        came = scale(rate, subtract(was, strip_place(_built(strip), earlier.span, turned_earlier, side)))
        acc = scale(rate, subtract(vel, came))
        strip.pos_x, strip.pos_y, strip.pos_z = pos.x, pos.y, pos.z
        strip.vel_x, strip.vel_y, strip.vel_z = vel.x, vel.y, vel.z
        strip.acc_x, strip.acc_y, strip.acc_z = acc.x, acc.y, acc.z
        strip.width = now.span * strip.built_width


def mass_place(p: Number, memory: Number, mount: Mount) -> MassPlace:
    """The mass of the wing's own body is spread as the strips are; one without a mass that moves stays as it is."""
    if p.moves == 0 or not p.mass > 0.0:
        none = Vector(0.0, 0.0, 0.0)
        return MassPlace(none, Quaternion(1.0, 0.0, 0.0, 0.0), none, 0.0)
    shape = shape_at(p, memory, NOW)
    turned = turn_wing(shape, p.side)
    centre = Built(p.mass_x, p.side * p.mass_y, p.mass_z, 0.0, 0.0, 0.0)
    com = add(mount.pos_b, rotate(mount.quat_bs, strip_place(centre, shape.span, turned, p.side)))
    along = 0.5 * (p.inertia_x + p.inertia_z - p.inertia_y) * (shape.span * shape.span - 1.0)
    inertia = Vector(p.inertia_x + along, p.inertia_y, p.inertia_z + along)
    return MassPlace(com, multiply(mount.quat_bs, turned), inertia, 1.0)
