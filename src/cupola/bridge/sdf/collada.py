"""Triangles of a COLLADA file (.dae), in metres and z up, by colour. Materials are reduced to their diffuse colour."""

from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.limits import MOST_CORNERS
from cupola.bridge.sdf.mesh_file import TooManyError
from cupola.bridge.sdf.obj_file import GREY
from cupola.schema.input_files import InputError, boundary
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import number_at, parse_xml

Array = np.ndarray[Any, Any]
DEEPEST = 50
"""Levels of nodes."""
UP = {
    "X_UP": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    "Y_UP": np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]),
    "Z_UP": np.eye(3),
}
POLYGONS = ("triangles", "polylist", "polygons")


class Piece(NamedTuple):
    """Triangles of one colour: (n, 3, 3) corners [m]."""

    rgba: tuple[float, float, float, float]
    triangles: Array


class Collada:
    """A file taken apart."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self._corners = path, 0
        root = parse_xml(data, str(path))
        if root.tag.rpartition("}")[2] != "COLLADA":
            raise InputError(f"{path}: expected <COLLADA>, got <{short(root.tag)}>")
        for element in root.iter():
            element.tag = element.tag.rpartition("}")[2]
        self.root = root
        self.by_id = {element.get("id"): element for element in root.iter() if element.get("id")}
        self.ignored: list[str] = sorted(
            {e.tag for e in root.iter() if e.tag in ("lines", "linestrips", "controller", "texture")}
        )
        """Kinds of content that have no counterpart."""

    def pieces(self) -> list[Piece]:
        """Everything in the scene, triangles of like colour together."""
        with boundary(self.path, "not a COLLADA file that can be read"):
            return self._pieces()

    def _pieces(self) -> list[Piece]:
        unit = self.root.find("asset/unit")
        metre = number_at(unit, "meter", self.path, 1.0) if unit is not None else 1.0
        turn = UP.get((self.root.findtext("asset/up_axis") or "Y_UP").strip(), UP["Y_UP"])
        start = np.eye(4)
        start[:3, :3] = metre * turn
        found: dict[tuple[float, float, float, float], list[Array]] = {}
        for scene in self.root.iter("visual_scene"):
            for node in scene.findall("node"):
                self._walk(node, start, found)
        return [Piece(rgba, np.concatenate(parts)) for rgba, parts in found.items()]

    def _walk(self, node: ET.Element, place: Array, found: dict[Any, list[Array]], level: int = 0) -> None:
        if level > DEEPEST:
            raise InputError(f"{self.path}: nodes are nested more than {DEEPEST} deep; does one name itself?")
        self._corners += 1  # a node costs time too, and may be named again and again
        if self._corners > MOST_CORNERS:
            raise InputError(f"{self.path}: its nodes name each other more than {MOST_CORNERS} times")
        for step in node:
            if step.tag == "matrix":
                place = place @ _floats(step).reshape(4, 4)
            elif step.tag in ("translate", "rotate", "scale"):
                place = place @ _transform(step)
        for child in node:
            if child.tag == "node":
                self._walk(child, place, found, level + 1)
            elif child.tag == "instance_node":
                self._walk(self._target(child), place, found, level + 1)
            elif child.tag == "instance_geometry":
                colours = {m.get("symbol"): m.get("target", "") for m in child.iter("instance_material")}
                for symbol, corners in self._mesh(self._target(child)):
                    self._corners += corners.size // 3
                    if self._corners > MOST_CORNERS:
                        raise TooManyError(f"{self.path}: more than {MOST_CORNERS} corners")
                    moved = corners @ place[:3, :3].T + place[:3, 3]
                    found.setdefault(self._colour(colours.get(symbol, "")), []).append(moved)

    def _mesh(self, geometry: ET.Element) -> list[tuple[str | None, Array]]:
        made = []
        for group in geometry.iter():
            if group.tag not in POLYGONS or group.find("p") is None:
                continue
            inputs = {i.get("semantic"): i for i in group.findall("input")}
            if "VERTEX" not in inputs:
                raise InputError(f"{self.path}: <{group.tag}> has no input of VERTEX")
            stride = 1 + max(int(i.get("offset", 0)) for i in group.findall("input"))
            vertices = self._target(inputs["VERTEX"], "source")
            source = next(i for i in vertices.findall("input") if i.get("semantic") == "POSITION")
            points = self._points(self._target(source, "source"))
            offset = int(inputs["VERTEX"].get("offset", 0))
            index = np.concatenate([np.array((p.text or "").split(), int)[offset::stride] for p in group.findall("p")])
            if index.size and not 0 <= index.min() <= index.max() < len(points):
                raise InputError(f"{self.path}: a corner names a point that is not there; there are {len(points)}")
            made.append((group.get("material"), points[_triangles(group, index, stride)]))
        return made

    def _points(self, source: ET.Element) -> Array:
        array = source.find("float_array")
        accessor = source.find("technique_common/accessor")
        if array is None:
            raise InputError(f"{self.path}: source {source.get('id')!r} has no <float_array>")
        width = int(accessor.get("stride", 3)) if accessor is not None else 3
        return _floats(array).reshape(-1, width)[:, :3]

    def _colour(self, url: str) -> tuple[float, float, float, float]:
        material = self.by_id.get(url.lstrip("#"))
        instance = material.find("instance_effect") if material is not None else None
        effect = self.by_id.get(instance.get("url", "").lstrip("#")) if instance is not None else None
        colour = next(effect.iter("diffuse"), None) if effect is not None else None
        value = colour.find("color") if colour is not None else None
        if value is None:
            return GREY
        r, g, b, a = _floats(value)[:4].tolist()
        return r, g, b, a

    def _target(self, element: ET.Element, attribute: str = "url") -> ET.Element:
        url = element.get(attribute, "").lstrip("#")
        if url not in self.by_id:
            raise InputError(f"{self.path}: <{element.tag}> names {url!r}, which is not in the file")
        return self.by_id[url]


def _triangles(group: ET.Element, index: Array, stride: int) -> Array:
    """Corners (n, 3) of a group; polygons become fans."""
    if group.tag == "triangles":
        return index.reshape(-1, 3)
    sizes = [int(word) for word in (group.findtext("vcount") or "").split()]
    if any(size < 0 for size in sizes):
        raise ValueError("a polygon with fewer than no corners")
    sizes = sizes or [len((p.text or "").split()) // stride for p in group.findall("p")]  # <polygons>: one <p> each
    fans, at = [], 0
    for size in sizes:
        fans += [(index[at], index[at + k], index[at + k + 1]) for k in range(1, size - 1)]
        at += size
    return np.array(fans, int).reshape(-1, 3)


def _transform(step: ET.Element) -> Array:
    made, numbers = np.eye(4), _floats(step)
    if step.tag == "translate":
        made[:3, 3] = numbers
    elif step.tag == "scale":
        made[:3, :3] = np.diag(numbers)
    else:
        axis, angle = numbers[:3] / np.linalg.norm(numbers[:3]), np.radians(numbers[3])
        across = np.cross(np.eye(3), axis)
        made[:3, :3] = np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * across @ across
    return made


def _floats(element: ET.Element) -> Array:
    found = np.array((element.text or "").split(), float)
    if not np.isfinite(found).all():
        raise ValueError(f"a number in <{element.tag}> is not finite")
    return found
