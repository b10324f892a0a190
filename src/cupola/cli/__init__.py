"""The command line. `commands` says what can be typed; each other file does the work of a command.

Nothing heavy is imported before a command runs: `cupola --help` answers at once.
"""

import sys
from collections.abc import Sequence
from typing import NoReturn

from cupola.cli import stopping


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point: run the command line; an error is one message and an exit code.

    Signals are obeyed before all else is imported, and come too late when all is done: without arguments the process
    ends with it.
    """
    code = stopping.INTERRUPTED
    try:
        try:
            stopping.obey_signals()
            from cupola.cli.commands import run

            code = run(list(sys.argv[1:] if arguments is None else arguments))
        finally:
            if arguments is None:
                stopping.come_too_late()
    except KeyboardInterrupt:  # before a command began, or after it ended
        code = stopping.INTERRUPTED
    sys.exit(code)


__all__ = ["main"]
