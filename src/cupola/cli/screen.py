"""Where text goes: results to stdout, progress and messages to stderr."""

import json
import logging
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from rich.console import Console, ConsoleOptions, RenderHook
from rich.control import Control
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from cupola.cli.terminal import speaks_unicode
from cupola.schema.hostile_text import shown

PATIENCE = 3.0
"""[s] without progress before the reason is shown."""


UNBROKEN = 100_000
"""[characters] line width in files and pipes: sentences are not broken there."""


class _Shown:
    """Text to print, with control characters shown as codes."""

    def __init__(self, printed: Any) -> None:
        self._printed = printed

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for text, style, control in console.render(self._printed, options):
            yield Segment(text if control else shown(text), style, control)


class _Cleaning(RenderHook):
    """Names of strangers reach the terminal as letters, wherever they come from."""

    def process_renderables(self, renderables: list[Any]) -> list[Any]:
        """All that is about to be printed; moves of the cursor that a progress bar asks for are not texts."""
        return [one if isinstance(one, Control) else _Shown(one) for one in renderables]


@cache
def stdout() -> Console:
    """For results."""
    console = Console(highlight=False)
    console.push_render_hook(_Cleaning())
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = UNBROKEN
    return console


@cache
def stderr() -> Console:
    """For everything else."""
    console = Console(stderr=True, highlight=False)
    console.push_render_hook(_Cleaning())
    return console


def show_json(results: Any) -> None:
    """Print results as standard JSON; NaN becomes null."""
    text = json.dumps(_plain(results), indent=2, ensure_ascii=not speaks_unicode(sys.stdout))
    if not text.isprintable():  # JSON escapes the old control codes, not the newer ones
        text = re.sub("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]", lambda found: f"\\u{ord(found[0]):04x}", text)
    print(text)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | float | int | None) else str(value)


def say(text: str, *, title: str = "", style: str = "") -> None:
    """A line for the user, beside the results; never broken, so that paths can be copied."""
    stderr().print(Text.assemble((title, style), text), soft_wrap=True)


class LogLines(logging.Handler):
    """The package's log as lines of this screen, above a running progress bar."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one record."""
        say(record.getMessage(), title=f"{record.levelname.lower()}: ", style="yellow")


def listen() -> None:
    """Show the log of the package, once."""
    log = logging.getLogger("cupola")
    if not any(isinstance(handler, LogLines) for handler in log.handlers):
        log.addHandler(LogLines())
        log.setLevel(logging.INFO)


def columns(*titles: str, **options: Any) -> Table:
    """A table without lines, that breaks long cells on a narrow terminal."""
    return Table(*titles, box=None, pad_edge=False, header_style="dim", **options)


@contextmanager
def waiting(text: str) -> Iterator[Callable[[str], None]]:
    """The time that passes while something of unknown length is done; gives the function that changes the text.

    Shows nothing without a terminal.
    """
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=stderr(),
        transient=True,
        disable=not stderr().is_terminal,
    ) as progress:
        task = progress.add_task(shown(text), total=None)
        yield lambda now: progress.update(task, description=shown(now))


class Title(ProgressColumn):
    """What the bar is about, and why it stands still when it does so at the beginning."""

    def render(self, task: Task) -> Text:
        """The text for now."""
        stuck = not task.completed and (task.elapsed or 0.0) > PATIENCE
        return Text(f"{task.description}: compiling, cached for later runs" if stuck else task.description)


@contextmanager
def bar(text: str, total: float) -> Iterator[Callable[[float], None]]:
    """A bar over `total` [s] of simulated time; gives the function that moves it."""
    with Progress(
        Title(),
        BarColumn(bar_width=None),
        TextColumn("{task.completed:.1f}/{task.total:g} s"),
        TimeRemainingColumn(compact=True),
        console=stderr(),
        transient=True,
        expand=True,
        disable=not stderr().is_terminal,
    ) as progress:
        task = progress.add_task(shown(text), total=total)
        yield lambda time: progress.update(task, completed=time)
