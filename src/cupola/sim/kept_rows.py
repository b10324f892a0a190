"""A growing table of numbers: in memory while it is small, then in a file that is deleted with the run."""

import logging
import tempfile
from typing import IO, Any

import numpy as np

Array = np.ndarray[Any, Any]
log: logging.Logger = logging.getLogger("cupola")
MOST_IN_MEMORY = 4_000_000
"""[bytes] kept in memory; hours of flight need hundreds of megabytes."""


class KeptRows:
    """A table that grows at its end; its first column never falls."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._blocks: list[Array] = []
        self._waiting = 0
        """[bytes] of the blocks."""
        self._file: IO[bytes] | None = None
        self._can_write = True

    def append(self, rows: Array) -> None:
        """More of them; kept as a copy."""
        if not len(rows):
            return
        self._blocks.append(np.array(rows, float))
        self._waiting += self._blocks[-1].nbytes
        if self._waiting > MOST_IN_MEMORY and self._can_write:
            self._to_file()

    def all(self) -> Array:
        """The whole table; columns in the file are read on access."""
        if self._file is None or not self._file.seek(0, 2):
            self._blocks = [np.concatenate([np.zeros((0, self._width)), *self._blocks])]
            return self._blocks[0]
        if self._can_write:
            self._to_file()
        written: Array = np.memmap(self._file, float, "r").reshape(-1, self._width)
        return np.concatenate([written, *self._blocks]) if self._blocks else written

    def cut(self, last: float) -> None:
        """Drop the rows whose first number is above `last`."""
        rows = self.all()
        count = int(np.searchsorted(rows[:, 0], last, "right"))
        if self._file is None or self._blocks:
            kept, self._file = np.array(rows[:count]), None
            self._blocks, self._waiting = [kept], kept.nbytes
            return
        del rows  # the file is mapped by it
        self._file.truncate(count * self._width * 8)

    def _to_file(self) -> None:
        """Write the buffer to the file; if that fails, all stays in memory, with one warning."""
        try:
            self._file = self._file or tempfile.TemporaryFile()  # noqa: SIM115 - closed when nobody has it
            end = self._file.seek(0, 2)
            try:
                for block in self._blocks:
                    self._file.write(block.tobytes())
                self._file.flush()
            except OSError:
                self._file.truncate(end)
                raise
        except OSError as error:
            self._can_write = False
            log.warning("memory grows during the run: rows of its measures cannot be written (%s)", error)
            return
        self._blocks, self._waiting = [], 0
