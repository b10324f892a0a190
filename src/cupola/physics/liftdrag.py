"""One surface as Gazebo's LiftDrag plugin computes it, and the same surface put right.

`gazebo_flow` and `gazebo_coefficients` follow the plugin (gazebo-classic, 2014 to 2024) step by step, with everything
that is wrong in it, so that a model made for it flies as its author saw it:

- the span-wise velocity is taken off along the velocity itself, so the speed depends on the sign of the sideslip;
- coefficients shrink with the squared cosine of the sweep angle;
- drag is zero at zero angle, falls past the stall and rises again only by its absolute value; lift ends at zero;
- a control adds lift after stall and sweep, and neither drag nor moment; the moment is found and thrown away;
- the angle of attack jumps by half a turn at ±90°.

`projected_flow` is the geometry of the two plugins that came after it: PX4's and gz-sim's. They take the span-wise
velocity off the span, and know neither force nor moment where the air comes from behind. PX4's coefficients shrink with
the cosine of the sweep angle, gz-sim's with its square. Their moment acts: `gazebo_coefficients` has it.

`plane_flow` and `mended_coefficients` have none of these defects. All vectors stand in the axes of the link. The point
where the force acts is the part's business.
"""

import math
from typing import NamedTuple

from cupola.physics.airfoil import plate_lift, stall_blend
from cupola.physics.rotation import Vector, add, angle_of, cross, dot, length, scale, subtract, wrap
from cupola.xmath import Number, absolute, acos, asin, clip, exp, floor, maximum, minimum, sin, sqrt, where

SLOWEST = 0.01
"""[m/s] at and below which the plugin does nothing."""


class LiftDrag(NamedTuple):
    """Numbers of a surface, per radian; names and defaults of the plugin. What follows `area` only counts when mended.

    Angles of attack include `a0`: a positive one lifts at zero geometric angle.
    """

    a0: float = 0.0
    """[rad]"""
    cla: float = 1.0
    cda: float = 0.01
    cma: float = 0.01
    alpha_stall: float = 0.5 * math.pi
    """[rad]"""
    cla_stall: float = 0.0
    cda_stall: float = 1.0
    cma_stall: float = 0.0
    area: float = 1.0
    """[m²]"""
    chord: float = 1.0
    """[m]; reference length of the moment."""
    aspect_ratio: float = 6.0
    """Of the plate that a stalled surface is."""
    mcoeff: float = 50.0
    """How abruptly it becomes one."""
    cd0: float = 0.0
    """Drag without lift."""
    cdi: float = 0.0
    """Drag per squared lift coefficient."""
    cm0: float = 0.0
    cyb: float = 0.0
    """Force along the span per sine of the sideslip; negative is against it."""
    cp_a: float = 0.0
    """[m/rad]: how far the centre of pressure moves forward with the angle of attack."""
    cp_stall: float = 0.0
    """[m]: how far forward it has moved when all flow has separated; a quarter chord back is usual."""


class Flow(NamedTuple):
    """How the air meets a surface."""

    speed: Number
    """[m/s], in the plane of lift and drag."""
    sweep: Number
    """[rad] between the velocity and that plane, positive towards `span`."""
    factor: Number
    """By which the sweep makes coefficients smaller."""
    alpha: Number
    """[rad], `a0` included."""
    lift: Vector
    drag: Vector
    span: Vector
    """Unit directions of lift and drag, and of a nose-up moment; zero where there is none."""


class Coefficients(NamedTuple):
    """Of lift, drag and nose-up moment."""

    lift: Number
    drag: Number
    moment: Number


class SurfaceLoad(NamedTuple):
    """What the air does to a surface."""

    pressure: Number
    """Dynamic [Pa]."""
    lift: Number
    drag: Number
    side: Number
    """[N]"""
    moment: Number
    """[N m], nose up."""
    force: Vector
    """[N]"""
    torque: Vector
    """[N m], without that of the force about any point."""


def gazebo_flow(vel: Vector, forward: Vector, upward: Vector, radial: Number, p: LiftDrag) -> Flow:
    """The plugin's geometry for a centre of pressure that moves at `vel` [m/s] through still air.

    `radial` > 0 takes the up of a body of revolution: against the inflow across `forward`. At `SLOWEST` and below the
    speed counts as zero.
    """
    along = _unit(vel)
    up = _up(along, forward, upward, radial)
    span = _unit(cross(forward, up))
    sine = clip(dot(span, along), -1.0, 1.0)
    in_plane = subtract(vel, scale(dot(vel, span), along))  # off the velocity instead of off the span
    lift = _unit(cross(span, in_plane))
    angle = _angle_between(dot(lift, up))
    alpha = p.a0 + where(dot(lift, forward) < 0.0, -angle, angle)
    drag = scale(-1.0, _unit(in_plane))
    speed = where(length(vel) > SLOWEST, length(in_plane), 0.0)
    return Flow(speed, _arcsine(sine), 1.0 - sine * sine, fold(alpha), lift, drag, span)


def projected_flow(
    vel: Vector, forward: Vector, upward: Vector, radial: Number, squared: Number, reversible: Number, p: LiftDrag
) -> Flow:
    """Geometry of PX4's plugin, and of gz-sim's (`squared` > 0), for motion `vel` [m/s] through the air.

    At `SLOWEST` and below the speed counts as zero; so it does against `forward`, unless `reversible` > 0.
    """
    along = _unit(vel)
    up = _up(along, forward, upward, radial)
    span = _unit(cross(forward, up))
    sine = clip(dot(span, along), -1.0, 1.0)
    in_plane = subtract(vel, scale(dot(vel, span), span))
    lift = _unit(cross(span, in_plane))
    angle = _angle_between(dot(lift, up))
    alpha = p.a0 + where(dot(lift, forward) < 0.0, -angle, angle)
    share = maximum(1.0 - sine * sine, 0.0)
    # The root has no slope at zero, where nothing is left of it either.
    factor = where(squared > 0.0, share, where(share > 0.0, sqrt(where(share > 0.0, share, 1.0)), 0.0))
    meets = where(reversible > 0.0, 1.0, dot(forward, vel)) > 0.0
    speed = where(length(vel) > SLOWEST, where(meets, length(in_plane), 0.0), 0.0)
    return Flow(speed, _arcsine(sine), factor, fold(alpha), lift, scale(-1.0, _unit(in_plane)), span)


def plane_flow(vel: Vector, forward: Vector, upward: Vector, radial: Number, p: LiftDrag) -> Flow:
    """The same with the span-wise velocity really taken off, the cosine of the sweep, and angles over ±180°."""
    up = _up(_unit(vel), forward, upward, radial)
    span = _unit(cross(forward, up))
    aside = dot(vel, span)
    in_plane = subtract(vel, scale(aside, span))
    speed, total = length(in_plane), length(vel)
    factor = where(total > 0.0, speed / where(total > 0.0, total, 1.0), 0.0)
    alpha = wrap(p.a0 + angle_of(-dot(in_plane, cross(span, forward)), dot(in_plane, forward)))
    lift, drag = _unit(cross(span, in_plane)), scale(-1.0, _unit(in_plane))
    return Flow(speed, angle_of(aside, speed), factor, alpha, lift, drag, span)


def fold(angle: Number) -> Number:
    """The angle [rad] brought into ±90° by half turns, as the plugin does it; exactly ±90° stay."""
    turned = angle + math.pi * floor(0.5 - angle / math.pi)
    return where(absolute(angle) > 0.5 * math.pi, turned, angle)


def three_lines(alpha: Number, slope: Number, slope_stall: Number, alpha_stall: Number) -> Number:
    """A line through the origin that bends at ±`alpha_stall` [rad]."""
    above = slope * alpha_stall + slope_stall * (alpha - alpha_stall)
    below = -slope * alpha_stall + slope_stall * (alpha + alpha_stall)
    return where(alpha > alpha_stall, above, where(alpha < -alpha_stall, below, slope * alpha))


def gazebo_coefficients(alpha: Number, factor: Number, control_lift: Number, p: LiftDrag) -> Coefficients:
    """The plugin's curves; its moment is what it finds before it sets it to zero."""
    lift = factor * three_lines(alpha, p.cla, p.cla_stall, p.alpha_stall)
    drag = factor * three_lines(alpha, p.cda, p.cda_stall, p.alpha_stall)
    moment = factor * three_lines(alpha, p.cma, p.cma_stall, p.alpha_stall)
    return Coefficients(
        _never_cross(lift, alpha, p.alpha_stall) + control_lift,
        absolute(drag),
        _never_cross(moment, alpha, p.alpha_stall),
    )


def attached_lines(alpha: Number, p: LiftDrag) -> Coefficients:
    """Attached flow by its slopes; tables may stand in its place. Induced drag is not in it."""
    moment = p.cm0 + three_lines(alpha, p.cma, p.cma_stall, p.alpha_stall)
    return Coefficients(p.cla * alpha, p.cd0 + p.cda * absolute(alpha), moment)


def mended_coefficients(
    alpha: Number, factor: Number, attached: Coefficients, control: Coefficients, p: LiftDrag
) -> Coefficients:
    """Attached flow that becomes that of a flat plate past the stall, over ±180°.

    A control acts on lift, drag and moment; its lift and moment are lost with the flow it turns.
    """
    stalled = stall_blend(alpha, p.alpha_stall, p.mcoeff)
    lift = attached.lift + control.lift
    clean = attached.drag + p.cdi * lift * lift
    separated = p.cd0 + plate_drag(alpha, p.aspect_ratio)
    return Coefficients(
        factor * ((1.0 - stalled) * lift + stalled * plate_lift(alpha)),
        factor * ((1.0 - stalled) * clean + stalled * separated + control.drag),
        factor * (attached.moment + (1.0 - stalled) * control.moment),
    )


def plate_drag(alpha: Number, aspect_ratio: Number) -> Number:
    """Drag coefficient of a flat plate in separated flow, as AdvancedLiftDrag has it: fitted to its aspect ratio."""
    slender = maximum(aspect_ratio, 1.0 / aspect_ratio)
    return 2.0 / (1.0 + exp(-0.224 - 0.115 * slender)) * sin(alpha) * sin(alpha)


def centre_shift(alpha: Number, control_shift: Number, p: LiftDrag) -> Number:
    """How far the centre of pressure lies ahead of its place at zero angle [m]."""
    stalled = stall_blend(alpha, p.alpha_stall, p.mcoeff)
    return (1.0 - stalled) * (p.cp_a * alpha + control_shift) + stalled * p.cp_stall


def surface_load(flow: Flow, c: Coefficients, vel: Vector, density: Number, p: LiftDrag) -> SurfaceLoad:
    """Forces and moment of given coefficients. The span-wise force goes with the whole speed, not that in the plane."""
    pressure = 0.5 * density * flow.speed * flow.speed
    push = pressure * p.area
    side = 0.5 * density * length(vel) * dot(vel, flow.span) * p.area * p.cyb
    moment = push * p.chord * c.moment
    force = add(scale(push * c.lift, flow.lift), scale(push * c.drag, flow.drag))
    return SurfaceLoad(
        pressure,
        push * c.lift,
        push * c.drag,
        side,
        moment,
        add(force, scale(side, flow.span)),
        scale(moment, flow.span),
    )


def _up(along: Vector, forward: Vector, upward: Vector, radial: Number) -> Vector:
    inflow = _unit(cross(forward, cross(forward, along)))
    turns = radial > 0.0
    return Vector(where(turns, inflow.x, upward.x), where(turns, inflow.y, upward.y), where(turns, inflow.z, upward.z))


def _never_cross(c: Number, alpha: Number, alpha_stall: Number) -> Number:
    """Past the stall a coefficient ends at zero instead of changing its sign."""
    return where(alpha > alpha_stall, maximum(c, 0.0), where(alpha < -alpha_stall, minimum(c, 0.0), c))


def _unit(v: Vector) -> Vector:
    """Unit vector; zero for none."""
    size = length(v)
    divisor = where(size > 0.0, size, 1.0)
    return Vector(v.x / divisor, v.y / divisor, v.z / divisor)


def _angle_between(cosine: Number) -> Number:
    """acos, held within ±1, with a finite slope (zero) at its ends [rad]."""
    inside = absolute(cosine) < 1.0
    return where(inside, acos(where(inside, cosine, 0.0)), where(cosine > 0.0, 0.0, math.pi))


def _arcsine(sine: Number) -> Number:
    """asin with a finite slope (zero) at its ends [rad]."""
    inside = absolute(sine) < 1.0
    return where(inside, asin(where(inside, sine, 0.0)), 0.5 * math.pi * sine)
