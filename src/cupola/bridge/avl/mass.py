"""A mass file of AVL: items with their places and inertias, summed; axes are those of the geometry file."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.bridge.avl.numbers import real
from cupola.schema.input_files import MEBI, InputError, read_text

COLUMNS = 10
"""mass, x, y, z, Ixx, Iyy, Izz, Ixy, Ixz, Iyz; products of inertia are ∫ x y dm, which the tensor subtracts."""


class Mass(NamedTuple):
    """What a file weighs."""

    length: float
    """[m] of the file's unit of length."""
    mass: float
    """[kg]"""
    centre: Any
    """[m], from the origin of the file."""
    tensor: Any
    """About the centre of mass [kg m²]."""


def read_mass(path: Path) -> Mass:
    """Sum up the items of a file."""
    units, rows = {"lunit": 1.0, "munit": 1.0, "tunit": 1.0}, []
    factor, offset = np.ones(COLUMNS), np.zeros(COLUMNS)
    for k, line in enumerate(read_text(path, MEBI).splitlines(), 1):
        text = line.partition("!")[0].partition("#")[0].strip()
        name, equals, value = text.partition("=")
        if equals:
            number = real(value.split()[0]) if value.split() else None
            if name.strip().lower() in units:
                if number is None or number <= 0.0:
                    raise InputError(f"{path}:{k}: {name.strip()} must be a number above 0")
                units[name.strip().lower()] = number
        elif text[:1] in ("*", "+"):
            given = _numbers(text[1:], path, k)
            target = factor if text[0] == "*" else offset
            target[: len(given)] = given
        elif text:
            row = np.zeros(COLUMNS)
            given = _numbers(text, path, k)
            row[: len(given)] = given
            rows.append(row * factor + offset)
    if not rows or sum(row[0] for row in rows) <= 0.0:
        raise InputError(f"{path}: its items weigh nothing")
    return _sum(np.array(rows), units["lunit"], units["munit"])


def _numbers(text: str, path: Path, line: int) -> list[float]:
    """Of an item; words after them are remarks."""
    found: list[float] = []
    for word in text.replace(",", " ").split()[:COLUMNS]:
        number = real(word)
        if number is None:
            break
        found.append(number)
    if len(found) < 4:
        raise InputError(f"{path}:{line}: an item needs mass, x, y, z")
    return found


def _sum(rows: Any, length: float, unit: float) -> Mass:
    weight, places = rows[:, 0] * unit, rows[:, 1:4] * length
    centre = weight @ places / weight.sum()
    tensor = np.zeros((3, 3))
    for m, place, own in zip(weight, places - centre, rows[:, 4:] * unit * length**2, strict=True):
        xx, yy, zz, xy, xz, yz = own
        tensor += np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])
        tensor += m * (place @ place * np.eye(3) - np.outer(place, place))
    return Mass(length, float(weight.sum()), centre, tensor)
