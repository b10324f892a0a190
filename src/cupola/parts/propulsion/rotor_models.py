"""Motor models for `rotor.py`: thrust and torque, with ground effect and reaction."""

from typing import NamedTuple

from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.parts.curve import curve_value
from cupola.physics.battery import BatteryState, Draw
from cupola.physics.blades import blades_along
from cupola.physics.gazebo_motor import gazebo_thrust
from cupola.physics.ground import rotor_gain
from cupola.physics.motor import (
    advance_ratio,
    electric_motor,
    generic_motor,
    generic_thesis,
    quadratic_motor,
    shaft_reaction,
)
from cupola.physics.propeller import blade_load
from cupola.physics.rotation import Vector, Wrench, add, length
from cupola.physics.slipstream import Stream, induced_speed
from cupola.xmath import Number, clip


class RotorOutput(NamedTuple):
    """Outputs of a motor with its propeller."""

    thrust: Number
    """[N] along +x of the site."""
    torque: Number
    """[N m] on the vehicle about +x of the site."""
    omega: Number
    """[rad/s] about +x of the site."""
    airspeed: Number
    """[m/s]."""
    current: Number
    """[A]; 0 for a motor that does not model it."""
    power: Number
    """[W] shaft power; 0 for a motor that does not model it."""


class ShaftState(NamedTuple):
    """The shaft of a motor."""

    omega: Number = 0.0
    """[rad/s] about +x of the site."""
    angle: Number = 0.0
    """[rad] turned so far."""
    omega_dot: Number = 0.0
    """[rad/s²], where its reaction counts."""


class RotorLoad(NamedTuple):
    """Answer of `load`."""

    output: RotorOutput
    wrench: Wrench


class Demand(NamedTuple):
    """Answer of `demand`."""

    draw: Draw


class Disc(NamedTuple):
    """Parameters of all models."""

    direction: float
    radius: float
    """[m]"""
    shaft_inertia: float
    """[kg m²]; 0: its reaction does not count."""
    side: float
    """Share of the air's momentum across the shaft that it feels; 0: none."""


NO_LOAD = Wrench(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))


def voltage_ratio(p: Number, battery_state: BatteryState) -> Number:
    """Battery voltage divided by the motor's nominal voltage; scales the effective throttle."""
    if p.fed:
        return battery_state.voltage / (p.cells * p.cell_voltage)
    return 1.0


def turned(p: Number, state: ShaftState, omega: Number, dt: Number) -> ShaftState:
    """A shaft after a tick in which it came to a speed."""
    rate = (omega - state.omega) / dt if p.shaft_inertia > 0.0 else 0.0
    return ShaftState(omega, state.angle + omega * dt, rate)


def electric_spin(
    p: Number, omega: Number, throttle: Number, v_normal: Number, density: Number, constants: Number
) -> Number:
    """Torques, thrust and current of an electric motor at a speed."""
    ratio = advance_ratio(v_normal, omega, p)
    efficiency = curve_value(ratio, p.efficiency, constants)
    return electric_motor(
        throttle, omega, v_normal, density, efficiency, curve_value(ratio, p.c_power, constants), p.direction, p
    )


def idle_now(motion: SiteMotion) -> RotorOutput:
    """A motor that is switched off."""
    return RotorOutput(0.0, 0.0, 0.0, length(motion.vel_air_s), 0.0, 0.0)


def generic_now(p: Number, motion: SiteMotion, density: Number, drive: Number) -> RotorOutput:
    """A motor that follows its throttle at once."""
    throttle, airspeed = clip(drive[p.channel], 0.0, 1.0), length(motion.vel_air_s)
    if p.thesis:
        out = generic_thesis(throttle, airspeed, density, p.direction, p)
    else:
        out = generic_motor(throttle, motion.vel_air_s.x, density, p.direction, p)
    return RotorOutput(out.thrust, out.torque, out.omega, airspeed, 0.0, 0.0)


def electric_now(
    p: Number,
    state: ShaftState,
    motion: SiteMotion,
    density: Number,
    drive: Number,
    battery_state: BatteryState,
    constants: Number,
) -> RotorOutput:
    """An electric motor at its present speed."""
    throttle = clip(drive[p.channel], 0.0, 1.0) * voltage_ratio(p, battery_state)
    spin = electric_spin(p, state.omega, throttle, motion.vel_air_s.x, density, constants)
    airspeed = length(motion.vel_air_s)
    return RotorOutput(spin.thrust, spin.torque, state.omega, airspeed, spin.current, spin.power_motor)


def quadratic_now(p: Number, motion: SiteMotion, density: Number, drive: Number) -> RotorOutput:
    """A motor whose torque and propeller are parabolas."""
    airspeed = length(motion.vel_air_s)
    now = quadratic_motor(clip(drive[p.channel], 0.0, 1.0), airspeed, density, p.direction, p)
    return RotorOutput(now.thrust, now.torque, now.omega, airspeed, now.current, now.power)


def lagged_now(p: Number, state: ShaftState, motion: SiteMotion, density: Number) -> RotorOutput:
    """Blades along their shaft at its present speed."""
    out = blades_along(state.omega, motion.vel_air_s.x, density, p.direction, p)
    return RotorOutput(out.thrust, out.torque, state.omega, length(motion.vel_air_s), 0.0, 0.0)


def gazebo_now(p: Number, state: ShaftState, motion: SiteMotion) -> RotorOutput:
    """What a plugin of Gazebo computes at the present speed; the density of the air is not known to it."""
    out = gazebo_thrust(state.omega, motion.vel_air_s, p.direction, p)
    return RotorOutput(out.thrust, out.torque, state.omega, length(motion.vel_air_s), 0.0, 0.0)


def elements_now(
    p: Number, state: ShaftState, motion: SiteMotion, density: Number, elements: Number, memory: Number
) -> RotorOutput:
    """Thrust and torque of all rings now; the inflow is that of the tick."""
    speed, thrust, torque = abs(state.omega), 0.0, 0.0
    for k in range(p.count):
        one = blade_load(memory[k], speed, motion.vel_air_s.x, density, elements[k])
        thrust += one.thrust
        torque += one.torque
    return RotorOutput(thrust, -p.direction * torque, state.omega, length(motion.vel_air_s), 0.0, torque * speed)


def near_ground(
    p: Number, out: RotorOutput, motion: SiteMotion, density: Number, height: Number, frame: SiteFrame
) -> RotorOutput:
    """More thrust near the floor, where it is asked for."""
    if not p.ground:
        return out
    sideways = length(Vector(0.0, motion.vel_air_s.y, motion.vel_air_s.z))
    gain = rotor_gain(height, p.radius, out.thrust, sideways, frame.x_w.z, density)
    return RotorOutput(gain * out.thrust, out.torque, out.omega, out.airspeed, out.current, out.power)


def loaded(
    p: Number, state: ShaftState, out: RotorOutput, side: Wrench, motion: SiteMotion, spin_s: Vector, dt: Number
) -> RotorLoad:
    """Thrust and torque along the shaft, what blades feel from the side, and the reaction of the spinning mass."""
    force = add(Vector(out.thrust, 0.0, 0.0), side.force)
    torque = add(Vector(out.torque, 0.0, 0.0), side.torque)
    if p.shaft_inertia > 0.0:
        # The speed grows during the tick, from that of the tick before.
        halfway = state.omega - 0.5 * state.omega_dot * dt
        torque = add(torque, shaft_reaction(p.shaft_inertia, halfway, state.omega_dot, add(motion.rate_s, spin_s)))
    shown = RotorOutput(out.thrust, torque.x, out.omega, out.airspeed, out.current, out.power)
    return RotorLoad(shown, Wrench(force, torque))


def stream_of(p: Number, out: RotorOutput, motion: SiteMotion, density: Number, frame: SiteFrame) -> Stream:
    """What a surface behind the disc must know of it."""
    ahead = motion.vel_air_s.x
    return Stream(frame.pos_w, frame.x_w, induced_speed(out.thrust, ahead, density, p.radius), ahead, p.radius)
