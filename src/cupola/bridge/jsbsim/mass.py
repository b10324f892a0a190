"""Mass, centre of mass and inertia of a JSBSim aircraft with its point masses and full tanks."""

from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.jsbsim.elements import Place, location, value
from cupola.schema.yaml_files import InputError

ABOUT = ("ixx", "iyy", "izz")
PRODUCTS = ("ixy", "ixz", "iyz")


class Mass(NamedTuple):
    """In metres and kilograms."""

    mass: float
    centre: Place
    """Structural frame: back, right, up."""
    tensor: Any
    """About the centre, axes front, left, up."""


def read_mass(root: ET.Element, lost: list[tuple[str, str]]) -> Mass:
    """All that the file weighs at the start."""
    balance = root.find("mass_balance")
    if balance is None:
        raise InputError("there is no <mass_balance>")
    pieces = [(value(balance, "emptywt", "LBS"), _place(balance), _tensor(balance))]
    for point in balance.findall("pointmass"):
        if point.find("form") is not None:
            lost.append((f"form of the point mass {point.get('name')}", "its own inertia is left out"))
        pieces.append((value(point, "weight", "LBS"), _place(point), np.zeros((3, 3))))
    for tank in root.iterfind("propulsion/tank"):
        if tank.find("grain_config") is not None:
            lost.append(("grain of a solid rocket", "its own inertia is left out"))
        pieces.append((value(tank, "contents", "LBS", 0.0), _place(tank), np.zeros((3, 3))))
    mass = sum(piece[0] for piece in pieces)
    centre: Any = np.sum([weight * np.array(place) for weight, place, _ in pieces], axis=0) / mass
    tensor = sum((own + _about(weight, np.array(place) - centre) for weight, place, own in pieces), np.zeros((3, 3)))
    return Mass(mass, (float(centre[0]), float(centre[1]), float(centre[2])), tensor)


def _place(parent: ET.Element) -> Place:
    found = parent.find("location")
    if found is None:
        raise InputError(f"<{parent.tag}> has no <location>")
    return location(found)


def _about(mass: float, away: Any) -> Any:
    """Inertia of a point, axes front, left, up, of a place given back, right, up."""
    r = away * np.array([-1.0, -1.0, 1.0])
    return mass * (float(r @ r) * np.eye(3) - np.outer(r, r))


def _tensor(balance: ET.Element) -> Any:
    """Of the empty aircraft, axes front, left, up. Its products of inertia are written in the structural frame."""
    xx, yy, zz = (value(balance, name, "SLUG*FT2", 0.0) for name in ABOUT)
    xy, xz, yz = (value(balance, name, "SLUG*FT2", 0.0) for name in PRODUCTS)
    if balance.get("negated_crossproduct_inertia", "true").strip() != "true":
        xy, xz, yz = -xy, -xz, -yz
    return np.array([[xx, xy, -xz], [xy, yy, -yz], [-xz, -yz, zz]])
