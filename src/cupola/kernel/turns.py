"""One process compiles a piece while others that need it wait: programs that start together share the work."""

import contextlib
import time
from collections.abc import Iterator

from cupola.kernel.private_folder import private_base

try:
    import fcntl
except ImportError:  # Windows: compiled twice, which does no harm
    fcntl = None  # type: ignore[assignment]

LONGEST = 120.0
"""[s] after which nobody waits any longer for a process that may have been stopped."""


@contextlib.contextmanager
def turn(name: str, *, wait: bool) -> Iterator[bool]:
    """Hold the turn to compile a piece; false where another process has it and `wait` is not asked for."""
    base = private_base()
    if base is None or fcntl is None:
        yield True
        return
    place = base / "turns" / name.replace(":", "+")
    with contextlib.ExitStack() as stack:
        try:
            place.parent.mkdir(exist_ok=True)
            file = stack.enter_context(place.open("wb"))
        except OSError:  # what cannot be kept is compiled by everybody
            yield True
            return
        yield _hold(file.fileno(), wait) or wait


def _hold(file: int, wait: bool) -> bool:
    """Lock the file; the end of the process, however it comes, gives it back."""
    end = time.monotonic() + (LONGEST if wait else 0.0)
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        except OSError:  # a network drive that knows no locks
            return True
        else:
            return True
