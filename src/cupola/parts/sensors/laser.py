"""A laser scanner: a fan of rays in the x-y plane of its site, counter-clockwise about z. It does not see its own body.

Put the site on a body with a hinge and the scanner can be turned. Defaults: the scanner of Last_letter_2. All rays of a
scan are of one moment: no mirror turns between them.
"""

import math
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field, model_validator

from cupola.kernel.memory import Views
from cupola.kernel.rays import RayDirection, cast_bright_fan, cast_fan
from cupola.parts.binding import BindContext, row_type
from cupola.parts.described import RootFrame, ScannerPlace
from cupola.parts.sensors.ranging import RangeNumbers, check_limits, said_range
from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw
from cupola.physics.echo import echo
from cupola.physics.noise import Pair, uniform
from cupola.xmath import Number, maximum

LOST_LANE = 1 << 18
"""Of the random numbers of a scan the first that says whether an echo is lost."""


class LaserReading(NamedTuple):
    """One scan."""

    ranges: tuple[float, ...]
    """[m] from the first angle to the last; +inf: nothing within reach, -inf: too close (ROS REP 117)."""
    intensities: tuple[float, ...] = ()
    """Strength of each echo, where the scanner tells it; 1: white, straight on, 1 m away. 0: no echo."""


class LaserNumbers(NamedTuple):
    """Parameters of a scanner in the loop: limits and errors."""

    range_min: float
    range_max: float
    noise: float
    bias: float
    lost: float


class RayAngles(NamedTuple):
    """The fan of a scanner."""

    first: float
    """[rad] of the first ray from x, counter-clockwise about z."""
    step: float
    """[rad] from one ray to the next."""
    rays: int


class Laser(Sensor):
    """Laser scanner."""

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

    Numbers = (LaserNumbers,)
    Index: ClassVar[dict[str, str]] = {"first": "i8", "count": "i8"}
    Element = row_type(RayDirection)
    noise_fields = ("noise", "lost")
    has_signals = False
    """Its samples are drawn as rays, not as curves."""

    @model_validator(mode="after")
    def _check_limits(self) -> "Laser":
        check_limits(self.range_min, self.range_max)
        if self.angle_min_deg >= self.angle_max_deg:
            raise ValueError(f"angle_min_deg {self.angle_min_deg:g} must be below angle_max_deg {self.angle_max_deg:g}")
        return self

    def describe(self, places: BindContext, frame: RootFrame) -> ScannerPlace:
        """Its position, and the directions of its rays."""
        site = places.site(self.site)
        place, ahead = frame.point(frame.data.site_xpos[site]), frame.axis(site)
        first, last = math.radians(self.angle_min_deg), math.radians(self.angle_max_deg)
        yaw = math.atan2(ahead.y, ahead.x)
        return ScannerPlace(place.x, place.y, yaw, first, last, self.rays, self.range_min, self.range_max)

    def width(self) -> int:
        """A range per ray, perhaps the strength of each echo."""
        return self.rays * (1 + self.intensity)

    def ray_angles(self) -> RayAngles:
        """Where its rays go."""
        return RayAngles(math.radians(self.angle_min_deg), self.angle_step(), self.rays)

    def angles(self) -> list[float]:
        """Of every ray [rad]."""
        first, step, rays = self.ray_angles()
        return [first + k * step for k in range(rays)]

    def angle_step(self) -> float:
        """Between two rays [rad]."""
        return math.radians(self.angle_max_deg - self.angle_min_deg) / (self.rays - 1)

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Limits and errors, and where the directions of its rays lie."""
        row = {**super().numbers(places), "first": len(places.constants), "count": self.rays}
        for angle in self.angles():
            places.constants += RayDirection(math.cos(angle), math.sin(angle))
        return row

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

    @staticmethod
    def measure(v: Views, p: Number, elements: Number, sample: Number, noise: NoiseKey) -> None:
        """Ranges, and behind them the strength of the echoes, if the sample has room for it.

        It asks for the memory of the world: its rays may hit any of its bodies.
        """
        rays = elements.shape[0]
        ranges, echoes = sample[:rays], sample[rays:]
        if echoes.shape[0] == 0:
            cast_fan(v, p, elements, ranges, p.range_max)
            measure_scan(p, ranges, noise)
        else:
            cosines, reflectivities = cast_bright_fan(v, p, elements, ranges, p.range_max)
            measure_scan(p, ranges, noise)
            measure_echoes(ranges, cosines, reflectivities, echoes)


def measure_scan(p: LaserNumbers, ranges: Number, key: NoiseKey) -> None:
    """Turn true distances [m] into what the scanner says, in place: two rays share a pair of random numbers."""
    for k in range(ranges.shape[0]):
        if ranges[k] >= 0.0:
            ranges[k] = maximum(ranges[k] + p.bias, 0.0)
            if p.lost > 0.0 and uniform(key.seed, key.stream, key.index, LOST_LANE + k) < p.lost:
                ranges[k] = -1.0  # as if nothing were there
    limits = RangeNumbers(p.range_min, p.range_max, p.noise)
    for k in range(0, ranges.shape[0], 2):
        pair = ranges[k : k + 2]
        noise = Pair(0.0, 0.0)
        if pair.max() > 0.0:  # a ray that hits nothing needs no noise
            noise = draw(key, k // 2)
        pair[0] = said_range(limits, pair[0], noise.a)
        if pair.shape[0] == 2:
            pair[1] = said_range(limits, pair[1], noise.b)


def measure_echoes(ranges: Number, cosines: Number, reflectivities: Number, out: Number) -> None:
    """Strength of the echo of each ray: of what it says, so that a lost one has none."""
    for k in range(out.shape[0]):
        heard = 0.0 < ranges[k] < math.inf
        out[k] = echo(reflectivities[k], cosines[k], ranges[k]) if heard else 0.0
