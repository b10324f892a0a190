"""Fills the first registers of a program with what the world says of the flight."""

from typing import NamedTuple

from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.parts.functions.evaluate import evaluate
from cupola.physics.flight_data import SLOWEST, AirHere, FlightData, Level, angles_of, attitude_of, mach_number
from cupola.physics.rotation import Vector, add, angle_of, cross, dot, frd, length, subtract
from cupola.xmath import Number, maximum


class AngleRates(NamedTuple):
    """Angles of the flow at the last tick, and how fast they change."""

    alpha: Number = 0.0
    """[rad]"""
    beta: Number = 0.0
    """[rad]"""
    alpha_rate: Number = 0.0
    """[rad/s]"""
    beta_rate: Number = 0.0
    """[rad/s]"""
    started: Number = 0.0
    """[1] 0: there was no last tick."""
    left: Number = 0.0
    """[1] number of the first table that was left since the start; 0: none."""


def angle_rates(p: Number, state: AngleRates, vel_air: Vector, dt: Number, outside: Number) -> AngleRates:
    """The rates over the tick that has passed, where an expression names one, and the first table that was left."""
    left = outside if state.left == 0.0 else state.left
    if not p.rated:
        return AngleRates(0.0, 0.0, 0.0, 0.0, 1.0, left)
    alpha, beta = angles_of(vel_air)
    if state.started == 0.0:
        return AngleRates(alpha, beta, 0.0, 0.0, 1.0, left)
    return AngleRates(alpha, beta, (alpha - state.alpha) / dt, (beta - state.beta) / dt, 1.0, left)


def at_rest(vel_air: Vector) -> AngleRates:
    """Where no time passes nothing changes."""
    alpha, beta = angles_of(vel_air)
    return AngleRates(alpha, beta, 0.0, 0.0, 1.0, 0.0)


def air_velocity(motion: SiteMotion, arm: Vector) -> Vector:
    """Velocity through the air of a point at `arm` from the site: front, right, down [m/s]."""
    return frd(add(motion.vel_air_s, cross(motion.rate_s, arm)))


class Heading(NamedTuple):
    """How a vehicle lies and moves over the ground."""

    roll: Number
    pitch: Number
    heading: Number
    climb_rate: Number
    ground_speed: Number
    track: Number


def over_ground(motion: SiteMotion, vel_air: Vector, frame: SiteFrame, level: Level) -> Heading:
    """From the local level and from north, of the point that moves with `vel_air` through the air."""
    angles = attitude_of(frame.x_w, frame.y_w, frame.z_w, level)
    vel = add(motion.vel_s, subtract(frd(vel_air), motion.vel_air_s))
    ground = Vector(
        frame.x_w.x * vel.x + frame.y_w.x * vel.y + frame.z_w.x * vel.z,
        frame.x_w.y * vel.x + frame.y_w.y * vel.y + frame.z_w.y * vel.z,
        frame.x_w.z * vel.x + frame.y_w.z * vel.y + frame.z_w.z * vel.z,
    )
    east, north = dot(ground, level.east), dot(ground, level.north)
    level_speed = length(Vector(east, north, 0.0))
    return Heading(angles.x, angles.y, angles.z, dot(ground, level.up), level_speed, angle_of(east, north))


def fill(
    p: Number,
    block: Number,
    motion: SiteMotion,
    vel_air: Vector,
    frame: SiteFrame,
    level: Level,
    air: AirHere,
    state: AngleRates,
    time: Number,
    dt: Number,
) -> FlightData:
    """Write the quantities into the first registers, in the order of `FlightData`.

    Those over the ground cost as much as a table, so they stay 0 where no expression names one.
    """
    speed = length(vel_air)
    alpha, beta = angles_of(vel_air)
    rate = frd(motion.rate_s)
    over = Heading(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if p.over_ground:
        over = over_ground(motion, vel_air, frame, level)
    data = FlightData(
        maximum(speed, SLOWEST),
        alpha,
        beta,
        state.alpha_rate,
        state.beta_rate,
        mach_number(speed, air.temperature),
        0.5 * air.density * speed * speed,
        air.density,
        air.pressure,
        air.temperature,
        air.altitude,
        air.height,
        vel_air.x,
        vel_air.y,
        vel_air.z,
        rate.x,
        rate.y,
        rate.z,
        over.roll,
        over.pitch,
        over.heading,
        over.climb_rate,
        over.ground_speed,
        over.track,
        time,
        dt,
    )
    _store(block, data)
    return data


def _store(block: Number, data: FlightData) -> None:
    """One register after the other; a loop over a tuple of floats is compiled as one."""
    for k in range(len(data)):
        block[k] = data[k]


def run(p: Number, block: Number, drive: Number, qpos: Number, outputs: Number, first: Number) -> Number:
    """Evaluate, and show what is to be shown from place `first` of the outputs on."""
    outside = evaluate(block, p.code, p.count, p.result, drive, qpos)
    for k in range(p.shown_count):
        outputs[first + k] = block[int(block[p.shown + k])]
    return outside


def root(p: Number, block: Number, k: Number) -> Number:
    """What the program answered to the `k`-th expression that was asked for."""
    return block[int(block[p.roots + k])]
