"""Air that a wing must move along with itself: its inertia joins MuJoCo's mass matrix before that is factored.

As a load that answers the acceleration of the tick before, it would shake a light wing to pieces; in the matrix it is
exact at any mass. In the axes of the wing's site, with V its rates and velocities through the air, the air has the
energy V A V / 2 and pushes with -A dV/dt. dV/dt is a spatial acceleration: one part comes from the accelerations of the
joints and goes into the matrix, the other from their rates and is a load.
"""

import math
from typing import NamedTuple

from cupola.kernel.memory import Views
from cupola.kernel.motion import SiteMotion
from cupola.kernel.spatial import Twist, spatial_at_site
from cupola.physics.rotation import Quaternion, Vector, Wrench, add, cross, dot, rotate, scale, subtract
from cupola.xmath import Number

SIZE = 6
"""Rows and columns of A: three rates, then three velocities."""
ADDED = f"{SIZE * SIZE}f8"
"""Column of a wing's row for A per unit of density, row by row."""
OWN, GROWING = SIZE * SIZE, SIZE * SIZE + SIZE
STIRRED = f"{GROWING + 1}f8"
"""Column for what a changing shape does to that air per unit of density: see `stir`."""
EIGHTH = 0.125
"""Inertia of the air about mid-chord by its mass and the half chord squared."""


class Grip(NamedTuple):
    """How a strip holds its air, per unit of density: the speeds of the site that move it, and its own."""

    arm: Vector
    up: Vector
    """Mid-chord moves across the chord at `arm` · rates + `up` · velocities of the site."""
    axis: Vector
    """It turns nose up at `axis` · rates."""
    speed: Number
    """Of mid-chord across the chord from the change of the shape [m/s]."""
    nose: Number
    """Nose up from it [rad/s]."""
    mass: Number
    """[m³]"""
    inertia: Number
    """[m⁵]"""


class Stirred(NamedTuple):
    """What the air exerts on a wing that changes its shape, and the powers of that."""

    wrench: Wrench
    power: Number
    """Into the kinetic energy of body and air as they are now [W]."""
    drive: Number
    """That comes from what drives the shape [W], without what speeds up its own motion and comes back."""


def added_inertia(a: Number, strips: Number) -> None:
    """Write into `a` the inertia of the air around all strips where they now are, per unit of density.

    Of each strip it is what `physics.strip.added_wrench` says: a mass across the chord at mid-chord, and an eighth of
    it times the half chord squared about the span line.
    """
    for k in range(SIZE * SIZE):
        a[k] = 0.0
    for k in range(strips.shape[0]):
        strip = strips[k]
        turn = Quaternion(strip.turn_w, strip.turn_x, strip.turn_y, strip.turn_z)
        still = Vector(0.0, 0.0, 0.0)
        pos = Vector(strip.pos_x, strip.pos_y, strip.pos_z)
        one = grip_of(pos, still, turn, still, strip.origin, strip.chord, strip.width)
        g = (one.arm.x, one.arm.y, one.arm.z, one.up.x, one.up.y, one.up.z)
        about = (one.axis.x, one.axis.y, one.axis.z)
        for row in range(SIZE):
            for column in range(row + 1):
                a[SIZE * row + column] += one.mass * g[row] * g[column]
        for row in range(3):
            for column in range(row + 1):
                a[SIZE * row + column] += one.inertia * about[row] * about[column]
    for row in range(SIZE):
        for column in range(row):
            a[SIZE * column + row] = a[SIZE * row + column]


def grip_of(
    pos: Vector, vel: Vector, turn: Quaternion, rate: Vector, origin: Number, chord: Number, width: Number
) -> Grip:
    """Of a strip at a place of the site's axes that moves so against the site; `rate` is in axes of the strip."""
    half, mass = 0.5 * chord, 0.25 * math.pi * chord * chord * width
    up, axis = rotate(turn, Vector(0.0, 0.0, 1.0)), rotate(turn, Vector(0.0, -1.0, 0.0))
    # Mid-chord moves down with the nose-up rate where it lies behind the origin.
    behind = (0.5 - origin) * chord
    arm = subtract(cross(pos, up), scale(behind, axis))
    return Grip(arm, up, axis, dot(up, vel) + behind * rate.y, -rate.y, mass, EIGHTH * mass * half * half)


def calm(s: Number, growing: Number) -> None:
    """Nothing is stirred yet; the air that goes along grows by the share `growing` a second."""
    for k in range(GROWING):
        s[k] = 0.0
    s[GROWING] = growing


def stir(s: Number, now: Grip, before: Grip, rate: Number) -> None:
    """Add a strip to what the change of the shape does to its air within a tick, 1 / `rate` seconds long.

    The air pushes with -g d/dt (m (g V + u)), g the grip and u the strip's own speed across its chord. Of that -A dV/dt
    is known; the rest is - B V - b, with B = Σ g d(m g)/dt and b = Σ g d(m u)/dt. Turning about mid-chord is alike.
    """
    g = (now.arm.x, now.arm.y, now.arm.z, now.up.x, now.up.y, now.up.z)
    old = (before.arm.x, before.arm.y, before.arm.z, before.up.x, before.up.y, before.up.z)
    own = rate * (now.mass * now.speed - before.mass * before.speed)
    for row in range(SIZE):
        s[OWN + row] += g[row] * own
        for column in range(SIZE):
            s[SIZE * row + column] += g[row] * rate * (now.mass * g[column] - before.mass * old[column])
    axis, was = (now.axis.x, now.axis.y, now.axis.z), (before.axis.x, before.axis.y, before.axis.z)
    turned = rate * (now.inertia * now.nose - before.inertia * before.nose)
    for row in range(3):
        s[OWN + row] += axis[row] * turned
        for column in range(3):
            s[SIZE * row + column] += axis[row] * rate * (now.inertia * axis[column] - before.inertia * was[column])


def stir_push(s: Number, a: Number, motion: SiteMotion, density: Number) -> Stirred:
    """What the air exerts on a wing whose shape changes, beside its inertia `a` in the mass matrix."""
    through_air, through_world = Twist(motion.rate_s, motion.vel_air_s), Twist(motion.rate_s, motion.vel_s)
    swept = times_twist(s, through_air)
    own = Wrench(Vector(s[OWN + 3], s[OWN + 4], s[OWN + 5]), Vector(s[OWN], s[OWN + 1], s[OWN + 2]))
    push = Wrench(
        scale(-density, add(swept.force, own.force)),
        scale(-density, add(swept.torque, own.torque)),
    )
    # Kinetic energy also changes because the inertia does, by V (B - growing A / 2) V.
    moved = power_of(times_twist(s, through_world), through_world) - _grown(s, a, through_world)
    drive = power_of(own, through_air) + _grown(s, a, through_air)
    return Stirred(push, power_of(push, through_world) + density * moved, -density * drive)


def power_of(push: Wrench, moved: Twist) -> Number:
    """[W]"""
    return dot(push.force, moved.move) + dot(push.torque, moved.turn)


def _grown(s: Number, a: Number, moved: Twist) -> Number:
    return 0.5 * s[GROWING] * power_of(times_twist(a, moved), moved)


def add_to_matrix(v: Views, body: Number, site: Number, a: Number, density: Number) -> None:
    """Add the inertia `a` of the air around a site of a body to MuJoCo's mass matrix."""
    row = v.last_dof[body]
    while row >= 0:
        push = times_twist(a, spatial_at_site(v, body, site, v.cdof, row))
        for k in range(v.M_rowadr[row], v.M_rowadr[row] + v.M_rownnz[row]):
            along = spatial_at_site(v, body, site, v.cdof, v.M_colind[k])
            v.M[k] += density * (dot(push.torque, along.turn) + dot(push.force, along.move))
        row = v.dof_parentid[row]


def drift_push(a: Number, drift: Twist, density: Number) -> Wrench:
    """What the air exerts on a wing whose joints keep their rates, axes of the site, about the site."""
    push = times_twist(a, drift)
    return Wrench(scale(-density, push.force), scale(-density, push.torque))


def times_twist(a: Number, change: Twist) -> Wrench:
    """A times a twist: torques answer the rates, forces the velocities."""
    return Wrench(
        Vector(_row_times(a, 3, change), _row_times(a, 4, change), _row_times(a, 5, change)),
        Vector(_row_times(a, 0, change), _row_times(a, 1, change), _row_times(a, 2, change)),
    )


def _row_times(a: Number, row: int, change: Twist) -> Number:
    r, turn, move = a[SIZE * row :], change.turn, change.move
    return r[0] * turn.x + r[1] * turn.y + r[2] * turn.z + r[3] * move.x + r[4] * move.y + r[5] * move.z
