"""What an autopilot's sensors see, in its own axes: north-east-down and front-right-down."""

import logging
import math
from typing import Any, NamedTuple

from cupola.config.controller import Sensors
from cupola.kernel.observation import Observation
from cupola.parts.sensors.airspeed import Airspeed
from cupola.parts.sensors.barometer import Barometer
from cupola.parts.sensors.gnss import Gnss, GnssReading
from cupola.parts.sensors.imu import Imu
from cupola.parts.sensors.magnetometer import Magnetometer
from cupola.parts.sensors.rangefinder import Rangefinder
from cupola.physics.rotation import Quaternion, Vector, frd, unrotate

log = logging.getLogger("cupola.bridge")
HALF = math.sqrt(0.5)
RANGES = 6
"""Rangefinders that an autopilot may have."""


class Fresh(NamedTuple):
    """Which of the slow sensors have measured since the moment before."""

    pressure: bool
    fix: bool
    field: bool
    pitot: bool


ALL = Fresh(True, True, True, True)


class Seen(NamedTuple):
    """One moment."""

    time: float
    """[s]."""
    rate: Vector
    """[rad/s] front, right, down."""
    force: Vector
    """Specific force [m/s²] front, right, down: -9.81 down at rest."""
    position: Vector
    """[m] north, east, down of the world's origin."""
    velocity: Vector
    """[m/s] north, east, down."""
    quat: Quaternion
    """Turns front-right-down components into north-east-down ones."""
    airspeed: float
    """[m/s] true."""
    ranges: tuple[float, ...] = ()
    """[m] of its rangefinders."""
    pressure: float | None = None
    """[Pa] of its barometer."""
    fix: GnssReading | None = None
    """Of its satellite receiver."""
    field: Vector | None = None
    """[T] of its magnetometer, front, right, down."""
    pitot: float | None = None
    """[Pa] of its pitot tube over the static pressure."""
    fresh: Fresh = ALL


def ned(v: Vector) -> Vector:
    """East-north-up to north-east-down components, and back."""
    return Vector(v.y, v.x, -v.z)


def ned_from_frd(quat_wb: Quaternion) -> Quaternion:
    """The attitude of an aircraft, as autopilots write it."""
    w, x, y, z = quat_wb
    return Quaternion(HALF * (w + z), HALF * (x + y), HALF * (x - y), HALF * (w - z))


class Held:
    """A sensor that measures seldom: its sample is read once, and held."""

    def __init__(self, sensor: Any | None) -> None:
        self._sensor = sensor
        self._number: int | None = None
        self.sample: Any = None
        """The newest; None before the first, and where there is no sensor."""

    def look(self) -> bool:
        """Whether there is a new sample."""
        number = self._sensor.newest() if self._sensor else None
        if number == self._number:
            return False
        assert self._sensor
        self._number, self.sample = number, None if number is None else self._sensor.reading(number)
        return True


class Eyes:
    """Reads the sensors of a vehicle for its autopilot; where there is no IMU, the exact motion."""

    def __init__(self, gravity: float, sensors: Sensors) -> None:
        own = {name: sensor for name, sensor in sensors.items() if "/" not in name}
        self._imus = [sensor for sensor in own.values() if isinstance(_part(sensor), Imu)]
        self._rangers = [sensor for sensor in own.values() if isinstance(_part(sensor), Rangefinder)][:RANGES]
        self._others = [
            Held(next((sensor for sensor in own.values() if isinstance(_part(sensor), kind)), None))
            for kind in (Barometer, Gnss, Magnetometer, Airspeed)
        ]
        self._gravity = gravity
        self._before: Vector | None = None
        if not self._imus:
            log.warning("there is no imu part: the autopilot is told the exact rate and specific force")

    def look(self, obs: Observation) -> Seen:
        """What there is to see now."""
        rate_b, force_b = self._inertial(obs)
        ranges = tuple([_range(sensor) for sensor in self._rangers]) if self._rangers else ()
        return Seen(
            obs.time,
            frd(rate_b),
            frd(force_b),
            ned(obs.pos_w),
            ned(obs.vel_w),
            ned_from_frd(obs.quat_wb),
            math.hypot(*obs.vel_air_b),
            ranges,
            *self._slow(),
        )

    def _slow(self) -> tuple[float | None, GnssReading | None, Vector | None, float | None, Fresh]:
        """Pressure, fix, field and pitot, as far as there are sensors for them and they have measured."""
        fresh = Fresh(*[sensor.look() for sensor in self._others])
        air, fix, iron, pitot = [sensor.sample for sensor in self._others]
        return (
            air.pressure if air else None,
            fix,
            frd(iron.field_s) if iron else None,
            pitot.differential_pressure if pitot else None,
            fresh,
        )

    def _inertial(self, obs: Observation) -> tuple[Vector, Vector]:
        """Rate and specific force, body axes: as the IMU says; before its first sample, and without one, exact.

        Then the specific force is the change of the velocity over the last period, which is what a unit integrates.
        """
        if self._imus and (sample := self._imus[0]()) is not None:
            return sample.rate_s, sample.accel_s
        before, self._before = self._before or obs.vel_w, obs.vel_w
        gained = [(now - then) / obs.period for now, then in zip(obs.vel_w, before, strict=True)]
        return obs.rate_b, unrotate(obs.quat_wb, Vector(gained[0], gained[1], gained[2] + self._gravity))


def _range(sensor: Any) -> float:
    """[m]; beyond its limits, the limit: JSON knows no infinity."""
    part, sample = sensor.part, sensor()
    said = part.range_max if sample is None else sample.range
    return float(min(max(said, part.range_min), part.range_max))


def _part(sensor: Any) -> Any:
    return getattr(sensor, "part", None)
