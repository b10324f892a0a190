"""The back-end `threads`: N worlds as they are, their compiled loops spread over the cores. Every vehicle, every part.

Between two calls of the compiled loop Python does what is due in each world, as a single world does; so each world
gives the bits of a single one.
"""

import concurrent.futures
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cupola.config.scenario import Scenario, find_scenario
from cupola.engine.many import advance_all, gather
from cupola.kernel.memory import STICKS
from cupola.kernel.rows import OBSERVATION, column_of
from cupola.many import spread
from cupola.many.asked import names_of, stick_rows
from cupola.many.batch import Array, Batch, Motion, checked_seeds
from cupola.parts.shown import Signal
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.arguments import described, text, whole_number
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.crash_dump import describe
from cupola.sim.world import World, load

log = logging.getLogger("cupola")
PORTIONS = 4
"""Per thread: worlds are handed out in this many portions, so that a slow one holds up little."""
MOTION = {"time": ("time",), "pos_w": ("x", "y", "z"), "quat_wb": ("qw", "qx", "qy", "qz")}
MOTION |= {"vel_w": ("vx", "vy", "vz"), "rate_b": ("p", "q", "r")}
FIXED = ("scenario.physics_hz", "scenario.duration", "scenario.seed")
"""Numbers of the scenario that all worlds share, or that have a place of their own."""


def make(
    scenario: str | Path | Scenario,
    n: int,
    numbers: dict[str, Any],
    *,
    seeds: Any = None,
    trust: bool | Trust = False,
    threads: int | None = None,
    controllers: Any = None,
) -> "ThreadBatch":
    """Worlds of a scenario by its name, its file or its content, on `threads` threads: by default one per core."""
    folder = None
    if not isinstance(scenario, Scenario):
        scenario, folder = find_scenario(str(scenario))

    def build(changes: dict[str, Any]) -> World:
        content = scenario.with_(changes) if changes else scenario
        if folder is None:
            return load(content, controllers=controllers, trust=trust)
        return World(content, folder, controllers=controllers, trust=trust)

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = cores if threads is None else whole_number(threads, "batch: threads", 1)
    return ThreadBatch(build, n, numbers, checked_seeds(seeds, scenario.seed, n), min(wanted, n))


class ThreadBatch(Batch):
    """Worlds beside each other; `worlds[i]` is an ordinary `cupola.World`."""

    def __init__(
        self, build: Callable[[dict[str, Any]], World], n: int, numbers: dict[str, Any], seeds: Array, threads: int
    ) -> None:
        for name in FIXED:
            if name in numbers:
                raise InputError(f"{name} is the same in all worlds; seeds are given as seeds=")
        self.n, self.seeds, self.stopped = n, seeds, {}
        self._build, self._given, self._threads = build, dict(numbers), threads
        self._numbers = {name: spread.drawn(name, value, seeds) for name, value in numbers.items()}
        self._pool = concurrent.futures.ThreadPoolExecutor(threads, "cupola-batch")
        self._recorders: list[WorldRecorder] = []
        self._recorded: set[int] = set()
        self.worlds: list[World] = [self._built(i) for i in range(n)]
        self.dt, self.duration = self.worlds[0].dt, self.worlds[0].scenario.duration
        self._connect()

    def _built(self, i: int) -> World:
        world = self._build(spread.scenario_changes(self._numbers, i))
        for name, values in self._numbers.items():
            if not name.startswith(spread.SCENARIO):
                spread.apply(world, name, values[i])
        world.reset(int(self.seeds[i]))
        return world

    def _connect(self) -> None:
        """Where the memory of every world lies."""
        self._tables = np.array([world.table for world in self.worlds])
        self._places: dict[tuple[str, ...], Array] = {}
        self._computed: dict[tuple[str, ...], list[tuple[int, str]]] = {}

    @property
    def pattern(self) -> World:
        """The first world."""
        return self.worlds[0]

    @property
    def ticks(self) -> Array:
        """Per world: how many ticks have passed."""
        return np.array([world.tick for world in self.worlds])

    def step(self, ticks: int = 1) -> None:
        """Advance every world that runs by `ticks`; one that stops does not stop the others."""
        self.check_open()
        left = np.full(self.n, whole_number(ticks, "step: ticks", 0))
        left[list(self.stopped)] = 0
        while left.any():
            many, done = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
            for i in np.flatnonzero(left):
                many[i] = self._prepared(int(i), int(left[i]))
            self._advance(many, done)
            left -= many
            for i in np.flatnonzero(many):
                if done[i] < many[i]:
                    self._stop(int(i), describe(self.worlds[i]))
                self.worlds[i].arrived()
            left[list(self.stopped)] = 0

    def _prepared(self, i: int, ticks: int) -> int:
        """What is due in Python in world `i`; returns how many ticks may follow without it."""
        try:
            return self.worlds[i].prepare(ticks)
        except Exception as error:  # a controller of somebody's own
            self._stop(i, f"{type(error).__name__}: {error}")
            return 0

    def _advance(self, many: Array, done: Array) -> None:
        size = max(1, -(-self.n // (PORTIONS * self._threads)))
        starts = range(0, self.n, size)
        jobs = [self._pool.submit(advance_all, self._tables, many, done, k, min(k + size, self.n)) for k in starts]
        for job in jobs:
            job.result()

    def _stop(self, i: int, why: str) -> None:
        world = self.worlds[i]
        self.stopped[i] = f"stopped at tick {world.tick} (t = {world.time:.6g} s): {why}"
        world.assembly.entries.failures.clear()
        if self.tells:
            log.warning("world %d of %d %s; the others go on", i, self.n, self.stopped[i])

    def reset(self, mask: Any = None, seeds: Any = None, *, redraw: bool = False) -> None:
        """Start the worlds of a mask over, all without one."""
        which = self.chosen(mask)
        if seeds is not None:
            self.seeds[which] = checked_seeds(seeds, 0, len(which))
        self._start_over(which)
        if redraw:  # after a reset, where controllers take every number, and before the one that computes with it
            self._redraw(which)
            self._start_over(which)

    def _start_over(self, which: list[int]) -> None:
        for i in which:
            self.stopped.pop(i, None)
            self.worlds[i].reset(int(self.seeds[i]))

    def _redraw(self, which: list[int]) -> None:
        for name, given in self._given.items():
            if spread.is_drawn(given):
                self._put(name, spread.drawn(name, given, self.seeds[which]), which)

    def state(self, vehicle: str | None = None) -> Motion:
        """Motion of a vehicle in every world."""
        asked = ("",) if vehicle is None else ("", vehicle)  # no signal has an empty name
        if asked not in self._places:
            k = 0 if vehicle is None else self._vehicle(vehicle)
            columns = [8 * column_of(OBSERVATION, name) for names in MOTION.values() for name in names]
            first = [w.arrays.observations.ctypes.data + k * OBSERVATION.itemsize for w in self.worlds]
            self._places[asked] = np.add.outer(np.array(first, np.int64), np.array(columns, np.int64))
        found = np.empty(self._places[asked].shape)
        gather(self._places[asked], found)
        at = np.cumsum([len(names) for names in MOTION.values()])[:-1]
        time, *rest = np.split(found, at, axis=1)
        return Motion(time[:, 0], *rest)

    def _vehicle(self, name: str) -> int:
        known = [one.name for one in self.worlds[0].instances]
        if name not in known:
            raise InputError(f"there is no vehicle {name!r}; there are: {', '.join(known)}")
        return known.index(name)

    def set(self, name: str, value: Any, mask: Any = None) -> None:
        """Give worlds another number, or `vehicle.sticks`: up to 20 channels per world.

        A number of the start acts at the next reset; one of the scenario builds the world anew, at its start.
        """
        which = self.chosen(mask)
        vehicle, _, what = text(name, "set: name").rpartition(".")
        if what == "sticks" and vehicle in {one.name for one in self.worlds[0].instances}:
            rows = stick_rows(value, len(which), STICKS, vehicle)
            for i, row in zip(which, rows, strict=True):
                self.worlds[i].sticks(row.tolist(), vehicle)
            return
        if name in FIXED:
            raise InputError(f"{name} is the same in all worlds; seeds are given to reset")
        self._put(name, spread.drawn(name, value, self.seeds[which]), which)
        if len(which) == self.n:
            self._given[name] = value  # what is drawn again

    def _put(self, name: str, values: Array, which: list[int]) -> None:
        if name.startswith(spread.SCENARIO):
            self._rebuild(name, values, which)
            return
        changed: list[tuple[int, float]] = []
        try:
            for i, value in zip(which, values, strict=True):
                if not spread.START.fullmatch(name):  # a start was checked for all when it was drawn
                    changed.append((i, spread.present(self.worlds[i], name)))
                spread.apply(self.worlds[i], name, value)
        except InputError:  # no world keeps what one of them refuses
            for i, before in changed:
                spread.apply(self.worlds[i], name, before)
            raise
        if name in self._numbers:
            self._numbers[name][which] = values

    def _rebuild(self, name: str, values: Array, which: list[int]) -> None:
        if self._recorded & set(which):
            raise InputError(f"{name} builds a world anew, which cannot be done while it is recorded")
        if name not in self._numbers and len(which) < self.n:
            raise InputError(f"{name}: give it to all worlds first, then to some")
        before = self._numbers
        self._numbers = before | {name: np.array(before.get(name, values))}
        self._numbers[name][which] = values
        try:
            built = [self._built(i) for i in which]
        except InputError:
            self._numbers = before
            raise
        for i, world in zip(which, built, strict=True):
            self.worlds[i] = world
            self.stopped.pop(i, None)
        self._connect()

    def signals(self) -> list[Signal]:
        """Every number that has a name and a unit in a world."""
        return self.worlds[0].signals()

    def observe(self, names: Sequence[str]) -> Array:
        """Present values of signals or groups of them: a row for each world."""
        asked = tuple(names_of(names))
        if asked not in self._places:
            rows = [[one for name in asked for one in world.find_signals(name)] for world in self.worlds]
            self._computed[asked] = [(k, one.name) for k, (one, address) in enumerate(rows[0]) if not address]
            self._places[asked] = np.array([[address for _, address in row] for row in rows], np.int64)
        places = self._places[asked]
        found = np.full(places.shape, np.nan)
        gather(places, found)
        for k, name in self._computed[asked]:
            found[:, k] = [world.signal(name) for world in self.worlds]
        return found

    def measures(self) -> dict[str, Array]:
        """The figures that the scenario names, of every world; a figure that has no value is NaN."""
        found = [world.measures() for world in self.worlds]
        return {
            name: np.array([np.nan if one[name].value is None else float(one[name].value or 0) for one in found])
            for name in found[0]
        }

    def record(self, worlds: Sequence[int], folder: Path | str) -> list[Path]:
        """Record some worlds from now on, each into `world_<i>.mcap` of a folder, until `close`."""
        self.check_open()
        if not isinstance(folder, str | Path):
            raise InputError(f"record: expected a folder, got {described(folder)}")
        paths = []
        for i in self.chosen(worlds):
            if i in self._recorded:
                raise InputError(f"world {i} is recorded already")
            recorder = WorldRecorder(self.worlds[i], Path(folder) / f"world_{i}.mcap")
            self.worlds[i].observers.append(recorder)
            self._recorders.append(recorder)
            self._recorded.add(i)
            paths.append(recorder.path)
        return paths

    def close(self) -> None:
        """Complete the recordings and end the threads."""
        for recorder in self._recorders:
            i = self.worlds.index(recorder.world)
            recorder.close(self.stopped.get(i, ""))
        self._recorders, self._recorded = [], set()
        self._pool.shutdown()
        self.closed = True
