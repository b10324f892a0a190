"""A satellite receiver: latitude, longitude, altitude and velocity of its site, with noise and a wandering error."""

import math
from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import row_type
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw, since_last
from cupola.physics.geodesy import Geodetic, geodetic_from_world
from cupola.physics.inertial import gauss_markov
from cupola.physics.rotation import Vector
from cupola.xmath import Number

DIAGONAL_KNOWN = 2
"""NavSatFix: only the diagonal of the covariance is known."""


class GnssReading(NamedTuple):
    """One fix."""

    latitude: float
    longitude: float
    """[rad], WGS-84."""
    altitude: float
    """[m] above the ellipsoid."""
    vel_w: Vector
    """[m/s] east, north, up."""


class GnssNumbers(NamedTuple):
    """Errors of one receiver."""

    noise: float
    altitude_noise: float
    velocity_noise: float
    wander: float
    altitude_wander: float
    wander_time: float


class Gnss(Sensor):
    """Position on the Earth and velocity; all errors are zero unless given."""

    kind: Literal["gnss"]
    noise: float = Field(
        0.0,
        ge=0,
        description="[m] standard deviation of a fix, east and north",
        json_schema_extra={"usual": [0.0, 10.0]},
    )
    altitude_noise: float = Field(0.0, ge=0, description="[m] the same, up", json_schema_extra={"usual": [0.0, 10.0]})
    velocity_noise: float = Field(
        0.0, ge=0, description="[m/s] standard deviation, each axis", json_schema_extra={"usual": [0.0, 10.0]}
    )
    wander: float = Field(
        0.0,
        ge=0,
        description="[m] standard deviation of the slow error (Gauss-Markov), each axis",
        json_schema_extra={"usual": [0.0, 10.0]},
    )
    altitude_wander: float = Field(0.0, ge=0, description="[m] the same, up")
    wander_time: float = Field(300.0, gt=0, description="[s] over which the slow error is forgotten")

    Numbers = GnssNumbers
    chance = GnssNumbers._fields[:5]

    def width(self) -> int:
        """Place and velocity."""
        return 6

    def memory_at_start(self) -> tuple[float, ...]:
        """The slow error: east, north, up."""
        return (0.0, 0.0, 0.0)

    def reading(self, s: list[float]) -> GnssReading:
        """Place and velocity."""
        return GnssReading(s[0], s[1], s[2], Vector(*s[3:6]))

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A NavSatFix, in degrees, and the velocity as a TwistStamped in world axes."""
        level, up = self.noise**2 + self.wander**2, self.altitude_noise**2 + self.altitude_wander**2
        place = {
            "header.frame_id": frame,
            "status.service": 1,  # GPS
            "position_covariance": [level, 0.0, 0.0, 0.0, level, 0.0, 0.0, 0.0, up],
            "position_covariance_type": DIAGONAL_KNOWN,
        }
        degrees = dict.fromkeys(("latitude", "longitude"), 180.0 / math.pi)
        fields = {"latitude": 0, "longitude": 1, "altitude": 2}
        velocity = {f"twist.linear.{axis}": 3 + k for k, axis in enumerate("xyz")}
        return (
            Message("sensor_msgs/msg/NavSatFix", fields, place, factors=degrees),
            Message("geometry_msgs/msg/TwistStamped", velocity, {"header.frame_id": "world"}, "velocity"),
        )


GNSS_NUMBERS = row_type(GnssNumbers)


class GnssSample(NamedTuple):
    """A fix, then the slow error [m]."""

    latitude: Number
    longitude: Number
    altitude: Number
    vel_x: Number
    vel_y: Number
    vel_z: Number
    wander_x: Number
    wander_y: Number
    wander_z: Number


def measure_fix(
    p: GnssNumbers, pos_w: Vector, vel_w: Vector, origin: Geodetic, memory: Number, chance: Chance
) -> GnssSample:
    """Place [rad, rad, m] and velocity [m/s] of a point of the world, whose `origin` is known; with errors."""
    a, b, c, d, e = draw(chance, 0), draw(chance, 1), draw(chance, 2), draw(chance, 3), draw(chance, 4)
    dt = since_last(chance)
    x = gauss_markov(memory[0], a.a, p.wander, p.wander_time, dt)
    y = gauss_markov(memory[1], a.b, p.wander, p.wander_time, dt)
    z = gauss_markov(memory[2], b.a, p.altitude_wander, p.wander_time, dt)
    said = Vector(pos_w.x + x + p.noise * b.b, pos_w.y + y + p.noise * c.a, pos_w.z + z + p.altitude_noise * c.b)
    place = geodetic_from_world(said, origin)
    return GnssSample(
        place.latitude,
        place.longitude,
        place.altitude,
        vel_w.x + p.velocity_noise * d.a,
        vel_w.y + p.velocity_noise * d.b,
        vel_w.z + p.velocity_noise * e.a,
        x,
        y,
        z,
    )
