"""How much each number of a study moves each measure: rank correlations, and shares of the variance."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from cupola.many.sweep import read_results

Array = np.ndarray[Any, Any]
KEPT = ("run", "seed", "stopped")
"""Columns of the results that are neither number nor measure."""
BINS = 64
"""At most, into which the values of a number are parted."""


class Influence(NamedTuple):
    """Of one number on one measure."""

    rank: float
    """Spearman's rank correlation: 1 or -1 where the measure goes up or down with the number, however bent the way."""
    share: float
    """Of the variance of the measure, what goes with this number alone (the first-order index of Sobol)."""


def table_of(results: Path) -> dict[str, Array]:
    """The columns of the results; what has no value is NaN."""
    columns = read_results(results).to_pydict()
    return {
        name: np.array([np.nan if value is None else value for value in values], object if name == "stopped" else float)
        for name, values in columns.items()
    }


def measures_in(table: dict[str, Array], numbers: list[str]) -> list[str]:
    """Names of the measures."""
    return [name for name in table if name not in KEPT and name not in numbers]


def influence(table: dict[str, Array], numbers: list[str]) -> dict[str, dict[str, Influence]]:
    """Of every number on every measure, over the runs that have the measure."""
    found: dict[str, dict[str, Influence]] = {}
    for measure in measures_in(table, numbers):
        known = np.isfinite(table[measure])
        y = table[measure][known]
        found[measure] = {
            name: Influence(rank(table[name][known], y), share(table[name][known], y)) for name in numbers
        }
    return found


def rank(x: Array, y: Array) -> float:
    """0 where one of the two does not change, or too little is known."""
    if len(x) < 3 or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return 0.0
    return float(stats.spearmanr(x, y).statistic)


def share(x: Array, y: Array) -> float:
    """Variance of the mean of `y` from bin to bin of `x`, over its whole variance.

    Bins are the values of `x` where these are few, else as many runs each. What so many bins would show of chance alone
    is taken off (epsilon squared), so a number without influence has about 0. NaN where too few runs are known.
    """
    bins = bins_of(x)
    count, levels = len(y), int(bins.max(initial=0)) + 1
    if levels < 2 or count <= levels or np.ptp(y) == 0.0:
        return 0.0 if count > levels else float("nan")
    sizes = np.bincount(bins)
    within = float(((y - (np.bincount(bins, y) / sizes)[bins]) ** 2).sum()) / (count - levels)
    return max(0.0, 1.0 - within / float(y.var(ddof=1)))


def bins_of(x: Array) -> Array:
    """Number of the bin of each value."""
    values, places = np.unique(x, return_inverse=True)
    if len(values) <= max(2, min(BINS, len(x) // 2)):
        return np.asarray(places)
    count = min(BINS, max(2, round(len(x) ** 0.5)))  # as many bins as runs in a bin
    places = stats.rankdata(x, "ordinal").astype(int) - 1
    return np.asarray(places * count // len(x))
