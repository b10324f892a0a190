"""Visuals and collisions of SDF: geometry, colour, friction."""

from typing import TYPE_CHECKING

from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.robot import Rgba, Shape
from cupola.schema.yaml_files import InputError

if TYPE_CHECKING:
    from cupola.bridge.sdf.document import Document

MESHES = (".dae", ".obj", ".stl")
COLOURS: dict[str, Rgba] = {
    "Grey": (0.7, 0.7, 0.7, 1.0), "White": (1.0, 1.0, 1.0, 1.0), "Black": (0.1, 0.1, 0.1, 1.0),
    "Red": (0.8, 0.1, 0.1, 1.0), "Green": (0.1, 0.6, 0.1, 1.0), "Blue": (0.1, 0.2, 0.8, 1.0),
    "Yellow": (0.9, 0.8, 0.1, 1.0), "Orange": (0.9, 0.5, 0.1, 1.0), "Purple": (0.5, 0.1, 0.6, 1.0),
    "DarkGrey": (0.3, 0.3, 0.3, 1.0), "Grass": (0.33, 0.44, 0.24, 1.0), "Runway": (0.35, 0.35, 0.37, 1.0),
}  # fmt: skip
"""Colours of Gazebo's scripted materials that models use; ours are near, not measured."""


def read_shape(node: Node, document: "Document") -> Shape | None:
    """A shape, or nothing where it cannot be drawn; that is then listed."""
    geometry = node.need("geometry")
    size: tuple[float, ...]
    mesh = None
    if box := geometry.one("box"):
        kind, size = "box", tuple(0.5 * edge for edge in box.numbers("size", 3, (1.0, 1.0, 1.0)))
    elif round_one := geometry.one("cylinder") or geometry.one("capsule"):
        kind = round_one.tag
        size = (round_one.number("radius", 1.0), 0.5 * round_one.number("length", 1.0))
    elif sphere := geometry.one("sphere"):
        kind, size = "sphere", (sphere.number("radius", 1.0),)
    elif ellipsoid := geometry.one("ellipsoid"):
        kind, size = "ellipsoid", ellipsoid.numbers("radii", 3, (1.0, 1.0, 1.0))
    elif plane := geometry.one("plane"):
        normal = plane.numbers("normal", 3, (0.0, 0.0, 1.0))
        wide, deep = plane.numbers("size", 2, (1.0, 1.0))
        kind, size = "plane", (0.5 * wide, 0.5 * deep)
        if normal != (0.0, 0.0, 1.0):
            document.lost.append((str(plane), f"a plane whose normal is {normal} instead of z"))
            return None
    elif named := geometry.one("mesh"):
        kind, size = "mesh", named.numbers("scale", 3, (1.0, 1.0, 1.0))
        uri = named.need("uri").text
        mesh = document.find(uri)
        if mesh is None or mesh.suffix.lower() not in MESHES:
            why = "there is no such file" if mesh is None else f"only {', '.join(MESHES)} are read"
            document.lost.append((f"{node}: mesh {uri}", why))
            return None
    else:
        inside = next(iter(geometry.left()), None)
        document.lost.append((str(node), f"a shape <{inside.tag if inside else 'empty'}>, which is not drawn here"))
        return None
    if min(size) <= 0.0 and kind != "mesh":
        raise InputError(f"{node}: sizes must be positive, got {size}")
    friction = _friction(node, document)
    return Shape(node.name, node.pose(), kind, size, mesh, _colour(node), friction, str(node))


def _colour(node: Node) -> Rgba | None:
    material = node.one("material")
    if material is None:
        return None
    script = material.say("script/name")
    if diffuse := material.one("diffuse"):
        if len(diffuse.text.split()) == 3:  # opaque
            r, g, b = diffuse.floats(3)
            return r, g, b, 1.0
        r, g, b, a = diffuse.floats(4)
        return r, g, b, a
    return COLOURS.get(script.removeprefix("Gazebo/"))


def _friction(node: Node, document: "Document") -> float | None:
    found = node.deep("surface/friction/ode")
    if found is None:
        return None
    mu = found.number("mu", 1.0)
    mu2 = found.number("mu2", mu)
    if mu2 != mu:
        document.lost.append((f"{found}: mu2 {mu2:g}", f"one friction for both directions: {mu:g}"))
    return mu
