"""A whole aircraft by its derivatives, as gz-sim's AdvancedLiftDrag has it, in the axes of the books: front-right-down.

Derivatives of a vortex-lattice program by angles, rates and controls. Two defects of the source (gz-sim, 2023) are put
right: there the term of the sideslip replaces the pitching moment instead of adding to it, and the sign of the angle of
attack is not a number at zero. Beta is atan2(v, u), and the speed is that in the plane of front and down, as there.
"""

import math
from typing import NamedTuple

from cupola.physics.airfoil import plate_lift, stall_blend
from cupola.physics.liftdrag import plate_drag, three_lines
from cupola.physics.rotation import Vector, Wrench, angle_of, length
from cupola.xmath import Number, cos, sin, sqrt


class Advanced(NamedTuple):
    """Names of the source: lift cl, drag cd, side force cy, moments about front, right, down cell, cem, cen.

    Last letters a, b are the angles of attack and sideslip [1/rad]; p, q, r the rates, by half a length by the speed.
    """

    area: float
    """[m²]"""
    mac: float
    """Mean chord [m]."""
    ar: float
    """Aspect ratio; the span follows from it."""
    eff: float = 1.0
    """Oswald's efficiency."""
    alpha_stall: float = 0.5 * math.pi
    """[rad]"""
    mcoeff: float = 15.0
    cl0: float = 0.0
    cla: float = 0.0
    clb: float = 0.0
    cd0: float = 0.0
    cya: float = 0.0
    cyb: float = 0.0
    cella: float = 0.0
    cellb: float = 0.0
    cem0: float = 0.0
    cema: float = 0.0
    cemb: float = 0.0
    cema_stall: float = 0.0
    cena: float = 0.0
    cenb: float = 0.0
    cdp: float = 0.0
    cyp: float = 0.0
    clp: float = 0.0
    cellp: float = 0.0
    cemp: float = 0.0
    cenp: float = 0.0
    cdq: float = 0.0
    cyq: float = 0.0
    clq: float = 0.0
    cellq: float = 0.0
    cemq: float = 0.0
    cenq: float = 0.0
    cdr: float = 0.0
    cyr: float = 0.0
    clr: float = 0.0
    cellr: float = 0.0
    cemr: float = 0.0
    cenr: float = 0.0


class Six(NamedTuple):
    """Coefficients of drag, side force, lift, and of the moments about front, right and down."""

    cd: Number
    cy: Number
    cl: Number
    cell: Number
    cem: Number
    cen: Number


class AdvancedFlow(NamedTuple):
    """Speed in the plane of front and down [m/s], angles of attack and sideslip [rad]."""

    speed: Number
    alpha: Number
    beta: Number


def advanced_flow(vel_frd: Vector) -> AdvancedFlow:
    """How the air meets a centre of pressure that moves at `vel_frd` [m/s] through it."""
    u, v, w = vel_frd
    return AdvancedFlow(length(Vector(u, 0.0, w)), angle_of(w, u), angle_of(v, u))


def advanced_coefficients(flow: AdvancedFlow, controls: Six, p: Advanced) -> Six:
    """Without those of the rates; `controls` is what all deflections add."""
    stalled = stall_blend(flow.alpha, p.alpha_stall, p.mcoeff)
    lift = (1.0 - stalled) * (p.cl0 + p.cla * flow.alpha) + stalled * plate_lift(flow.alpha)
    lift = lift + p.clb * flow.beta + controls.cl
    clean = p.cd0 + lift * lift / (math.pi * p.ar * p.eff)
    return Six(
        (1.0 - stalled) * clean + stalled * plate_drag(flow.alpha, p.ar) + controls.cd,
        p.cya * flow.alpha + p.cyb * flow.beta + controls.cy,
        lift,
        p.cella * flow.alpha + p.cellb * flow.beta + controls.cell,
        p.cem0 + three_lines(flow.alpha, p.cema, p.cema_stall, p.alpha_stall) + p.cemb * flow.beta + controls.cem,
        p.cena * flow.alpha + p.cenb * flow.beta + controls.cen,
    )


def advanced_wrench(flow: AdvancedFlow, c: Six, rate_frd: Vector, density: Number, p: Advanced) -> Wrench:
    """Force [N] and torque about the centre of pressure [N m]; `rate_frd` [rad/s]."""
    span = sqrt(p.area * p.ar)
    push = 0.5 * density * flow.speed * flow.speed * p.area
    damp = 0.25 * density * flow.speed * p.area
    x, y, z = span * rate_frd.x, p.mac * rate_frd.y, span * rate_frd.z
    drag = push * c.cd + damp * (p.cdp * x + p.cdq * y + p.cdr * z)
    side = push * c.cy + damp * (p.cyp * x + p.cyq * y + p.cyr * z)
    lift = push * c.cl + damp * (p.clp * x + p.clq * y + p.clr * z)
    ca, sa = cos(flow.alpha), sin(flow.alpha)
    return Wrench(
        Vector(lift * sa - drag * ca, side, -lift * ca - drag * sa),
        Vector(
            span * (push * c.cell + damp * (p.cellp * x + p.cellq * y + p.cellr * z)),
            p.mac * (push * c.cem + damp * (p.cemp * x + p.cemq * y + p.cemr * z)),
            span * (push * c.cen + damp * (p.cenp * x + p.cenq * y + p.cenr * z)),
        ),
    )
