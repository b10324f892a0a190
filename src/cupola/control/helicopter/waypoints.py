"""A helicopter flies the plan of the scenario: takes off, flies to its waypoints, lands."""

from typing import Any, NamedTuple

from cupola.control.helicopter.steering import DiscGains, HelicopterCommand, disc_lag, steer
from cupola.control.multirotor.geometric import geometric_signals
from cupola.control.waypoints import DOWN, WaypointGains, WaypointSignals, WaypointState, follow_plan
from cupola.kernel.commands import BLADE_ANGLES
from cupola.kernel.observation import Observation, Reference
from cupola.xmath import Number


class HelicopterState(NamedTuple):
    """As `WaypointState`, and what the yaw loop has learnt [rad/s²]."""

    index: Number = 0.0
    held: Number = 0.0
    expected_x: Number = 0.0
    expected_y: Number = 0.0
    expected_z: Number = 0.0
    given_x: Number = 0.0
    given_y: Number = 0.0
    given_z: Number = 0.0
    landing: Number = 0.0
    started: Number = 0.0
    turning: Number = 0.0


def way_of(s: HelicopterState) -> WaypointState:
    """Without the yaw loop."""
    expected, given = (s.expected_x, s.expected_y, s.expected_z), (s.given_x, s.given_y, s.given_z)
    return WaypointState(s.index, s.held, *expected, *given, s.landing, s.started)


def helicopter_waypoints(
    obs: Observation, ref: Reference, state: HelicopterState, p: Any
) -> tuple[HelicopterCommand, HelicopterState]:
    """Collective, cyclic and tail rotor that follow the plan."""
    goal = follow_plan(obs, ref, way_of(state), disc_lag(p), p)
    if goal.state.landing == DOWN:
        return HelicopterCommand(p.idle_collective, 0.0, 0.0, 0.0), HelicopterState(*goal.state[:], 0.0)
    now = steer(goal.accel_w, goal.yaw, 0.0, state.turning, obs, p)
    return now.command, HelicopterState(*goal.state[:], now.turning)


def helicopter_signals(obs: Observation, ref: Reference, state: HelicopterState, p: Any) -> WaypointSignals:
    """Set-points and errors."""
    return geometric_signals(obs, ref, way_of(state), p)


class HelicopterWaypoints(DiscGains, WaypointGains):
    """Flies the `plan` of the scenario with a helicopter: main and tail rotor."""

    needs = BLADE_ANGLES
    State = HelicopterState
    law = staticmethod(helicopter_waypoints)
    report = staticmethod(helicopter_signals)

    def take_over(self, obs: Observation, before: HelicopterState) -> HelicopterState:
        """On to the waypoint it was flying to; a landing is flown again."""
        return HelicopterState(index=before.index, turning=before.turning)
