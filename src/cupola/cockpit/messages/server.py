"""Messages from the server to the page."""

from typing import Annotated, Literal

from pydantic import Field

from cupola.cockpit.messages.base import Message
from cupola.cockpit.messages.scene import Waypoint


class Section(Message):
    """Part of a frame."""

    name: Literal["clock", "bodies", "forces", "contacts", "signals", "sticks", "goals", "wind", "spins", "lasers"]
    offset: int
    """In numbers, not bytes."""
    count: int
    width: int
    """Numbers per row. bodies: position, quaternion; forces, contacts: point, force; goals: position, yaw (NaN: none);
    wind: [m/s]; spins: [rad/s]; lasers: the ranges [m] of one after the other."""


CLOCK = (
    "kind", "time", "tick", "real_time_factor", "paused", "speed", "recording", "emergency", "contacts", "refused",
    "end",
)  # fmt: skip
"""Section `clock`: kind is 1; speed 0 means as fast as possible; contacts is how many rows of that section count;
end is the last moment [s] that can be shown: later than time where the page went back."""


class Signal(Message):
    """A number that can be plotted; row of section `signals`."""

    name: str
    unit: str
    setpoint_of: str = ""
    """The signal that is to follow it; empty: it is no set-point."""


class ParameterInfo(Message):
    """A number that can be tuned."""

    name: str
    value: float
    default: float
    low: float
    high: float
    unit: str
    about: str


class FaultInfo(Message):
    """What can be broken, and whether it is."""

    part: str
    kind: Literal["off", "stuck", "loss"]
    amount: float
    """0 is whole; 1 is broken; between: the share of lost packets."""


class Hello(Message):
    """The first message, and again when another scenario is loaded."""

    kind: Literal["hello"] = "hello"
    scenario: str
    about: str
    replay: tuple[float, float] | None
    """First and last time [s] of a recording; None when a world runs."""
    layout: list[Section]
    length: int
    """Numbers in a frame."""
    signals: list[Signal]
    parameters: list[ParameterInfo]
    faults: list[FaultInfo]
    scenarios: list[str]
    """What can be loaded."""
    snapshots: int
    """How many snapshots can be restored."""
    step: float
    """[s] of one tick."""
    note: str = ""
    """What is not shown as it was, in a sentence."""
    gallery: bool = False
    """Whether a page begins with the choice of worlds."""
    may_fly: list[str] = Field(default_factory=list)
    """Modes that pages may choose; empty: all."""


class Role(Message):
    """Whether this page holds the sticks, and how many pages are open."""

    kind: Literal["role"] = "role"
    pilot: bool
    taken: bool
    """Whether somebody holds them."""
    pages: int


class Tuned(Message):
    """A parameter has a new value, whoever changed it."""

    kind: Literal["tuned"] = "tuned"
    name: str
    value: float


class Condition(Message):
    """How a vehicle really is."""

    name: Literal["moving", "on the ground", "waiting", "turned over", "part failed", "motors off", "stopped"]
    """The first that is so, from the last on. Waiting: at the start, until somebody says Go."""
    text: str
    """All that is so, in words; empty when it moves and nothing is wrong."""
    alarm: bool
    """Whether it matters more than what the controller says."""


class RunInfo(Message):
    """A run of this world that is over, kept to be compared."""

    number: int
    """Counted from 1."""
    end: float
    """[s] it lasted."""
    tuned: list[str]
    """Numbers that were not as loaded, in words."""


class Excitation(Message):
    """A test input that a page asked for."""

    text: str
    shape: Literal["step", "doublet", "chirp", "push", "twist", "gust"]
    vehicle: int
    stick: str
    since: float
    until: float
    """[s] from begin to end."""


class Changed(Message):
    """State of the run that is not in every frame."""

    kind: Literal["changed"] = "changed"
    modes: list[str]
    """Present mode of each vehicle."""
    missions: list[str]
    """What each vehicle's controller is doing, in words."""
    conditions: list[Condition]
    """How each vehicle really is."""
    faults: list[FaultInfo]
    snapshots: int
    recording: str | None
    """File that is being written."""
    runs: list[RunInfo] = Field(default_factory=list)
    """Those before this one."""
    excitation: Excitation | None = None
    """The last one of this run."""
    events: int = 0
    """Another number: something has happened, or what happened is no longer so; it can be asked for."""


class Driven(Message):
    """Manual control of a vehicle; its modes and gears are counted from 1."""

    kind: Literal["driven"] = "driven"
    vehicle: int
    by_hand: bool
    """Whether it is what moves the vehicle."""
    mode: int
    why_not: list[str]
    """Of each mode: why it cannot be chosen; empty when it can."""
    gear: int
    values: list[float]
    """Deflections, -1 to 1: four wheels, or forward, left, counter-clockwise."""
    command: list[float | None]
    """Of the wheels [rad/s], None: left alone; or of the base [m/s, m/s, rad/s]."""
    stopped: bool


class Planned(Message):
    """The plan that a vehicle has now."""

    kind: Literal["planned"] = "planned"
    vehicle: int
    plan: list[Waypoint]
    own: bool
    """Whether it is that of the scenario."""


class TextProblem(Message):
    """What is wrong with a text, and where, counted from 1."""

    line: int
    column: int
    text: str


class Sheet(Message):
    """A text to be edited; to the page that asked for it."""

    kind: Literal["sheet"] = "sheet"
    file: int
    of: Literal["scenario", "vehicle"]
    files: list[str]
    """Names of all: the scenario's, then those of the vehicles."""
    text: str
    name: str
    """To save it under."""
    note: str
    """Where it comes from, and in what the world differs from it."""


class Checked(Message):
    """What came of a text; to the page that sent it."""

    kind: Literal["checked"] = "checked"
    act: Literal["check", "fly", "save"]
    file: int
    version: int
    problems: list[TextProblem]
    """Empty: nothing is wrong, and what was asked for was done."""
    done: str
    """What was done, in a sentence."""


class Notice(Message):
    """Something to tell people."""

    kind: Literal["notice"] = "notice"
    level: Literal["info", "warning", "error"]
    text: str


ToPage = Annotated[
    Hello | Role | Tuned | Changed | Driven | Planned | Notice | Sheet | Checked, Field(discriminator="kind")
]
"""A picture of a camera comes as a binary message of another form: float64 2, float64 index of the camera,
float64 time, then the bytes of a JPEG."""


class Derived(Message):
    """What an expression on the signals gives."""

    unit: str
    error: str
    """What is wrong with it, and where; empty: nothing."""


class GalleryEntry(Message):
    """Something that a page can load."""

    name: str
    """To be said in `Load`."""
    title: str
    about: str
    group: str
    picture: str
    """File below /gallery/; empty: none."""


class Gallery(Message):
    """All that a page can load; asked for over HTTP."""

    entries: list[GalleryEntry]
