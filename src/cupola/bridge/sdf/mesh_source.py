"""A mesh file of any kind as triangles: by colour for the eye, by object for what touches."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cupola.bridge.sdf.collada import Collada, Piece
from cupola.bridge.sdf.mesh_file import Array, LeftOutError, check_triangles, is_text, read_triangles, solid
from cupola.bridge.sdf.obj_file import GREY, ObjFile, read_colours, read_obj
from cupola.bridge.sdf.robot import Rgba
from cupola.schema.input_files import boundary, is_pointer, read_bytes
from cupola.schema.xml_files import LARGEST

Lost = list[tuple[str, str]]
FEWEST = 4
"""Corners that a mesh of MuJoCo needs."""


class Source(NamedTuple):
    """A mesh file that was read."""

    digest: str
    data: bytes
    pieces: list[Piece]
    """By colour."""
    parts: list[Array]
    """Triangles of its objects."""
    copied: bool
    """Whether MuJoCo takes the file as it is."""
    said: Lost
    """What is not drawn of it."""


def read_source(path: Path) -> Source:
    """The content of a mesh file."""
    data = read_bytes(path, LARGEST)
    if is_pointer(data):
        raise LeftOutError(f"{path.name} is a pointer of Git LFS, which `git lfs pull` replaces by the mesh")
    read = {".dae": _read_collada, ".obj": _read_wavefront}.get(path.suffix.lower(), _read_stl)
    return read(data, path)


def _read_stl(data: bytes, path: Path) -> Source:
    triangles = solid(read_triangles(data, path))
    whole = [triangles] if len(triangles) else []
    return Source(_digest(data), data, [Piece(GREY, one) for one in whole], whole, not is_text(data), [])


def _read_collada(data: bytes, path: Path) -> Source:
    file, said = Collada(path, data), []
    if file.ignored:
        said.append((f"{path.name}: {', '.join(file.ignored)}", "only triangles and plain colours are drawn"))
    pieces = _drawn([Piece(piece.rgba, solid(piece.triangles)) for piece in file.pieces()], path, said)
    return Source(
        _digest(data), data, pieces, [np.concatenate([p.triangles for p in pieces])] if pieces else [], False, said
    )


def _read_wavefront(data: bytes, path: Path) -> Source:
    with boundary(path, "not a mesh that can be read"):
        file = read_obj(data, path)
        check_triangles(file.triangles, path)
    said: Lost = []
    pieces = _drawn([Piece(rgba, solid(part)) for rgba, part in _coloured(file, path, said)], path, said)
    parts = [solid(file.triangles[file.objects == k]) for k in range(int(file.objects.max()) + 1)]
    parts = [part for part in parts if _is_drawn(part)]
    whole = len(pieces) == 1 and len(pieces[0].triangles) == len(file.triangles)
    return Source(_digest(data), data, pieces, parts if pieces else [], file.plain and whole, said)


def _coloured(file: ObjFile, path: Path, said: Lost) -> list[tuple[Rgba, Array]]:
    """Triangles by the colours of their materials."""
    colours: dict[str, Rgba] = {}
    for library in dict.fromkeys(file.libraries):
        beside = path.parent / library
        if not beside.is_file():
            said.append((f"{path.name}: {library}", "there is no such file of materials; it is grey"))
            continue
        found, pictures = read_colours(beside)
        colours |= found
        if pictures:
            said.append((f"{path.name}: {', '.join(dict.fromkeys(pictures))}", "only plain colours are drawn"))
    of = {str(name): colours.get(str(name), GREY) for name in np.unique(file.materials)}
    made: dict[Rgba, list[Array]] = {}
    for name, rgba in of.items():
        made.setdefault(rgba, []).append(file.triangles[file.materials == name])
    return [(rgba, np.concatenate(parts)) for rgba, parts in made.items()]


def _drawn(pieces: list[Piece], path: Path, said: Lost) -> list[Piece]:
    """Those that have enough corners for MuJoCo."""
    kept = [piece for piece in pieces if _is_drawn(piece.triangles)]
    if len(kept) < len(pieces):
        few = len(pieces) - len(kept)
        said.append((f"{path.name}: {few} colours", "each on a single triangle, which is left out"))
    for piece in kept:
        check_triangles(piece.triangles, path)
    return kept


def _is_drawn(triangles: Array) -> bool:
    return len(np.unique(triangles.reshape(-1, 3), axis=0)) >= FEWEST


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
