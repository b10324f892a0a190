"""A table of any number of variables, written in the vehicle file or in a CSV file beside it."""

import csv
import itertools
import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.schema.yaml_files import Entry

LARGEST = 2_000_000
"""Entries of a table: a file with more is refused."""
VALUE = "value"
Breaks = dict[str, list[float]]


class Grid(NamedTuple):
    """A table as numbers."""

    breaks: tuple[tuple[float, ...], ...]
    """Of each axis."""
    values: Any
    """An array with one dimension per axis."""


class Table(Entry):
    """Values on a grid; between the breaks they are interpolated."""

    over: Breaks = Field({}, description="breaks of each variable, rising; the keys are its arguments unless called")
    values: list[float] = Field([], description="one per combination of breaks, the last variable changes fastest")
    file: str | None = Field(None, description="instead of both: CSV, a column per variable and one called `value`")
    outside: Literal["hold", "extend"] = Field("hold", description="beyond its ends: the last value, or the last slope")
    method: Literal["linear", "nearest", "below", "above"] = Field("linear", description="value between breaks")

    def model_post_init(self, _: Any) -> None:
        """Refuse a grid whose breaks do not rise or whose values do not fit them."""
        if bool(self.file) == bool(self.over or self.values):
            raise ValueError("give either `over` and `values`, or the file of a table")
        if not self.file:
            check(self.over, len(self.values))

    def read(self, text: Callable[[str], str]) -> "Table":
        """The same with the content of its file, which `text` gives by its name."""
        if self.file is None:
            return self
        over, values = parse_grid(text(self.file), self.file)
        return Table(over=over, values=values, outside=self.outside, method=self.method)

    def grid(self) -> Grid:
        """Its numbers."""
        breaks = tuple(tuple(axis) for axis in self.over.values())
        return Grid(breaks, np.array(self.values, float).reshape([len(axis) for axis in breaks]))


def check(over: Breaks, count: int) -> None:
    """Refuse breaks that do not rise, and a number of values that is not the one of the grid."""
    for name, axis in over.items():
        if not axis or any(b <= a for a, b in itertools.pairwise(axis)):
            raise ValueError(f"the breaks of {name} must rise from one to the next, got {axis}")
    wanted = math.prod(len(axis) for axis in over.values())
    if count != wanted:
        sizes = " x ".join(f"{len(axis)} of {name}" for name, axis in over.items()) or "none"
        raise ValueError(f"breaks ({sizes}) need {wanted} values, got {count}")


def parse_grid(text: str, path: str) -> tuple[Breaks, list[float]]:
    """Breaks and values of a CSV text with one row per combination of breaks, in any order; messages call it `path`."""
    rows = csv.reader(text.splitlines())
    header = [cell.strip() for cell in next(rows, [])]
    if len(header) < 2 or header[-1] != VALUE or len(set(header)) != len(header):
        raise ValueError(f"{path}:1: the columns must be the variables, then `{VALUE}`; got {','.join(header)}")
    cells = [_row(path, rows.line_num, row, len(header)) for row in itertools.islice(rows, LARGEST + 1) if row]
    if len(cells) > LARGEST:
        raise ValueError(f"{path}: more than {LARGEST} rows")
    table = np.array(cells, float).reshape(-1, len(header))
    axes = [np.unique(table[:, k]) for k in range(len(header) - 1)]
    over = {name: axis.tolist() for name, axis in zip(header, axes, strict=False)}
    places = tuple(np.searchsorted(axis, table[:, k]) for k, axis in enumerate(axes))
    shape = tuple(len(axis) for axis in axes)
    filled = np.zeros(shape, int)
    np.add.at(filled, places, 1)
    if (filled != 1).any():
        where = tuple(int(k) for k in np.argwhere(filled != 1)[0])
        at = ", ".join(f"{name} = {axis[k]:g}" for name, axis, k in zip(header, axes, where, strict=False))
        raise ValueError(f"{path}: a grid has one row per combination of breaks; at {at} there are {filled[where]}")
    values = np.zeros(shape)
    values[places] = table[:, -1]
    return over, values.ravel().tolist()


def _row(path: str, line: int, row: list[str], width: int) -> list[float]:
    if len(row) != width:
        raise ValueError(f"{path}:{line}: {len(row)} cells, expected {width}")
    try:
        numbers = [float(cell) for cell in row]
    except ValueError:
        raise ValueError(f"{path}:{line}: every cell must be a number, got {','.join(row)}") from None
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError(f"{path}:{line}: every cell must be finite, got {','.join(row)}")
    return numbers
