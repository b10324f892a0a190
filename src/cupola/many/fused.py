"""The back-end `fused`: the whole flight of a world as one compiled piece, on every core.

For one vehicle that is a free body, in flight: what touches the floor stops, with a word. Kernels, air and law are
those of a single world; MuJoCo's step of a free body is `engine.free_body`. Several worlds lie side by side in
the vector registers of a core (`many.lanes`); what a world does depends on none of the others.
"""

import concurrent.futures
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cupola.config.scenario import Scenario
from cupola.kernel.memory import STICKS
from cupola.kernel.records import leaves
from cupola.many import spread
from cupola.many.asked import START_FIELDS, names_of, stick_rows
from cupola.many.batch import Array, Batch, Motion, checked_seeds
from cupola.many.flight_code import LANES, compiled
from cupola.many.flight_template import COMMAND, RUNS_AWAY, TOUCHES, Flight, numbers_in
from cupola.many.flight_text import Writer
from cupola.many.fused_signals import read_signal, readable
from cupola.many.history import History
from cupola.many.lanes import LaneWriter
from cupola.many.own_numbers import own_numbers
from cupola.many.refusals import check
from cupola.many.solid import whole
from cupola.parts.shown import Signal
from cupola.physics.rotation import Euler, Quaternion, Vector, quaternion_from_euler, rotate
from cupola.schema.arguments import text, whole_number
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World, load

log = logging.getLogger("cupola")
PRECISIONS = {"float64": np.float64, "float32": np.float32}
TICK, SEED, STATUS, FRESH = range(4)
"""Rows of the whole numbers of a world."""
WHY = {
    COMMAND: "its controller gave a command that is not a number",
    RUNS_AWAY: "it runs away, or its motion is no number",
    TOUCHES: "it touches the floor, which only the back-end threads knows",
}
PORTION = 8
"""Portions per thread."""
RADIAN = np.pi / 180.0
LONGEST = 1 << 20
"""Ticks of one call: a lane counts them in a number of 32 bits."""


def make(
    scenario: str | Path | Scenario,
    n: int,
    numbers: dict[str, Any],
    *,
    seeds: Any = None,
    trust: bool | Trust = False,
    precision: str = "float64",
    threads: int | None = None,
    measured: bool = False,
) -> "FusedBatch":
    """Worlds of a scenario; `measured` keeps what its measures need."""
    return FusedBatch(scenario, n, numbers, seeds, trust, precision, threads, measured)


class FusedBatch(Batch):
    """Worlds as columns of one array."""

    worlds = ()
    writer: type[Writer] = LaneWriter
    """Of the flight."""

    def __init__(
        self,
        scenario: Any,
        n: int,
        numbers: dict[str, Any],
        seeds: Any,
        trust: Any,
        precision: str,
        threads: int | None,
        measured: bool = False,
    ) -> None:
        if precision not in PRECISIONS:
            raise InputError(f"precision: expected {' or '.join(PRECISIONS)}, got {precision!r}")
        self.world = load(scenario, trust=trust)
        """A single world, never flown: the pattern of all."""
        check(self.world)
        self.n, self.dt, self.duration = n, self.world.dt, self.world.scenario.duration
        self.seeds, self.stopped = checked_seeds(seeds, self.world.scenario.seed, n), {}
        self._floats, self._given = PRECISIONS[precision], dict(numbers)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._threads = cores if threads is None else whole_number(threads, "batch: threads", 1)
        self._pool = concurrent.futures.ThreadPoolExecutor(self._threads, "cupola-fused")
        self._starts: dict[str, Array] = {
            name: np.repeat(np.array([getattr(self.world.instances[0].resolved.start, name)], float), n, axis=0)
            for name in START_FIELDS
        }
        self._tuned: dict[str, Array] = {}
        for name, value in numbers.items():
            self._take(name, spread.drawn(name, value, self.seeds), np.arange(n))
        self._write(own_numbers(self.world, self._tuned))
        self._history = History(self) if measured else None
        self.reset()

    _history: History | None = None

    def _take(self, name: str, values: Array, which: Array) -> None:
        """Remember a number of some worlds."""
        found = spread.START.fullmatch(name)
        if name.startswith(spread.SCENARIO):
            raise InputError(f"{name}: numbers of the scenario file are for the back-end threads")
        if found and found["vehicle"] == self.world.instances[0].name:
            place = (which, int(found["axis"])) if found["axis"] else (which,)
            self._starts[found["field"]][place] = values
            return
        if name not in self._tuned:
            self._tuned[name] = np.full(self.n, spread.present(self.world, name))
        self._tuned[name][which] = values

    def _write(self, own: dict[str, Array]) -> None:
        """The flight with the numbers that worlds have of their own, compiled."""
        self.flight: Flight = self.writer(self.world, list(own), self._floats).write()
        self.rows = self.flight.rows
        """Row of each number in `array`."""
        self._own = np.array([own[name] for name in self.flight.given], self._floats).reshape(-1, self.n)
        if not len(self._own):
            self._own = np.zeros((1, self.n), self._floats)
        self.array: Any = np.zeros((len(self.rows), self.n), self._floats)
        """The state of all worlds: a row for each number, a column for each world."""
        self._whole = np.zeros((4, self.n), np.int64)
        self._wheels = whole(self.world).wheels
        self._compile()

    def _compile(self) -> None:
        self._function = compiled(self.flight, self._floats)

    # time

    @property
    def pattern(self) -> World:
        """The world that is never flown."""
        return self.world

    @property
    def ticks(self) -> Array:
        """Per world: how many ticks have passed."""
        return np.array(self._whole[TICK])

    def step(self, ticks: int = 1) -> None:
        """Advance every world that runs by `ticks`."""
        self.check_open()
        left = whole_number(ticks, "step: ticks", 0)
        while left > 0:
            many = min(left, self._follow_scripts(), LONGEST)
            if self._history:
                self._note()
                many = min(
                    many, self._history.ahead(self.ticks[self._whole[STATUS] == 0]) if self.alive.any() else many
                )
            self._fly(many)
            left -= many
        if self._history:
            self._note()
        self._find_stopped()

    def _note(self) -> None:
        """Keep a row for the measures; first what begins must have its first samples."""
        assert self._history
        if (self._whole[FRESH] != 0).any():
            self._fly(0)
        self._history.note(self)

    def _follow_scripts(self) -> int:
        """Move the sticks that a script moves now; returns the ticks until the next of any world."""
        runner = self.world.runner()
        if not runner.script:
            return 1 << 40
        at = np.array([round(time / self.dt + 0.499999) for time, _ in runner.script])
        now = self.ticks
        for tick, (_, channels) in zip(at, runner.script, strict=True):
            if (due := now == tick).any():
                runner.move(channels)
                self._put({f"sticks.{j}": runner.sticks[j] for j in range(STICKS)}, np.flatnonzero(due))
        ahead = at[None, :] - now[:, None]
        return int(ahead[ahead > 0].min(initial=1 << 40))

    def in_place(self) -> tuple[Any, Any]:
        """State and whole numbers (rows `TICK` to `FRESH`) where they fly, for who acts on all worlds at once."""
        return self.array, self._whole

    def fly(self, ticks: int) -> None:
        """Advance by `ticks` and ask nothing: the row `STATUS` of `in_place` says who has stopped."""
        self._fly(ticks)

    def _fly(self, count: int) -> None:
        lanes = LANES[self._floats]
        size = lanes * max(1, -(-self.n // (PORTION * self._threads * lanes)))
        jobs = [self._pool.submit(self._portion, k, min(k + size, self.n), count) for k in range(0, self.n, size)]
        for job in jobs:
            job.result()

    def _portion(self, first: int, stop: int, count: int) -> None:
        arrays = self.array, self._own, self._whole
        addresses = [array.ctypes.data for array in arrays]
        self._function(*addresses, len(self.array), len(self._own), self.n, first, stop, count)

    def _find_stopped(self) -> None:
        for i in np.flatnonzero(self._whole[STATUS]):
            if int(i) not in self.stopped:
                tick = int(self._whole[TICK, i])
                why = WHY[int(self._whole[STATUS, i])]
                self.stopped[int(i)] = f"stopped at tick {tick} (t = {tick * self.dt:.6g} s): {why}"
        if self.tells and self.stopped and len(self.stopped) != self._told:
            self._told = len(self.stopped)
            first = min(self.stopped)
            log.warning("%d of %d worlds stopped, as world %d: %s", self._told, self.n, first, self.stopped[first])

    _told = 0

    def reset(self, mask: Any = None, seeds: Any = None, *, redraw: bool = False) -> None:
        """Start the worlds of a mask over, all without one."""
        which = np.array(self.chosen(mask), np.intp)
        if seeds is not None:
            self.seeds[which] = checked_seeds(seeds, 0, len(which))
        if redraw:
            for name, given in self._given.items():
                if spread.is_drawn(given):
                    self._take(name, spread.drawn(name, given, self.seeds[which]), which)
            self._renumber()
        for i in which:
            self.stopped.pop(int(i), None)
        self._told = len(self.stopped)
        self._put(self._first(which), which)
        self._put_whole(which)
        if self._history:
            self._history.begin(which)

    def _put_whole(self, which: Array) -> None:
        self._whole[:, which] = 0
        self._whole[SEED, which], self._whole[FRESH, which] = self.seeds[which], 1

    def _put(self, values: dict[str, Any], which: Array) -> None:
        """Write numbers of some worlds by the names of their rows."""
        for name, value in values.items():
            self.array[self.rows[name], which] = value

    def _first(self, which: Array) -> dict[str, Any]:
        """The state at the start."""
        world = self.world
        found: dict[str, Any] = dict.fromkeys(self.rows, 0.0)
        found |= self.first_motion({name: values[which].T for name, values in self._starts.items()})
        runner, state = world.runner(), world.assembly.initial_state
        found |= {f"law_state.{name}": runner.state[k] for k, name in enumerate(leaves(runner.controller.State))}
        for k, bound in enumerate(world.assembly.parts):
            first, memory = int(bound.row["state"]), int(bound.row["memory"])
            found |= {f"state_{k}.{leaf}": state[first + j] for j, leaf in enumerate(leaves(bound.group.kind.State))}
            found |= {f"memory_{k}.{j}": state[memory + j] for j in range(int(bound.row["memory_size"]))}
        return {name: value for name, value in found.items() if name in self.rows}

    def first_motion(self, start: Mapping[str, Any]) -> dict[str, Any]:
        """Rows of the motion at the start, from the fields of `start:` as three arrays each, of any library."""
        quat = quaternion_from_euler(Euler(*(RADIAN * angle for angle in start["attitude_deg"])))
        rate, spin = start["rate_b"], [0.0 * start["rate_b"][k] for k in range(3)]
        for wheel in self._wheels:
            axle = wheel.axle_b.tolist()
            turns = wheel.moment * (axle[0] * rate[0] + axle[1] * rate[1] + axle[2] * rate[2])
            spin = [sum_ + share * turns for sum_, share in zip(spin, axle, strict=True)]
        vel = rotate(Quaternion(*quat), Vector(*start["velocity_b"]))
        found = {f"quat.{axis}": value for axis, value in zip("wxyz", quat, strict=True)}
        for name, values in (("pos", start["position"]), ("vel", vel), ("rate", rate), ("spin", spin)):
            found |= {f"{name}.{axis}": value for axis, value in zip("xyz", values, strict=True)}
        return found

    # numbers

    def set(self, name: str, value: Any, mask: Any = None) -> None:
        """Give worlds another number, or `vehicle.sticks`. A name that no world had of its own compiles anew."""
        which = np.array(self.chosen(mask), np.intp)
        vehicle, _, what = text(name, "set: name").rpartition(".")
        if what == "sticks" and vehicle == self.world.instances[0].name:
            rows = stick_rows(value, len(which), STICKS, vehicle)
            now = self.columns([f"sticks.{j}" for j in range(STICKS)])[which]
            self.world.runner().put_sticks(now, rows)
            self._put({f"sticks.{j}": now[:, j] for j in range(STICKS)}, which)
            return
        before = dict(self._tuned)
        self._tuned = {known: values.copy() if known == name else values for known, values in before.items()}
        self._take(name, spread.drawn(name, value, self.seeds[which]), which)
        try:
            if name in self._tuned:  # a number of the start acts at the next reset
                self._renumber()
        except InputError:  # no world keeps what one of them refuses
            self._tuned = before
            raise
        if len(which) == self.n:
            self._given[name] = value  # what is drawn again

    def _renumber(self) -> None:
        """Put what worlds have of their own where they fly; what none had of its own so far is compiled in anew."""
        own, pattern = own_numbers(self.world, self._tuned), numbers_in(self.world)
        if set(own) <= set(self.flight.given):
            for k, name in enumerate(self.flight.given):
                self._own[k] = own.get(name, pattern[name])  # the pattern's, where all worlds have come back to it
            return
        state, whole_numbers, before = self._host(), np.array(self._whole), self.rows
        self._write(own)
        assert before == self.rows
        self._back(state, whole_numbers)

    def _host(self) -> Array:
        """The state in the memory of the processor."""
        return np.array(self.array)

    def _back(self, state: Array, whole_numbers: Array) -> None:
        self.array[:], self._whole[:] = state, whole_numbers

    # what is seen

    def state(self, vehicle: str | None = None) -> Motion:
        """Motion of the vehicle in every world."""
        if vehicle not in (None, self.world.instances[0].name):
            raise InputError(f"there is no vehicle {vehicle!r}; there are: {self.world.instances[0].name}")
        groups = [[f"pos.{a}" for a in "xyz"], [f"quat.{a}" for a in "wxyz"]]
        groups += [[f"{name}.{a}" for a in "xyz"] for name in ("vel", "rate")]
        return Motion(self.time, *(self.columns(names) for names in groups))

    def columns(self, names: Sequence[str]) -> Array:
        """Numbers of the state by the names of `rows`: a row for each world."""
        return np.asarray(self.array[[self.rows[name] for name in names]]).T

    def signals(self) -> list[Signal]:
        """Motion, sticks, channels, states of parts and of the law, and samples. Parts show nothing while they fly."""
        return [one for one in self.world.signals() if readable(self, one)]

    def observe(self, names: Sequence[str]) -> Array:
        """Present values of signals or groups of them: a row for each world."""
        found = [one for name in names_of(names) for one, _ in self.world.find_signals(name)]
        if missing := [one.name for one in found if not readable(self, one)]:
            raise InputError(f"fused: {', '.join(missing)} is not kept in flight; the back-end threads shows it")
        columns = [read_signal(self, one, self._row) for one in found]
        return np.stack(columns, axis=1) if columns else np.empty((self.n, 0))

    def _row(self, name: str) -> Array:
        """A number of the state in every world, in 64 bits."""
        return np.asarray(self.columns([name])[:, 0], float)

    def measures(self) -> dict[str, Array]:
        """The figures that the scenario names, of every world, where the batch was made with `measured=True`."""
        if not self._history:
            raise InputError("fused: a flight keeps no history to measure unless it is asked to: measured=True")
        return self._history.values()

    def record(self, worlds: Sequence[int], folder: Path | str) -> list[Path]:
        """Refused: a flight keeps no history."""
        raise InputError("fused: a flight keeps no history to record; record the same worlds with the back-end threads")

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()
        self.closed = True
