"""A wind field from a file: CSV, or NetCDF, with the wind at the points of a grid in space and time."""

import csv
import io
import itertools
import math
import re
from typing import Any, NamedTuple

import numpy as np

from cupola.config.netcdf import HDF5, read_netcdf
from cupola.schema.input_files import InputError, boundary, finite

LARGEST = 64 * 2**20
"""[bytes] of a file."""
MOST_ROWS = 1_000_000
"""Of a CSV file: some seconds of reading."""
AXES = {"t": ("t", "time"), "x": ("x",), "y": ("y",), "z": ("z", "height")}
"""Names of the coordinates: time [s], east, north, height above the world's origin [m]."""
WIND = ("u", "v", "w")
"""Names of the wind: east, north, up [m/s]."""
METRES = ("m", "metre", "metres", "meter", "meters")
UNITS = {
    "t": ("s", "sec", "second", "seconds"),
    **dict.fromkeys(("x", "y", "z"), METRES),
    **dict.fromkeys(WIND, ("m/s", "m s-1", "m s^-1", "m s**-1", "m.s-1", "meter second-1", "meters per second")),
}
"""Of each coordinate and of the wind; a file that gives none means the first."""
LETTERS = {name: letter for letter, names in AXES.items() for name in names}
Array = np.ndarray[Any, np.dtype[np.float64]]


class WindField(NamedTuple):
    """Wind at the points of a grid."""

    axes: tuple[Array, Array, Array, Array]
    """t [s], x, y, z [m], each rising; of a coordinate that the file does not have, one number: it does not matter."""
    wind: Array
    """East, north, up [m/s], (t, x, y, z, 3)."""

    def packed(self) -> Array:
        """One array, as `kernel.wind_field` reads it."""
        counts = [float(len(axis)) for axis in self.axes]
        return np.concatenate([counts, [0.0], *self.axes, self.wind.ravel()])


def parse_wind_field(content: bytes, source: str, fastest: float) -> WindField:
    """The field of a file's content; `fastest` is the most that air may move [m/s]."""
    with boundary(source, "not a wind field"):
        is_netcdf = content[:3] == b"CDF" or content.startswith(HDF5)
        found = _from_netcdf(content, source) if is_netcdf else _from_csv(content, source)
    for letter, axis in zip(AXES, found.axes, strict=True):
        if not np.isfinite(axis).all() or (np.diff(axis) <= 0).any():
            raise InputError(f"{source}: {letter} must be finite numbers that rise")
    if not found.wind.size:
        raise InputError(f"{source}: holds no point; at least one is needed")
    if not (there := np.isfinite(found.wind)).all():
        first = np.argwhere(~there)[0]
        place = ", ".join(f"{letter} = {axis[k]:g}" for letter, axis, k in zip(AXES, found.axes, first, strict=False))
        many = int((~there).any(axis=-1).sum())
        raise InputError(f"{source}: {WIND[first[-1]]} is missing or not finite at {many} points, as at {place}")
    if (most := float(np.abs(found.wind).max())) > fastest:
        raise InputError(f"{source}: blows with {most:g} m/s, more than {fastest:g}; its unit is m/s")
    return found


def _from_csv(content: bytes, source: str) -> WindField:
    text = content.decode("utf-8-sig")
    if (rows_given := text.count("\n")) > MOST_ROWS:
        raise InputError(f"{source}: has {rows_given} rows; {MOST_ROWS} are read, larger fields as NetCDF")
    heading = text.partition("\n")[0]
    delimiter = next((mark for mark in ",;\t" if mark in heading), ",")
    rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    names = [_column(name, source) for name in rows[0]] if rows else []
    _check_names(names, source)
    columns: dict[str, list[float]] = {name: [] for name in names}
    for number, row in enumerate(rows[1:], 2):
        values = [finite(cell) for cell in row]
        if any(cell.strip() for cell in row) and (len(row) != len(names) or None in values):
            raise InputError(f"{source}:{number}: expected {len(names)} finite numbers ({', '.join(names)})")
        for name, value in zip(names, values if any(cell.strip() for cell in row) else (), strict=False):
            columns[name].append(float(value or 0.0))
    given = {letter: columns[name] for letter, names in AXES.items() for name in names if name in columns}
    places: list[Any] = []
    axes: list[Any] = []
    for letter in AXES:
        axis, place = np.unique(np.array(given.get(letter, [0.0] * len(columns["u"]))), return_inverse=True)
        axes.append(axis)
        places.append(place)
    if len(columns["u"]) != math.prod(map(len, axes)):
        raise InputError(f"{source}: has {len(columns['u'])} rows; a grid of {_size(axes)} points needs as many")
    wind = np.full((*map(len, axes), 3), np.nan)
    for k, name in enumerate(WIND):
        wind[(*places, k)] = columns.get(name, 0.0)
    if np.isnan(wind).any():
        raise InputError(f"{source}: a point of its grid of {_size(axes)} appears twice and another is missing")
    return WindField((axes[0], axes[1], axes[2], axes[3]), wind)


def _size(axes: list[Any]) -> str:
    return " × ".join(f"{len(axis)} {letter}" for letter, axis in zip(AXES, axes, strict=True) if len(axis) > 1) or "1"


def _column(heading: str, source: str) -> str:
    """Name of a column, as `u`, `U` or `u [m/s]`."""
    known = [*itertools.chain(*AXES.values()), *WIND]
    parts = re.fullmatch(r"\s*(.*?)\s*(?:[\[(](.*)[\])])?\s*", heading)
    name, unit = (parts[1].lower(), parts[2]) if parts else (heading, None)
    if name not in known:
        raise InputError(f"{source}: the column {heading.strip()!r} is unknown; columns are {', '.join(known)}")
    _check_unit(name, unit or "", source)
    return name


def _check_unit(name: str, given: str, source: str) -> None:
    allowed, unit = UNITS[LETTERS.get(name, name)], given.split(" since ")[0].strip()
    if unit and unit not in allowed:
        raise InputError(f"{source}: the unit of {name} is {unit!r}, expected {allowed[0]!r}")


def _check_names(names: list[str], source: str) -> None:
    letters = [LETTERS.get(name, name) for name in names]
    if twice := [name for name, letter in zip(names, letters, strict=True) if letters.count(letter) > 1]:
        raise InputError(f"{source}: {' and '.join(map(repr, twice[:2]))} mean the same; one of them is enough")
    if not {"u", "v"} <= set(names):
        raise InputError(f"{source}: needs u and v, the wind towards east and north; it has {', '.join(names) or '-'}")


def _from_netcdf(content: bytes, source: str) -> WindField:
    variables, dimensions, units = read_netcdf(content, source, {*LETTERS, *WIND})
    _check_names(list(variables), source)
    order, letters = dimensions["u"], LETTERS
    for name in (one for one in WIND if one in variables):
        _check_unit(name, units[name], source)
    for name in order:
        if name not in letters:
            known = ", ".join(letters)
            raise InputError(f"{source}: u lies along {name!r}; coordinates are {known}, in metres and seconds")
        if name not in variables:
            raise InputError(f"{source}: has no variable {name!r} with the places along it")
        _check_unit(name, units[name], source)
    axes = {letters[name]: variables[name].ravel() for name in order}
    shape = [len(axes.get(letter, [0.0])) for letter in AXES]
    if np.size(variables["u"]) != math.prod(shape):
        raise InputError(
            f"{source}: u has {np.size(variables['u'])} values, its coordinates ask for {math.prod(shape)}"
        )
    wind = np.zeros((*shape, 3))
    sorted_order = [name for letter in AXES for name in order if letters[name] == letter]
    for k, name in enumerate(WIND):
        if name in variables:
            own = dimensions[name]
            if sorted(own) != sorted(order):
                raise InputError(f"{source}: {name} lies along {own}, u along {order}")
            wind[..., k] = variables[name].transpose([own.index(one) for one in sorted_order]).reshape(shape)
    found = [axes.get(letter, np.zeros(1)) for letter in AXES]
    for number, axis in enumerate(found):
        if len(axis) > 1 and axis[0] > axis[-1]:  # heights are often listed from the top
            found[number], wind = axis[::-1], np.flip(wind, number)
    return WindField((found[0], found[1], found[2], found[3]), wind)
