"""Sticks from a file: rows of a start time and channels."""

from pathlib import Path

from cupola.config.channels import STICK_CHANNELS
from cupola.config.vehicle import StickEntry
from cupola.schema.input_files import InputError, finite, is_heading, read_rows
from cupola.schema.validation_messages import short
from cupola.schema.yaml_files import Entry, read

Row = tuple[float, list[float]]


class StickFile(Entry):
    """The content of a YAML file of sticks: the same list that a scenario's controller may have."""

    sticks: tuple[StickEntry, ...]


def read_sticks(path: Path) -> list[Row]:
    """Rows of (time [s], channels) of a .csv or .yaml file."""
    if path.suffix in (".yaml", ".yml"):
        return [(row.time, row.channels) for row in read(path, StickFile).sticks]
    if path.suffix != ".csv":
        raise InputError(f"{path}: expected a .csv or .yaml file of sticks")
    found = read_rows(path)
    heading = bool(found) and is_heading(found[0][1])
    rows = [_row(path, number, cells) for number, cells in found[heading:]]
    if not rows:
        raise InputError(f"{path}: holds no rows; write: time, roll, pitch, yaw, throttle, ...")
    return rows


def _row(path: Path, number: int, line: list[str]) -> Row:
    if not 2 <= len(line) <= 1 + STICK_CHANNELS:
        raise InputError(f"{path}:{number}: expected a time and 1 to {STICK_CHANNELS} channels, got {len(line)} cells")
    time, *channels = (_number(path, number, cell) for cell in line)
    if time < 0:
        raise InputError(f"{path}:{number}: time must be at least 0, got {time:g}")
    return time, channels


def _number(path: Path, line: int, cell: str) -> float:
    found = finite(cell)
    if found is None:
        raise InputError(f"{path}:{line}: {short(cell)!r} is not a finite number")
    return found
