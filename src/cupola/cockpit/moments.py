"""What moves, at moments of a run: kept so that the run can be shared, compared and filmed after it is over."""

import time
from typing import Any

import numpy as np

from cupola.cockpit.frame import Frame
from cupola.kernel.array_groups import log_columns
from cupola.sim.world import World

Array = np.ndarray[Any, Any]
BODIES, FELT, SCANS = ("bodies",), ("forces", "sticks", "goals", "wind", "spins"), ("lasers",)
BODY_PERIOD, FELT_PERIOD = 0.02, 0.25
"""[s] of simulated time between two moments, at first."""
REST = 100.0
"""Computing time between two frames that are filled, in the time that one takes: a share of one in a hundred."""
MOST = {BODIES: 480_000, FELT: 270_000, SCANS: 250_000}
"""Numbers that are kept; beyond, every other moment is dropped and the next come half as often."""
FEWEST = 16
"""Moments, however many numbers each has."""


class Moments:
    """Some sections of the frames of one run, evenly spread over its time; never more than `MOST` numbers."""

    def __init__(self, frame: Frame, names: tuple[str, ...], period: float) -> None:
        self._frame = frame
        shown = [one for one in frame.layout if one.name in names and one.count]
        self.sections: list[Any] = [one.name for one in shown]
        places = [np.arange(one.offset, one.offset + one.count * one.width) for one in shown]
        self._places: Array = np.concatenate([np.zeros(0, np.intp), *places])
        self.most: int = max(FEWEST, int(MOST[names] // max(1, len(self._places))))
        self._first_period = period
        self.clear()

    def clear(self) -> None:
        """Another run begins."""
        self._period = self._first_period
        self._times: list[float] = []
        self._rows: list[Array] = []

    def is_due(self, time: float) -> bool:
        """Whether the moment at `time` [s] is to be kept."""
        return bool(len(self._places)) and bool(self._due_from(0, [time]))

    def add(self, time: float) -> None:
        """Keep what the frame shows."""
        self._times.append(time)
        self._rows.append(self._frame.numbers[self._places].astype("<f4"))
        self._thin()

    def add_due(self, times: list[float], rows: Array, columns: Array) -> None:
        """Keep those of many moments that are due: their numbers are some columns of rows."""
        first = 0
        while chosen := self._due_from(first, times):
            self._times += [times[k] for k in chosen]
            self._rows += list(rows[chosen][:, columns].astype("<f4"))
            first = chosen[-1] + 1
            self._thin()

    def _due_from(self, first: int, times: list[float]) -> list[int]:
        """Which of rising times are due from one on, until there is no room for more."""
        chosen: list[int] = []
        room = self.most + 1 - len(self._times)
        due = self._times[-1] + self._period - 1e-9 if self._times else -np.inf
        for k in range(first, len(times)):
            if times[k] >= due:
                chosen.append(k)
                due = times[k] + self._period - 1e-9
                if len(chosen) == room:
                    break
        return chosen

    def _thin(self) -> None:
        """Drop every other moment where there are too many."""
        if len(self._times) > self.most:
            self._times, self._rows = self._times[::2], self._rows[::2]
            self._period *= 2.0

    def cut(self, time: float) -> None:
        """Forget what lies after a time [s]."""
        while self._times and self._times[-1] > time:
            self._times.pop()
            self._rows.pop()

    def table(self) -> tuple[Array, Array]:
        """Times [s], and a row of numbers for each."""
        return np.array(self._times), np.array(self._rows, "<f4").reshape(len(self._times), len(self._places))


class LiveMoments:
    """Of a world that is being simulated: bodies from the rows of its log, which cost nothing; what a frame must be
    filled for, seldom."""

    def __init__(self, world: World, frame: Frame) -> None:
        self._world, self._frame = world, frame
        self._bodies = Moments(frame, BODIES, BODY_PERIOD)
        self._rests_until = 0.0
        """[s] of computing time until a frame may be filled again."""
        self._felt = [Moments(frame, names, FELT_PERIOD) for names in (FELT, SCANS)]
        at = log_columns(world.arrays)
        places, turns = (np.arange(at[name].start, at[name].stop) for name in ("xpos", "xquat"))
        self._columns = np.hstack([places.reshape(-1, 3), turns.reshape(-1, 4)]).ravel()

    @property
    def all(self) -> list[Moments]:
        """To be read."""
        return [self._bodies, *self._felt]

    def observe(self, rows: Array) -> None:
        """Keep what new rows of the log have."""
        self._bodies.add_due((rows[:, 0] * self._world.dt).tolist(), rows, self._columns)

    def step(self) -> None:
        """The world has gone on. However fast it does, this takes little of its time."""
        now, worked = self._world.time, time.thread_time()
        if worked < self._rests_until:
            return
        if due := [one for one in self._felt if one.is_due(now)]:
            self._frame.fill_felt()
            for one in due:
                one.add(now)
            self._rests_until = time.thread_time() + REST * (time.thread_time() - worked)

    def begin(self) -> None:
        """The world starts over."""
        self._rests_until = 0.0
        for one in self.all:
            one.clear()

    def cut(self, time: float) -> None:
        """Forget what lies after a time [s]."""
        for one in self.all:
            one.cut(time)
