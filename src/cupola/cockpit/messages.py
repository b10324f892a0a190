"""Everything that the page and the server say to each other. `web/src/messages.ts` is made from this file.

The server sends a `Hello`, then binary state frames and now and then another message of `ToPage`; the page sends
`FromPage`. A frame is an array of little-endian float64 whose sections `Hello.layout` names. SI units, world frame ENU,
quaternions wxyz.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from cupola.config.channels import STICK_CHANNELS
from cupola.teleop.manual_modes import KEYS

Finite = Annotated[float, Field(allow_inf_nan=False)]
Deflection = Annotated[float, Field(ge=-1.0, le=1.0)]
Force = Annotated[float, Field(ge=-1e4, le=1e4)]
Length = Annotated[float, Field(ge=-1e3, le=1e3)]
Name = Annotated[str, Field(max_length=200)]
DriveKey = Annotated[str, Field(pattern=f"^({'|'.join(KEYS)})$")]
Three = tuple[Finite, Finite, Finite]
Four = tuple[Finite, Finite, Finite, Finite]


class Message(BaseModel):
    """What is unknown is refused."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)


# ---- the scene: what does not move, fetched once from /scene.json ----


class Geom(Message):
    """A shape fixed to a body."""

    name: str
    body: int
    kind: Literal["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]
    size: Three
    pos_b: Three
    quat_b: Four
    rgba: Four
    mesh: int
    """Index of its mesh, -1 for none."""
    collides: bool
    visible: bool
    """Whether it is drawn when nobody asks for collision shapes."""


class Mesh(Message):
    """Vertices [m] and triangles, flat."""

    vertices: list[float]
    faces: list[int]


class Body(Message):
    """A link."""

    name: str
    vehicle: int
    """Index of the vehicle it belongs to, -1 for none."""
    mass: float
    com_b: Three
    inertia_quat_b: Four
    inertia_box: Three
    """Half sizes [m] of the box with the same mass and inertia."""


class Joint(Message):
    """An axis that a body turns about or slides along."""

    name: str
    body: int
    kind: Literal["hinge", "slide", "ball", "free"]
    pos_b: Three
    axis_b: Three


class Camera(Message):
    """A view from a body; looks along its -z, y up, as in MuJoCo."""

    name: str
    body: int
    pos_b: Three
    quat_b: Four
    fovy: float
    """[rad]."""
    part: bool
    """Whether it takes pictures; those that do stand first."""


class Rotor(Message):
    """A propeller: its site's x axis is the shaft."""

    name: str
    body: int
    pos_b: Three
    quat_b: Four
    radius: float
    """[m]; 0 when nothing says."""


class Laser(Message):
    """A scanner: rays in the x-y plane of its site."""

    name: str
    body: int
    pos_b: Three
    quat_b: Four
    angle_min: float
    angle_step: float
    count: int


class VehicleInfo(Message):
    """One vehicle."""

    name: str
    model: str
    root: int
    """Body that carries it."""
    mission: bool
    """Whether a plan is flown."""
    modes: list[str]
    """Who can fly it: `mission`, `assisted`, `raw`."""
    sticks: list[int]
    """Channels of roll, pitch, yaw, throttle; -1 for none."""
    throttle_rests_at: list[float]
    """Where the throttle stick is when nobody holds it, in each of the modes."""
    manual: bool
    """Whether a `Hand` can drive it."""
    wheels: list[str]
    """Its Mecanum wheels: front right, front left, rear left, rear right. Signal `<name>.velocity`, a load each."""


class Scene(Message):
    """All that does not change while a scenario runs."""

    bodies: list[Body]
    geoms: list[Geom]
    meshes: list[Mesh]
    joints: list[Joint]
    cameras: list[Camera]
    rotors: list[Rotor]
    lasers: list[Laser]
    loads: list[str]
    """Who pushes: names of the rows of section `forces`; the last is the hand of a `Push`."""
    vehicles: list[VehicleInfo]


# ---- from the server to the page ----


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
)  # fmt: skip
"""Section `clock`: kind is 1; speed 0 means as fast as possible; contacts is how many rows of that section count."""


class Signal(Message):
    """A number that can be plotted; row of section `signals`."""

    name: str
    unit: str


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


class Changed(Message):
    """State of the run that is not in every frame."""

    kind: Literal["changed"] = "changed"
    modes: list[str]
    """Present mode of each vehicle."""
    missions: list[str]
    """What each vehicle's controller is doing, in words."""
    faults: list[FaultInfo]
    snapshots: int
    recording: str | None
    """File that is being written."""


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


class Notice(Message):
    """Something to tell people."""

    kind: Literal["notice"] = "notice"
    level: Literal["info", "warning", "error"]
    text: str


ToPage = Annotated[Hello | Role | Tuned | Changed | Driven | Notice, Field(discriminator="kind")]
"""A picture of a camera comes as a binary message of another form: float64 2, float64 index of the camera,
float64 time, then the bytes of a JPEG."""


# ---- from the page to the server ----


class Sticks(Message):
    """Where the sticks are now; not heard of for `STICKS_EXPIRE` s, they go to neutral."""

    kind: Literal["sticks"] = "sticks"
    vehicle: Annotated[int, Field(ge=0)] = 0
    channels: Annotated[list[Deflection], Field(max_length=STICK_CHANNELS)]


STICKS_EXPIRE = 0.5
"""[s]: a page repeats its sticks at least five times as often while anything is deflected."""


class Hand(Message):
    """What the keys, gamepad and cursor of a page that drives by hand do now; not heard of for `STICKS_EXPIRE` s, the
    vehicle stops."""

    kind: Literal["hand"] = "hand"
    vehicle: Annotated[int, Field(ge=0)] = 0
    keys: Annotated[list[DriveKey], Field(max_length=len(KEYS))]
    """That are down: a new one was pressed, a missing one released."""
    pad: tuple[Deflection, Deflection, Deflection, Deflection] | None = None
    """Left stick, right stick: right and up positive. None: there is no gamepad."""
    cursor: tuple[Deflection, Deflection] | None = None
    """From the centre of the panel, right and up. None: there is nothing to point with."""
    notches: Annotated[float, Field(ge=-10.0, le=10.0)] = 0.0
    """That the mouse wheel was turned up since the last message."""


class TakeSticks(Message):
    """This page wants the sticks; `force` takes them from another page."""

    kind: Literal["take_sticks"] = "take_sticks"
    force: bool = False


class GiveSticks(Message):
    """This page lets go of the sticks."""

    kind: Literal["give_sticks"] = "give_sticks"


class Watch(Message):
    """Which cameras this page shows, by index: pictures come of these only."""

    kind: Literal["watch"] = "watch"
    cameras: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=100)]


class Emergency(Message):
    """Motors off, or on again."""

    kind: Literal["emergency"] = "emergency"
    on: bool


class Mode(Message):
    """Who flies a vehicle from now on."""

    kind: Literal["mode"] = "mode"
    vehicle: Annotated[int, Field(ge=0)] = 0
    mode: Literal["mission", "assisted", "raw"]


class Pause(Message):
    """Hold the world still, or go on."""

    kind: Literal["pause"] = "pause"
    paused: bool


class Step(Message):
    """Some ticks, while paused."""

    kind: Literal["step"] = "step"
    ticks: Annotated[int, Field(ge=1, le=10_000)] = 1


class Speed(Message):
    """× real time; None is as fast as possible."""

    kind: Literal["speed"] = "speed"
    factor: Annotated[float, Field(ge=0.1, le=10.0)] | None


class Reset(Message):
    """Start over."""

    kind: Literal["reset"] = "reset"


class Keep(Message):
    """Take a snapshot."""

    kind: Literal["keep"] = "keep"


class Restore(Message):
    """Go back to a snapshot."""

    kind: Literal["restore"] = "restore"
    index: Annotated[int, Field(ge=0, le=1000)]


class DropBox(Message):
    """Drop a box below a vehicle."""

    kind: Literal["drop_box"] = "drop_box"
    vehicle: Annotated[int, Field(ge=0)] = 0


class RemoveBoxes(Message):
    """Take all boxes away."""

    kind: Literal["remove_boxes"] = "remove_boxes"


class Push(Message):
    """A force on a body at a point fixed to it, until another one comes; `PUSH_EXPIRE` s at most."""

    kind: Literal["push"] = "push"
    body: Annotated[int, Field(ge=0)]
    point_b: tuple[Length, Length, Length]
    force_w: tuple[Force, Force, Force]


PUSH_EXPIRE = 0.5
"""[s]."""


class Tune(Message):
    """Give a parameter a value."""

    kind: Literal["tune"] = "tune"
    name: Name
    value: Finite


class Fault(Message):
    """Break a part, or mend it with amount 0."""

    kind: Literal["fault"] = "fault"
    part: Name
    fault: Literal["off", "stuck", "loss"]
    amount: Annotated[float, Field(ge=0.0, le=1.0)]


class Record(Message):
    """Start a recording, or end it."""

    kind: Literal["record"] = "record"
    on: bool


class Load(Message):
    """Fly another scenario."""

    kind: Literal["load"] = "load"
    scenario: Name


class SaveScenario(Message):
    """Write the scenario with everything tuned to a file in the output folder."""

    kind: Literal["save_scenario"] = "save_scenario"


class Seek(Message):
    """Go to a time [s] of a recording."""

    kind: Literal["seek"] = "seek"
    time: Finite


FromPage = Annotated[
    Sticks | Hand | TakeSticks | GiveSticks | Watch | Emergency | Mode | Pause | Step | Speed | Reset | Keep | Restore
    | DropBox | RemoveBoxes | Push | Tune | Fault | Record | Load | SaveScenario | Seek,
    Field(discriminator="kind"),
]  # fmt: skip

from_page: TypeAdapter[FromPage] = TypeAdapter(FromPage)
to_page: TypeAdapter[ToPage] = TypeAdapter(ToPage)
