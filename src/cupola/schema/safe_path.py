"""Python processes that we start take no modules from the present folder, which may be a stranger's.

Importing MuJoCo starts one. When code of the user's own has been loaded, that starts its processes as it likes.
"""

import contextlib
import os
from collections.abc import Iterator

SAFE, OURS = "PYTHONSAFEPATH", "cupola"
"""The variable that Python obeys, and the value by which we know that it was us."""


@contextlib.contextmanager
def safe_path() -> Iterator[None]:
    """As long as this lasts, or until `leave_safe_path`."""
    os.environ.setdefault(SAFE, OURS)
    try:
        yield
    finally:
        leave_safe_path()


def leave_safe_path() -> None:
    """Restore Python's default, or the user's setting."""
    if os.environ.get(SAFE) == OURS:
        del os.environ[SAFE]
