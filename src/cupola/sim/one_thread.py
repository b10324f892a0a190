"""The rule that one thread at a time runs a world: two would lose each other's ticks."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from cupola.schema.input_files import InputError


class OneThread:
    """Which thread may run a world, and whether one does."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._owner: int | None = None
        self._running = threading.RLock()

    def give_to_this(self) -> None:
        """Allow only this thread to run the world until `take_back`; used by the page."""
        self._owner = threading.get_ident()

    def take_back(self) -> None:
        """Allow any thread to run it again."""
        self._owner = None

    def check(self) -> None:
        """Refuse a thread beside the page's."""
        if self._owner not in (None, threading.get_ident()):
            raise InputError(f"a page runs {self._name}: close() its view before you run it yourself")

    @contextmanager
    def running(self) -> Iterator[None]:
        """Inside, this thread runs the world; any other is refused."""
        self.check()
        if not self._running.acquire(blocking=False):
            raise InputError(f"{self._name}: another thread runs it; a world runs in one thread at a time")
        try:
            yield
        finally:
            self._running.release()
