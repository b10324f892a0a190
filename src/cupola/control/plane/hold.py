"""Fly a plane by what it should do instead of by its surfaces: bank, climb rate, airspeed.

With the roll stick centred and the wings level it holds the course over ground, with the pitch stick centred and the
climb over it holds the height. The loops are those of `loops.py`. It sinks ever more slowly towards the ground at
z = 0, and takes to its wheels when it is kept down there. On its wheels it stays until throttle or pull ask for a
take-off, which it then flies by itself, straight ahead, up to `takeoff_height`.
"""

from typing import Any, NamedTuple

from cupola.config.controller import Setpoint, parameter
from cupola.config.stick_words import StickWords
from cupola.control.pass_through import PlaneCommand
from cupola.control.plane.ground import OFF_GROUND, GroundGains, low_and_slow, on_wheels
from cupola.control.plane.loops import Goal, PlaneSignals, Trims, airspeed, bank_for, climb_for, fly
from cupola.control.told import NOTHING
from cupola.kernel.observation import PITCH, ROLL, THROTTLE, YAW, Observation, Reference
from cupola.physics.rotation import euler_from_quaternion, wrap
from cupola.xmath import Number, absolute, atan2, clip, maximum, where

CENTRED = 0.02
AHEAD = 2.0
"""[s] of flight to the place that people are shown."""
SLOW = 0.7
"""Of the speed at which the nose is raised: a low start below it is one on the wheels."""
FLYING, ON_WHEELS, CLIMBING_OUT = 0.0, 1.0, 2.0
STANDING, TAKE_OFF, BY_STICKS, HOLDS_COURSE, HOLDS_HEIGHT = 0.0, 1.0, 2.0, 1.0, 2.0
"""Phases that are told; the last two are added."""
NEAR = 0.5
"""[m] above the ground that count as touching it."""
SETTLED = 0.5
"""[s] pressed to the ground without sinking that count as rolling."""
LEVEL = 0.1
"""[rad] of bank, and [1] of the fastest climb, below which a released stick has come to rest."""


class HoldState(NamedTuple):
    """Course [rad] and height [m] held, and the integrals of the loops; `started` is 0 before the first call."""

    started: Number = 0.0
    course: Number = 0.0
    height: Number = 0.0
    turning: Number = 0.0
    climbing: Number = 0.0
    pitch: Number = 0.0
    climb: Number = 0.0
    speed: Number = 0.0
    side: Number = 0.0
    phase: Number = FLYING
    runway: Number = 0.0
    """[rad], course to keep on the ground."""
    down: Number = 0.0
    """[s] pressed to the ground."""
    ground: Number = 0.0
    """[m], height on the wheels."""


def plane_hold(obs: Observation, ref: Reference, state: HoldState, p: Any) -> tuple[PlaneCommand, HoldState]:
    """Channels from sticks: bank, climb rate, rudder on top of the coordination, airspeed (cruise in the middle)."""
    sticks = ref.sticks
    state = _next_phase(obs, sticks, state, p)
    if state.phase != FLYING:
        return _roll_out(obs, sticks, state, p), state
    roll = euler_from_quaternion(obs.quat_wb).roll
    # A stick that was moved keeps its axis until the motion has ended: the held value is where the plane comes to rest.
    moved = absolute(sticks[ROLL]) > CENTRED
    turning = where(moved, 1.0, where(absolute(roll) < LEVEL, 0.0, state.turning))
    moved = absolute(sticks[PITCH]) > CENTRED
    climbing = where(moved, 1.0, where(absolute(obs.vel_w.z) < LEVEL * p.climb_max, 0.0, state.climbing))
    course, height = state.course, state.height
    if turning > 0.5 or state.started < 0.5:
        course = atan2(obs.vel_w.y, obs.vel_w.x)
    if climbing > 0.5 or state.started < 0.5:
        height = obs.pos_w.z
    before = (state.pitch, state.climb, state.speed, state.side)
    rest = (state.phase, state.runway, state.down, state.ground)
    now = HoldState(1.0, course, height, turning, climbing, *before, *rest)
    held = fly(_goal(obs, sticks, now, p), Trims(state.pitch, state.climb, state.speed, state.side), obs, p)
    c, t = held.command, held.trims
    command = PlaneCommand(c.roll, c.pitch, clip(c.yaw + sticks[YAW], -1.0, 1.0), c.throttle)
    return command, HoldState(1.0, course, height, turning, climbing, t.pitch, t.climb, t.speed, t.side, *rest)


def _goal(obs: Observation, sticks: Any, s: HoldState, p: Any) -> Goal:
    """Set-points of the loops in flight."""
    bank = where(s.turning > 0.5, p.bank_max * clip(sticks[ROLL], -1.0, 1.0), bank_for(s.course, 0.0, obs, p))
    climb = where(s.climbing > 0.5, p.climb_max * clip(sticks[PITCH], -1.0, 1.0), climb_for(s.height, 0.0, obs, p))
    climb = maximum(climb, -p.touch_sink - p.sink_slope * maximum(obs.pos_w.z - s.ground, 0.0))
    span = where(sticks[THROTTLE] > 0.0, p.speed_max - p.cruise, p.cruise - p.speed_min)
    return Goal(bank, climb, p.cruise + sticks[THROTTLE] * span)


def hold_signals(obs: Observation, ref: Reference, state: HoldState, p: Any) -> PlaneSignals:
    """Held values and errors, from the state after a call."""
    if state.phase != FLYING:
        off = wrap(euler_from_quaternion(obs.quat_wb).yaw - state.runway)
        rolling = state.phase == ON_WHEELS and _wishes(ref.sticks) == 0.0
        phase = STANDING if rolling else TAKE_OFF
        return PlaneSignals(NOTHING, NOTHING, NOTHING, state.runway, 0.0, NOTHING, NOTHING, off, NOTHING, 0.0, phase)
    goal = _goal(obs, ref.sticks, state, p)
    speed = clip(goal.speed, p.speed_min, p.speed_max)
    course, height, off, phase = NOTHING, NOTHING, NOTHING, BY_STICKS
    if state.turning < 0.5:
        course, off = state.course, wrap(atan2(obs.vel_w.y, obs.vel_w.x) - state.course)
        phase += HOLDS_COURSE
    if state.climbing < 0.5:
        height = state.height
        phase += HOLDS_HEIGHT
    faster = airspeed(obs) - speed
    return PlaneSignals(
        height, goal.climb, speed, course, goal.bank, obs.pos_w.z - height, faster, off, NOTHING, 0.0, phase
    )


def _next_phase(obs: Observation, sticks: Any, s: HoldState, p: Any) -> HoldState:
    """Rolling, climbing out or flying from here on."""
    phase, runway, down, ground, started, climbing = s.phase, s.runway, s.down, s.ground, s.started, s.climbing
    high = obs.pos_w.z - ground
    if s.started < 0.5:
        phase = ON_WHEELS if low_and_slow(SLOW * p.rotate_speed, obs, p) else FLYING
        runway = euler_from_quaternion(obs.quat_wb).yaw
        ground = obs.pos_w.z if phase == ON_WHEELS else 0.0
        started = 1.0 if phase == ON_WHEELS else 0.0  # the first call in flight still has to take its course
    elif phase == ON_WHEELS:
        phase = CLIMBING_OUT if high > OFF_GROUND and _wishes(sticks) > 0.0 else ON_WHEELS
    elif phase == CLIMBING_OUT:
        if high > p.takeoff_height:
            phase, started, climbing = FLYING, 0.0, 1.0
    else:
        pressed = sticks[PITCH] < -CENTRED and high < NEAR and absolute(obs.vel_w.z) < 0.5 * p.touch_sink
        down = down + obs.period if pressed else 0.0
        if down > SETTLED:
            phase, down, runway = ON_WHEELS, 0.0, euler_from_quaternion(obs.quat_wb).yaw
    trims = (s.pitch, s.climb, s.speed, s.side)
    return HoldState(started, s.course, s.height, s.turning, climbing, *trims, phase, runway, down, ground)


def _wishes(sticks: Any) -> Number:
    """Throttle that the sticks ask for on the ground: a pull is a wish to take off."""
    return where(sticks[PITCH] > CENTRED, 1.0, clip(where(sticks[THROTTLE] > CENTRED, sticks[THROTTLE], 0.0), 0.0, 1.0))


def _roll_out(obs: Observation, sticks: Any, s: HoldState, p: Any) -> PlaneCommand:
    """On the wheels or climbing out; the yaw stick steers."""
    wish = 1.0 if s.phase == CLIMBING_OUT else _wishes(sticks)
    c = on_wheels(wish, wish > 0.0, s.runway, s.ground, obs, p)
    return PlaneCommand(c.roll, c.pitch, clip(c.yaw + sticks[YAW], -1.0, 1.0), c.throttle)


class PlaneHold(GroundGains):
    """Sticks: bank, climb rate, rudder, airspeed; centred they hold course and height."""

    State = HoldState
    stick_words = StickWords(
        roll=("bank right", "bank left"),
        pitch=("climb", "sink"),
        yaw=("nose right", "nose left"),
        throttle=("faster", "slower"),
    )
    Signals = PlaneSignals
    phases = (
        "on the ground",
        "take-off",
        "flying by the sticks",
        "holding course",
        "holding height",
        "holding course and height",
    )
    law = staticmethod(plane_hold)
    report = staticmethod(hold_signals)

    touch_sink: parameter = parameter(0.5, low=0.05, high=3, unit="m/s", about="fastest sink at the ground")
    sink_slope: parameter = parameter(0.2, low=0.02, high=2, unit="1/s", about="how much faster it may sink per height")

    def goal(self, obs: Observation, ref: Reference, state: HoldState) -> Setpoint | None:
        """The held height and course, a while ahead."""
        if state.phase != FLYING or state.started < 0.5:
            return None
        x, y = (at + AHEAD * v for at, v in zip(obs.pos_w[:2], obs.vel_w[:2], strict=True))
        return Setpoint(x, y, state.height, state.course)

    def mission(self, obs: Observation, ref: Reference, state: HoldState) -> str:
        """Held values."""
        if state.phase == ON_WHEELS:
            return "take-off" if _wishes(ref.sticks) > 0.0 else "on the ground: throttle up or pull to take off"
        if state.phase == CLIMBING_OUT:
            return "take-off"
        course, height = state.turning < 0.5, state.climbing < 0.5
        held = [name for name, on in (("course", course), ("height", height)) if on]
        return f"holding {' and '.join(held)}" if held else "flying by the sticks"
