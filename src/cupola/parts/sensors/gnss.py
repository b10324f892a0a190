"""A satellite receiver: latitude, longitude, altitude and velocity of its site, with noise and a wandering error."""

import math
from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw, since_last
from cupola.physics.geodesy import Geodetic, geodetic_from_world, world_from_local
from cupola.physics.inertial import gauss_markov
from cupola.physics.rotation import Vector, add
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


class GnssState(NamedTuple):
    """Its state."""

    wander: Vector = Vector(0.0, 0.0, 0.0)
    """[m] slow error, east, north, up."""


class GnssAnswer(NamedTuple):
    """Answer of `measure`."""

    sample: GnssReading
    state: GnssState


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

    Numbers = (GnssNumbers,)
    Sample = GnssReading
    State = GnssState
    noise_fields = GnssNumbers._fields[:5]

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
        column = self.sample_names().index
        fields = {name: column(name) for name in ("latitude", "longitude", "altitude")}
        velocity = {f"twist.linear.{axis}": column(f"vel_w.{axis}") for axis in "xyz"}
        return (
            Message("sensor_msgs/msg/NavSatFix", fields, place, factors=degrees),
            Message("geometry_msgs/msg/TwistStamped", velocity, {"header.frame_id": "world"}, "velocity"),
        )

    @staticmethod
    def measure(
        p: Number,
        state: GnssState,
        pos_w: Vector,
        vel_local: Vector,
        place: Geodetic,
        origin: Geodetic,
        planet: Number,
        noise: NoiseKey,
    ) -> GnssAnswer:
        """Place and velocity of the site in a world whose origin is known, with errors along east, north and up."""
        a, b, c, d, e = draw(noise, 0), draw(noise, 1), draw(noise, 2), draw(noise, 3), draw(noise, 4)
        dt = since_last(noise)
        x = gauss_markov(state.wander.x, a.a, p.wander, p.wander_time, dt)
        y = gauss_markov(state.wander.y, a.b, p.wander, p.wander_time, dt)
        z = gauss_markov(state.wander.z, b.a, p.altitude_wander, p.wander_time, dt)
        said = Vector(pos_w.x + x + p.noise * b.b, pos_w.y + y + p.noise * c.a, pos_w.z + z + p.altitude_noise * c.b)
        if planet.curved:
            error = Vector(x + p.noise * b.b, y + p.noise * c.a, z + p.altitude_noise * c.b)
            said = add(pos_w, world_from_local(error, place, origin))
        found = geodetic_from_world(said, origin, planet)
        velocity = Vector(
            vel_local.x + p.velocity_noise * d.a,
            vel_local.y + p.velocity_noise * d.b,
            vel_local.z + p.velocity_noise * e.a,
        )
        fix = GnssReading(found.latitude, found.longitude, found.altitude, velocity)
        return GnssAnswer(fix, GnssState(Vector(x, y, z)))
