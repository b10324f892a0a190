"""A run that no longer comes forward: find out where it hangs, end that, and if it cannot be ended, end the program.

A thread looks at the clock of the world. Code in Python is interrupted with the line that hangs; compiled code, as a C
model that loops for ever, cannot be: then what was recorded is completed here and the program ends.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any, Self

from cupola.cli.failure import FAILED, place_text
from cupola.cli.screen import say
from cupola.sim.world import World

GRACE = 2.0
"""[s] for an interrupted controller to stop."""
DEBUGGERS = ("pdb", "bdb", "numba")
"""Modules whose frames mean a debugger, or a compilation, and not a hang."""
CAN_INTERRUPT = hasattr(signal, "pthread_kill")


class HangError(Exception):
    """The run made no progress for too long."""


class HangWatch:
    """Watches the thread that enters it while it steps a world; `limit`: real time [s] in which a tick must come."""

    def __init__(self, world: Callable[[], World], limit: float, close: Callable[[str], None]) -> None:
        self._world, self.limit, self._close = world, limit, close
        self._main = threading.get_ident()
        self._over = threading.Event()
        self._reason = ""
        self._thread = threading.Thread(target=self._watch, name="hang watch", daemon=True)

    def __enter__(self) -> Self:
        if CAN_INTERRUPT:
            self._before = signal.signal(signal.SIGALRM, self._interrupt)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()
        if CAN_INTERRUPT:
            signal.signal(signal.SIGALRM, self._before)

    def _watch(self) -> None:
        while not self._over.is_set():
            if stack := self._hangs(self.limit):
                self._reason = f"no tick for {self.limit:g} s: {_where(stack)}"
                if CAN_INTERRUPT:
                    signal.pthread_kill(self._main, signal.SIGALRM)
                if (stack := self._hangs(GRACE)) and not self._over.is_set():
                    self._end_program(stack)

    def _hangs(self, limit: float) -> list[FrameType]:
        """Wait until the watch is over, or the run stood still for `limit` [s]: then where it is."""
        since, before = time.monotonic(), -1
        while not self._over.wait(min(0.25, limit / 4)):
            stack = self._stack()
            tick = self._world().tick
            if tick != before or not _is_stepping(stack):
                if limit == GRACE and before != -1:
                    return []
                since, before = time.monotonic(), tick
            elif time.monotonic() - since > limit:
                return stack
        return []

    def _stack(self) -> list[FrameType]:
        return list(_outward(sys._current_frames().get(self._main)))

    def _interrupt(self, *_: Any) -> None:
        if sys.gettrace() is None:  # else somebody debugs
            raise HangError(self._reason)

    def _end_program(self, stack: list[FrameType]) -> None:
        """Last resort: complete the recording, print the reason, and exit."""
        self._reason += "" if _own(stack) else "; `isolate: true` runs such a model in a process of its own"
        try:
            self._close(self._reason)
        finally:
            say(f"{self._reason}; it could not be interrupted, so the program ends", title="error: ", style="bold red")
            sys.stdout.flush()
            os._exit(FAILED)


def _outward(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_stepping(stack: list[FrameType]) -> bool:
    """Whether a world is being stepped, and not compiled or debugged."""
    if any(str(frame.f_globals.get("__name__", "")).partition(".")[0] in DEBUGGERS for frame in stack):
        return False
    return any(frame.f_code is World.step.__code__ for frame in stack)


def _own(stack: list[FrameType]) -> FrameType | None:
    """The innermost frame of a file of the user's."""
    return next((f for f in stack if str(f.f_globals.get("__name__", "")).startswith("cupola_user_")), None)


def _where(stack: list[FrameType]) -> str:
    frame = _own(stack)
    if frame is None:
        return "compiled code does not come back"
    where, _, line = place_text(frame, frame.f_lineno).partition("\n")
    return f"it hangs at {where}: {line.strip()}"
