"""The stages of one world: addresses of compiled kernels, rows to call them for, and parts in plain Python."""

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cupola.build.schedule import Group, Step, priority, steps_of
from cupola.engine.adapters import C_BATCH, C_SAMPLE, Unit, needs_of, plain
from cupola.engine.core import ENTRIES, WorldTraits
from cupola.engine.python_parts import python_steps
from cupola.engine.units import CORE, compile_all
from cupola.kernel.memory import Views
from cupola.kernel.records import leaves
from cupola.kernel.rows import ENTRY, SENSOR
from cupola.kernel.stages import STAGES

if TYPE_CHECKING:
    from cupola.build.compile import BoundPart


class Entries:
    """Everything that the loop calls by address."""

    def __init__(self, traits: WorldTraits, parts: "Sequence[BoundPart]", listened: set[str]) -> None:
        """Lay out the stages; `listened` are the parts whose published values another part takes."""
        self.parts = parts
        self.groups: list[Group] = list(dict.fromkeys(bound.group for bound in parts))
        heard = {bound.group for bound in parts if bound.full_name in listened}
        self.steps: dict[str, list[Step]] = {stage: steps_of(stage, self.groups, heard) for stage in STAGES}
        core = [entry for entry in ENTRIES if entry.wanted(traits)]
        self.core: dict[str, list[str]] = {
            stage: [entry.name for entry in core if entry.stage == stage] for stage in STAGES
        }
        self.python: dict[str, list[tuple[Any, Any]]] = python_steps(parts)
        self.failures: list[BaseException] = []
        """Exceptions of parts in plain Python."""
        self._callbacks: list[Any] = []
        counts = [len(self.core[s]) + len(self.steps[s]) + len(self.python.get(s, ())) for s in STAGES]
        self.starts: Any = np.array([0, *np.cumsum(counts)], np.int64)
        self.table: Any = np.zeros(int(self.starts[-1]), ENTRY)
        self.sensed: list[BoundPart] = [bound for bound in parts if "counter" in (bound.rows.dtype.names or ())]
        self.sensors: Any = np.zeros(len(self.sensed), SENSOR)
        self.settling: Any = np.array([place for bound in parts for place in _settling(bound)], np.int64)

    def uses(self, stage: str) -> bool:
        """Whether a stage has any entry."""
        k = list(STAGES).index(stage)
        return bool(self.starts[k + 1] > self.starts[k])

    def failed_part(self, entry: int, row: int) -> "BoundPart | None":
        """The part whose kernel failed."""
        owner = self.owners[entry]
        if owner is None or not isinstance(owner, Group):
            return owner
        return next(bound for bound in self.parts if bound.group == owner and bound.place == row)

    def sensor_row(self, bound: "BoundPart") -> Any:
        """The row of a sensor's samples."""
        return self.sensors[self.sensed.index(bound) :][:1]

    def connect(self, arrays: Views, channels: list[slice], controllers: list[type]) -> None:
        """Compile what is not kept on disk, and fill in the addresses."""
        self._views = arrays
        rows = {bound.group: bound.rows for bound in self.parts}
        units = [Unit(s.group.kind, s.kernel, s.group.variant) for steps in self.steps.values() for s in steps]
        units += [Unit(g.kind, "measure", g.variant) for g in self.groups if hasattr(g.kind, "measure")]
        core = [name for names in self.core.values() for name in names]
        found = compile_all([u for u in units if not u.kind.plain], core, controllers)
        self.owners: list[Any] = []
        entries = []
        for stage in STAGES:
            for name in self.core[stage]:
                entries.append((found[CORE, name], 0, 0))
                self.owners.append(None)
            for step, bound, make in self._in_order(stage):
                if step is not None:
                    group = rows[step.group]
                    entries.append((self._function(step, rows, found), group.ctypes.data, len(group)))
                    self.owners.append(step.group)
                    continue
                callback = self._keep(C_BATCH(make(arrays, channels[int(bound.row["vehicle"])], self.failures)))
                entries.append((callback, 0, 0))
                self.owners.append(bound)
        self.table[:] = np.array(entries, ENTRY)
        for row, bound in zip(self.sensors, self.sensed, strict=True):
            for name in ("period", "start", "capacity", "width", "counter", "stream"):
                row[name] = bound.row[name]
            row["rows"] = bound.rows.ctypes.data + bound.place * bound.rows.itemsize
            sensor: Any = bound.part
            row["needs"], row["loss"] = needs_of(bound.group.kind, bound.group.variant), sensor.own_loss()
            row["function"] = self._measure(bound, rows, found, arrays)

    def _in_order(self, stage: str) -> list[tuple[Step | None, Any, Any]]:
        """Compiled kernels of a stage, and parts in plain Python before those of a higher number."""
        found: list[tuple[Step | None, Any, Any]] = [(step, None, None) for step in self.steps[stage]]
        for bound, make in self.python.get(stage, ()):
            later = (k for k, (step, *_) in enumerate(found) if step is not None and priority(step) > bound.part.order)
            found.insert(next(later, len(found)), (None, bound, make))
        return found

    def _function(self, step: Step, rows: dict[Group, Any], found: dict[Any, int]) -> int:
        unit = Unit(step.group.kind, step.kernel, step.group.variant)
        if unit.kind.plain:
            return self._keep(plain(unit, self._views, rows[step.group], self.failures))
        return found[unit]

    def _measure(self, bound: "BoundPart", rows: dict[Group, Any], found: dict[Any, int], arrays: Views) -> int:
        unit = Unit(bound.group.kind, "measure", bound.group.variant)
        if not hasattr(unit.kind, "measure"):
            (make,) = [make for one, make in self.python["measure"] if one is bound]
            return self._keep(C_SAMPLE(make(arrays, slice(0), self.failures)))
        if unit.kind.plain:
            return self._keep(plain(unit, arrays, rows[bound.group], self.failures))
        return found[unit]

    def _keep(self, callback: Any) -> int:
        """Address of a callback, which must outlive the loop."""
        self._callbacks.append(callback)
        return int(ctypes.cast(callback, ctypes.c_void_p).value or 0)


def _settling(bound: "BoundPart") -> list[int]:
    """Places of what comes to rest: as its kind says, or all of a kind of somebody's own that says nothing."""
    kind = bound.group.kind
    names = leaves(kind.State)
    own = kind.__module__.partition(".")[0] != "cupola" and not hasattr(kind, "settle") and hasattr(kind, "actuate")
    fields = bound.part.settles or (names if own else ())
    return [int(bound.row["state"]) + names.index(field) for field in fields]
