"""A curve from a CSV file: one row per segment of a cubic spline, then a row with only the end of the range."""

from pathlib import Path

from cupola.parts.binding import Curve
from cupola.schema.input_files import MEBI, finite, read_text, rows_of
from cupola.schema.validation_messages import short

POWERS = ("a", "b", "c", "d")
LARGEST = 64 * MEBI
"""[bytes] of a table: two million numbers."""
COLUMNS = ("break", *POWERS)


def read_spline(path: Path) -> Curve:
    """The spline in `path`."""
    return parse_spline(read_table(path), str(path))


def read_table(path: Path) -> str:
    """The text of a table beside a vehicle file."""
    if not path.is_file():
        near = ", ".join(sorted(file.name for file in path.parent.glob("*.csv"))) or "no .csv file"
        raise ValueError(f"there is no file {path}; beside the vehicle file there is {near}")
    return read_text(path, LARGEST)


def parse_spline(text: str, path: str) -> Curve:
    """The spline in a text: on the segment that begins at `break`, a δ³ + b δ² + c δ + d with δ = x - `break`."""
    lines = _lines(text, path)
    if len(lines) < 2:
        raise ValueError(f"{path}: a spline needs a row per segment and a last row with the end, got {len(lines)} rows")
    breaks, coefficients = [], []
    for number, line in lines[:-1]:
        start, *powers = (_number(line[column], f"{path}:{number}: {column}") for column in COLUMNS)
        breaks.append(start)
        coefficients += powers
    number, end = lines[-1]
    if any(end[column] for column in POWERS):
        raise ValueError(f"{path}:{number}: the last row is the end of the range and holds only its break")
    breaks.append(_number(end["break"], f"{path}:{number}: break"))
    for (number, _), before, now in zip(lines[1:], breaks, breaks[1:], strict=False):
        if now <= before:
            raise ValueError(f"{path}:{number}: break {now:g} does not lie above the one before it, {before:g}")
    return Curve(coefficients=coefficients, breaks=breaks)


def _lines(text: str, path: str) -> list[tuple[int, dict[str, str]]]:
    """Line number and cells by column, blank lines left out."""
    rows = rows_of(text, path)
    header = rows[0][1] if rows else []
    if tuple(header) != COLUMNS:
        raise ValueError(f"{path}:1: the columns must be {','.join(COLUMNS)}, got {short(','.join(header)) or 'none'}")
    found = []
    for number, row in rows[1:]:
        if len(row) > len(COLUMNS):
            raise ValueError(f"{path}:{number}: {len(row)} cells, expected {len(COLUMNS)}")
        cells = row + [""] * (len(COLUMNS) - len(row))
        found.append((number, dict(zip(COLUMNS, cells, strict=True))))
    return found


def _number(cell: str, where: str) -> float:
    value = finite(cell)
    if value is None:
        raise ValueError(f"{where} must be a finite number, got {short(cell) or 'nothing'}")
    return value
