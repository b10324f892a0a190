"""All blades of a helicopter's rotor around the disc at a moment, for `helicopter_rotor.py`.

Axes are those of the site: x along the shaft; azimuth 0 is its z axis, from where blades turn about x, right-handed or
not. For a main rotor whose site is turned by -90° about y, z points aft.
"""

import math
from typing import NamedTuple

from cupola.kernel.motion import SiteMotion
from cupola.physics.helicopter import Flap, Harmonics, element_force, skew
from cupola.physics.rotation import Vector
from cupola.xmath import Number, cos, maximum, sin, sqrt

AZIMUTHS = 8
"""Places around the disc at which a blade is looked at: harmonics up to the seventh do not leak into the mean."""


class DiscLoad(NamedTuple):
    """All blades together, the mean over a turn."""

    force: Vector
    """[N], axes of the site."""
    torque: Number
    """[N m] that the air takes from the shaft."""
    moment: Harmonics
    """[N m] at the hinge of one blade, towards the thrust."""


class Pitch(NamedTuple):
    """Of the blades [rad]: collective, and the tilt of the disc that the cyclic asks for, as harmonics of flapping."""

    collective: Number
    cosine: Number
    sine: Number


def disc_load(
    p: Number,
    flap: Flap,
    pitch: Pitch,
    induced: Number,
    omega: Number,
    motion: SiteMotion,
    density: Number,
    elements: Number,
) -> DiscLoad:
    """Mean over azimuths and blades; `omega` [rad/s] is the size of the speed of the shaft in its vehicle."""
    v, rate, d = motion.vel_air_s, motion.rate_s, p.direction
    edge = sqrt(v.y * v.y + v.z * v.z)
    growth = skew(induced, v.x, edge) / maximum(edge, 1e-9)
    spin = omega + d * rate.x
    x = y = z = torque = mean = cosine = sine = 0.0
    for i in range(AZIMUTHS):
        psi = 2.0 * math.pi * (i + 0.5) / AZIMUTHS
        c, s = cos(psi), sin(psi)
        beta = flap.coning + flap.cosine * c + flap.sine * s
        # of the blade in space: its own flapping, the turning of the harmonics, and the tilting of the hub
        beta_rate = (
            flap.coning_rate
            + (flap.cosine_rate + spin * flap.sine + rate.y) * c
            + (flap.sine_rate - spin * flap.cosine + d * rate.z) * s
        )
        # A disc that follows flaps a quarter of a turn behind its pitch.
        theta = pitch.collective + pitch.sine * c - pitch.cosine * s
        outward = v.z * c - d * v.y * s
        along = -v.z * s - d * v.y * c
        normal = back = bend = twist = 0.0
        for k in range(p.count):
            r = elements[k].radius
            air = induced * (1.0 - growth * outward * r / p.radius)
            up = v.x - beta * outward + r * beta_rate + air
            one = element_force(spin * r + along, up, theta, density, elements[k])
            normal += one.normal
            back += one.back
            bend += r * one.normal
            twist += r * one.back
        out = -beta * normal  # a blade that is up leans its lift inwards
        x += normal
        y += -d * s * out + d * c * back
        z += c * out + s * back
        torque += twist
        mean += bend
        cosine += 2.0 * c * bend
        sine += 2.0 * s * bend
    share, all_blades = 1.0 / AZIMUTHS, p.blades / AZIMUTHS
    return DiscLoad(
        Vector(all_blades * x, all_blades * y, all_blades * z),
        all_blades * torque,
        Harmonics(share * mean, share * cosine, share * sine),
    )


def hub_torque(p: Number, flap: Flap, load: DiscLoad) -> Vector:
    """What the blades do to the hub square to the shaft [N m]: by their springs, or whole where they cannot flap."""
    if p.flap_inertia > 0.0:
        half = 0.5 * p.blades * p.stiffness
        return Vector(0.0, half * flap.cosine, p.direction * half * flap.sine)
    half = 0.5 * p.blades
    return Vector(0.0, half * load.moment.cosine, p.direction * half * load.moment.sine)
