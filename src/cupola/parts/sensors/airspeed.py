"""A pitot tube: pressure of the air that blows into it along the x axis of its site, over the static pressure."""

from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import row_type
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw
from cupola.physics.airdata import indicated_airspeed, pitot_pressure
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
    """Pitot tube that looks along +x of its site; all errors are zero unless given."""

    kind: Literal["airspeed"]
    bias: float = Field(0.0, description="[Pa] zero offset", json_schema_extra={"usual": [-100.0, 100.0]})
    noise: float = Field(
        0.0, ge=0, description="[Pa] standard deviation of a sample", json_schema_extra={"usual": [0.0, 50.0]}
    )

    Numbers = AirspeedNumbers
    chance = ("noise",)

    def width(self) -> int:
        """Pressure and airspeed."""
        return 2

    def reading(self, s: list[float]) -> AirspeedReading:
        """Pressure and airspeed."""
        return AirspeedReading(*s)

    def messages(self, frame: str) -> tuple[Message, ...]:
        """The pressure as a FluidPressure, and the airspeed in a message of ours."""
        header = {"header.frame_id": frame}
        pressure = {**header, "variance": self.noise**2}
        return (
            Message("cupola_msgs/msg/Airspeed", {"differential_pressure": 0, "indicated_airspeed": 1}, header),
            Message("sensor_msgs/msg/FluidPressure", {"fluid_pressure": 0}, pressure, "pressure"),
        )


AIRSPEED_NUMBERS = row_type(AirspeedNumbers)


class AirspeedSample(NamedTuple):
    """[Pa], [m/s]."""

    differential_pressure: Number
    indicated: Number


def measure_airspeed(p: AirspeedNumbers, speed: Number, density: Number, chance: Chance) -> AirspeedSample:
    """Pressure and indicated airspeed of a `speed` [m/s] through air of a `density` [kg/m³], with errors."""
    pressure = pitot_pressure(speed, density) + p.bias + p.noise * draw(chance, 0).a
    return AirspeedSample(pressure, indicated_airspeed(pressure))
