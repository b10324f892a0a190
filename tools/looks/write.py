"""Writes a look into a model: assets of MJCF between two comments, so that a model stays one file."""

import re
from collections.abc import Mapping
from pathlib import Path

from tools.looks.solids import Solid

BEGIN = "<!-- Look, written by `python -m tools.looks`: what is seen, without mass or contacts. -->"
END = "<!-- End of the look. -->"
PAINTS = {
    "white": ("0.93 0.94 0.95 1", 0.5, 0.7),
    "blue": ("0.07 0.27 0.58 1", 0.5, 0.7),
    "orange": ("0.95 0.42 0.07 1", 0.5, 0.7),
    "red": ("0.75 0.13 0.10 1", 0.5, 0.7),
    "green": ("0.12 0.50 0.27 1", 0.5, 0.7),
    "yellow": ("0.96 0.74 0.10 1", 0.4, 0.6),
    "carbon": ("0.13 0.14 0.16 1", 0.4, 0.5),
    "rubber": ("0.06 0.06 0.07 1", 0.1, 0.1),
    "metal": ("0.60 0.62 0.66 1", 0.8, 0.8),
    "glass": ("0.10 0.16 0.24 1", 1.0, 0.9),
    "gold": ("0.85 0.65 0.20 1", 0.8, 0.8),
    "feather": ("0.36 0.30 0.25 1", 0.0, 0.0),
    "quill": ("0.17 0.15 0.14 1", 0.0, 0.0),
    "down": ("0.86 0.80 0.70 1", 0.0, 0.0),
}
"""Colour, specular, shininess."""


def with_look(model: str, solids: Mapping[str, Solid], paints: tuple[str, ...], digits: int) -> str:
    """The text of a model with these meshes and paints in place of those it had."""
    bare = re.sub(rf"  {re.escape(BEGIN)}.*?{re.escape(END)}\n", "", model, flags=re.DOTALL)
    end = bare.rindex("</mujoco>")
    return bare[:end] + _assets(solids, paints, digits) + bare[end:]


def _assets(solids: Mapping[str, Solid], paints: tuple[str, ...], digits: int) -> str:
    lines = [f"  {BEGIN}", "  <asset>"]
    for name in paints:
        rgba, specular, shininess = PAINTS[name]
        lines.append(f'    <material name="{name}" rgba="{rgba}" specular="{specular}" shininess="{shininess}"/>')
    for name, solid in solids.items():
        vertex = " ".join(f"{value:.{digits}f}".rstrip("0").rstrip(".") for value in solid.vertices.ravel())
        face = " ".join(map(str, solid.faces.ravel()))
        lines.append(f'    <mesh name="{name}" inertia="shell" vertex="{vertex}" face="{face}"/>')
    return "\n".join([*lines, "  </asset>", f"  {END}", ""])


def write(file: Path, solids: Mapping[str, Solid], paints: tuple[str, ...], digits: int) -> None:
    """Put a look into a model's file."""
    file.write_text(with_look(file.read_text(encoding="utf-8"), solids, paints, digits), encoding="utf-8")
