"""What an FMU of a world takes: sticks, command channels, tunable numbers and failures, by their names."""

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cupola.config.controller import Controller
from cupola.kernel.memory import STICKS
from cupola.kernel.observation import Observation, Reference
from cupola.schema.yaml_files import InputError
from cupola.sim.signals import NAMED_STICKS
from cupola.sim.world import World

STICK, COMMAND, FAIL = "stick", "command", "fail"
NEAREST = 4
"""Names that are offered instead of an unknown one."""


class Input(NamedTuple):
    """One number that a world is told."""

    name: str
    unit: str
    start: float
    put: Callable[[float], None]


class Commands(Controller):
    """Flies with the commands of whoever runs the FMU, in the place of the vehicle's controller."""

    def __init__(self) -> None:
        super().__init__()
        self.row: list[float] = []

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """As they were told last."""
        return self.row


def commanded(names: Iterable[str], vehicles: Iterable[str]) -> dict[str, Commands]:
    """Who flies the vehicles of whose command channels one is an input."""
    listed = list(names)
    return {v: Commands() for v in vehicles if any(name.startswith(f"{v}.{COMMAND}") for name in listed)}


def find_inputs(world: World, names: Iterable[str], pilots: dict[str, Commands]) -> list[Input]:
    """The inputs of these names; the name of a group stands for all that is in it."""
    known = {one.name: one for one in _all(world, pilots)}
    found: dict[str, Input] = {}
    for name in names:
        inside = [one for key, one in known.items() if key == name or key.startswith(f"{name}.")]
        if not inside:
            near = ", ".join(difflib.get_close_matches(name, known, NEAREST, 0.0))
            raise InputError(f"there is no input {name!r}; the nearest: {near}")
        found |= {one.name: one for one in inside}
    return list(found.values())


def _all(world: World, pilots: dict[str, Commands]) -> Iterable[Input]:
    for instance in world.instances:
        vehicle, rest = instance.name, world.runner(instance.name).sticks
        for k in range(STICKS):
            name = NAMED_STICKS[k] if k < len(NAMED_STICKS) else f"{k}"
            yield Input(f"{vehicle}.{STICK}.{name}", "", float(rest[k]), _stick(world, vehicle, k))
        if pilot := pilots.get(vehicle):
            first = world.runner(vehicle).first_channel
            count = instance.channels.stop - instance.channels.start
            pilot.row = [0.0] * (count - first)
            for k in range(first, count):
                yield Input(f"{vehicle}.{COMMAND}.{k}", "", 0.0, _command(pilot, k - first))
    for name, (declared, value) in world.parameters.items():
        unit = "" if declared.unit == "1" else declared.unit
        yield Input(name, unit, value, lambda number, name=name: world.tune(name, number))  # type: ignore[misc]
    for part, kind, _ in world.faults():
        put = lambda amount, part=part, kind=kind: world.fail(part, kind, amount)  # noqa: E731
        yield Input(f"{part}.{FAIL}.{kind}", "", 0.0, put)


def _stick(world: World, vehicle: str, channel: int) -> Callable[[float], None]:
    def put(value: float) -> None:
        row = world.runner(vehicle).sticks.tolist()
        row[channel] = value
        world.sticks(row, vehicle)

    return put


def _command(pilot: Commands, place: int) -> Callable[[float], None]:
    def put(value: float) -> None:
        pilot.row[place] = value

    return put
