"""An inertial measurement unit: specific force and angular rate at its site, with bias, noise, random walk and delay.

The acceleration is the mean over the last physics step, which is what a real unit integrates.
"""

from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import row_type
from cupola.parts.sensor import Chance, Message, Sensor, draw
from cupola.physics.inertial import bias_step, white_noise_sigma
from cupola.physics.rotation import Vector
from cupola.xmath import Number

Triple = tuple[float, float, float]


class ImuReading(NamedTuple):
    """One sample, in the axes of the site."""

    accel_s: Vector
    """Specific force [m/s²]: +9.8 upward at rest."""
    rate_s: Vector
    """[rad/s]."""


class ImuNumbers(NamedTuple):
    """Errors of one unit."""

    accel_noise: float
    rate_noise: float
    accel_walk: float
    rate_walk: float


class Imu(Sensor):
    """Accelerometer and gyroscope; all errors are zero unless given."""

    kind: Literal["imu"]
    accel_noise: float = Field(
        0.0, ge=0, description="[m/s²/√Hz] white noise density", json_schema_extra={"usual": [0.0, 0.1]}
    )
    rate_noise: float = Field(
        0.0, ge=0, description="[rad/s/√Hz] white noise density", json_schema_extra={"usual": [0.0, 0.02]}
    )
    accel_walk: float = Field(
        0.0, ge=0, description="[m/s³/√Hz] random walk of the bias", json_schema_extra={"usual": [0.0, 0.1]}
    )
    rate_walk: float = Field(
        0.0, ge=0, description="[rad/s²/√Hz] random walk of the bias", json_schema_extra={"usual": [0.0, 0.01]}
    )
    accel_bias: Triple = Field((0.0, 0.0, 0.0), description="[m/s²] at the start")
    rate_bias: Triple = Field((0.0, 0.0, 0.0), description="[rad/s] at the start")

    Numbers = ImuNumbers
    chance = ImuNumbers._fields

    def width(self) -> int:
        """Specific force and rate."""
        return 6

    def memory_at_start(self) -> tuple[float, ...]:
        """The biases."""
        return (*self.accel_bias, *self.rate_bias)

    def reading(self, s: list[float]) -> ImuReading:
        """Specific force and rate."""
        return ImuReading(Vector(*s[0:3]), Vector(*s[3:6]))

    def messages(self, frame: str) -> tuple[Message, ...]:
        """An Imu; a first element of -1 says that it carries no orientation."""
        names = [f"{field}.{axis}" for field in ("linear_acceleration", "angular_velocity") for axis in "xyz"]
        constants = {"header.frame_id": frame, "orientation_covariance": [-1.0] + [0.0] * 8}
        return (Message("sensor_msgs/msg/Imu", {name: k for k, name in enumerate(names)}, constants),)


IMU_NUMBERS = row_type(ImuNumbers)


class ImuSample(NamedTuple):
    """What the unit says, then its biases."""

    accel_x: Number
    accel_y: Number
    accel_z: Number
    rate_x: Number
    rate_y: Number
    rate_z: Number
    accel_bias_x: Number
    accel_bias_y: Number
    accel_bias_z: Number
    rate_bias_x: Number
    rate_bias_y: Number
    rate_bias_z: Number


def measure_imu(p: ImuNumbers, true: ImuReading, bias: Number, chance: Chance) -> ImuSample:
    """Specific force and rate with white noise; the biases walk from their last values."""
    a, b, c = draw(chance, 0), draw(chance, 1), draw(chance, 2)
    d, e, f = draw(chance, 3), draw(chance, 4), draw(chance, 5)
    accel_sigma = white_noise_sigma(p.accel_noise, 1.0 / chance.interval)
    rate_sigma = white_noise_sigma(p.rate_noise, 1.0 / chance.interval)
    accel_x = bias_step(bias[0], d.a, p.accel_walk, chance.interval)
    accel_y = bias_step(bias[1], d.b, p.accel_walk, chance.interval)
    accel_z = bias_step(bias[2], e.a, p.accel_walk, chance.interval)
    rate_x = bias_step(bias[3], e.b, p.rate_walk, chance.interval)
    rate_y = bias_step(bias[4], f.a, p.rate_walk, chance.interval)
    rate_z = bias_step(bias[5], f.b, p.rate_walk, chance.interval)
    return ImuSample(
        true.accel_s.x + accel_x + accel_sigma * a.a,
        true.accel_s.y + accel_y + accel_sigma * a.b,
        true.accel_s.z + accel_z + accel_sigma * b.a,
        true.rate_s.x + rate_x + rate_sigma * b.b,
        true.rate_s.y + rate_y + rate_sigma * c.a,
        true.rate_s.z + rate_z + rate_sigma * c.b,
        accel_x,
        accel_y,
        accel_z,
        rate_x,
        rate_y,
        rate_z,
    )
