"""A pitot tube: pressure of the air that blows into it along the x axis of its site, over the static pressure."""

from typing import Literal, NamedTuple

from pydantic import Field

from cupola.kernel.motion import SiteMotion
from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw
from cupola.physics.airdata import indicated_airspeed, pitot_pressure
from cupola.physics.atmosphere import AirState
from cupola.xmath import Number


class AirspeedReading(NamedTuple):
    """One sample."""

    differential_pressure: float
    """[Pa]"""
    indicated: float
    """Indicated airspeed [m/s]: the true one at the density of standard sea level."""


class AirspeedNumbers(NamedTuple):
    """Errors of one pitot tube."""

    bias: float
    noise: float


class Airspeed(Sensor):
    """Pitot tube along +x of its site; all errors are zero unless given."""

    kind: Literal["airspeed"]
    bias: float = Field(0.0, description="[Pa] zero offset", json_schema_extra={"usual": [-100.0, 100.0]})
    noise: float = Field(
        0.0, ge=0, description="[Pa] standard deviation of a sample", json_schema_extra={"usual": [0.0, 50.0]}
    )

    Numbers = (AirspeedNumbers,)
    Sample = AirspeedReading
    noise_fields = ("noise",)

    def messages(self, frame: str) -> tuple[Message, ...]:
        """The pressure as a FluidPressure, and the airspeed in a message of ours."""
        header = {"header.frame_id": frame}
        constants = {**header, "variance": self.noise**2}
        pressure, indicated = map(self.sample_names().index, ("differential_pressure", "indicated"))
        both = {"differential_pressure": pressure, "indicated_airspeed": indicated}
        return (
            Message("cupola_msgs/msg/Airspeed", both, header),
            Message("sensor_msgs/msg/FluidPressure", {"fluid_pressure": pressure}, constants, "pressure"),
        )

    @staticmethod
    def measure(p: Number, motion: SiteMotion, air: AirState, noise: NoiseKey) -> AirspeedReading:
        """Pressure and indicated airspeed of the air along the x axis of the site, with errors."""
        pressure = pitot_pressure(motion.vel_air_s.x, air.density) + p.bias + p.noise * draw(noise, 0).a
        return AirspeedReading(pressure, indicated_airspeed(pressure))
