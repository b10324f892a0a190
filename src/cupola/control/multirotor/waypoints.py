"""Waypoints for any multirotor: commands accelerations, which the vehicle's `mixer` part turns into throttles.

Needs no mass, size or number of rotors: those are read from the model. The attitude loop is a second-order response of
chosen bandwidth per axis.
"""

from typing import Any, NamedTuple

from cupola.config.controller import parameter
from cupola.control.waypoints import DOWN, WaypointGains, WaypointState, follow_plan, lag_of, tilt_for, tilted_signals
from cupola.kernel.commands import THRUST_AND_TURN
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import euler_from_quaternion, wrap
from cupola.xmath import Number


class Accelerations(NamedTuple):
    """Channels 0 to 3: specific thrust along body z [m/s²], angular accelerations about body x, y, z [rad/s²]."""

    thrust: Number
    roll: Number
    pitch: Number
    yaw: Number


def respond(error: Number, rate: Number, bandwidth: Number, damping: Number) -> Number:
    """Angular acceleration [rad/s²] of a second-order response to an angle error [rad]."""
    return bandwidth * bandwidth * error - 2.0 * damping * bandwidth * rate


def multirotor_waypoints(
    obs: Observation, ref: Reference, state: WaypointState, p: Any
) -> tuple[Accelerations, WaypointState]:
    """Accelerations that follow the plan."""
    goal = follow_plan(obs, ref, state, lag_of(p), p)
    now = euler_from_quaternion(obs.quat_wb)
    tilt = tilt_for(goal.accel_w, now.yaw, p)
    command = Accelerations(
        tilt.thrust,
        respond(tilt.roll - now.roll, obs.rate_b.x, p.tilt_bandwidth, p.damping),
        respond(tilt.pitch - now.pitch, obs.rate_b.y, p.tilt_bandwidth, p.damping),
        respond(wrap(goal.yaw - now.yaw), obs.rate_b.z, p.yaw_bandwidth, p.damping),
    )
    if goal.state.landing == DOWN:
        command = Accelerations(0.0, 0.0, 0.0, 0.0)
    return command, goal.state


class MultirotorWaypoints(WaypointGains):
    """Flies the `plan` of the scenario with any vehicle that has a `mixer`."""

    needs = THRUST_AND_TURN
    law = staticmethod(multirotor_waypoints)
    report = staticmethod(tilted_signals)

    tilt_bandwidth: parameter = parameter(8.0, low=1, high=40, unit="rad/s")
    yaw_bandwidth: parameter = parameter(2.5, low=0.02, high=20, unit="rad/s")
    damping: parameter = parameter(0.9, low=0.2, high=3)
