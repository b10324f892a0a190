"""How a vehicle was in a recording: as far as its rows, its commands and its events tell."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from cupola.cockpit.condition import Facts, condition, surroundings_of
from cupola.cockpit.messages import Condition
from cupola.kernel.observation import Observation
from cupola.record.events import FAULT, MENDED, TAKE_OFF, TOUCH, EventFinder
from cupola.record.read import Recording
from cupola.sim.world import World


class RecordedCondition:
    """Of one vehicle. `touched`: whether it touches the floor in the first row."""

    def __init__(
        self,
        world: World,
        vehicle: int,
        file: Recording,
        commands: Sequence[tuple[float, str, Sequence[Any]]],
        touched: bool,
    ) -> None:
        name = world.instances[vehicle].name
        self._fixed = surroundings_of(world, vehicle)
        self._off = _Steps(
            (time, bool(to[0])) for time, call, to in commands if call == "stop_motors" and to[1] in (None, name)
        )
        events = [one for one in file.events if one.vehicle == name]
        self._touches = _Steps((time, event == TOUCH) for time, _, _, event in events if event in (TOUCH, TAKE_OFF))
        self._touches.first = touched
        faults = [(time, f"{part} {event.partition(': ')[2]}", event) for time, _, part, event in events]
        self._faults = {
            fault: _Steps((time, event.startswith(FAULT)) for time, which, event in faults if which == fault)
            for _, fault, event in faults
            if event.startswith((FAULT, MENDED))
        }

    def off(self, time: float) -> bool:
        """Whether its motors were held off."""
        return self._off.at(time)

    def at(self, time: float, now: Observation) -> Condition:
        """Then, where it was as observed."""
        return condition(
            Facts(
                now=now,
                touches=self._touches.at(time),
                off=self.off(time),
                failed=[fault for fault, steps in self._faults.items() if steps.at(time)],
                **self._fixed,
            )
        )


def recorded_conditions(
    world: World, file: Recording, commands: Sequence[tuple[float, str, Sequence[Any]]]
) -> list[RecordedCondition]:
    """Of each vehicle of a world that stands where the recording begins."""
    touched = EventFinder(world).touched_at(world.arrays.qpos)
    return [RecordedCondition(world, k, file, commands, bool(one)) for k, one in enumerate(touched)]


class _Steps:
    """Something that is or is not, from times on."""

    def __init__(self, changes: Any) -> None:
        found = sorted(changes)
        self.times = [time for time, _ in found]
        self.values = [value for _, value in found]
        self.first = False

    def at(self, time: float) -> bool:
        """Whether it is."""
        k = bisect_right(self.times, time)
        return self.values[k - 1] if k else self.first
