"""The capture as a table of states: what the arm does, what the gripper is told, and what leads to the next state.

After figure 3.10 of the Cepheus thesis (NTUA 2025): caught? soft grip begun? ended? hard grip begun? ended? end.
Pure logic: nothing here knows a sensor, a motor or a law.
"""

import math
from typing import Literal, NamedTuple

Arm = Literal["slack", "home", "posture", "reach", "hold", "fold"]
"""slack: the smallest torque that the drivers take. home: to the end stops, one joint after another. posture: to the
start posture. reach: the impedance law. hold: joints and base as they are. fold: to the safe posture."""
Grip = Literal["open", "soft", "hard", "keep"]


class Signs(NamedTuple):
    """What the mission looks at. A sign that is not given is not there."""

    ready: bool = False
    """Base, hand and target are seen."""
    blind: bool = False
    """One of them has not been seen for too long."""
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
    """What the gripper says of itself."""
    still: bool = False
    """The base has come to rest in its attitude."""
    strained: bool = False
    """The arm is stretched, or at an end stop."""
    late: bool = False
    """The state has lasted longer than it may."""
    stop: bool = False
    close: bool = False
    fold: bool = False
    go_on: bool = False
    """What the operator orders."""


class State(NamedTuple):
    """One row of the table."""

    arm: Arm
    grip: Grip
    exits: tuple[tuple[str, str], ...]
    """Sign, and the state it leads to; the first that is there counts."""
    limit: float = math.inf
    """[s] after which it is late."""


ALWAYS = (("stop", "stopped"), ("close", "safe-close"), ("fold", "safe posture"))
"""Exits of every state but the last three, before its own."""
TABLE = {
    "prepare": State("slack", "open", (("ready", "home"),)),
    "home": State("home", "open", (("homed", "posture"), ("late", "safe-close")), 60.0),
    "posture": State("posture", "open", (("blind", "safe-close"), ("there", "approach"), ("late", "safe-close")), 60.0),
    "approach": State("reach", "open", (("blind", "safe-close"), ("strained", "retreat"), ("touched", "contact"))),
    "contact": State(
        "reach",
        "open",
        (("blind", "safe-close"), ("strained", "retreat"), ("caught", "soft grip"), ("apart", "approach")),
    ),
    "soft grip": State("hold", "soft", (("soft_done", "hard grip"), ("late", "release")), 5.0),
    "hard grip": State("hold", "hard", (("hard_done", "settle"), ("late", "release")), 5.0),
    "settle": State("hold", "hard", (("still", "end"),)),
    "end": State("hold", "hard", ()),
    "release": State("hold", "open", (("opened", "retreat"), ("late", "safe-close")), 5.0),
    "retreat": State("posture", "open", (("blind", "safe-close"), ("there", "approach"), ("late", "safe-close")), 60.0),
    "safe posture": State("fold", "keep", (("stop", "stopped"), ("close", "safe-close"), ("go_on", "prepare"))),
    "safe-close": State("slack", "keep", (("stop", "stopped"), ("fold", "safe posture"), ("go_on", "prepare"))),
    "stopped": State("slack", "keep", ()),
}
FIRST, LAST = "prepare", "end"
SAFE = ("safe posture", "safe-close", "stopped")


def next_state(now: str, signs: Signs) -> str:
    """Where the signs lead from a state; the same state where none of its exits is open."""
    always = () if now in SAFE else ALWAYS
    return next((then for sign, then in (*always, *TABLE[now].exits) if getattr(signs, sign)), now)


class Held(NamedTuple):
    """For how long a condition has been true without a break [s]."""

    time: float = 0.0


def hold(held: Held, true: bool, period: float) -> Held:
    """One look later. A miss starts the count anew, which the thesis's program does not."""
    return Held(held.time + period if true else 0.0)


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
    return near and abs(gap.turn) < limits.turn
