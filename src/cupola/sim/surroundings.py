"""Surroundings of a vehicle: the air at a point, and contacts with their forces."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from cupola.kernel.air import static_air, wind_at
from cupola.kernel.planet import height_of
from cupola.physics.rotation import Vector
from cupola.schema.yaml_files import InputError

if TYPE_CHECKING:
    from cupola.sim.world import World


class Air(NamedTuple):
    """The air at a point."""

    wind_w: Vector
    """[m/s, world axes], gusts included."""
    density: float
    """[kg/m³]"""
    pressure: float
    """[Pa]"""
    temperature: float
    """[K]"""
    height: float
    """[m] above the level of the world's origin."""


class Contact(NamedTuple):
    """A contact of two geoms."""

    first: str
    second: str
    """Names of the geoms, or of the bodies of nameless ones, as `vehicle/name`."""
    point_w: Vector
    """[m]"""
    normal_w: Vector
    """From the first to the second."""
    depth: float
    """[m] overlap; negative: distance."""
    force_w: Vector
    """On the second [N]."""


def air_at(world: "World", at: str | Sequence[float] | None = None, vehicle: str | None = None) -> Air:
    """The air at a vehicle, at a part by its name, or at a point [m]; with the gust that the vehicle flies in."""
    index = world._index(vehicle)
    views = world.arrays.as_records()
    if at is None:
        place = views.xpos[world.instances[index].root]
    elif isinstance(at, str):
        part = world.part(at)
        if not part.part.at_site():
            raise InputError(f"the part {at!r} has no site, so there is no air at it")
        place, index = views.site_xpos[int(part.row.site)], world._index(part.vehicle)
    else:
        if np.shape(at) != (3,) or not np.isfinite(np.array(at, np.float64)).all():
            raise InputError(f"a point is three finite numbers [m], got {at}")
        place = np.array(at, np.float64)
    point = Vector(*place.tolist())
    wind, still, height = wind_at(views, index, point), static_air(views, point), height_of(views, point)
    numbers = (still.density, still.pressure, still.temperature, height)
    return Air(Vector(*map(float, wind)), *map(float, numbers))


def contacts_now(world: "World") -> list[Contact]:
    """What MuJoCo's data has; its forces are those of the accelerations that were computed last."""
    model, data, found = world.model, world.data, []
    for k in range(int(data.ncon)):
        contact, force = data.contact[k], np.zeros(6)
        mujoco.mj_contactForce(model, data, k, force)
        frame = contact.frame.reshape(3, 3)
        first, second = (_name(world, int(geom)) for geom in contact.geom)
        vectors = (contact.pos, frame[0], frame.T @ force[:3])
        point, normal, on_second = (Vector(*one.tolist()) for one in vectors)
        found.append(Contact(first, second, point, normal, -float(contact.dist), on_second))
    return found


def _name(world: "World", geom: int) -> str:
    if geom < 0:
        return "soft body"
    return world.model.geom(geom).name or world.model.body(int(world.model.geom_bodyid[geom])).name or "world"
