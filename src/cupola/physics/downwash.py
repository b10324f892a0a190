"""The air behind a lifting wing: a flat vortex sheet of an elliptic spread of lift, and how late it comes.

Prandtl, "Applications of modern hydrodynamics to aeronautics", NACA report 116 (1921): an elliptic circulation leaves
the downwash Γ₀ / 2b at the wing and Γ₀ / b far behind it. The sheet stays flat and straight along the flow, as it still
is at a tail; a tail farther back than some spans would meet two rolled-up vortices. What passes a tail left the wing a
time l / V earlier: Cowley and Glauert, "The effect of the lag of the downwash on the longitudinal stability of an
aeroplane", ARC R&M 718 (1921). The bound vortex acts at once.
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector, add, cross, dot, length, scale, subtract
from cupola.xmath import Number, exp

VORTICES = 8
"""Horseshoes of half a wing, narrower towards the tip: 1 % beside the sheet, 7 % in its middle."""
CORE = 0.02
"""Radius of their cores by the length of the half: air right beside one is not blown away."""
TINY = 1e-12


class Sheet(NamedTuple):
    """What one half of a wing leaves behind it."""

    root_w: Vector = Vector(0.0, 0.0, 0.0)
    """Its quarter chord there, world [m]."""
    tip_w: Vector = Vector(0.0, 1.0, 0.0)
    """The same at the tip."""
    back_w: Vector = Vector(-1.0, 0.0, 0.0)
    """The way of the air past it, a unit vector."""
    circulation: Number = 0.0
    """Of the root [m²/s]; of a right half with the other sign."""


def elliptic_circulation(lift: Number, speed: Number, half_span: Number, density: Number) -> Number:
    """At the root of a half that carries `lift` [N] at `speed` [m/s]: L = π/4 ρ V Γ₀ b/2."""
    return 4.0 * lift / (math.pi * density * speed * half_span + TINY)


def sheet_velocity(sheet: Sheet, late: Number, point_w: Vector) -> Vector:
    """Air that a half wing moves at a point [m/s]; `late` is the circulation of its wake there [m²/s]."""
    reach = subtract(sheet.tip_w, sheet.root_w)
    core_2 = CORE * CORE * dot(reach, reach) + TINY
    total, inner = Vector(0.0, 0.0, 0.0), sheet.root_w
    for k in range(VORTICES):
        step = 0.5 * math.pi / VORTICES
        outer = add(sheet.root_w, scale(math.sin((k + 1) * step), reach))
        share = math.cos((k + 0.5) * step)
        legs = subtract(
            _leg(point_w, inner, sheet.back_w, core_2),
            _leg(point_w, outer, sheet.back_w, core_2),
        )
        bound = _segment(point_w, outer, inner, core_2)
        total = add(total, add(scale(share * late, legs), scale(share * sheet.circulation, bound)))
        inner = outer
    return total


def carried_step(late: Number, ahead: Number, way: Number) -> Number:
    """A cell of a wake one step later, when the air has gone `way` lengths of a cell; `ahead` is what flows into it."""
    return ahead + (late - ahead) * exp(-way)


def _leg(point: Vector, start: Vector, back: Vector, core_2: Number) -> Vector:
    """Speed by unit circulation of a vortex from a point to infinity [1/m]."""
    away = subtract(point, start)
    across = cross(back, away)
    factor = (1.0 + dot(back, away) / (length(away) + TINY)) / (4.0 * math.pi * (dot(across, across) + core_2))
    return scale(factor, across)


def _segment(point: Vector, start: Vector, end: Vector, core_2: Number) -> Vector:
    """The same of a vortex from one point to another."""
    a, b, along = subtract(point, start), subtract(point, end), subtract(end, start)
    across = cross(a, b)
    turned = dot(along, a) / (length(a) + TINY) - dot(along, b) / (length(b) + TINY)
    below = 4.0 * math.pi * (dot(across, across) + core_2 * dot(along, along))
    return scale(turned / below, across)
