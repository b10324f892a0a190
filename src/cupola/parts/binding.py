"""How a part finds its places in the compiled model: what it may ask, and what it may hand over to its kernels."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from pydantic import Field

from cupola.schema.trust import Trust
from cupola.schema.yaml_files import Entry

if TYPE_CHECKING:
    from cupola.parts.part import Part

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
    """Location of a curve among the constants: breaks first, then coefficients."""

    start: int
    segments: int
    """Segments of a spline; 0 means a polynomial."""
    numbers: int
    """How many coefficients."""


class Take(NamedTuple):
    """Data that a part reads from another one."""

    type: Any
    """NamedTuple that the other one publishes; its defaults count where none is named."""
    named_by: str
    """Key of the vehicle file that names the other part."""
    fresh: bool = False
    """Whether the other one runs first in a tick; otherwise its last value is read."""


class Arrow(NamedTuple):
    """Force arrow of a part: the output to draw, in the axes of its site."""

    output: str
    """A vector, or a number along the x axis of the site."""


class PushedSite(NamedTuple):
    """A further site at which a part applies forces."""

    site: int
    force: tuple[int, int, int]
    """Where in the state of the world its force is, axes of the site; -1: it has no such component."""


class BindContext(Protocol):
    """Interface for a part while it is bound to the compiled model."""

    model: Any
    """The compiled MuJoCo model."""
    root: int
    """Root body of this vehicle."""
    vehicle: int
    physics_hz: int
    gravity: float
    """[m/s²] of what rests at the world's origin."""
    folder: Path
    """Where the vehicle file lies."""
    trust: Trust
    """Which code may run."""
    parts: "Mapping[str, Part]"
    """The other parts of this vehicle, by name."""
    ground: bool
    """Whether the world has a floor."""
    constants: list[float]
    """Constants that compiled code reads by position: curves, matrices, elements."""

    def text(self, file: str) -> str:
        """Content of a table beside the vehicle file, or of the one that a recording holds in its place."""

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

    def curve(self, curve: Curve | None) -> CurveRow:
        """Place of a curve among the constants."""

    def state(self, *initial: float) -> int:
        """Reserve numbers that are part of the state of the world."""

    def output(self, count: int) -> int:
        """Reserve outputs of a part."""

    def given(self, giver: "Part | None", type_: Any) -> int:
        """Where lies what a part gives; without a giver, the defaults of the type."""

    def collected(self, receiver: "Part", type_: Any) -> int:
        """Where a part collects what others feed it."""

    def named(self, name: str, type_: Any, verb: str) -> "Part":
        """The part of this vehicle that has this name and gives or collects a type."""

    def samples(self, width: int, rate_hz: float, delay: float) -> tuple[int, int, float, int]:
        """Reserve a ring of sensor samples: (start, capacity, period in ticks, counter)."""

    def stream(self) -> int:
        """A unique noise number for this part."""


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
