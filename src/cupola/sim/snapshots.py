"""Keeping the whole state of a world, and going back to it."""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import mujoco
import numpy as np

from cupola.build.compile import BoundPart
from cupola.engine.errors import replace_history
from cupola.engine.loop import STATE_SIGNATURE, reopen
from cupola.kernel.array_groups import KEPT
from cupola.schema.arguments import whole_number
from cupola.schema.yaml_files import InputError
from cupola.sim.crash_dump import read_states
from cupola.sim.interaction import Interaction
from cupola.sim.measures import Measures
from cupola.sim.snapshot_origin import Origin, check_fits, origin_of

if TYPE_CHECKING:
    from cupola.sim.world import World


class Snapshot(NamedTuple):
    """The state for `restore`."""

    engine: np.ndarray[Any, Any]
    numbers: dict[str, np.ndarray[Any, Any]]
    parts: list[dict[str, Any]]
    seed: int
    functions: list[dict[str, Any]]
    live: dict[str, Any]
    origin: Origin | None = None
    """What its numbers are; None in one of version 0.1."""


class Snapshots(Interaction):
    """A world that can be kept: a base class of `World`."""

    _remembering: list[BoundPart]
    _functions: list[Any]
    _measures: Measures | None

    def snapshot(self) -> Snapshot:
        """A copy of the whole state."""
        engine = np.zeros(self.engine_numbers)
        mujoco.mj_getState(self.model, self.data, engine, STATE_SIGNATURE)
        return Snapshot(
            engine,
            {name: getattr(self.arrays, name).copy() for name in KEPT},
            [b.part.memory() for b in self._remembering],
            int(self.arrays.world["seed"][0]),
            [f.memory() for f in self._functions],
            self._memory(),
            self.origin,
        )

    @cached_property
    def origin(self) -> Origin:
        """What the numbers of its snapshots are: vehicles, parts, states, joints, by their names."""
        return origin_of(self)

    @property
    def engine_numbers(self) -> int:
        """How many numbers the state of MuJoCo has."""
        return int(mujoco.mj_stateSize(self.model, STATE_SIGNATURE))

    def state_hash(self) -> str:
        """SHA-256 over all numbers of the state: equal for bit-identical worlds."""
        engine = np.zeros(self.engine_numbers)
        mujoco.mj_getState(self.model, self.data, engine, STATE_SIGNATURE)
        total = hashlib.sha256(engine.tobytes())
        for name in KEPT:
            total.update(getattr(self.arrays, name).tobytes())
        return total.hexdigest()

    def restore(self, snapshot: Snapshot | Path | str, index: int = -1) -> None:
        """Restore a snapshot exactly, or state `index` of the file of a stopped run (default: the last)."""
        if not isinstance(snapshot, Snapshot):
            if not isinstance(snapshot, str | Path) or not Path(snapshot).is_file():
                raise InputError(f"restore takes a snapshot or the file that a stopped run left, got {snapshot!r}")
            which = whole_number(index, "restore: index")
            found, before = read_states(cast("World", self), Path(snapshot), which)
            self.restore(found)
            replace_history(self.arrays, before)
            return
        check_fits(self, snapshot)
        self._go_to(snapshot)
        self.arrays.history[...] = np.nan  # history before a restore is invalid
        if self._measures:
            self._measures.rewind(cast("World", self))

    def _go_to(self, snapshot: Snapshot) -> None:
        """Restore a snapshot that may be of another process: the world stays as it is where that fails half-way."""
        if snapshot.origin is self.origin:
            self._go_back(snapshot)  # what refuses says why itself: an autopilot cannot be turned back
            return
        before = self.snapshot()
        try:
            self._go_back(snapshot)
        except Exception as error:
            self._go_back(before)
            if isinstance(error, InputError):
                raise
            raise InputError(f"the snapshot is damaged: {type(error).__name__}: {error}") from error

    def _go_back(self, snapshot: Snapshot) -> None:
        """Restore everything in a snapshot."""
        for bound, memory in zip(self._remembering, snapshot.parts, strict=True):
            bound.part.remember(memory)  # before anything is changed: an FMU may refuse
        mujoco.mj_setState(self.model, self.data, snapshot.engine, STATE_SIGNATURE)
        for name, values in snapshot.numbers.items():
            getattr(self.arrays, name)[...] = values
        self._remember(snapshot.live)
        for functions, memory in zip(self._functions, snapshot.functions, strict=True):
            functions.remember(memory)
        self.arrays.world["seed"] = snapshot.seed
        reopen(self._table)
