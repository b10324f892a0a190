"""Plans that pages change while a vehicle flies them: places that are dragged, and a place to go to."""

from typing import Any

import numpy as np

from cupola.build.compile import VehicleInstance
from cupola.cockpit import messages as say
from cupola.cockpit.link import Link
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

SPEED = 4
"""Column of a plan's rows: x, y, z, yaw, speed, hold, land."""
USUAL_SPEED = 1.0
"""[m/s] where the scenario's plan has no row."""


def can_go(instance: VehicleInstance) -> bool:
    """Whether the controller of its mission counts through a plan."""
    runner = instance.runners.get("mission")
    return runner is not None and "index" in getattr(runner.controller.State, "_fields", ())


class Routes:
    """The plans of the vehicles of a world, as pages know them."""

    def __init__(self, world: World, link: Link) -> None:
        self._world, self._link = world, link
        self._told: dict[int, Any] = {k: self._plan(k) for k, one in enumerate(world.instances) if can_go(one)}

    def go(self, asked: say.GoTo) -> None:
        """To a place with the speed of the plan, and stay there; or the scenario's own plan from its first place on."""
        own = self._runner(asked.vehicle).first_plan
        name = self._world.instances[asked.vehicle].name
        rows = own.tolist()
        if asked.place is not None:
            speed = float(own[0][SPEED]) if len(own) else USUAL_SPEED
            rows = [[*asked.place, self._yaw(asked.vehicle), speed, 0.0, 0.0]]
        self._world.plan(rows, name)

    def move(self, asked: say.MoveWaypoint) -> None:
        """One place of the present plan; the vehicle goes on with the one that it was on the way to."""
        runner = self._runner(asked.vehicle)
        rows = runner.plan.tolist()
        if asked.index >= len(rows):
            raise InputError(f"the plan has no place {asked.index}; it has {len(rows)}")
        rows[asked.index][:3] = asked.place
        first = int(min(max(0.0, runner.state_now().index), len(rows) - 1))
        self._world.plan(rows, self._world.instances[asked.vehicle].name, first)

    def tell(self) -> None:
        """Tell the pages which plans are no longer what they last heard."""
        for vehicle, told in self._told.items():
            now = self._plan(vehicle)
            if not np.array_equal(now, told):
                self._told[vehicle] = now
                places = [say.Waypoint(position=(row[0], row[1], row[2]), land=row[6] > 0) for row in now.tolist()]
                own = np.array_equal(now, self._runner(vehicle).first_plan)
                self._link.tell(say.Planned(vehicle=vehicle, plan=places, own=own))

    def _plan(self, vehicle: int) -> Any:
        return self._runner(vehicle).plan.copy()

    def _runner(self, vehicle: int) -> Any:
        instance = self._world.instances[vehicle]
        if not can_go(instance):
            able = [one.name for one in self._world.instances if can_go(one)]
            raise InputError(f"{instance.name} flies no plan; those that do: {', '.join(able) or 'none'}")
        return instance.runners["mission"]

    def _yaw(self, vehicle: int) -> float:
        """As it looks now."""
        w, x, y, z = self._world.motion(self._world.instances[vehicle].name).quat_wb
        return float(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
