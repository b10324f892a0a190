"""How each vehicle really is, whatever its controller believes: what the page says of it, and warns of."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from cupola.build.compile import VehicleInstance
from cupola.cockpit.messages import Condition
from cupola.cockpit.surroundings import moves
from cupola.kernel.observation import Observation, observation_in
from cupola.physics.rotation import length
from cupola.sim.world import World

TURNED_OVER = math.cos(math.radians(100.0))
"""Below this the vehicle's z axis points down: even a steep bank does not go there."""
SLOW = 0.1
"""[m/s] and [rad/s] of what stands."""


class Facts(NamedTuple):
    """What is known of a vehicle at a moment."""

    now: Observation
    touches: bool
    rises: bool
    """Whether it can leave the ground that it stands on."""
    drives: bool
    heavy: bool
    """Whether there is an up."""
    off: bool
    """Whether its motors are held off."""
    failed: Sequence[str]
    """Parts of it and their faults."""


def conditions(world: World, ended: str = "", waits: bool = False) -> list[Condition]:
    """Of each vehicle. `ended`: why the simulation cannot go on, empty when it can; `waits`: for somebody's Go."""
    failed = [(fault.part, fault.kind) for fault in world.faults() if fault.amount > 0.0]
    return [condition(_facts(world, k, failed), ended, waits) for k in range(len(world.instances))]


def condition(facts: Facts, ended: str = "", waits: bool = False) -> Condition:
    """In words, the worst first."""
    now = facts.now
    turned = facts.heavy and 1.0 - 2.0 * (now.quat_wb.x**2 + now.quat_wb.y**2) < TURNED_OVER
    stands = facts.rises and facts.touches and length(now.vel_w) < SLOW and length(now.rate_b) < SLOW
    alarms = {
        "stopped": f"the simulation stopped: {ended}" if ended else "",
        "motors off": "motors off" if facts.off else "",
        "turned over": ("lies turned over" if facts.touches else "upside down") if turned else "",
        "part failed": ", ".join(facts.failed),
    }
    said = {which: text for which, text in alarms.items() if text}
    if said:
        return Condition(name=next(iter(said)), text=" · ".join(said.values()), alarm=True)
    if waits:
        return Condition(name="waiting", text="waits for Go", alarm=False)
    if stands and not facts.drives:
        return Condition(name="on the ground", text="on the ground", alarm=False)
    return Condition(name="moving", text="", alarm=False)


def surroundings_of(world: World, vehicle: int) -> dict[str, bool]:
    """The facts that do not change."""
    instance = world.instances[vehicle]
    return {
        "rises": world.scenario.gravity > 0.0 and moves(world, instance)[0],
        "drives": bool(world.robot(instance.name).wheels),
        "heavy": world.robot(instance.name).gravity > 0.0,
    }


def _facts(world: World, vehicle: int, failed: list[tuple[str, str]]) -> Facts:
    instance = world.instances[vehicle]
    return Facts(
        now=observation_in(world.arrays.observations[vehicle]),
        touches=_touches(world, instance),
        off=world.stopped(instance.name),
        failed=[f"{part.partition('.')[2]} {kind}" for part, kind in failed if part.startswith(f"{instance.name}.")],
        **surroundings_of(world, vehicle),
    )


def _touches(world: World, instance: VehicleInstance) -> bool:
    """Whether any of its bodies touches something that is not part of it."""
    model, data = world.model, world.data
    tree = int(model.body_rootid[instance.root])
    for k in range(int(data.ncon)):
        trees = [int(model.body_rootid[model.geom_bodyid[geom]]) for geom in data.contact[k].geom if geom >= 0]
        if tree in trees and any(other != tree for other in trees):
            return True
    return False
