"""The numbers of a world at this moment, for messages: by signals, by columns of its log row, by sensor samples."""

import ctypes
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from cupola.bridge.ros.graph import Outgoing, Sample
from cupola.kernel.array_groups import LOGGED, as_numbers
from cupola.record.picture import pack
from cupola.record.stream import Stream
from cupola.record.topics import SensorTopic
from cupola.sim.world import World

SECOND = 1_000_000_000


class Present:
    """Reads a world for all its topics; the log row is gathered once for each tick."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._arrays = [as_numbers(getattr(world.arrays, name)) for name in LOGGED]
        self._row: Any = None
        self._row_tick = -1

    def stamp(self, tick: int | None = None) -> int:
        """[ns] of a tick, else of now."""
        return (self.world.tick if tick is None else tick) * SECOND // self.world.scenario.physics_hz

    def numbers(self, names: Sequence[str | float | Callable[[], float]]) -> Callable[[], list[float]]:
        """Reads signals by name; a number stays what it is, a function is called."""
        readers = [self._reader(name) for name in names]
        return lambda: [read() for read in readers]

    def _reader(self, name: str | float | Callable[[], float]) -> Callable[[], float]:
        if isinstance(name, str):
            (_, address), *_ = self.world.find_signals(name)
            if not address:
                return lambda: float(np.ravel(self.world.signal(name))[0])
            place = ctypes.c_double.from_address(address)  # arrays stay where they are for the life of a world
            return lambda: place.value
        if callable(name):
            return name
        return lambda: float(name)

    def at_each_step(self, stream: Stream, read: Callable[[], Sequence[float]], latched: bool = False) -> Outgoing:
        """A topic with one message for each exchange."""
        return Outgoing(stream, lambda: (Sample(self.stamp(), read()),), latched)

    def once(self, stream: Stream, numbers: Sequence[float]) -> Outgoing:
        """A latched topic that never changes."""
        left = [Sample(0, list(numbers))]

        def news() -> Iterable[Sample]:
            found, left[:] = list(left), []
            return found

        return Outgoing(stream, news, latched=True)

    def said(self, stream: Stream, field: str, read: Callable[[], str]) -> Outgoing:
        """A latched topic of a text, with a message whenever it changes."""
        last: list[str] = []

        def news() -> Iterable[Sample]:
            now = read()
            if last == [now]:
                return ()
            last[:] = [now]
            return (Sample(self.stamp(), texts={field: now}),)

        return Outgoing(stream, news, latched=True)

    def columns(self, stream: Stream, columns: Sequence[int]) -> Outgoing:
        """A topic of numbers that a log row has."""
        chosen = np.array(columns, np.intp)
        return self.at_each_step(stream, lambda: self._log_row()[chosen].tolist())

    def _log_row(self) -> Any:
        tick = self.world.tick
        if self._row_tick != tick or self._row is None:
            self._row = np.concatenate([[float(tick)], *self._arrays])
            self._row_tick = tick
        return self._row

    def forget(self) -> None:
        """After a reset: the same tick may hold other numbers."""
        self._row = None

    def samples(self, topic: SensorTopic, stream: Stream | None = None, order: Sequence[int] | None = None) -> Outgoing:
        """A topic of a sensor: each sample once, as soon as it is available; `order` chooses among its numbers."""
        samples, told = topic.samples, [0]
        if pictures := topic.pictures():
            pictures.open()

        def news() -> Iterable[Sample]:
            told[0] = min(told[0], samples.count)  # the world may have been reset
            last = samples.newest()
            first, told[0] = told[0], told[0] if last is None else last + 1
            if last is None or last < first:
                return
            rows = samples.since(first)
            rows = rows[rows[:, 0] + samples.delay <= self.world.tick]
            if pictures:
                how = self.world.scenario.record.pictures
                for row, k in zip(rows, range(last + 1 - len(rows), last + 1), strict=True):
                    yield Sample(self.stamp(int(row[0])), (), pack(pictures.picture(k), how).tobytes())
                return
            values = rows[:, topic.columns] * topic.factors
            for row, numbers in zip(rows, values if order is None else values[:, list(order)], strict=True):
                yield Sample(self.stamp(int(row[0])), numbers.tolist())

        return Outgoing(stream or topic.stream, news)
