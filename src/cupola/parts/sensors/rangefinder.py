"""A rangefinder: distance along the x axis of its site to the first surface that is not of its own body."""

import math
from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from cupola.parts.part import row_type
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw
from cupola.xmath import Number

INFRARED = 1
"""Radiation type of a Range message: ROS knows ultrasound and infrared."""


class RangefinderReading(NamedTuple):
    """One sample."""

    range: float
    """[m]; +inf: nothing within reach, -inf: too close (ROS REP 117)."""


class RangeNumbers(NamedTuple):
    """One rangefinder, or one ray of a scanner."""

    range_min: float
    range_max: float
    noise: float


class Rangefinder(Sensor):
    """One ray along +x of its site."""

    kind: Literal["rangefinder"]
    range_min: float = Field(0.1, ge=0, description="[m] closer is -inf")
    range_max: float = Field(30.0, gt=0, description="[m] farther is +inf")
    noise: float = Field(0.0, ge=0, description="[m] standard deviation of a sample")
    field_of_view: float = Field(0.01, gt=0, description="[rad] told in the message; the ray itself has no width")

    Numbers = RangeNumbers
    chance = ("noise",)

    @model_validator(mode="after")
    def _check_limits(self) -> "Rangefinder":
        check_limits(self.range_min, self.range_max)
        return self

    def width(self) -> int:
        """The range."""
        return 1

    def reading(self, s: list[float]) -> RangefinderReading:
        """The range."""
        return RangefinderReading(s[0])

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A Range."""
        constants = {
            "header.frame_id": frame,
            "radiation_type": INFRARED,
            "field_of_view": self.field_of_view,
            "min_range": self.range_min,
            "max_range": self.range_max,
            "variance": self.noise**2,
        }
        return (Message("sensor_msgs/msg/Range", {"range": 0}, constants),)


RANGE_NUMBERS = row_type(RangeNumbers)


class RangeSample(NamedTuple):
    """[m]."""

    range: Number


def check_limits(low: float, high: float) -> None:
    """Refuse a reach that ends before it begins."""
    if low >= high:
        raise ValueError(f"range_min {low:g} must be below range_max {high:g}")


def said_range(p: RangeNumbers, distance: Number, noise: Number) -> Number:
    """What a ray of true length `distance` [m] (negative: it hits nothing) says, with a standard normal `noise`."""
    said = distance + p.noise * noise
    if distance < 0.0 or said > p.range_max:
        return math.inf
    if said < p.range_min:
        return -math.inf
    return said


def measure_range(p: RangeNumbers, distance: Number, chance: Chance) -> RangeSample:
    """One sample of a rangefinder."""
    return RangeSample(said_range(p, distance, draw(chance, 0).a))
