"""When a vehicle with wings and lift rotors goes from one phase of its flight to the next."""

from typing import Any, NamedTuple

from cupola.control.paths import along
from cupola.control.plane.path import ARC, CIRCLE, LINE, Progress, leg_to, next_leg
from cupola.control.vtol.blend import crab, rotor_share, wind
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import Vector, euler_from_quaternion, length, wrap
from cupola.xmath import Number, absolute, atan2, clip, cos, maximum, minimum, sin, sqrt

NEW, CLIMBING, TURNING, LEAVING, BRAKING, SINKING, DOWN = 0.0, 1.0, 5.0, 6.0, 7.0, 8.0, 9.0
WORDS = {NEW: "waiting", CLIMBING: "take-off", TURNING: "turning to the course", CIRCLE: "circling"}
WORDS |= {LEAVING: "transition to wing flight", BRAKING: "slowing down to hover", SINKING: "landing", DOWN: "landed"}
ALIGNED = 0.1
"""[rad] off the first course with which it may fly off."""
TAILWIND = 2.0
"""[m/s] along the first leg above which it leaves into the wind instead."""
CLOSE, SLOW = 1.0, 0.5
"""[m], [m/s]: over the place of landing."""
SETTLED = 1.0
"""[s] without sinking that count as ground contact."""
LEAD = 1.0
"""[s] before it must brake at the latest."""


class VtolState(NamedTuple):
    """Phase and waypoint, where it began, heading and expectation in hover, and the integrals of the surfaces."""

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
    expected_x: Number = 0.0
    expected_y: Number = 0.0
    expected_z: Number = 0.0
    given_x: Number = 0.0
    given_y: Number = 0.0
    given_z: Number = 0.0
    """[m/s] and [m/s²], by the observer of wind and drag in hover."""
    pitch: Number = 0.0
    climb: Number = 0.0
    speed: Number = 0.0
    side: Number = 0.0


def begin(obs: Observation, s: VtolState, p: Any) -> VtolState:
    """At the first call: remember the place, and decide whether it already flies on its wing."""
    if s.phase != NEW:
        return s
    x, y, z = obs.pos_w
    phase = LINE if obs.vel_air_b.x > p.rotors_off else CLIMBING
    yaw = euler_from_quaternion(obs.quat_wb).yaw
    return VtolState(phase, 0.0, 0.0, x, y, z, yaw, yaw, *obs.vel_w[:], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def next_phase(obs: Observation, ref: Reference, s: VtolState, p: Any) -> VtolState:
    """Phase and waypoint from here on."""
    phase, index, held, course = s.phase, s.index, s.held, s.course
    if len(ref.plan) == 0:
        phase = CLIMBING
    elif phase == CLIMBING:
        if obs.pos_w.z > hover_height(ref, s, p) - CLOSE:
            phase, course = BRAKING if _hops(ref, s, p) else TURNING, _way_out(obs, ref, s)
    elif phase == TURNING:
        off = crab(course, obs, p) - euler_from_quaternion(obs.quat_wb).yaw
        phase = LEAVING if absolute(wrap(off)) < ALIGNED else TURNING
    elif phase == LEAVING:
        phase = LINE if rotor_share(obs, p) == 0.0 else LEAVING
    elif phase in (LINE, ARC):
        if ref.plan[int(index)][6] > 0.5:
            leg = leg_to(ref, progress(s), int(index))
            left = leg.length - along(leg, obs.pos_w)
            speed = length(Vector(obs.vel_w.x, obs.vel_w.y, 0.0))
            phase = BRAKING if left < stopping_distance(speed, p) else LINE
        else:
            phase, index = next_leg(obs, ref, progress(s), p)
    elif phase == BRAKING:
        row = ref.plan[int(index)]
        away = length(Vector(row[0] - obs.pos_w.x, row[1] - obs.pos_w.y, 0.0))
        phase = SINKING if away < CLOSE and length(obs.vel_w) < SLOW else BRAKING
    elif phase == SINKING:
        low = obs.pos_w.z < ref.plan[int(index)][2] + CLOSE and absolute(obs.vel_w.z) < 0.5 * p.touch_sink
        held = held + obs.period if low else 0.0
        phase = DOWN if held > SETTLED else SINKING
    expected = (s.expected_x, s.expected_y, s.expected_z, s.given_x, s.given_y, s.given_z)
    trims = (s.pitch, s.climb, s.speed, s.side)
    return VtolState(phase, index, held, s.x, s.y, s.z, course, s.yaw, *expected, *trims)


def hover_height(ref: Reference, s: VtolState, p: Any) -> Number:
    """Height of hovering [m]: of the take-off, or of the waypoint before the landing."""
    above = s.z + p.takeoff_height
    if len(ref.plan) == 0 or (s.index == 0.0 and ref.plan[0][6] > 0.5):
        return above
    if s.index == 0.0:
        return clip(ref.plan[0][2], s.z, above)
    return ref.plan[int(s.index) - 1][2]


def _way_out(obs: Observation, ref: Reference, s: VtolState) -> Number:
    """Course [rad] with which to leave the hover: that of the leg, or into a wind that would blow from behind."""
    course, wind_w = leg_to(ref, progress(s), int(s.index)).course, wind(obs)
    downwind = wind_w.x * cos(course) + wind_w.y * sin(course) > TAILWIND
    return atan2(-wind_w.y, -wind_w.x) if downwind else course


def approach_speed(away: Number, p: Any) -> Number:
    """Fastest speed [m/s] from which `brake` stops within `away` [m], proportional to it when near."""
    near = _near(p)
    return minimum(p.position_kp * away, sqrt(2.0 * p.brake * maximum(away - 0.5 * near, 0.5 * near)))


def _near(p: Any) -> Number:
    """[m] within which the speed is proportional to what is left; without a gain that is everywhere."""
    return p.brake / maximum(p.position_kp * p.position_kp, 1e-12)


def stopping_distance(speed: Number, p: Any) -> Number:
    """The inverse of `approach_speed` at a speed over ground [m/s], with a lead [m]."""
    near = _near(p)
    return 0.5 * near + speed * speed / (2.0 * p.brake) + LEAD * speed


def _hops(ref: Reference, s: VtolState, p: Any) -> bool:
    """Whether the landing is so near that the wing is not worth while."""
    row = ref.plan[int(s.index)]
    return bool(row[6] > 0.5 and leg_to(ref, progress(s), int(s.index)).length < stopping_distance(p.cruise, p))


def progress(s: VtolState) -> Progress:
    """Where it is on the plan."""
    return Progress(s.phase, s.index, s.x, s.y, s.z)
