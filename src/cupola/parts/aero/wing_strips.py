"""Strips of a wing: their constants, flow, unsteady state and loads."""

from typing import Any, NamedTuple

from cupola.kernel.motion import SiteMotion
from cupola.kernel.records import reader, size, writer
from cupola.parts.binding import row_type
from cupola.parts.curve import curve_value, is_given
from cupola.physics.delaurier import FlappingStrip, flapping_wrench, lagging_down, lagging_step
from cupola.physics.planform import Built, Spread
from cupola.physics.rotation import (
    Quaternion,
    Vector,
    Wrench,
    add,
    angle_of,
    cross,
    dot,
    length,
    rotate,
    scale,
    subtract,
    unrotate,
)
from cupola.physics.section import polar_of, section_polar, separation_point, turned_polar
from cupola.physics.strip import (
    Strip,
    StripFlow,
    StripState,
    effective_down,
    steady_down,
    strip_flow,
    strip_friction,
    strip_start,
    strip_step,
    strip_wrench,
)
from cupola.xmath import Number

STRIP_MEMORY = len(StripState._fields)
"""Number of unsteady states of a strip; they come first in the memory of an unsteady wing, strip by strip."""
LATE = 0
"""Index of the wake state of a DeLaurier strip among them."""
STRIPS, DELAURIER = 1, 2
"""Kinds of wings with a memory, `p.unsteady`."""
SLOW = 1e-6
"""[m/s] below which coefficients are not worth a division."""
read_strip_state = reader(StripState)


class StripNow(NamedTuple):
    """What changes with the shape, and what it changes from."""

    built_width: float
    built_alpha_0: float
    built_c_moment_0: float
    flap_angle: float
    flap_moment: float
    pos_x: float
    pos_y: float
    pos_z: float
    """Quarter chord in axes of the site [m]."""
    turn_w: float
    turn_x: float
    turn_y: float
    turn_z: float
    """From the axes of the strip to those of the site."""
    vel_x: float
    vel_y: float
    vel_z: float
    """Of the quarter chord against the site, from the change of the shape [m/s]."""
    rate_x: float
    rate_y: float
    rate_z: float
    """Turn of the strip against the site, from the change of the shape, axes of the strip [rad/s]."""
    arching: float
    """What an arch that grows takes from `StripFlow.felt` [m/s]."""
    free_factor: float
    """`span_factor` far from the ground."""
    curve_alpha_0: float
    """Angle without lift of the curve that stands for the section [rad]."""


STRIP = row_type(Strip, Built, Spread, StripNow)
"""Record of one strip among the constants."""


ALONE, LINE, LATTICE = 0, 1, 2
"""How a wing is solved: strip by strip, as a lifting line, or by panels; the last two with the others (`flow`)."""


class Induced(NamedTuple):
    """What the solution of a lifting line leaves in its memory per strip [m/s]."""

    along: float
    up: float
    swept: float
    """Of `up`, what sweep makes of it: it turns the section's angle, not its lift."""


class PanelLoad(NamedTuple):
    """What the solution of a lattice leaves in its memory: the load that panels carry beyond strips."""

    force: Vector
    """[N] axes of the site."""
    torque: Vector
    """[N m] about the site."""
    drive: float
    """Power that moves the panels against it [W]."""


read_onset: Any = reader(Vector)
write_onset: Any = writer(Vector)
read_induced: Any = reader(Induced)
write_induced: Any = writer(Induced)
read_panels: Any = reader(PanelLoad)
write_panels: Any = writer(PanelLoad)
ONSET: int = size(Vector)
INDUCED: int = size(Induced)
"""Numbers per strip: of the air that comes to it, axes of the site [m/s], and of what a lifting line leaves."""
HELD: int = size(PanelLoad)


class StripsLoad(NamedTuple):
    """Aerodynamic load on all strips, without added mass."""

    wrench: Wrench
    """Axes of the site, about the site."""
    alpha: Number
    """Mean effective angle of attack [rad]."""
    drive: Number
    """Power that moves the strips against the site through this air [W]."""


class StripAir(NamedTuple):
    """Flow at a strip minus the velocity induced by the wake."""

    down: Number
    """Downwash that counts [m/s]."""
    attached: Number
    """Part of the chord."""


class LiftAndDrag(NamedTuple):
    """Coefficients of a whole wing."""

    c_lift: Number
    c_drag: Number


def strip_turned(strip: Number) -> Quaternion:
    """From the axes of a strip to those of the site."""
    return Quaternion(strip.turn_w, strip.turn_x, strip.turn_y, strip.turn_z)


def strip_pos(strip: Number) -> Vector:
    """Quarter chord of a strip in axes of the site [m]."""
    return Vector(strip.pos_x, strip.pos_y, strip.pos_z)


def strip_vel(strip: Number) -> Vector:
    """Velocity of a strip against the site [m/s]."""
    return Vector(strip.vel_x, strip.vel_y, strip.vel_z)


def strip_rate(strip: Number) -> Vector:
    """Turn of a strip against the site, axes of the strip [rad/s]."""
    return Vector(strip.rate_x, strip.rate_y, strip.rate_z)


def flow_at(strip: Number, motion: SiteMotion) -> StripFlow:
    """How the air meets a strip of a wing whose site moves so."""
    turn = strip_turned(strip)
    vel = add(add(motion.vel_air_s, cross(motion.rate_s, strip_pos(strip))), strip_vel(strip))
    flow = strip_flow(unrotate(turn, vel), add(unrotate(turn, motion.rate_s), strip_rate(strip)), strip)
    return StripFlow(flow.forward, flow.down, flow.aside, flow.rate, flow.felt - strip.arching)


def flow_in(p: Number, strip: Number, motion: SiteMotion, memory: Number, k: Number) -> StripFlow:
    """The same in the air that comes to the strip beside (see `exposed`), where the wing feels any."""
    if p.onset < 0:
        return flow_at(strip, motion)
    onset = read_onset(memory, p.onset + ONSET * k)
    return flow_at(strip, SiteMotion(motion.vel_s, add(motion.vel_air_s, onset), motion.rate_s))


def flow_of_line(strip: Number, motion: SiteMotion, memory: Number, k: Number) -> StripFlow:
    """The same for a strip of a lifting line, in what all vortices induce there."""
    flow, induced = flow_at(strip, motion), read_induced(memory, INDUCED * k)
    up = induced.up
    return StripFlow(flow.forward - induced.along, flow.down + up, flow.aside, flow.rate, flow.felt + up)


def remember_air(p: Number, strips: Number, motion: SiteMotion, memory: Number, dt: Number) -> None:
    """Wake and stall of all strips after one more tick of the present motion."""
    if p.unsteady == DELAURIER:
        for k in range(strips.shape[0]):
            flow, speed, at = (
                flow_in(p, strips[k], motion, memory, k),
                stream_of(strips[k], motion),
                STRIP_MEMORY * k + LATE,
            )
            memory[at] = lagging_step(memory[at], flow, speed, dt, flapping_strip(strips[k]))
        return
    for k in range(strips.shape[0]):
        state, flow = read_strip_state(memory, STRIP_MEMORY * k), flow_in(p, strips[k], motion, memory, k)
        alpha = angle_of(effective_down(state, flow, strips[k]), flow.forward)
        _keep(memory, k, strip_step(state, flow, alpha, dt, strips[k]))


def settle_air(p: Number, strips: Number, motion: SiteMotion, memory: Number) -> None:
    """Wake and stall of all strips when the present motion has gone on for long."""
    for k in range(strips.shape[0]):
        flow = flow_in(p, strips[k], motion, memory, k)
        _keep(memory, k, strip_start(flow, strips[k]))
        if p.unsteady == DELAURIER:
            memory[STRIP_MEMORY * k + LATE] = flow.felt


def _keep(memory: Number, k: Number, new: StripState) -> None:
    for j in range(STRIP_MEMORY):
        memory[STRIP_MEMORY * k + j] = new[j]


def stream_of(strip: Number, motion: SiteMotion) -> Number:
    """DeLaurier's stream [m/s]: the speed of the site, where the wing's hinge is, across the span line of a strip."""
    air = unrotate(strip_turned(strip), motion.vel_air_s)
    return length(Vector(air.x, 0.0, air.z)) + SLOW


def flapping_strip(strip: Number) -> FlappingStrip:
    """A strip with DeLaurier's numbers; A / (A + 2) is its `span_factor`."""
    ratio = 2.0 * strip.span_factor / max(1.0 - strip.span_factor, SLOW)
    low, high = strip.alpha_0 - strip.alpha_stall, strip.alpha_0 + strip.alpha_stall
    return FlappingStrip(
        strip.chord,
        strip.width,
        ratio,
        0.0,
        0.0,
        -strip.alpha_0,
        strip.suction,
        strip.c_friction,
        strip.c_moment_0,
        low,
        high,
        strip.c_normal_90,
    )


def driven(strip: Number, one: Wrench, push: Vector) -> Number:
    """Power that moves a strip against the site [W], where the air exerts `one`, in axes of the site `push`."""
    return -dot(push, strip_vel(strip)) - dot(one.torque, strip_rate(strip))


def delaurier_load(p: Number, strips: Number, motion: SiteMotion, density: Number, memory: Number) -> StripsLoad:
    """Load of all strips of a wing by DeLaurier; all but the inertia of the air."""
    force, torque, mean, drive = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0), 0.0, 0.0
    for k in range(strips.shape[0]):
        strip, late = strips[k], memory[STRIP_MEMORY * k + LATE]
        flow, speed, numbers = flow_in(p, strip, motion, memory, k), stream_of(strip, motion), flapping_strip(strip)
        one, turn = flapping_wrench(flow, late, speed, density, numbers), strip_turned(strip)
        push = rotate(turn, one.force)
        force, torque = add(force, push), add(torque, add(rotate(turn, one.torque), cross(strip_pos(strip), push)))
        mean += angle_of(lagging_down(flow, late, numbers), flow.forward) / p.count
        drive += driven(strip, one, push)
    return StripsLoad(Wrench(force, torque), mean, drive)


def strips_load(
    p: Number, strips: Number, motion: SiteMotion, density: Number, memory: Number, constants: Number
) -> StripsLoad:
    """Load of all strips of a wing; all but the inertia of the air."""
    force, torque, mean, drive = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0), 0.0, 0.0
    for k in range(strips.shape[0]):
        strip = strips[k]
        flow = flow_of_line(strip, motion, memory, k) if p.solved == LINE else flow_in(p, strip, motion, memory, k)
        felt = _strip_air(p, memory, k, strip, flow)
        down, attached = felt.down, felt.attached
        alpha = angle_of(down, flow.forward)
        if is_given(p.lift):
            from_curve = alpha - (strip.alpha_0 - strip.curve_alpha_0)
            lift, drag = curve_value(from_curve, p.lift, constants), curve_value(from_curve, p.drag, constants)
            moment = curve_value(from_curve, p.moment, constants) if is_given(p.moment) else 0.0
            polar = polar_of(alpha, lift, drag, moment + (strip.c_moment_0 - strip.built_c_moment_0))
            attached = 0.0
        else:
            polar = section_polar(alpha, attached, strip)
        if p.solved == LINE:
            tilt = angle_of(down - read_induced(memory, INDUCED * k).swept, flow.forward)
            polar = turned_polar(polar, tilt - alpha)
        one = strip_wrench(flow, down, attached if p.unsteady else 0.0, polar, density, strip)
        turn = strip_turned(strip)
        push = rotate(turn, one.force)
        force, torque = add(force, push), add(torque, add(rotate(turn, one.torque), cross(strip_pos(strip), push)))
        mean += alpha / p.count
        drive += driven(strip, one, push)
    return StripsLoad(Wrench(force, torque), mean, drive)


def lattice_load(p: Number, strips: Number, motion: SiteMotion, density: Number, memory: Number) -> StripsLoad:
    """Load of a wing of panels: what its last solution left, with the change that strips feel since then.

    Held loads alone would not resist any motion between two solutions, and light vehicles would shake.
    """
    now, mean = attached_load(strips, motion, density), 0.0
    for k in range(strips.shape[0]):
        flow = flow_at(strips[k], motion)
        mean += angle_of(steady_down(flow, strips[k]), flow.forward) / p.count
    held = read_panels(memory, 0)
    return StripsLoad(Wrench(add(now.force, held.force), add(now.torque, held.torque)), mean, held.drive)


def attached_load(strips: Number, motion: SiteMotion, density: Number) -> Wrench:
    """Load of all strips in steady attached flow, axes of the site, about the site."""
    force, torque = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    for k in range(strips.shape[0]):
        strip = strips[k]
        flow, turn = flow_at(strip, motion), strip_turned(strip)
        down = steady_down(flow, strip)
        one = strip_wrench(flow, down, 0.0, section_polar(angle_of(down, flow.forward), 1.0, strip), density, strip)
        push = rotate(turn, one.force)
        force, torque = add(force, push), add(torque, add(rotate(turn, one.torque), cross(strip_pos(strip), push)))
    return Wrench(force, torque)


def unknown_to_panels(strips: Number, motion: SiteMotion, density: Number) -> Wrench:
    """Friction and the moment of the sections, which panels do not know, axes of the site, about the site."""
    force, torque = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    for k in range(strips.shape[0]):
        strip = strips[k]
        flow, turn = flow_at(strip, motion), strip_turned(strip)
        rub = rotate(turn, strip_friction(flow, density, strip))
        hit = 0.5 * density * (flow.forward * flow.forward + flow.felt * flow.felt)
        nose = rotate(turn, Vector(0.0, -hit * strip.chord * strip.chord * strip.width * strip.c_moment_0, 0.0))
        force, torque = add(force, rub), add(torque, add(nose, cross(strip_pos(strip), rub)))
    return Wrench(force, torque)


def _strip_air(p: Number, memory: Number, k: Number, strip: Number, flow: StripFlow) -> StripAir:
    if p.unsteady:
        state = read_strip_state(memory, STRIP_MEMORY * k)
        return StripAir(effective_down(state, flow, strip), state.attached)
    down = steady_down(flow, strip)
    return StripAir(down, separation_point(angle_of(down, flow.forward), strip))


def wing_coefficients(force: Vector, air: Vector, density: Number, area: Number) -> LiftAndDrag:
    """Lift and drag coefficient of a force on a wing that moves through the air at `air` [m/s], axes of the site."""
    speed = length(air)
    push = 0.5 * density * speed * speed * area
    if speed > SLOW and push > 0.0:
        drag = -dot(force, air) / speed
        lift = subtract(force, scale(-drag / speed, air))
        return LiftAndDrag((length(lift) if lift.z > 0.0 else -length(lift)) / push, drag / push)
    return LiftAndDrag(0.0, 0.0)
