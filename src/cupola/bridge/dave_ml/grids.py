"""Tables of DAVE-ML as grids: scattered points are one if they lie on it."""

import itertools
from typing import NamedTuple

from cupola.schema.input_files import InputError


class Points(NamedTuple):
    """Breaks of each variable, and values of which the last variable changes fastest."""

    breaks: list[list[float]]
    values: list[float]


def gridded(rows: list[list[float]], count: int) -> Points:
    """Points of an ungridded table, each the variables and a value, in any order."""
    for k, row in enumerate(rows):
        if len(row) != count + 1:
            raise InputError(f"dataPoint {k + 1} has {len(row)} numbers, expected {count} variables and a value")
    breaks = [sorted({row[k] for row in rows}) for k in range(count)]
    at = {tuple(row[:-1]): row[-1] for row in rows}
    places = list(itertools.product(*breaks)) if len(rows) == len(at) else []
    if not rows or len(places) != len(rows):
        raise InputError(
            f"its {len(rows)} scattered points are no grid (sizes {' x '.join(str(len(one)) for one in breaks)}); "
            "points between which triangles must be drawn are not read"
        )
    return Points(breaks, [at[place] for place in places])
