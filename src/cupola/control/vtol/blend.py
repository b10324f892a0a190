"""Wings and lift rotors together: who carries the weight, who turns the vehicle, at every airspeed.

The rotors fade out as the airspeed along the nose rises from `rotors_full` to `rotors_off`, and in again as it falls;
there is no other switch between hovering and flying. Below, the attitude is that of `multirotor_geometric`, above, that
of `plane.loops`, and both aim at the same one. The rotors only lift what the wing does not. In hover the pusher does
the accelerating, so the wing stays level; braking leans back only as far as the wing does not carry it up.
"""

from typing import Any, NamedTuple

from cupola.config.controller import parameter
from cupola.control.multirotor.geometric import point_thrust
from cupola.control.plane.loops import (
    Goal,
    PlaneGains,
    Trims,
    hold_airspeed,
    hold_climb,
    hold_pitch,
    hold_roll,
    hold_sideslip,
)
from cupola.control.waypoints import GRAVITY, VelocityGains
from cupola.kernel.observation import Observation
from cupola.physics.rotation import Vector, euler_from_quaternion, rotate, subtract
from cupola.xmath import Number, atan, atan2, clip, cos, maximum, sin, sqrt, tan, where

CARRIED = 0.8
"""Share of the weight that the wing may carry while the vehicle leans back."""


class VtolCommand(NamedTuple):
    """Channels 0 to 3 of the mixer [m/s², rad/s²], then the four of a plane."""

    thrust: Number
    roll: Number
    pitch: Number
    yaw: Number
    aileron: Number
    elevator: Number
    rudder: Number
    throttle: Number


OFF = VtolCommand(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class VtolGains(PlaneGains, VelocityGains):
    """The tunable numbers of both halves. The defaults are those of `vtol`."""

    rotors_full: parameter = parameter(
        13.0, low=1, high=80, unit="m/s", about="airspeed up to which the lift rotors do all"
    )
    rotors_off: parameter = parameter(16.0, low=2, high=100, unit="m/s", about="airspeed from which they stand still")
    lift_effect: parameter = parameter(
        94.0, low=5, high=1000, unit="m/s²/rad", about="lift per mass and angle of attack at cruise"
    )
    lift_max: parameter = parameter(
        22.0, low=5, high=100, unit="m/s²", about="lift per mass just before the stall, at cruise speed"
    )
    alpha_trim: parameter = parameter(
        0.018, low=-0.3, high=0.3, unit="rad", about="angle of attack in level flight at cruise"
    )
    push_full: parameter = parameter(
        4.9, low=0.2, high=50, unit="m/s²", about="acceleration by the whole pusher at rest"
    )
    push_speed: parameter = parameter(
        35.0, low=5, high=200, unit="m/s", about="airspeed at which the whole pusher pushes no more"
    )
    weathercock: parameter = parameter(
        0.1, low=0, high=1, unit="rad/m", about="turn rate into the wind per airspeed and angle"
    )
    turn_max: parameter = parameter(0.5, low=0.1, high=6, unit="rad/s", about="fastest turn of the nose in hover")
    tilt_bandwidth: parameter = parameter(5.0, low=1, high=40, unit="rad/s")
    yaw_bandwidth: parameter = parameter(2.5, low=0.2, high=20, unit="rad/s")
    damping: parameter = parameter(0.9, low=0.2, high=3)

    cruise: parameter = parameter(
        18.0, low=5, high=100, unit="m/s", about="airspeed at which the effects and trims are given"
    )
    roll_effect: parameter = parameter(2.14, low=0.1, high=20, unit="rad/s", about="roll rate at full stick")
    pitch_effect: parameter = parameter(
        0.71, low=0.05, high=10, unit="rad/s", about="turn of the flight path at full stick"
    )
    throttle_effect: parameter = parameter(
        7.3, low=0.5, high=100, unit="m/s²", about="acceleration per unit of throttle"
    )
    pitch_trim: parameter = parameter(0.18, low=-1, high=1, about="pitch stick of level flight at cruise")
    throttle_trim: parameter = parameter(0.74, low=0, high=1, about="throttle of level flight at cruise")
    speed_ki: parameter = parameter(
        0.18, low=0, high=2, unit="1/s²", about="bandwidth times the damping by drag and propeller"
    )
    climb_max: parameter = parameter(3.0, low=0.2, high=30, unit="m/s")
    speed_min: parameter = parameter(16.0, low=3, high=100, unit="m/s", about="slowest airspeed asked for")
    speed_max: parameter = parameter(22.0, low=5, high=150, unit="m/s", about="fastest airspeed asked for")
    tilt_max: parameter = parameter(0.35, low=0.05, high=1.2, unit="rad")
    position_kp: parameter = parameter(0.5, low=0, high=5, unit="1/s")
    velocity_kp: parameter = parameter(1.5, low=0, high=10, unit="1/s")
    velocity_ki: parameter = parameter(1.5, low=0, high=5, unit="1/s²")
    sum_max: parameter = parameter(2.0, low=0, high=50, unit="m")


class VtolDemand(NamedTuple):
    """What hovering or flying wants, for both halves alike."""

    accel_w: Vector
    """[m/s²], by tilting and lifting."""
    yaw: Number
    """[rad], of the nose while the rotors hold it."""
    yaw_rate: Number
    """[rad/s]."""
    nose_up: Number
    """[rad], while the rotors hold it."""
    bank: Number
    """[rad], right side down."""
    climb: Number
    """[m/s]."""
    throttle: Number


class Flown(NamedTuple):
    """Command and integrals after this call."""

    command: VtolCommand
    trims: Trims


def rotor_share(obs: Observation, p: Any) -> Number:
    """Share of the lift rotors in the work: 1 in hover, 0 in wing flight."""
    return clip((p.rotors_off - obs.vel_air_b.x) / maximum(p.rotors_off - p.rotors_full, 0.1), 0.0, 1.0)


def wing_lift(obs: Observation, p: Any) -> Number:
    """Lift of the wing by mass [m/s²], from the airspeed and the angle of attack."""
    ahead = maximum(obs.vel_air_b.x, 0.0)
    alpha = atan2(-obs.vel_air_b.z, maximum(ahead, 1.0))
    push = ahead * ahead / (p.cruise * p.cruise)
    return push * clip(GRAVITY + p.lift_effect * (alpha - p.alpha_trim), -p.lift_max, p.lift_max)


def most_nose_up(obs: Observation, p: Any) -> Number:
    """Nose angle [rad] at which the wing in level flight carries no more than `CARRIED` of the weight."""
    ahead = maximum(obs.vel_air_b.x, 0.05 * p.cruise)
    carried = CARRIED * GRAVITY * p.cruise * p.cruise / (ahead * ahead)
    return clip(p.alpha_trim + (carried - GRAVITY) / p.lift_effect, 0.0, p.tilt_max)


def turn_into_wind(obs: Observation, p: Any) -> Number:
    """Turn rate [rad/s] that brings the nose into the wind: the airspeed times the angle to it."""
    ahead, left = obs.vel_air_b.x, obs.vel_air_b.y
    return clip(p.weathercock * sqrt(ahead * ahead + left * left) * atan2(left, ahead), -p.turn_max, p.turn_max)


def wind(obs: Observation) -> Vector:
    """Velocity of the air [m/s], world axes."""
    return subtract(obs.vel_w, rotate(obs.quat_wb, obs.vel_air_b))


def crab(course: Number, obs: Observation, p: Any) -> Number:
    """Heading [rad] that flies a course over ground [rad] without sideslip, at the speed of wing flight at least."""
    wind_w = wind(obs)
    across = wind_w.y * cos(course) - wind_w.x * sin(course)
    sine = clip(across / maximum(obs.vel_air_b.x, p.rotors_off), -0.9, 0.9)
    return course - atan2(sine, sqrt(1.0 - sine * sine))


def hover(accel_w: Vector, climb: Number, yaw: Number, yaw_rate: Number, obs: Observation, p: Any) -> VtolDemand:
    """Accelerate by `accel_w` [m/s²]: forward with the pusher, backward and sideways by tilting."""
    nose = euler_from_quaternion(obs.quat_wb).yaw
    forward = accel_w.x * cos(nose) + accel_w.y * sin(nose)
    left = accel_w.y * cos(nose) - accel_w.x * sin(nose)
    back = clip(forward, -GRAVITY * tan(most_nose_up(obs, p)), 0.0)
    tilting = _level(back, left, nose, accel_w.z)
    idle = maximum(obs.vel_air_b.x, 0.0) / p.push_speed  # throttle at which it neither pushes nor brakes
    throttle = sqrt(clip(forward / p.push_full + idle * idle, 0.0, 1.0))
    return VtolDemand(tilting, yaw, yaw_rate, atan(-back / GRAVITY), -atan(left / GRAVITY), climb, throttle)


def wing_flight(goal: Goal, course: Number, trims: Trims, obs: Observation, p: Any) -> tuple[VtolDemand, Number]:
    """Fly as a plane does, and as well as rotors can while it is too slow for that; and the integral of the speed."""
    throttle, total = hold_airspeed(clip(goal.speed, p.speed_min, p.speed_max), goal.climb, trims.speed, obs, p)
    nose = euler_from_quaternion(obs.quat_wb).yaw
    lifting = p.velocity_kp * (goal.climb - obs.vel_w.z)
    accel_w = _level(0.0, -GRAVITY * tan(goal.bank), nose, lifting)
    return VtolDemand(accel_w, crab(course, obs, p), 0.0, 0.0, goal.bank, goal.climb, throttle), total


def blend(wish: VtolDemand, trims: Trims, obs: Observation, p: Any) -> Flown:
    """Command of rotors, surfaces and pusher. The integrals of the surfaces rest while the rotors do all."""
    share = rotor_share(obs, p)
    turn = point_thrust(wish.accel_w, wish.yaw, wish.yaw_rate, obs, p)
    thrust = maximum(turn.thrust - wing_lift(obs, p), 0.0)
    nose_up, climb_total = hold_climb(wish.climb, trims.climb, obs, p)
    nose_up = share * wish.nose_up + (1.0 - share) * nose_up
    elevator, pitch_total = hold_pitch(nose_up, trims.pitch, obs, p, 1.0 - share)
    rudder, side_total = hold_sideslip(trims.side, obs, p)
    command = VtolCommand(
        share * thrust,
        share * turn.roll,
        share * turn.pitch,
        share * turn.yaw,
        hold_roll(wish.bank, obs, p),
        elevator,
        (1.0 - share) * rudder,
        wish.throttle,
    )
    rests = share == 1.0
    return Flown(
        command,
        Trims(
            where(rests, trims.pitch, pitch_total),
            where(rests, trims.climb, climb_total),
            trims.speed,
            where(rests, trims.side, side_total),
        ),
    )


def _level(forward: Number, left: Number, nose: Number, up: Number) -> Vector:
    """World axes from those of the nose."""
    return Vector(forward * cos(nose) - left * sin(nose), forward * sin(nose) + left * cos(nose), up)
