"""Meshes for MuJoCo: .obj and .stl are taken as they are, .dae becomes one .obj per colour."""

import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.sdf.collada import GREY, Array, Collada, Piece, obj_text
from cupola.bridge.sdf.pose import text
from cupola.bridge.sdf.robot import Rgba, Shape

Lost = list[tuple[str, str]]
FEWEST = 4
"""Corners that a mesh of MuJoCo needs."""
FLAT = 1e-9
"""[m] below which a collision mesh has no thickness, and MuJoCo no hull of it."""


class Meshes:
    """The meshes of one vehicle, written into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read: dict[Path, list[Piece]] = {}
        self.made: set[str] = set()

    def add(self, shape: Shape, asset: ET.Element, lost: Lost, one_piece: bool) -> list[tuple[str, Rgba]]:
        """Names of the meshes of a shape, with their colours; as one piece where it shall touch things."""
        assert shape.mesh is not None
        if shape.mesh.suffix.lower() != ".dae":
            return self._copied(shape, asset)
        if shape.mesh not in self.read:
            file = Collada(shape.mesh)
            pieces = file.pieces()
            tiny = [piece for piece in pieces if len(np.unique(piece.triangles.reshape(-1, 3), axis=0)) < FEWEST]
            if tiny:
                lost.append((f"{shape.mesh.name}: {len(tiny)} colours", "each on a single triangle, which is left out"))
            self.read[shape.mesh] = [piece for piece in pieces if all(piece is not one for one in tiny)]
            if file.ignored:
                lost.append(
                    (f"{shape.mesh.name}: {', '.join(file.ignored)}", "only triangles and plain colours are drawn")
                )
        pieces = self.read[shape.mesh]
        if one_piece and pieces:
            corners = np.concatenate([piece.triangles for piece in pieces])
            if np.ptp(corners.reshape(-1, 3), axis=0).min() < FLAT:
                lost.append((shape.where, f"{shape.mesh.name} is flat and touches nothing here"))
                return []
            return [(self._write(f"{shape.mesh.stem}_hull", corners, shape, asset), GREY)]
        names = [f"{shape.mesh.stem}_{k}" for k in range(len(pieces))]
        return [(self._write(n, p.triangles, shape, asset), p.rgba) for n, p in zip(names, pieces, strict=True)]

    def _write(self, name: str, triangles: Array, shape: Shape, asset: ET.Element) -> str:
        scaled = "" if shape.size == (1.0, 1.0, 1.0) else "_" + "_".join(f"{s:g}" for s in shape.size).replace(".", "p")
        file = f"{name}.obj"
        if file not in self.made:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / file).write_text(obj_text(triangles), encoding="utf-8")
            self.made.add(file)
        return self._declare(name + scaled, file, shape, asset)

    def _copied(self, shape: Shape, asset: ET.Element) -> list[tuple[str, Rgba]]:
        assert shape.mesh is not None
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(shape.mesh, self.folder / shape.mesh.name)
        return [(self._declare(shape.mesh.stem, shape.mesh.name, shape, asset), GREY)]

    @staticmethod
    def _declare(name: str, file: str, shape: Shape, asset: ET.Element) -> str:
        if all(mesh.get("name") != name for mesh in asset):
            # A shell: its mass is given by the link, and a flat or open one is no error.
            made = {"name": name, "file": file, "inertia": "shell"}
            if shape.size != (1.0, 1.0, 1.0):
                made["scale"] = text(shape.size)
            ET.SubElement(asset, "mesh", made)
        return name
