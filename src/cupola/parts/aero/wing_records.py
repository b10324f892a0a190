"""What a wing has, remembers, shows and answers: records of its kernels."""

from typing import NamedTuple

from cupola.kernel.motion import SiteMotion
from cupola.kernel.spatial import MassPlace
from cupola.parts.aero.wing_strips import StripsLoad, wing_coefficients
from cupola.physics.rotation import Vector, Wrench, angle_of, dot, length
from cupola.xmath import Number


class WingNumbers(NamedTuple):
    """What kernels read of a wing, beside its strips."""

    side: float
    area: float
    """[m²], as built."""
    ratio: float
    """Aspect ratio of the whole wing, as built."""
    flap_gain: float


class WorkState(NamedTuple):
    """What a wing remembers beside its strips and shapes."""

    work: Number = 0.0
    """[J] that the air has given to the body so far."""


class WingOutput(NamedTuple):
    """What a wing does now, without the inertia of the air."""

    airspeed: Number
    """[m/s]"""
    alpha: Number
    """[rad] effective, mean of the strips."""
    beta: Number
    """[rad]"""
    c_lift: Number
    """[1]"""
    c_drag: Number
    """[1]"""
    force: Vector
    """[N] axes of the site."""
    torque: Vector
    """[N m] about the site, in its axes."""
    power: Number
    """[W] that the air gives to the body."""
    work: Number
    """[J] that it has given so far."""


class Placed(NamedTuple):
    """Answer of `actuate`, `start` and `reopen`."""

    mass_place: MassPlace


class WingLoad(NamedTuple):
    """Answer of `load`: the air, then the mass that moves with the shape."""

    output: WingOutput
    wrench: Wrench
    wrench_2: Wrench


class UnsteadyLoad(NamedTuple):
    """Answer of `load_unsteady`: the air, the inertia of the air, then the mass that moves with the shape."""

    output: WingOutput
    wrench: Wrench
    wrench_2: Wrench
    wrench_3: Wrench


def shown(p: Number, state: WorkState, motion: SiteMotion, density: Number, load: StripsLoad) -> WingOutput:
    """What a wing shows: as an airfoil, then power and work."""
    air, force, torque = motion.vel_air_s, load.wrench.force, load.wrench.torque
    beta = angle_of(-air.y, length(Vector(air.x, 0.0, air.z)))
    c = wing_coefficients(force, air, density, p.area)
    power = dot(force, motion.vel_s) + dot(torque, motion.rate_s)
    return WingOutput(length(air), load.alpha, beta, c.c_lift, c.c_drag, force, torque, power, state.work)
