"""Meshes for MuJoCo, each known by its content and its scale, never by its name alone.

Binary .stl, and .obj of one object and one colour, are taken as they are, .stl as text becomes .obj, .dae and .obj of
several colours become one .obj per colour. What shall touch things is one piece, but for an .obj of several objects,
which are the convex parts of one shape. What is written is remembered with its size, and compared with what MuJoCo made
of it.
"""

import hashlib
import re
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from cupola.bridge.sdf.mesh_file import Array, LeftOutError, obj_text, volume
from cupola.bridge.sdf.mesh_source import Source, read_source
from cupola.bridge.sdf.obj_file import GREY
from cupola.bridge.sdf.pose import text
from cupola.bridge.sdf.robot import Rgba, Shape
from cupola.schema.input_files import InputError

Lost = list[tuple[str, str]]
FLAT = 1e-9
"""[m] below which a collision mesh has no thickness, and MuJoCo no hull of it."""
AS_IT_WAS = 1e-4
"""Of its extent: how far a compiled mesh may lie from its source, whose numbers have 7 digits in MuJoCo."""
THICK = 1e-3
"""Of its box: the volume above which a mesh has an inside."""
MOST_PARTS = 64
"""Objects of one .obj that touch things one by one; more of them touch as one hull."""


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
        """Name of what was written, by its content and its ending or piece."""

    def add(self, shape: Shape, asset: ET.Element, lost: Lost, one_piece: bool) -> list[tuple[str, Rgba]]:
        """Names of the meshes of a shape, with their colours; as one piece where it shall touch things."""
        assert shape.mesh is not None
        if 0.0 in shape.size:
            raise InputError(f"{shape.where}: the scale of a mesh must not be zero, got {text(shape.size)}")
        try:
            source = self._source(shape.mesh)
        except LeftOutError as error:
            lost.append((shape.where, f"{error}; it is left out, the link keeps its mass"))
            return []
        if not source.pieces:
            lost.append((shape.where, f"{shape.mesh.name} holds nothing that can be drawn"))
            return []
        if one_piece:
            return [(name, GREY) for name in self._solids(source, shape, asset, lost)]
        lost += [row for row in source.said if row not in lost]
        if len(source.pieces) == 1 and shape.mesh.suffix.lower() != ".dae":
            return [(self._declare("", source.pieces[0].triangles, shape, asset), source.pieces[0].rgba)]
        return [(self._declare(str(k), p.triangles, shape, asset), p.rgba) for k, p in enumerate(source.pieces)]

    def _solids(self, source: Source, shape: Shape, asset: ET.Element, lost: Lost) -> list[str]:
        """Meshes of what shall touch things: its convex parts, else one hull of all."""
        assert shape.mesh is not None
        parts = [part for part in source.parts if np.ptp(part.reshape(-1, 3), axis=0).min() >= FLAT]
        whole = np.concatenate(source.parts)
        if np.ptp(whole.reshape(-1, 3), axis=0).min() < FLAT:
            lost.append((shape.where, f"{shape.mesh.name} is flat and touches nothing here"))
            return []
        if len(source.parts) > 1 and parts and len(parts) <= MOST_PARTS:
            if len(parts) < len(source.parts):
                few = len(source.parts) - len(parts)
                lost.append((f"{shape.where}: {few} objects of {shape.mesh.name}", "flat: they touch nothing here"))
            return [self._declare(f"part{k}", part, shape, asset) for k, part in enumerate(parts)]
        if len(source.parts) > 1:
            lost.append((shape.where, f"{len(source.parts)} objects in {shape.mesh.name}: they touch as one hull"))
        return [self._declare("hull" if shape.mesh.suffix.lower() == ".dae" else "", whole, shape, asset)]

    def _source(self, path: Path) -> Source:
        if path not in self._read:
            self._read[path] = read_source(path)
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
        suffix, copied = path.suffix.lower(), source.copied and not part
        # What is written, not what was read: materials beside an .obj, and its ending, say what the same bytes are.
        key = (source.digest, suffix) if copied else (hashlib.sha256(triangles.tobytes()).hexdigest(), part)
        if key in self._files:
            return self._files[key]
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
            solid = float((mesh.high - mesh.low).min()) > AS_IT_WAS * extent
            thick = solid and abs(mesh.volume) > THICK * float(np.prod(mesh.high - mesh.low))
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
