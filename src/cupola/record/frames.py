"""Recordings as tables of pandas, datasets of xarray and Parquet files: with texts, arrays and units."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cupola.record.field_units import units_of
from cupola.record.read import Recording
from cupola.record.stream import RecordingError
from cupola.schema.hostile_text import file_name
from cupola.schema.libraries import library
from cupola.schema.validation_messages import short
from cupola.schema.whole_files import Written, whole_file

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

INDEXED = re.compile(r"(.*)\.(\d+)")


class Columns(NamedTuple):
    """A topic by columns: numbers and texts over the messages, arrays with a second axis."""

    topic: str
    columns: dict[str, NDArray[Any]]
    """`time` and `stamp` [s] in front."""
    units: dict[str, str]
    """Of those whose unit is known."""


def need(package: str, what: str) -> Any:
    """Import an optional package, or raise an error that says how to install it."""
    return library(package, f"{what} needs {package}: pip install 'cupola[data]'", RecordingError)


def columns_of(recording: Recording, topic: str) -> Columns:
    """A topic with `field.0`, `field.1`, ... put together; numbers that the messages name stand by their names."""
    table = recording.named(topic, text=True)
    groups: dict[str, list[str]] = {}
    for path in table:
        match = INDEXED.fullmatch(path)
        groups.setdefault(match[1] if match else path, []).append(path)
    found = {name: _together(name, paths, table) for name, paths in groups.items()}
    return Columns(topic, found, units_of(recording, topic, list(found)))


def _together(name: str, paths: list[str], table: dict[str, NDArray[Any]]) -> NDArray[Any]:
    if paths == [name]:
        return table[name]
    in_order = sorted(paths, key=lambda path: int(path.rpartition(".")[2]))
    return np.stack([table[path] for path in in_order], axis=1)


def frame(recording: Recording, topic: str) -> "pd.DataFrame":
    """A table of pandas over `time` [s]; an array is one column of arrays; units stand in `attrs["units"]`."""
    pandas = need("pandas", "Recording.frame")
    found = columns_of(recording, topic)
    index = pandas.Index(found.columns["time"], name="time")
    data = {name: list(v) if v.ndim > 1 else v for name, v in found.columns.items() if name != "time"}
    made: pd.DataFrame = pandas.DataFrame(data, index=index)
    made.attrs["units"] = {name: unit for name, unit in found.units.items() if name != "time"}
    made.attrs["topic"] = topic
    return made


def dataset(recording: Recording, topic: str | None = None) -> "xr.Dataset":
    """One topic, or all of all vehicles: `vehicle.topic.field` over `time`, which all of the recording's rate share.

    Topics with times of their own, as sensors have them, lie over `time_vehicle.topic`.
    """
    xarray = need("xarray", "Recording.dataset")
    topics = [topic] if topic is not None else list(recording.topics)
    tables = [columns_of(recording, one) for one in topics]
    shared = _shared_times(tables)
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {}
    for one in tables:
        before = "" if topic is not None else f"{_dotted(one.topic)}."
        times = one.columns["time"]
        axis = "time" if np.array_equal(times, shared) else f"time_{_dotted(one.topic)}"
        coordinates[axis] = (axis, times, {"units": "s"})
        for name, values in one.columns.items():
            if name != "time":
                dims = (axis, f"{before}{name}.index")[: values.ndim]
                about = {"units": one.units[name]} if name in one.units else {}
                variables[f"{before}{name}"] = (dims, values, about)
    made: xr.Dataset = xarray.Dataset(variables, coordinates, {"recording": str(recording.path), **recording.metadata})
    return made


def _dotted(topic: str) -> str:
    return topic.strip("/").replace("/", ".")


def _shared_times(tables: list[Columns]) -> NDArray[Any]:
    """The times that most topics have."""
    seen: dict[bytes, list[NDArray[Any]]] = {}
    for one in tables:
        seen.setdefault(one.columns["time"].tobytes(), []).append(one.columns["time"])
    return max(seen.values(), key=len)[0] if seen else np.empty(0)


def write_parquet(path: str | Path, folder: str | Path) -> list[Path]:
    """Write one Parquet file per topic, "quadcopter.imu.parquet"; arrays are lists, units are metadata of the fields.

    A topic without messages gives no file.
    """
    arrow = need("pyarrow", "Parquet")
    parquet = need("pyarrow.parquet", "Parquet")
    recording = Recording(path)
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = Written()
    for topic in recording.topics:
        found = columns_of(recording, topic)
        if not len(found.columns["time"]):
            continue
        arrays = {name: arrow.array(v.tolist() if v.ndim > 1 else v) for name, v in found.columns.items()}
        fields = [
            arrow.field(name, array.type, metadata={"units": found.units[name]} if name in found.units else None)
            for name, array in arrays.items()
        ]
        target = Path(folder) / f"{file_name(topic)}.parquet"
        if target in written:
            raise RecordingError(f"{recording.path}: {short(topic)} and another topic would both become {target}")
        with whole_file(target) as new:
            parquet.write_table(arrow.table(list(arrays.values()), schema=arrow.schema(fields)), new.file)
        written.append(target)
    return written
