"""A laser scanner: a fan of rays in the x-y plane of its site, counter-clockwise about z. It does not see its own body.

Put the site on a body with a hinge and the scanner can be turned. Defaults: the scanner of Last_letter_2.
"""

import math
from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from cupola.parts.part import row_type
from cupola.parts.rangefinder import RangeNumbers, check_limits, said_range
from cupola.parts.sensor import Chance, Message, Sensor, draw
from cupola.physics.noise import Pair, uniform
from cupola.xmath import Number, maximum


class LaserReading(NamedTuple):
    """One scan."""

    ranges: tuple[float, ...]
    """[m] from the first angle to the last; +inf: nothing within reach, -inf: too close (ROS REP 117)."""


class LaserNumbers(NamedTuple):
    """What the loop needs of a scanner: limits and errors."""

    range_min: float
    range_max: float
    noise: float
    bias: float
    lost: float


class Laser(Sensor):
    """Scanner of many rays."""

    kind: Literal["laser"]
    rate_hz: float = Field(40.0, gt=0, description="[Hz]")
    rays: int = Field(720, ge=2, le=100_000)
    angle_min_deg: float = Field(-90.0, ge=-360, description="of the first ray from x, counter-clockwise about z")
    angle_max_deg: float = Field(90.0, le=360, description="of the last ray")
    range_min: float = Field(0.1, ge=0, description="[m] closer is -inf")
    range_max: float = Field(30.0, gt=0, description="[m] farther is +inf")
    noise: float = Field(0.01, ge=0, description="[m] standard deviation of a range")
    bias: float = Field(0.0, description="[m] on every range: a scanner that is badly calibrated")
    lost: float = Field(0.0, ge=0, le=1, description="share of echoes that never come back: +inf")

    fixed = (*Sensor.fixed, "angle_min_deg", "angle_max_deg")

    Numbers = LaserNumbers
    chance = ("noise", "lost")

    @model_validator(mode="after")
    def _check_limits(self) -> "Laser":
        check_limits(self.range_min, self.range_max)
        if self.angle_min_deg >= self.angle_max_deg:
            raise ValueError(f"angle_min_deg {self.angle_min_deg:g} must be below angle_max_deg {self.angle_max_deg:g}")
        return self

    def width(self) -> int:
        """A range per ray."""
        return self.rays

    def angles(self) -> list[float]:
        """Of every ray [rad]."""
        first, step = math.radians(self.angle_min_deg), self.angle_step()
        return [first + k * step for k in range(self.rays)]

    def angle_step(self) -> float:
        """Between two rays [rad]."""
        return math.radians(self.angle_max_deg - self.angle_min_deg) / (self.rays - 1)

    def numbers(self) -> list[float]:
        """Limits and noise, then the direction of every ray in the plane."""
        directions = [part for angle in self.angles() for part in (math.cos(angle), math.sin(angle))]
        return [*super().numbers(), *directions]

    def reading(self, s: list[float]) -> LaserReading:
        """The ranges."""
        return LaserReading(tuple(s))

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A LaserScan: all rays of one moment."""
        constants = {
            "header.frame_id": frame,
            "angle_min": math.radians(self.angle_min_deg),
            "angle_max": math.radians(self.angle_max_deg),
            "angle_increment": self.angle_step(),
            "scan_time": 1.0 / self.rate_hz,
            "range_min": self.range_min,
            "range_max": self.range_max,
        }
        return (Message("sensor_msgs/msg/LaserScan", {f"ranges.{k}": k for k in range(self.rays)}, constants),)


LASER_NUMBERS = row_type(LaserNumbers)
LOST_LANE = 1 << 18
"""Of the random numbers of a scan the first that says whether an echo is lost."""


def measure_scan(p: LaserNumbers, ranges: Number, chance: Chance) -> None:
    """Turn true distances [m] into what the scanner says, in place: two rays share a pair of random numbers."""
    for k in range(ranges.shape[0]):
        if ranges[k] >= 0.0:
            ranges[k] = maximum(ranges[k] + p.bias, 0.0)
            if p.lost > 0.0 and uniform(chance.seed, chance.stream, chance.index, LOST_LANE + k) < p.lost:
                ranges[k] = -1.0  # as if nothing were there
    limits = RangeNumbers(p.range_min, p.range_max, p.noise)
    for k in range(0, ranges.shape[0], 2):
        pair = ranges[k : k + 2]
        noise = Pair(0.0, 0.0)
        if pair.max() > 0.0:  # a ray that hits nothing needs no noise
            noise = draw(chance, k // 2)
        pair[0] = said_range(limits, pair[0], noise.a)
        if pair.shape[0] == 2:
            pair[1] = said_range(limits, pair[1], noise.b)
