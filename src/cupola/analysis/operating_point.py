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
    """An equilibrium or steady motion of a vehicle."""

    system: Dynamics
    state: Array
    inputs: Array
    rates: Array
    """Residual rate of each state; positions and rotating joints may keep changing."""
    outputs: Array
    free: tuple[str, ...]
    """Undetermined quantities, in words; each keeps its present value, or the nearest possible."""
    notes: tuple[str, ...]
    """Assumptions, and quantities that had to be solved for."""

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
        """Value of each command channel."""
        pairs = zip(self.system.controls, self.inputs.tolist(), strict=True)
        return {channel: one.command(value) for one, value in pairs for channel in one.channels}

    def put(self, world: World | None = None) -> None:
        """Set a world to this point: state, states of parts, commands. It must be of the same scenario."""
        system = self.system if world is None else Dynamics(world, self.system.name).like(self.system)
        system.put_all(self.state, self.inputs)
        system.world.arrays.drive[:] = system.world.arrays.command
        reopen(system.world._table)

    def open(self) -> None:
        """Prepare its system at this point again."""
        self.system.like(self.system)
        if self.system.through_air:
            self.system.leave_out_contacts()

    def deviation(self, world: World | None = None) -> Array:
        """Deviation of the present state from the operating point: the x of the linear model."""
        system = self.system if world is None else Dynamics(world, self.system.name).like(self.system)
        away = system.present()[0] - self.state
        for k, one in enumerate(system.states):
            if one.name in ("phi", "psi"):
                away[k] = math.remainder(away[k], 2.0 * math.pi)
        return np.array(away)
