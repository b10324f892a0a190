"""A flight that is over, as one message: what a shared file holds, and what runs are compared by."""

from typing import Literal

from pydantic import Field

from cupola.cockpit.messages.base import Message
from cupola.cockpit.messages.scene import Scene
from cupola.cockpit.messages.server import Changed, Hello


class MomentTable(Message):
    """Sections of frames at some moments; the numbers follow the message."""

    sections: list[Literal["bodies", "forces", "sticks", "goals", "wind", "spins", "lasers"]]
    """In the order of `Hello.layout`, one behind the other in each row."""
    rows: int
    width: int
    straight: bool
    """Whether a straight line leads from one moment to the next; else a moment holds until the next."""


class Told(Message):
    """What was known from a time [s] on."""

    time: float
    changed: Changed


class RunEvent(Message):
    """Something that happened at a time [s]: a touch, a phase of a mission, a fault, what somebody did."""

    time: float
    text: str
    alarm: bool = False
    """Whether something broke or was stopped."""


class RunEvents(Message):
    """What happened in a run, in order of time."""

    events: list[RunEvent]
    lost: int = 0
    """How many earlier ones are not kept."""


class MeasureInfo(Message):
    """A figure that the scenario names, of a whole run."""

    name: str
    value: bool | float | None
    """None: there was nothing to measure."""
    unit: str


class Flown(Message):
    """The head of a flight. Behind it, for each table and then for the curves of all signals: the times (float64) and
    the columns, one after the other (float32), each number's bytes apart: all first bytes, then all second ones."""

    hello: Hello
    scene: Scene
    told: list[Told]
    tables: list[MomentTable]
    curve_rows: int
    curves_whole: bool
    """Whether every row is there; else the least and the greatest of several."""
    note: str
    """What was left out or thinned."""
    view: str
    """Address (what follows #) to begin with."""
    measures: list[MeasureInfo] = Field(default_factory=list)
    happened: RunEvents = Field(default_factory=lambda: RunEvents(events=[]))
