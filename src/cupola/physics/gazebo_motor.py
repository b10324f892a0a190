"""A motor and its rotor as the plugins of PX4 (`gazebo_motor_model`) and gz-sim (MulticopterMotorModel) have them.

Thrust by the square of the shaft speed, which follows its command with one lag upwards and another downwards. Both feel
the air across the joint's axis; PX4's also weakens with the airspeed along that axis, up or down. The shaft is +x of
the site, which is z of the rotor's link; the axis of the joint stands apart, as in the files the two may differ. The
torque follows from the thrust before it is weakened. `direction` is +1 for counter-clockwise seen from above.
"""

from typing import NamedTuple

from cupola.physics.rotation import Vector, Wrench, dot, scale, subtract
from cupola.xmath import Number, absolute, clip, exp, where


class GazeboMotor(NamedTuple):
    """Numbers of one motor and its rotor; names and defaults those of the plugins."""

    max_rot_velocity: float = 838.0
    """[rad/s] at full throttle."""
    motor_constant: float = 8.54858e-06
    """Thrust per squared shaft speed [N s²]."""
    moment_constant: float = 0.016
    """Torque per thrust [m]."""
    time_constant_up: float = 1.0 / 80.0
    time_constant_down: float = 1.0 / 40.0
    """[s] of the shaft speed behind its command."""
    rotor_drag_coefficient: float = 1.0e-4
    """Force against motion across the axis, per shaft speed and velocity [N s²/m]."""
    rolling_moment_coefficient: float = 1.0e-6
    """Torque along that motion, per shaft speed and velocity [N s²]."""
    max_relative_airspeed: float = 0.0
    """[m/s] along the axis at which no thrust is left: 25 for PX4; 0: the airspeed does not weaken it."""
    reversible: float = 0.0
    """1: a negative command pulls."""
    px4: float = 0.0
    """1: PX4's signs: thrust not negative unless reversible, and then by the sense of rotation; rolling moment too."""
    axis_x: float = 1.0
    """Of the joint, unit, axes of the site."""
    axis_y: float = 0.0
    axis_z: float = 0.0


class GazeboThrust(NamedTuple):
    """Along the shaft."""

    thrust: Number
    """[N] that acts."""
    torque: Number
    """[N m] on the vehicle."""


def gazebo_speed(speed: Number, throttle: Number, dt: Number, p: GazeboMotor) -> Number:
    """Shaft speed [rad/s], in its own sense, after `dt` [s] of a throttle held constant."""
    wanted = throttle * p.max_rot_velocity
    lag = where(wanted > speed, p.time_constant_up, p.time_constant_down)
    lagging = lag > 0.0
    share = where(lagging, 1.0 - exp(-dt / where(lagging, lag, 1.0)), 1.0)
    return speed + (wanted - speed) * share


def gazebo_thrust(omega: Number, vel_air: Vector, direction: Number, p: GazeboMotor) -> GazeboThrust:
    """Thrust and torque at a shaft speed about +x [rad/s] of a hub that moves at `vel_air` [m/s], axes of the site."""
    axis = Vector(p.axis_x, p.axis_y, p.axis_z)
    square = p.motor_constant * omega * absolute(omega)
    full = where(p.px4 > 0.0, where(p.reversible > 0.0, square, absolute(square)), direction * square)
    weakens = p.max_relative_airspeed > 0.0
    left = clip(1.0 - absolute(dot(vel_air, axis)) / where(weakens, p.max_relative_airspeed, 1.0), 0.0, 1.0)
    return GazeboThrust(full * where(weakens, left, 1.0), -direction * full * p.moment_constant)


def gazebo_aside(omega: Number, vel_air: Vector, direction: Number, p: GazeboMotor) -> Wrench:
    """What the air does across the axis of the joint."""
    axis = Vector(p.axis_x, p.axis_y, p.axis_z)
    across = subtract(vel_air, scale(dot(vel_air, axis), axis))
    spin = absolute(omega)
    sense = where(p.px4 > 0.0, direction, 1.0)
    return Wrench(
        scale(-spin * p.rotor_drag_coefficient, across), scale(-spin * sense * p.rolling_moment_coefficient, across)
    )
