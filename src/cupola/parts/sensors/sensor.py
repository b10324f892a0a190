"""What a sensor is: a place, a rate, a delay, numbers for the loop, and how its samples are told to people and to ROS.

Every sensor has the same row; `numbers` of a kind follow each other in the pool, and compiled code reads them by name.
A sample is the tick, then `width` numbers. The function that measures returns those, then what the sensor remembers.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.part import Part, Places, Row, row_type
from cupola.physics.noise import Pair, gaussian_pair
from cupola.xmath import Number, where

LONG_AGO = 1e9
"""[s] before its first sample a sensor has forgotten everything."""


class Message(NamedTuple):
    """How the samples of a sensor become messages on a topic."""

    type: str
    """ROS 2 message type."""
    fields: Mapping[str, int]
    """Column of the sample, from 0, of each field."""
    constants: Mapping[str, Any]
    """Fields equal in every message."""
    topic: str = ""
    """Under the sensor's own topic; a sensor with one message needs none."""
    factors: Mapping[str, float] = {}
    """What a field is multiplied with, where ROS counts in other units."""
    ends_in: str = ""
    """The last field, where it is the bytes of a picture: see `sim/camera_images.py`."""


class Sensor(Part):
    """Something that measures at a site. `rate_hz` need not divide the physics rate."""

    site: str = Field(description="site of the MJCF model where the sensor sits; its axes are the sensor's axes")
    rate_hz: float = Field(gt=0, description="[Hz]")
    delay: float = Field(0.0, ge=0, description="[s] from measurement to availability")

    fixed: ClassVar[tuple[str, ...]] = ("rate_hz", "delay")
    Numbers: ClassVar[Any] = ()
    """NamedTuple of floats that the measurement needs, by the names of the fields."""
    chance: ClassVar[tuple[str, ...]] = ()
    """Fields that make it random when they are not zero."""

    def at_site(self) -> str:
        """The site it measures at; its messages speak of its axes."""
        return self.site

    def width(self) -> int:
        """Numbers of a sample."""
        raise NotImplementedError(f"{type(self).__name__} has no width()")

    def numbers(self) -> list[float]:
        """Values of `Numbers`, and behind them whatever else the loop must know."""
        return [getattr(self, name) for name in getattr(self.Numbers, "_fields", ())]

    def memory_at_start(self) -> tuple[float, ...]:
        """What it remembers from sample to sample, before the first."""
        return ()

    def reading(self, s: list[float]) -> Any:
        """The numbers of a sample by name, as a controller sees them."""
        raise NotImplementedError(f"{type(self).__name__} has no reading()")

    def messages(self, frame: str) -> tuple[Message, ...]:
        """What is recorded; `frame` is the name of its site's axes."""
        raise NotImplementedError(f"{type(self).__name__} has no messages()")

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        row = np.zeros((), SENSOR)
        row["interval"] = 1.0 / self.rate_hz
        row["site"] = site = places.site(self.at_site())
        row["body"], row["vehicle"], row["width"] = places.body_of(site), places.vehicle, self.width()
        row["noisy"] = any(getattr(self, name) != 0 for name in self.chance)
        row["numbers"], row["stream"] = len(places.pool), places.stream()
        places.pool += self.numbers()
        row["state"] = places.state(*self.memory_at_start())
        ring = places.samples(1 + self.width(), self.rate_hz, self.delay)
        row["start"], row["capacity"], row["period"], row["counter"] = ring
        return row


class SampleTiming(NamedTuple):
    """When a sensor fires: sample k at the first tick at or after `k * period`."""

    period: float
    """[ticks]."""
    interval: float
    """[s], the same."""


class SampleLoss(NamedTuple):
    """What a fault does to the samples."""

    loss: float
    """Share that never arrives."""


SENSOR = row_type(
    SampleTiming,
    SampleLoss,
    **dict.fromkeys(("code", "body", "site", "vehicle", "start", "capacity", "width", "counter"), "i8"),
    **dict.fromkeys(("numbers", "state", "stream", "noisy", "source", "stuck"), "i8"),
)
"""Row of any sensor: `code` is its place in `parts.KINDS`, `source` the battery that a monitor watches; a `stuck` one
repeats its last sample."""
LOST = -1.0
"""In place of the tick: a sample that never arrives."""
LOSS_LANE = 1 << 20
"""Of the random numbers of a sample the one that says whether it is lost; no sensor draws so many for its noise."""


class Chance(NamedTuple):
    """The key of all random numbers of one sample, and the time since the one before."""

    seed: Number
    stream: Number
    index: Number
    noisy: Number
    interval: Number
    """[s]."""


def draw(chance: Chance, lane: Number) -> Pair:
    """Two standard normal numbers of this sample; zeros for a sensor without noise, which then costs nothing."""
    if chance.noisy:
        return gaussian_pair(chance.seed, chance.stream, chance.index, lane)
    return Pair(0.0, 0.0)


def since_last(chance: Chance) -> Number:
    """Time in which a wandering error changed [s]: before the first sample it has wandered for ever."""
    return where(chance.index == 0, LONG_AGO, chance.interval)
