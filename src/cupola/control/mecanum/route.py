"""Drives what the sticks say in SI units, open loop: 0 forward, 1 left [m/s], 2 turn rate [rad/s].

With the `route` of a scenario it is the thesis's generator and inverse kinematics in one; without, the way in for
another program that commands velocities. It remembers the path of its commands, to tell how far the base is off; what
it commands does not depend on that.
"""

from typing import Any, NamedTuple

from cupola.config.stick_words import StickWords
from cupola.control.mecanum.drive import STANDING, MecanumGeometry, wheels_for
from cupola.control.told import PlanarPose, PlanarTwist
from cupola.kernel.observation import Observation, Reference
from cupola.physics.mecanum import Wheels
from cupola.physics.planar import Pose, Twist, advance, compose
from cupola.physics.rotation import euler_from_quaternion, wrap
from cupola.xmath import Number, absolute, maximum, where

X, Y, TURN = 0, 1, 2
"""Channels of the commanded velocities, forward, left and turn rate."""


class RouteState(NamedTuple):
    """Where the commands lead the driven frame, world axes, and the last of them; `started` is 0 before the first."""

    started: Number = 0.0
    x: Number = 0.0
    y: Number = 0.0
    yaw: Number = 0.0
    """[m, rad]."""
    vel_x: Number = 0.0
    vel_y: Number = 0.0
    rate: Number = 0.0


class RouteSignals(NamedTuple):
    """Present commands, their path, and the error of the base (actual minus set-point)."""

    twist: PlanarTwist
    """Commanded."""
    wheels: Wheels
    """[rad/s] commanded."""
    path: PlanarPose
    """Where the commands lead from where it began, world axes."""
    error: PlanarPose
    """Of the driven frame, world axes."""
    phase: Number
    """[1]."""


def mecanum_route(obs: Observation, ref: Reference, state: RouteState, p: Any) -> tuple[Wheels, RouteState]:
    """Inverse kinematics of what the sticks say now."""
    twist = Twist(ref.sticks[X], ref.sticks[Y], ref.sticks[TURN])
    path = advance(Pose(state.x, state.y, state.yaw), Twist(state.vel_x, state.vel_y, state.rate), obs.period)
    if state.started < 0.5:
        path = driven_frame(obs, p)
    held = Twist(_or(twist.x, state.vel_x), _or(twist.y, state.vel_y), _or(twist.yaw, state.rate))
    return wheels_for(twist, p), RouteState(1.0, path.x, path.y, path.yaw, held.x, held.y, held.yaw)


def _or(stick: Number, held: Number) -> Number:
    """A stick, or what was held before where it is no number."""
    return where(stick == stick, stick, held)


def driven_frame(obs: Observation, p: Any) -> Pose:
    """Where the frame is that the commands are meant for."""
    base = Pose(obs.pos_w.x, obs.pos_w.y, euler_from_quaternion(obs.quat_wb).yaw)
    return compose(base, Pose(p.base_frame_offset_x, p.base_frame_offset_y, p.base_frame_offset_theta))


def route_signals(obs: Observation, ref: Reference, state: RouteState, p: Any) -> RouteSignals:
    """From the state after a call."""
    now, twist = driven_frame(obs, p), Twist(state.vel_x, state.vel_y, state.rate)
    most = maximum(maximum(absolute(twist.x), absolute(twist.y)), absolute(twist.yaw))
    return RouteSignals(
        PlanarTwist(twist.x, twist.y, twist.yaw),
        wheels_for(twist, p),
        PlanarPose(state.x, state.y, state.yaw),
        PlanarPose(now.x - state.x, now.y - state.y, wrap(now.yaw - state.yaw)),
        1.0 if most > STANDING else 0.0,
    )


class MecanumRoute(MecanumGeometry):
    """Sticks: forward, left [m/s], turn rate [rad/s]. Made for the `route` of a scenario."""

    State = RouteState
    stick_words = StickWords(roll=("forward", "back"), pitch=("left", "right"), yaw=("turn left", "turn right"))
    Signals = RouteSignals
    phases = ("standing", "driving")
    law = staticmethod(mecanum_route)
    report = staticmethod(route_signals)

    def mission(self, obs: Observation, ref: Reference, state: RouteState) -> str:
        """Present commands."""
        x, y, rate = ref.sticks[:3]
        return f"driving {x:g} m/s forward, {y:g} m/s left, {rate:g} rad/s"
