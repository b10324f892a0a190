"""What the simulation and the server share: frames in shared memory, two pipes, a few counters.

The simulation writes frame n into slot n mod 3 and then says n; a reader that is slower than two frames reads again.
Nobody ever waits for anybody.
"""

from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import Any, NamedTuple

import numpy as np

from cupola.schema.yaml_files import InputError

SLOTS = 3
NUMBER = 8
"""Bytes."""
PAGES, HANDLED, REFUSED = range(3)
"""Counters: pages that watch; messages that the simulation has worked off; messages that were refused."""
COUNTERS = 3
MOST_WAITING = 128
"""Messages on their way to the simulation; what comes beyond is refused, so the pipe never fills."""


class Channels(NamedTuple):
    """The server's ends."""

    from_simulation: Connection
    to_simulation: Connection
    counters: Any


class Loaded(NamedTuple):
    """A world to show: said once per scenario."""

    hello: str
    scene: bytes
    memory: str
    """Name of the shared memory with its frames."""
    length: int
    """Numbers in a frame."""


class Broadcast(NamedTuple):
    """A message for all pages."""

    text: str
    about: str
    """What it is the latest of: pages that come later must know it too. Empty: only for those who are there."""


class Answer(NamedTuple):
    """What was asked for over HTTP."""

    number: int
    """Of the question."""
    content: bytes


class Picture(NamedTuple):
    """What a camera sees."""

    camera: int
    content: bytes
    """The whole message."""


def no_shared_memory(error: OSError) -> InputError:
    """What to say where nothing can be shared between processes."""
    return InputError(
        f"the page needs shared memory, as in /dev/shm, and none can be had here: {error.strerror or error}; "
        "`cupola run` does without"
    )


class Frames:
    """The frames of one world in shared memory; without a name a new block is made, which `close` removes."""

    def __init__(self, length: int, name: str | None = None) -> None:
        self._own = name is None
        try:
            self._memory = SharedMemory(name, create=self._own, size=(1 + SLOTS * length) * NUMBER)
        except OSError as error:
            raise no_shared_memory(error) from error
        self.name: str = self._memory.name
        self._newest = np.ndarray((1,), np.int64, self._memory.buf)
        self._slots = np.ndarray((SLOTS, length), np.float64, self._memory.buf, NUMBER)
        self._read = 0
        if self._own:
            self._newest[0] = 0

    def write(self, numbers: Any) -> None:
        """Show another frame."""
        following = int(self._newest[0]) + 1
        self._slots[following % SLOTS] = numbers
        self._newest[0] = following

    def read(self) -> bytes | None:
        """The newest frame; None when it was read before."""
        number = int(self._newest[0])
        if number == self._read:
            return None
        while True:
            frame: bytes = self._slots[number % SLOTS].tobytes()
            now = int(self._newest[0])
            if now < number + SLOTS - 1:
                self._read = number
                return frame
            number = now

    def close(self) -> None:
        """Let go of the memory."""
        del self._newest, self._slots
        self._memory.close()
        if self._own:
            self._memory.unlink()
