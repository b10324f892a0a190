"""What the terminal, or whatever stands in its place, can take. Light: every command begins with it."""

import os
import sys
import warnings
from typing import Any

FIRST_FREE = 3
"""After standard input, output and errors."""


def be_understood() -> None:
    """On a terminal of few letters what it lacks becomes `?`, where Python would stop."""
    for stream in (sys.stdout, sys.stderr):
        if not speaks_unicode(stream) and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def be_open() -> None:
    """Take the null device for standard streams that were closed (`>&-`): a file that is opened would get their number,
    and what a library prints would land in it. A terminal that says to have no columns counts as one that says nothing.
    """
    if os.environ.get("COLUMNS", "").strip("0") == "":
        os.environ.pop("COLUMNS", None)
    while (number := os.open(os.devnull, os.O_RDWR)) < FIRST_FREE:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdin = sys.stdin or os.fdopen(0, "r", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def be_brief() -> None:
    """A warning of a library is one line, without the line of code that it comes from."""
    warnings.showwarning = _show


def _show(message: Any, *_: Any, **__: Any) -> None:
    from cupola.cli.screen import say

    say(" ".join(str(message).split()), title="warning: ", style="yellow")


def speaks_unicode(stream: Any) -> bool:
    """Whether it can show every letter."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "").startswith("utf")


def is_broken_pipe(error: BaseException | None) -> bool:
    """True if the reader of the output has closed it, as `| head` does."""
    while error is not None:
        if isinstance(error, BrokenPipeError):
            return True
        error = error.__context__
    return False


def be_silent() -> None:
    """Nobody reads the results: what is still to be written goes nowhere, so that the end is quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
