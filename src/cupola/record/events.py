"""Events of a world: touch, take-off, grip, fault."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.kernel.array_groups import log_columns
from cupola.kernel.records import leaves
from cupola.record.stream import Stream
from cupola.record.topics import Log
from cupola.sim.events import Command
from cupola.sim.world import World

EVENTS = Stream("/events", "cupola_msgs/msg/Event", ())
TOUCH, TAKE_OFF = "touch", "take-off"
"""Names of the events when floor contact begins and ends."""
FAULT, MENDED = "fault", "mended"
"""How the names of failures and repairs begin, before a colon and their kind."""


class WorldEvent(NamedTuple):
    """An event."""

    tick: int
    vehicle: str
    part: str
    """Empty for the vehicle as a whole."""
    event: str


class EventFinder:
    """Finds what happened between two looks at a world.

    What parts declare is found in the log rows. Contacts are not in them: they are found again from the coordinates,
    where a vehicle touches the floor at one look and not at the other, or was low enough between two in the air.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        declared = list(_declared(world))
        self._names = [(vehicle, part, event) for vehicle, part, event, _ in declared]
        self._columns = [column for *_, column in declared]
        self._floor = int(world.arrays.world["floor"][0])
        self._body_owners = _body_owners(world)
        self._owners = self._body_owners[world.model.geom_bodyid]
        columns = log_columns(world.arrays)
        self._qpos, places = columns["qpos"], columns["xpos"]
        self._heights = slice(places.start + 2, places.stop, len("xyz"))
        self._reaches = _reaches(world.model)
        self._again: Any = None
        """Another copy of the engine's data, to look at rows with."""
        self.forget()

    def forget(self) -> None:
        """Restart after a reset or a restore."""
        self._before: Any = None
        self._touching = self._touches(self._world.data)

    def since(self, rows: Any) -> list[WorldEvent]:
        """What happened in these log rows, the first of which follows the last of the call before."""
        return sorted([*self._of_parts(rows), *self._of_contacts(rows)])

    def _of_parts(self, rows: Any) -> Iterator[WorldEvent]:
        if not self._columns or not len(rows):
            return
        on = rows[:, self._columns] != 0.0
        before = on[:1] if self._before is None else self._before
        self._before = on[-1:]
        for row, which in np.argwhere(on & ~np.concatenate([before, on[:-1]])):
            yield WorldEvent(int(rows[row, 0]), *self._names[which])

    def _of_contacts(self, rows: Any) -> Iterator[WorldEvent]:
        before, now = self._touching, self._touches(self._world.data)
        self._touching = now
        looked = (now != before) | (~(now | before) & self._came_near(rows))
        if not looked.any():
            return
        touching = np.array([before, *(self.touched_at(row[self._qpos]) for row in rows), now])
        ticks = [*rows[:, 0].astype(int).tolist(), self._world.tick]
        for k, vehicle in np.argwhere(looked & (touching[1:] != touching[:-1])):
            event = TOUCH if touching[k + 1, vehicle] else TAKE_OFF
            yield WorldEvent(ticks[k], self._world.instances[vehicle].name, "", event)

    def _came_near(self, rows: Any) -> Any:
        """Of each vehicle: whether it was so low in one of these rows that it may have touched the floor."""
        found = np.zeros(len(self._world.instances), bool)
        if self._floor >= 0 and len(rows):
            heights = rows[:, self._heights] - self._world.data.geom_xpos[self._floor, 2]
            owners = self._body_owners[(heights < self._reaches).any(axis=0)]
            found[owners[owners >= 0]] = True
        return found

    def touched_at(self, qpos: Any) -> Any:
        """Of each vehicle: whether it touches the floor at some coordinates."""
        if self._again is None:
            self._again = mujoco.MjData(self._world.model)
        self._again.qpos[:] = qpos
        mujoco.mj_kinematics(self._world.model, self._again)
        mujoco.mj_collision(self._world.model, self._again)
        return self._touches(self._again)

    def _touches(self, data: Any) -> Any:
        """Of each vehicle: whether it touches the floor."""
        found = np.zeros(len(self._world.instances), bool)
        if self._floor >= 0 and data.ncon:
            pairs = data.contact.geom
            others = pairs[(pairs == self._floor).any(axis=1)]
            owners = self._owners[others[others != self._floor]]
            found[owners[owners >= 0]] = True
        return found


def events_of(command: Command) -> list[WorldEvent]:
    """Events caused by commands: failures and repairs."""
    if command.call != "fail":
        return []
    name, kind, amount = command.arguments
    vehicle, _, part = name.partition(".")
    return [WorldEvent(command.tick, vehicle, part, f"{FAULT if amount else MENDED}: {kind}")]


def _declared(world: World) -> Iterator[tuple[str, str, str, int]]:
    """Vehicle, part, event and column of the log row of what parts declare."""
    log = Log(world)
    for bound in world.assembly.parts:
        group = bound.part.group()
        for field, event in bound.part.events.items():
            for array, record, first in (("outputs", group.Output, "output"), ("state", group.State, "state")):
                if field in leaves(record):
                    place = int(bound.row[first]) + leaves(record).index(field)
                    yield bound.vehicle, bound.name, event, log.column(array, place)
                    break


def _body_owners(world: World) -> Any:
    """Of each body: the vehicle it belongs to, -1 for none."""
    names = [world.model.body(body).name for body in range(world.model.nbody)]
    prefixes = [f"{instance.name}/" for instance in world.instances]
    return np.array([next((k for k, p in enumerate(prefixes) if name.startswith(p)), -1) for name in names])


def _reaches(model: Any) -> Any:
    """Of each body: how far from its origin its geoms reach [m]; -inf without any."""
    found = np.full(model.nbody, -np.inf)
    np.maximum.at(found, model.geom_bodyid, np.linalg.norm(model.geom_pos, axis=1) + model.geom_rbound)
    return found
