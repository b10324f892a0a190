"""Bodies of another mass or length than the model's: what the arguments of a xacro file are for.

A body that is made longer takes along what hangs on it; its centre of mass moves with it, and its moments of inertia
grow with the square of the length, as a rod's do.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from cupola.schema.yaml_files import InputError


def resize(spec: Any, links: Mapping[str, Mapping[Literal["mass", "length"], float]], source: str) -> None:
    """Give bodies of a model the masses [kg] and lengths [m] that are asked for."""
    for name, numbers in links.items():
        body = spec.body(name)
        if body is None:
            known = ", ".join(one.name for one in spec.bodies if one.name and one.name != "world")
            raise InputError(f"{source}: links.{name}: the model has no such body; it has: {known}")
        if not body.explicitinertial:
            raise InputError(f"{source}: links.{name}: its mass follows from its shapes; give it an <inertial>")
        if "mass" in numbers:
            _scale_inertia(body, numbers["mass"] / body.mass)
            body.mass = numbers["mass"]
        if "length" in numbers:
            _stretch(body, numbers["length"], f"{source}: links.{name}")


def _stretch(body: Any, length: float, source: str) -> None:
    """Move all that hangs on a body along the line to the next one."""
    ends = [np.array(one.pos) for one in body.bodies] or [np.array(one.pos) for one in body.sites]
    far = max(ends, key=np.linalg.norm, default=np.zeros(3))
    before = float(np.linalg.norm(far))
    if before == 0.0:
        raise InputError(f"{source}: nothing hangs on it that a length could lead to")
    along, factor = far / before, length / before

    def moved(place: Any) -> Any:
        return np.array(place) + (factor - 1.0) * float(np.dot(place, along)) * along

    for one in (*body.bodies, *body.sites, *body.geoms):
        one.pos = moved(one.pos)
    for geom in body.geoms:
        if np.isfinite(geom.fromto[0]):
            geom.fromto = np.concatenate([moved(geom.fromto[:3]), moved(geom.fromto[3:])])
    body.ipos = moved(body.ipos)
    _scale_inertia(body, factor * factor)


def _scale_inertia(body: Any, factor: float) -> None:
    body.inertia = factor * np.array(body.inertia)
    if np.isfinite(body.fullinertia[0]):
        body.fullinertia = factor * np.array(body.fullinertia)
