"""Reading elements of JSBSim's files: numbers with units, places, and files that a file names."""

import math
from pathlib import Path
from xml.etree import ElementTree as ET

from cupola.schema.input_files import finite
from cupola.schema.xml_files import read_plain_xml
from cupola.schema.yaml_files import InputError

FOOT, INCH, POUND, SLUG = 0.3048, 0.0254, 4.4482216152605, 14.593902937206
POUND_MASS = 0.45359237
PSF = POUND / FOOT**2
"""[Pa]"""
KNOT = 1852.0 / 3600.0
HORSE_POWER = 745.69987158227022
SLUG_FT2 = SLUG * FOOT**2
LENGTHS = {"IN": INCH, "FT": FOOT, "M": 1.0, "CM": 0.01, "KM": 1000.0}
UNITS = {
    **LENGTHS, **{f"{name}2": size * size for name, size in LENGTHS.items()}, "LBS": POUND_MASS, "KG": 1.0,
    "SLUG": SLUG, "SLUG*FT2": SLUG_FT2, "KG*M2": 1.0, "DEG": math.pi / 180.0, "RAD": 1.0, "LBS/FT": POUND / FOOT,
    "N/M": 1.0, "LBS/FT/SEC": POUND / FOOT, "N/M/SEC": 1.0, "HP": HORSE_POWER, "WATTS": 1.0, "INHG": 3386.38,
    "LBS/FT2/SEC2": POUND / FOOT**2, "N/M2/SEC2": 1.0, "LBS/SEC": POUND_MASS, "KG/SEC": 1.0, "LBS/HP*HR": 1.0,
    "FT*LB": FOOT * POUND, "N*M": 1.0, "IN3": INCH**3, "CC": 1e-6, "LTR": 1e-3, "N": 1.0, "LBF": POUND,
    "PSI": POUND / INCH**2,
}  # fmt: skip
"""SI of one unit; a weight in pounds is a mass."""


def value(parent: ET.Element, tag: str, unit: str = "", default: float | None = None) -> float:
    """Number of a child in SI; `unit` is that of JSBSim where the file says none, or none for a plain number."""
    found = parent.find(tag)
    if found is None or not (found.text or "").strip():
        if default is None:
            raise InputError(f"<{parent.tag}> has no <{tag}>")
        return default
    said = (found.get("unit") or unit).upper()
    if said and said not in UNITS:
        raise InputError(f"<{tag}>: the unit {said!r} is not known; known are: {', '.join(UNITS)}")
    return _number(str(found.text), tag) * (UNITS[said] if said else 1.0)


def thrust_value(parent: ET.Element, tag: str, pounds: float) -> float:
    """Thrust [N] that a file gives in pounds, plain or with their unit, in newtons or as a weight in kilograms."""
    found = parent.find(tag)
    said = "" if found is None else (found.get("unit") or "").upper()
    sizes = {"N": 1.0, "LBS": POUND / POUND_MASS, "KG": POUND / POUND_MASS}
    return value(parent, tag, "", pounds) * sizes.get(said, POUND)


def _number(text: str, tag: str) -> float:
    number = finite(text)
    if number is None:
        raise InputError(f"<{tag}>: expected a finite number, got {text.strip()!r}")
    return number


Place = tuple[float, float, float]


def location(parent: ET.Element, unit: str = "IN") -> Place:
    """Of an element with x, y, z in JSBSim's structural frame: metres back, right, up."""
    said = (parent.get("unit") or unit).upper()
    size = UNITS[said]
    x, y, z = (_number(parent.findtext(axis, "0"), axis) * size for axis in "xyz")
    return x, y, z


def front_left_up(place: Place, centre: Place) -> Place:
    """From the centre of mass, in our axes."""
    return centre[0] - place[0], centre[1] - place[1], place[2] - centre[2]


def read_file(path: Path) -> ET.Element:
    """The root of a configuration file."""
    return read_plain_xml(path)


SECTIONS = ("metrics", "mass_balance", "ground_reactions", "propulsion", "aerodynamics", "external_reactions")


def whole(root: ET.Element, path: Path) -> ET.Element:
    """An aircraft with the sections that stand in files of their own beside it."""
    for place, section in enumerate(list(root)):
        name = section.get("file")
        if section.tag not in SECTIONS or name is None:
            continue
        file = find_file(name, path, "")
        if file is None:
            raise InputError(f"<{section.tag} file={name!r}>: there is no such file beside the aircraft")
        found = read_file(file)
        if found.tag != section.tag:
            raise InputError(f"{file.name} begins with <{found.tag}>, expected <{section.tag}>")
        root[place] = found
    return root


def find_file(name: str, aircraft: Path, folder: str) -> Path | None:
    """A file that an aircraft names, without its ending: beside the aircraft, or in one of JSBSim's folders."""
    file = name if name.endswith(".xml") else f"{name}.xml"
    own, steps = aircraft.parent, Path(file)
    if steps.is_absolute() or ".." in steps.parts:
        return None  # nothing outside these folders is opened
    if len(steps.parts) > 1:
        return own / steps if (own / steps).is_file() else None
    for place in (own / folder.capitalize(), own / "Engines", own / folder, own, own.parent.parent / folder):
        if (place / file).is_file():
            return place / file
    return None
