"""An inertial measurement unit: specific force and angular rate at its site, with bias, noise, slow errors and delay.

The acceleration is the mean over the last physics step, which is what a real unit integrates. On an elastic mount
(`ring_hz`) it follows as a mass on a spring does: a jolt arrives late, rounded, and rings on.
"""

import math
from typing import Any, Literal, NamedTuple

from pydantic import Field

from cupola.kernel.motion import TrueInertial
from cupola.parts.binding import BindContext
from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw, since_last
from cupola.physics.inertial import bias_step, gauss_markov, white_noise_sigma
from cupola.physics.rotation import Quaternion, Vector
from cupola.physics.servo import second_order
from cupola.xmath import Number

Triple = tuple[float, float, float]
AXES = 6
"""Three of the accelerometer, then three of the gyroscope."""
BIAS, DRIFT, RING, RING_SPEED = 0, AXES, 2 * AXES, 3 * AXES
"""State of each axis, and its offset."""
WHITE_LANE, WALK_LANE, DRIFT_LANE = 0, 3, 6
"""Its random numbers: two axes share a pair."""


class ImuReading(NamedTuple):
    """One sample, in the axes of the site."""

    accel_s: Vector
    """Specific force [m/s²]: +9.8 upward at rest."""
    rate_s: Vector
    """[rad/s]."""
    quat_ws: Quaternion | None = None
    """Attitude of the site, if the unit tells it."""


class ImuNumbers(NamedTuple):
    """Errors of one unit."""

    accel_noise: float
    rate_noise: float
    accel_walk: float
    rate_walk: float
    accel_drift: float
    rate_drift: float
    drift_time: float
    ring: float
    """[rad/s]; 0: stiff."""
    ring_damping: float


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
    accel_drift: float = Field(
        0.0,
        ge=0,
        description="[m/s²] deviation of a slow error (Gauss-Markov)",
        json_schema_extra={"usual": [0.0, 0.1]},
    )
    rate_drift: float = Field(
        0.0,
        ge=0,
        description="[rad/s] deviation of a slow error (Gauss-Markov)",
        json_schema_extra={"usual": [0.0, 0.01]},
    )
    drift_time: float = Field(60.0, gt=0, description="[s] over which slow errors are forgotten")
    ring_hz: float = Field(
        0.0,
        ge=0,
        description="[Hz] of unit and mount as a mass on a spring; 0: stiff",
        json_schema_extra={"usual": [0, 100]},
    )
    ring_damping: float = Field(0.1, ge=0, description="of critical; 1 does not ring")
    orientation: bool = Field(
        False, description="whether it also tells its attitude, as a unit with a filter inside does"
    )

    Numbers = (ImuNumbers,)
    noise_fields = ImuNumbers._fields[:6]

    def width(self) -> int:
        """Specific force and rate, perhaps attitude."""
        return AXES + 4 * self.orientation

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Errors; the ringing as an angular frequency."""
        return {**super().numbers(places), "ring": 2.0 * math.pi * self.ring_hz}

    def initial_memory(self) -> list[float]:
        """Biases, slow errors, and how far and how fast it rings."""
        return [*self.accel_bias, *self.rate_bias, *[0.0] * (3 * AXES)]

    def reading(self, s: list[float]) -> ImuReading:
        """Specific force, rate, attitude."""
        return ImuReading(Vector(*s[0:3]), Vector(*s[3:6]), Quaternion(*s[6:10]) if self.orientation else None)

    def messages(self, frame: str) -> tuple[Message, ...]:
        """An Imu as REP 145 has it: -1 says that it carries no orientation, zeros that a covariance is not known."""
        names = [f"{field}.{axis}" for field in ("linear_acceleration", "angular_velocity") for axis in "xyz"]
        names += [f"orientation.{axis}" for axis in "wxyz"] if self.orientation else []
        constants: dict[str, object] = {"header.frame_id": frame}
        constants["orientation_covariance"] = [0.0 if self.orientation else -1.0] + [0.0] * 8
        constants["linear_acceleration_covariance"] = self._covariance(self.accel_noise, self.accel_drift)
        constants["angular_velocity_covariance"] = self._covariance(self.rate_noise, self.rate_drift)
        return (Message("sensor_msgs/msg/Imu", {name: k for k, name in enumerate(names)}, constants),)

    def _covariance(self, density: float, drift: float) -> list[float]:
        """Of a sample about its bias: axes have nothing to do with each other."""
        variance = white_noise_sigma(density, self.rate_hz) ** 2 + drift**2
        return [variance if k % 4 == 0 else 0.0 for k in range(9)]

    @staticmethod
    def measure(p: Number, inertial: TrueInertial, sample: Number, memory: Number, noise: NoiseKey) -> None:
        """Specific force, rate and, if it tells, attitude."""
        measure_imu(p, inertial, sample, memory, noise)


def measure_imu(p: ImuNumbers, true: TrueInertial, out: Number, memory: Number, key: NoiseKey) -> None:
    """Fill `out` with specific force, rate and, if there is room, attitude; slow errors go on in `memory`."""
    for k in range(AXES):
        value = _rung(p, true.accel_s[k] if k < 3 else true.rate_s[k - 3], k, memory, key)
        noise, walk, drift = p.accel_noise, p.accel_walk, p.accel_drift
        if k >= 3:
            noise, walk, drift = p.rate_noise, p.rate_walk, p.rate_drift
        if walk > 0.0:
            memory[BIAS + k] = bias_step(memory[BIAS + k], draw(key, WALK_LANE + k // 2)[k % 2], walk, key.interval)
        if drift > 0.0:
            normal = draw(key, DRIFT_LANE + k // 2)[k % 2]
            memory[DRIFT + k] = gauss_markov(memory[DRIFT + k], normal, drift, p.drift_time, since_last(key))
        if noise > 0.0:
            value += white_noise_sigma(noise, 1.0 / key.interval) * draw(key, WHITE_LANE + k // 2)[k % 2]
        out[k] = value + memory[BIAS + k] + memory[DRIFT + k]
    if out.shape[0] > AXES:
        for k in range(4):
            out[AXES + k] = true.quat_ws[k]


def _rung(p: ImuNumbers, value: Number, k: Number, memory: Number, key: NoiseKey) -> Number:
    """Motion of the unit behind its elastic mount; at the first sample the mount is at rest."""
    if p.ring <= 0.0:
        return value
    if key.index == 0:
        memory[RING + k], memory[RING_SPEED + k] = value, 0.0
    moved = second_order(memory[RING + k], memory[RING_SPEED + k], value, p.ring, p.ring_damping, key.interval)
    memory[RING + k], memory[RING_SPEED + k] = moved.position, moved.rate
    return moved.position
