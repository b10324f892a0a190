"""Elements of a URDF: by their names, and an inertia as a matrix."""

from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from cupola.schema.input_files import InputError
from cupola.schema.xml_files import number_at, text_at

Array = np.ndarray[Any, Any]


def named(elements: list[ET.Element], source: str) -> dict[str, ET.Element]:
    """Elements by their names, which must be there and differ."""
    found: dict[str, ET.Element] = {}
    for element in elements:
        name = text_at(element, "name", source)
        if name in found:
            raise InputError(f"{source}: there are two <{element.tag}> called {name!r}")
        found[name] = element
    return found


def inertia_matrix(tensor: ET.Element, where: str) -> Array:
    """3 × 3, [kg m²]."""
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    xx, yy, zz, xy, xz, yz = (number_at(tensor, key, where, 0.0) for key in keys)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
