"""`cupola.batch(scenario, n)`: many worlds of one scenario behind one set of calls, whatever runs them."""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np

from cupola.config.scenario import Scenario
from cupola.many.asked import MOST_WORLDS, array_of, check_options, named_numbers
from cupola.parts.shown import Signal
from cupola.schema.arguments import number, whole_number
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.progress import bar_of
from cupola.sim.world import World

Array = np.ndarray[Any, Any]
BACKENDS = {"threads": "cupola.many.threads", "fused": "cupola.many.fused", "cuda": "cupola.many.cuda"}
BACKENDS["warp"] = "cupola.many.warp"
"""What runs the worlds, and the module whose `Batch` it is."""
LARGEST_SEED = 2**32
PICTURES = 100
"""Of a bar in a notebook, at most."""


class Motion(NamedTuple):
    """Motion of one vehicle in all worlds: row `i` is world `i`."""

    time: Array
    """[s]"""
    pos_w: Array
    """[m]"""
    quat_wb: Array
    vel_w: Array
    """[m/s]"""
    rate_b: Array
    """[rad/s]"""


class Batch(ABC):
    """N worlds of one scenario. World `i` does what a single world with its seed and its numbers does."""

    n: int
    dt: float
    """[s] of one tick."""
    duration: float
    """[s] of the scenario."""
    seeds: Array
    worlds: Sequence[World]
    """The worlds themselves, where the back-end has whole ones."""
    stopped: dict[int, str]
    """Worlds that a fault has ended, and why. The others go on; a reset brings them back."""
    tells: bool = True
    """Whether a world that stops is told to the log; a learner, for whom that is daily bread, looks at `stopped`."""

    @property
    def alive(self) -> Array:
        """Per world: whether it runs."""
        return np.array([i not in self.stopped for i in range(self.n)])

    @property
    @abstractmethod
    def pattern(self) -> World:
        """A world of the scenario, to ask what there is; not to run."""

    @property
    @abstractmethod
    def ticks(self) -> Array:
        """Per world: how many ticks have passed."""

    @property
    def time(self) -> Array:
        """Per world [s]."""
        return np.asarray(self.ticks * self.dt)

    @abstractmethod
    def step(self, ticks: int = 1) -> None:
        """Advance every world that runs by `ticks`."""

    def run(self, duration: float | None = None) -> None:
        """Advance by a time [s]; without one by that of the scenario. A notebook shows a bar."""
        seconds = self.duration if duration is None else number(duration, "run: duration [s]", 0.0)
        ticks, done = round(seconds / self.dt), 0
        with bar_of(f"{self.n} worlds", 0.0, seconds) as told:
            while told and done < ticks:
                part = min(ticks - done, max(1, ticks // PICTURES))
                self.step(part)
                done += part
                told(done * self.dt)
            if not told:
                self.step(ticks)

    @abstractmethod
    def reset(self, mask: Any = None, seeds: Any = None, *, redraw: bool = False) -> None:
        """Start the worlds of a mask over, all without one; `seeds` are theirs from now on.

        `redraw` draws the numbers of these worlds that were given as distributions again, from their seeds.
        """

    @abstractmethod
    def state(self, vehicle: str | None = None) -> Motion:
        """Motion of a vehicle in every world."""

    @abstractmethod
    def set(self, name: str, value: Any, mask: Any = None) -> None:
        """Give every world, or those of a mask, another number; an array or distribution gives each its own."""

    @abstractmethod
    def signals(self) -> list[Signal]:
        """What `observe` can read."""

    @abstractmethod
    def observe(self, names: Sequence[str]) -> Array:
        """Present values of signals: a row for each world, a column for each number."""

    @abstractmethod
    def measures(self) -> dict[str, Array]:
        """The figures that the scenario names, of every world; a figure that has no value is NaN."""

    @abstractmethod
    def record(self, worlds: Sequence[int], folder: Path | str) -> list[Path]:
        """Record some worlds from now on, each into an MCAP file of its own, until `close`."""

    @abstractmethod
    def close(self) -> None:
        """Complete the recordings and let go of the worlds."""

    closed: bool = False

    def check_open(self) -> None:
        """Refuse to go on after `close`."""
        if self.closed:
            raise InputError("these worlds are closed: make a new batch")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def chosen(self, mask: Any) -> list[int]:
        """Numbers of the worlds that a mask, or a list of numbers, names; all without one."""
        if mask is None:
            return list(range(self.n))
        given = array_of(mask, "mask")
        if given.dtype == bool:
            if given.shape != (self.n,):
                raise InputError(f"a mask has one truth value for each of {self.n} worlds, got shape {given.shape}")
            return [int(i) for i in np.flatnonzero(given)]
        if given.dtype.kind in "iu" and given.size and given.min() >= 0 and given.max() < self.n:
            if len(np.unique(given)) < given.size:
                raise InputError(f"a list of worlds names each once, got {mask!r}")
            return [int(i) for i in given.reshape(-1)]
        return [whole_number(i, "world", 0, self.n - 1) for i in given.reshape(-1).tolist()]


def batch(
    scenario: str | Path | Scenario,
    n: int,
    numbers: Mapping[str, Any] | None = None,
    *,
    seeds: Any = None,
    backend: str = "threads",
    trust: bool | Trust = False,
    **options: Any,
) -> Batch:
    """N worlds of a scenario.

    `numbers` gives each world its own: name to a number, an array of one value per world, or a distribution with
    `rvs()`, as those of `scipy.stats`. Names are those of `World.parameters`; `vehicle.body.mass` and `.inertia_x`;
    `vehicle.start.position[2]` and the other fields of `start:`; `scenario.` and a path in the scenario file.
    `seeds` are those of the worlds, by default the scenario's and the ones after it.
    """
    if not isinstance(backend, str) or backend not in BACKENDS:
        raise InputError(f"there is no back-end {backend!r}; there are: {', '.join(BACKENDS)}")
    make = importlib.import_module(BACKENDS[backend]).make
    check_options(make, backend, options)
    count = whole_number(n, "batch: n", 1, MOST_WORLDS)
    made: Batch = make(scenario, count, named_numbers(numbers), seeds=seeds, trust=trust, **options)
    return made


def checked_seeds(seeds: Any, first: int, n: int) -> Array:
    """One seed for each world: those given, or `first` and the ones after it."""
    if seeds is None:
        return (first + np.arange(n)) % LARGEST_SEED
    given = array_of(seeds, "seeds")
    if given.shape != (n,) or given.dtype.kind not in "iu" or (given < 0).any() or (given >= LARGEST_SEED).any():
        raise InputError(f"seeds: expected {n} whole numbers from 0 to {LARGEST_SEED - 1}, got {seeds!r}")
    return given.astype(np.int64)
