"""Inputs to a world with their ticks; the same inputs at the same ticks give a bit-identical run."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from cupola.schema.input_files import InputError, boundary

if TYPE_CHECKING:
    from cupola.sim.world import World


class Command(NamedTuple):
    """A recorded call of one of the world's methods."""

    tick: int
    """First tick at which it takes effect."""
    call: str
    """Name of the method."""
    arguments: tuple[Any, ...]
    outside: bool
    """False: the scenario or the sticks caused it, and will do so again in a repetition."""


ACTS: tuple[str, ...] = (
    *("sticks", "turn", "take_over", "stop_motors", "restart", "drop_box", "remove_boxes", "script", "plan"),
    *("tune", "push", "fail", "set_inertia"),
)
"""Methods of a world whose calls are passed to its listeners; a recording can call only these."""


def repeat(world: "World", commands: Iterable[Command], until: int) -> None:
    """Run a world to tick `until` with the recorded inputs of another; its observers are called as usual."""
    for command in sorted((c for c in commands if c.outside), key=lambda c: c.tick):
        if command.call not in ACTS:
            raise InputError(f"{command.call!r} is not a recorded command; commands are: {', '.join(ACTS)}")
        if world.tick <= command.tick <= until:
            world.run((command.tick - world.tick) * world.dt)
            with boundary(f"tick {command.tick}", f"cannot {command.call}"):
                getattr(world, command.call)(*command.arguments)
    world.run((until - world.tick) * world.dt)
