"""The capture as a table of states: what the arm does, what the gripper is told, and what leads to the next state.

After figure 3.10 of the Cepheus thesis (NTUA 2025): caught? soft grip begun? ended? hard grip begun? ended? end.
Pure logic: nothing here knows a sensor, a motor or a law.
"""

import math
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from cupola.xmath import Number

Array = np.ndarray[Any, Any]
BRISK = 8.0
"""[rad/s²] at which the largest torque would turn the whole stretched robot."""
WAIT = 0.5
"""[s] of looking, and of taring the force sensor, before anything moves."""

Arm = Literal["slack", "home", "posture", "reach", "hold", "rest", "fold"]
"""slack: the smallest torque that the drivers take. home: to the end stops, one joint after another. posture: to the
start posture. reach: the impedance law. hold: joints and base as they are. rest: the same, softly, when it has given
up. fold: to the safe posture."""
Grip = Literal["open", "soft", "hard", "keep"]


class Signs(NamedTuple):
    """Conditions of the mission. A condition that is not given is false."""

    ready: bool = False
    """Base, hand and target are measured."""
    blind: bool = False
    """One of them has not been measured for too long."""
    gas_low: bool = False
    """The bottle no longer holds the pressure of the air bearings."""
    spun_up: bool = False
    """The wheel is as fast as it can be, and no thruster unloads it."""
    turned: bool = False
    """The arm turns the base farther away than it may."""
    too_near: bool = False
    """The target is nearer to the base than the safety distance."""
    homed: bool = False
    """The angles of the joints are known."""
    there: bool = False
    """The planned posture is reached."""
    touched: bool = False
    apart: bool = False
    """No contact for a while."""
    caught: bool = False
    """Hand and target have been close together for long enough."""
    soft_done: bool = False
    hard_done: bool = False
    opened: bool = False
    """Report of the gripper."""
    still: bool = False
    """Base and joints have come to rest, and hardly any torque is asked for."""
    strained: bool = False
    """The arm is stretched, or at an end stop."""
    overdue: bool = False
    """The way has ended long ago, and nothing was touched, or not for long enough."""
    late: bool = False
    """The state has lasted longer than it may."""
    stop: bool = False
    close: bool = False
    fold: bool = False
    go_on: bool = False
    """Commands of the operator."""


class State(NamedTuple):
    """One row of the table."""

    arm: Arm
    grip: Grip
    exits: tuple[tuple[str, str], ...]
    """Sign, and the state it leads to; the first that is there counts."""
    limit: float = math.inf
    """[s] after which it is late."""
    gives_up: tuple[tuple[str, str], ...] = ()
    """Sign that asks for another try, and the state that it leads to once there have been enough."""


ALWAYS = (("stop", "stopped"), ("close", "safe-close"), ("fold", "safe posture"))
"""Exits of every state but the safe ones, before its own."""
NO_ROOM, NOT_CAUGHT, NO_GRIP = "failed: no room for the arm", "failed: not caught", "failed: the grip does not hold"
NOT_SEEN, NO_STOPS = "failed: base, hand or target is not seen", "failed: the end stops are not found"
NO_REST, SPUN_UP = "failed: it does not come to rest", "failed: the wheel is at its limit"
NO_POSTURE, NOT_TOUCHED = "failed: the posture is not reached", "failed: the target is not touched"
NOT_OPENED = "failed: the gripper does not open"
BLIND, GAS_LOW = "safe-close: blind", "safe-close: the gas is low"
TURNED, TOO_NEAR = "failed: the base turns away", "failed: the target is too near"
UNSAFE = (("blind", BLIND), ("gas_low", GAS_LOW), ("spun_up", SPUN_UP))
"""Exits of every state that moves the arm."""
ASTRAY = (*UNSAFE, ("turned", TURNED))
"""Exits of those in which another try would only turn the base farther."""
REACHING = (*ASTRAY, ("too_near", TOO_NEAR))


def _failed(arm: Arm, grip: Grip) -> State:
    """It stays so until the operator orders something."""
    return State(arm, grip, (("go_on", "prepare"),))


def _closed() -> State:
    """The thesis's safe-close: by the operator, or for a reason."""
    return State("slack", "keep", (("stop", "stopped"), ("fold", "safe posture"), ("go_on", "prepare")))


TABLE = {
    "prepare": State("slack", "open", (("ready", "home"), ("late", NOT_SEEN)), 30.0),
    "home": State("home", "open", (("homed", "posture"), ("late", NO_STOPS)), 60.0),
    "posture": State("posture", "open", (*UNSAFE, ("there", "approach"), ("late", NO_POSTURE)), 120.0),
    "approach": State(
        "reach",
        "open",
        (*REACHING, ("strained", "retreat"), ("touched", "contact"), ("overdue", "retreat")),
        gives_up=(("strained", NO_ROOM), ("overdue", NOT_TOUCHED)),
    ),
    "contact": State(
        "reach",
        "open",
        (*REACHING, ("strained", "retreat"), ("caught", "soft grip"), ("apart", "approach"), ("overdue", "retreat")),
        gives_up=(("strained", NOT_CAUGHT), ("apart", NOT_CAUGHT), ("overdue", NOT_CAUGHT)),
    ),
    "soft grip": State("hold", "soft", (("soft_done", "hard grip"), ("late", "release")), 5.0),
    "hard grip": State("hold", "hard", (("hard_done", "settle"), ("late", "release")), 5.0),
    "settle": State("hold", "hard", (("still", "end"), ("spun_up", SPUN_UP), ("late", NO_REST)), 120.0),
    "end": State("hold", "hard", ()),
    "release": State("hold", "open", (("opened", "retreat"), ("late", NOT_OPENED)), 5.0, (("opened", NO_GRIP),)),
    "retreat": State("posture", "open", (*ASTRAY, ("there", "approach"), ("late", NO_POSTURE)), 120.0),
    "safe posture": State("fold", "keep", (("stop", "stopped"), ("close", "safe-close"), ("go_on", "prepare"))),
    "safe-close": _closed(),
    "stopped": State("slack", "keep", ()),
    NO_ROOM: _failed("rest", "open"),
    NOT_CAUGHT: _failed("rest", "open"),
    NO_GRIP: _failed("rest", "open"),
    NOT_SEEN: _failed("slack", "open"),
    NO_STOPS: _failed("slack", "open"),
    NO_POSTURE: _failed("slack", "keep"),
    SPUN_UP: _failed("slack", "keep"),
    NO_REST: _failed("hold", "hard"),
    TURNED: _failed("rest", "open"),
    TOO_NEAR: _failed("rest", "open"),
    NOT_TOUCHED: _failed("rest", "open"),
    NOT_OPENED: _failed("slack", "keep"),
    BLIND: _closed(),
    GAS_LOW: _closed(),
}
FIRST, LAST = "prepare", "end"
NAMES = tuple(TABLE)
SLACK, HOMES, POSTURE, REACHES, HOLDS, RESTS, FOLDS = range(7)
"""Actions of the arm, by number."""
KEEP = 3.0
"""Order to the gripper: as it was; the others are 0 open, 1 soft, 2 hard."""
ARMS = np.array([get_args(Arm).index(TABLE[name].arm) for name in NAMES])
GRIPS = np.array([float(get_args(Grip).index(TABLE[name].grip)) for name in NAMES])
LIMITS = np.array([TABLE[name].limit for name in NAMES])
SAFE = ("safe posture", "safe-close", BLIND, GAS_LOW, "stopped")


def _exits(name: str) -> list[tuple[int, int, int]]:
    """Numbers of signs, of the states that they lead to, and of those without another try; -1 where there is none."""
    rows = (*(() if name in SAFE else ALWAYS), *TABLE[name].exits)
    ends = {sign: NAMES.index(end) for sign, end in TABLE[name].gives_up}
    found = [(Signs._fields.index(sign), NAMES.index(then), ends.get(sign, -1)) for sign, then in rows]
    return found + [(-1, -1, -1)] * (MOST_EXITS - len(found))


MOST_EXITS = len(ALWAYS) + max(len(state.exits) for state in TABLE.values())
EXITS = np.array([_exits(name) for name in NAMES])


def next_number(now: int, signs: Array, tries_left: bool) -> int:
    """Where the signs lead from a state; the same state where none of its exits is open.

    Without tries left a state that would begin another one gives up.
    """
    for k in range(EXITS.shape[1]):
        sign, then, end = EXITS[now, k, 0], EXITS[now, k, 1], EXITS[now, k, 2]
        if sign >= 0 and signs[sign] > 0.0:
            return int(end if end >= 0 and not tries_left else then)
    return now


def held_for(time: Number, true: bool, period: Number) -> Number:
    """[s] for which a condition has been true; a miss starts the count anew, which the thesis's program does not."""
    return time + period if true else 0.0


class Gap(NamedTuple):
    """From the hand to the place of the grip, in the target's axes."""

    along: float
    across: float
    """[m]."""
    turn: float
    """[rad]."""


class CatchLimits(NamedTuple):
    """When hand and target count as close together."""

    distance: float = 0.05
    """[m], along and across alike: the thesis's program."""
    turn: float = 0.2
    """[rad]."""
    time: float = 0.3
    """[s] without a break; the thesis's program counts 1 s, from the end of the planned motion."""


def close_enough(gap: Gap, limits: CatchLimits) -> bool:
    """The catch condition at one look."""
    near = abs(gap.along) < limits.distance and abs(gap.across) < limits.distance
    return bool(near and abs(gap.turn) < limits.turn)
