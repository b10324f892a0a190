"""Tables of DAVE-ML as grids: scattered points are one if they lie on it."""

import itertools
import math
from typing import NamedTuple

from cupola.schema.input_files import InputError


class Points(NamedTuple):
    """Breaks of each variable, and values of which the last variable changes fastest."""

    breaks: list[list[float]]
    values: list[float]


def gridded(rows: list[list[float]], count: int) -> Points | None:
    """Points of an ungridded table, each the variables and a value, in any order; none if they are no grid."""
    if not rows:
        raise InputError("has no <dataPoint>")
    for k, row in enumerate(rows):
        if len(row) != count + 1:
            raise InputError(f"dataPoint {k + 1} has {len(row)} numbers, expected {count} variables and a value")
    breaks = [sorted({row[k] for row in rows}) for k in range(count)]
    at = {tuple(row[:-1]): row[-1] for row in rows}
    if len(at) != len(rows) or len(rows) != math.prod(len(one) for one in breaks):
        return None
    places = itertools.product(*breaks)
    return Points(breaks, [at[place] for place in places])
