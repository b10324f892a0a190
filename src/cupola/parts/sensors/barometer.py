"""A barometer: static pressure of the air at its site, with noise and a slow drift."""

from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import row_type
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw, since_last
from cupola.physics.airdata import pressure_altitude
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

    Numbers = BarometerNumbers
    chance = ("noise", "drift")

    def width(self) -> int:
        """The pressure."""
        return 1

    def memory_at_start(self) -> tuple[float, ...]:
        """The drift."""
        return (0.0,)

    def reading(self, s: list[float]) -> BarometerReading:
        """Pressure and what it means as a height."""
        return BarometerReading(s[0], pressure_altitude(s[0]))

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A FluidPressure."""
        constants = {"header.frame_id": frame, "variance": self.noise**2 + self.drift**2}
        return (Message("sensor_msgs/msg/FluidPressure", {"fluid_pressure": 0}, constants),)


BAROMETER_NUMBERS = row_type(BarometerNumbers)


class BarometerSample(NamedTuple):
    """What it says, then its drift [Pa]."""

    pressure: Number
    drift: Number


def measure_pressure(p: BarometerNumbers, pressure: Number, memory: Number, chance: Chance) -> BarometerSample:
    """Static pressure [Pa] with errors; the drift goes on from `memory`."""
    noise = draw(chance, 0)
    drift = gauss_markov(memory[0], noise.b, p.drift, p.drift_time, since_last(chance))
    return BarometerSample(pressure + p.bias + drift + p.noise * noise.a, drift)
