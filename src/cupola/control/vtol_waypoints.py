"""A vehicle with wings and lift rotors flies its plan: straight up, on the wing along the path, straight down.

It climbs facing the wind, turns its nose to the first leg, or stays in the wind where that leg is downwind, and flies
off until the wing carries it. On the way to a waypoint with `land` it keeps the height of the waypoint before, brakes
in time, stops over the place and sinks onto it, again facing the wind; to a landing nearby it hovers all the way. Path
of `plane_path`, everything else on the blend of `vtol_blend`. Without a plan it hovers over the start.
"""

from typing import Any, NamedTuple

from cupola.control.paths import along
from cupola.control.plane_loops import Goal, Trims, bank_for, climb_for
from cupola.control.plane_path import ARC, CIRCLE, LINE, PathGains, Progress, Track, leg_to, next_leg, track
from cupola.control.vtol_blend import (
    OFF,
    VtolCommand,
    VtolGains,
    blend,
    crab,
    hover,
    rotor_share,
    turn_into_wind,
    wind,
    wing_flight,
)
from cupola.control.waypoints import limit, track_velocity
from cupola.controller import Setpoint, parameter
from cupola.engine.seen import Seen, Wanted
from cupola.physics.rotation import Vector, euler_from_quaternion, length, scale, wrap
from cupola.xmath import Number, absolute, atan2, clip, cos, maximum, minimum, sin, sqrt

NEW, CLIMBING, TURNING, LEAVING, BRAKING, SINKING, DOWN = 0.0, 1.0, 5.0, 6.0, 7.0, 8.0, 9.0
PHASES = {NEW: "waiting", CLIMBING: "take-off", TURNING: "turning to the course", CIRCLE: "circling"}
PHASES |= {LEAVING: "transition to wing flight", BRAKING: "slowing down to hover", SINKING: "landing", DOWN: "landed"}
ALIGNED = 0.1
"""[rad] off the first course with which it may fly off."""
TAILWIND = 2.0
"""[m/s] along the first leg above which it leaves into the wind instead."""
TURN_GAIN = 0.7
"""[1/s], turn rate of the reference per heading error."""
HEADING_LEASH = 0.5
"""[rad] the heading reference may run ahead."""
CLOSE, SLOW = 1.0, 0.5
"""[m], [m/s]: over the place of landing."""
SETTLED = 1.0
"""[s] without sinking that count as standing on the ground."""
LEAD = 1.0
"""[s] before it must brake at the latest."""


class VtolState(NamedTuple):
    """Phase and waypoint, where it began, the heading in hover, and the integrals of hover and of the surfaces."""

    phase: Number = NEW
    index: Number = 0.0
    held: Number = 0.0
    x: Number = 0.0
    y: Number = 0.0
    z: Number = 0.0
    """[m], where it began."""
    course: Number = 0.0
    """[rad], over ground, with which it leaves the hover."""
    yaw: Number = 0.0
    """[rad], reference of the heading in hover."""
    sum_x: Number = 0.0
    sum_y: Number = 0.0
    sum_z: Number = 0.0
    pitch: Number = 0.0
    climb: Number = 0.0
    speed: Number = 0.0
    side: Number = 0.0


def vtol_waypoints(seen: Seen, wanted: Wanted, state: VtolState, p: Any) -> tuple[VtolCommand, VtolState]:
    """All channels, along the plan."""
    s = _next_phase(seen, wanted, _begin(seen, state, p), p)
    trims = Trims(s.pitch, s.climb, s.speed, s.side)
    nose = euler_from_quaternion(seen.quat_wb).yaw
    if s.phase == DOWN:
        return OFF, s
    if s.phase in (LEAVING, LINE, ARC, CIRCLE):
        way = _way(seen, wanted, s, p)
        goal = Goal(bank_for(way.course, way.bank_ahead, seen, p), climb_for(way.height, 0.0, seen, p), way.speed)
        wish, total = wing_flight(goal, way.course, trims, seen, p)
        flown = blend(wish, Trims(trims.pitch, trims.climb, total, trims.side), seen, p)
        return flown.command, _after(s, nose, Vector(0.0, 0.0, 0.0), flown.trims)
    velocity = _hover_velocity(seen, wanted, s, p)
    push = track_velocity(velocity, Vector(s.sum_x, s.sum_y, s.sum_z), seen, p)
    rate = turn_into_wind(seen, p)
    if s.phase == TURNING:
        # From the nose, not from the reference: the reference leads as far as the fins pull the nose back.
        rate = clip(TURN_GAIN * wrap(crab(s.course, seen, p) - nose), -p.turn_max, p.turn_max)
    yaw = nose + clip(wrap(s.yaw + rate * seen.period - nose), -HEADING_LEASH, HEADING_LEASH)
    flown = blend(hover(push.accel_w, velocity.z, yaw, rate, seen, p), trims, seen, p)
    return flown.command, _after(s, yaw, push.total, flown.trims)


def _begin(seen: Seen, s: VtolState, p: Any) -> VtolState:
    """At the first call: remember the place, and decide whether it already flies on its wing."""
    if s.phase != NEW:
        return s
    x, y, z = seen.pos_w
    phase = LINE if seen.vel_air_b.x > p.rotors_off else CLIMBING
    yaw = euler_from_quaternion(seen.quat_wb).yaw
    return VtolState(phase, 0.0, 0.0, x, y, z, yaw, yaw, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def _next_phase(seen: Seen, wanted: Wanted, s: VtolState, p: Any) -> VtolState:
    """Phase and waypoint from here on."""
    phase, index, held, course = s.phase, s.index, s.held, s.course
    if len(wanted.plan) == 0:
        phase = CLIMBING
    elif phase == CLIMBING:
        if seen.pos_w.z > _height(wanted, s, p) - CLOSE:
            phase, course = BRAKING if _hops(wanted, s, p) else TURNING, _way_out(seen, wanted, s)
    elif phase == TURNING:
        off = crab(course, seen, p) - euler_from_quaternion(seen.quat_wb).yaw
        phase = LEAVING if absolute(wrap(off)) < ALIGNED else TURNING
    elif phase == LEAVING:
        phase = LINE if rotor_share(seen, p) == 0.0 else LEAVING
    elif phase in (LINE, ARC):
        if wanted.plan[int(index)][6] > 0.5:
            leg = leg_to(wanted, _at(s), int(index))
            left = leg.length - along(leg, seen.pos_w)
            speed = length(Vector(seen.vel_w.x, seen.vel_w.y, 0.0))
            phase = BRAKING if left < stopping_distance(speed, p) else LINE
        else:
            phase, index = next_leg(seen, wanted, _at(s), p)
    elif phase == BRAKING:
        row = wanted.plan[int(index)]
        away = length(Vector(row[0] - seen.pos_w.x, row[1] - seen.pos_w.y, 0.0))
        phase = SINKING if away < CLOSE and length(seen.vel_w) < SLOW else BRAKING
    elif phase == SINKING:
        low = seen.pos_w.z < wanted.plan[int(index)][2] + CLOSE and absolute(seen.vel_w.z) < 0.5 * p.touch_sink
        held = held + seen.period if low else 0.0
        phase = DOWN if held > SETTLED else SINKING
    sums, trims = (s.sum_x, s.sum_y, s.sum_z), (s.pitch, s.climb, s.speed, s.side)
    return VtolState(phase, index, held, s.x, s.y, s.z, course, s.yaw, *sums, *trims)


def _height(wanted: Wanted, s: VtolState, p: Any) -> Number:
    """Height of hovering [m]: of the take-off, or of the waypoint before the landing."""
    above = s.z + p.takeoff_height
    if len(wanted.plan) == 0 or (s.index == 0.0 and wanted.plan[0][6] > 0.5):
        return above
    if s.index == 0.0:
        return clip(wanted.plan[0][2], s.z, above)
    return wanted.plan[int(s.index) - 1][2]


def _way_out(seen: Seen, wanted: Wanted, s: VtolState) -> Number:
    """Course [rad] with which to leave the hover: that of the leg, or into a wind that would blow from behind."""
    course, wind_w = leg_to(wanted, _at(s), int(s.index)).course, wind(seen)
    downwind = wind_w.x * cos(course) + wind_w.y * sin(course) > TAILWIND
    return atan2(-wind_w.y, -wind_w.x) if downwind else course


def _way(seen: Seen, wanted: Wanted, s: VtolState, p: Any) -> Track:
    """The path of a plane; but straight ahead at first, and level to the place of the landing."""
    row, height = wanted.plan[int(s.index)], _height(wanted, s, p)
    if s.phase == LEAVING:
        return Track(s.course, 0.0, height, 0.0, row[4], -1e9)
    way = track(seen, wanted, _at(s), p)
    return Track(way.course, 0.0, height, 0.0, way.speed, row[2]) if row[6] > 0.5 else way


def _hover_velocity(seen: Seen, wanted: Wanted, s: VtolState, p: Any) -> Vector:
    """Velocity [m/s] in hover: to the place of the take-off or the landing, or just to a stop while turning."""
    climb = climb_for(_height(wanted, s, p), 0.0, seen, p)
    if s.phase == TURNING:
        return Vector(0.0, 0.0, climb)
    x, y = s.x, s.y
    if s.phase in (BRAKING, SINKING):
        x, y = wanted.plan[int(s.index)][0], wanted.plan[int(s.index)][1]
    if s.phase == SINKING:
        above = maximum(seen.pos_w.z - wanted.plan[int(s.index)][2], 0.0)
        climb = -minimum(p.touch_sink + p.sink_slope * above, p.sink_max)
    away = Vector(x - seen.pos_w.x, y - seen.pos_w.y, 0.0)
    level = limit(scale(p.position_kp, away), minimum(approach_speed(length(away), p), p.cruise))
    return Vector(level.x, level.y, climb)


def approach_speed(away: Number, p: Any) -> Number:
    """Fastest speed [m/s] from which `brake` stops within `away` [m], proportional to it when near."""
    near = p.brake / (p.position_kp * p.position_kp)
    return minimum(p.position_kp * away, sqrt(2.0 * p.brake * maximum(away - 0.5 * near, 0.5 * near)))


def stopping_distance(speed: Number, p: Any) -> Number:
    """The inverse of `approach_speed` at a speed over ground [m/s], with a lead [m]."""
    near = p.brake / (p.position_kp * p.position_kp)
    return 0.5 * near + speed * speed / (2.0 * p.brake) + LEAD * speed


def _hops(wanted: Wanted, s: VtolState, p: Any) -> bool:
    """Whether the landing is so near that the wing is not worth while."""
    row = wanted.plan[int(s.index)]
    return bool(row[6] > 0.5 and leg_to(wanted, _at(s), int(s.index)).length < stopping_distance(p.cruise, p))


def _at(s: VtolState) -> Progress:
    return Progress(s.phase, s.index, s.x, s.y, s.z)


def _after(s: VtolState, yaw: Number, total: Vector, t: Trims) -> VtolState:
    trims = (t.pitch, t.climb, t.speed, t.side)
    return VtolState(s.phase, s.index, s.held, s.x, s.y, s.z, s.course, yaw, total.x, total.y, total.z, *trims)


class VtolWaypoints(VtolGains, PathGains):
    """Flies the `plan` of the scenario with a vehicle that has a `mixer`, then the channels of a plane."""

    State = VtolState
    needs = "mixer"
    law = staticmethod(vtol_waypoints)

    takeoff_height = parameter(20.0, low=1, high=200, unit="m", about="highest climb before it leaves for the plan")
    brake = parameter(1.5, low=0.1, high=5, unit="m/s²", about="how hard it slows down before the landing")
    sink_max = parameter(2.0, low=0.1, high=10, unit="m/s", about="fastest sink of the landing")
    touch_sink = parameter(0.3, low=0.05, high=3, unit="m/s", about="sink rate at the touch")
    sink_slope = parameter(0.3, low=0.02, high=5, unit="1/s", about="how much faster it may sink per height")
    turn_radius = parameter(80.0, low=5, high=2000, unit="m", about="of the rounded corners and of the last circle")

    def take_over(self, seen: Seen, before: VtolState) -> VtolState:
        """Back to the leg it was on, by whatever carries it now; a landing is flown again."""
        x, y, _ = seen.pos_w
        yaw = float(euler_from_quaternion(seen.quat_wb).yaw)
        start = before._replace(yaw=yaw, held=0.0, sum_x=0.0, sum_y=0.0, sum_z=0.0)
        if before.phase in (CLIMBING, TURNING, LEAVING, LINE, ARC, CIRCLE):
            flying = seen.vel_air_b.x > self.rotors_full
            return start._replace(phase=LINE) if flying else start._replace(phase=CLIMBING, x=x, y=y)
        return start._replace(phase=BRAKING) if before.phase == SINKING else start

    def goal(self, seen: Seen, wanted: Wanted, state: VtolState) -> Setpoint | None:
        """The waypoint ahead, in the direction of the leg; before the take-off is over, the place above the start."""
        if not wanted.plan or state.phase in (NEW, CLIMBING):
            return Setpoint(state.x, state.y, float(_height(wanted, state, self)), state.yaw)
        x, y, z = wanted.plan[int(state.index)][:3]
        return Setpoint(x, y, z, leg_to(wanted, _at(state), int(state.index)).course)

    def mission(self, seen: Seen, wanted: Wanted, state: VtolState) -> str:
        """The phase of the flight."""
        if state.phase in (LINE, ARC):
            return f"waypoint {int(state.index) + 1} of {len(wanted.plan)}"
        return PHASES[state.phase]
