"""A magnetometer: the magnetic field of the scenario in the axes of its site, with iron nearby and noise."""

from typing import Any, Literal, NamedTuple

from pydantic import Field

from cupola.parts.binding import BindContext
from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw
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

    Numbers = (MagnetometerNumbers,)
    Sample = MagnetometerReading
    noise_fields = ("noise",)

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Noise, and the iron."""
        x, y, z = self.hard_iron
        return {**super().numbers(places), "iron_x": x, "iron_y": y, "iron_z": z}

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A MagneticField."""
        fields = {f"magnetic_field.{axis}": self.sample_names().index(f"field_s.{axis}") for axis in "xyz"}
        variance = [self.noise**2 * (i % 4 == 0) for i in range(9)]
        constants = {"header.frame_id": frame, "magnetic_field_covariance": variance}
        return (Message("sensor_msgs/msg/MagneticField", fields, constants),)

    @staticmethod
    def measure(p: Number, field_s: Vector, noise: NoiseKey) -> MagnetometerReading:
        """Field in the axes of the site, with errors."""
        a, b = draw(noise, 0), draw(noise, 1)
        said = Vector(
            field_s.x + p.iron_x + p.noise * a.a,
            field_s.y + p.iron_y + p.noise * a.b,
            field_s.z + p.iron_z + p.noise * b.a,
        )
        return MagnetometerReading(said)
