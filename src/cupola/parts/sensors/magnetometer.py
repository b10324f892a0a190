"""A magnetometer: the magnetic field of the scenario in the axes of its site, with iron nearby and noise."""

from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import row_type
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw
from cupola.physics.rotation import Vector
from cupola.xmath import Number

Triple = tuple[float, float, float]


class MagnetometerReading(NamedTuple):
    """One sample."""

    field_s: Vector
    """[T], axes of the site."""


class MagnetometerNumbers(NamedTuple):
    """Errors of one magnetometer."""

    noise: float
    iron_x: float
    iron_y: float
    iron_z: float


class Magnetometer(Sensor):
    """Magnetic field; all errors are zero unless given."""

    kind: Literal["magnetometer"]
    noise: float = Field(
        0.0, ge=0, description="[T] standard deviation of a sample, each axis", json_schema_extra={"usual": [0.0, 1e-6]}
    )
    hard_iron: Triple = Field(
        (0.0, 0.0, 0.0),
        description="[T] field of the vehicle itself, axes of the site",
        json_schema_extra={"usual": [-1e-5, 1e-5]},
    )

    Numbers = MagnetometerNumbers
    chance = ("noise",)

    def width(self) -> int:
        """The field."""
        return 3

    def numbers(self) -> list[float]:
        """Noise, then the iron."""
        return [self.noise, *self.hard_iron]

    def reading(self, s: list[float]) -> MagnetometerReading:
        """The field."""
        return MagnetometerReading(Vector(*s))

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A MagneticField."""
        fields = {f"magnetic_field.{axis}": k for k, axis in enumerate("xyz")}
        variance = [self.noise**2 * (i % 4 == 0) for i in range(9)]
        constants = {"header.frame_id": frame, "magnetic_field_covariance": variance}
        return (Message("sensor_msgs/msg/MagneticField", fields, constants),)


MAGNETOMETER_NUMBERS = row_type(MagnetometerNumbers)


class MagnetometerSample(NamedTuple):
    """[T], axes of the site."""

    x: Number
    y: Number
    z: Number


def measure_field(p: MagnetometerNumbers, field_s: Vector, chance: Chance) -> MagnetometerSample:
    """Field [T] in the axes of the site, with errors."""
    a, b = draw(chance, 0), draw(chance, 1)
    return MagnetometerSample(
        field_s.x + p.iron_x + p.noise * a.a,
        field_s.y + p.iron_y + p.noise * a.b,
        field_s.z + p.iron_z + p.noise * b.a,
    )
