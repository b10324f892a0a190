"""Flies a plane along its plan: take-off from the wheels, lines with rounded corners, a circle at the end or a landing.

The path of `path.py` on the loops of `loops.py`. A plane that is low and slow at the start takes off straight
ahead. A waypoint with `land` is the place to touch down: the leg to it is the glide path, then a flare.
"""

from typing import Any, NamedTuple

from cupola.config.controller import Setpoint, parameter
from cupola.control.pass_through import PlaneCommand
from cupola.control.plane.ground import LOW_BANK, GroundGains, low_and_slow, on_wheels
from cupola.control.plane.loops import Goal, PlaneSignals, Trims, airspeed, bank_for, climb_for, fly
from cupola.control.plane.path import ARC, CIRCLE, LINE, PathGains, Progress, Track, leg_to, next_leg, path_error, track
from cupola.control.told import NOTHING
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import euler_from_quaternion, wrap
from cupola.xmath import Number, absolute, atan2, clip, maximum, sqrt

NEW, TAKING_OFF, FLARE, DOWN, APPROACH = 0.0, 1.0, 5.0, 6.0, 7.0
PHASES = {NEW: "waiting", TAKING_OFF: "take-off", FLARE: "landing", DOWN: "landed"}
LOW = 0.5
"""[m] above the point of touchdown within which standing still means standing on the ground."""
SETTLED = 0.5
"""[s] without sinking that count as rolling on the ground."""


class PlaneState(NamedTuple):
    """Phase and waypoint, where it began, and the integrals of the loops."""

    phase: Number = NEW
    index: Number = 0.0
    held: Number = 0.0
    x: Number = 0.0
    y: Number = 0.0
    z: Number = 0.0
    """[m], where it began."""
    runway: Number = 0.0
    """[rad], course to keep on the ground."""
    pitch: Number = 0.0
    climb: Number = 0.0
    speed: Number = 0.0
    side: Number = 0.0


def plane_waypoints(obs: Observation, ref: Reference, state: PlaneState, p: Any) -> tuple[PlaneCommand, PlaneState]:
    """Channels that follow the plan."""
    state = _next_phase(obs, ref, _begin(obs, state, p), p)
    trims = Trims(state.pitch, state.climb, state.speed, state.side)
    if state.phase == TAKING_OFF or state.phase == DOWN:
        taking_off = state.phase == TAKING_OFF
        return on_wheels(1.0 if taking_off else 0.0, taking_off, state.runway, state.z, obs, p), state
    held = fly(_goal(track(obs, ref, _at(state), p), state.phase, obs, p), trims, obs, p)
    command, t = held.command, held.trims
    if state.phase == FLARE:
        command = PlaneCommand(command.roll, command.pitch, command.yaw, p.flare_throttle)
    return command, _with_trims(state, t)


def _goal(way: Track, phase: Number, obs: Observation, p: Any) -> Goal:
    """Set-points of the loops on the path or in the flare."""
    bank, climb = bank_for(way.course, way.bank_ahead, obs, p), 0.0
    if phase == FLARE:
        climb = -maximum(p.flare_sink, (obs.pos_w.z - way.touchdown) / p.flare_time)
        bank = clip(bank, -LOW_BANK, LOW_BANK)
    else:
        over_ground = sqrt(obs.vel_w.x * obs.vel_w.x + obs.vel_w.y * obs.vel_w.y)
        climb = climb_for(way.height, way.slope * over_ground, obs, p)
    return Goal(bank, climb, way.speed)


def plane_signals(obs: Observation, ref: Reference, state: PlaneState, p: Any) -> PlaneSignals:
    """Set-points and errors, from the state after a call."""
    number = 0.0 if len(ref.plan) == 0 else state.index + 1.0
    if state.phase == TAKING_OFF or state.phase == DOWN:
        off = wrap(euler_from_quaternion(obs.quat_wb).yaw - state.runway)
        return PlaneSignals(
            NOTHING, NOTHING, NOTHING, state.runway, 0.0, NOTHING, NOTHING, off, NOTHING, number, state.phase
        )
    way = track(obs, ref, _at(state), p)
    goal = _goal(way, state.phase, obs, p)
    speed = clip(way.speed, p.speed_min, p.speed_max)
    height, phase = way.height, state.phase
    if phase == FLARE:
        height = NOTHING
    elif phase == LINE and len(ref.plan) > 0 and ref.plan[int(state.index)][6] > 0.5:
        phase = APPROACH
    return PlaneSignals(
        height,
        goal.climb,
        speed,
        way.course,
        goal.bank,
        obs.pos_w.z - height,
        airspeed(obs) - speed,
        wrap(atan2(obs.vel_w.y, obs.vel_w.x) - way.course),
        path_error(obs, ref, _at(state), p),
        number,
        phase,
    )


def _begin(obs: Observation, state: PlaneState, p: Any) -> PlaneState:
    """At the first call: remember the place, and decide whether this is a take-off."""
    if state.phase != NEW:
        return state
    phase = TAKING_OFF if low_and_slow(p.rotate_speed, obs, p) else LINE
    yaw = euler_from_quaternion(obs.quat_wb).yaw
    x, y, z = obs.pos_w
    return PlaneState(phase, 0.0, 0.0, x, y, z, yaw, state.pitch, state.climb, state.speed, state.side)


def _next_phase(obs: Observation, ref: Reference, s: PlaneState, p: Any) -> PlaneState:
    """Phase and waypoint from here on."""
    phase, index, held, runway = s.phase, s.index, s.held, s.runway
    if phase == TAKING_OFF:
        phase = LINE if obs.pos_w.z > s.z + p.takeoff_height else TAKING_OFF
    elif len(ref.plan) == 0:
        phase = CIRCLE
    elif phase in (LINE, ARC):
        row = ref.plan[int(index)]
        if row[6] > 0.5:
            runway = leg_to(ref, _at(s), int(index)).course
            phase = FLARE if obs.pos_w.z < row[2] + p.flare_height else LINE
        else:
            phase, index = next_leg(obs, ref, _at(s), p)
    elif phase == FLARE:
        low = obs.pos_w.z < ref.plan[int(index)][2] + LOW and absolute(obs.vel_w.z) < 0.5 * p.flare_sink
        held = held + obs.period if low else 0.0
        phase = DOWN if held > SETTLED else FLARE
    return PlaneState(phase, index, held, s.x, s.y, s.z, runway, s.pitch, s.climb, s.speed, s.side)


def _at(s: PlaneState) -> Progress:
    return Progress(s.phase, s.index, s.x, s.y, s.z)


def _with_trims(s: PlaneState, t: Trims) -> PlaneState:
    return PlaneState(s.phase, s.index, s.held, s.x, s.y, s.z, s.runway, t.pitch, t.climb, t.speed, t.side)


class PlaneWaypoints(GroundGains, PathGains):
    """Flies the `plan` of the scenario with a plane on channels roll, pitch, yaw, throttle."""

    State = PlaneState
    Signals = PlaneSignals
    phases = ("waiting", "take-off", "line", "arc", "circling", "landing", "landed", "approach")
    law = staticmethod(plane_waypoints)
    report = staticmethod(plane_signals)

    flare_height: parameter = parameter(4.0, low=0.1, high=50, unit="m")
    flare_time: parameter = parameter(2.0, low=0.2, high=20, unit="s", about="height over sink rate in the flare")
    flare_throttle: parameter = parameter(0.35, low=0, high=1, about="at which the propeller neither pulls nor brakes")
    flare_sink: parameter = parameter(0.4, low=0.05, high=3, unit="m/s", about="sink rate at the touch")

    def take_over(self, obs: Observation, before: PlaneState) -> PlaneState:
        """Back to the leg it was on; in the air it neither takes off again nor stays landed."""
        resumes = before.phase != NEW and not low_and_slow(self.rotate_speed, obs, self)
        return before._replace(phase=LINE, held=0.0) if resumes else before

    def goal(self, obs: Observation, ref: Reference, state: PlaneState) -> Setpoint | None:
        """The waypoint ahead, in the direction of the leg."""
        if not ref.plan:
            return Setpoint(state.x, state.y, state.z + self.takeoff_height, state.runway)
        x, y, z = ref.plan[int(state.index)][:3]
        return Setpoint(x, y, z, leg_to(ref, _at(state), int(state.index)).course)

    def mission(self, obs: Observation, ref: Reference, state: PlaneState) -> str:
        """The phase of the flight."""
        if state.phase in (LINE, ARC) and ref.plan:
            landing = ref.plan[int(state.index)][6] > 0.5
            return "approach" if landing else f"waypoint {int(state.index) + 1} of {len(ref.plan)}"
        return PHASES.get(state.phase, "circling")
