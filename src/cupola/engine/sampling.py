"""Sensors at their rates, what controllers see, and the rows that recorders read. All after the step, all current."""

import math

from cupola.engine.integrate import accelerate
from cupola.engine.measure import FORCE, IMU, measure
from cupola.kernel.air import sample
from cupola.kernel.jit import call
from cupola.kernel.motion import body_quaternion, row_vector, write_motion
from cupola.parts.sensors.sensor import LOSS_LANE, LOST
from cupola.physics.noise import uniform
from cupola.physics.rotation import Vector, unrotate
from cupola.xmath import Number


def look(v: Number, tick: Number) -> None:
    """Fill what the controllers of all vehicles see, the exact motion of the root body, and the air there."""
    for i in range(v.vehicles.shape[0]):
        sample(v, i)
        root = v.vehicles[i].root
        s = v.seen[i]
        s[0] = tick * v.world[0].dt
        write_motion(v, root, row_vector(v.xpos, root), body_quaternion(v, root), s, 2)
        vel_air_w = Vector(s[9] - v.airs[i, 0], s[10] - v.airs[i, 1], s[11] - v.airs[i, 2])
        vel_air_b = unrotate(body_quaternion(v, root), vel_air_w)
        s[18], s[19], s[20] = vel_air_b.x, vel_air_b.y, vel_air_b.z


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
        if row.code == FORCE:
            _weigh(v)
            accelerations_known = False
        # The ring of the samples is also the delay line.
        start = row.start + (index % row.capacity) * (row.width + 1)
        v.samples[start] = tick
        v.counters[row.counter] = index + 1
        out = v.samples[start + 1 : start + 1 + row.width]
        if row.stuck and index > 0:
            before = row.start + ((index - 1) % row.capacity) * (row.width + 1)
            append(v.samples[before + 1 : before + 1 + row.width], out, 0)
        else:
            measure(v, row, index, out, v.state[row.state :])
        if row.loss > 0.0 and uniform(v.world[0].seed, row.stream, index, LOSS_LANE) < row.loss:
            v.samples[start] = LOST


def _weigh(v: Number) -> None:
    """Forces between bodies at this instant; the accelerations stay those of the last step."""
    kept = v.stages[: v.qacc.shape[0]]
    kept[:] = v.qacc
    accelerate(v)
    call(v.world[0].mj_rnePostConstraint, (v.world[0].model, v.world[0].data))
    v.qacc[:] = kept


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
