"""The clock of a cockpit: real time, faster, slower, paused or step by step, in batches of a few milliseconds."""

import logging
import math
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from cupola.cockpit import messages as say
from cupola.cockpit.frame import AT, Frame
from cupola.cockpit.link import Link
from cupola.cockpit.replay import Replay
from cupola.schema.yaml_files import InputError

BATCH = 0.004
"""[s] of wall time that a batch of ticks takes, and the longest wait for a message."""
FRAME_PERIOD, STILL_PERIOD = 1 / 60, 0.1
"""[s] between two frames, running and paused."""
SOONEST = 1 / 120
"""[s] after a frame the next one may follow when a message was obeyed in between."""
DEBT = 0.2
"""[s] of real time that are made up for; a longer halt is forgotten."""
MEASURE = 0.5
"""[s] over which the real-time factor is measured."""
MOST_NOTICES = 10
"""A second, of what cannot be done."""

log: logging.Logger = logging.getLogger("cupola")


class Session(Protocol):
    """What a cockpit shows: a world that flies, or a recording."""

    dt: float
    """[s] of one tick."""
    frame: Frame

    @property
    def recording(self) -> bool:
        """Whether a file is being written."""

    @property
    def end(self) -> float:
        """[s] the last moment that can be shown."""

    @property
    def emergency(self) -> bool:
        """Whether motors are held off."""

    def begin(self) -> tuple[say.Hello, say.Scene]:
        """What pages must know first."""

    def step(self, ticks: int) -> int:
        """Go on; returns the number of ticks that were done, fewer at the end."""

    def obey(self, message: Any) -> bool:
        """Do what a page asks, or raise an InputError; True when another world is to be shown from here on."""

    def look(self, paused: bool = False) -> None:
        """Called often, whether time passes or not."""

    def close(self) -> None:
        """Finish what was begun."""


class Shelf(Protocol):
    """What pages may load."""

    def tell(self, asked: say.Browse) -> None:
        """Answer with all of it."""

    def open(self, name: str) -> Session:
        """What is shown from here on, or an InputError."""

    def edit(self, asked: Any) -> Session | None:
        """Do what a page asks of the texts of the world; what is shown from here on, if it is another world."""

    def describe(self, asked: say.Schema) -> None:
        """Answer with the schema of a kind of file."""

    def look(self) -> Session | None:
        """Called often; what is shown from here on, if it is another world."""


def _nothing() -> None:
    """Nobody takes part."""


class Runner:
    """Runs a show and keeps the pages informed."""

    def __init__(
        self,
        show: Session,
        link: Link,
        *,
        speed: float | None = 1.0,
        paused: bool = False,
        shelf: Shelf | None = None,
    ) -> None:
        """`paused`: each world waits at its start until somebody says Go; `shelf`: what else pages may load."""
        self.show: Session = show
        self._waits, self._shelf = paused, shelf
        self.between: Callable[[], None] = _nothing
        """Called between two batches of ticks, while time passes."""
        self.link: Link = link
        self.speed, self.paused = speed, paused
        self.refused = 0
        """Messages that were well formed and could not be obeyed."""
        self.ticks = 0
        """Ticks since the beginning, whatever the clock of the world says."""
        self._cost = BATCH
        """[s] that a tick takes; a long one to begin with, so that the first batches are short."""
        self._anchor()
        self._next_frame = 0.0
        self._notices: deque[float] = deque([0.0] * MOST_NOTICES, MOST_NOTICES)
        """When the last ones were told."""
        self._fresh = False
        self._measured = time.perf_counter(), 0
        self._factor = 0.0
        link.load(*show.begin())

    def run(self, duration: float = math.inf, patience: float = math.inf) -> None:
        """Run until `duration` [s] of simulated time or `patience` [s] of real time have passed, or interrupted."""
        end = time.monotonic() + patience
        while self.link.is_open and self.ticks * self.show.dt < duration and time.monotonic() < end:
            self.turn()

    def turn(self) -> None:
        """One round: hear, go on, show."""
        for message in self.link.hear(self._wait()):
            self._obey(message)
        ticks = 0 if self.paused else self._due()
        if ticks:
            self.between()
            begun = time.perf_counter()
            done = self._step(ticks)
            self._cost += 0.2 * ((time.perf_counter() - begun) / ticks - self._cost)
            self.paused = done < ticks
        self.show.look(self.paused)
        self._look_at_shelf()
        self._show_frame()

    def _step(self, ticks: int) -> int:
        try:
            done = self.show.step(ticks)
        except Exception as error:  # a controller of the user may raise anything; the cockpit stays
            log.error("%s", error)
            self.link.tell(say.Notice(level="error", text=f"{str(error).rstrip(' .')}. Reset to fly again."))
            return 0
        self.ticks += done
        return done

    def _obey(self, message: Any) -> None:
        self._fresh = True
        try:
            match message:
                case say.Pause():
                    self.paused = message.paused
                    self._anchor()
                case say.Speed():
                    self.speed = message.factor
                    self._anchor()
                case say.Step():
                    if not self.paused:
                        raise InputError("single steps need a pause")
                    self._step(message.ticks)
                case say.Browse() if self._shelf:
                    self._shelf.tell(message)
                case say.Schema() if self._shelf:
                    self._shelf.describe(message)
                case say.OpenText() | say.CheckText() | say.FlyText() | say.SaveText() if self._shelf:
                    if another := self._shelf.edit(message):
                        self._begin(another)
                        self.paused = False  # whoever edits wants to see it fly
                case say.Load() if self._shelf:
                    self._begin(self._shelf.open(message.scenario))
                case _:
                    if self.show.obey(message):
                        self._begin(self.show)
        except InputError as error:
            self.refused += 1
            self._tell(str(error))
        except Exception as error:  # a disk that is full, a model that cannot be built: the cockpit stays
            log.error("%s", error)
            self._tell(f"{message.kind}: {error}")

    def _look_at_shelf(self) -> None:
        """Another world may be there by itself: code of the present one was saved."""
        if self._shelf is None or isinstance(self.show, Replay):
            return
        paused = self.paused
        try:
            another = self._shelf.look()
        except Exception as error:  # code of the user may raise anything
            self._tell(str(error))
            return
        if another:
            self._begin(another)
            self.paused = paused

    def _begin(self, show: Session) -> None:
        """Something else is shown from here on."""
        self.show = show
        self.paused = (self.paused or self._waits) and not isinstance(show, Replay)
        self._anchor()
        self.link.load(*show.begin())

    def _tell(self, text: str) -> None:
        """A warning to the pages, unless there were too many."""
        now = time.perf_counter()
        if now > self._notices[0] + 1.0:
            self._notices.append(now)
            self.link.tell(say.Notice(level="warning", text=text))

    def _anchor(self) -> None:
        """Start the wall clock anew."""
        self._from = time.perf_counter(), self.ticks

    def _due(self) -> int:
        """Ticks to do now: at most one batch."""
        portion = max(1, int(BATCH / self._cost))
        if self.speed is None:
            return portion
        now, (begun, first) = time.perf_counter(), self._from
        behind = int((now - begun) * self.speed / self.show.dt) - (self.ticks - first)
        if behind * self.show.dt > DEBT * self.speed:
            self._anchor()
        return min(max(0, behind), portion)

    def _wait(self) -> float:
        """[s] until there is something to do, unless a page says something."""
        if self.paused:
            return BATCH
        if self.speed is None:
            return 0.0
        begun, first = self._from
        reached = begun + (self.ticks - first) * self.show.dt / self.speed
        return min(BATCH, max(0.0, reached + BATCH - time.perf_counter()))

    def _show_frame(self) -> None:
        now = time.perf_counter()
        begun, ticks = self._measured
        if now - begun > MEASURE:
            self._factor = (self.ticks - ticks) * self.show.dt / (now - begun)
            self._measured = now, self.ticks
        period = STILL_PERIOD if self.paused else FRAME_PERIOD
        if not self.link.pages or now < self._next_frame - (period - SOONEST if self._fresh else 0.0):
            return
        self._next_frame = max(self._next_frame + period, now)
        self._fresh = False
        clock = self.show.frame.clock
        clock[AT["real_time_factor"]] = self._factor
        clock[AT["paused"]], clock[AT["speed"]] = self.paused, self.speed or 0.0
        clock[AT["recording"]], clock[AT["emergency"]] = self.show.recording, self.show.emergency
        clock[AT["end"]] = self.show.end
        clock[AT["refused"]] = self.refused + self.link.refused
        self.show.frame.fill()
        self.link.show(self.show.frame.numbers)
