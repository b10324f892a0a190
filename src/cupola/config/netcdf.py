"""Variables of a NetCDF file: NetCDF-3 by SciPy, NetCDF-4 by xarray where it is installed."""

import io
from collections.abc import Set
from typing import Any, NamedTuple

import numpy as np

from cupola.schema.input_files import InputError
from cupola.schema.libraries import library

HDF5 = b"\x89HDF\r\n\x1a\n"
"""How NetCDF-4 begins."""
Array = np.ndarray[Any, np.dtype[np.float64]]


class Variables(NamedTuple):
    """By their names in small letters."""

    values: dict[str, Array]
    """NaN where one is missing."""
    dimensions: dict[str, tuple[str, ...]]
    units: dict[str, str]
    """Empty if none is given."""


def read_netcdf(content: bytes, source: str, wanted: Set[str]) -> Variables:
    """Those of the wanted names that are there; what else the file holds is not read."""
    found = Variables({}, {}, {})
    for called, dimensions, values, attributes in _opened(content, source, wanted):
        name = called.lower()
        if name in found.values:
            raise InputError(f"{source}: has two variables {name!r}")
        if _word(attributes, "positive").lower() == "down":
            raise InputError(f"{source}: {called} counts downwards (positive = 'down'); heights are needed")
        found.values[name] = np.ma.filled(np.ma.asarray(values, np.float64), np.nan)
        found.dimensions[name] = tuple(str(one).lower() for one in dimensions)
        found.units[name] = _word(attributes, "units")
    return found


def _opened(content: bytes, source: str, wanted: Set[str]) -> list[tuple[str, Any, Any, Any]]:
    """Name, dimensions, values and attributes of each."""
    if not content.startswith(HDF5):
        from scipy.io import netcdf_file

        with netcdf_file(io.BytesIO(content), "r", mmap=False, maskandscale=True) as file:
            ours = [(name, v) for name, v in file.variables.items() if name.lower() in wanted]
            return [(name, v.dimensions, v[...], v._attributes) for name, v in ours]
    needs = f"{source}: is NetCDF-4, which needs xarray and h5netcdf: install them, or write it as NetCDF-3 or CSV"
    library("h5netcdf", needs)
    xarray = library("xarray", needs)
    data = xarray.open_dataset(io.BytesIO(content), engine="h5netcdf", decode_times=False)
    every = {str(name): data[name] for name in (*data.data_vars, *data.coords)}
    return [(name, v.dims, v.values, v.attrs) for name, v in every.items() if name.lower() in wanted]


def _word(attributes: Any, name: str) -> str:
    """An attribute as text: SciPy gives bytes."""
    given = attributes.get(name, "")
    return given.decode("utf-8", "replace") if isinstance(given, bytes) else str(given)
