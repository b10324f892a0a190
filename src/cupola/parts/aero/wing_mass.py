"""The mass of a wing's own body, which moves with its shape: stretched along the span, then turned with the wing.

Both are linear in the place of a particle, so six equal masses on the principal axes, with the body's mass, centre and
inertia, have its momentum and energy exactly, however it is spread.
"""

from typing import Any, NamedTuple

import numpy as np

from cupola.kernel.motion import SiteMotion
from cupola.kernel.spatial import MassPlace, Mount
from cupola.parts.binding import BindContext
from cupola.physics.planform import Built, strip_place
from cupola.physics.rotation import Quaternion, Vector, Wrench, add, cross, dot, multiply, rotate, scale, subtract
from cupola.xmath import Number, maximum, sqrt

POINTS = 6
NUMBERS = 9
"""Of a point: its place [m], velocity [m/s] and acceleration [m/s²] against the site, in its axes."""
CARRIED = f"{POINTS * NUMBERS}f8"
"""Column of a wing's row for them."""


class WingMass(NamedTuple):
    """What moves when the shape changes: the mass of the wing's own body, in axes of the wing as built."""

    inertia_x: float = 0.0
    """About the centre of mass [kg m²]."""
    inertia_y: float = 0.0
    inertia_z: float = 0.0
    mass: float = 0.0
    """[kg]; 0 where it does not move with the shape."""
    mass_x: float = 0.0
    """Centre of mass [m]."""
    mass_y: float = 0.0
    mass_z: float = 0.0


class MovingMass(NamedTuple):
    """Inertial load of mass that moves with the shape."""

    wrench: Wrench
    """Axes of the site, about the site."""
    power: Number
    """Into the kinetic energy of the body with its mass where it is now [W]."""


class Stretch(NamedTuple):
    """What the shape does to the whole wing."""

    span: Number
    turned: Quaternion


def carry_mass(p: Number, now: Stretch, before: Stretch, earlier: Stretch, rate: Number) -> None:
    """Write where the points are and how they move, from the shapes of three ticks, 1 / `rate` seconds apart."""
    if p.mass > 0.0:
        for k in range(POINTS):
            point, at = _point(p, k), NUMBERS * k
            pos, last = (
                strip_place(point, now.span, now.turned, p.side),
                strip_place(point, before.span, before.turned, p.side),
            )
            oldest = strip_place(point, earlier.span, earlier.turned, p.side)
            vel, older = scale(rate, subtract(pos, last)), scale(rate, subtract(last, oldest))
            acc = scale(rate, subtract(vel, older))
            p.carried[at], p.carried[at + 1], p.carried[at + 2] = pos.x, pos.y, pos.z
            p.carried[at + 3], p.carried[at + 4], p.carried[at + 5] = vel.x, vel.y, vel.z
            p.carried[at + 6], p.carried[at + 7], p.carried[at + 8] = acc.x, acc.y, acc.z


def _point(p: Number, k: int) -> Built:
    """As built."""
    x, y, z = p.mass_x, p.side * p.mass_y, p.mass_z
    way = 2.0 * (k % 2) - 1.0
    whole = 0.5 * (p.inertia_x + p.inertia_y + p.inertia_z)
    if k < 2:
        x += way * _arm(whole - p.inertia_x, p.mass)
    elif k < 4:
        y += way * _arm(whole - p.inertia_y, p.mass)
    else:
        z += way * _arm(whole - p.inertia_z, p.mass)
    return Built(x, y, z, 0.0, 0.0, 0.0)


def _arm(square: Number, mass: Number) -> Number:
    """Distance of two sixths of the mass whose squares are these [kg m²]."""
    return sqrt(maximum(3.0 * square / mass, 0.0))


def moving_mass(p: Number, motion: SiteMotion) -> MovingMass:
    """-m (2 rate x velocity + acceleration) of all points, site axes about the site.

    Half of the first part changes where the kinetic energy lies and takes nothing from it.
    """
    force, torque, power, rate_s, one = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0), 0.0, motion.rate_s, p.carried
    if p.mass > 0.0:
        mass = p.mass / POINTS
        for at in range(0, NUMBERS * POINTS, NUMBERS):
            place, vel = Vector(one[at], one[at + 1], one[at + 2]), Vector(one[at + 3], one[at + 4], one[at + 5])
            swept = cross(rate_s, vel)
            push = scale(-mass, add(scale(2.0, swept), Vector(one[at + 6], one[at + 7], one[at + 8])))
            force, torque = add(force, push), add(torque, cross(place, push))
            power += dot(add(push, scale(mass, swept)), add(motion.vel_s, cross(rate_s, place)))
    return MovingMass(Wrench(force, torque), power)


def place_body(p: Number, stretch: Stretch, mount: Mount) -> MassPlace:
    """Centre, axes and inertia of the body of a wing with this shape."""
    centre = Built(p.mass_x, p.side * p.mass_y, p.mass_z, 0.0, 0.0, 0.0)
    com = add(mount.pos_b, rotate(mount.quat_bs, strip_place(centre, stretch.span, stretch.turned, p.side)))
    along = 0.5 * (p.inertia_x + p.inertia_z - p.inertia_y) * (stretch.span * stretch.span - 1.0)
    inertia = Vector(p.inertia_x + along, p.inertia_y, p.inertia_z + along)
    return MassPlace(com, multiply(mount.quat_bs, stretch.turned), inertia, 1.0)


def weigh(places: BindContext, site_name: str) -> WingMass:
    """Mass and inertia of a wing's own body; of one at the root of the vehicle nothing moves with the shape."""
    site = places.site(site_name)
    model, body = places.model, places.body_of(site)
    if body == places.root:
        return WingMass()
    turn_bs, turn_bi = (_matrix(q) for q in (model.site_quat[site], model.body_iquat[body]))
    inertia = turn_bs.T @ turn_bi @ np.diag(model.body_inertia[body]) @ turn_bi.T @ turn_bs
    if np.abs(inertia - np.diag(np.diag(inertia))).max() > 1e-6 * inertia.max():
        raise ValueError("a wing that changes its shape needs a body whose inertia lies along the axes of its site")
    centre = turn_bs.T @ (model.body_ipos[body] - model.site_pos[site])
    model.body_sameframe[body] = 0  # MuJoCo must not take the centre of mass for the origin of the body
    return WingMass._make((*np.diag(inertia), model.body_mass[body], *centre))


def _matrix(quaternion: Any) -> Any:
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
