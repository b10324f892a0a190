"""An error as the user should see it: one message on stderr and an exit code."""

import linecache
import re
from collections import Counter
from pathlib import Path
from types import FrameType

import typer

from cupola.cli.screen import say

BAD_INPUT, FAILED = 2, 1
REQUIRED = re.compile(r"(?P<name>[\w.-]+).*extra == ['\"](?P<extra>[\w-]+)['\"]")
OURSELVES = ("dev", "docs", "peers")
"""Optional parts that nobody needs who only simulates."""
OURS = ("InputError", "SimulationError", "RecordingError", "PeerError", "HangError")
UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""Base class of usage errors; typer has no public name for it."""


def tell(error: BaseException) -> int:
    """Print the error; returns the exit code."""
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


def _message(error: BaseException) -> str:
    if any(kind.__name__ in OURS for kind in type(error).__mro__):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and (extra := _extra_of(error.name or "")):
        return f"{error.name} is not installed: pip install 'cupola[{extra}]'"
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if place := _own_place(error):
        where, _, source = place_text(*place).partition("\n")
        return f"{where}: {text}\n{source}"
    if isinstance(error, OSError) and error.strerror:
        what = " and ".join(str(name) for name in (error.filename, error.filename2) if name is not None)
        return f"{what}: {error.strerror}" if what else error.strerror
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, RecursionError):
        return "something is nested too deeply for this"
    return f"{text} (this looks like a bug in Cupola: run it again with --debug to see where)"


def _extra_of(module: str) -> str | None:
    """The optional part of this package that brings a module."""
    from importlib.metadata import requires

    wanted = module.partition(".")[0].replace("_", "-").lower()
    rows = [found for line in requires("cupola") or [] if (found := REQUIRED.match(line))]
    size = Counter(row["extra"] for row in rows)  # one that contains another lists what that has, too
    fitting = [row["extra"] for row in rows if row["name"].lower() == wanted and row["extra"] not in OURSELVES]
    return min(fitting, key=lambda extra: size[extra], default=None)


def place_text(frame: FrameType, line: int) -> str:
    """`mine.py:9: in step`, and below it the line itself."""
    code = frame.f_code
    source = linecache.getline(code.co_filename, line).strip()
    return f"{_near(code.co_filename)}:{line}: in {code.co_name}\n  {source}"


def _near(file: str) -> str:
    """The path as seen from here."""
    path = Path(file)
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _own_place(error: BaseException) -> tuple[FrameType, int] | None:
    """The deepest line of a file of the user's, where `plugins` loaded one."""
    found = None
    trace = error.__traceback__
    while trace:
        if str(trace.tb_frame.f_globals.get("__name__", "")).startswith("cupola_user_"):
            found = trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
    return found
