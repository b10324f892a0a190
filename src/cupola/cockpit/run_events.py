"""What happened in a run, in words and in order of time: marks on the time bar and in plots."""

from collections.abc import Sequence
from typing import Any

from cupola.cockpit import messages as say
from cupola.record.events import TAKE_OFF, TOUCH, EventFinder, WorldEvent, events_of
from cupola.record.phases import PhaseFinder
from cupola.record.read import Recording
from cupola.sim.events import Command
from cupola.sim.world import World

MOST = 2000
"""Events that are kept; then the oldest are dropped, and their number is told."""
SAME = 1.0
"""[s] within which a number that is tuned again, as by a slider that is dragged, is one event."""
TUNE = "tune"
HOP = 0.2
"""[s] in the air that are no take-off: wheels that rattle would fill the list."""
RECENT = 50
"""Events among which the take-off of a hop is looked for."""


class LiveEvents:
    """Of one world, since the start of the run."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._many = len(world.instances) > 1
        self._finder, self._phases = EventFinder(world), PhaseFinder(world)
        self._events: list[say.RunEvent] = []
        self._lost = 0
        self.number = 0
        """Another one whenever something is new."""
        self.begin()

    def all(self) -> say.RunEvents:
        """In order of time."""
        return say.RunEvents(events=in_order(self._events), lost=self._lost)

    def observe(self, rows: Any) -> None:
        """Find what happened in new rows of the log."""
        if not len(rows):
            return
        for phase in self._phases.since(rows):
            self.add(phase.tick * self._world.dt, _of(phase.vehicle, phase.text, self._many))
        for event in self._finder.since(rows):
            self.add(event.tick * self._world.dt, *_told(event, self._many))

    def told(self, command: Command) -> None:
        """Somebody does something to the world."""
        time = command.tick * self._world.dt
        for event in events_of(command):
            self.add(time, *_told(event, self._many))
        if (words := words_of(command.call, command.arguments, self._many)) is None:
            return
        if command.call == TUNE and self._events and _is_same(self._events[-1], time, words):
            self._events.pop()
        self.add(time, words, alarm=command.call == "stop_motors" and bool(command.arguments[0]))

    def add(self, time: float, text: str, alarm: bool = False) -> None:
        """Something has happened at a time [s]."""
        if not text:
            return
        _put(self._events, say.RunEvent(time=time, text=text, alarm=alarm))
        over = len(self._events) - MOST
        if over > 0:
            self._events, self._lost = self._events[over:], self._lost + over
        self.number += 1

    def begin(self) -> None:
        """The world starts over."""
        self._events, self._lost = [], 0
        self.rewind()

    def cut(self, time: float) -> None:
        """The world goes on from a time [s] in another way."""
        self._events = [one for one in self._events if one.time <= time]

    def rewind(self) -> None:
        """The world stands at another moment; what it is doing there is nothing new."""
        self._phases.forget()
        self._phases.since(())
        self._finder.forget()
        self.number += 1


def in_order(events: list[say.RunEvent]) -> list[say.RunEvent]:
    """By time, and at the same time by words."""
    return sorted(events, key=lambda one: (one.time, one.text))


def recorded_events(
    file: Recording, vehicles: Sequence[str], commands: Sequence[tuple[float, str, Any]]
) -> say.RunEvents:
    """Those of a recording."""
    many = len(vehicles) > 1
    found = [
        say.RunEvent(time=time, text=text, alarm=alarm)
        for time, vehicle, part, event in file.events
        for text, alarm in [_told(WorldEvent(0, vehicle, part, event), many)]
    ]
    for vehicle in vehicles:
        found += [say.RunEvent(time=one.time, text=_of(vehicle, one.text, many)) for one in file.phases(vehicle)[1:]]
    for time, call, arguments in commands:
        if words := words_of(call, arguments, many):
            found.append(say.RunEvent(time=time, text=words, alarm=call == "stop_motors" and bool(arguments[0])))
    kept: list[say.RunEvent] = []
    for one in in_order([one for one in found if one.text]):
        _put(kept, one)
    return say.RunEvents(events=kept[-MOST:], lost=max(0, len(kept) - MOST))


def words_of(call: str, arguments: Sequence[Any], many: bool = False) -> str | None:
    """What a call does to the world; None for what goes on all the time, as sticks, or is told as an event."""
    match call, tuple(arguments):
        case "take_over", (mode, vehicle):
            return _of(str(vehicle), f"mode {mode}", many)
        case "stop_motors", (on, *_):
            return "motors off" if on else "motors on again"
        case "restart", (vehicle, *_):
            return _of(str(vehicle), "put back to its start", many)
        case "plan", (*_,):
            return "another plan"
        case "drop_box", _:
            return "box dropped"
        case "remove_boxes", _:
            return "boxes removed"
        case "tune", (name, float() | int() as value):
            return f"{name} = {value:g}"
        case "tune", (name, *_):
            return f"{name} changed"
        case "set_inertia", (body, *_):
            return f"inertia of {body} changed"
    return None


def _put(events: list[say.RunEvent], new: say.RunEvent) -> None:
    """Append; a touch that ends a hop takes the take-off away instead."""
    if new.text.endswith(TOUCH):
        left = f"{new.text.removesuffix(TOUCH)}{TAKE_OFF}"
        for k in range(len(events) - 1, max(-1, len(events) - 1 - RECENT), -1):
            if events[k].text == left and 0.0 <= new.time - events[k].time < HOP:
                del events[k]
                return
    events.append(new)


def _told(event: WorldEvent, many: bool) -> tuple[str, bool]:
    words = f"{event.part} {event.event}".strip()
    return _of(event.vehicle, words, many), event.event.startswith("fault")


def _of(vehicle: str, words: str, many: bool) -> str:
    return f"{vehicle}: {words}" if many and words else words


def _is_same(last: say.RunEvent, time: float, words: str) -> bool:
    """Whether the number that was tuned last is tuned again."""
    name, equals, _ = last.text.partition(" = ")
    return bool(equals) and name == words.partition(" = ")[0] and time - last.time <= SAME
