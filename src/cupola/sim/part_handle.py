"""Read access to a part of a world: its outputs, its state, and the numbers of its kernels."""

from typing import Any

import numpy as np

from cupola.build.compile import BoundPart
from cupola.kernel.memory import Views
from cupola.kernel.records import construct, leaves, size
from cupola.parts.part import Part


class PartHandle:
    """One part: `world.part("wing").outputs.alpha`."""

    def __init__(self, bound: BoundPart, arrays: Views) -> None:
        self._bound, self._arrays = bound, arrays
        self.name: str = bound.name
        self.vehicle: str = bound.vehicle
        self.part: Part = bound.part

    @property
    def row(self) -> Any:
        """The parameters that its kernels read, by name; a written value acts from the next tick on."""
        return self._bound.rows[self._bound.place : self._bound.place + 1].view(np.recarray)[0]

    @property
    def outputs(self) -> Any:
        """Its present outputs, by name."""
        return _read(self._bound.group.kind.Output, self._arrays.outputs, int(self.row.output))

    @property
    def state(self) -> Any:
        """Its state, by name."""
        return _read(self._bound.group.kind.State, self._arrays.state, int(self.row.state))

    def set_state(self, **values: float) -> None:
        """Change its state."""
        names = leaves(self._bound.group.kind.State)
        for name, value in values.items():
            if name not in names:
                raise ValueError(f"{self.name} has no state {name!r}; it has: {', '.join(names) or 'none'}")
            self._arrays.state[int(self.row.state) + names.index(name)] = value


def _read(cls: Any, array: Any, at: int) -> Any:
    return None if cls is None else construct(cls, array[at : at + size(cls)].tolist())
