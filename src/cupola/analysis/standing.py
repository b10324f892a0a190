"""Where a vehicle stands when it is asked for an operating point: what it touches, and whether there can be one."""

import math

from cupola.analysis.moving_air import refuse_unsteady_air
from cupola.parts.external.external import External
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

REACH = 3000.0
"""[m] from the origin within which the axes of the world are level on the Earth, to half a milliradian."""


def contacts_of(world: World, vehicle: str) -> list[int]:
    """Contacts of a vehicle now."""
    model, data, own = world.model, world.data, f"{vehicle}/"
    bodies = [[model.body(int(model.geom_bodyid[g])).name for g in data.contact[k].geom] for k in range(data.ncon)]
    return [k for k, names in enumerate(bodies) if any(name.startswith(own) for name in names)]


def refuse_place(world: World, vehicle: str) -> None:
    """Reasons why there is no operating point."""
    scenario = world.scenario
    away = math.hypot(*world.motion(vehicle).pos_w[:2])
    if scenario.origin.is_round and away > REACH:
        said = "an operating point over a round planet is near the origin of the world, where its axes are level"
        raise InputError(f"{said}; {vehicle} is {away / 1000.0:.3g} km away: set the origin there")
    refuse_unsteady_air(world)
    for bound in world.assembly.parts:
        if bound.vehicle == vehicle and isinstance(bound.part, External) and bound.part.apart:
            raise InputError(f"{bound.full_name} runs elsewhere: its state cannot be set, so it has no operating point")
