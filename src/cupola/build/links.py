"""Bodies with changed mass, inertia or length, as by the arguments of a xacro file.

A body that is made longer takes along what hangs on it; its centre of mass moves with it, and its moments of inertia
grow with the square of the length, as a rod's do.
"""

from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np

from cupola.config.links import Link, Six
from cupola.schema.yaml_files import InputError


def resize(spec: Any, links: Mapping[str, Link], source: str) -> None:
    """Give bodies of a model the masses, inertias and lengths that are asked for."""
    for name, link in links.items():
        body = spec.body(name)
        if body is None:
            known = ", ".join(one.name for one in spec.bodies if one.name and one.name != "world")
            raise InputError(f"{source}: links.{name}: the model has no such body; it has: {known}")
        if not body.explicitinertial and None in (link.mass, link.com, link.inertia):
            raise InputError(f"{source}: links.{name}: its mass follows from its shapes; give it an <inertial>")
        if link.mass is not None:
            if link.inertia is None:
                _scale_inertia(body, link.mass / body.mass)
            body.mass = link.mass
        if link.length is not None:
            _stretch(body, link.length, f"{source}: links.{name}")
        if link.com is not None:
            body.ipos = link.com
        if link.inertia is not None:
            _put_inertia(body, link.inertia)
        body.explicitinertial = True


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


def _put_inertia(body: Any, inertia: Six) -> None:
    """Moments about the principal axes of a matrix, and these axes; its own axes where it has no products."""
    xx, yy, zz, xy, xz, yz = inertia
    moments, axes = np.array([xx, yy, zz]), np.eye(3)
    if xy or xz or yz:
        moments, axes = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        axes[:, 0] *= np.sign(np.linalg.det(axes))
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, axes.ravel())
    body.fullinertia = np.full(6, np.nan)
    body.inertia, body.iquat = moments, quat


def _scale_inertia(body: Any, factor: float) -> None:
    body.inertia = factor * np.array(body.inertia)
    if np.isfinite(body.fullinertia[0]):
        body.fullinertia = factor * np.array(body.fullinertia)
