"""Moments of a run to go back to, to the bit: states that are kept every so often, and what was done in between."""

from collections.abc import Callable

from cupola.schema.yaml_files import InputError
from cupola.sim.events import Command, repeat
from cupola.sim.world import Snapshot, World

EVERY = 2.0
"""[s] of simulated time between two states, at first."""
MOST = 60
"""States that are kept; beyond, every other one is dropped and the next come half as often."""


class Past:
    """What has been, up to `end`; the world may stand anywhere in it."""

    def __init__(self, world: World, branched: Callable[[], None]) -> None:
        """`branched` is called when the world goes on from an earlier moment, in another way."""
        self._world, self._branched = world, branched
        self._period = round(EVERY / world.dt)
        self._states: list[tuple[int, int, Snapshot]] = []
        """Tick, number of commands until then, state."""
        self._commands: list[Command] = []
        self._listens = True
        self._why_not = ""
        self.end = world.tick
        """[ticks] that were reached."""
        self.keep()
        world.listeners.append(self._told)

    def close(self) -> None:
        """The world is left."""
        self._world.listeners.remove(self._told)

    def keep(self) -> None:
        """Called often while the world goes on."""
        tick = self._world.tick
        self.end = max(self.end, tick)
        if self._why_not or (self._states and tick < self._states[-1][0] + self._period):
            return
        try:
            self._states.append((tick, len(self._commands), self._world.snapshot()))
        except InputError as error:  # a model from outside that cannot give its state
            self._why_not = str(error)
        if len(self._states) > MOST:
            self._states, self._period = self._states[::2], 2 * self._period

    def go(self, tick: int) -> None:
        """Let the world stand at a tick that has been; what comes after it stays known."""
        tick = min(max(tick, self._states[0][0] if self._states else 0), self.end)
        if self._why_not:
            raise InputError(f"this world cannot go back: {self._why_not}")
        _, before, state = max((one for one in self._states if one[0] <= tick), key=lambda one: one[0])
        self._listens = False  # what is done again is known already
        try:
            self._world.restore(state)
            repeat(self._world, self._commands[before:], tick)
        finally:
            self._listens = True

    def go_on(self) -> None:
        """The world goes on from where it stands: what came after it has not happened."""
        tick = self._world.tick
        if tick == self.end:
            return
        self.end = tick
        self._states = [one for one in self._states if one[0] <= tick]
        self._commands = [one for one in self._commands if one.tick <= tick]
        self._branched()

    def begin(self) -> None:
        """The world has started over, or was put into another state: nothing has been."""
        self._states, self._commands, self._why_not = [], [], ""
        self.end = self._world.tick
        self.keep()

    def _told(self, command: Command) -> None:
        if not self._listens:
            return
        if command.outside:
            self.go_on()
        self._commands.append(command)
