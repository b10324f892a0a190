"""YAML of other programs as plain values, read as xacro reads it: by YAML 1.1, with its tags for angles."""

import math
from pathlib import Path
from typing import Any

import yaml

from cupola.schema.input_files import MEBI, boundary, finite, read_text

LARGEST = MEBI // 4
"""Bytes of a file."""
MOST = 10_000
"""Values of a file."""
ANGLES = {"!radians": 1.0, "!degrees": math.pi / 180.0}
"""Tags of xacro, and what a number behind one is multiplied with."""


class _Loader(yaml.SafeLoader):
    """Plain values only; an angle in degrees becomes radians."""


def _angle(loader: yaml.SafeLoader, tag: str, node: yaml.Node) -> float:
    text = loader.construct_scalar(node) if isinstance(node, yaml.ScalarNode) else ""
    value = finite(str(text))
    if f"!{tag}" not in ANGLES or value is None:
        raise ValueError(f"line {node.start_mark.line + 1}: !{tag} {text}: expected !degrees or !radians and a number")
    return value * ANGLES[f"!{tag}"]


_Loader.add_multi_constructor("!", _angle)


def read_foreign_yaml(path: Path) -> Any:
    """The content of a file; one that aliases blow up is refused."""
    text = read_text(path, LARGEST)
    with boundary(path, "cannot be read"):
        try:
            loader = _Loader(text)
            node = loader.get_single_node()
            if node is None:
                return {}
            if _size(node, {}) > MOST:
                raise ValueError(f"with its aliases written out it has more than {MOST} values")
            return loader.construct_document(node)
        except yaml.YAMLError as error:
            raise ValueError(" ".join(str(error).split())) from None


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """Values in a node with every alias written out; a node that holds itself has more than any."""
    if id(node) not in known:
        known[id(node)] = MOST + 1  # until it is counted: what it holds must not be itself
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        inside = [one for pair in pairs for one in pair] if pairs else node.value
        known[id(node)] = 1 + sum(_size(one, known) for one in inside if isinstance(one, yaml.Node))
    return known[id(node)]
