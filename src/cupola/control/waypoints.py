"""Following a plan: which waypoint now, how fast towards it, and what acceleration that takes.

Position error gives a wanted velocity (limited), velocity error a wanted acceleration (with an integral against steady
wind), and that a tilt and a thrust, since a multirotor accelerates along its thrust. Structure: Beard and McLain, Small
Unmanned Aircraft, chapter 14; Mellinger and Kumar, ICRA 2011, equation (3) for small angles.
"""

from typing import Any, NamedTuple

from cupola.kernel.observation import Seen, Wanted
from cupola.physics.rotation import Vector, add, length, scale, subtract
from cupola.sim.controller import Controller, Setpoint, parameter
from cupola.xmath import Number, absolute, atan2, clip, cos, maximum, sin, where

GRAVITY = 9.81
SETTLED = 0.5
"""[s] without sinking that count as standing on the ground."""
LANDING, DOWN = 1.0, 2.0
TAKE_OFF = 0.5
"""[m] below the first waypoint that people call a take-off."""


class WaypointState(NamedTuple):
    """Progress along the plan and the integral of the velocity error."""

    index: Number = 0.0
    held: Number = 0.0
    sum_x: Number = 0.0
    sum_y: Number = 0.0
    sum_z: Number = 0.0
    landing: Number = 0.0
    """LANDING while sinking, DOWN when the ground holds it."""


class Guidance(NamedTuple):
    """Wanted acceleration [m/s²], heading [rad], and the state after this call."""

    accel_w: Vector
    yaw: Number
    state: WaypointState


class Push(NamedTuple):
    """Wanted acceleration [m/s²] and the integral of the velocity error [m] after this call."""

    accel_w: Vector
    total: Vector


class Tilt(NamedTuple):
    """Specific thrust [m/s²] and the attitude it needs [rad]."""

    thrust: Number
    roll: Number
    pitch: Number


class VelocityGains(Controller):
    """The tunable numbers of `track_velocity` and `tilt_for`."""

    position_kp = parameter(1.0, low=0, high=5, unit="1/s")
    velocity_kp = parameter(2.5, low=0, high=10, unit="1/s")
    velocity_ki = parameter(0.6, low=0, high=5, unit="1/s²")
    accel_max = parameter(5.0, low=0.5, high=20, unit="m/s²")
    sum_max = parameter(2.0, low=0, high=10, unit="m", about="limit of the integrated velocity error")
    tilt_max = parameter(0.5, low=0.05, high=1.2, unit="rad")


class WaypointGains(VelocityGains):
    """The tunable numbers of `follow_plan`."""

    State = WaypointState

    radius = parameter(0.15, low=0.01, high=5, unit="m", about="closer than this counts as arrived")

    def take_over(self, seen: Seen, before: WaypointState) -> WaypointState:
        """On to the waypoint it was flying to, without the integral of another flight; a landing is flown again."""
        return WaypointState(index=before.index)

    def goal(self, seen: Seen, wanted: Wanted, state: WaypointState) -> Setpoint | None:
        """The waypoint."""
        return Setpoint(*wanted.plan[int(state.index)][:4]) if wanted.plan else None

    def mission(self, seen: Seen, wanted: Wanted, state: WaypointState) -> str:
        """Which waypoint, or the ends of the flight."""
        if not wanted.plan:
            return "slowing down"
        if state.landing:
            return "landed" if state.landing == DOWN else "landing"
        if state.index == 0.0 and wanted.plan[0][2] - seen.pos_w.z > TAKE_OFF:
            return "take-off"
        return f"waypoint {int(state.index) + 1} of {len(wanted.plan)}"


def follow_plan(seen: Seen, wanted: Wanted, state: WaypointState, p: Any) -> Guidance:
    """Acceleration towards the present waypoint of the plan; without a plan, stay."""
    if len(wanted.plan) == 0:
        return Guidance(scale(-p.velocity_kp, seen.vel_w), 0.0, state)
    row = wanted.plan[int(state.index)]
    index, held, landing = _progress(seen, row, float(len(wanted.plan) - 1), state, p)
    velocity = limit(scale(p.position_kp, subtract(Vector(row[0], row[1], row[2]), seen.pos_w)), row[4])
    sinking = Vector(velocity.x, velocity.y, -row[4])
    push = track_velocity(
        sinking if landing > 0.0 else velocity, Vector(state.sum_x, state.sum_y, state.sum_z), seen, p
    )
    total = push.total
    return Guidance(push.accel_w, row[3], WaypointState(index, held, total.x, total.y, total.z, landing))


def track_velocity(velocity_w: Vector, total: Vector, seen: Seen, p: Any) -> Push:
    """Acceleration towards a wanted velocity [m/s]; `total` is the integral of the error so far [m]."""
    off = subtract(velocity_w, seen.vel_w)
    total = limit(add(total, scale(seen.period, off)), p.sum_max)
    return Push(limit(add(scale(p.velocity_kp, off), scale(p.velocity_ki, total)), p.accel_max), total)


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


def _progress(seen: Seen, row: Any, last: Number, state: WaypointState, p: Any) -> tuple[Number, Number, Number]:
    """Waypoint index, time held there, landing: on after the hold; on a landing row wait for the ground."""
    away = length(subtract(Vector(row[0], row[1], row[2]), seen.pos_w))
    land = row[6] > 0.5
    still = where(land, absolute(seen.vel_w.z) < 0.25 * row[4], away < p.radius)
    held = where(still, state.held + seen.period, 0.0)
    arrived = held > where(land, SETTLED, row[5])
    index = clip(state.index + where(arrived, where(land, 0.0, 1.0), 0.0), 0.0, last)
    landing = where(land, where(arrived, DOWN, LANDING), 0.0)
    landing = where(state.landing == DOWN, DOWN, landing)
    return index, where(index > state.index, 0.0, held), landing
