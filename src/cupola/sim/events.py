"""Inputs to a world with their ticks; the same inputs at the same ticks repeat a run to the bit."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cupola.sim.world import World


class Command(NamedTuple):
    """A call of one of the world's methods that acts on it."""

    tick: int
    """It acts from this tick on."""
    call: str
    """Name of the method."""
    arguments: tuple[Any, ...]
    outside: bool
    """False: the world did it by itself, from its scenario or its sticks, and will do so again."""


def repeat(world: "World", commands: Iterable[Command], until: int) -> None:
    """Run a world to tick `until` with the recorded inputs of another."""
    for command in sorted((c for c in commands if c.outside), key=lambda c: c.tick):
        if world.tick <= command.tick <= until:
            world.step(command.tick - world.tick)
            getattr(world, command.call)(*command.arguments)
    world.step(until - world.tick)
