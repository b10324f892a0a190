"""An inertial measurement unit: specific force and angular rate at its site, with bias, noise, random walk and delay.

The acceleration is the mean over the last physics step, which is what a real unit integrates.
"""

from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.part import RING, Places, Row, SampleTiming, Sensor, row_type
from cupola.physics.inertial import bias_step, white_noise_sigma
from cupola.physics.noise import gaussian_pair
from cupola.physics.rotation import Vector, add, scale
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
    interval: float
    accel_bias_x: float
    accel_bias_y: float
    accel_bias_z: float
    rate_bias_x: float
    rate_bias_y: float
    rate_bias_z: float


class Imu(Sensor):
    """Accelerometer and gyroscope; all errors are zero unless given."""

    kind: Literal["imu"]
    accel_noise: float = Field(0.0, ge=0, description="[m/s²/√Hz] white noise density")
    rate_noise: float = Field(0.0, ge=0, description="[rad/s/√Hz] white noise density")
    accel_walk: float = Field(0.0, ge=0, description="[m/s³/√Hz] random walk of the bias")
    rate_walk: float = Field(0.0, ge=0, description="[rad/s²/√Hz] random walk of the bias")
    accel_bias: Triple = Field((0.0, 0.0, 0.0), description="[m/s²] at the start")
    rate_bias: Triple = Field((0.0, 0.0, 0.0), description="[rad/s] at the start")

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        row = np.zeros((), IMU)
        for name in ("accel_noise", "rate_noise", "accel_walk", "rate_walk"):
            row[name] = getattr(self, name)
            row["noisy"] |= getattr(self, name) > 0
        row["interval"] = 1.0 / self.rate_hz
        for axis, accel, rate in zip("xyz", self.accel_bias, self.rate_bias, strict=True):
            row[f"accel_bias_{axis}"], row[f"rate_bias_{axis}"] = accel, rate
        row["site"] = site = places.site(self.site)
        row["body"], row["vehicle"] = places.body_of(site), places.vehicle
        row["state"] = places.state(*self.accel_bias, *self.rate_bias)
        row["start"], row["capacity"], row["period"], row["counter"] = places.samples(7, self.rate_hz, self.delay)
        row["stream"] = places.stream()
        return row


IMU = row_type(ImuNumbers, SampleTiming, **RING, state="i8", stream="i8", noisy="i8")


class ImuErrors(NamedTuple):
    """Bias now and noise of this sample."""

    accel_bias: Vector
    rate_bias: Vector
    accel_noise: Vector
    rate_noise: Vector


def imu_errors(row: Number, accel_bias: Vector, rate_bias: Vector, seed: Number, index: Number) -> ImuErrors:
    """Draw the errors of sample `index`; the bias walks from its last value."""
    a = gaussian_pair(seed, row.stream, index, 0)
    b = gaussian_pair(seed, row.stream, index, 1)
    c = gaussian_pair(seed, row.stream, index, 2)
    d = gaussian_pair(seed, row.stream, index, 3)
    e = gaussian_pair(seed, row.stream, index, 4)
    f = gaussian_pair(seed, row.stream, index, 5)
    accel_sigma = white_noise_sigma(row.accel_noise, 1.0 / row.interval)
    rate_sigma = white_noise_sigma(row.rate_noise, 1.0 / row.interval)
    return ImuErrors(
        _walk(accel_bias, Vector(d.a, d.b, e.a), row.accel_walk, row.interval),
        _walk(rate_bias, Vector(e.b, f.a, f.b), row.rate_walk, row.interval),
        scale(accel_sigma, Vector(a.a, a.b, b.a)),
        scale(rate_sigma, Vector(b.b, c.a, c.b)),
    )


def imu_reading(true: ImuReading, errors: ImuErrors) -> ImuReading:
    """What the unit says."""
    return ImuReading(
        add(true.accel_s, add(errors.accel_bias, errors.accel_noise)),
        add(true.rate_s, add(errors.rate_bias, errors.rate_noise)),
    )


def _walk(bias: Vector, noise: Vector, walk: Number, dt: Number) -> Vector:
    return Vector(
        bias_step(bias.x, noise.x, walk, dt), bias_step(bias.y, noise.y, walk, dt), bias_step(bias.z, noise.z, walk, dt)
    )
