"""A recorded flight of a multirotor, cut into windows of half a second to be predicted, and the scores of predictions.

What every model is given is made here, once: the state at the start of a window, the speed of each motor then, and the
speeds commanded during it. Nothing after the start of a window enters but the recorded motor signals.
"""

import csv
import logging
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.physics.rotation import Quaternion, Vector, multiply, rotate
from cupola.physics.servo import first_order
from cupola.schema.input_files import MEBI, InputError, read_text

Array = np.ndarray[Any, np.dtype[np.float64]]
log = logging.getLogger("cupola")

LARGEST = 256 * MEBI
"""[bytes] of a file."""
PWM_FULL = 65535.0
GRAVITY = 9.81
AIRBORNE = 0.5
"""Height [m] above which the vehicle counts as flying."""
STEP, STEPS, EVERY = 0.01, 50, 0.1
"""Commands are held for one step [s]; a window has 50 of them; windows start every 0.1 s."""
MEMORY = 3.0
"""[s] over which the total thrust is learnt: long beside a manoeuvre, short beside the discharge of a battery."""
GAP = 0.05
"""[s] between two rows over which nothing is said: windows that reach over a longer one are left out."""
READ = r"time_s|[pvw][xyz]_(m|m_s|rad_s)|q[wxyz]|acc_z_g|vbat_v|m\d+_(rad_s|pwm)"
"""Names of the columns that are read."""
TRUST = 1.0
"""[s] of flight that the motors' own thrust counts for before anything is learnt."""


class Motors(NamedTuple):
    """From recorded motor signals to shaft speeds, and what the motors do with them."""

    offset: float
    """[rad/s]."""
    slope: float
    """[rad/s] per unit of the signal."""
    time_constant: float
    """[s] of the shaft speed behind its command."""
    lift: float
    """Thrust of one motor per mass of the vehicle and squared shaft speed [m/s² s²]."""

    def speed(self, signal: Array) -> Array:
        """[rad/s]; a motor without a signal stands still."""
        return np.where(signal > 0.0, self.offset + self.slope * signal, 0.0)


class Flight(NamedTuple):
    """Columns of a file, one row per Vicon frame: SI, quaternions wxyz, body axes front-left-up."""

    time: Array
    pos_w: Array
    vel_w: Array
    quat_wb: Array
    rate_b: Array
    specific_z: Array
    """Accelerometer along body z [m/s²]."""
    signal: Array
    """Of motors 1, 2, ...: voltage, share of the PWM × battery [V], or shaft speed [rad/s]."""
    first: float
    last: float
    """[s] of the evaluation."""


class Windows(NamedTuple):
    """All windows of a flight, one row each."""

    pos_w: Array
    vel_w: Array
    quat_wb: Array
    rate_b: Array
    speeds: Array
    """Of the motors at the start [rad/s]."""
    commands: Array
    """Speeds wanted, (windows, steps, motors) [rad/s]."""
    flown: "Prediction"
    start: Array
    """[s]."""

    def every(self, stride: int) -> "Windows":
        """Some of them."""
        pos_w, vel_w, quat_wb, rate_b, speeds, commands = (column[::stride] for column in self[:6])
        flown, start = self.flown.every(stride), self.start[::stride]
        return Windows(pos_w, vel_w, quat_wb, rate_b, speeds, commands, flown, start)


class Prediction(NamedTuple):
    """Motion in each window after each step: (windows, steps, numbers)."""

    pos_w: Array
    vel_w: Array
    quat_wb: Array
    rate_b: Array

    def every(self, stride: int) -> "Prediction":
        """Of some windows."""
        return Prediction(*(column[::stride] for column in self))


class Errors(NamedTuple):
    """Root mean squares over all windows."""

    position: float
    """[m] after 0.5 s."""
    path: float
    """[m] over the 0.5 s."""
    velocity: float
    """[m/s] after 0.5 s."""
    attitude: float
    """[deg] after 0.5 s."""
    rate: float
    """[rad/s] after 0.5 s."""


Predict = Callable[[Windows], Prediction]
"""A model: predicts the motion in windows."""


def read_flight(path: Path, first: float | None = None, last: float | None = None) -> Flight:
    """A CSV file with the columns of `docs/real_flights.md`; evaluated from `first` to `last` [s].

    Unless they are given, from half a second after it is above 0.5 m until a second before it is below again.
    """
    column = _numbers(path)

    def columns(*names: str) -> Array:
        lacking = [name for name in names if name not in column]
        if lacking:
            raise InputError(f"{path}: no column {', '.join(lacking)}; there are: {', '.join(column)}")
        return np.column_stack([column[name] for name in names])

    pos_w = columns("px_m", "py_m", "pz_m")
    up = np.flatnonzero(pos_w[:, 2] > AIRBORNE)
    time = columns("time_s")[:, 0]
    if not len(up) and (first is None or last is None):
        raise InputError(f"{path}: never above {AIRBORNE:g} m; give the interval to evaluate")
    return Flight(
        time,
        pos_w,
        columns("vx_m_s", "vy_m_s", "vz_m_s"),
        _without_jumps(columns("qw", "qx", "qy", "qz")),
        columns("wx_rad_s", "wy_rad_s", "wz_rad_s"),
        GRAVITY * columns("acc_z_g")[:, 0],
        _signal(path, column),
        float(time[up[0]]) + 0.5 if first is None else first,
        float(time[up[-1]]) - 1.0 if last is None else last,
    )


def _numbers(path: Path) -> dict[str, Array]:
    """The columns that are read, without rows in which one of them has no number."""
    try:
        reader = csv.DictReader(read_text(path, LARGEST).splitlines())
        names = [name for name in reader.fieldnames or () if re.fullmatch(READ, name or "")]
        table = [[_number(row[name]) for name in names] for row in reader]
    except csv.Error as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    if not table:
        raise InputError(f"{path}: no rows")
    values = np.array(table, np.float64).reshape(len(table), len(names))
    whole = np.isfinite(values).all(axis=1)
    if not whole.any():
        raise InputError(f"{path}: no row has a number in each of {', '.join(names)}")
    if not whole.all():
        log.warning("%s: %d of %d rows lack a number and are left out", path, int((~whole).sum()), len(table))
    column = dict(zip(names, values[whole].T, strict=True))
    if "time_s" in column and len(back := np.flatnonzero(np.diff(column["time_s"]) <= 0.0)):
        raise InputError(f"{path}: time_s does not grow after {column['time_s'][back[0]]:g} s")
    return column


def _number(text: str | None) -> float:
    """NaN where there is none."""
    try:
        return float(text or "nan")
    except (TypeError, ValueError):
        return math.nan


def _without_jumps(quat: Array) -> Array:
    """The same attitudes, with the sign that is nearer to the row before: both signs mean the same."""
    flips = np.sum(quat[1:] * quat[:-1], axis=1) < 0.0
    signs: Array = np.concatenate([[1.0], np.where(np.cumsum(flips) % 2 == 1, -1.0, 1.0)])
    return np.asarray(quat * signs[:, None])


def _signal(path: Path, column: dict[str, Array]) -> Array:
    """Speeds of the motors if they were measured, else their voltage."""
    for ending in ("rad_s", "pwm"):
        names = sorted(
            (n for n in column if re.fullmatch(rf"m\d+_{ending}", n)), key=lambda n: int(n[1 : n.index("_")])
        )
        if names and ending == "rad_s":
            return np.column_stack([column[name] for name in names])
        if names and "vbat_v" in column:
            return np.column_stack([column[name] for name in names]) / PWM_FULL * column["vbat_v"][:, None]
    raise InputError(f"{path}: no motors: give m1_rad_s, m2_rad_s, ... or m1_pwm, m2_pwm, ... and vbat_v")


def trim(flight: Flight, speeds: Array) -> Array:
    """Factor on each motor's speed, for every row of a flight, from what came before that row and nothing else.

    A vehicle that has flown for a while has not been turned: over that time its motors pushed alike. Where their
    commands say otherwise, motors, propellers and the centre of mass are to blame. So the mean of the squared speed of
    each motor since take-off is made that of all four. Before take-off there is nothing to learn from.
    """
    factors = np.ones_like(speeds)
    start = int(np.argmax(flight.pos_w[:, 2] > AIRBORNE))
    total = np.cumsum(speeds[start:] ** 2, axis=0)[:-1]
    factors[start + 1 :] = np.sqrt(total.mean(axis=1, keepdims=True) / total)
    return factors


def lift_factor(flight: Flight, speeds: Array, motors: Motors) -> Array:
    """Factor on all speeds, for every row of a flight, from what came before that row and nothing else.

    Battery, air and mass change the total thrust. The accelerometer along the shafts shows it: its mean over the last
    `MEMORY` seconds since take-off, divided by what the motors' numbers say.
    """
    factors, start = np.ones(len(speeds)), int(np.argmax(flight.pos_w[:, 2] > AIRBORNE))
    steps = np.diff(flight.time, prepend=flight.time[0])
    turning, felt, said = speeds[0], GRAVITY * TRUST, GRAVITY * TRUST
    for k, (wanted, step) in enumerate(zip(speeds, steps, strict=True)):
        turning = first_order(turning, wanted, motors.time_constant, step)
        if k < start:
            continue
        factors[k] = math.sqrt(max(felt, 0.0) / said)
        keep = math.exp(-step / MEMORY)
        felt = GRAVITY * TRUST * (1.0 - keep) + keep * felt + step * flight.specific_z[k]
        said = GRAVITY * TRUST * (1.0 - keep) + keep * said + step * motors.lift * float(np.sum(turning**2))
    return factors


def cut(flight: Flight, motors: Motors, stride: int = 1) -> Windows:
    """The windows of a flight, or every `stride`-th of them."""
    count = math.floor((flight.last - flight.first - STEP * STEPS) / EVERY + 1e-6) + 1
    if count < 1:
        raise InputError(
            f"the evaluation from {flight.first:g} to {flight.last:g} s has no window of {STEP * STEPS:g} s"
        )
    wanted = _whole(flight, np.asarray(flight.first + EVERY * np.arange(0, count, stride), np.float64))
    rows = np.array([np.argmin(np.abs(flight.time - t)) for t in wanted])
    speeds = motors.speed(flight.signal)
    factors = (trim(flight, speeds) * lift_factor(flight, speeds, motors)[:, None])[rows][:, None]
    middles = flight.time[rows, None] + STEP * (np.arange(-STEPS, STEPS) + 0.5)
    commands = factors * _between(flight.time, speeds, middles)
    ends = flight.time[rows, None] + STEP * np.arange(1, STEPS + 1)
    columns = (flight.pos_w, flight.vel_w, flight.quat_wb, flight.rate_b)
    flown = Prediction(*(_between(flight.time, column, ends) for column in columns))
    turning = commands[:, 0]
    for k in range(STEPS):
        turning = first_order(turning, commands[:, k], motors.time_constant, STEP)
    pos_w, vel_w, quat_wb, rate_b = (column[rows] for column in columns)
    return Windows(pos_w, vel_w, quat_wb, rate_b, turning, commands[:, STEPS:], flown, flight.time[rows])


def _whole(flight: Flight, wanted: Array) -> Array:
    """Starts of the windows that lie in the recording and over no gap of it."""
    time, length = flight.time, STEP * STEPS
    gaps = np.flatnonzero(np.diff(time) > GAP)
    good = (wanted > time[0] - GAP) & (wanted + length < time[-1] + GAP)
    for k in gaps:
        good &= (wanted >= time[k + 1]) | (wanted + length <= time[k])
    if not good.any():
        raise InputError(f"all windows of {length:g} s reach over a gap or beyond the recording")
    if not good.all():
        said = "%d of %d windows reach over a gap of more than %g s or beyond the recording and are left out"
        log.warning(said, int((~good).sum()), len(wanted), GAP)
    return np.asarray(wanted[good])


def score(windows: Windows, models: Mapping[str, Predict]) -> dict[str, Errors]:
    """Errors of models and of the two baselines."""
    floors: dict[str, Predict] = {"no model": stand_still, "thrust is weight": keep_tilt}
    return {name: judge(model(windows), windows.flown) for name, model in {**floors, **models}.items()}


def stand_still(windows: Windows) -> Prediction:
    """The naive baseline: velocity, attitude and rate are constant."""
    times = STEP * np.arange(1, STEPS + 1)
    path = windows.pos_w[:, None] + windows.vel_w[:, None] * times[None, :, None]
    kept = (windows.vel_w, windows.quat_wb, windows.rate_b)
    return Prediction(path, *(np.repeat(column[:, None], STEPS, axis=1) for column in kept))


def keep_tilt(windows: Windows) -> Prediction:
    """The fair baseline: attitude and rate are constant, and the thrust equals the weight."""
    times = STEP * np.arange(1, STEPS + 1)[None, :, None]
    up = np.stack(rotate(Quaternion(*windows.quat_wb.T), Vector(0.0, 0.0, 1.0)), axis=-1)
    accel = GRAVITY * (up - np.array([0.0, 0.0, 1.0]))[:, None]
    still = stand_still(windows)
    return still._replace(pos_w=still.pos_w + 0.5 * accel * times**2, vel_w=still.vel_w + accel * times)


def judge(found: Prediction, flown: Prediction) -> Errors:
    """Errors of a prediction."""
    off = found.pos_w - flown.pos_w
    return Errors(
        _root_mean_square(off[:, -1]),
        _root_mean_square(off),
        _root_mean_square(found.vel_w[:, -1] - flown.vel_w[:, -1]),
        math.degrees(_root_mean_square(turn_between(found.quat_wb, flown.quat_wb)[:, -1])),
        _root_mean_square(found.rate_b[:, -1] - flown.rate_b[:, -1]),
    )


def turn_between(a: Array, b: Array) -> Array:
    """Rotation vectors [rad] that take attitudes `b` to `a`, in the axes of `b`; quaternions along the last axis."""
    back = b * np.array([1.0, -1.0, -1.0, -1.0])
    turn = np.stack(multiply(Quaternion(*np.moveaxis(back, -1, 0)), Quaternion(*np.moveaxis(a, -1, 0))), axis=-1)
    turn = np.where(turn[..., :1] < 0.0, -turn, turn)
    size = np.linalg.norm(turn[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(size, turn[..., :1])
    return np.asarray(np.where(size > 0.0, angle / np.where(size > 0.0, size, 1.0), 2.0) * turn[..., 1:])


def _root_mean_square(off: Array) -> float:
    """Of the lengths of vectors along the last axis."""
    return math.sqrt(float(np.mean(np.sum(off**2, axis=-1))))


def _between(time: Array, values: Array, wanted: Array) -> Array:
    """Straight lines between rows."""
    return np.stack([np.interp(wanted, time, column) for column in values.T], axis=-1)
