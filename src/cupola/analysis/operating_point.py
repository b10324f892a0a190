"""An operating point as it was found: state, commands, what is left, and how to put a world there."""

import math
from dataclasses import dataclass

import numpy as np

from cupola.analysis.dynamics import Dynamics
from cupola.analysis.system import Array
from cupola.engine.loop import reopen
from cupola.sim.world import World


@dataclass(frozen=True)
class OperatingPoint:
    """Where a vehicle stays, or moves on steadily."""

    system: Dynamics
    state: Array
    inputs: Array
    rates: Array
    """What is left of the change of each state; places and turning joints may go on."""
    outputs: Array
    free: tuple[str, ...]
    """What is not determined, in words; each has its present value, or the nearest to it."""
    notes: tuple[str, ...]
    """What was assumed, or had to be found."""

    def values(self) -> dict[str, float]:
        """States, inputs and outputs by name."""
        found = dict(zip((one.name for one in self.system.outputs), self.outputs.tolist(), strict=True))
        found |= dict(zip((one.name for one in self.system.controls), self.inputs.tolist(), strict=True))
        return found

    def __getitem__(self, name: str) -> float:
        """A value by name."""
        self.system.find(name)
        return self.values()[name]

    def commands(self) -> dict[int, float]:
        """What each command channel must say."""
        pairs = zip(self.system.controls, self.inputs.tolist(), strict=True)
        return {channel: one.command(value) for one, value in pairs for channel in one.channels}

    def put(self, world: World | None = None) -> None:
        """Put a world there: state, what the parts remember, commands. It must be of the same scenario."""
        system = self.system if world is None else Dynamics(world, self.system.name).like(self.system)
        system.put_all(self.state, self.inputs)
        system.world.arrays.drive[:] = system.world.arrays.command
        reopen(system.world._table)

    def open(self) -> None:
        """Ask its system here again, as when it was found."""
        self.system.like(self.system)
        if self.system.through_air:
            self.system.leave_out_contacts()

    def deviation(self, world: World | None = None) -> Array:
        """The present state of a world less that of the operating point: the x of the linear model."""
        system = self.system if world is None else Dynamics(world, self.system.name).like(self.system)
        away = system.present()[0] - self.state
        for k, one in enumerate(system.states):
            if one.name in ("phi", "psi"):
                away[k] = math.remainder(away[k], 2.0 * math.pi)
        return np.array(away)
