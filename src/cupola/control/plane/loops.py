"""Hold loops of a fixed-wing plane, one inside the other: bank, nose angle, sideslip; climb, airspeed, height, course.

Structure: Beard and McLain, Small Unmanned Aircraft (2012), chapter 6, successive loop closure, with two changes. Gains
are bandwidths [1/s] divided by what a full stick does at cruise, so they follow from the vehicle's coefficients (see
docs/controllers.md). And what can be known beforehand is fed forward: the stick that carries the load factor of a turn,
the throttle that pays for a climb. Integrals find the rest of the trim. All angles: right side down, nose up, course
counter-clockwise from world x.
"""

from typing import Any, NamedTuple

from cupola.config.controller import Controller, parameter
from cupola.control.pass_through import PlaneCommand
from cupola.control.waypoints import GRAVITY
from cupola.kernel.observation import Observation
from cupola.physics.rotation import euler_from_quaternion, length, wrap
from cupola.xmath import Number, absolute, atan, atan2, clip, cos, maximum

SLOWEST = 0.6
"""Of the cruise speed: below it the loops no longer raise their gains."""


class Trims(NamedTuple):
    """Integrals of the loops, each in the units of what it is added to."""

    pitch: Number = 0.0
    """[rad/s]."""
    climb: Number = 0.0
    """[rad]."""
    speed: Number = 0.0
    """[m/s²]."""
    side: Number = 0.0
    """Rudder, 1."""


class Goal(NamedTuple):
    """Outputs of the outer loops."""

    bank: Number
    """[rad], right side down."""
    climb: Number
    """[m/s]."""
    speed: Number
    """[m/s], through the air."""


class Held(NamedTuple):
    """Command and integrals after this call."""

    command: PlaneCommand
    trims: Trims


class PlaneSignals(NamedTuple):
    """Set-points and errors of a plane (actual minus set-point); NaN without a set-point."""

    height: Number
    """[m] set-point."""
    climb: Number
    """[m/s] set-point."""
    airspeed: Number
    """[m/s] set-point."""
    course: Number
    """[rad] set-point, over ground."""
    bank: Number
    """[rad] set-point, right side down."""
    height_error: Number
    """[m]."""
    airspeed_error: Number
    """[m/s]."""
    course_error: Number
    """[rad]."""
    path_error: Number
    """[m] to the left of the path over ground."""
    waypoint: Number
    """[1] its number, from 1; 0 without a plan."""
    phase: Number
    """[1]."""


class PlaneGains(Controller):
    """The tunable numbers of the loops. The defaults are those of `plane_1wing`."""

    cruise: parameter = parameter(
        24.0, low=5, high=100, unit="m/s", about="airspeed at which the effects and trims are given"
    )
    roll_effect: parameter = parameter(2.09, low=0.1, high=20, unit="rad/s", about="roll rate at full stick")
    pitch_effect: parameter = parameter(
        0.54, low=0.05, high=10, unit="rad/s", about="turn of the flight path at full stick"
    )
    throttle_effect: parameter = parameter(
        10.4, low=0.5, high=100, unit="m/s²", about="acceleration per unit of throttle"
    )
    pitch_trim: parameter = parameter(0.46, low=-1, high=1, about="pitch stick of level flight at cruise")
    throttle_trim: parameter = parameter(0.595, low=0, high=1, about="throttle of level flight at cruise")
    roll_bandwidth: parameter = parameter(4.0, low=0.2, high=20, unit="1/s")
    pitch_bandwidth: parameter = parameter(2.0, low=0.2, high=20, unit="1/s")
    pitch_ki: parameter = parameter(1.0, low=0, high=10, unit="1/s²")
    climb_kp: parameter = parameter(0.5, low=0, high=3, unit="rad/rad")
    climb_ki: parameter = parameter(0.5, low=0, high=5, unit="1/s")
    speed_bandwidth: parameter = parameter(0.6, low=0.05, high=5, unit="1/s")
    speed_ki: parameter = parameter(
        0.16, low=0, high=2, unit="1/s²", about="bandwidth times the damping by drag and propeller"
    )
    side_kp: parameter = parameter(1.0, low=0, high=10, unit="1/rad")
    side_ki: parameter = parameter(1.0, low=0, high=10, unit="1/rad/s")
    height_bandwidth: parameter = parameter(0.35, low=0.02, high=2, unit="1/s")
    course_bandwidth: parameter = parameter(0.8, low=0.05, high=5, unit="1/s")
    bank_max: parameter = parameter(0.7, low=0.1, high=1.3, unit="rad")
    pitch_max: parameter = parameter(0.4, low=0.05, high=1, unit="rad")
    climb_max: parameter = parameter(5.0, low=0.2, high=30, unit="m/s")
    speed_min: parameter = parameter(21.0, low=3, high=100, unit="m/s", about="slowest airspeed asked for")
    speed_max: parameter = parameter(30.0, low=5, high=150, unit="m/s", about="fastest airspeed asked for")


def airspeed(obs: Observation) -> Number:
    """[m/s]."""
    return length(obs.vel_air_b)


def hold_roll(bank: Number, obs: Observation, p: Any) -> Number:
    """Roll stick for a bank angle [rad]: a first-order response, since the roll rate follows the stick at once."""
    off = wrap(bank - euler_from_quaternion(obs.quat_wb).roll)
    return clip(_faster(obs, p) * p.roll_bandwidth * off / p.roll_effect, -1.0, 1.0)


def hold_pitch(
    nose_up: Number, total: Number, obs: Observation, p: Any, on_wing: Number = 1.0
) -> tuple[Number, Number]:
    """Pitch stick for a nose angle [rad], and its integral [rad/s].

    Lift must be n = 1 / cos(bank) times the weight at any speed; the stick for that is known from the trim at cruise.
    `on_wing` is the share of the weight that the wing has to carry: 1 unless rotors help.
    """
    now = euler_from_quaternion(obs.quat_wb)
    off = nose_up + now.pitch
    ratio = _faster(obs, p)
    load = ratio * ratio / maximum(cos(now.roll), 0.5)
    carry = on_wing * GRAVITY / p.cruise * (load - 1.0)
    stick = p.pitch_trim + (carry + ratio * (p.pitch_bandwidth * off + total)) / p.pitch_effect
    most = 0.5 * p.pitch_effect
    total = clip(total + p.pitch_ki * obs.period * off, -most, most)
    return clip(stick, -1.0, 1.0), total


def hold_climb(climb: Number, total: Number, obs: Observation, p: Any) -> tuple[Number, Number]:
    """Nose angle for a climb rate [m/s], and its integral [rad], which finds the angle of attack."""
    speed = maximum(airspeed(obs), SLOWEST * p.cruise)
    off = (climb - obs.vel_w.z) / speed
    nose_up = climb / speed + p.climb_kp * off + total
    return clip(nose_up, -p.pitch_max, p.pitch_max), clip(total + p.climb_ki * obs.period * off, -0.3, 0.3)


def hold_airspeed(speed: Number, climb: Number, total: Number, obs: Observation, p: Any) -> tuple[Number, Number]:
    """Throttle for an airspeed [m/s] while climbing [m/s], and its integral [m/s²]."""
    now = airspeed(obs)
    off = speed - now
    pay = GRAVITY * climb / maximum(now, SLOWEST * p.cruise)
    throttle = p.throttle_trim + (p.speed_bandwidth * off + total + pay) / p.throttle_effect
    held = clip(throttle, 0.0, 1.0)
    if held == throttle:  # at a stop the integral would only wind up
        total = total + p.speed_ki * obs.period * off
    return held, total


def hold_sideslip(total: Number, obs: Observation, p: Any) -> tuple[Number, Number]:
    """Yaw stick that turns the nose into the wind, and its integral: a coordinated turn."""
    slip = atan2(-obs.vel_air_b.y, maximum(obs.vel_air_b.x, 1.0))
    return clip(p.side_kp * slip + total, -1.0, 1.0), clip(total + p.side_ki * obs.period * slip, -0.6, 0.6)


def climb_for(height: Number, slope_climb: Number, obs: Observation, p: Any) -> Number:
    """Climb rate [m/s] towards a height [m] that itself changes by `slope_climb` [m/s]."""
    return clip(slope_climb + p.height_bandwidth * (height - obs.pos_w.z), -p.climb_max, p.climb_max)


def bank_for(course: Number, bank_ahead: Number, obs: Observation, p: Any) -> Number:
    """Bank [rad] that turns the course over ground [rad], around `bank_ahead`, the bank of the arc flown [rad]."""
    speed = length(obs.vel_w)
    off = wrap(course - atan2(obs.vel_w.y, obs.vel_w.x))
    return clip(bank_ahead - atan(speed * p.course_bandwidth * off / GRAVITY), -p.bank_max, p.bank_max)


def bank_of_arc(radius: Number, side: Number, obs: Observation) -> Number:
    """Bank [rad] of a level turn over ground; `side` 1 is to the left."""
    speed = length(obs.vel_w)
    return -side * atan(speed * speed / (GRAVITY * maximum(absolute(radius), 1.0)))


def fly(goal: Goal, trims: Trims, obs: Observation, p: Any) -> Held:
    """All inner loops together."""
    nose_up, climb_total = hold_climb(goal.climb, trims.climb, obs, p)
    pitch, pitch_total = hold_pitch(nose_up, trims.pitch, obs, p)
    speed = clip(goal.speed, p.speed_min, p.speed_max)
    throttle, speed_total = hold_airspeed(speed, goal.climb, trims.speed, obs, p)
    yaw, side_total = hold_sideslip(trims.side, obs, p)
    command = PlaneCommand(hold_roll(goal.bank, obs, p), pitch, yaw, throttle)
    return Held(command, Trims(pitch_total, climb_total, speed_total, side_total))


def _faster(obs: Observation, p: Any) -> Number:
    """Cruise speed over airspeed: what a stick does grows with the speed."""
    return p.cruise / maximum(airspeed(obs), SLOWEST * p.cruise)
