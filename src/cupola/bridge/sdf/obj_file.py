"""A Wavefront file (.obj) taken apart: its triangles, the objects and the materials that they belong to.

MuJoCo reads the first object of a file alone, and refuses one whose faces name normals that are not there; what it
cannot take is written anew from here.
"""

import itertools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.bridge.sdf.robot import Rgba
from cupola.schema.input_files import InputError, read_bytes
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import LARGEST

Array = np.ndarray[Any, Any]
GREY: Rgba = (0.7, 0.7, 0.7, 1.0)


class ObjFile(NamedTuple):
    """What was read."""

    triangles: Array
    """(n, 3, 3) corners."""
    objects: Array
    """(n,) number of the object of each."""
    materials: Array
    """(n,) name of the material of each; empty where there is none."""
    libraries: list[str]
    """Files that describe the materials."""
    plain: bool
    """Whether MuJoCo reads it whole: one object, and faces that name places alone or all that they name is there."""


def read_obj(data: bytes, path: Path) -> ObjFile:
    """The content of the file `path`, which is `data`."""
    points: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    belongs: list[tuple[int, str]] = []
    libraries: list[str] = []
    shapes: set[bytes] = set()
    number_of, material = -1, ""
    begun = True  # an object begins with its first face, so that names without faces are none
    for number, line in enumerate(data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").splitlines(), 1):
        words = line.split()
        if not words:
            continue
        try:
            if words[0] == b"v":
                x, y, z = map(float, words[1:4])
                points.append((x, y, z))
            elif words[0] == b"f":
                number_of, begun = number_of + begun, False
                corners = [_place(word, len(points)) for word in words[1:]]
                made = [(corners[0], b, c) for b, c in itertools.pairwise(corners[1:])]
                faces += made
                belongs += [(number_of, material)] * len(made)
                shapes |= {_form(word) for word in words[1:]}
            elif words[0] in (b"o", b"g"):
                begun = True
            elif words[0] == b"usemtl":
                material = _rest(line)
            elif words[0] == b"mtllib":
                libraries.append(_rest(line))
        except ValueError as error:
            said = short(line.decode(errors="replace"))
            raise InputError(f"{path}:{number}: {said!r} is not understood: {error}") from None
    triangles: Array = np.array(points, float).reshape(-1, 3)[np.array(faces, int).reshape(-1, 3)]
    objects = np.array([one for one, _ in belongs], int)
    materials = np.array([name for _, name in belongs], str)
    plain = number_of <= 0 and len(shapes) <= 1 and _named_corners_exist(data)
    return ObjFile(triangles, objects, materials, libraries, plain)


def read_colours(path: Path) -> tuple[dict[str, Rgba], list[str]]:
    """Diffuse colours of a material file (.mtl), and the pictures that it names."""
    found: dict[str, Rgba] = {}
    pictures: list[str] = []
    name = ""
    for line in read_bytes(path, LARGEST).decode("utf-8", "replace").splitlines():
        words = line.split()
        try:
            if words[:1] == ["newmtl"]:
                name = line.strip()[6:].strip()
                found[name] = GREY
            elif words[:1] == ["Kd"] and len(words) > 3:  # `Kd spectral` and `Kd xyz` are others
                r, g, b = (min(max(float(word), 0.0), 1.0) for word in words[1:4])
                found[name] = (r, g, b, found.get(name, GREY)[3])
            elif words[:1] == ["d"] and len(words) > 1:
                r, g, b, _ = found.get(name, GREY)
                found[name] = (r, g, b, min(max(float(words[-1]), 0.0), 1.0) or 1.0)  # some write 0 for whole
            elif words[:1] == ["map_Kd"]:
                pictures.append(words[-1])
        except ValueError:
            continue  # a colour that is no number stays grey
    return found, pictures


def _place(word: bytes, count: int) -> int:
    """Of a corner among the points so far: `7/1/2` counts from 1, -1 is the last one."""
    index = int(word.partition(b"/")[0])
    place = index - 1 if index > 0 else count + index
    if not 0 <= place < count:
        raise ValueError(f"there is no point {index}, only {count} so far")
    return place


def _form(word: bytes) -> bytes:
    """Which of place, texture and normal a corner names."""
    return b"/".join(b"n" if part else b"" for part in word.split(b"/"))


def _named_corners_exist(data: bytes) -> bool:
    """Whether the textures and normals that faces name are in the file."""
    lines = [line.split() for line in data.splitlines() if line[:2] in (b"vt", b"vn", b"f ", b"f\t")]
    counts = [sum(words[0] == kind for words in lines) for kind in (b"vt", b"vn")]
    for words in lines:
        for word in words[1:] if words[0] == b"f" else ():
            for part, count in zip(word.split(b"/")[1:3], counts, strict=False):
                if part and not (part.lstrip(b"-").isdigit() and 0 < abs(int(part)) <= count):
                    return False
    return True


def _rest(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip().partition(" ")[2].strip()
