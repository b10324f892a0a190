"""The results of a study as one picture: every measure over every number, and how the measure is spread."""

from pathlib import Path
from typing import Any

import numpy as np

from cupola.many.influence import Array, Influence, bins_of, influence, measures_in
from cupola.record.draw import COLOURS, STYLE, save_picture

ROWS, COLUMNS = 8, 6
"""Measures and numbers that one picture has room for."""
DOTS = 4000
"""Runs that are drawn as dots, at most; means are those of all."""


def draw_study(table: dict[str, Array], numbers: list[str], path: Path) -> str:
    """Write the picture; returns what is not in it, and why; empty where all is."""
    import matplotlib
    from matplotlib.figure import Figure

    every = measures_in(table, numbers)
    measures = [name for name in every if np.isfinite(table[name]).any()]
    rows, columns = measures[:ROWS], numbers[:COLUMNS]
    found = influence(table, columns)
    with matplotlib.rc_context(STYLE):
        size = (2.6 * (len(columns) + 1), 2.1 * max(1, len(rows)) + 0.4)
        figure = Figure(size, layout="constrained")
        axes = figure.subplots(max(1, len(rows)), len(columns) + 1, squeeze=False, sharey="row")
        for row, measure in zip(axes, rows, strict=False):  # an empty row where no measure has a value
            for ax, number in zip(row, columns, strict=False):
                _draw_one(ax, table[number], table[measure], found[measure][number])
            _draw_spread(row[-1], table[measure])
            row[0].set_ylabel(measure)
        for ax, number in zip(axes[-1], columns, strict=False):
            ax.set_xlabel(number)
        axes[-1][-1].set_xlabel("runs")
        ended = int(np.count_nonzero(table["stopped"] != ""))
        said = f", {ended} of them stopped by a fault" if ended else ""
        figure.suptitle(f"{len(table['run'])} runs{said}; on the right the median, and 5 to 95 % of them")
        save_picture(figure, path, dpi=100)
    left, empty = [*measures[ROWS:], *numbers[COLUMNS:]], [name for name in every if name not in measures]
    told = [f"no room in the picture for {', '.join(left)}"] * bool(left)
    return "; ".join(told + [f"no value in any run: {', '.join(empty)}"] * bool(empty))


def _draw_one(ax: Any, x: Array, y: Array, moved: Influence) -> None:
    """Dots of the runs, and the mean of each bin."""
    known = np.isfinite(y)
    x, y = x[known], y[known]
    some = slice(None, None, max(1, -(-len(x) // DOTS)))
    ax.plot(x[some], y[some], ".", markersize=2.5, color=COLOURS[0], alpha=0.5, rasterized=True)
    if len(x):
        bins = bins_of(x)
        sizes = np.bincount(bins)
        there = sizes > 0
        means = [np.bincount(bins, values)[there] / sizes[there] for values in (x, y)]
        ax.plot(*means, color=COLOURS[1])
    told = "" if np.isnan(moved.share) else f", {100.0 * moved.share:.0f} % of the variance"
    ax.set_title(f"rank {moved.rank:+.2f}{told}", fontsize="small")


def _draw_spread(ax: Any, y: Array) -> None:
    known = y[np.isfinite(y)]
    if len(known):
        ax.hist(known, bins=min(40, max(5, int(np.sqrt(len(known))))), orientation="horizontal", color=COLOURS[0])
        middle, low, high = np.median(known), *np.quantile(known, [0.05, 0.95])
        ax.set_title(f"{middle:.3g} ({low:.3g} to {high:.3g})", fontsize="small")
    if missing := len(y) - len(known):
        ax.text(0.97, 0.97, f"no value: {missing}", transform=ax.transAxes, ha="right", va="top", fontsize="small")
