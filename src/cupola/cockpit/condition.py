"""How each vehicle really is, whatever its controller believes: what the page says of it, and warns of."""

import math

from cupola.build.compile import VehicleInstance
from cupola.cockpit.messages import Condition
from cupola.cockpit.surroundings import moves
from cupola.kernel.observation import observation_in
from cupola.physics.rotation import length
from cupola.sim.world import World

TURNED_OVER = math.cos(math.radians(100.0))
"""Below this the vehicle's z axis points down: even a steep bank does not go there."""
SLOW = 0.1
"""[m/s] and [rad/s] of what stands."""


def conditions(world: World, ended: str = "", waits: bool = False) -> list[Condition]:
    """Of each vehicle. `ended`: why the simulation cannot go on, empty when it can; `waits`: for somebody's Go."""
    failed = [fault for fault in world.faults() if fault.amount > 0.0]
    what = [f"{fault.part} {fault.kind}" for fault in failed]
    return [_condition(world, k, what, ended, waits) for k in range(len(world.instances))]


def _condition(world: World, vehicle: int, failed: list[str], ended: str, waits: bool) -> Condition:
    instance = world.instances[vehicle]
    name = instance.name
    now = observation_in(world.arrays.observations[vehicle])
    touches, drives = _touches(world, instance), bool(world.robot(name).wheels)
    turned = world.robot(name).gravity > 0.0 and 1.0 - 2.0 * (now.quat_wb.x**2 + now.quat_wb.y**2) < TURNED_OVER
    rises = world.scenario.gravity > 0.0 and moves(world, instance)[0]
    stands = rises and touches and length(now.vel_w) < SLOW and length(now.rate_b) < SLOW
    alarms = {
        "stopped": f"the simulation stopped: {ended}" if ended else "",
        "motors off": "motors off" if world.stopped(name) else "",
        "turned over": ("lies turned over" if touches else "upside down") if turned else "",
        "part failed": ", ".join(what for what in failed if what.startswith(f"{name}.")).replace(f"{name}.", ""),
    }
    said = {which: text for which, text in alarms.items() if text}
    if said:
        return Condition(name=next(iter(said)), text=" · ".join(said.values()), alarm=True)
    if waits:
        return Condition(name="waiting", text="waits for Go", alarm=False)
    if stands and not drives:
        return Condition(name="on the ground", text="on the ground", alarm=False)
    return Condition(name="moving", text="", alarm=False)


def _touches(world: World, instance: VehicleInstance) -> bool:
    """Whether any of its bodies touches something that is not part of it."""
    model, data = world.model, world.data
    tree = int(model.body_rootid[instance.root])
    for k in range(int(data.ncon)):
        trees = [int(model.body_rootid[model.geom_bodyid[geom]]) for geom in data.contact[k].geom if geom >= 0]
        if tree in trees and any(other != tree for other in trees):
            return True
    return False
