"""What tables of an aircraft are written over: air data, rates and attitude, in axes front-right-down.

Stevens, Lewis and Johnson, "Aircraft Control and Simulation", 3rd edition, sections 2.3 and 2.5.
"""

from typing import NamedTuple

from cupola.physics.atmosphere import speed_of_sound
from cupola.physics.rotation import Vector, Wrench, angle_of, dot, length
from cupola.xmath import Number, cos, sin, where

SLOWEST = 1e-6
"""[m/s] below which an airspeed counts as this, so that rates may be divided by it."""


class FlightData(NamedTuple):
    """Quantities that functions of a vehicle file may name."""

    airspeed: Number
    """[m/s] of the centre of mass through the air, at least 1e-6."""
    alpha: Number
    """[rad] angle of attack."""
    beta: Number
    """[rad] angle of sideslip, positive with the wind from the right."""
    alpha_rate: Number
    """[rad/s] from one tick to the next; 0 at the first and in analyses, where no time passes."""
    beta_rate: Number
    """[rad/s]"""
    mach: Number
    dynamic_pressure: Number
    """[Pa]"""
    density: Number
    """[kg/m³]"""
    pressure: Number
    """[Pa]"""
    temperature: Number
    """[K]"""
    altitude: Number
    """[m] above sea level."""
    height: Number
    """[m] above the level of the world's origin."""
    u: Number
    v: Number
    w: Number
    """[m/s] velocity through the air: front, right, down."""
    p: Number
    q: Number
    r: Number
    """[rad/s] relative to the Earth: about front, right, down."""
    roll: Number
    pitch: Number
    heading: Number
    """[rad] from the local level and from north, clockwise."""
    climb_rate: Number
    """[m/s] relative to the Earth, up."""
    ground_speed: Number
    """[m/s] level."""
    track: Number
    """[rad] direction of the level velocity, clockwise from north."""
    time: Number
    """[s]"""
    dt: Number
    """[s] of a tick."""


class Level(NamedTuple):
    """Directions at a place, in the axes of the world."""

    east: Vector
    north: Vector
    up: Vector


class AirHere(NamedTuple):
    """The air at a vehicle."""

    height: Number
    """[m] above the level of the world's origin."""
    altitude: Number
    """[m] above sea level."""
    density: Number
    pressure: Number
    temperature: Number


def angles_of(vel_air: Vector) -> tuple[Number, Number]:
    """Angles of attack and of sideslip [rad] of a velocity through the air: front, right, down."""
    level = length(Vector(vel_air.x, 0.0, vel_air.z))
    return angle_of(vel_air.z, vel_air.x), angle_of(vel_air.y, level)


def attitude_of(x_w: Vector, y_w: Vector, z_w: Vector, level: Level) -> Vector:
    """Roll, pitch and heading [rad] of a body with the axes front, left, up."""
    roll = angle_of(dot(y_w, level.up), dot(z_w, level.up))
    east, north = dot(x_w, level.east), dot(x_w, level.north)
    return Vector(roll, angle_of(dot(x_w, level.up), length(Vector(east, north, 0.0))), angle_of(east, north))


def mach_number(speed: Number, temperature: Number) -> Number:
    """Of a speed [m/s] in air of a temperature [K]."""
    return speed / speed_of_sound(temperature)


BODY, STABILITY, WIND = 0, 1, 2
"""Axes in which a load is given."""


def body_axes(load: Wrench, force_axes: Number, torque_axes: Number, alpha: Number, beta: Number) -> Wrench:
    """A load in body axes, given in those of the body, of stability or of the wind, all front-right-down."""
    return Wrench(turned(load.force, force_axes, alpha, beta), turned(load.torque, torque_axes, alpha, beta))


def turned(given: Vector, axes: Number, alpha: Number, beta: Number) -> Vector:
    """Components in body axes."""
    a, b = where(axes == BODY, 0.0, alpha), where(axes == WIND, beta, 0.0)
    x, y = cos(b) * given.x - sin(b) * given.y, sin(b) * given.x + cos(b) * given.y
    return Vector(cos(a) * x - sin(a) * given.z, y, sin(a) * x + cos(a) * given.z)
