"""Flies a plane along its plan: take-off from the wheels, lines with rounded corners, a circle at the end or a landing.

Guidance of Beard and McLain, chapters 9 to 11, on the loops of `plane_loops`. A plane that is slow at the start takes
off straight ahead. A waypoint with `land` is the place to touch down: the leg to it is the glide path, then a flare.
"""

from typing import Any, NamedTuple

from cupola.control.pass_through import PlaneCommand
from cupola.control.paths import Leg, along, course_of_line, course_of_orbit, fillet_between, leg_between
from cupola.control.plane_ground import LOW_BANK, GroundGains, on_wheels
from cupola.control.plane_loops import Goal, Trims, airspeed, bank_for, bank_of_arc, climb_for, fly
from cupola.controller import Setpoint, parameter
from cupola.engine.seen import Seen, Wanted
from cupola.physics.rotation import euler_from_quaternion
from cupola.xmath import Number, absolute, clip, maximum, sqrt

NEW, TAKING_OFF, LINE, ARC, CIRCLE, FLARE, DOWN = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
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


class Track(NamedTuple):
    """Where to go now."""

    course: Number
    bank_ahead: Number
    height: Number
    slope: Number
    """Height per distance over ground."""
    speed: Number
    touchdown: Number
    """[m], height of the ground there; far below on legs that do not land."""


def plane_waypoints(seen: Seen, wanted: Wanted, state: PlaneState, p: Any) -> tuple[PlaneCommand, PlaneState]:
    """Channels that follow the plan."""
    state = _next_phase(seen, wanted, _begin(seen, state, p), p)
    trims = Trims(state.pitch, state.climb, state.speed, state.side)
    if state.phase == TAKING_OFF or state.phase == DOWN:
        taking_off = state.phase == TAKING_OFF
        return on_wheels(1.0 if taking_off else 0.0, taking_off, state.runway, state.z, seen, p), state
    track = _track(seen, wanted, state, p)
    bank, climb = bank_for(track.course, track.bank_ahead, seen, p), 0.0
    if state.phase == FLARE:
        climb = -maximum(p.flare_sink, (seen.pos_w.z - track.touchdown) / p.flare_time)
        bank = clip(bank, -LOW_BANK, LOW_BANK)
    else:
        over_ground = sqrt(seen.vel_w.x * seen.vel_w.x + seen.vel_w.y * seen.vel_w.y)
        climb = climb_for(track.height, track.slope * over_ground, seen, p)
    held = fly(Goal(bank, climb, track.speed), trims, seen, p)
    command, t = held.command, held.trims
    if state.phase == FLARE:
        command = PlaneCommand(command.roll, command.pitch, command.yaw, p.flare_throttle)
    return command, _with_trims(state, t)


def _begin(seen: Seen, state: PlaneState, p: Any) -> PlaneState:
    """At the first call: remember the place, and decide whether this is a take-off."""
    if state.phase != NEW:
        return state
    phase = TAKING_OFF if airspeed(seen) < p.rotate_speed else LINE
    yaw = euler_from_quaternion(seen.quat_wb).yaw
    x, y, z = seen.pos_w
    return PlaneState(phase, 0.0, 0.0, x, y, z, yaw, state.pitch, state.climb, state.speed, state.side)


def _next_phase(seen: Seen, wanted: Wanted, s: PlaneState, p: Any) -> PlaneState:
    """Phase and waypoint from here on."""
    phase, index, held, runway = s.phase, s.index, s.held, s.runway
    if phase == TAKING_OFF:
        phase = LINE if seen.pos_w.z > s.z + p.takeoff_height else TAKING_OFF
    elif len(wanted.plan) == 0:
        phase = CIRCLE
    elif phase in (LINE, ARC):
        row = wanted.plan[int(index)]
        if row[6] > 0.5:
            runway = _leg(wanted, s, int(index)).course
            phase = FLARE if seen.pos_w.z < row[2] + p.flare_height else LINE
        else:
            phase, index = _next_leg(seen, wanted, s, p)
    elif phase == FLARE:
        low = seen.pos_w.z < wanted.plan[int(index)][2] + LOW and absolute(seen.vel_w.z) < 0.5 * p.flare_sink
        held = held + seen.period if low else 0.0
        phase = DOWN if held > SETTLED else FLARE
    return PlaneState(phase, index, held, s.x, s.y, s.z, runway, s.pitch, s.climb, s.speed, s.side)


def _next_leg(seen: Seen, wanted: Wanted, s: PlaneState, p: Any) -> tuple[Number, Number]:
    """Phase and waypoint: over the half-plane before the corner onto the arc, over the one after it onto the line."""
    leg = _leg(wanted, s, int(s.index))
    if s.index == float(len(wanted.plan) - 1):
        return (CIRCLE if along(leg, seen.pos_w) > leg.length else LINE), s.index
    after = _leg(wanted, s, int(s.index) + 1)
    ahead = fillet_between(leg, after, p.turn_radius).ahead
    phase = ARC if s.phase == ARC or along(leg, seen.pos_w) > leg.length - ahead else LINE
    if phase == ARC and (ahead == 0.0 or along(after, seen.pos_w) > ahead):
        return LINE, s.index + 1.0
    return phase, s.index


def _leg(wanted: Wanted, s: PlaneState, index: int) -> Leg:
    """The leg to waypoint `index`; the first begins where the plane began."""
    row = wanted.plan[index]
    if index == 0:
        return leg_between(s.x, s.y, row[0], row[1])
    return leg_between(wanted.plan[index - 1][0], wanted.plan[index - 1][1], row[0], row[1])


def _track(seen: Seen, wanted: Wanted, s: PlaneState, p: Any) -> Track:
    """Course, height and airspeed on this part of the plan."""
    if len(wanted.plan) == 0:
        course = course_of_orbit(s.x, s.y, p.turn_radius, 1.0, seen.pos_w, p)
        return Track(course, bank_of_arc(p.turn_radius, 1.0, seen), s.z + p.takeoff_height, 0.0, p.cruise, -1e9)
    row = wanted.plan[int(s.index)]
    if s.phase == CIRCLE:
        course = course_of_orbit(row[0], row[1], p.turn_radius, 1.0, seen.pos_w, p)
        return Track(course, bank_of_arc(p.turn_radius, 1.0, seen), row[2], 0.0, row[4], -1e9)
    leg = _leg(wanted, s, int(s.index))
    if s.phase == ARC:
        f = fillet_between(leg, _leg(wanted, s, int(s.index) + 1), p.turn_radius)
        course = course_of_orbit(f.x, f.y, p.turn_radius, f.side, seen.pos_w, p)
        return Track(course, bank_of_arc(p.turn_radius, f.side, seen), row[2], 0.0, row[4], -1e9)
    course = course_of_line(leg, seen.pos_w, p)
    if row[6] > 0.5:
        top = wanted.plan[int(s.index) - 1][2] if s.index > 0.0 else s.z
        slope = (row[2] - top) / maximum(leg.length, 1.0)
        return Track(course, 0.0, top + slope * along(leg, seen.pos_w), slope, row[4], row[2])
    return Track(course, 0.0, row[2], 0.0, row[4], -1e9)


def _with_trims(s: PlaneState, t: Trims) -> PlaneState:
    return PlaneState(s.phase, s.index, s.held, s.x, s.y, s.z, s.runway, t.pitch, t.climb, t.speed, t.side)


class PlaneWaypoints(GroundGains):
    """Flies the `plan` of the scenario with a plane on channels roll, pitch, yaw, throttle."""

    State = PlaneState
    law = staticmethod(plane_waypoints)

    turn_radius = parameter(120.0, low=5, high=2000, unit="m", about="of the rounded corners and of the last circle")
    approach = parameter(1.05, low=0.1, high=1.5, unit="rad", about="steepest angle at which a line is joined")
    path_gain = parameter(0.02, low=0.001, high=1, unit="1/m", about="how hard it returns to the line")
    orbit_gain = parameter(2.0, low=0.1, high=20, about="how hard it returns to the circle")
    flare_height = parameter(4.0, low=0.1, high=50, unit="m")
    flare_time = parameter(2.0, low=0.2, high=20, unit="s", about="height over sink rate in the flare")
    flare_throttle = parameter(0.35, low=0, high=1, about="at which the propeller neither pulls nor brakes")
    flare_sink = parameter(0.4, low=0.05, high=3, unit="m/s", about="sink rate at the touch")

    def take_over(self, seen: Seen, before: PlaneState) -> PlaneState:
        """Back to the leg it was on; in the air it neither takes off again nor stays landed."""
        flying = airspeed(seen) > self.rotate_speed
        return before._replace(phase=LINE, held=0.0) if flying and before.phase != NEW else before

    def goal(self, seen: Seen, wanted: Wanted, state: PlaneState) -> Setpoint | None:
        """The waypoint ahead, in the direction of the leg."""
        if not wanted.plan:
            return Setpoint(state.x, state.y, state.z + self.takeoff_height, state.runway)
        x, y, z = wanted.plan[int(state.index)][:3]
        return Setpoint(x, y, z, _leg(wanted, state, int(state.index)).course)

    def mission(self, seen: Seen, wanted: Wanted, state: PlaneState) -> str:
        """The phase of the flight."""
        if state.phase in (LINE, ARC) and wanted.plan:
            landing = wanted.plan[int(state.index)][6] > 0.5
            return "approach" if landing else f"waypoint {int(state.index) + 1} of {len(wanted.plan)}"
        return PHASES.get(state.phase, "circling")
