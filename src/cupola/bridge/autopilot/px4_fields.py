"""What PX4 is told, in the units of the messages that it reads; what they cannot hold is the most that they can."""

import math
from typing import Any

from cupola.bridge.autopilot.seen import Fresh, Seen
from cupola.bridge.lockstep.protocol import PeerError
from cupola.parts.sensors.gnss import GnssReading

INERTIAL, MAG, PRESSURE, PITOT = 0x007 | 0x038, 0x1C0, 0x200 | 0x800 | 0x1000, 0x400
"""Bits of `fields_updated`; that of the pressure also says height and temperature."""
TESLA = 1e4
"""[gauss]."""
TEMPERATURE = 15.0
"""[°C] told with the pressure."""


def sensor_fields(seen: Seen, micros: int, fresh: Fresh, height: float, pitot: float | None) -> tuple[Any, ...]:
    """HIL_SENSOR: front-right-down [m/s², rad/s, gauss], pressures [hPa], height of the pressure [m]; and what is new.

    `pitot` [Pa]; None: there is none.
    """
    if seen.field is None or seen.pressure is None or seen.fix is None:
        raise PeerError("PX4 needs a magnetometer, a barometer and a gnss part: `cupola autopilot px4` adds them")
    x, y, z = seen.field
    bits = INERTIAL | (MAG if fresh.field else 0) | (PRESSURE if fresh.pressure else 0)
    if pitot is not None and fresh.pitot:
        bits |= PITOT
    air = seen.pressure / 100.0, (pitot or 0.0) / 100.0, height, TEMPERATURE
    return micros, *seen.force, *seen.rate, x * TESLA, y * TESLA, z * TESLA, *air, bits, 0


def short(value: float) -> int:
    """The nearest that the field of a message holds."""
    return round(min(max(value, -32768.0), 32767.0))


def speed_field(value: float) -> int:
    """The same of a speed [cm/s], which has no sign; the last number would say that it is unknown."""
    return round(min(value, 65534.0))


def gps_fields(fix: GnssReading, micros: int) -> tuple[Any, ...]:
    """HIL_GPS: 1e-7 degrees, mm, cm/s, hundredths of degrees."""
    east, north, up = (100.0 * value for value in fix.vel_w)
    course = math.degrees(math.atan2(east, north)) % 360.0
    place = round(math.degrees(fix.latitude) * 1e7), round(math.degrees(fix.longitude) * 1e7), round(fix.altitude * 1e3)
    speed = speed_field(math.hypot(east, north))
    return micros, 3, *place, 30, 40, speed, short(north), short(east), short(-up), round(100.0 * course) % 36000, 12


def truth_fields(seen: Seen, fix: GnssReading, micros: int) -> tuple[Any, ...]:
    """HIL_STATE_QUATERNION, which PX4 only logs: 1e-7 degrees, mm, cm/s, thousandths of g."""
    _, _, *place = gps_fields(fix, micros)[:5]
    velocity = [short(100.0 * value) for value in seen.velocity]
    air = speed_field(100.0 * seen.airspeed)
    force = [short(value / 9.80665e-3) for value in seen.force]
    return micros, *seen.quat, *seen.rate, *place, *velocity, air, air, *force
