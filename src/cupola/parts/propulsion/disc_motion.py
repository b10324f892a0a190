"""Dynamics of a helicopter rotor disc: pitch, bar, inflow and flapping."""

from typing import NamedTuple

from cupola.kernel.motion import SiteMotion
from cupola.parts.propulsion.blade_disc import DiscLoad, Pitch, disc_load
from cupola.physics.helicopter import DriveShaft, Flap, Harmonics, ShaftTorque, bar_step, disc_inflow_step, flap_step
from cupola.physics.rotation import Vector, Wrench
from cupola.xmath import Number, clip, sqrt

STIFF = Flap(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""Blades that do not flap."""


class RotorNumbers(NamedTuple):
    """One rotor."""

    direction: float
    radius: float
    blades: float
    speed: float
    ratio: float
    area: float
    """[m²] of the disc, less what the contraction of the wake loses."""
    slope: float
    """[m³] by which thrust per density falls with the induced speed, per shaft speed."""
    flap_inertia: float
    stiffness: float
    lock: float
    share: float
    collective_gain: float
    collective_rest: float
    y_gain: float
    y_rest: float
    z_gain: float
    z_rest: float


class DiscState(NamedTuple):
    """State of blades, bar and inflow of the disc."""

    angle: Number = 0.0
    """[rad] of the shaft."""
    omega: Number = 0.0
    """[rad/s] about x of the site."""
    induced: Number = 0.0
    """[m/s]"""
    bar_cosine: Number = 0.0
    bar_sine: Number = 0.0
    """[rad]"""
    flap: Flap = Flap()


class DiscOutput(NamedTuple):
    """Outputs of a rotor."""

    force: Vector
    """[N] axes of the site."""
    torque: Vector
    """[N m] on the vehicle, axes of the site."""
    thrust: Number
    """[N] along +x of the site."""
    power: Number
    """[W] that the blades take from the shaft."""
    omega: Number
    """[rad/s] about +x of the site."""
    induced: Number
    """[m/s]"""
    collective: Number
    """[rad] pitch of the blades."""
    coning: Number
    """[rad]"""
    tilt_y: Number
    """[rad] of the disc about the y axis of the site."""
    tilt_z: Number
    """[rad] of the disc about its z axis."""


class DiscMove(NamedTuple):
    """Answer of `actuate`."""

    state: DiscState
    resisting: ShaftTorque


class DiscWrench(NamedTuple):
    """Answer of `load`."""

    output: DiscOutput
    wrench: Wrench


def shaft_speed(p: Number, drive_shaft: DriveShaft) -> Number:
    """[rad/s] without its sign."""
    return p.speed + p.ratio * drive_shaft.speed


def pitch_of(p: Number, state: DiscState, drive: Number) -> Pitch:
    """Pitch of the blades by the swashplate and the bar."""
    asked = asked_tilt(p, drive)
    collective = p.collective_rest + p.collective_gain * clip(drive[p.collective], -1.0, 1.0)
    direct = 1.0 - p.share
    return Pitch(
        collective,
        direct * asked.cosine + p.share * state.bar_cosine,
        direct * asked.sine + p.share * state.bar_sine,
    )


def asked_tilt(p: Number, drive: Number) -> Harmonics:
    """Tilt of the disc that the cyclic commands ask for [rad]."""
    y = p.y_rest + p.y_gain * clip(drive[p.y], -1.0, 1.0)
    z = p.z_rest + p.z_gain * clip(drive[p.z], -1.0, 1.0)
    return Harmonics(0.0, y, p.direction * z)


def bar_at(p: Number, state: DiscState, omega: Number, asked: Harmonics, rate: Vector, dt: Number) -> Harmonics:
    """Tilt of the bar after `dt` [s]; of none, nothing."""
    if p.lock <= 0.0 or omega <= 0.0:
        return Harmonics(0.0, 0.0, 0.0)
    lag = 16.0 / (p.lock * omega)
    cosine = bar_step(state.bar_cosine, asked.cosine, rate.y, lag, dt)
    return Harmonics(0.0, cosine, bar_step(state.bar_sine, asked.sine, p.direction * rate.z, lag, dt))


def moved(
    p: Number,
    state: DiscState,
    omega: Number,
    motion: SiteMotion,
    density: Number,
    drive: Number,
    elements: Number,
    dt: Number,
) -> DiscMove:
    """One step of inflow, flapping and bar."""
    load: DiscLoad = disc_load(
        p, state.flap, pitch_of(p, state, drive), state.induced, omega, motion, density, elements
    )
    v, rate = motion.vel_air_s, motion.rate_s
    edge = sqrt(v.y * v.y + v.z * v.z)
    thrust = load.force.x / density if density > 0.0 else 0.0
    induced = disc_inflow_step(state.induced, thrust, p.slope * omega, v.x, edge, p.area, dt)
    tilting = Harmonics(0.0, rate.y, p.direction * rate.z)
    bar, flap = bar_at(p, state, omega, asked_tilt(p, drive), rate, dt), STIFF
    if p.flap_inertia > 0.0:
        flap = flap_step(state.flap, load.moment, omega, tilting, p.stiffness, p.flap_inertia, dt)
    turned = state.angle + p.direction * omega * dt
    after = DiscState(turned, p.direction * omega, induced, bar.cosine, bar.sine, flap)
    return DiscMove(after, ShaftTorque(p.ratio * load.torque))
