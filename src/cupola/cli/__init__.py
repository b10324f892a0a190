"""The command line. `commands` says what can be typed; each other file does the work of a command.

Nothing heavy is imported before a command runs: `cupola --help` answers at once.
"""

from cupola.cli.commands import main

__all__ = ["main"]
