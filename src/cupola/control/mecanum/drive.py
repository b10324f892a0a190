"""Sticks command the velocity of a base on Mecanum wheels, with the limits, time-out and odometry of ROS 2.

What mecanum_drive_controller of ros2_controllers does, with its parameters' names (a dot is an underscore here).
Differences, on purpose: odometry follows arcs exactly instead of in straight pieces; it is that of the commands, since
a law sees no encoders (theirs is `/NAME/encoders/odometry`, see `odometry_of`); a time-out brakes
within the limits instead of at once.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from cupola.config.controller import Controller, parameter
from cupola.config.robot import Robot
from cupola.config.stick_words import DRIVING
from cupola.control.told import PlanarPose, PlanarTwist
from cupola.kernel.commands import WHEEL_SPEEDS
from cupola.kernel.observation import PITCH, ROLL, YAW, Observation, Reference
from cupola.physics.mecanum import Mecanum, Wheels, lever_of, wheel_speeds
from cupola.physics.planar import Pose, Twist, advance, carry
from cupola.xmath import Number, absolute, clip, maximum, where

ALIVE = 4
"""Stick channel that a sender changes with every reference. Left at 0 nobody promises to go on sending."""
WEAK = 1.5
"""Times the torque of a motor that an acceleration may ask for: it lags a little, and catches up."""
UNLIMITED = 1e6
"""[N m]: who asks for more than this means no limit at all."""
STANDING = 1e-6
"""[m/s] or [rad/s]."""


class DriveState(NamedTuple):
    """The velocity commanded last, the path of all commands so far, and how old the reference is."""

    vel_x: Number = 0.0
    vel_y: Number = 0.0
    rate: Number = 0.0
    x: Number = 0.0
    y: Number = 0.0
    yaw: Number = 0.0
    """Odometry [m, rad]."""
    stamp: Number = 0.0
    age: Number = 0.0
    """[s]."""


class MecanumGeometry(Controller):
    """What a controller needs to know of the wheels: the robot's numbers, or a calibration of them."""

    needs = WHEEL_SPEEDS
    wheels_radius: parameter = parameter(robot=lambda robot, c: robot.wheels_at(c).radius, low=0.001, high=10, unit="m")
    sum_of_robot_center_projection_on_X_Y_axis: parameter = parameter(  # noqa: N815 - ROS's name
        robot=lambda robot, c: lever_of(robot.wheels_at(c).kinematics()),
        low=0.001,
        high=100,
        unit="m",
        about="half the track and half the wheelbase times roller_slope",
    )
    roller_slope: parameter = parameter(
        robot=lambda robot, c: robot.wheels_at(c).kinematics().slope,
        low=0.1,
        high=10,
        about="cotangent of the rollers' angle to the axles; 1 at 45 degrees",
    )
    base_frame_offset_x: parameter = parameter(
        0.0, low=-10, high=10, unit="m", about="of the driven frame from the middle"
    )
    base_frame_offset_y: parameter = parameter(0.0, low=-10, high=10, unit="m")
    base_frame_offset_theta: parameter = parameter(0.0, low=-3.15, high=3.15, unit="rad")


def wheels_for(twist: Twist, p: Any) -> Wheels:
    """Wheel speeds [rad/s] that move the driven frame so."""
    offset = Pose(p.base_frame_offset_x, p.base_frame_offset_y, p.base_frame_offset_theta)
    k = p.sum_of_robot_center_projection_on_X_Y_axis
    return wheel_speeds(carry(twist, offset), Mecanum(p.wheels_radius, 2.0 * k, 0.0, p.roller_slope))


def from_stick(stick: Number, low: Number, high: Number) -> Number:
    """Velocity of a stick from -1 to 1; no number means stop."""
    value = where(stick == stick, stick, 0.0)
    return clip(where(value > 0.0, value * high, -value * low), low, high)


class Rates(NamedTuple):
    """How fast one velocity may change; the signs are those of the change."""

    up: Number
    """Faster forward, positive."""
    down: Number
    """Slower forward, negative."""
    up_reverse: Number
    """Faster backward, negative."""
    down_reverse: Number
    """Slower backward, positive."""


def ramp(wish: Number, now: Number, r: Rates, dt: Number) -> Number:
    """The next velocity on the way to `wish`."""
    rise = where(now >= 0.0, r.up, r.down_reverse)
    fall = where(now <= 0.0, r.up_reverse, r.down)
    return clip(wish, now + fall * dt, now + rise * dt)


def mecanum_drive(obs: Observation, ref: Reference, state: DriveState, p: Any) -> tuple[Wheels, DriveState]:
    """Stick back and forth, right and left, and twist, as a camera drone has them."""
    sticks = ref.sticks
    path = advance(Pose(state.x, state.y, state.yaw), Twist(state.vel_x, state.vel_y, state.rate), obs.period)
    age = where(sticks[ALIVE] == state.stamp, state.age + obs.period, 0.0)
    heard = where(sticks[ALIVE] == 0.0, 1.0, where(age > p.reference_timeout, 0.0, 1.0))
    wish_x = heard * from_stick(-sticks[PITCH], p.linear_x_min_velocity, p.linear_x_max_velocity)
    wish_y = heard * from_stick(-sticks[ROLL], p.linear_y_min_velocity, p.linear_y_max_velocity)
    wish_z = heard * from_stick(-sticks[YAW], p.angular_z_min_velocity, p.angular_z_max_velocity)
    along_x = Rates(
        p.linear_x_max_acceleration,
        p.linear_x_max_deceleration,
        p.linear_x_max_acceleration_reverse,
        p.linear_x_max_deceleration_reverse,
    )
    along_y = Rates(
        p.linear_y_max_acceleration,
        p.linear_y_max_deceleration,
        p.linear_y_max_acceleration_reverse,
        p.linear_y_max_deceleration_reverse,
    )
    about_z = Rates(
        p.angular_z_max_acceleration,
        p.angular_z_max_deceleration,
        p.angular_z_max_acceleration_reverse,
        p.angular_z_max_deceleration_reverse,
    )
    twist = Twist(
        ramp(wish_x, state.vel_x, along_x, obs.period),
        ramp(wish_y, state.vel_y, along_y, obs.period),
        ramp(wish_z, state.rate, about_z, obs.period),
    )
    after = DriveState(twist.x, twist.y, twist.yaw, path.x, path.y, path.yaw, sticks[ALIVE], age)
    return wheels_for(twist, p), after


class DriveSignals(NamedTuple):
    """Present commands, and the path of all commands so far."""

    twist: PlanarTwist
    """Commanded, within the limits."""
    wheels: Wheels
    """[rad/s] commanded."""
    path: PlanarPose
    """Odometry of the commands, from where it began."""
    phase: Number
    """[1]."""


def drive_signals(obs: Observation, ref: Reference, state: DriveState, p: Any) -> DriveSignals:
    """From the state after a call."""
    silent = ref.sticks[ALIVE] != 0.0 and state.age > p.reference_timeout
    most = maximum(maximum(absolute(state.vel_x), absolute(state.vel_y)), absolute(state.rate))
    return DriveSignals(
        PlanarTwist(state.vel_x, state.vel_y, state.rate),
        wheels_for(Twist(state.vel_x, state.vel_y, state.rate), p),
        PlanarPose(state.x, state.y, state.yaw),
        2.0 if silent else 1.0 if most > STANDING else 0.0,
    )


class MecanumDrive(MecanumGeometry):
    """Sticks: velocity right, backward, turn rate. Full stick is the velocity limit of that axis."""

    State = DriveState
    stick_words = DRIVING
    channel_words: ClassVar[Mapping[int, str]] = {ALIVE: "sign of life"}
    Signals = DriveSignals
    phases = ("standing", "driving by the sticks", "stopped: no reference")
    law = staticmethod(mecanum_drive)
    report = staticmethod(drive_signals)

    reference_timeout: parameter = parameter(0.5, low=0, high=60, unit="s", about="a sender silent for longer: stop")
    linear_x_max_velocity: parameter = parameter(0.5, low=0, high=20, unit="m/s")
    linear_x_min_velocity: parameter = parameter(-0.5, low=-20, high=0, unit="m/s")
    linear_x_max_acceleration: parameter = parameter(1.0, low=0, high=1e6, unit="m/s²")
    linear_x_max_deceleration: parameter = parameter(-1.0, low=-1e6, high=0, unit="m/s²")
    linear_x_max_acceleration_reverse: parameter = parameter(-1.0, low=-1e6, high=0, unit="m/s²")
    linear_x_max_deceleration_reverse: parameter = parameter(1.0, low=0, high=1e6, unit="m/s²")
    linear_y_max_velocity: parameter = parameter(0.5, low=0, high=20, unit="m/s")
    linear_y_min_velocity: parameter = parameter(-0.5, low=-20, high=0, unit="m/s")
    linear_y_max_acceleration: parameter = parameter(1.0, low=0, high=1e6, unit="m/s²")
    linear_y_max_deceleration: parameter = parameter(-1.0, low=-1e6, high=0, unit="m/s²")
    linear_y_max_acceleration_reverse: parameter = parameter(-1.0, low=-1e6, high=0, unit="m/s²")
    linear_y_max_deceleration_reverse: parameter = parameter(1.0, low=0, high=1e6, unit="m/s²")
    angular_z_max_velocity: parameter = parameter(0.8, low=0, high=20, unit="rad/s")
    angular_z_min_velocity: parameter = parameter(-0.8, low=-20, high=0, unit="rad/s")
    angular_z_max_acceleration: parameter = parameter(1.6, low=0, high=1e6, unit="rad/s²")
    angular_z_max_deceleration: parameter = parameter(-1.6, low=-1e6, high=0, unit="rad/s²")
    angular_z_max_acceleration_reverse: parameter = parameter(-1.6, low=-1e6, high=0, unit="rad/s²")
    angular_z_max_deceleration_reverse: parameter = parameter(1.6, low=0, high=1e6, unit="rad/s²")

    def accept(self, robot: Robot, channel: int) -> None:
        """Refuse a base whose motors are far too weak for what it would ask of them."""
        wheels = robot.wheels_at(channel)
        fastest = max(self.linear_x_max_acceleration, self.linear_y_max_acceleration)
        needed = 0.25 * robot.mass * fastest * wheels.radius
        if wheels.torque_max * WEAK < needed < UNLIMITED:
            raise ValueError(
                f"linear_x_max_acceleration: {fastest:g} m/s² of {robot.mass:.3g} kg needs {needed:.3g} N m of each "
                f"wheel, whose motor has {wheels.torque_max:g} N m; ask for less, or give the wheels another torque_max"
            )

    def take_over(self, obs: Observation, before: DriveState) -> DriveState:
        """From the present velocity on, so that nothing jerks; its odometry goes on."""
        return before._replace(vel_x=obs.vel_b.x, vel_y=obs.vel_b.y, rate=obs.rate_b.z, age=0.0)

    def mission(self, obs: Observation, ref: Reference, state: DriveState) -> str:
        """Driving, standing, or left alone."""
        if ref.sticks[ALIVE] != 0.0 and state.age > self.reference_timeout:
            return f"stopped: no reference for {state.age:.1f} s"
        moving = max(abs(state.vel_x), abs(state.vel_y), abs(state.rate)) > STANDING
        return "driving by the sticks" if moving else "standing"
