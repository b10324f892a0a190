"""Sensors at their rates, and the rows that recorders read. All after the step, all current."""

import math

from cupola.engine.integrate import accelerate
from cupola.kernel.jit import ask, call, copy_numbers
from cupola.kernel.memory import Views, copy, table_of, window
from cupola.kernel.rows import ACCELERATIONS, FORCES
from cupola.kernel.stages import SENSOR, blame
from cupola.physics.noise import uniform
from cupola.xmath import Number

LOST = -1.0
"""In place of the tick: a sample that never arrives."""
LOSS_LANE = 1 << 20
"""Of the random numbers of a sample the one that says whether it is lost; no sensor draws so many for its noise."""


def due(index: Number, period: Number, tick: Number) -> bool:
    """Whether sample `index` falls on this tick: the first at or after `index` times the period [ticks]."""
    return bool(tick >= math.ceil(index * period - 1e-9))


def sense(v: Views) -> None:
    """Take the samples that are due, in the order of the file."""
    tick = v.counters[0]
    accelerations_known = False
    for i in range(v.sensors.shape[0]):
        row = v.sensors[i]
        index = v.counters[row.counter]
        if not due(index, row.period, tick):
            continue
        if row.needs == ACCELERATIONS and not accelerations_known:
            call(v.world[0].mj_rnePostConstraint, (v.world[0].model, v.world[0].data))
            accelerations_known = True
        if row.needs == FORCES:
            _find_forces(v)
            accelerations_known = False
        # The ring of the samples is also the delay line.
        start = row.start + (index % row.capacity) * (row.width + 1)
        v.samples[start] = tick
        v.counters[row.counter] = index + 1
        out = window(v.samples, start + 1, row.width)
        if row.stuck and index > 0:
            before = row.start + ((index - 1) % row.capacity) * (row.width + 1) + 1
            for k in range(row.width):
                out[k] = v.samples[before + k]
        elif ask(row.function, (table_of(v), row.rows, out.ctypes.data, index)) != 0 or _has_nan(out):
            blame(v, SENSOR, i, 0)
        if row.loss > 0.0 and uniform(v.world[0].seed, row.stream, index, LOSS_LANE) < row.loss:
            v.samples[start] = LOST


def _has_nan(numbers: Number) -> bool:
    """Whether one is not a number; infinite ones are: nothing is within reach (ROS REP 117)."""
    found = False
    for k in range(numbers.shape[0]):
        found = found or math.isnan(numbers[k])
    return found


def _find_forces(v: Views) -> None:
    """Forces between bodies at this instant; the accelerations stay those of the last step."""
    kept = window(v.buffer, 0, v.qacc.shape[0])
    copy(v.qacc, kept)
    accelerate(v)
    call(v.world[0].mj_rnePostConstraint, (v.world[0].model, v.world[0].data))
    copy(kept, v.qacc)


def log_is_due(v: Views, tick: Number) -> bool:
    """Whether recorders get a row at this tick."""
    return due(v.counters[v.counters.shape[0] - 1], v.world[0].log_period, tick)


def write_log(v: Views, tick: Number) -> None:
    """Append a row of everything to the log that recorders read."""
    w = v.world[0]
    last = v.counters.shape[0] - 1
    row = v.counters[last]
    v.counters[last] = row + 1
    capacity = v.log.shape[0] // w.log_width
    out = window(v.log, (row % capacity) * w.log_width, w.log_width)
    out[0] = tick
    append(v.log_segments, out, 1)


def append(segments: Number, out: Number, at: Number) -> Number:
    """Copy the numbers of some segments to `out` from place `at`; returns the place after them."""
    for i in range(segments.shape[0]):
        copy_numbers(out.ctypes.data + 8 * at, segments[i].address, segments[i].count)
        at += segments[i].count
    return at


def newest_samples(samples: Number, counters: Number, table: Number, numbers: Number) -> None:
    """Of each ring in `table` the newest sample that has arrived: its number to `numbers`, then the sample.

    A row of the table has the start, capacity and width of a ring, its counter, its delay [ticks], and the place in
    `numbers`; the number of what has no sample yet is -1.
    """
    now = counters[0]
    for row in range(table.shape[0]):
        start, capacity, width, at = table[row, 0], table[row, 1], table[row, 2], table[row, 5]
        count, delay = counters[table[row, 3]], table[row, 4]
        numbers[at] = -1.0
        for k in range(count - 1, max(-1, count - 1 - capacity), -1):
            place = start + (k % capacity) * width
            if samples[place] != LOST and samples[place] + delay <= now:
                numbers[at] = k
                for i in range(1, width):
                    numbers[at + i] = samples[place + i]
                break
