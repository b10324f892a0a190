"""Manual control from a page: what its keys, gamepad and cursor do moves the bases of a world."""

import math

from cupola.cockpit import messages as say
from cupola.cockpit.link import Link
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World
from cupola.teleop.manual import Manual, drive, manual_for
from cupola.teleop.manual_modes import Pad

MODE, GEAR = 7, 6
"""To begin with: W S A D and Q E, at 0.2 m/s; a laptop has no keypad."""
RATE_HZ = 50.0
"""Of the commands: a press shall be felt at once."""
TELL_PERIOD = 1 / 30
"""[s] between two messages to the pages."""


class ManualControl:
    """Manual control of the bases of one world. Input is timed by the wall clock, independent of simulation speed."""

    def __init__(self, world: World, link: Link) -> None:
        self._world, self._link = world, link
        made = [manual_for(instance.runners, rate_hz=RATE_HZ, gear=GEAR, mode=MODE) for instance in world.instances]
        self._manuals = {vehicle: manual for vehicle, manual in enumerate(made) if manual}
        self._until: dict[int, float] = {}
        """When a hand that is not heard of again lets go [s]."""
        self._by_hand: set[int] = set()
        self._said: dict[int, say.Driven] = {}
        self._next_tell = 0.0

    def feel(self, hand: say.Hand, now: float) -> bool:
        """Apply the input of a page at `now` [s]; True once the page drives, which begins with its first movement."""
        manual = self._manual(hand.vehicle)
        manual.pad(Pad(*hand.pad) if hand.pad else None)
        manual.mouse(hand.cursor)
        manual.hold(hand.keys)
        if hand.notches:
            manual.scroll(hand.notches)
        self._until[hand.vehicle] = now + say.STICKS_EXPIRE
        if not manual.stopped:
            self._by_hand.add(hand.vehicle)
        return not manual.stopped

    def look(self, now: float) -> None:
        """Send due commands, stop bases whose page has fallen silent, and report the state to the pages."""
        for vehicle in [v for v, until in self._until.items() if until < now]:
            self.stop(vehicle)
        for vehicle in self._by_hand:
            drive(self._world, self._manuals[vehicle], now, self._world.instances[vehicle].name)
        if now > self._next_tell:
            self._next_tell = now + TELL_PERIOD
            self._tell()

    def stop(self, vehicle: int | None = None) -> None:
        """Stop a base that is driven by hand (None: all); keys that are still held must be pressed again."""
        for k, manual in self._manuals.items():
            if vehicle in (None, k):
                manual.stop()
                self._until.pop(k, None)

    def leave(self, vehicle: int | None = None) -> None:
        """Release manual control of a base (None: all) until the page moves something again."""
        self.stop(vehicle)
        self._by_hand = set() if vehicle is None else self._by_hand - {vehicle}

    def _manual(self, vehicle: int) -> Manual:
        if vehicle not in self._manuals:
            known = ", ".join(f"{k} ({self._world.instances[k].name})" for k in self._manuals) or "none"
            raise InputError(f"vehicle {vehicle} cannot be driven by hand; these can: {known}")
        return self._manuals[vehicle]

    def _tell(self) -> None:
        for vehicle, manual in self._manuals.items():
            shown = manual.shown()
            now = say.Driven(
                vehicle=vehicle,
                by_hand=vehicle in self._by_hand,
                mode=shown.mode,
                why_not=[why for _, why in shown.modes],
                gear=shown.gear,
                values=list(shown.values),
                command=[None if math.isnan(number) else number for number in shown.command],
                stopped=shown.stopped,
            )
            if now != self._said.get(vehicle):
                self._said[vehicle] = now
                self._link.tell(now)
