"""Wings of many strips in the loop: their shape and their memory once per tick, their loads at every stage."""

from numba import carray

from cupola.engine.added import added_inertia, inertial_push
from cupola.kernel.air import motion_in_air
from cupola.kernel.jit import pointer
from cupola.kernel.motion import push_site
from cupola.parts.aero.wing import MEMORY, POWER, SHAPES_KEPT, STRIP, WIDTH, WORK, memory_at, shapes_at, work_at
from cupola.parts.curve import curve_value
from cupola.parts.part import SiteMotion
from cupola.physics.flap import parabolic_camber
from cupola.physics.planform import Built, Shape, strip_place, strip_turn, turn_wing
from cupola.physics.rotation import (
    Quaternion,
    Vector,
    Wrench,
    add,
    angle_of,
    cross,
    dot,
    length,
    multiply,
    rotate,
    scale,
    subtract,
    unrotate,
)
from cupola.physics.section import polar_of, section_polar, separation_point
from cupola.physics.strip import (
    StripFlow,
    StripState,
    effective_down,
    steady_down,
    strip_flow,
    strip_start,
    strip_step,
    strip_wrench,
)
from cupola.xmath import Number

STRIP_COUNT = STRIP.itemsize // 8
SLOW = 1e-6
"""[m/s] below which coefficients are not worth a division."""


def strips_of(v: Number, wing: Number) -> Number:
    """The strips of a wing."""
    return carray(pointer(v.curves.ctypes.data + 8 * wing.first), (wing.count,), STRIP)


def shape_wings(v: Number) -> None:
    """Once per tick: the wings take the shapes that their channels ask for."""
    for i in range(v.wings.shape[0]):
        wing = v.wings[i]
        if wing.moves:
            s = v.state[shapes_at(wing) : shapes_at(wing) + SHAPES_KEPT]
            for k in range(SHAPES_KEPT - 1, WIDTH - 1, -1):
                s[k] = s[k - WIDTH]
            _ask(v, wing, s)
            _place(v, i)


def start_shapes(v: Number) -> None:
    """As if the present shapes had been there for long."""
    for i in range(v.wings.shape[0]):
        wing = v.wings[i]
        if wing.moves:
            s = v.state[shapes_at(wing) : shapes_at(wing) + SHAPES_KEPT]
            for age in range(SHAPES_KEPT // WIDTH):
                _ask(v, wing, s[WIDTH * age :])
    place_strips(v)


def _ask(v: Number, wing: Number, s: Number) -> None:
    for k in range(WIDTH):
        s[k] = wing.shape_gain[k] * v.drive[wing.shape_channel[k]]
    s[0] += 1.0


def place_strips(v: Number) -> None:
    """Strips and masses of wings where their shapes put them, and the air that goes along."""
    for i in range(v.wings.shape[0]):
        _place(v, i)


def _place(v: Number, i: Number) -> None:
    wing, strips = v.wings[i], strips_of(v, v.wings[i])
    if wing.moves:
        s = v.state[shapes_at(wing) : shapes_at(wing) + SHAPES_KEPT]
        now = _shape(s, 0)
        if wing.slides:
            _slide(v, wing, strips, now, _shape(s, WIDTH), _shape(s, 2 * WIDTH))
        turned = turn_wing(now, wing.side)
        arch, down = parabolic_camber(now.camber), wing.flap_gain * v.drive[wing.flap_channel]
        for k in range(wing.count):
            strip = strips[k]
            q = strip_turn(_built(strip), now.twist, turned)
            strip.turn_w, strip.turn_x, strip.turn_y, strip.turn_z = q.w, q.x, q.y, q.z
            strip.alpha_0 = strip.built_alpha_0 + arch.alpha_0 - strip.flap_angle * down
            strip.c_moment_0 = strip.built_c_moment_0 + arch.c_moment + strip.flap_moment * down
        if wing.mass > 0.0:
            _place_mass(v, wing, now)
    if wing.unsteady:
        added_inertia(v, i, strips)


def _shape(s: Number, at: int) -> Shape:
    return Shape(s[at], s[at + 1], s[at + 2], s[at + 3], s[at + 4])


def _built(strip: Number) -> Built:
    return Built(strip.x, strip.y, strip.z, strip.incidence, strip.out, strip.sweep)


def _slide(v: Number, wing: Number, strips: Number, now: Shape, before: Shape, earlier: Shape) -> None:
    """Places of the strips, and how fast and how much faster they move against the site."""
    rate, side = 1.0 / v.world[0].dt, wing.side
    turned, turned_before, turned_earlier = turn_wing(now, side), turn_wing(before, side), turn_wing(earlier, side)
    for k in range(wing.count):
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


def _place_mass(v: Number, wing: Number, shape: Shape) -> None:
    """The mass of the body is spread as the strips are."""
    turned = turn_wing(shape, wing.side)
    centre = Built(wing.mass_x, wing.side * wing.mass_y, wing.mass_z, 0.0, 0.0, 0.0)
    s, q = v.site_pos[wing.site], v.site_quat[wing.site]
    attitude = Quaternion(q[0], q[1], q[2], q[3])
    com = add(Vector(s[0], s[1], s[2]), rotate(attitude, strip_place(centre, shape.span, turned, wing.side)))
    axes = multiply(attitude, turned)
    along = 0.5 * (wing.inertia_x + wing.inertia_z - wing.inertia_y) * (shape.span * shape.span - 1.0)
    ipos, iquat, inertia = v.body_ipos[wing.body], v.body_iquat[wing.body], v.inertia[wing.body]
    ipos[0], ipos[1], ipos[2] = com.x, com.y, com.z
    iquat[0], iquat[1], iquat[2], iquat[3] = axes.w, axes.x, axes.y, axes.z
    inertia[0], inertia[1], inertia[2] = wing.inertia_x + along, wing.inertia_y, wing.inertia_z + along


def remember_air(v: Number, start: bool) -> None:
    """Wake and stall after one more tick of the present motion, or as they are when it has gone on for long."""
    dt = v.world[0].dt
    for i in range(v.wings.shape[0]):
        wing = v.wings[i]
        if not wing.unsteady:
            continue
        motion, _ = motion_in_air(v, wing)
        strips = strips_of(v, wing)
        for k in range(wing.count):
            s = v.state[memory_at(wing, k) :]
            flow = _flow(strips[k], motion)
            alpha = angle_of(effective_down(_memory(s), flow, strips[k]), flow.forward)
            new = strip_start(flow, strips[k]) if start else strip_step(_memory(s), flow, alpha, dt, strips[k])
            for j in range(MEMORY):
                s[j] = new[j]


def _memory(s: Number) -> StripState:
    return StripState(s[0], s[1], s[2], s[3], s[4], s[5])


def _flow(strip: Number, motion: SiteMotion) -> StripFlow:
    pos = Vector(strip.pos_x, strip.pos_y, strip.pos_z)
    turn = Quaternion(strip.turn_w, strip.turn_x, strip.turn_y, strip.turn_z)
    vel = add(add(motion.vel_air_s, cross(motion.rate_s, pos)), Vector(strip.vel_x, strip.vel_y, strip.vel_z))
    return strip_flow(unrotate(turn, vel), unrotate(turn, motion.rate_s), strip)


def wing_load(v: Number, i: Number) -> Wrench:
    """Load of one wing at its site, in axes of the site; all but the inertia of the air."""
    wing = v.wings[i]
    motion, density = motion_in_air(v, wing)
    strips = strips_of(v, wing)
    force, torque, mean = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0), 0.0
    for k in range(wing.count):
        strip = strips[k]
        flow = _flow(strip, motion)
        down, attached = _felt(v, wing, k, strip, flow)
        alpha = angle_of(down, flow.forward)
        if wing.lift_count > 0:
            polar = polar_of(alpha, _lift(v, wing, alpha), _drag(v, wing, alpha), _moment(v, wing, alpha))
            attached = 0.0
        else:
            polar = section_polar(alpha, attached, strip)
        one = strip_wrench(flow, down, attached if wing.unsteady else 0.0, polar, density, strip)
        turn = Quaternion(strip.turn_w, strip.turn_x, strip.turn_y, strip.turn_z)
        pos, push = Vector(strip.pos_x, strip.pos_y, strip.pos_z), rotate(turn, one.force)
        force, torque = add(force, push), add(torque, add(rotate(turn, one.torque), cross(pos, push)))
        mean += alpha / wing.count
    load = Wrench(force, torque)
    _show(v, wing, motion, density, load, mean)
    return load


def _felt(v: Number, wing: Number, k: Number, strip: Number, flow: StripFlow) -> tuple[Number, Number]:
    """Downwash that counts [m/s], and the attached part of the chord."""
    if wing.unsteady:
        s = v.state[memory_at(wing, k) :]
        return effective_down(_memory(s), flow, strip), _memory(s).attached
    down = steady_down(flow, strip)
    return down, separation_point(angle_of(down, flow.forward), strip)


def _lift(v: Number, wing: Number, alpha: Number) -> Number:
    return curve_value(alpha, wing.lift_start, wing.lift_segments, wing.lift_count, v.curves)


def _drag(v: Number, wing: Number, alpha: Number) -> Number:
    return curve_value(alpha, wing.drag_start, wing.drag_segments, wing.drag_count, v.curves)


def _moment(v: Number, wing: Number, alpha: Number) -> Number:
    if wing.moment_count == 0:
        return 0.0
    return curve_value(alpha, wing.moment_start, wing.moment_segments, wing.moment_count, v.curves)


def _show(v: Number, wing: Number, motion: SiteMotion, density: Number, load: Wrench, alpha: Number) -> None:
    """Outputs as of an airfoil, then power and work."""
    o, air = v.outputs[wing.output : wing.output + POWER + 2], motion.vel_air_s
    speed = length(air)
    push = 0.5 * density * speed * speed * wing.area
    o[0], o[1], o[2] = speed, alpha, angle_of(-air.y, length(Vector(air.x, 0.0, air.z)))
    o[3], o[4] = 0.0, 0.0
    if speed > SLOW and push > 0.0:
        drag = -dot(load.force, air) / speed
        lift = subtract(load.force, scale(-drag / speed, air))
        o[3], o[4] = (length(lift) if lift.z > 0.0 else -length(lift)) / push, drag / push
    o[5], o[6], o[7] = load.force.x, load.force.y, load.force.z
    o[8], o[9], o[10] = load.torque.x, load.torque.y, load.torque.z
    o[POWER] = dot(load.force, motion.vel_s) + dot(load.torque, motion.rate_s)
    o[WORK] = v.state[work_at(wing)]


def wing_inertia(v: Number, i: Number) -> None:
    """What strips that accelerate without their joints exert: the air they carry, and their own moving mass."""
    wing = v.wings[i]
    if wing.unsteady:
        push_site(v, wing.body, wing.site, inertial_push(v, i))
    if wing.mass > 0.0:
        push_site(v, wing.body, wing.site, _moving_mass(v, wing))


def _moving_mass(v: Number, wing: Number) -> Wrench:
    """-m (2 rate x velocity + acceleration) of every strip's share of the mass, site axes about the site."""
    motion, _ = motion_in_air(v, wing)
    strips = strips_of(v, wing)
    force, torque = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    for k in range(wing.count):
        strip = strips[k]
        mass = wing.mass * strip.chord * strip.built_width / wing.area
        swept = scale(2.0, cross(motion.rate_s, Vector(strip.vel_x, strip.vel_y, strip.vel_z)))
        push = scale(-mass, add(swept, Vector(strip.acc_x, strip.acc_y, strip.acc_z)))
        force = add(force, push)
        torque = add(torque, cross(Vector(strip.pos_x, strip.pos_y, strip.pos_z), push))
    return Wrench(force, torque)


def tally_work(v: Number, duration: Number) -> None:
    """Add the present power over a time [s] to the work of every wing."""
    for i in range(v.wings.shape[0]):
        wing = v.wings[i]
        v.state[work_at(wing)] += duration * v.outputs[wing.output + POWER]
