"""An error as the user should see it: one message on stderr and an exit code."""

import linecache
from pathlib import Path
from types import FrameType

import typer

from cupola.cli.screen import say

BAD_INPUT, FAILED = 2, 1
OURS = ("InputError", "SimulationError", "RecordingError", "PeerError")
UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""Base of all that typer finds wrong in what was typed; typer gives it no public name."""


def tell(error: Exception) -> int:
    """Print what went wrong; returns the exit code."""
    if isinstance(error, UsageError):
        say(error.format_message(), title="error: ", style="bold red")  # type: ignore[attr-defined]
        context = getattr(error, "ctx", None)
        if context is not None:
            say(f"see {context.command_path} --help")
        return BAD_INPUT
    from cupola.schema.yaml_files import InputError

    say(_message(error), title="error: ", style="bold red")
    for note in getattr(error, "__notes__", ()):
        say(note)
    return BAD_INPUT if isinstance(error, InputError) else FAILED


def _message(error: Exception) -> str:
    if type(error).__name__ in OURS:
        return str(error)
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if place := _own_place(error):
        frame, line = place
        code = frame.f_code
        source = linecache.getline(code.co_filename, line).strip()
        return f"{_near(code.co_filename)}:{line}: in {code.co_name}: {text}\n  {source}"
    return f"{text} (this looks like a fault of Cupola: run it again with --debug to see where)"


def _near(file: str) -> str:
    """The path as seen from here."""
    path = Path(file)
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _own_place(error: Exception) -> tuple[FrameType, int] | None:
    """The deepest line of a file of the user's, where `plugins` loaded one."""
    found = None
    trace = error.__traceback__
    while trace:
        if str(trace.tb_frame.f_globals.get("__name__", "")).startswith("cupola_user_"):
            found = trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
    return found
