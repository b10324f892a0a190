"""A laser scanner: a fan of rays in the x-y plane of its site, counter-clockwise about z. It does not see its own body.

Put the site on a body with a hinge and the scanner can be turned. Defaults: the scanner of Last_letter_2. All rays of a
scan are of one moment: no mirror turns between them.
"""

import math
from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from cupola.parts.part import row_type
from cupola.parts.sensors.rangefinder import RangeNumbers, check_limits, said_range
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw
from cupola.physics.echo import echo
from cupola.physics.noise import Pair, uniform
from cupola.xmath import Number, maximum


class LaserReading(NamedTuple):
    """One scan."""

    ranges: tuple[float, ...]
    """[m] from the first angle to the last; +inf: nothing within reach, -inf: too close (ROS REP 117)."""
    intensities: tuple[float, ...] = ()
    """Strength of each echo, where the scanner tells it; 1: white, straight on, 1 m away. 0: no echo."""


class LaserNumbers(NamedTuple):
    """What the loop needs of a scanner: limits and errors."""

    range_min: float
    range_max: float
    noise: float
    bias: float
    lost: float
    rays: float


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
    intensity: bool = Field(False, description="whether it also tells how strong each echo is")

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
        """A range per ray, perhaps the strength of each echo."""
        return self.rays * (1 + self.intensity)

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
        """Ranges, intensities."""
        return LaserReading(tuple(s[: self.rays]), tuple(s[self.rays :]))

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
        fields = {f"ranges.{k}": k for k in range(self.rays)}
        if self.intensity:
            fields |= {f"intensities.{k}": self.rays + k for k in range(self.rays)}
        return (Message("sensor_msgs/msg/LaserScan", fields, constants),)


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


def measure_echoes(ranges: Number, cosines: Number, reflectivities: Number, out: Number) -> None:
    """Strength of the echo of each ray: of what it says, so that a lost one has none."""
    for k in range(out.shape[0]):
        heard = 0.0 < ranges[k] < math.inf
        out[k] = echo(reflectivities[k], cosines[k], ranges[k]) if heard else 0.0
