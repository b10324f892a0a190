"""Records of the kernels of a wing: parameters, state, outputs, answers."""

from typing import NamedTuple

from cupola.kernel.motion import SiteMotion
from cupola.kernel.spatial import MassPlace
from cupola.parts.aero.wing_strips import StripsLoad, wing_coefficients
from cupola.physics.rotation import Vector, Wrench, angle_of, dot, length
from cupola.xmath import Number


class WingNumbers(NamedTuple):
    """Parameters of a wing, besides its strips."""

    side: float
    area: float
    """[m²], as built."""
    ratio: float
    """Aspect ratio of the whole wing, as built."""
    flap_gain: float


class WorkState(NamedTuple):
    """State of a wing besides its strips and shapes."""

    work: Number = 0.0
    """[J] that it has given to the body so far."""
    driven: Number = 0.0
    """[J] that the drives of its shape have given so far."""
    stalled: Number = 0.0
    """[s] for which the mean angle of its strips has been past the stall of its section so far."""


class WingOutput(NamedTuple):
    """Loads of a wing without the added mass."""

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
    """[W] that the air gives to the body, and what moves with the shape."""
    work: Number
    """[J] that it has given so far."""
    drive: Number
    """[W] that the drives of its shape give: what the air takes is this less `power`."""
    driven: Number
    """[J] that they have given so far."""


class Placed(NamedTuple):
    """Answer of `actuate`, `start` and `reopen`."""

    mass_place: MassPlace


class WingLoad(NamedTuple):
    """Answer of `load`: the air, then the mass that moves with the shape."""

    output: WingOutput
    wrench: Wrench
    wrench_2: Wrench


class UnsteadyLoad(NamedTuple):
    """Answer of `load_unsteady`: the air, its inertia, then what moves with the shape."""

    output: WingOutput
    wrench: Wrench
    wrench_2: Wrench
    wrench_3: Wrench


def shown(
    p: Number,
    state: WorkState,
    motion: SiteMotion,
    density: Number,
    load: StripsLoad,
    shape_power: Number,
    shape_drive: Number,
) -> WingOutput:
    """What a wing shows: as an airfoil, then power and work.

    `shape_power` [W] is what air and mass that move with the shape give to the body by their inertia, `shape_drive`
    what they take from the drives of the shape.
    """
    air, force, torque = motion.vel_air_s, load.wrench.force, load.wrench.torque
    beta = angle_of(-air.y, length(Vector(air.x, 0.0, air.z)))
    c = wing_coefficients(force, air, density, p.area)
    power, drive = dot(force, motion.vel_s) + dot(torque, motion.rate_s) + shape_power, load.drive + shape_drive
    size, work, driven = length(air), state.work, state.driven
    return WingOutput(size, load.alpha, beta, c.c_lift, c.c_drag, force, torque, power, work, drive, driven)
