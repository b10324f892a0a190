"""What a force sensor says while a mass hangs on it and after: noise and its colour, creep, zero, repeated samples.

One formula for recordings of a bench and for a simulated sensor: `weigh` wants the times and readings of a loop.
`resampled` says how far chance alone moves these figures of one recording.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

SETTLED, MARGIN, EDGE = 8.0, 1.0, 4.0
"""[s] after loading until creep is over, before unloading that are left out, and of the ends that drift is between."""
BEFORE = 3.0
"""[s] before the load is at rest that its application may disturb."""
ORDER = 5
"""Of the polynomial that counts as drift and not as noise."""
BLOCK = 5.0
"""[s] of a recording that are drawn together: the longest time over which a figure compares its noise."""
CONSTANTS = np.geomspace(0.3, 10.0, 120)
"""[s] that creep may take, 3 % apart."""
Array = np.ndarray[Any, np.dtype[np.float64]]


class Loading(NamedTuple):
    """Times [s] of a recording."""

    zero: float
    """From which the unloaded reading is the zero: after a tare."""
    on: float
    off: float
    """Interval in which the load is at rest."""
    free: float
    """From which it is off."""


class Weighed(NamedTuple):
    """Figures of a sensor from a recording."""

    mean: float
    """[N] under load, less the zero before it."""
    spread: float
    """[N] standard deviation about a slow drift, under load."""
    lag_1: float
    lag_10: float
    """Correlation of what is left of two readings, one and ten apart."""
    allan_1: float
    allan_5: float
    """[N] Allan deviation of the same, at 1 and 5 s."""
    repeated: float
    """Fraction of readings equal to the one before."""
    creep: float
    """[N] from the first second under load to the eighth."""
    creep_time: float
    """[s] time constant of that: of the exponential that fits these eight seconds best."""
    drift: float
    """[N] from there to the end of the load."""
    shift: float
    """[N] of the zero, from before the load to just after it."""


def weigh(time: Array, reading: Array, loading: Loading) -> Weighed:
    """Figures of a recording with even steps of `time` [s]."""
    _check(time, reading, loading)
    rate = (len(time) - 1) / (time[-1] - time[0])

    def mean(start: float, end: float) -> float:
        return float(reading[(time >= start) & (time < end)].mean())

    begin, end = loading.on + SETTLED, loading.off - MARGIN
    held = (time >= begin) & (time < end)
    course = _polynomials(time[held].tobytes())
    rest = reading[held] - course @ (course.T @ reading[held])
    zero = mean(loading.zero, loading.on - BEFORE)
    return Weighed(
        mean=mean(begin, end) - zero,
        spread=float(rest.std()),
        lag_1=correlation(rest, 1),
        lag_10=correlation(rest, 10),
        allan_1=allan_deviation(rest, 1.0, rate),
        allan_5=allan_deviation(rest, 5.0, rate),
        repeated=float((np.diff(reading[held]) == 0.0).mean()),
        creep=mean(loading.on + SETTLED - 2.0, loading.on + SETTLED) - mean(loading.on, loading.on + 0.5),
        creep_time=time_constant(time, reading, loading.on, loading.on + SETTLED),
        drift=mean(end - EDGE, end) - mean(begin, begin + EDGE),
        shift=mean(loading.free + 0.2, loading.free + 1.7) - zero,
    )


@functools.lru_cache(maxsize=8)
def _polynomials(times: bytes) -> Array:
    """Orthonormal polynomials at some times: what is left of readings without them has no slow drift.

    Kept, as hundreds of resampled recordings have the same times.
    """
    time: Array = np.frombuffer(times)
    middle, half = 0.5 * (time[-1] + time[0]), 0.5 * (time[-1] - time[0])
    return np.linalg.qr(np.polynomial.legendre.legvander((time - middle) / half, ORDER))[0]


def resampled(time: Array, reading: Array, loading: Loading, copies: int, seed: int = 1) -> list[Weighed]:
    """Figures of as many recordings that chance could have made of this one.

    Moving blocks (Kunsch, Annals of Statistics 17 (1989) 1217) of what is left about a smooth course before, at the
    beginning of, under and after the load; a block brings its repeated samples with it. The course takes part of the
    slowest noise with it: means over seconds scatter by half to all of what they should.
    """
    _check(time, reading, loading)
    settled, dice = loading.on + SETTLED, np.random.default_rng(seed)
    size = round(BLOCK * (len(time) - 1) / (time[-1] - time[0]))
    course, left, held = reading.copy(), np.zeros_like(reading), np.append(False, np.diff(reading) == 0.0)
    stretches = []
    for start, end, order in (
        (loading.zero, loading.on - BEFORE, 1),
        (loading.on, settled, ORDER),
        (settled, loading.off - MARGIN, ORDER),
        (loading.free + 0.2, loading.free + 1.7, 1),
    ):
        (some,) = np.nonzero((time >= start) & (time < end))
        course[some] = np.polynomial.Polynomial.fit(time[some], reading[some], order)(time[some])
        left[some] = reading[some] - course[some]
        stretches.append(some)
    found = []
    for _ in range(copies):
        drawn, again = course.copy(), np.zeros(len(reading), bool)
        for some in stretches:
            taken = some[_blocks(len(some), size, dice)]
            drawn[some] += left[taken]
            again[some[1:]] = held[taken[1:]]
        newest = np.maximum.accumulate(np.where(again, 0, np.arange(len(drawn))))
        found.append(weigh(time, drawn[newest], loading))
    return found


def _blocks(count: int, size: int, dice: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int64]]:
    size = min(size, max(1, count // 10))  # at least ten, or they could hardly differ
    starts = dice.integers(0, count - size + 1, -(-count // size))
    return (starts[:, None] + np.arange(size)).ravel()[:count]


def _check(time: Array, reading: Array, loading: Loading) -> None:
    if len(time) != len(reading):
        raise ValueError(f"weigh: {len(time)} times and {len(reading)} readings")
    long_enough = loading.on + SETTLED + 2.0 * EDGE + MARGIN
    if not max(time[0], loading.zero) < loading.on - BEFORE or loading.off < long_enough:
        raise ValueError(
            f"weigh: it needs {BEFORE:g} s from `zero` to `on` and {long_enough - loading.on:g} s from there to `off`; "
            f"it was given {loading} of a recording from {time[0]:g} to {time[-1]:g} s"
        )
    if not loading.off <= loading.free <= time[-1] - 1.7:
        raise ValueError(f"weigh: it needs 1.7 s after `free`; {loading} ends at {time[-1]:g} s")


def time_constant(time: Array, reading: Array, start: float, end: float) -> float:
    """[s] of the exponential, with any size and end, that is nearest to the readings of an interval [s]."""
    some = (time >= start) & (time < end)
    shapes = np.exp(-(time[some] - start) / CONSTANTS[:, None])
    shapes -= shapes.mean(axis=1, keepdims=True)
    told = shapes @ (reading[some] - reading[some].mean())
    return float(CONSTANTS[np.argmax(told**2 / (shapes**2).sum(axis=1))])


def correlation(x: Array, lag: int) -> float:
    """Of a series about zero with itself, `lag` samples later."""
    return float((x[lag:] * x[:-lag]).mean() / x.var())


def allan_deviation(x: Array, span: float, rate: float) -> float:
    """Of samples at `rate` [Hz] averaged over `span` [s]: Allan, Proceedings of the IEEE 54 (1966) 221."""
    size = max(1, round(span * rate))
    if len(x) < 2 * size:
        raise ValueError(f"allan_deviation: {len(x)} samples at {rate:g} Hz are less than two spans of {span:g} s")
    means = x[: len(x) // size * size].reshape(-1, size).mean(axis=1)
    return float(np.sqrt(0.5 * np.mean(np.diff(means) ** 2)))
