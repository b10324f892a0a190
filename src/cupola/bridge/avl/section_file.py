"""Coordinates of a section: a file as Selig, Lednicer, XFOIL or MSES write it, or rows of the geometry file itself."""

from collections.abc import Iterable
from pathlib import Path

from cupola.bridge.avl.numbers import real
from cupola.schema.input_files import MEBI, InputError, read_text

LARGEST = MEBI
"""[bytes] of a file."""
LEAST = 5
"""Points of a section."""
APART = 100.0
"""No coordinate in chords: MSES separates its elements by 999.0 999.0."""

Points = list[tuple[float, float]]


def read_section(path: Path) -> Points:
    """Points round the section, from the trailing edge over the upper side and the nose back.

    Selig's files begin with a title, XFOIL's may have none; MSES adds the edges of its grid, four numbers. Lednicer's
    say how many points each side has, and list both from the nose to the trailing edge.
    """
    rows = [_numbers(line) for line in read_text(path, LARGEST).splitlines()]
    if rows and len(rows[0]) < 2:
        rows = rows[1:]
    if rows and len(rows[0]) == 4:
        rows = rows[1:]
    points = list(_pairs(rows))
    if points and _counts(points[0]):
        points = _lednicer(points, path)
    if len(points) < LEAST:
        raise InputError(f"{path}: a section needs at least five points, this file has {len(points)}")
    return points


def _numbers(line: str) -> list[float]:
    """Those that a line begins with; words after them are remarks."""
    found = []
    for word in line.replace(",", " ").split():
        if (number := real(word)) is None:
            break
        found.append(number)
    return found


def _pairs(rows: Iterable[list[float]]) -> Iterable[tuple[float, float]]:
    """The first two numbers of each row, until the next element."""
    for k, row in enumerate(row for row in rows if len(row) > 1):
        if max(map(abs, row[:2])) > APART and (k or not _counts((row[0], row[1]))):
            return
        yield row[0], row[1]


def _counts(pair: tuple[float, float]) -> bool:
    """Whether two numbers say how many points there are: no point of a section lies three chords away."""
    return all(value >= 3.0 and value == int(value) for value in pair)


def _lednicer(points: Points, path: Path) -> Points:
    """Both sides, each from the nose on, as one way round."""
    upper, lower = (int(value) for value in points[0])
    sides = points[1:]
    if len(sides) != upper + lower:
        raise InputError(f"{path}: has {len(sides)} points, and says that it has {upper} and {lower}")
    return sides[:upper][::-1] + sides[upper:]
