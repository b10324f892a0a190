"""Triangles of an STL file, binary or text, and what every mesh must be; .obj is read by `obj_file`."""

import struct
from pathlib import Path
from typing import Any

import numpy as np

from cupola.bridge.limits import MOST_CORNERS
from cupola.schema.input_files import InputError, boundary

Array = np.ndarray[Any, Any]
STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
FARTHEST = 1e9
"""In the unit of the file, which may be millimetres; the geometry of what lies beyond drowns in rounding."""
STL_HEAD = 84
"""[bytes] in front of the triangles, the last four of them their number."""


def read_triangles(data: bytes, path: Path) -> Array:
    """(n, 3, 3) corners of the file `path`, whose content is `data`."""
    with boundary(path, "not a mesh that can be read"):
        return check_triangles(_read_stl(data), path)


class LeftOutError(InputError):
    """A mesh without which an import goes on."""


class TooManyError(LeftOutError):
    """A mesh that is larger than what is read."""


def check_triangles(triangles: Array, path: Path) -> Array:
    """The same triangles, if they are of finite numbers, and neither none nor too many."""
    if not len(triangles):
        raise InputError(f"{path}: there is no triangle in it")
    if triangles.size > 3 * MOST_CORNERS:
        raise TooManyError(f"{path}: {len(triangles)} triangles; {MOST_CORNERS // 3} are read")
    if not np.isfinite(triangles).all():
        raise InputError(f"{path}: a corner is not of finite numbers")
    if np.abs(triangles).max() > FARTHEST:
        raise InputError(f"{path}: a corner lies {np.abs(triangles).max():g} away; {FARTHEST:g} is the most")
    return triangles


def is_text(data: bytes) -> bool:
    """Whether an STL file is text; a binary one may begin with the word `solid` too."""
    if len(data) < STL_HEAD:
        return True
    count = struct.unpack_from("<I", data, STL_HEAD - 4)[0]
    return data[:5] == b"solid" and len(data) != STL_HEAD + count * STL.itemsize


def _read_stl(data: bytes) -> Array:
    if is_text(data):
        words = data.split()
        at = [k for k, word in enumerate(words) if word == b"vertex"]
        numbers = [float(word) for k in at for word in words[k + 1 : k + 4]]
        return np.array(numbers).reshape(-1, 3, 3)
    count = struct.unpack_from("<I", data, STL_HEAD - 4)[0]
    if len(data) < STL_HEAD + count * STL.itemsize:
        raise ValueError(f"it says {count} triangles and ends before the last")
    return np.frombuffer(data, STL, count, STL_HEAD)["corners"].astype(float)


def solid(triangles: Array) -> Array:
    """Those that have three different corners."""
    a, b, c = (triangles[:, k] for k in range(3))
    found: Array = triangles[(a != b).any(axis=1) & (b != c).any(axis=1) & (c != a).any(axis=1)]
    return found


def volume(triangles: Array) -> float:
    """[m³] inside; negative where the surface is turned inside out."""
    a, b, c = (triangles[:, k] - triangles[0, 0] for k in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6.0)


def obj_text(triangles: Array) -> str:
    """Triangles as a Wavefront file; corners at the same place are one."""
    points, index = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points]
    return "\n".join([*lines, *(f"f {a} {b} {c}" for a, b, c in index.reshape(-1, 3) + 1), ""])
