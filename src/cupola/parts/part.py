"""What a part is: data from a vehicle file, bound to a site of the model, evaluated every tick.

Four moments: `attach(spec)` may add to the model before it is compiled; `bind(places)` finds numbers and addresses in
the compiled model and returns the part's row; `reset()` and `step(...)` belong to parts written in plain Python. The
parts that ship are rows of numbers: the loop in `engine/loop.py` evaluates them without Python.
"""

import copy
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from pydantic import ConfigDict, Field

from cupola.physics.rotation import Vector, Wrench
from cupola.schema.yaml_files import Entry

Row = np.ndarray[Any, np.dtype[np.void]]
"""Numbers of one part, by name."""


class Curve(Entry):
    """A coefficient as a function of one variable: polynomial, cubic spline (with `breaks`), or the CSV of a spline."""

    coefficients: list[float] = Field(
        [], description="polynomial: constant term first; spline: 4 per segment, cubic first"
    )
    breaks: list[float] | None = Field(None, description="where the segments of a spline begin, then where it ends")
    file: str | None = Field(None, description="instead of both: CSV beside the vehicle file, columns break,a,b,c,d")

    def model_post_init(self, _: Any) -> None:
        """Refuse a spline whose breaks do not rise or whose coefficients do not fit them."""
        if bool(self.file) == bool(self.coefficients or self.breaks):
            raise ValueError("give either coefficients (with breaks for a spline) or the file of a table")
        if self.breaks is None:
            return
        if len(self.breaks) < 2 or any(b <= a for a, b in zip(self.breaks, self.breaks[1:], strict=False)):
            raise ValueError(f"breaks must rise from one to the next, got {self.breaks}")
        wanted = 4 * (len(self.breaks) - 1)
        if len(self.coefficients) != wanted:
            raise ValueError(f"{len(self.breaks)} breaks need {wanted} coefficients, got {len(self.coefficients)}")


class CurveRow(NamedTuple):
    """Where a curve lies in the pool of curves: breaks first, then coefficients."""

    start: int
    segments: int
    """Segments of a spline; 0 means a polynomial."""
    numbers: int
    """How many coefficients."""


class Places(Protocol):
    """What a part may ask while it is bound to the compiled model."""

    model: Any
    """The compiled MuJoCo model."""
    root: int
    """Root body of this vehicle."""
    vehicle: int
    physics_hz: int
    folder: Path
    """Where the vehicle file lies."""
    parts: "Mapping[str, Part]"
    """The other parts of this vehicle, by name."""
    ground: bool
    """Whether the world has a floor."""
    pool: list[float]
    """Numbers that compiled code reads by position: curves and matrices."""

    def site(self, name: str) -> int:
        """Index of a site of this vehicle."""

    def body(self, name: str) -> int:
        """Index of a body of this vehicle."""

    def body_of(self, site: int) -> int:
        """Index of the body that carries a site."""

    def channel(self, number: int) -> int:
        """Slot of a command channel of this vehicle; -1 gives the slot that is always zero."""

    def joint(self, name: str) -> int:
        """Index of a joint of this vehicle."""

    def actuator(self, name: str) -> int:
        """Index of a MuJoCo actuator of this vehicle."""

    def battery(self, name: str) -> int:
        """Row of a battery of this vehicle."""

    def rank(self, kind: "type[Part]", name: str) -> int:
        """Row of a part of this vehicle among all of its kind."""

    def rotor(self, name: str) -> int:
        """Row of a rotor of this vehicle, one whose disc is known."""

    def curve(self, curve: Curve | None) -> CurveRow:
        """Place of a curve in the pool."""

    def state(self, *initial: float) -> int:
        """Reserve numbers that are part of the state of the world."""

    def output(self, count: int) -> int:
        """Reserve numbers that a part shows to recorders."""

    def samples(self, width: int, rate_hz: float, delay: float) -> tuple[int, int, float, int]:
        """Reserve a ring of sensor samples: (start, capacity, period in ticks, counter)."""

    def stream(self) -> int:
        """A number of its own for this part's noise."""


class SiteMotion(NamedTuple):
    """How the place of a part moves, in the frame of its site."""

    vel_s: Vector
    """[m/s], relative to the world."""
    vel_air_s: Vector
    """[m/s], relative to the air."""
    rate_s: Vector
    """[rad/s]."""


class Part(Entry):
    """One entry under `parts:` of a vehicle file."""

    model_config = ConfigDict(frozen=False)

    kind: str
    _output_at: int = -1
    fixed: ClassVar[tuple[str, ...]] = ()
    """Numbers that cannot change while the world runs."""
    holds: ClassVar[bool] = False
    """Whether not a number on one of its channels means: as before."""
    Output: ClassVar[Any] = None
    """NamedTuple of what it shows to recorders and monitors, if it does."""

    def show_at(self, place: int) -> None:
        """Its outputs begin here."""
        self._output_at = place

    @property
    def output_at(self) -> int:
        """Where its outputs begin; -1 before it is bound."""
        return self._output_at

    def attach(self, spec: Any) -> None:
        """Add to the MuJoCo spec of the vehicle before it is compiled."""

    def pieces(self, name: str) -> "dict[str, Part]":
        """What is bound in its place: itself, or the parts that it is made of, by their names."""
        return {name: self}

    def configure(self, option: Any) -> None:
        """Change MuJoCo's options of the world it is in, where its physics needs it."""

    def used_channels(self) -> tuple[int, ...]:
        """Command channels it listens to; -1 means none."""
        return ()

    def bind(self, places: Places) -> Row:
        """The row of numbers that the compiled loop reads."""
        raise NotImplementedError(f"{type(self).__name__} has no bind()")

    def reset(self) -> None:
        """Called when the world starts over."""

    def memory(self) -> dict[str, Any]:
        """Everything a snapshot must hold: the fields, and what the part keeps under names with an underscore."""
        return copy.deepcopy({**vars(self), **(self.__pydantic_private__ or {})})

    def remember(self, memory: dict[str, Any]) -> None:
        """Go back to what `memory` returned."""
        for name, value in copy.deepcopy(memory).items():
            setattr(self, name, value)


class Load(Part):
    """Something that pushes on the vehicle at a site. A load of your own derives from this and writes `step`."""

    site: str = Field(description="site of the MJCF model where the part sits; its axes are the part's axes")

    def bind(self, places: Places) -> Row:
        """Place of the wrench that `step` returns, held for one tick."""
        site = places.site(self.site)
        return np.array((places.body_of(site), site, places.vehicle, places.state(*[0.0] * 6)), HELD)

    def step(self, motion: SiteMotion, density: float, drive: Any) -> Wrench:
        """Load in plain Python, once per tick: force [N] and torque [N m] at the site, in its axes.

        `drive` holds the channels of the vehicle after servos and mixers, as of the tick before.
        """
        raise NotImplementedError(f"{type(self).__name__} has no step()")


class Actuator(Part):
    """Something between a command channel and the parts that read it."""

    channel: int = Field(ge=0, description="command channel it acts on")

    def used_channels(self) -> tuple[int, ...]:
        """The one channel."""
        return (self.channel,)


HELD = np.dtype([("body", "i8"), ("site", "i8"), ("vehicle", "i8"), ("state", "i8")])
"""Row of a load written in plain Python: its six numbers lie in the state."""


def row_type(*numbers: type, **indices: str) -> np.dtype[np.void]:
    """Record of all fields of some NamedTuples as floats, then the given index fields."""
    fields = [(name, "f8") for numbers_of in numbers for name in numbers_of._fields]  # type: ignore[attr-defined]
    return np.dtype([*fields, *indices.items()])


def ticks_between(rate_hz: float, physics_hz: int) -> int:
    """Ticks from one call to the next; the rate must divide the physics rate."""
    every = physics_hz / rate_hz
    if every >= 1 and math.isclose(every, round(every), rel_tol=1e-12):
        return round(every)
    below, above = max(1, math.floor(every)), max(1, math.ceil(every))
    nearest = " or ".join(f"{physics_hz / n:g}" for n in sorted({above, below}, reverse=True))
    raise ValueError(f"rate_hz: {rate_hz:g} Hz does not divide physics_hz {physics_hz}; nearest valid: {nearest} Hz")
