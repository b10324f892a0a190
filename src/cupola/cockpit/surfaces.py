"""Shapes of a look that turn with the channel that deflects a part: ailerons, elevators, rudders.

Such a shape is called `part.+1y:what`: it turns about the y axis of the part's site, through the origin of its mesh, by
the angle by which channel 1 deflects the part; `-` for the other way. Joints need none of this: their bodies move.
"""

import re
from typing import Any

import mujoco
import numpy as np

from cupola.build.compile import BoundPart
from cupola.cockpit.messages import Surface
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

NAMED = re.compile(r"(?P<vehicle>[^/]+)/(?P<part>\w+)\.(?P<sign>[+-])(?P<channel>\d+)(?P<axis>[yz]):")


def surfaces_of(world: World, places: dict[int, int]) -> list[Surface]:
    """All of a world; `places`: where in the scene each geom is."""
    bound = {one.full_name: one for one in world.assembly.parts}
    found = []
    for geom, place in places.items():
        name = world.model.geom(geom).name
        if said := NAMED.match(name):
            part = bound.get(f"{said['vehicle']}.{said['part']}")
            found.append(_surface(world, geom, place, said, part))
    return found


def _surface(world: World, geom: int, place: int, said: Any, part: BoundPart | None) -> Surface:
    model, channel, who = world.model, int(said["channel"]), f"shape {said.string!r}"
    if part is None:
        raise InputError(f"{who} turns with part {said['part']!r}, which {said['vehicle']} does not have")
    angles = {number: angle for number, angle in part.part.deflections().items() if angle is not None}
    if channel not in angles:
        known = ", ".join(map(str, angles)) or "none"
        raise InputError(f"{who}: channel {channel} does not deflect {said['part']}; those that do: {known}")
    site = int(part.row["site"])
    if model.site_bodyid[site] != model.geom_bodyid[geom]:
        raise InputError(f"{who} must be a shape of the body that holds the site of {said['part']}")
    turn = _matrix(model.site_quat[site])
    return Surface(
        geom=place,
        pos_b=_origin(model, geom).tolist(),
        axis_b=turn[:, "xyz".index(said["axis"])].tolist(),
        signal=f"{said['vehicle']}.drive.{channel}",
        angle=angles[channel] * (1.0 if said["sign"] == "+" else -1.0),
    )


def _origin(model: Any, geom: int) -> Any:
    """Where a geom was put: MuJoCo moves a mesh to its centre of mass."""
    mesh = int(model.geom_dataid[geom])
    if model.geom_type[geom] != mujoco.mjtGeom.mjGEOM_MESH:
        return model.geom_pos[geom]
    turn = _matrix(model.geom_quat[geom]) @ _matrix(model.mesh_quat[mesh]).T
    return model.geom_pos[geom] - turn @ model.mesh_pos[mesh]


def _matrix(quat: Any) -> Any:
    out = np.zeros(9)
    mujoco.mju_quat2Mat(out, quat)
    return out.reshape(3, 3)
