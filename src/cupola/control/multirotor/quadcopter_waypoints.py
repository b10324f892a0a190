"""Waypoints for four motors mixed as in the thesis, with the body rates as derivative.

The bandwidths are those that the thesis's gains give its own quadcopter; the gains and the hover throttle follow from
the robot.
"""

from typing import Any

from cupola.config.controller import parameter
from cupola.control.mixing import Quad, mix_quad
from cupola.control.multirotor.authority import authority_of, damping, stiffness
from cupola.control.waypoints import (
    DOWN,
    GRAVITY,
    WaypointGains,
    WaypointState,
    follow_plan,
    tilt_for,
    tilted_signals,
)
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import euler_from_quaternion, wrap
from cupola.xmath import clip, sqrt

TILT, TILT_RATIO = 8.79, 0.977
YAW, YAW_RATIO = 5.13, 2.34
"""[rad/s] and damping ratios."""
LAG = 2.0 * TILT_RATIO / TILT
"""[s] of the tilt."""


def quadcopter_waypoints(obs: Observation, ref: Reference, state: WaypointState, p: Any) -> tuple[Quad, WaypointState]:
    """Motor signals that follow the plan. The mixer counts nose up and nose right positive, hence the signs."""
    goal = follow_plan(obs, ref, state, LAG, p)
    now = euler_from_quaternion(obs.quat_wb)
    tilt = tilt_for(goal.accel_w, now.yaw, p)
    throttle = p.hover * sqrt(tilt.thrust / GRAVITY)  # thrust grows with throttle squared
    motors = mix_quad(
        clip(throttle, 0.0, p.throttle_max),
        clip(p.roll_kp * (tilt.roll - now.roll) - p.roll_kd * obs.rate_b.x, -1.0, 1.0),
        clip(-p.pitch_kp * (tilt.pitch - now.pitch) + p.pitch_kd * obs.rate_b.y, -1.0, 1.0),
        clip(-p.yaw_kp * wrap(goal.yaw - now.yaw) + p.yaw_kd * obs.rate_b.z, -1.0, 1.0),
    )
    if goal.state.landing == DOWN:
        motors = Quad(0.0, 0.0, 0.0, 0.0)
    return motors, goal.state


class QuadcopterWaypoints(WaypointGains):
    """Flies the `plan` of the scenario with four motors on channels 0 to 3."""

    law = staticmethod(quadcopter_waypoints)
    report = staticmethod(tilted_signals)

    throttle_max: parameter = parameter(0.9, low=0.5, high=1, about="leaves room for attitude control")
    hover: parameter = parameter(
        robot=lambda robot, c: authority_of(robot, c, mix_quad, 4).hover,
        low=0.05,
        high=0.95,
        about="throttle that carries the weight at rest",
    )
    roll_kp: parameter = stiffness("roll", mix_quad, 4, TILT)
    roll_kd: parameter = damping("roll", mix_quad, 4, TILT, TILT_RATIO)
    pitch_kp: parameter = stiffness("pitch", mix_quad, 4, TILT)
    pitch_kd: parameter = damping("pitch", mix_quad, 4, TILT, TILT_RATIO)
    yaw_kp: parameter = stiffness("yaw", mix_quad, 4, YAW)
    yaw_kd: parameter = damping("yaw", mix_quad, 4, YAW, YAW_RATIO)
