"""Sticks from a file: rows of a time and the channels from then on."""

import csv
import math
from pathlib import Path

from cupola.config.channels import STICK_CHANNELS
from cupola.config.vehicle import StickEntry
from cupola.schema.yaml_files import Entry, InputError, read

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
    try:
        lines = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    # A first line of words is a heading.
    rows = [
        _row(path, number, line)
        for number, line in enumerate(lines, 1)
        if any(cell.strip() for cell in line) and not (number == 1 and not _is_number(line[0]))
    ]
    if not rows:
        raise InputError(f"{path}: holds no rows; write: time, roll, pitch, yaw, throttle, ...")
    return rows


def _row(path: Path, number: int, line: list[str]) -> Row:
    if not 2 <= len(line) <= 1 + STICK_CHANNELS:
        raise InputError(f"{path}:{number}: expected a time and 1 to {STICK_CHANNELS} channels, got {len(line)} cells")
    for cell in line:
        if not _is_number(cell):
            raise InputError(f"{path}:{number}: {cell.strip()!r} is not a finite number")
    time, *channels = (float(cell) for cell in line)
    if time < 0:
        raise InputError(f"{path}:{number}: time must be at least 0, got {time:g}")
    return time, channels


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
