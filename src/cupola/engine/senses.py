"""Sensors at their rates, what controllers see, and the rows that recorders read. All after the step, all current."""

import math

from cupola.engine.air import sample
from cupola.engine.compiled import call
from cupola.engine.motion import (
    body_quaternion,
    body_rate_w,
    point_velocity_w,
    row_vector,
    site_specific_force,
    to_site,
)
from cupola.parts.imu import ImuErrors, ImuReading, imu_errors, imu_reading
from cupola.physics.rotation import Vector, unrotate
from cupola.xmath import Number

STILL = Vector(0.0, 0.0, 0.0)


def look(v: Number, tick: Number) -> None:
    """Fill what the controllers of all vehicles see, the exact motion of the root body, and the air there."""
    for i in range(v.vehicles.shape[0]):
        sample(v, i)
        root = v.vehicles[i].root
        s = v.seen[i]
        s[0] = tick * v.world[0].dt
        _write_motion(v, root, row_vector(v.xpos, root), s, 2)
        vel_air_w = Vector(s[9] - v.airs[i, 0], s[10] - v.airs[i, 1], s[11] - v.airs[i, 2])
        vel_air_b = unrotate(body_quaternion(v, root), vel_air_w)
        s[18], s[19], s[20] = vel_air_b.x, vel_air_b.y, vel_air_b.z


def due(index: Number, period: Number, tick: Number) -> bool:
    """Whether sample `index` falls on this tick: the first at or after `index` times the period [ticks]."""
    return bool(tick >= math.ceil(index * period - 1e-9))


def sense(v: Number, tick: Number) -> None:
    """Take the samples that are due."""
    for i in range(v.truths.shape[0]):
        row = v.truths[i]
        if due(v.counters[row.counter], row.period, tick):
            place = _next_sample(v, row, 17)
            place[0] = tick
            _write_motion(v, row.body, row_vector(v.site_xpos, row.site), place, 1)
    accelerations_known = False
    for i in range(v.imus.shape[0]):
        row = v.imus[i]
        if due(v.counters[row.counter], row.period, tick):
            if not accelerations_known:
                call(v.world[0].mj_rnePostConstraint, (v.world[0].model, v.world[0].data))
                accelerations_known = True
            _imu(v, row, tick)


def _imu(v: Number, row: Number, tick: Number) -> None:
    index = v.counters[row.counter]
    s = v.state[row.state : row.state + 6]
    errors = ImuErrors(Vector(s[0], s[1], s[2]), Vector(s[3], s[4], s[5]), STILL, STILL)
    if row.noisy:
        errors = imu_errors(row, errors.accel_bias, errors.rate_bias, v.world[0].seed, index)
        s[0], s[1], s[2] = errors.accel_bias.x, errors.accel_bias.y, errors.accel_bias.z
        s[3], s[4], s[5] = errors.rate_bias.x, errors.rate_bias.y, errors.rate_bias.z
    rate_s = to_site(v, row.site, body_rate_w(v, row.body))
    reading = imu_reading(ImuReading(site_specific_force(v, row.body, row.site), rate_s), errors)
    place = _next_sample(v, row, 7)
    place[0] = tick
    place[1], place[2], place[3] = reading.accel_s.x, reading.accel_s.y, reading.accel_s.z
    place[4], place[5], place[6] = reading.rate_s.x, reading.rate_s.y, reading.rate_s.z


def _next_sample(v: Number, row: Number, width: int) -> Number:
    """Place of the next sample in a sensor's ring; the ring is also its delay line."""
    index = v.counters[row.counter]
    v.counters[row.counter] = index + 1
    start = row.start + (index % row.capacity) * width
    return v.samples[start : start + width]


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
