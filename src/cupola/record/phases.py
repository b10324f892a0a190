"""What the controllers of a world are doing, and at which row of its log they began to."""

from typing import Any, NamedTuple

import numpy as np

from cupola.record.topics import phase_columns, phase_names
from cupola.sim.world import World


class Phase(NamedTuple):
    """A controller does something else from here on."""

    tick: int
    vehicle: str
    text: str


class PhaseFinder:
    """Finds the phases that began between two looks at a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._dated, self._named = phase_columns(world), phase_names(world)
        self._said: dict[str, str] = {}
        """The last phase of each vehicle."""
        self._last_row: Any = None

    def forget(self) -> None:
        """The world was reset, or stands at another moment: rows do not follow those of the call before."""
        self._last_row = None

    def since(self, rows: Any) -> list[Phase]:
        """Those of these log rows, the first of which follows the last of the call before, and of the present."""
        found = [phase for vehicle in self._dated for phase in self._of(vehicle, rows)]
        self._last_row = rows[-1:] if len(rows) else self._last_row
        return found

    def _of(self, vehicle: str, rows: Any) -> list[Phase]:
        found = []
        changes = self._changes(vehicle, rows)
        for row in changes[:-1]:  # begun and ended since the last call: only their declared names are known
            for column, names in self._named[vehicle].items():
                if 0 <= row[column] < len(names):  # NaN: another controller is active
                    found.append(Phase(int(row[0]), vehicle, names[int(row[column])]))
        now = int(changes[-1][0]) if len(changes) else self._world.tick
        found.append(Phase(now, vehicle, self._world.mission(vehicle)))
        return [phase for phase in found if self._is_new(phase)]

    def _is_new(self, phase: Phase) -> bool:
        if phase.text == self._said.get(phase.vehicle):
            return False
        self._said[phase.vehicle] = phase.text
        return True

    def _changes(self, vehicle: str, rows: Any) -> Any:
        """The rows in which a controller of a vehicle reports another phase or waypoint than in the row before."""
        columns = self._dated[vehicle]
        if not columns or not len(rows):
            return rows[:0]
        before = rows[:1] if self._last_row is None else self._last_row
        told = np.nan_to_num(
            np.concatenate([before[:, columns], rows[:, columns]]), nan=-1.0
        )  # an inactive controller has none
        return rows[(told[1:] != told[:-1]).any(axis=1)]
