"""A barometer: static pressure of the air at its site, with noise and a slow drift."""

from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw, since_last
from cupola.physics.airdata import pressure_altitude
from cupola.physics.atmosphere import AirState
from cupola.physics.inertial import gauss_markov
from cupola.xmath import Number


class BarometerReading(NamedTuple):
    """One sample."""

    pressure: float
    """[Pa]"""
    altitude: float
    """Height of that pressure in the standard atmosphere [m]."""


class BarometerNumbers(NamedTuple):
    """Errors of one barometer."""

    bias: float
    noise: float
    drift: float
    drift_time: float


class BarometerSample(NamedTuple):
    """Its measurement."""

    pressure: Number
    """[Pa]"""


class BarometerState(NamedTuple):
    """Its state."""

    drift: Number = 0.0
    """[Pa] slow error."""


class BarometerAnswer(NamedTuple):
    """Answer of `measure`."""

    sample: BarometerSample
    state: BarometerState


class Barometer(Sensor):
    """Static pressure; all errors are zero unless given."""

    kind: Literal["barometer"]
    bias: float = Field(0.0, description="[Pa]", json_schema_extra={"usual": [-500.0, 500.0]})
    noise: float = Field(
        0.0, ge=0, description="[Pa] standard deviation of a sample", json_schema_extra={"usual": [0.0, 50.0]}
    )
    drift: float = Field(
        0.0,
        ge=0,
        description="[Pa] standard deviation of the slow drift (Gauss-Markov)",
        json_schema_extra={"usual": [0.0, 200.0]},
    )
    drift_time: float = Field(600.0, gt=0, description="[s] over which the drift is forgotten")

    Numbers = (BarometerNumbers,)
    Sample = BarometerSample
    State = BarometerState
    noise_fields = ("noise", "drift")

    def reading(self, s: list[float]) -> BarometerReading:
        """Pressure and what it means as a height."""
        (pressure,) = s
        return BarometerReading(pressure, pressure_altitude(pressure))

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A FluidPressure."""
        constants = {"header.frame_id": frame, "variance": self.noise**2 + self.drift**2}
        fields = {"fluid_pressure": self.sample_names().index("pressure")}
        return (Message("sensor_msgs/msg/FluidPressure", fields, constants),)

    @staticmethod
    def measure(p: Number, state: BarometerState, air: AirState, noise: NoiseKey) -> BarometerAnswer:
        """Static pressure with errors; the drift goes on."""
        normal = draw(noise, 0)
        drift = gauss_markov(state.drift, normal.b, p.drift, p.drift_time, since_last(noise))
        said = air.pressure + p.bias + drift + p.noise * normal.a
        return BarometerAnswer(BarometerSample(said), BarometerState(drift))
