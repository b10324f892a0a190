"""Signals that end a command: SIGTERM, and SIGHUP of a closed terminal, do what Ctrl-C does."""

import atexit
import signal
import sys
import threading
from typing import Any

INTERRUPTED = 130
NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


def obey_signals() -> None:
    """From here on each of them raises KeyboardInterrupt with its name; one that is ignored, as by nohup, stays so."""
    _asked.clear()
    if threading.current_thread() is not threading.main_thread():
        return
    for name in NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _interrupt)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _be_quiet
    atexit.unregister(come_too_late)
    atexit.register(come_too_late)


def come_too_late() -> None:
    """The command has ended, and its exit code is known: Python on its way out would die of the signal instead."""
    for name in NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is _interrupt:
            signal.signal(number, signal.SIG_IGN)


def asked() -> str:
    """The received signal, even if its exception was caught; empty if none."""
    return _asked[0] if _asked else ""


def stop_if_asked() -> None:
    """Raise it again, if whoever ran when the signal came has swallowed it: a compilation that was begun anew, say."""
    if _asked:
        raise KeyboardInterrupt(_asked[0])


_asked: list[str] = []
"""Signals that have come."""


def _be_quiet(what: "sys.UnraisableHookArgs") -> None:
    """Where a signal comes inside a call from compiled code, Python can only print it: it is told at the end."""
    if not (_asked and issubclass(what.exc_type, KeyboardInterrupt)):
        sys.__unraisablehook__(what)


def _interrupt(number: int, _: Any) -> None:
    said = signal.Signals(number).name
    _asked.append("Ctrl-C" if said == "SIGINT" else said)
    raise KeyboardInterrupt(_asked[-1])
