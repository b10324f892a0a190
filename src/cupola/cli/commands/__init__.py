"""Every command with its arguments and options. The work is done in other modules, imported when needed."""

import gc
import sys

from cupola.cli import stopping, terminal
from cupola.cli.commands.options import app, new
from cupola.schema.safe_path import ignore_settings, safe_path

# isort: off
# Commands stand in the help in the order in which they are declared.
from cupola.cli.commands import flying, beside, looking, studies, making  # noqa: F401
# isort: on

__all__ = ["app", "new", "run"]

SELDOM = 20_000, 20, 10
"""Thresholds of the garbage collector: at Python's own it searches Numba and MuJoCo several times while they are
imported, a tenth of the processor time of a short command."""


def run(given: list[str]) -> int:
    """Run a command line; an error is one message. Returns the exit code."""
    words = [word for word in given if word != "--debug"]
    terminal.be_open()
    terminal.be_understood()
    terminal.be_brief()
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        with safe_path():
            if ignored := ignore_settings():
                _say_ignored(ignored)
            code = app(words, prog_name="cupola", standalone_mode=False)
        sys.stdout.flush()
    except (Exception, SystemExit) as error:  # only a file of the user's says sys.exit
        if terminal.is_broken_pipe(error):
            terminal.be_silent()
            return 0
        from cupola.cli import failure

        if len(words) < len(given):
            raise
        code = stopping.INTERRUPTED if stopping.asked() else failure.tell(error)
    finally:
        gc.set_threshold(*usual)
    return code or 0


def _say_ignored(files: list[str]) -> None:
    from cupola.cli.screen import say

    say(f"not obeyed in this folder, which may be a stranger's: {' and '.join(files)}")
