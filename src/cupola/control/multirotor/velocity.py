"""Sticks command velocity; centred sticks hold the place. What camera drones do.

The sticks move a reference point: its velocity follows them with a limited acceleration, late by what the attitude
takes to lean, and the vehicle follows the point with that acceleration fed forward. So there is no switch between
moving and holding, and letting go stops as fast as it started. The point never runs further ahead than `leash`.
Attitude as in `multirotor_geometric`.

It knows the ground at z = 0: the lower it is, the slower it sinks and moves. Kept down there it switches the motors
off, and on again when the throttle goes up.
"""

from typing import Any, NamedTuple

from cupola.config.controller import Setpoint, parameter
from cupola.config.stick_words import VELOCITY
from cupola.control.multirotor.geometric import point_thrust
from cupola.control.multirotor.waypoints import Accelerations
from cupola.control.waypoints import VelocityGains, expected_by, lag_of, lean_into, limit, track_velocity
from cupola.kernel.commands import THRUST_AND_TURN
from cupola.kernel.observation import PITCH, ROLL, THROTTLE, YAW, Observation, Reference
from cupola.physics.rotation import Vector, add, euler_from_quaternion, scale, subtract, wrap
from cupola.xmath import Number, absolute, clip, cos, maximum, sin

HEADING_LEASH = 0.5
"""[rad] the heading reference may run ahead."""
CENTRED = 0.02
STILL = 0.15
"""[m/s], up or down, below which something holds it from below."""
SETTLED = 0.3
"""[s] after which it stands."""
STANDING, MOVING, HOLDING = 0.0, 1.0, 2.0
"""Its phases."""


class VelocityState(NamedTuple):
    """The reference point, and what the observer expects; `started` is 0 before the first call."""

    started: Number = 0.0
    x: Number = 0.0
    y: Number = 0.0
    z: Number = 0.0
    yaw: Number = 0.0
    vel_x: Number = 0.0
    vel_y: Number = 0.0
    vel_z: Number = 0.0
    """[m/s] that the sticks have brought it to."""
    late_x: Number = 0.0
    late_y: Number = 0.0
    late_z: Number = 0.0
    """[m/s] of the point: the same, late by the lag of the attitude."""
    expected_x: Number = 0.0
    expected_y: Number = 0.0
    expected_z: Number = 0.0
    given_x: Number = 0.0
    given_y: Number = 0.0
    given_z: Number = 0.0
    rested: Number = 0.0
    """[s] kept on the ground; from SETTLED on the motors are off."""


def stick_velocity(sticks: Any, yaw: Number, p: Any) -> Vector:
    """Velocity [m/s, world] that the sticks ask for: nose down is forward, right side down is right, throttle is up."""
    forward, left = -p.speed_max * sticks[PITCH], -p.speed_max * sticks[ROLL]
    wish = Vector(forward * cos(yaw) - left * sin(yaw), forward * sin(yaw) + left * cos(yaw), 0.0)
    return add(wish, Vector(0.0, 0.0, p.climb_max * sticks[THROTTLE]))


def near_ground(wish: Vector, height: Number, p: Any) -> Vector:
    """The wish [m/s] at a height over the ground [m]: slower and slower down there, and no faster than it can brake."""
    room = maximum(height, 0.0)
    level = limit(Vector(wish.x, wish.y, 0.0), p.creep_speed + p.speed_slope * room)
    return Vector(level.x, level.y, maximum(wish.z, -p.touch_sink - p.sink_slope * room))


def rest(obs: Observation, throttle: Number, state: VelocityState, p: Any) -> Number:
    """Time it has been kept on the ground [s]; where it starts there, it stands at once."""
    low = obs.pos_w.z < p.rest_height and absolute(obs.vel_w.z) < STILL
    if throttle > CENTRED or (state.rested < SETTLED and not low):
        return 0.0
    if state.started < 0.5 or state.rested >= SETTLED:
        return SETTLED
    return state.rested + obs.period if throttle < -CENTRED else 0.0


class VelocityDemand(NamedTuple):
    """Set-points from the sticks."""

    accel_w: Vector
    """[m/s²]."""
    velocity_w: Vector
    """[m/s], of the reference and towards it."""
    yaw: Number
    yaw_rate: Number
    state: VelocityState
    """After this call; at rest the motors stand still."""


def follow_sticks(obs: Observation, ref: Reference, turn: Number, state: VelocityState, p: Any) -> VelocityDemand:
    """Move the reference as the sticks ask, and find what follows it; `turn` [rad/s] is added to the yaw stick's."""
    nose = euler_from_quaternion(obs.quat_wb).yaw
    rested = rest(obs, ref.sticks[THROTTLE], state, p)
    if rested >= SETTLED:
        x, y, z = obs.pos_w
        still = VelocityState(1.0, x, y, z, nose, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, *obs.vel_w[:], 0.0, 0.0, 0.0, rested)
        return VelocityDemand(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0), nose, 0.0, still)
    point, yaw = Vector(state.x, state.y, state.z), state.yaw
    before, late = Vector(state.vel_x, state.vel_y, state.vel_z), Vector(state.late_x, state.late_y, state.late_z)
    if state.started < 0.5:
        point, yaw, before, late = obs.pos_w, nose, obs.vel_w, obs.vel_w
    yaw_rate = turn - p.turn_max * ref.sticks[YAW]
    yaw = nose + clip(wrap(yaw + yaw_rate * obs.period - nose), -HEADING_LEASH, HEADING_LEASH)
    wish = near_ground(stick_velocity(ref.sticks, yaw, p), obs.pos_w.z, p)
    faster = limit(scale(p.stick_bandwidth, subtract(wish, before)), p.stick_accel)
    velocity = add(before, scale(obs.period, faster))
    late = lean_into(late, velocity, lag_of(p), obs.period)
    ahead = limit(subtract(add(point, scale(obs.period, late)), obs.pos_w), p.leash)
    towards = add(late, scale(p.position_kp, ahead))
    # The reference's own acceleration is part of the wish: as a lead of the velocity it passes the same limits.
    wanted = add(towards, scale(1.0 / maximum(p.velocity_kp, 1e-9), faster))
    push = track_velocity(wanted, expected_by(state, obs), lag_of(p), obs, p)
    point, (vel, accel) = add(obs.pos_w, ahead), push.expected
    after = VelocityState(1.0, *point[:], yaw, *velocity[:], *late[:], *vel[:], *accel[:], rested)
    return VelocityDemand(push.accel_w, towards, yaw, yaw_rate, after)


def multirotor_velocity(
    obs: Observation, ref: Reference, state: VelocityState, p: Any
) -> tuple[Accelerations, VelocityState]:
    """Accelerations that follow the sticks."""
    wish = follow_sticks(obs, ref, 0.0, state, p)
    if wish.state.rested >= SETTLED:
        return Accelerations(0.0, 0.0, 0.0, 0.0), wish.state
    return point_thrust(wish.accel_w, wish.yaw, wish.yaw_rate, obs, p), wish.state


class VelocitySignals(NamedTuple):
    """The reference moved by the sticks, and errors (actual minus set-point)."""

    position: Vector
    """[m] of the reference point, world axes."""
    velocity: Vector
    """[m/s] set-point: of the reference, and towards it, world axes."""
    yaw: Number
    """[rad] set-point."""
    error: Vector
    """[m] of the position, world axes."""
    velocity_error: Vector
    """[m/s], world axes."""
    yaw_error: Number
    """[rad]."""
    phase: Number
    """[1]."""


def stick_signals(obs: Observation, ref: Reference, state: Any, p: Any) -> VelocitySignals:
    """Set-points from the sticks, from the state after a call."""
    point, sticks = Vector(state.x, state.y, state.z), ref.sticks
    velocity = Vector(state.late_x, state.late_y, state.late_z)
    velocity = add(velocity, scale(p.position_kp, subtract(point, obs.pos_w)))
    most = maximum(
        maximum(absolute(sticks[ROLL]), absolute(sticks[PITCH])),
        maximum(absolute(sticks[YAW]), absolute(sticks[THROTTLE])),
    )
    return VelocitySignals(
        point,
        velocity,
        state.yaw,
        subtract(obs.pos_w, point),
        subtract(obs.vel_w, velocity),
        wrap(euler_from_quaternion(obs.quat_wb).yaw - state.yaw),
        STANDING if state.rested >= SETTLED else MOVING if most > CENTRED else HOLDING,
    )


class VelocitySticks(VelocityGains):
    """The tunable numbers of `follow_sticks`, and what to tell people."""

    needs = THRUST_AND_TURN
    stick_words = VELOCITY
    phases = ("on the ground", "flying by the sticks", "holding position")

    speed_max: parameter = parameter(5.0, low=0.1, high=30, unit="m/s", about="at full roll or pitch stick")
    climb_max: parameter = parameter(2.0, low=0.1, high=10, unit="m/s", about="at full throttle stick")
    turn_max: parameter = parameter(1.5, low=0.1, high=6, unit="rad/s", about="at full yaw stick")
    stick_accel: parameter = parameter(3.0, low=0.1, high=20, unit="m/s²", about="most acceleration of the reference")
    stick_bandwidth: parameter = parameter(
        4.0, low=0.2, high=20, unit="1/s", about="how soon the reference has the stick's speed"
    )
    leash: parameter = parameter(1.0, low=0.05, high=20, unit="m", about="how far the reference may run ahead")
    tilt_bandwidth: parameter = parameter(8.0, low=1, high=40, unit="rad/s")
    yaw_bandwidth: parameter = parameter(2.5, low=0.02, high=20, unit="rad/s")
    damping: parameter = parameter(0.9, low=0.2, high=3)
    rest_height: parameter = parameter(
        0.1, low=0.01, high=5, unit="m", about="height of the root below which it may stand"
    )
    touch_sink: parameter = parameter(0.4, low=0.05, high=3, unit="m/s", about="fastest sink at the ground")
    sink_slope: parameter = parameter(0.7, low=0.05, high=5, unit="1/s", about="how much faster it may sink per height")
    creep_speed: parameter = parameter(0.4, low=0.05, high=10, unit="m/s", about="fastest sideways at the ground")
    speed_slope: parameter = parameter(3.0, low=0.1, high=20, unit="1/s", about="how much faster sideways per height")

    @staticmethod
    def point(state: Any) -> VelocityState:
        """The reference point, in the state of the law."""
        found: VelocityState = state
        return found

    def goal(self, obs: Observation, ref: Reference, state: Any) -> Setpoint | None:
        """The reference point."""
        now = self.point(state)
        return Setpoint(now.x, now.y, now.z, now.yaw) if now.started else None

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """Standing, moving or holding."""
        if self.point(state).rested >= SETTLED:
            return "on the ground: throttle up to take off"
        moving = any(abs(stick) > CENTRED for stick in ref.sticks[:4])
        return "flying by the sticks" if moving else "holding position"


class MultirotorVelocity(VelocitySticks):
    """Sticks: velocity right, backward and up, turn rate; for any vehicle that has a `mixer`."""

    State = VelocityState
    Signals = VelocitySignals
    law = staticmethod(multirotor_velocity)
    report = staticmethod(stick_signals)
