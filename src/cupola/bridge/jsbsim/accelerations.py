"""Accelerations that JSBSim tells its flight control: changes from tick to tick, and what a pilot feels.

They are computed by the control part, which remembers the last tick, under JSBSim's names. At rest nothing changes, so
a trim sees what JSBSim's own sees.
"""

from collections.abc import Callable
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim.elements import FOOT, Place

ACCELERATION = "cupola_acceleration"
"""Tag of the elements below; no file has it."""
GRAVITY = 9.80665
"""[m/s²]"""
FELT = {
    "x": "{u} + q * w - r * v + {g} * sin(pitch)",
    "y": "{v} + r * u - p * w - {g} * cos(pitch) * sin(roll)",
    "z": "{w} + p * v - q * u - {g} * cos(pitch) * cos(roll)",
}
"""[m/s²] of the centre of mass, less gravity; {u} is how fast u changes."""
TURNING = {
    "x": "{q} * {z} - {r} * {y} + q * (p * {y} - q * {x}) - r * (r * {x} - p * {z})",
    "y": "{r} * {x} - {p} * {z} + r * (q * {z} - r * {y}) - p * (p * {y} - q * {x})",
    "z": "{p} * {y} - {q} * {x} + p * (r * {x} - p * {z}) - q * (q * {z} - r * {y})",
}
"""What the turning adds at a place x, y, z from there: front, right, down [m]."""


def accelerations(eye: Place) -> dict[str, ET.Element]:
    """Elements by the property that they write; `eye` is where the pilot sits, front-right-down [m]."""
    found = {}
    for axis, speed, rate in zip("xyz", "uvw", "pqr", strict=True):
        found[f"accelerations/{speed}dot-ft_sec2"] = _element(change=speed, unit=FOOT)
        found[f"accelerations/{rate}dot-rad_sec2"] = _element(change=rate, unit=1.0)
        found[f"accelerations/a-pilot-{axis}-ft_sec2"] = _element(axis=axis, unit=FOOT, eye=eye)
        found[f"accelerations/n-pilot-{axis}-norm"] = _element(axis=axis, unit=GRAVITY, eye=eye)
        found[f"accelerations/N{axis}"] = _element(axis=axis, unit=-GRAVITY if axis == "z" else GRAVITY)
    for name, element in found.items():
        element.set("name", name)
    return found


def _element(unit: float, change: str = "", axis: str = "", eye: Place = (0.0, 0.0, 0.0)) -> ET.Element:
    place = {key: repr(value) for key, value in zip("xyz", eye, strict=True)}
    return ET.Element(ACCELERATION, {"change": change, "axis": axis, "unit": repr(unit), **place})


def acceleration(element: ET.Element, owner: str, changing: Callable[[str, str], str]) -> str:
    """Expression of one of them; `changing` gives that of how fast a quantity changes."""
    unit, change, axis = float(element.get("unit", "1")), element.get("change", ""), element.get("axis", "")
    if change:
        return f"({changing(owner, change)} / {number(unit)})"
    speeds = {name: changing(f"{owner}_{name}", name) for name in "uvw" if f"{{{name}}}" in FELT[axis]}
    felt = FELT[axis].format(**speeds, g=number(GRAVITY))
    place = {key: float(element.get(key, "0")) for key in "xyz"}
    if any(place.values()):
        rates = {name: changing(f"{owner}_{name}", name) for name in "pqr" if f"{{{name}}}" in TURNING[axis]}
        felt += " + " + TURNING[axis].format(**rates, **{key: number(value) for key, value in place.items()})
    return f"(({felt}) / {number(unit)})"
