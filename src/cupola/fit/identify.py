"""Physical numbers from a recording: the factors with which worlds show what the inertial units measured.

Least squares over short windows (output error, as in Jategaonkar, Flight Vehicle System Identification, 2015), each
kind of measurement weighed by its own noise, which is what remains. Intervals are those of the linear model there.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, stats

from cupola.fit.recorded import Source
from cupola.fit.replay import Replay
from cupola.record.read import Recording
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError

Array = np.ndarray[Any, Any]
STEP = 1e-3
"""Relative change of a number with which slopes are found."""
LOWEST, HIGHEST = 0.05, 20.0
"""Factors that are tried."""
ALIKE = 0.9995
"""Correlation from which two numbers cannot be told apart."""
ROUNDS = 2
"""How often the noise is found anew from what remains."""


class Number(NamedTuple):
    """A number that was fitted."""

    name: str
    model: float
    """What the model of the recording has; of several that a `*` means, the first."""
    value: float
    low: float
    high: float
    """Ends of its 95 % interval."""

    @property
    def factor(self) -> float:
        """Times the model's."""
        return self.value / self.model


class Fit(NamedTuple):
    """What was found."""

    numbers: list[Number]
    correlation: Array
    """Of the numbers with each other."""
    noise: dict[str, float]
    """What remains: accelerometer [m/s²], gyroscope [rad/s]."""
    before: dict[str, float]
    after: dict[str, float]
    """Root mean square over the part of the recording that was held out, with the model's numbers and the fitted."""
    samples: int


def identify(
    recording: Path | str | Recording,
    names: list[str],
    *,
    vehicle: str | None = None,
    window: float = 0.25,
    hold_out: float = 0.3,
    trust: bool | Trust = False,
) -> Fit:
    """Fit numbers to the inertial units of a recording; the last `hold_out` of it only judges.

    `names` are those of `cupola.batch`; with `*` one factor holds for all that are meant.
    """
    if not names or len(set(names)) < len(names):
        raise InputError(f"fit: expected names of numbers, each once, got {names}")
    opened = recording if isinstance(recording, Recording) else Recording(recording)
    replay = Replay(Source(opened, trust), names, vehicle, window)
    try:
        return fit(replay, replay.flight.measured, hold_out)
    finally:
        replay.close()


def fit(replay: Replay, measured: Array, hold_out: float) -> Fit:
    """The same with what the units measured given: for studies of noise on one flight."""
    if not 0.0 <= hold_out < 0.9:
        raise InputError(f"hold_out: expected a share from 0 to 0.9, got {hold_out:g}")
    seen, used = measured[replay.kept], replay.part <= 1.0 - hold_out
    count = len(replay.names)
    noise, factors = _rough_noise(seen[used]), np.ones(count)
    kept: dict[bytes, Array] = {}

    def flown(x: Array) -> Array:
        """Predictions at some factors, and with each a little larger."""
        key = x.tobytes()
        if key not in kept:
            kept.clear()
            kept[key] = replay.predict(np.vstack([x, x * (1.0 + STEP * np.eye(count))]))
        return kept[key]

    def residuals(x: Array) -> Array:
        return np.asarray(((flown(x)[0] - seen) / noise)[used].ravel())

    def slopes(x: Array) -> Array:
        found = flown(x)
        return np.stack(
            [((one - found[0]) / noise)[used].ravel() / (STEP * x[k]) for k, one in enumerate(found[1:])], 1
        )

    before = _spread(replay.predict(np.ones((1, count)))[0] - seen, ~used)
    for _ in range(ROUNDS):
        found = optimize.least_squares(residuals, factors, slopes, bounds=(LOWEST, HIGHEST), xtol=1e-7, ftol=1e-9)
        factors = found.x
        rest = (flown(factors)[0] - seen)[used]
        noise = _by_kind(np.sqrt(np.mean(rest**2, axis=0)))
    covariance, correlation = _covariance(slopes(factors), replay.names)
    wide = stats.norm.ppf(0.975) * np.sqrt(np.diag(covariance))
    models = [next(iter(one.values())) for one in replay.nominal]
    numbers = [
        Number(name, model, model * f, model * (f - w), model * (f + w))
        for name, model, f, w in zip(replay.names, models, factors, wide, strict=True)
    ]
    after = _spread(flown(factors)[0] - seen, ~used)
    return Fit(numbers, correlation, _named(noise), before, after, int(used.sum()))


def _covariance(slopes: Array, names: list[str]) -> tuple[Array, Array]:
    size = np.linalg.norm(slopes, axis=0)
    if (size == 0.0).any():
        dead = [name for name, one in zip(names, size, strict=True) if one == 0.0]
        raise InputError(f"{', '.join(dead)} makes no difference to what this recording measured")
    inverse = np.linalg.pinv((slopes / size).T @ (slopes / size))
    covariance = inverse / np.outer(size, size)
    sigma = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(sigma, sigma)
    cosine = np.abs((slopes / size).T @ (slopes / size)) - np.eye(len(names))
    i, j = np.unravel_index(np.argmax(cosine), cosine.shape)
    if cosine[i, j] > ALIKE:
        raise InputError(
            f"{names[i]} and {names[j]} cannot be told apart here: what one does to the recording the other does, too "
            f"(correlation {cosine[i, j]:.5f}); fit one of them, with the other measured"
        )
    return covariance, correlation


def _rough_noise(seen: Array) -> Array:
    """Of each axis, from sample to sample."""
    return _by_kind(np.maximum(np.std(np.diff(seen, axis=0), axis=0) / np.sqrt(2.0), 1e-9))


def _by_kind(of_axis: Array) -> Array:
    """One figure for the three axes of an accelerometer, one for those of a gyroscope."""
    threes = np.sqrt(np.mean(of_axis.reshape(-1, 3) ** 2, axis=1))
    return np.repeat(np.maximum(threes, 1e-12), 3)


def _named(noise: Array) -> dict[str, float]:
    return {"accelerometer": float(noise[0]), "gyroscope": float(noise[3])}


def _spread(off: Array, where: Array) -> dict[str, float]:
    if not where.any():
        return {"accelerometer": np.nan, "gyroscope": np.nan}
    return _named(_by_kind(np.sqrt(np.mean(off[where] ** 2, axis=0))))
