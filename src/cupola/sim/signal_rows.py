"""Values of signals at the rows of the log, for measures, plots and tables."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cupola.kernel.array_groups import log_columns
from cupola.kernel.rows import OBSERVATION
from cupola.parts.shown import Signal
from cupola.physics.rotation import Quaternion, Vector, euler_from_quaternion, length
from cupola.sim.samples import Samples
from cupola.sim.signals import COMPUTED, DERIVED, SENSED, place_in, sensors_with_signals

if TYPE_CHECKING:
    from cupola.sim.world import World

Array = np.ndarray[Any, Any]
OBSERVED = ("qw", "qx", "qy", "qz", "vx", "vy", "vz", "air_u", "air_v", "air_w")
"""Of an observation, what computed signals need."""


class NewRows:
    """The rows of the log that have come since the last look."""

    def __init__(self) -> None:
        self._next = 0

    def of(self, world: "World") -> Array:
        """Each row: the tick, then the arrays of `log_columns`. Rows that the log no longer has are lost."""
        arrays = world.arrays
        table = arrays.log.reshape(-1, int(arrays.world["log_width"][0]))
        count = int(arrays.counters[-1])
        first = max(self._next, count - len(table))
        self._next = count
        rows: Array = table[np.arange(first, count) % len(table)]
        return rows

    def skip(self, world: "World") -> None:
        """Ignore the rows written so far."""
        self._next = int(world.arrays.counters[-1])


class SampledColumns:
    """Some numbers of a sensor: its samples hold from when they are available to the next."""

    def __init__(self, samples: Samples, columns: Sequence[int]) -> None:
        self._samples, self._columns = samples, [0, *(1 + column for column in columns)]
        self.begin()

    def begin(self) -> None:
        """The world was reset."""
        self._found: list[Array] = [np.zeros((0, len(self._columns)))]
        self._next = 0

    def observe(self) -> None:
        """Store the rows since the last call."""
        new = self._samples.since(min(self._next, self._samples.count))
        self._found.append(new[:, self._columns])
        self._next = self._samples.count

    def rewind(self) -> None:
        """The world has gone back or on: its ring holds the samples of that time."""
        self.begin()
        self.observe()

    def forget(self, tick: float) -> None:
        """Ticks before this one are no longer needed."""
        found = self._all()
        last = int(np.searchsorted(found[:, 0] + self._samples.delay, tick, "right")) - 1
        self._found = [found[max(0, last) :]]

    def at(self, ticks: Array) -> Array:
        """Its numbers at each of these ticks; NaN before the first sample has arrived."""
        found = self._all()
        last = np.searchsorted(found[:, 0] + self._samples.delay, ticks, "right") - 1
        nothing = np.full((1, len(self._columns) - 1), np.nan)
        table: Array = np.concatenate([found[:, 1:], nothing])[np.where(last < 0, len(found), last)]
        return table

    def _all(self) -> Array:
        self._found = [np.concatenate(self._found)]
        return self._found[0]


def columns_of(signal: Signal, at: Mapping[str, slice]) -> list[int]:
    """Columns of a log row that a signal is made of."""
    if signal.array == SENSED:
        return []
    if signal.array == DERIVED:
        vehicle = signal.place // len(COMPUTED)
        return [at["observations"].start + place_in(OBSERVATION, vehicle, name) for name in OBSERVED]
    return [at[signal.array].start + signal.place]


def value_of(signal: Signal, columns: Sequence[Array]) -> Array:
    """A signal at all rows, from the columns that it is made of."""
    if signal.array != DERIVED:
        return columns[0]
    return np.asarray(computed(columns)[signal.place % len(COMPUTED)])


def computed(columns: Sequence[Array]) -> tuple[Any, ...]:
    """What is computed of a vehicle at all rows, in the order of `COMPUTED`, from the columns of `OBSERVED`."""
    angles = euler_from_quaternion(Quaternion._make(columns[:4]))
    return (*angles, length(Vector._make(columns[4:7])), length(Vector._make(columns[7:])))


class SignalRows:
    """All signals of a world, row after row."""

    def __init__(self, world: "World") -> None:
        at, listed = log_columns(world.arrays), world.signals()
        self._count, self._new = len(listed), NewRows()
        self.rows: Array = np.zeros((0, 1))
        """Of the log, as the last call of `new` found them."""
        stored = [(k, columns_of(one, at)[0]) for k, one in enumerate(listed) if one.array not in (DERIVED, SENSED)]
        self._stored = tuple(np.array(side, np.intp) for side in zip(*stored, strict=True))
        self._derived: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        """By the columns of a vehicle: place of a signal, and which of `COMPUTED` it is."""
        for k, one in enumerate(listed):
            if one.array == DERIVED:
                self._derived.setdefault(tuple(columns_of(one, at)), []).append((k, one.place % len(COMPUTED)))
        index = {one.name: k for k, one in enumerate(listed)}
        self._sensors = [
            ([index[one.name] for one in found.signals], SampledColumns(found.samples, found.columns))
            for found in sensors_with_signals(world)
        ]

    def new(self, world: "World") -> tuple[Array, Array]:
        """Ticks of the rows since the last call, and the values: (rows, signals), in the order of the registry."""
        self.rows = rows = self._new.of(world)
        for _, sensor in self._sensors:
            sensor.observe()
        values = self.values(rows)
        if len(rows):
            for _, sensor in self._sensors:
                sensor.forget(rows[-1, 0])
        return rows[:, 0], values

    def values(self, rows: Array) -> Array:
        """The signals at rows of the log."""
        out = np.full((len(rows), self._count), np.nan)
        to, source = self._stored
        out[:, to] = rows[:, source]
        for columns, wanted in self._derived.items():
            found = computed([rows[:, column] for column in columns])
            for k, which in wanted:
                out[:, k] = found[which]
        for places, sensor in self._sensors:
            out[:, places] = sensor.at(rows[:, 0])
        return out

    def begin(self) -> None:
        """The world was reset."""
        self._new = NewRows()
        for _, sensor in self._sensors:
            sensor.begin()

    def rewind(self, world: "World") -> None:
        """The world has gone back or on, to a state that was kept."""
        self._new.skip(world)
        for _, sensor in self._sensors:
            sensor.rewind()
