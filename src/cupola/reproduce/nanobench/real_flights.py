"""Six real flights of a Crazyflie 2.1: NanoBench, arXiv 2603.09908."""

from pathlib import Path

from cupola.analysis.real_flight import Flight, read_flight
from cupola.reproduce.row import data_file

FLIGHTS = {
    "circle": ("B2_circle_slow_rep1.csv", 4.47, 21.76),
    "star": ("B8_star_medium_rep2.csv", 3.64, 36.04),
    "figure_eight": ("B3_figure8_fast_rep1.csv", 4.55, 21.50),
    "lissajous": ("B10_lissajous_fast_rep1.csv", 4.46, 36.72),
    "circle_medium": ("B2_circle_medium_rep1.csv", 4.56, 20.76),
    "trefoil": ("B9_trefoil_medium_rep14.csv", 4.52, 36.58),
}
"""File, and the first and last time [s] of its evaluation, as the data's README gives them."""
TIME_CONSTANT = 0.072
"""Of the motors [s], RotorPy's."""


def path_of(name: str) -> Path | str:
    """The file of a flight, or the sentence that says what is missing."""
    return data_file(f"nanobench/{FLIGHTS[name][0]}")


def flights(*names: str) -> list[Flight]:
    """Some flights; they must be here."""
    found = []
    for name in names:
        path = path_of(name)
        if isinstance(path, str):
            raise SystemExit(path)
        found.append(read_flight(path, *FLIGHTS[name][1:]))
    return found


def others() -> list[Path]:
    """Further flights of the same kind that somebody put beside them."""
    known = [path for path in map(path_of, FLIGHTS) if isinstance(path, Path)]
    names = {file for file, *_ in FLIGHTS.values()}
    return [path for path in sorted(known[0].parent.glob("*.csv")) if path.name not in names] if known else []
