"""Sensors at their rates, what controllers see, and the rows that recorders read. All after the step, all current."""

import math

from numba import carray

from cupola.engine.air import sample, wind_at
from cupola.engine.compiled import call, pointer
from cupola.engine.motion import (
    body_quaternion,
    body_rate_w,
    point_velocity_w,
    row_vector,
    site_motion,
    site_specific_force,
    to_site,
)
from cupola.engine.rays import cast_ahead, cast_fan
from cupola.parts import CODES
from cupola.parts.airspeed import Airspeed, AirspeedNumbers, measure_airspeed
from cupola.parts.barometer import Barometer, BarometerNumbers, measure_pressure
from cupola.parts.battery import BatteryMonitor, MonitorNumbers, measure_battery
from cupola.parts.gnss import Gnss, GnssNumbers, measure_fix
from cupola.parts.imu import Imu, ImuNumbers, ImuReading, measure_imu
from cupola.parts.laser import Laser, measure_scan
from cupola.parts.magnetometer import Magnetometer, MagnetometerNumbers, measure_field
from cupola.parts.part import row_type
from cupola.parts.rangefinder import Rangefinder, RangeNumbers, measure_range
from cupola.parts.sensor import Chance
from cupola.parts.truth import Truth
from cupola.physics.atmosphere import AirState, atmosphere
from cupola.physics.battery import Supply
from cupola.physics.geodesy import Geodetic
from cupola.physics.rotation import Vector, unrotate
from cupola.xmath import Number

TRUTH, IMU, LASER = CODES[Truth], CODES[Imu], CODES[Laser]
BAROMETER, GNSS, MAGNETOMETER = CODES[Barometer], CODES[Gnss], CODES[Magnetometer]
AIRSPEED, RANGEFINDER, MONITOR = CODES[Airspeed], CODES[Rangefinder], CODES[BatteryMonitor]
IMU_ROW = row_type(ImuNumbers)
BAROMETER_ROW, GNSS_ROW, MAGNETOMETER_ROW = (
    row_type(BarometerNumbers),
    row_type(GnssNumbers),
    row_type(MagnetometerNumbers),
)
AIRSPEED_ROW, RANGE_ROW, MONITOR_ROW = row_type(AirspeedNumbers), row_type(RangeNumbers), row_type(MonitorNumbers)
RANGE_NUMBERS = len(RangeNumbers._fields)


def look(v: Number, tick: Number) -> None:
    """Fill what the controllers of all vehicles see, the exact motion of the root body, and the air there."""
    for i in range(v.vehicles.shape[0]):
        sample(v, i)
        root = v.vehicles[i].root
        s = v.seen[i]
        s[0] = tick * v.world[0].dt
        _write_motion(v, root, row_vector(v.xpos, root), s, 2)


def due(index: Number, period: Number, tick: Number) -> bool:
    """Whether sample `index` falls on this tick: the first at or after `index` times the period [ticks]."""
    return bool(tick >= math.ceil(index * period - 1e-9))


def sense(v: Number, tick: Number) -> None:
    """Take the samples that are due."""
    accelerations_known = False
    for i in range(v.sensors.shape[0]):
        row = v.sensors[i]
        index = v.counters[row.counter]
        if not due(index, row.period, tick):
            continue
        if row.code == IMU and not accelerations_known:
            call(v.world[0].mj_rnePostConstraint, (v.world[0].model, v.world[0].data))
            accelerations_known = True
        # The ring of the samples is also the delay line.
        start = row.start + (index % row.capacity) * (row.width + 1)
        v.samples[start] = tick
        v.counters[row.counter] = index + 1
        measure(v, row, index, v.samples[start + 1 : start + 1 + row.width], v.state[row.state :])


def measure(v: Number, row: Number, index: Number, out: Number, memory: Number) -> None:
    """One sample of one sensor into `out`: what there is to see at its site, then what its kind makes of it."""
    chance = Chance(v.world[0].seed, row.stream, index, row.noisy, row.interval)
    if row.code == TRUTH:
        _write_motion(v, row.body, row_vector(v.site_xpos, row.site), out, 0)
    elif row.code == IMU:
        keep(measure_imu(_numbers(v, row, IMU_ROW), _felt(v, row), memory, chance), out, memory)
    elif row.code == BAROMETER:
        keep(measure_pressure(_numbers(v, row, BAROMETER_ROW), _air(v, row).pressure, memory, chance), out, memory)
    elif row.code == GNSS:
        place, velocity, origin = _on_earth(v, row)
        keep(measure_fix(_numbers(v, row, GNSS_ROW), place, velocity, origin, memory, chance), out, memory)
    elif row.code == MAGNETOMETER:
        keep(measure_field(_numbers(v, row, MAGNETOMETER_ROW), _field_s(v, row), chance), out, memory)
    elif row.code == AIRSPEED:
        keep(measure_airspeed(_numbers(v, row, AIRSPEED_ROW), _blow(v, row), _air(v, row).density, chance), out, memory)
    elif row.code == RANGEFINDER:
        p = _numbers(v, row, RANGE_ROW)
        keep(measure_range(p, cast_ahead(v, row, p.range_max), chance), out, memory)
    elif row.code == MONITOR:
        s = v.state[v.batteries[row.source].state :]
        keep(measure_battery(_numbers(v, row, MONITOR_ROW), Supply(s[1], s[2]), s[0], chance), out, memory)
    elif row.code == LASER:
        p = _numbers(v, row, RANGE_ROW)
        cast_fan(v, row, v.curves[row.numbers + RANGE_NUMBERS :], out, p.range_max)
        measure_scan(p, out, chance)


def keep(said: Number, out: Number, memory: Number) -> None:
    """Write the numbers of a sample, then what its sensor remembers."""
    for i in range(len(said)):
        if i < out.shape[0]:
            out[i] = said[i]
        else:
            memory[i - out.shape[0]] = said[i]


def _numbers(v: Number, row: Number, kind: Number) -> Number:
    """The numbers of a sensor by name."""
    return carray(pointer(v.curves.ctypes.data + 8 * row.numbers), (1,), kind)[0]


def _felt(v: Number, row: Number) -> ImuReading:
    rate_s = to_site(v, row.site, body_rate_w(v, row.body))
    return ImuReading(site_specific_force(v, row.body, row.site), rate_s)


def _air(v: Number, row: Number) -> AirState:
    return atmosphere(v.site_xpos[row.site, 2], v.air[0])


def _blow(v: Number, row: Number) -> Number:
    """Speed of the site through the air along its x axis [m/s]."""
    wind = wind_at(v, row.vehicle, v.site_xpos[row.site, 2])
    return site_motion(v, row.body, row.site, wind).vel_air_s.x


def _field_s(v: Number, row: Number) -> Vector:
    return to_site(v, row.site, Vector(v.earth[0].field_x, v.earth[0].field_y, v.earth[0].field_z))


def _on_earth(v: Number, row: Number) -> tuple[Vector, Vector, Geodetic]:
    """Position and velocity of the site in the world, and where on the Earth the world has its origin."""
    pos_w = row_vector(v.site_xpos, row.site)
    origin = Geodetic(v.earth[0].latitude, v.earth[0].longitude, v.earth[0].altitude)
    return pos_w, point_velocity_w(v, row.body, pos_w), origin


def _write_motion(v: Number, body: Number, point_w: Vector, out: Number, k: int) -> None:
    """Position, attitude, velocity (world, then body axes) and rate (body axes) of a point of a body: 16 numbers."""
    q = body_quaternion(v, body)
    vel_w = point_velocity_w(v, body, point_w)
    vel_b, rate_b = unrotate(q, vel_w), unrotate(q, body_rate_w(v, body))
    out[k], out[k + 1], out[k + 2] = point_w.x, point_w.y, point_w.z
    out[k + 3], out[k + 4], out[k + 5], out[k + 6] = q.w, q.x, q.y, q.z
    out[k + 7], out[k + 8], out[k + 9] = vel_w.x, vel_w.y, vel_w.z
    out[k + 10], out[k + 11], out[k + 12] = vel_b.x, vel_b.y, vel_b.z
    out[k + 13], out[k + 14], out[k + 15] = rate_b.x, rate_b.y, rate_b.z


def note(v: Number, tick: Number) -> None:
    """Append a row of everything to the log that recorders read, at the recording rate."""
    w = v.world[0]
    last = v.counters.shape[0] - 1
    row = v.counters[last]
    if not due(row, w.log_period, tick):
        return
    v.counters[last] = row + 1
    capacity = v.log.shape[0] // w.log_width
    out = v.log[(row % capacity) * w.log_width : (row % capacity + 1) * w.log_width]
    out[0] = tick
    at = 1
    at = append(v.seen.ravel(), out, at)
    at = append(v.airs.ravel(), out, at)
    at = append(v.xpos.ravel(), out, at)
    at = append(v.xquat.ravel(), out, at)
    at = append(v.qpos, out, at)
    at = append(v.qvel, out, at)
    at = append(v.sticks.ravel(), out, at)
    at = append(v.command, out, at)
    at = append(v.drive, out, at)
    at = append(v.outputs, out, at)
    append(v.state, out, at)


def append(source: Number, out: Number, at: Number) -> Number:
    """Copy the numbers of `source` to `out` from place `at`; returns the place after them."""
    for i in range(source.shape[0]):
        out[at + i] = source[i]
    return at + source.shape[0]
