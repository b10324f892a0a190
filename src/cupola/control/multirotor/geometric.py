"""Attitude control on SO(3): no angles, so no attitude is special; it recovers from upside down.

Lee, Leok and McClamroch, Geometric tracking control of a quadrotor UAV on SE(3), CDC 2010, equations (15) to (23). As
the vehicle's `mixer` takes accelerations, their moments are divided by the inertia: k_R becomes bandwidth² and k_Ω
2 damping bandwidth, one pair for the tilt and one for the heading. Left out: the gyroscopic term (the mixer knows the
inertia, this law does not) and the angular acceleration of the reference.

Changed, because the paper's error e_R fades where it is needed most: its tilt part shrinks when the heading is off too,
and all of it is zero upside down, where the vehicle would stay. Here the tilt error is that of the thrust axis alone,
and keeps its size beyond a right angle; for a right heading and tilts below that it is e_R.
"""

from typing import Any

from cupola.control.multirotor.waypoints import Accelerations, MultirotorWaypoints, respond
from cupola.control.waypoints import (
    DOWN,
    WaypointSignals,
    WaypointState,
    follow_plan,
    guidance_signals,
    lag_of,
    leaning_force,
    with_attitude,
)
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import Euler, Vector, attitude_error, axes_along, dot, rotate, unrotate
from cupola.xmath import Number, asin, atan2, clip, maximum, sqrt


def point_thrust(accel_w: Vector, yaw: Number, yaw_rate: Number, obs: Observation, p: Any) -> Accelerations:
    """Accelerate by `accel_w` [m/s²] with the nose at `yaw` [rad], turning at `yaw_rate` [rad/s].

    The attitude whose z axis lies along the wanted specific force, leaning `tilt_max` at most. The thrust is the part
    of that force along the body's own z axis, so a vehicle that points elsewhere does not push until it has turned.
    """
    force_w = leaning_force(accel_w, p)
    ref = axes_along(force_w, yaw)
    error = insist(attitude_error(obs.quat_wb, ref), unrotate(obs.quat_wb, ref.z))
    turn_b = unrotate(obs.quat_wb, Vector(0.0, 0.0, yaw_rate))
    return Accelerations(
        maximum(dot(force_w, rotate(obs.quat_wb, Vector(0.0, 0.0, 1.0))), 0.0),
        respond(-error.x, obs.rate_b.x - turn_b.x, p.tilt_bandwidth, p.damping),
        respond(-error.y, obs.rate_b.y - turn_b.y, p.tilt_bandwidth, p.damping),
        respond(-error.z, obs.rate_b.z - turn_b.z, p.yaw_bandwidth, p.damping),
    )


def attitude_along(force_w: Vector, yaw: Number) -> Euler:
    """Angles [rad] of the attitude whose z axis lies along a force."""
    axes = axes_along(force_w, yaw)
    return Euler(atan2(axes.y.z, axes.z.z), asin(clip(-axes.x.z, -1.0, 1.0)), atan2(axes.x.y, axes.x.x))


def insist(error: Vector, up_b: Vector) -> Vector:
    """The attitude error with the tilt of the thrust axis instead of its own; `up_b` is the wanted z axis, body axes.

    Its size is the sine of the tilt up to a right angle, 1 beyond; exactly upside down it rolls.
    """
    size = sqrt(up_b.x * up_b.x + up_b.y * up_b.y)
    if up_b.z > 0.0:
        return Vector(up_b.y, -up_b.x, error.z)
    if size < 1e-6:
        return Vector(1.0, 0.0, error.z)
    return Vector(up_b.y / size, -up_b.x / size, error.z)


def multirotor_geometric(
    obs: Observation, ref: Reference, state: WaypointState, p: Any
) -> tuple[Accelerations, WaypointState]:
    """Accelerations that follow the plan."""
    goal = follow_plan(obs, ref, state, lag_of(p), p)
    command = point_thrust(goal.accel_w, goal.yaw, 0.0, obs, p)
    if goal.state.landing == DOWN:
        command = Accelerations(0.0, 0.0, 0.0, 0.0)
    return command, goal.state


def geometric_signals(obs: Observation, ref: Reference, state: WaypointState, p: Any) -> WaypointSignals:
    """Set-points and errors."""
    s = guidance_signals(obs, ref, state, p)
    return with_attitude(s, attitude_along(leaning_force(s.acceleration, p), s.attitude.yaw), obs)


class MultirotorGeometric(MultirotorWaypoints):
    """Flies the `plan` of the scenario with any vehicle that has a `mixer`, from any attitude."""

    law = staticmethod(multirotor_geometric)
    report = staticmethod(geometric_signals)
