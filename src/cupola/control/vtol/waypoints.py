"""A vehicle with wings and lift rotors flies its plan: straight up, on the wing along the path, straight down.

It climbs facing the wind, turns its nose to the first leg, or stays in the wind where that leg is downwind, and flies
off until the wing carries it. On the way to a waypoint with `land` it keeps the height of the waypoint before, brakes
in time, stops over the place and sinks onto it, again facing the wind; to a landing nearby it hovers all the way.
Without a plan it hovers over the start. Phases are those of `phases.py`, the path that of `plane.path`.
"""

from typing import Any, NamedTuple

from cupola.config.controller import Setpoint, parameter
from cupola.control.plane.loops import Goal, Trims, airspeed, bank_for, climb_for
from cupola.control.plane.path import ARC, CIRCLE, LINE, PathGains, Track, leg_to, path_error, track
from cupola.control.told import NOTHING, NOWHERE
from cupola.control.vtol.blend import (
    OFF,
    VtolCommand,
    VtolGains,
    blend,
    crab,
    hover,
    rotor_share,
    turn_into_wind,
    wing_flight,
)
from cupola.control.vtol.phases import (
    BRAKING,
    CLIMBING,
    CLOSE,
    DOWN,
    LEAVING,
    NEW,
    SINKING,
    TURNING,
    WORDS,
    VtolState,
    approach_speed,
    begin,
    hover_height,
    next_phase,
    progress,
)
from cupola.control.waypoints import Expected, lag_of, limit, track_velocity
from cupola.kernel.commands import THRUST_AND_TURN
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import Vector, euler_from_quaternion, length, scale, subtract, wrap
from cupola.xmath import Number, atan2, clip, maximum, minimum

TURN_GAIN = 0.7
"""[1/s], turn rate of the reference per heading error."""
STILL = Vector(0.0, 0.0, 0.0)
HEADING_LEASH = 0.5
"""[rad] the heading reference may run ahead."""


def vtol_waypoints(obs: Observation, ref: Reference, state: VtolState, p: Any) -> tuple[VtolCommand, VtolState]:
    """All channels, along the plan."""
    s = next_phase(obs, ref, begin(obs, state, p), p)
    trims = Trims(s.pitch, s.climb, s.speed, s.side)
    nose = euler_from_quaternion(obs.quat_wb).yaw
    if s.phase == DOWN:
        return OFF, s
    if s.phase in (LEAVING, LINE, ARC, CIRCLE):
        way = _way(obs, ref, s, p)
        goal = _goal(way, obs, p)
        wish, total = wing_flight(goal, way.course, trims, obs, p)
        flown = blend(wish, Trims(trims.pitch, trims.climb, total, trims.side), obs, p)
        return flown.command, _after(s, nose, Expected(obs.vel_w, STILL), flown.trims)
    velocity = _hover_velocity(obs, ref, s, p)
    vel_w = Vector(s.expected_x, s.expected_y, s.expected_z)
    expected = Expected(vel_w, Vector(s.given_x, s.given_y, s.given_z))
    push = track_velocity(velocity, expected, lag_of(p), obs, p)
    rate = turn_into_wind(obs, p)
    if s.phase == TURNING:
        # From the nose, not from the reference: the reference leads as far as the fins pull the nose back.
        rate = clip(TURN_GAIN * wrap(crab(s.course, obs, p) - nose), -p.turn_max, p.turn_max)
    yaw = nose + clip(wrap(s.yaw + rate * obs.period - nose), -HEADING_LEASH, HEADING_LEASH)
    flown = blend(hover(push.accel_w, velocity.z, yaw, rate, obs, p), trims, obs, p)
    return flown.command, _after(s, yaw, push.expected, flown.trims)


def _goal(way: Track, obs: Observation, p: Any) -> Goal:
    """Set-points of the plane's loops."""
    return Goal(bank_for(way.course, way.bank_ahead, obs, p), climb_for(way.height, 0.0, obs, p), way.speed)


class VtolSignals(NamedTuple):
    """Set-points and errors (actual minus set-point); NaN without a set-point."""

    height: Number
    """[m] set-point."""
    climb: Number
    """[m/s] set-point."""
    airspeed: Number
    """[m/s] set-point on the wing."""
    course: Number
    """[rad] set-point on the wing, over ground."""
    bank: Number
    """[rad] set-point on the wing, right side down."""
    velocity: Vector
    """[m/s] set-point in hover, world axes."""
    yaw: Number
    """[rad] set-point in hover."""
    height_error: Number
    """[m]."""
    airspeed_error: Number
    """[m/s]."""
    course_error: Number
    """[rad]."""
    velocity_error: Vector
    """[m/s], world axes."""
    path_error: Number
    """[m] to the left of the path over ground, on the wing."""
    blend: Number
    """[1] share of the lift rotors: 1 in hover, 0 on the wing."""
    waypoint: Number
    """[1] its number, from 1; 0 without a plan."""
    phase: Number
    """[1]."""


def vtol_signals(obs: Observation, ref: Reference, s: VtolState, p: Any) -> VtolSignals:
    """From the state after a call."""
    number, share = 0.0 if len(ref.plan) == 0 else s.index + 1.0, rotor_share(obs, p)
    none = (NOTHING, NOTHING, NOTHING)
    if s.phase == DOWN:
        return VtolSignals(NOTHING, NOTHING, *none, NOWHERE, NOTHING, *none, NOWHERE, NOTHING, 0.0, number, s.phase)
    if s.phase in (LEAVING, LINE, ARC, CIRCLE):
        way = _way(obs, ref, s, p)
        goal, beside = _goal(way, obs, p), NOTHING
        if s.phase != LEAVING:
            beside = path_error(obs, ref, progress(s), p)
        speed = clip(way.speed, p.speed_min, p.speed_max)
        off = wrap(atan2(obs.vel_w.y, obs.vel_w.x) - way.course)
        high, fast = obs.pos_w.z - way.height, airspeed(obs) - speed
        return VtolSignals(
            way.height,
            goal.climb,
            speed,
            way.course,
            goal.bank,
            NOWHERE,
            NOTHING,
            high,
            fast,
            off,
            NOWHERE,
            beside,
            share,
            number,
            s.phase,
        )
    velocity, height = _hover_velocity(obs, ref, s, p), hover_height(ref, s, p)
    if s.phase == SINKING:
        height = NOTHING
    high, off_w = obs.pos_w.z - height, subtract(obs.vel_w, velocity)
    return VtolSignals(
        height, velocity.z, *none, velocity, s.yaw, high, NOTHING, NOTHING, off_w, NOTHING, share, number, s.phase
    )


def _way(obs: Observation, ref: Reference, s: VtolState, p: Any) -> Track:
    """The path of a plane; but straight ahead at first, and level to the place of the landing."""
    row, height = ref.plan[int(s.index)], hover_height(ref, s, p)
    if s.phase == LEAVING:
        return Track(s.course, 0.0, height, 0.0, row[4], -1e9)
    way = track(obs, ref, progress(s), p)
    return Track(way.course, 0.0, height, 0.0, way.speed, row[2]) if row[6] > 0.5 else way


def _hover_velocity(obs: Observation, ref: Reference, s: VtolState, p: Any) -> Vector:
    """Velocity [m/s] in hover: to the place of the take-off or the landing, or just to a stop while turning."""
    climb = climb_for(hover_height(ref, s, p), 0.0, obs, p)
    if s.phase == TURNING:
        return Vector(0.0, 0.0, climb)
    x, y = s.x, s.y
    if s.phase in (BRAKING, SINKING):
        x, y = ref.plan[int(s.index)][0], ref.plan[int(s.index)][1]
    if s.phase == SINKING:
        above = maximum(obs.pos_w.z - ref.plan[int(s.index)][2], 0.0)
        climb = -minimum(p.touch_sink + p.sink_slope * above, p.sink_max)
    away = Vector(x - obs.pos_w.x, y - obs.pos_w.y, 0.0)
    level = limit(scale(p.position_kp, away), minimum(approach_speed(length(away), p), p.cruise))
    return Vector(level.x, level.y, climb)


def _after(s: VtolState, yaw: Number, expected: Expected, t: Trims) -> VtolState:
    vel, accel = expected
    trims = (t.pitch, t.climb, t.speed, t.side)
    return VtolState(s.phase, s.index, s.held, s.x, s.y, s.z, s.course, yaw, *vel[:], *accel[:], *trims)


class VtolWaypoints(VtolGains, PathGains):
    """Flies the `plan` of the scenario with a vehicle that has a `mixer`, then the channels of a plane."""

    State = VtolState
    Signals = VtolSignals
    phases = (
        "waiting",
        "take-off",
        "line",
        "arc",
        "circling",
        "turning to the course",
        "transition to wing flight",
        "slowing down to hover",
        "landing",
        "landed",
    )
    needs = THRUST_AND_TURN
    law = staticmethod(vtol_waypoints)
    report = staticmethod(vtol_signals)

    takeoff_height: parameter = parameter(
        20.0, low=1, high=200, unit="m", about="highest climb before it leaves for the plan"
    )
    brake: parameter = parameter(1.5, low=0.1, high=5, unit="m/s²", about="how hard it slows down before the landing")
    sink_max: parameter = parameter(2.0, low=0.1, high=10, unit="m/s", about="fastest sink of the landing")
    touch_sink: parameter = parameter(0.3, low=0.05, high=3, unit="m/s", about="sink rate at the touch")
    sink_slope: parameter = parameter(0.3, low=0.02, high=5, unit="1/s", about="how much faster it may sink per height")
    turn_radius: parameter = parameter(
        80.0, low=5, high=2000, unit="m", about="of the rounded corners and of the last circle"
    )

    def take_over(self, obs: Observation, before: VtolState) -> VtolState:
        """Back to the leg it was on, by whatever carries it now; a landing is flown again."""
        x, y, _ = obs.pos_w
        yaw = float(euler_from_quaternion(obs.quat_wb).yaw)
        vx, vy, vz = obs.vel_w
        start = before._replace(yaw=yaw, held=0.0, expected_x=vx, expected_y=vy, expected_z=vz)
        start = start._replace(given_x=0.0, given_y=0.0, given_z=0.0)
        if before.phase in (CLIMBING, TURNING, LEAVING, LINE, ARC, CIRCLE):
            flying = obs.vel_air_b.x > self.rotors_full
            return start._replace(phase=LINE) if flying else start._replace(phase=CLIMBING, x=x, y=y)
        lifted = before.phase == DOWN and obs.pos_w.z > before.z + CLOSE
        return start._replace(phase=BRAKING) if lifted or before.phase == SINKING else start

    def goal(self, obs: Observation, ref: Reference, state: VtolState) -> Setpoint | None:
        """The waypoint ahead, in the direction of the leg; before the take-off is over, the place above the start."""
        if not ref.plan or state.phase in (NEW, CLIMBING):
            return Setpoint(state.x, state.y, float(hover_height(ref, state, self)), state.yaw)
        x, y, z = ref.plan[int(state.index)][:3]
        return Setpoint(x, y, z, leg_to(ref, progress(state), int(state.index)).course)

    def mission(self, obs: Observation, ref: Reference, state: VtolState) -> str:
        """The phase of the flight."""
        if state.phase in (LINE, ARC):
            return f"waypoint {int(state.index) + 1} of {len(ref.plan)}"
        return WORDS[state.phase]
