"""Load of a surface with the numbers of Gazebo's LiftDrag plugins, from its motion and the angles of its controls."""

from typing import NamedTuple

from cupola.kernel.motion import SiteMotion
from cupola.parts.curve import curve_value, is_given
from cupola.physics.advanced_liftdrag import Six, advanced_coefficients, advanced_flow, advanced_wrench
from cupola.physics.ground import WholeWing, induced_by_lift, wing_drag
from cupola.physics.liftdrag import (
    Coefficients,
    attached_lines,
    centre_shift,
    gazebo_coefficients,
    gazebo_flow,
    mended_coefficients,
    plane_flow,
    projected_flow,
    surface_load,
)
from cupola.physics.rotation import Vector, Wrench, add, cross, dot, length, move_wrench, scale
from cupola.xmath import Number, absolute, clip

FAITHFUL, CORRECTED, ADVANCED, PX4, GZ = 0, 1, 2, 3, 4
ROUNDS, CLOSE = 30, 1e-10
"""Steps towards the lift near the floor, and the change of its coefficient that ends them."""


class LiftDragOutput(NamedTuple):
    """Everything that a surface computes."""

    speed: Number
    """[m/s] in the plane of lift and drag."""
    sweep: Number
    """[rad]; of an aircraft by its derivatives, the sideslip."""
    alpha: Number
    """[rad]"""
    pressure: Number
    """[Pa] dynamic."""
    c_lift: Number
    """[1]"""
    c_drag: Number
    """[1]"""
    c_moment: Number
    """[1] nose up; that of the faithful mode is found but does nothing, as in Gazebo."""
    control: Number
    """[rad] sum of the angles of its control joints."""
    lift: Number
    """[N]"""
    drag: Number
    """[N]"""
    side: Number
    """[N]"""
    moment: Number
    """[N m] nose up."""
    vel: Vector
    """[m/s] of the centre of pressure, axes of the link; through the air unless faithful."""
    force: Vector
    """[N] axes of the link."""
    torque: Vector
    """[N m] about the origin of the link, in its axes."""


class Layout(NamedTuple):
    """Where a surface acts and how it lies, axes of the link, and the air it takes for granted."""

    cp_x: float
    """Centre of pressure [m]."""
    cp_y: float
    cp_z: float
    forward_x: float
    """Unit vector."""
    forward_y: float
    forward_z: float
    upward_x: float
    """Unit vector."""
    upward_y: float
    upward_z: float
    density: float
    """[kg/m³]; 0: that of the air here."""


class Reach(NamedTuple):
    """The whole wing that a surface belongs to, where it feels the floor."""

    whole_span: float = 0.0
    """[m]; 0: it feels none."""
    whole_area: float = 0.0
    """[m²]"""
    whole_oswald: float = 1.0


class ControlEffect(NamedTuple):
    """Effect of a joint angle on the coefficients [1/rad]."""

    coordinate: float
    """Where the angle lies in `qpos`."""
    lift: float
    drag: float
    moment: float
    side: float
    roll: float
    yaw: float
    cp: float
    """[m/rad]"""


class _Deflected(NamedTuple):
    """Present increments of the controls."""

    angle: Number
    lift: Number
    drag: Number
    moment: Number
    side: Number
    roll: Number
    yaw: Number
    cp: Number


def liftdrag_load(
    row: Number,
    motion: SiteMotion,
    density: Number,
    com_s: Vector,
    qpos: Number,
    controls: Number,
    constants: Number,
    ground: Number,
) -> LiftDragOutput:
    """Load of one surface; `com_s` is where the centre of mass of its link lies, axes of the link [m], `ground` the
    share of the induced drag that the floor takes.
    """
    control = _deflected(row, qpos, controls)
    cp = Vector(row.cp_x, row.cp_y, row.cp_z)
    forward = Vector(row.forward_x, row.forward_y, row.forward_z)
    upward = Vector(row.upward_x, row.upward_y, row.upward_z)
    turning = cross(motion.rate_s, cp)
    density = row.density if row.density > 0.0 else density
    # The plugins of gazebo-classic push at a place measured from the centre of mass; the velocity is the origin's.
    place = add(cp, com_s) if row.from_com else cp
    if row.mode == ADVANCED:
        return _advanced(row, add(motion.vel_air_s, turning), motion.rate_s, density, place, forward, upward, control)
    if row.mode == FAITHFUL:
        vel = add(motion.vel_s, turning)
        flow = gazebo_flow(vel, forward, upward, row.radial, row)
        c = gazebo_coefficients(flow.alpha, flow.factor, control.lift, row)
        load = surface_load(flow, Coefficients(c.lift, c.drag, 0.0), vel, density, row)
    elif row.mode == PX4 or row.mode == GZ:
        vel = add(motion.vel_air_s, turning)
        flow = projected_flow(vel, forward, upward, row.radial, row.mode == GZ, row.reversible, row)
        found = gazebo_coefficients(flow.alpha, flow.factor, control.lift, row)
        c = Coefficients(found.lift, found.drag, found.moment + control.moment)
        load = surface_load(flow, c, vel, density, row)
    else:
        vel = add(motion.vel_air_s, turning)
        flow = plane_flow(vel, forward, upward, row.radial, row)
        added = Coefficients(control.lift, control.drag, control.moment)
        c = mended_coefficients(flow.alpha, flow.factor, _attached(flow.alpha, row, constants), added, row)
        if ground > 0.0:
            c = near_ground(c, flow.alpha, flow.factor, added, ground, row, constants)
        load = surface_load(flow, c, vel, density, row)
        place = add(place, scale(centre_shift(flow.alpha, control.cp, row), forward))
    whole = move_wrench(Wrench(load.force, load.torque), place)
    return LiftDragOutput(
        flow.speed,
        flow.sweep,
        flow.alpha,
        load.pressure,
        c.lift,
        c.drag,
        c.moment,
        control.angle,
        load.lift,
        load.drag,
        load.side,
        load.moment,
        vel,
        whole.force,
        whole.torque,
    )


def near_ground(
    c: Coefficients,
    alpha: Number,
    factor: Number,
    added: Coefficients,
    ground: Number,
    row: Number,
    constants: Number,
) -> Coefficients:
    """Coefficients where the floor takes a share of the induced angle, from those far from it at the same angle.

    The lift is that of the table at the angle which it saves itself, C_L = f(α + share C_L / (π e A)), found step by
    step: knees of a table are where they are. It at most doubles.
    """
    whole = WholeWing(row.whole_area, row.whole_oswald, row.whole_span)
    saved, lift, most = ground * induced_by_lift(whole), c.lift, 2.0 * absolute(c.lift)
    for _ in range(ROUNDS):
        angle = alpha + saved * lift
        near = clip(mended_coefficients(angle, factor, _attached(angle, row, constants), added, row).lift, -most, most)
        change, lift = near - lift, near
        if absolute(change) < CLOSE:
            break
    return Coefficients(lift, wing_drag(c.drag, c.lift, lift, ground, whole), c.moment)


def _attached(alpha: Number, row: Number, constants: Number) -> Coefficients:
    c = attached_lines(alpha, row)
    lift, drag, moment = c.lift, c.drag, c.moment
    if is_given(row.lift):
        lift = curve_value(alpha, row.lift, constants)
    if is_given(row.drag):
        drag = curve_value(alpha, row.drag, constants)
    if is_given(row.moment):
        moment = curve_value(alpha, row.moment, constants)
    return Coefficients(lift, drag, moment)


def _advanced(
    row: Number,
    vel: Vector,
    rate: Vector,
    density: Number,
    place: Vector,
    forward: Vector,
    upward: Vector,
    control: _Deflected,
) -> LiftDragOutput:
    """In front-right-down axes, whose first two are `forward` and what is right of it."""
    right = cross(forward, upward)
    right = scale(1.0 / length(right), right)
    down = cross(forward, right)
    flow = advanced_flow(Vector(dot(vel, forward), dot(vel, right), dot(vel, down)))
    six = Six(control.drag, control.side, control.lift, control.roll, control.moment, control.yaw)
    c = advanced_coefficients(flow, six, row)
    rates = Vector(dot(rate, forward), dot(rate, right), dot(rate, down))
    load = advanced_wrench(flow, c, rates, density, row)
    push = 0.5 * density * flow.speed * flow.speed
    wrench = Wrench(_from_frd(load.force, forward, right, down), _from_frd(load.torque, forward, right, down))
    whole = move_wrench(wrench, place)
    return LiftDragOutput(
        flow.speed,
        flow.beta,
        flow.alpha,
        push,
        c.cl,
        c.cd,
        c.cem,
        control.angle,
        push * row.area * c.cl,
        push * row.area * c.cd,
        load.force.y,
        load.torque.y,
        vel,
        whole.force,
        whole.torque,
    )


def _from_frd(a: Vector, forward: Vector, right: Vector, down: Vector) -> Vector:
    return add(scale(a.x, forward), add(scale(a.y, right), scale(a.z, down)))


def _deflected(row: Number, qpos: Number, controls: Number) -> _Deflected:
    total, lift, drag, moment, side, roll, yaw, cp = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(controls.shape[0]):
        control = controls[k]
        angle = qpos[int(control.coordinate)]
        total += angle
        lift += control.lift * angle
        drag += control.drag * (angle if row.mode == ADVANCED else absolute(angle))
        moment += control.moment * angle
        side += control.side * angle
        roll += control.roll * angle
        yaw += control.yaw * angle
        cp += control.cp * angle
    return _Deflected(total, lift, drag, moment, side, roll, yaw, cp)
