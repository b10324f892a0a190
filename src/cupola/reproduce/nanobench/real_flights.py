"""Real flights of a Crazyflie 2.1 (NanoBench, arXiv 2603.09908), cut into windows of half a second to be predicted.

What every model is given is made here, once: the state at the start of a window, the speed of each motor then, and the
speeds commanded during it. Nothing after the start of a window enters but the recorded commands and battery.
"""

import csv
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.physics.rotation import Quaternion, multiply
from cupola.physics.servo import first_order

Array = np.ndarray[Any, np.dtype[np.float64]]

FLIGHTS = {
    "circle": ("B2_circle_slow_rep1.csv", 4.47, 21.76),
    "star": ("B8_star_medium_rep2.csv", 3.64, 36.04),
    "figure_eight": ("B3_figure8_fast_rep1.csv", 4.55, 21.50),
    "lissajous": ("B10_lissajous_fast_rep1.csv", 4.46, 36.72),
}
"""File, and the first and last time [s] of its evaluation."""
FITTED_ON, SCORED_ON = ("circle", "star"), ("figure_eight", "lissajous")
PWM_FULL = 65535.0
AIRBORNE = 0.5
"""Height [m] above which a flight counts as flown."""
STEP, STEPS, EVERY = 0.01, 50, 0.1
"""Commands are held for one step [s]; a window has 50 of them; windows start every 0.1 s."""
TIME_CONSTANT = 0.072
"""Of the motors [s], RotorPy's: from it the speeds at the start of a window follow."""


class SpeedMap(NamedTuple):
    """Motor voltage (share of PWM × battery) to shaft speed: a straight line."""

    offset: float
    """[rad/s]."""
    slope: float
    """[rad/s/V]."""

    def speed(self, voltage: Array) -> Array:
        """[rad/s]; a motor without voltage stands still."""
        return np.where(voltage > 0.0, self.offset + self.slope * voltage, 0.0)


class Flight(NamedTuple):
    """Columns of a file, one row per Vicon frame: SI, quaternions wxyz, body axes front-left-up."""

    time: Array
    pos_w: Array
    vel_w: Array
    quat_wb: Array
    rate_b: Array
    specific_z: Array
    """Accelerometer along body z [m/s²]."""
    voltage: Array
    """Of motors 1 to 4 [V]."""
    first: float
    last: float


class Windows(NamedTuple):
    """All windows of a flight, one row each."""

    pos_w: Array
    vel_w: Array
    quat_wb: Array
    rate_b: Array
    speeds: Array
    """Of motors 1 to 4 at the start [rad/s]."""
    commands: Array
    """Speeds wanted, (windows, steps, motors) [rad/s]."""
    flown: "Prediction"


class Prediction(NamedTuple):
    """What happens in each window after each step: (windows, steps, numbers)."""

    pos_w: Array
    vel_w: Array
    quat_wb: Array
    rate_b: Array


class Errors(NamedTuple):
    """Root mean squares over all windows, as the data's README asks."""

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


def read(path: Path, first: float, last: float) -> Flight:
    """One file of the data set."""
    with path.open() as file:
        table = list(csv.DictReader(file))
    column = {name: np.array([float(row[name]) for row in table]) for name in table[0]}

    def columns(*names: str) -> Array:
        return np.column_stack([column[name] for name in names])

    pwm = columns("m1_pwm", "m2_pwm", "m3_pwm", "m4_pwm")
    return Flight(
        column["time_s"],
        columns("px_m", "py_m", "pz_m"),
        columns("vx_m_s", "vy_m_s", "vz_m_s"),
        columns("qw", "qx", "qy", "qz"),
        columns("wx_rad_s", "wy_rad_s", "wz_rad_s"),
        9.81 * column["acc_z_g"],
        pwm / PWM_FULL * column["vbat_v"][:, None],
        first,
        last,
    )


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


def cut(flight: Flight, speed_map: SpeedMap, stride: int = 1) -> Windows:
    """The windows of a flight, or every `stride`-th of them."""
    count = math.floor((flight.last - flight.first - STEP * STEPS) / EVERY + 1e-6) + 1
    wanted = flight.first + EVERY * np.arange(0, count, stride)
    rows = np.array([np.argmin(np.abs(flight.time - t)) for t in wanted])
    speeds = speed_map.speed(flight.voltage)
    factors = trim(flight, speeds)[rows][:, None]
    middles = flight.time[rows, None] + STEP * (np.arange(-STEPS, STEPS) + 0.5)
    commands = factors * _between(flight.time, speeds, middles)
    ends = flight.time[rows, None] + STEP * np.arange(1, STEPS + 1)
    columns = (flight.pos_w, flight.vel_w, flight.quat_wb, flight.rate_b)
    flown = Prediction(*(_between(flight.time, column, ends) for column in columns))
    turning = commands[:, 0]
    for k in range(STEPS):
        turning = first_order(turning, commands[:, k], TIME_CONSTANT, STEP)
    pos_w, vel_w, quat_wb, rate_b = (column[rows] for column in columns)
    return Windows(pos_w, vel_w, quat_wb, rate_b, turning, commands[:, STEPS:], flown)


def stand_still(windows: Windows) -> Prediction:
    """The floor: no model at all, velocity and attitude and rate stay."""
    times = STEP * np.arange(1, STEPS + 1)
    path = windows.pos_w[:, None] + windows.vel_w[:, None] * times[None, :, None]
    kept = (windows.vel_w, windows.quat_wb, windows.rate_b)
    return Prediction(path, *(np.repeat(column[:, None], STEPS, axis=1) for column in kept))


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
