"""Following a plan: which waypoint now, how fast towards it, and what acceleration that takes.

Position error gives a wanted velocity (limited), velocity error a wanted acceleration, and that a tilt and a thrust,
since a multirotor accelerates along its thrust. Structure: Beard and McLain, Small Unmanned Aircraft, chapter 14;
Mellinger and Kumar, ICRA 2011, equation (3) for small angles.

Wind, drag and a wrong weight are learnt by a disturbance observer (Ohnishi; Chen et al., IEEE Transactions on
Industrial Electronics 63, 2016, equation (5)): what the velocity gains beside the acceleration that was asked for,
which comes late by the lag of the attitude, through a low-pass of velocity_ki / velocity_kp. That is a
proportional-integral law whose integral does not see the wish: a step of the wish or a limit winds nothing up that
would have to be worked off later. While the thrust points elsewhere, nothing is learnt. The drag of the rotors in still
air is known from the robot and fed forward.
"""

import math
from typing import Any, ClassVar, NamedTuple

from cupola.config.controller import Controller, Setpoint, parameter
from cupola.config.stick_words import NO_STICKS
from cupola.control.multirotor.authority import hover_drag
from cupola.control.told import NOTHING, NOWHERE
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import (
    Euler,
    Vector,
    add,
    dot,
    euler_from_quaternion,
    length,
    rotate,
    scale,
    subtract,
    wrap,
)
from cupola.xmath import Number, absolute, atan2, clip, cos, maximum, minimum, sin, tan, where

GRAVITY = 9.81
SETTLED = 0.5
"""[s] without sinking that count as ground contact."""
LANDING, DOWN = 1.0, 2.0
ALIGNED = 0.5
"""Cosine of the angle between thrust and commanded direction; the observer stops beyond that angle."""
TAKE_OFF = 0.5
"""[m] below the first waypoint that people call a take-off."""
LEVEL = Euler(0.0, 0.0, 0.0)
SLOWING_DOWN, TAKING_OFF, ON_THE_WAY, COMING_DOWN, LANDED = 0.0, 1.0, 2.0, 3.0, 4.0
PHASES = ("slowing down", "take-off", "waypoint", "landing", "landed")


class WaypointState(NamedTuple):
    """Progress along the plan, and what the observer expects; `started` is 0 before the first call."""

    index: Number = 0.0
    held: Number = 0.0
    expected_x: Number = 0.0
    expected_y: Number = 0.0
    expected_z: Number = 0.0
    """[m/s]."""
    given_x: Number = 0.0
    given_y: Number = 0.0
    given_z: Number = 0.0
    """[m/s²]."""
    landing: Number = 0.0
    """LANDING while sinking, DOWN when the ground holds it."""
    started: Number = 0.0


class Guidance(NamedTuple):
    """Commanded acceleration [m/s²], heading [rad], and the state after this call."""

    accel_w: Vector
    yaw: Number
    state: WaypointState


class WaypointSignals(NamedTuple):
    """Set-points and errors of a multirotor on its plan (actual minus set-point)."""

    position: Vector
    """[m] of the waypoint, world axes."""
    velocity: Vector
    """[m/s] set-point, world axes."""
    acceleration: Vector
    """[m/s²] set-point, world axes."""
    attitude: Euler
    """[rad] set-point."""
    error: Vector
    """[m] of the position against the waypoint, world axes."""
    velocity_error: Vector
    """[m/s], world axes."""
    attitude_error: Euler
    """[rad]."""
    path_error: Number
    """[m] from the straight line between the last waypoint and this one; nothing on the way to the first."""
    waypoint: Number
    """[1] its number, from 1; 0 without a plan."""
    phase: Number
    """[1]."""


class Expected(NamedTuple):
    """What the observer expects at the next call: velocity [m/s], and acceleration by the vehicle's own thrust."""

    vel_w: Vector
    accel_w: Vector


class Push(NamedTuple):
    """Commanded acceleration [m/s²], and its expected effect."""

    accel_w: Vector
    expected: Expected


class Tilt(NamedTuple):
    """Specific thrust [m/s²] and the attitude it needs [rad]."""

    thrust: Number
    roll: Number
    pitch: Number


class VelocityGains(Controller):
    """The tunable numbers of `track_velocity` and `tilt_for`."""

    position_kp: parameter = parameter(1.0, low=0, high=5, unit="1/s")
    velocity_kp: parameter = parameter(2.5, low=0, high=10, unit="1/s")
    velocity_ki: parameter = parameter(
        5.0, low=0, high=20, unit="1/s²", about="wind and drag are learnt with velocity_ki / velocity_kp [1/s]"
    )
    accel_max: parameter = parameter(5.0, low=0.5, high=20, unit="m/s²")
    sum_max: parameter = parameter(
        1.0, low=0, high=50, unit="m", about="limit of what is learnt: velocity_ki times this [m/s²]"
    )
    tilt_max: parameter = parameter(0.5, low=0.05, high=1.2, unit="rad")
    drag: parameter = parameter(
        robot=hover_drag, low=0, high=10, unit="1/s", within=math.inf, about="slowing by the rotors in still air"
    )


class WaypointGains(VelocityGains):
    """The tunable numbers of `follow_plan`."""

    stick_words = NO_STICKS
    State: ClassVar[Any] = WaypointState
    Signals = WaypointSignals
    phases = PHASES

    radius: parameter = parameter(0.15, low=0.01, high=5, unit="m", about="closer than this counts as arrived")

    def take_over(self, obs: Observation, before: Any) -> Any:
        """On to the waypoint it was flying to, with nothing learnt yet; a landing is flown again."""
        return WaypointState(index=before.index)

    def goal(self, obs: Observation, ref: Reference, state: Any) -> Setpoint | None:
        """The waypoint."""
        return Setpoint(*ref.plan[int(state.index)][:4]) if ref.plan else None

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """Which waypoint, or the ends of the flight."""
        if not ref.plan:
            return "slowing down"
        if state.landing:
            return "landed" if state.landing == DOWN else "landing"
        if state.index == 0.0 and ref.plan[0][2] - obs.pos_w.z > TAKE_OFF:
            return "take-off"
        return f"waypoint {int(state.index) + 1} of {len(ref.plan)}"


def follow_plan(obs: Observation, ref: Reference, state: WaypointState, lag: Number, p: Any) -> Guidance:
    """Acceleration towards the present waypoint of the plan, or to rest; `lag` [s] is that of the attitude."""
    if len(ref.plan) == 0:
        return Guidance(scale(-p.velocity_kp, obs.vel_w), 0.0, state)
    row = ref.plan[int(state.index)]
    index, held, landing = _progress(obs, row, float(len(ref.plan) - 1), state, p)
    velocity = velocity_to(obs, row, landing, p)
    push = track_velocity(velocity, expected_by(state, obs), lag, obs, p)
    vel, accel = push.expected
    return Guidance(push.accel_w, row[3], WaypointState(index, held, *vel[:], *accel[:], landing, 1.0))


def expected_by(state: Any, obs: Observation) -> Expected:
    """What the observer expects; at the first call, that all stays as it is."""
    if state.started < 0.5:
        return Expected(obs.vel_w, Vector(0.0, 0.0, 0.0))
    vel_w = Vector(state.expected_x, state.expected_y, state.expected_z)
    return Expected(vel_w, Vector(state.given_x, state.given_y, state.given_z))


def lag_of(p: Any) -> Number:
    """[s] by which an attitude loop of a bandwidth and a damping follows a slow wish."""
    return 2.0 * p.damping / p.tilt_bandwidth


def velocity_to(obs: Observation, row: Any, landing: Number, p: Any) -> Vector:
    """Velocity set-point [m/s] towards a waypoint; straight down while landing."""
    velocity = limit(scale(p.position_kp, subtract(Vector(row[0], row[1], row[2]), obs.pos_w)), row[4])
    sinking = Vector(velocity.x, velocity.y, -row[4])
    return sinking if landing > 0.0 else velocity


def track_velocity(velocity_w: Vector, expected: Expected, lag: Number, obs: Observation, p: Any) -> Push:
    """Acceleration towards a velocity set-point [m/s], for an attitude with a lag of `lag` [s]."""
    pushed = learnt_push(expected, obs, p)
    accel_w = accel_for(subtract(velocity_w, obs.vel_w), pushed, obs, p)
    given = lean_into(expected.accel_w, accel_w, lag, obs.period)
    # From what is learnt, not from what was expected: beyond the limit nothing winds up.
    vel_w = subtract(obs.vel_w, scale(1.0 / learning_rate(p), pushed))
    if aligned(accel_w, obs, p):
        vel_w = add(vel_w, scale(obs.period, add(given, subtract(pushed, scale(p.drag, obs.vel_w)))))
    return Push(accel_w, Expected(vel_w, given))


def lean_into(before: Vector, wish: Vector, lag: Number, period: Number) -> Vector:
    """What follows a wish: level components are late by `lag` [s], as they need a lean; the thrust lifts at once."""
    share = minimum(period / maximum(lag, 1e-9), 1.0)
    return Vector(before.x + share * (wish.x - before.x), before.y + share * (wish.y - before.y), wish.z)


def aligned(accel_w: Vector, obs: Observation, p: Any) -> bool:
    """Whether the thrust points about where it should."""
    force = leaning_force(accel_w, p)
    return bool(dot(force, rotate(obs.quat_wb, Vector(0.0, 0.0, 1.0))) > ALIGNED * length(force))


def learning_rate(p: Any) -> Number:
    """Bandwidth of the observer [1/s]."""
    return maximum(p.velocity_ki, 1e-9) / maximum(p.velocity_kp, 1e-9)


def learnt_push(expected: Expected, obs: Observation, p: Any) -> Vector:
    """Acceleration [m/s²] by all but the vehicle's own thrust, its weight, and the drag of its rotors in still air."""
    return limit(scale(learning_rate(p), subtract(obs.vel_w, expected.vel_w)), p.velocity_ki * p.sum_max)


def accel_for(off: Vector, pushed: Vector, obs: Observation, p: Any) -> Vector:
    """Acceleration [m/s²] by thrust and weight for a velocity error [m/s], against drag and what was learnt [m/s²]."""
    against = subtract(scale(p.drag, obs.vel_w), pushed)
    return limit(add(scale(p.velocity_kp, off), against), p.accel_max)


def leaning_force(accel_w: Vector, p: Any) -> Vector:
    """Specific force [m/s², world] that accelerates by `accel_w`, leaning `tilt_max` at most."""
    up = maximum(GRAVITY + accel_w.z, 0.2 * GRAVITY)
    level = length(Vector(accel_w.x, accel_w.y, 0.0))
    share = minimum(1.0, up * tan(p.tilt_max) / maximum(level, 1e-9))
    return Vector(share * accel_w.x, share * accel_w.y, up)


def guidance_signals(obs: Observation, ref: Reference, state: WaypointState, p: Any) -> WaypointSignals:
    """All signals but those of the attitude, of which only the yaw is told; from the state after a call."""
    still = Vector(0.0, 0.0, 0.0)
    if len(ref.plan) == 0:
        accel_w = scale(-p.velocity_kp, obs.vel_w)
        return WaypointSignals(NOWHERE, still, accel_w, LEVEL, NOWHERE, obs.vel_w, LEVEL, NOTHING, 0.0, SLOWING_DOWN)
    row = ref.plan[int(state.index)]
    place = Vector(row[0], row[1], row[2])
    velocity = velocity_to(obs, row, state.landing, p)
    pushed = learnt_push(expected_by(state, obs), obs, p)
    accel_w = accel_for(subtract(velocity, obs.vel_w), pushed, obs, p)
    off, too_fast = subtract(obs.pos_w, place), subtract(obs.vel_w, velocity)
    beside = NOTHING
    if state.index > 0.0:
        last = ref.plan[int(state.index) - 1]
        beside = distance_from_line(obs.pos_w, Vector(last[0], last[1], last[2]), place)
    phase = ON_THE_WAY
    if state.landing > 0.0:
        phase = LANDED if state.landing == DOWN else COMING_DOWN
    elif state.index == 0.0 and row[2] - obs.pos_w.z > TAKE_OFF:
        phase = TAKING_OFF
    level = Euler(0.0, 0.0, row[3])
    return WaypointSignals(place, velocity, accel_w, level, off, too_fast, LEVEL, beside, state.index + 1.0, phase)


def distance_from_line(pos_w: Vector, start: Vector, end: Vector) -> Number:
    """From the straight line between two points [m]; beyond its ends, from them."""
    way, gone = subtract(end, start), subtract(pos_w, start)
    share = clip(dot(gone, way) / maximum(dot(way, way), 1e-12), 0.0, 1.0)
    return length(subtract(gone, scale(share, way)))


def with_attitude(s: WaypointSignals, attitude: Euler, obs: Observation) -> WaypointSignals:
    """The signals with the attitude that is wanted [rad]."""
    now = euler_from_quaternion(obs.quat_wb)
    off = Euler(now.roll - attitude.roll, now.pitch - attitude.pitch, wrap(now.yaw - attitude.yaw))
    return WaypointSignals(
        s.position,
        s.velocity,
        s.acceleration,
        attitude,
        s.error,
        s.velocity_error,
        off,
        s.path_error,
        s.waypoint,
        s.phase,
    )


def tilted_signals(obs: Observation, ref: Reference, state: WaypointState, p: Any) -> WaypointSignals:
    """Signals of a law that commands angles."""
    s = guidance_signals(obs, ref, state, p)
    tilt = tilt_for(s.acceleration, euler_from_quaternion(obs.quat_wb).yaw, p)
    return with_attitude(s, Euler(tilt.roll, tilt.pitch, s.attitude.yaw), obs)


def tilt_for(accel_w: Vector, yaw: Number, p: Any) -> Tilt:
    """Thrust and tilt that accelerate a multirotor by `accel_w` [m/s²]; pitch is nose down positive."""
    forward = accel_w.x * cos(yaw) + accel_w.y * sin(yaw)
    left = -accel_w.x * sin(yaw) + accel_w.y * cos(yaw)
    up = maximum(GRAVITY + accel_w.z, 0.2 * GRAVITY)
    pitch = clip(atan2(forward, up), -p.tilt_max, p.tilt_max)
    roll = clip(atan2(-left * cos(pitch), up), -p.tilt_max, p.tilt_max)
    return Tilt(up / (cos(roll) * cos(pitch)), roll, pitch)


def limit(v: Vector, size: Number) -> Vector:
    """`v`, no longer than `size`."""
    return scale(size / maximum(maximum(length(v), size), 1e-12), v)


def _progress(obs: Observation, row: Any, last: Number, state: WaypointState, p: Any) -> tuple[Number, Number, Number]:
    """Waypoint index, time held there, landing: on after the hold; on a landing row wait for the ground."""
    away = length(subtract(Vector(row[0], row[1], row[2]), obs.pos_w))
    land = row[6] > 0.5
    still = where(land, absolute(obs.vel_w.z) < 0.25 * row[4], away < p.radius)
    held = where(still, state.held + obs.period, 0.0)
    arrived = held > where(land, SETTLED, row[5])
    index = clip(state.index + where(arrived, where(land, 0.0, 1.0), 0.0), 0.0, last)
    landing = where(land, where(arrived, DOWN, LANDING), 0.0)
    landing = where(state.landing == DOWN, DOWN, landing)
    return index, where(index > state.index, 0.0, held), landing
