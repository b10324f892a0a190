"""Code of the user's that a world runs: whether one of its files was saved since the world was made."""

import time
from collections.abc import Iterator
from pathlib import Path

from cupola.cockpit.flight import Flight
from cupola.schema.plugins import imported_beside
from cupola.schema.trust import PACKAGE

PERIOD = 0.5
"""[s] between two looks."""
State = tuple[int, int]
"""When a file was written, and how long it is."""


class SavedCode:
    """The Python files that the world of a flight runs, and the modules beside them that they import."""

    def __init__(self, flight: Flight) -> None:
        self._flight = flight
        self._next = 0.0
        self.begin()

    def begin(self) -> None:
        """From now on that of the world that flies now."""
        self._world = self._flight.world
        self._known = {path: _state(path) for path in self._files()}

    def saved(self) -> Path | None:
        """A file that was saved since the last look, told once."""
        now = time.monotonic()
        if now < self._next:
            return None
        self._next = now + PERIOD
        if self._flight.world is not self._world:
            self.begin()
        for path, before in self._known.items():
            state = _state(path)
            if state is not None and state != before:  # while a file is being replaced there is none
                self._known[path] = state
                return path
        return None

    def _files(self) -> Iterator[Path]:
        for instance in self._world.instances:
            for code in instance.resolved.code:
                if code.where.suffix == ".py" and code.where.is_file() and not code.where.is_relative_to(PACKAGE):
                    yield code.where
                    yield from imported_beside(code.file)


def _state(path: Path) -> State | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
