"""Messages from the page to the server."""

from typing import Annotated, Literal

from pydantic import Field

from cupola.cockpit.messages.base import (
    Deflection,
    DriveKey,
    Finite,
    Force,
    Length,
    Message,
    Name,
    Place,
    Text,
    TextOf,
    Three,
    Version,
)
from cupola.config.channels import STICK_CHANNELS
from cupola.teleop.manual_modes import KEYS


class Sticks(Message):
    """Where the sticks are now; not heard of for `STICKS_EXPIRE` s, they go to neutral."""

    kind: Literal["sticks"] = "sticks"
    vehicle: Annotated[int, Field(ge=0)] = 0
    channels: Annotated[list[Deflection], Field(max_length=STICK_CHANNELS)]


class Turn(Message):
    """Put a channel that a vehicle obeys where a hand wants it, in the units of the channel; it stays there."""

    kind: Literal["turn"] = "turn"
    vehicle: Annotated[int, Field(ge=0)] = 0
    channel: Annotated[int, Field(ge=0, le=1000)]
    value: Place


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
    """A force [N] on a body at a point fixed to it, and a torque [N m], until others come; `PUSH_EXPIRE` s at most."""

    kind: Literal["push"] = "push"
    body: Annotated[int, Field(ge=0)]
    point_b: tuple[Length, Length, Length]
    force_w: tuple[Force, Force, Force]
    torque_w: tuple[Force, Force, Force] = (0.0, 0.0, 0.0)


PUSH_EXPIRE = 0.5
"""[s]."""


class Excite(Message):
    """A test input from now on, in simulated time; afterwards everything is as it was before."""

    kind: Literal["excite"] = "excite"
    vehicle: Annotated[int, Field(ge=0)] = 0
    shape: Literal["step", "doublet", "chirp", "push", "twist", "gust"]
    size: Annotated[float, Field(ge=-1e4, le=1e4)]
    """Of a stick (-1 to 1), [N] of a push, [N m] of a twist, [m/s] of a gust."""
    seconds: Annotated[float, Field(gt=0.0, le=600.0)]
    stick: Literal["roll", "pitch", "yaw", "throttle"] = "roll"
    """Of a step, doublet or chirp."""
    from_hz: Annotated[float, Field(gt=0.0, le=10.0)] = 0.1
    to_hz: Annotated[float, Field(gt=0.0, le=10.0)] = 2.0
    """Of a chirp, from its begin to its end."""
    direction_w: Three = (1.0, 0.0, 0.0)
    """Of a push, a gust or the axis of a twist, world axes, of any length."""
    body: Annotated[int, Field(ge=1)] | None = None
    """That is pushed or twisted; None: the one that carries the vehicle."""
    point_b: tuple[Length, Length, Length] = (0.0, 0.0, 0.0)
    """Of a push."""


class StopExcitation(Message):
    """End the test input before its time."""

    kind: Literal["stop_excitation"] = "stop_excitation"


class GoTo(Message):
    """Fly the mission's controller to a place and stay there; None: the scenario's own plan again."""

    kind: Literal["go_to"] = "go_to"
    vehicle: Annotated[int, Field(ge=0)] = 0
    place: tuple[Place, Place, Place] | None


class MoveWaypoint(Message):
    """Put a place of the present plan elsewhere."""

    kind: Literal["move_waypoint"] = "move_waypoint"
    vehicle: Annotated[int, Field(ge=0)] = 0
    index: Annotated[int, Field(ge=0, le=100_000)]
    place: tuple[Place, Place, Place]


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
    """Fly another scenario or vehicle, or show a recording: one that a `Gallery` has."""

    kind: Literal["load"] = "load"
    scenario: Name


class SaveScenario(Message):
    """Write the scenario with everything tuned to a file in the output folder."""

    kind: Literal["save_scenario"] = "save_scenario"


class OpenText(Message):
    """The text of a file of the world that flies: of its scenario (-1), or of the vehicle with this index."""

    kind: Literal["open_text"] = "open_text"
    number: int = 0
    """Of the question; the server counts."""
    file: TextOf


class CheckText(Message):
    """What is wrong with a text, as `cupola check` says it, without building the world."""

    kind: Literal["check_text"] = "check_text"
    number: int = 0
    file: TextOf
    version: Version
    text: Text


class FlyText(Message):
    """Fly the world with another text of a file; the file stays as it is."""

    kind: Literal["fly_text"] = "fly_text"
    number: int = 0
    file: TextOf
    version: Version
    text: Text


class SaveText(Message):
    """Write a text to a file of its own in the output folder."""

    kind: Literal["save_text"] = "save_text"
    number: int = 0
    file: TextOf
    version: Version
    name: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,59}$")]
    """Of the file or, for a vehicle, of its folder."""
    text: Text


class Seek(Message):
    """Go to a time [s] of a recording, or to one that has been; a world goes on from there when it is not paused."""

    kind: Literal["seek"] = "seek"
    time: Finite


FromPage = Annotated[
    Sticks | Turn | Hand | TakeSticks | GiveSticks | Watch | Emergency | Mode | Pause | Step | Speed | Reset | Keep
    | Restore | DropBox | RemoveBoxes | Push | Tune | Fault | Record | Load | SaveScenario | Seek | Excite
    | StopExcitation | GoTo | MoveWaypoint | OpenText | CheckText | FlyText | SaveText,
    Field(discriminator="kind"),
]  # fmt: skip
