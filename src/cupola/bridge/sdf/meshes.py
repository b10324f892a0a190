"""Meshes for MuJoCo, each known by its content and its scale, never by its name alone.

.obj and binary .stl are taken as they are, .stl as text becomes .obj, .dae becomes one .obj per colour. What is written
is remembered with its size, and compared with what MuJoCo made of it.
"""

import hashlib
import re
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from cupola.bridge.sdf.collada import GREY, Collada, Piece
from cupola.bridge.sdf.mesh_file import Array, check_triangles, is_text, obj_text, read_triangles, solid, volume
from cupola.bridge.sdf.pose import text
from cupola.bridge.sdf.robot import Rgba, Shape
from cupola.schema.input_files import InputError, read_bytes
from cupola.schema.xml_files import LARGEST

Lost = list[tuple[str, str]]
FEWEST = 4
"""Corners that a mesh of MuJoCo needs."""
FLAT = 1e-9
"""[m] below which a collision mesh has no thickness, and MuJoCo no hull of it."""
AS_IT_WAS = 1e-4
"""Of its extent: how far a compiled mesh may lie from its source, whose numbers have 7 digits in MuJoCo."""
THICK = 1e-3
"""Of its box: the volume above which a mesh has an inside."""


class Source(NamedTuple):
    """A mesh file that was read."""

    digest: str
    data: bytes
    pieces: list[Piece]


class Mesh(NamedTuple):
    """One mesh of the vehicle, and what it must look like after compiling."""

    name: str
    file: str
    source: Path
    scale: tuple[float, ...]
    low: Array
    high: Array
    volume: float


class Meshes:
    """The meshes of one vehicle, written into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: dict[tuple[str, tuple[float, ...]], Mesh] = {}
        """By file and scale."""
        self.renamed: Lost = []
        """Files that could not keep their names, and what they are called."""
        self._read: dict[Path, Source] = {}
        self._files: dict[tuple[str, str], str] = {}
        """Name of what was written, by content and piece of it."""

    def add(self, shape: Shape, asset: ET.Element, lost: Lost, one_piece: bool) -> list[tuple[str, Rgba]]:
        """Names of the meshes of a shape, with their colours; as one piece where it shall touch things."""
        assert shape.mesh is not None
        if 0.0 in shape.size:
            raise InputError(f"{shape.where}: the scale of a mesh must not be zero, got {text(shape.size)}")
        source = self._source(shape.mesh, lost)
        if not source.pieces:
            lost.append((shape.where, f"{shape.mesh.name} holds nothing that can be drawn"))
            return []
        whole = np.concatenate([piece.triangles for piece in source.pieces])
        if one_piece and np.ptp(whole.reshape(-1, 3), axis=0).min() < FLAT:
            lost.append((shape.where, f"{shape.mesh.name} is flat and touches nothing here"))
            return []
        if shape.mesh.suffix.lower() != ".dae":
            return [(self._declare("", whole, shape, asset), GREY)]
        if one_piece:
            return [(self._declare("hull", whole, shape, asset), GREY)]
        return [(self._declare(str(k), p.triangles, shape, asset), p.rgba) for k, p in enumerate(source.pieces)]

    def _source(self, path: Path, lost: Lost) -> Source:
        if path in self._read:
            return self._read[path]
        data = read_bytes(path, LARGEST)
        if path.suffix.lower() == ".dae":
            file = Collada(path, data)
            pieces = [Piece(piece.rgba, solid(piece.triangles)) for piece in file.pieces()]
            if file.ignored:
                lost.append((f"{path.name}: {', '.join(file.ignored)}", "only triangles and plain colours are drawn"))
            kept = [p for p in pieces if len(np.unique(p.triangles.reshape(-1, 3), axis=0)) >= FEWEST]
            if len(kept) < len(pieces):
                few = len(pieces) - len(kept)
                lost.append((f"{path.name}: {few} colours", "each on a single triangle, which is left out"))
            for piece in kept:
                check_triangles(piece.triangles, path)
        else:
            kept = [Piece(GREY, solid(read_triangles(data, path)))]
        self._read[path] = Source(hashlib.sha256(data).hexdigest(), data, kept)
        return self._read[path]

    def _declare(self, part: str, triangles: Array, shape: Shape, asset: ET.Element) -> str:
        """The mesh of one file at one scale, written and told to MuJoCo once."""
        assert shape.mesh is not None
        file = self._write(part, triangles, shape.mesh)
        if (file, shape.size) in self.made:
            return self.made[file, shape.size].name
        plain = shape.size == (1.0, 1.0, 1.0)
        scaled = "" if plain else "_" + "_".join(f"{s:g}" for s in shape.size).replace(".", "p").replace("-", "m")
        name = _unused(Path(file).stem + scaled, "", [mesh.name for mesh in self.made.values()])
        # A shell: its mass is given by the link, and a flat or open one is no error.
        told = {"name": name, "file": file, "inertia": "shell"}
        ET.SubElement(asset, "mesh", told if plain else {**told, "scale": text(shape.size)})
        corners = triangles.reshape(-1, 3) * shape.size
        size = volume(triangles) * abs(float(np.prod(shape.size)))
        made = Mesh(name, file, shape.mesh, shape.size, corners.min(axis=0), corners.max(axis=0), size)
        self.made[file, shape.size] = made
        return name

    def _write(self, part: str, triangles: Array, path: Path) -> str:
        """Name of the file that holds this content."""
        source = self._read[path]
        key = (source.digest, part)
        if key in self._files:
            return self._files[key]
        suffix = path.suffix.lower()
        copied = suffix == ".obj" or (suffix == ".stl" and not is_text(source.data))
        wanted = re.sub(r"[^\w.-]", "_", f"{path.stem}_{part}" if part else path.stem)
        folder = re.sub(r"[^\w.-]", "_", path.resolve().parent.name)
        stem = _unused(wanted, folder, [Path(file).stem for file in self._files.values()])
        if stem != wanted:
            place = f"{path.resolve().parent.name}/{path.name}"
            self.renamed.append((place, f"{stem}: another mesh is called {wanted}, and their contents differ"))
        file = f"{stem}{suffix if copied else '.obj'}"
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / file).write_bytes(source.data if copied else obj_text(triangles).encode())
        self._files[key] = file
        return file

    def compare(self, model: Any) -> float:
        """How far the compiled meshes are from their sources, as a part of their extent; refuses wrong ones."""
        worst = 0.0
        for mesh in self.made.values():
            found = compiled_triangles(model, mesh.name)
            corners, extent = found.reshape(-1, 3), float(np.ptp([mesh.low, mesh.high], axis=0).max())
            ends = np.abs([corners.min(axis=0) - mesh.low, corners.max(axis=0) - mesh.high])
            off = float(ends.max()) / extent
            thick = abs(mesh.volume) > THICK * float(np.prod(mesh.high - mesh.low))
            if off > AS_IT_WAS or (thick and volume(found) * mesh.volume < 0.0):
                box = f"from {text(corners.min(axis=0))} to {text(corners.max(axis=0))}"
                raise InputError(f"{mesh.source}: the mesh {mesh.name} came out different from its source: {box}")
            worst = max(worst, off)
        return worst


def compiled_triangles(model: Any, name: str) -> Array:
    """(n, 3, 3) corners of a mesh of a compiled model, in the axes of its file; MuJoCo keeps it about its centre."""
    mesh = model.mesh(name).id
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, model.mesh_quat[mesh])
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    points = model.mesh_vert[first : first + count] @ turn.reshape(3, 3).T + model.mesh_pos[mesh]
    faces = model.mesh_face[model.mesh_faceadr[mesh] : model.mesh_faceadr[mesh] + model.mesh_facenum[mesh]]
    found: Array = points[faces]
    return found


def _unused(wanted: str, folder: str, taken: list[str]) -> str:
    """A name of its own: with its folder in front, or with a number behind, where another has it."""
    known = {name.lower() for name in taken}  # some file systems do not tell capitals apart
    names = [wanted, *([f"{folder}_{wanted}"] if folder else []), *(f"{wanted}_{k}" for k in range(2, len(known) + 3))]
    return next(name for name in names if name.lower() not in known)
