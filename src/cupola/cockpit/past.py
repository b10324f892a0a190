"""Moments of a run to go back to, to the bit: states that are kept every so often, and what was done in between."""

from collections.abc import Callable

from cupola.schema.yaml_files import InputError
from cupola.sim.events import Command, repeat
from cupola.sim.world import Snapshot, World

EVERY, WORK = 1.0, 0.06
"""[s] of simulated time and of computing between two states, at first: to come back takes about as long."""
LEAST_WORK = 0.02
"""[s] of computing between two states, however much time is simulated in it: to keep one takes a millisecond or two."""
MOST_BYTES = 128e6
"""Of states that are kept; beyond, every other one is dropped and the next come half as often."""
FEWEST = 60
"""States, however large each is."""


class Past:
    """What has been, up to `end`; the world may stand anywhere in it."""

    def __init__(self, world: World, branched: Callable[[], None]) -> None:
        """`branched` is called when the world goes on from an earlier moment, in another way."""
        self._world, self._branched = world, branched
        self._spacing = 1
        self._worked = 0.0
        """[s] computed since the last state."""
        self._most = FEWEST
        self._states: list[tuple[int, int, Snapshot]] = []
        """Tick, number of commands until then, state."""
        self._commands: list[Command] = []
        self.repeats = False
        """Whether what was done before is being done again."""
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
        if self._why_not or (self._states and not self._is_due(tick)):
            return
        try:
            self._states.append((tick, len(self._commands), self._world.snapshot()))
        except InputError as error:  # a model from outside that cannot give its state
            self._why_not = str(error)
            return
        self._worked = 0.0
        if len(self._states) == 1:
            self._most = max(FEWEST, int(MOST_BYTES / _size(self._states[0][2])))
        if len(self._states) > self._most:
            self._states, self._spacing = self._states[::2], 2 * self._spacing

    def work(self, seconds: float) -> None:
        """The world has computed for so long [s] since the last call."""
        self._worked += seconds

    def _is_due(self, tick: int) -> bool:
        since = (tick - self._states[-1][0]) * self._world.dt
        long = since >= self._spacing * EVERY and self._worked >= LEAST_WORK
        return long or self._worked >= self._spacing * WORK

    def go(self, tick: int) -> None:
        """Let the world stand at a tick that has been; what comes after it stays known."""
        tick = min(max(tick, self._states[0][0] if self._states else 0), self.end)
        if self._why_not:
            raise InputError(f"this world cannot go back: {self._why_not}")
        _, before, state = max((one for one in self._states if one[0] <= tick), key=lambda one: one[0])
        self.repeats = True
        try:
            self._world.restore(state)
            repeat(self._world, self._commands[before:], tick)
        finally:
            self.repeats = False

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
        self._spacing, self._worked = 1, 0.0
        self.end = self._world.tick
        self.keep()

    def _told(self, command: Command) -> None:
        if self.repeats:  # that is known already
            return
        if command.outside:
            self.go_on()
        self._commands.append(command)


def _size(state: Snapshot) -> int:
    """[bytes] of its numbers."""
    return int(state.engine.nbytes + sum(array.nbytes for array in state.numbers.values()))
