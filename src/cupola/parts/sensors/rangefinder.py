"""A rangefinder: distance along the x axis of its site to the first surface that is not of its own body."""

from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from cupola.kernel.memory import Views
from cupola.kernel.rays import cast_ahead
from cupola.parts.sensors.ranging import RangeNumbers, check_limits, said_range
from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw
from cupola.xmath import Number

INFRARED = 1
"""Radiation type of a Range message: ROS knows ultrasound and infrared."""


class RangefinderReading(NamedTuple):
    """One sample."""

    range: float
    """[m]; +inf: nothing within reach, -inf: too close (ROS REP 117)."""


class Rangefinder(Sensor):
    """One ray along +x of its site."""

    kind: Literal["rangefinder"]
    range_min: float = Field(0.1, ge=0, description="[m] closer is -inf")
    range_max: float = Field(30.0, gt=0, description="[m] farther is +inf")
    noise: float = Field(0.0, ge=0, description="[m] standard deviation of a sample")
    field_of_view: float = Field(0.01, gt=0, description="[rad] told in the message; the ray itself has no width")

    Numbers = (RangeNumbers,)
    Sample = RangefinderReading
    noise_fields = ("noise",)

    @model_validator(mode="after")
    def _check_limits(self) -> "Rangefinder":
        check_limits(self.range_min, self.range_max)
        return self

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
        return (Message("sensor_msgs/msg/Range", {"range": self.sample_names().index("range")}, constants),)

    @staticmethod
    def measure(v: Views, p: Number, noise: NoiseKey) -> RangefinderReading:
        """Length of the ray with errors. It asks for the memory of the world: the ray may hit any of its bodies."""
        return RangefinderReading(said_range(p, cast_ahead(v, p, p.range_max), draw(noise, 0).a))
