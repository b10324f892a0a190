"""Limits of MJCF files: a single line can request unlimited copies, points or pixels."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from cupola.build.mjcf_assets import check_assets, check_nesting
from cupola.schema.input_files import InputError, boundary, finite, read_bytes
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import LARGEST, parse_xml

DEEPEST = 450
"""Levels of elements; MuJoCo stops at 500."""
MOST_COPIES = 5000
"""Elements that replicas add; MuJoCo needs 2 s for them, and 60 s for four times as many."""
MOST_POINTS = 4000
"""Of one flexible body; the same."""
MOST_FILES = 50
"""That include each other."""
LIMITS = {"hfield": (("nrow", "ncol"), 1 << 24), "texture": (("width", "height"), 1 << 24)}
"""Attributes whose product is bounded."""
LARGEST_SIZE = 10_000_000
"""Of any number of <size>, none of which a vehicle needs."""
NOT_FINITE = ("nan", "inf", "infinity")


def check_mjcf(path: Path) -> None:
    """Refuse a file that would exhaust MuJoCo, or that holds NaN."""
    roots: dict[Path, ET.Element] = {}
    _open(path, path.parent, roots)
    check_assets(roots, path.parent)
    _check_all(roots, path)
    check_nesting(roots, path, path.parent)


def check_texts(texts: Mapping[str, str], main: str, path: Path) -> None:
    """The same for the texts of a model that is held in memory, by their names; `main` is that of the model itself."""
    roots = {Path(name): parse_xml(text, str(path), deepest=DEEPEST) for name, text in texts.items()}
    _check_all(roots, path)
    check_nesting(roots, Path(main), Path())


def _check_all(roots: Mapping[Path, ET.Element], path: Path) -> None:
    for root in roots.values():
        for element in root.iter():
            _check(element, path)
        _check_words(root, path)
    copies = sum(_copies(root, path) for root in roots.values())
    if copies > MOST_COPIES:
        raise InputError(f"{path}: its replicas add {copies:g} elements; {MOST_COPIES} are read")


def _open(path: Path, folder: Path, roots: dict[Path, ET.Element]) -> None:
    """Read a file and all that it names; MuJoCo looks for them from the folder of the first."""
    if path in roots or not path.exists():
        return  # MuJoCo says so itself
    if len(roots) == MOST_FILES:
        raise InputError(f"{path}: more than {MOST_FILES} files include each other")
    roots[path] = root = parse_xml(read_bytes(path, LARGEST), str(path), deepest=DEEPEST)
    for element in root.iter():
        if element.tag in ("include", "model") and element.get("file"):
            _open(folder / element.attrib["file"], folder, roots)


def _check(element: ET.Element, path: Path) -> None:
    keys, most = LIMITS.get(element.tag, ((), 0))
    asked = float(np.prod([_number(element, key) for key in keys]))
    if keys and asked > most:
        raise InputError(f"{path}: <{element.tag}> requests {asked:g} points; at most {most} are allowed")
    if element.tag == "flexcomp":
        points = float(np.prod([finite(word) or 1.0 for word in element.get("count", "").split()]))
        if points > MOST_POINTS:
            raise InputError(f"{path}: <flexcomp> requests {points:g} points; at most {MOST_POINTS} are allowed")
    if element.tag == "size":
        for key in element.attrib:
            if _number(element, key) > LARGEST_SIZE:
                raise InputError(f"{path}: <size {key}={short(element.attrib[key])!r}>: {LARGEST_SIZE} is allowed")


def _check_words(root: ET.Element, path: Path) -> None:
    """Refuse nan and inf, of which MuJoCo only warns; something may be called so."""
    names = {element.attrib[key] for element in root.iter() for key in ("name", "class") if key in element.attrib}
    for element in root.iter():
        for key, text in element.attrib.items():
            if text not in names and any(word.lower().lstrip("+-") in NOT_FINITE for word in text.split()):
                called = f" {short(element.attrib['name'])}" if "name" in element.attrib else ""
                raise InputError(
                    f"{path}: <{short(element.tag)}{called}> has {key}={short(text)!r}: not finite numbers"
                )


def _copies(root: ET.Element, path: Path) -> float:
    """How many elements replicas add, those inside each other multiplied."""
    found, row = 0.0, [(root, 1.0)]
    while row:
        element, times = row.pop()
        found += times - 1.0
        if element.tag == "replicate":
            times *= max(1.0, _number(element, "count"))
        if times > MOST_COPIES:
            raise InputError(f"{path}: <replicate> requests {times:g} copies; at most {MOST_COPIES} are allowed")
        row += [(child, times) for child in element]
    return found


def _number(element: ET.Element, key: str) -> float:
    """An attribute as a number; one that is none counts nothing, MuJoCo says so itself."""
    return finite(element.get(key, "")) or 0.0


def check_numbers(model: Any, path: Path) -> None:
    """Refuse a compiled model that holds a number that is not finite: one that was written too large."""
    for name in dir(model):
        with boundary(path, f"MuJoCo's {name}"):
            values = getattr(model, name) if not name.startswith("_") else None
        if isinstance(values, np.ndarray) and values.dtype.kind == "f" and not np.isfinite(values).all():
            raise InputError(f"{path}: a number is too large: MuJoCo's {name} is not finite")
