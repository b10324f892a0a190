"""Mass, centre of mass and inertia of a JSBSim aircraft with its point masses and full tanks."""

from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.inertia import repair_inertia
from cupola.bridge.jsbsim.elements import Place, location, value
from cupola.bridge.jsbsim.leftovers import unread
from cupola.bridge.report import Repair, Report
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
    repaired: tuple[Repair, ...] = ()
    """JSBSim flies with any six numbers; where no body has them, the nearest that one could have is taken."""


def read_mass(root: ET.Element, lost: list[tuple[str, str]]) -> Mass:
    """All that the file weighs at the start."""
    balance = root.find("mass_balance")
    if balance is None:
        raise InputError("there is no <mass_balance>")
    empty = value(balance, "emptywt", "LBS", 0.0)
    pieces = [(empty, _place(balance) if empty else (0.0, 0.0, 0.0), _tensor(balance))]
    for point in balance.findall("pointmass"):
        weight = value(point, "weight", "LBS")
        pieces.append((weight, _place(point), _form(point, weight, lost)))
    for tank in root.iterfind("propulsion/tank"):
        lost += unread(tank, f"tank {len(pieces)}")
        if tank.find("grain_config") is not None:
            lost.append(("grain of a solid rocket", "its own inertia is left out"))
        fuel, radius = value(tank, "contents", "LBS", 0.0), value(tank, "radius", "IN", 0.0)
        own = 0.4 * value(tank, "inertia_factor", "", 1.0) * fuel * radius**2  # a ball, as JSBSim has it
        pieces.append((fuel, _place(tank), own * np.eye(3)))
    mass = sum(piece[0] for piece in pieces)
    if not mass > 0.0:
        raise InputError("<mass_balance>: nothing in it has a weight")
    centre: Any = np.sum([weight * np.array(place) for weight, place, _ in pieces], axis=0) / mass
    tensor = sum((own + _about(weight, np.array(place) - centre) for weight, place, own in pieces), np.zeros((3, 3)))
    report = Report()
    possible = repair_inertia(mass, tensor, "aircraft", report)
    repaired = tuple(one._replace(what="inertia [kg m²]") for one in report.repaired)
    return Mass(mass, (float(centre[0]), float(centre[1]), float(centre[2])), possible, repaired)


def fuel(root: ET.Element, burns: bool) -> list[tuple[str, str]]:
    """What is said of tanks, where an engine burns something."""
    full = sum(value(tank, "contents", "LBS", 0.0) for tank in root.iterfind("propulsion/tank"))
    if not burns:
        return []
    if full <= 0.0:
        return [("no fuel", "engines run without it here: JSBSim's stand still")]
    return [(f"fuel of {full:.6g} kg", "is not burnt: mass, centre and inertia stay, and no engine starves")]


def _form(point: ET.Element, mass: float, lost: list[tuple[str, str]]) -> Any:
    """Inertia of a point mass about itself: that of a tube, a solid cylinder, a shell or a ball along x."""
    form = point.find("form")
    if form is None:
        return np.zeros((3, 3))
    shape = (form.get("shape") or "").strip()
    radius, length = value(form, "radius", "FT", 0.0), value(form, "length", "FT", 0.0)
    moments = {
        "tube": (radius**2, (6.0 * radius**2 + length**2) / 12.0),
        "cylinder": (radius**2 / 2.0, (3.0 * radius**2 + length**2) / 12.0),
        "sphere": (radius**2 * 2.0 / 3.0,) * 2,
        "ball": (radius**2 * 0.4,) * 2,
    }
    if shape not in moments:
        lost.append((f"form {shape!r} of the point mass {point.get('name')}", "its own inertia is left out"))
        return np.zeros((3, 3))
    along, across = moments[shape]
    return mass * np.diag([along, across, across])


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
