"""The back-end `warp`: articulated vehicles with contact on a GPU, through mujoco-warp.

MuJoCo's stages are those of mujoco-warp, in numbers of 32 bits; between them the kernels of the parts, air and laws run
on the same memory (`many.warp_text`), as the loop of a single world calls them. A tick is captured once and then
replayed by the GPU alone. Without a GPU the same runs on the processor, slowly: for tests.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cupola.config.scenario import Scenario
from cupola.kernel.memory import STICKS
from cupola.many import spread
from cupola.many.asked import names_of, stick_rows
from cupola.many.batch import Array, Motion
from cupola.many.threads import MOTION
from cupola.many.warp_arrays import modules
from cupola.many.warp_compile import place
from cupola.many.warp_memory import EACH, EACH_ROWS, THEIRS
from cupola.many.warp_starts import WarpStarts
from cupola.many.warp_text import COMMAND, PART, RUNS_AWAY
from cupola.parts.shown import Signal
from cupola.schema.arguments import text, whole_number
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

log = logging.getLogger("cupola")
LOST_SOME = 3
"""Status of a world that lost contacts or constraints; the others are those of `warp_text`."""


def make(
    scenario: str | Path | Scenario,
    n: int,
    numbers: dict[str, Any],
    *,
    seeds: Any = None,
    trust: bool | Trust = False,
    device: str | None = None,
    nconmax: int | None = None,
    njmax: int | None = None,
    without: Sequence[str] = (),
) -> "WarpBatch":
    """Worlds of a scenario; `nconmax` contacts and `njmax` rows of constraints each; `without` some of its sensors."""
    warp, _ = modules()
    made = WarpBatch(scenario, n, numbers, seeds, trust, place(device, warp), nconmax, njmax, tuple(without))
    made.begin()
    return made


class WarpBatch(WarpStarts):
    """Worlds beside each other in the arrays of mujoco-warp, `data`, and in arrays of ours, `arrays`."""

    def begin(self) -> None:
        """All at their start, and on a GPU a tick as a graph that it replays."""
        self.reset()
        if self._where.gpu:
            with self._here():
                self._capture()

    @property
    def pattern(self) -> World:
        """The world that is never driven."""
        return self.world

    @property
    def ticks(self) -> Array:
        """Per world: how many ticks have passed."""
        return np.array(self._where.host(self.arrays["counters"])[0])

    def step(self, ticks: int = 1) -> None:
        """Advance every world that runs by `ticks`."""
        self.check_open()
        with self._here():
            for _ in range(whole_number(ticks, "step: ticks", 0)):
                if self._graph is None:
                    self._tick()
                else:
                    self.warp.capture_launch(self._graph)
        self._find_stopped()

    def _find_stopped(self) -> None:
        status, lost = self._where.host(self._status), self._lost()
        if lost.any():  # they stop here, and are not driven on with contacts that are not all
            status = np.where((lost != 0) & (status == 0), LOST_SOME, status)
            self._where.put(self._status, status)
        found = [int(i) for i in np.flatnonzero(status) if int(i) not in self.stopped]
        ticks = self.ticks if found else ()
        for i in found:
            said = self._overflow(int(lost[i])) if lost[i] else self._why(int(status[i]))
            self.stopped[i] = f"stopped at tick {ticks[i]} (t = {ticks[i] * self.dt:.6g} s): {said}"
        if found and self.tells:
            first = found[0]
            log.warning("%d of %d worlds stopped, as world %d: %s", len(found), self.n, first, self.stopped[first])

    def _why(self, status: int) -> str:
        if status >= PART:
            step = self.texts.blamed[status - PART]
            return f"the kernel {step.kernel} of a part of kind {step.group.kind.__name__} gave no number"
        return {
            COMMAND: "its controller gave a command that is not a number",
            RUNS_AWAY: "it runs away, or its motion is no number",
        }[status]

    def _lost(self) -> Array:
        """Per world: what found no room since its reset, as mujoco-warp counts it; slow solvers lose nothing."""
        kinds = self._mjw.OverflowType
        return np.asarray(self.data.overflow.numpy()) & ~int(kinds.ITERATIONS | kinds.LS_ITERATIONS)

    def _overflow(self, lost: int) -> str:
        rows = self._mjw.OverflowType.NEFC | self._mjw.OverflowType.NJMAX_NNZ
        if lost & int(rows):
            return f"it has more than njmax = {self.njmax} rows of constraints; give the batch more"
        said = f"contacts of {self.n} worlds found no room in {self.data.naconmax} places"
        return f"{said}, and whose is not known; give the batch an nconmax above {self.nconmax}"

    # numbers

    def set(self, name: str, value: Any, mask: Any = None) -> None:
        """Give worlds other sticks, `vehicle.sticks`; other numbers act from the next reset of a world on."""
        which = np.array(self.chosen(mask), np.intp)
        vehicle, _, what = text(name, "set: name").rpartition(".")
        names = [one.name for one in self.world.instances]
        if what == "sticks" and vehicle in names:
            rows, now = (
                stick_rows(value, len(which), STICKS, vehicle),
                np.array(self._where.host(self.arrays["sticks"])),
            )
            moved = now[names.index(vehicle)][:, which].T
            self.world.runner(vehicle).put_sticks(moved, rows)
            now[names.index(vehicle)][:, which] = moved.T
            self._where.put(self.arrays["sticks"], now)
            return
        if name not in self._numbers:
            raise InputError(f"warp: {name}: worlds have numbers of their own from the start: give it to cupola.batch")
        self._numbers[name][which] = spread.drawn(name, value, self.seeds[which])
        if len(which) == self.n:
            self._given[name] = value  # what is drawn again

    # what is seen

    def state(self, vehicle: str | None = None) -> Motion:
        """Motion of a vehicle in every world."""
        names = [one.name for one in self.world.instances]
        if vehicle is not None and vehicle not in names:
            raise InputError(f"there is no vehicle {vehicle!r}; there are: {', '.join(names)}")
        rows = self._where.host(self.arrays["observations"])[:, names.index(vehicle) if vehicle else 0]
        time, *rest = (np.stack([rows[column] for column in columns], axis=-1) for columns in MOTION.values())
        return Motion(time[:, 0], *rest)

    def signals(self) -> list[Signal]:
        """Every number that has a name and a unit in a world, but for those of sensors that were left out."""
        return [s for s in self.world.signals() if not any(s.name.startswith(f"{name}.") for name in self.left_out)]

    def observe(self, names: Sequence[str]) -> Array:
        """Present values of signals or groups of them: a row for each world."""
        known = {one.name for one in self.signals()}
        asked = [one for name in names_of(names) for one in self.world.find_signals(name)]
        if lost := [one.name for one, _ in asked if one.name not in known]:
            raise InputError(f"warp: {lost[0]} is of a sensor that was left out")
        found = np.full((self.n, len(asked)), np.nan)
        computed = []
        for k, (signal, _) in enumerate(asked):
            column = self._column(signal)
            if column is None:
                computed.append((k, signal.name))
            else:
                found[:, k] = column
        for i in range(self.n) if computed else ():
            self._show(i)
            for k, name in computed:
                found[i, k] = self.world.signal(name)
        return found

    def _column(self, signal: Signal) -> Array | None:
        if signal.array in THEIRS and signal.array in self._theirs:
            whole = self._where.host(self._theirs[signal.array])
            return np.asarray(whole.reshape(self.n, -1)[:, signal.place], float)
        if signal.array in EACH and signal.array != "samples":
            return np.asarray(self._where.host(self.arrays[signal.array]).reshape(-1, self.n)[signal.place], float)
        if signal.array in EACH_ROWS:
            rows = self._where.host(self.arrays[signal.array])
            return np.asarray(np.ascontiguousarray(rows).view(np.float64).reshape(self.n, -1)[:, signal.place])
        return None

    def _show(self, i: int) -> None:
        """Put what is seen of world `i` into the pattern."""
        for name in ("state", "outputs", "reported", "counters", "observations", "air_samples"):
            if name in self.arrays:
                whole = self._where.host(self.arrays[name])
                np.asarray(getattr(self.world.arrays, name))[...] = whole[i] if name in EACH_ROWS else whole[..., i]
        samples = self._where.host(self.arrays["samples"])[:, i]
        for bound in self.world.assembly.entries.sensed:
            if ring := self.texts.rings.get(bound.full_name):
                count, width = int(self.world.arrays.counters[int(bound.row["counter"])]), ring.width + 1
                for index in range(max(0, count - ring.capacity), count):
                    at = ring.start + index % ring.capacity * width
                    there = int(bound.row["start"]) + index % int(bound.row["capacity"]) * width
                    self.world.arrays.samples[there : there + width] = samples[at : at + width]

    def measures(self) -> dict[str, Array]:
        """Refused: a history of all worlds is not kept."""
        raise InputError("warp keeps no history, so it has no measures; the back-end threads has")

    def record(self, worlds: Sequence[int], folder: Path | str) -> list[Path]:
        """Refused, as well."""
        raise InputError("warp does not record; run world i alone with its seed and numbers, or use threads")

    def close(self) -> None:
        """Let go of the worlds."""
        self._graph, self.closed = None, True
