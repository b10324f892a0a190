"""What the cockpit costs: to the physics while a page watches, and to the patience of whoever flies."""

import gzip
import itertools
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cupola.bench.result import Result, absent, at_most, ratio_at_most
from cupola.cockpit.built_page import PAGE
from cupola.cockpit.link import Link
from cupola.cockpit.opening import flying
from cupola.cockpit.runner import Runner
from cupola.sim.world import load

SLOWDOWN_BAR, LATENCY_BAR, PAGE_BAR, FACTOR_BAR, HALT_BAR = 1.1, 50.0, 0.5, 0.99, 100.0
PRESSES, HOSTILE = 50, 10_000
WATCHED = 2
"""[s] of each measurement with pages."""
ROUNDS = 15
MILLI, MEGABYTE = 1e3, 1e6
PATIENCE = 120.0
"""[s] for pages to do what they were started for."""


class Piece(NamedTuple):
    """A while with or without a page."""

    watched: bool
    ticks: int
    seconds: float

    @property
    def rate(self) -> float:
        """Ticks a second."""
        return self.ticks / self.seconds


def cases() -> Iterator[Result]:
    """With a page at full speed, then in real time, then the size of the page."""
    with _cockpit(None) as runner:
        yield slowdown(runner)
    with _cockpit(1.0) as runner:
        yield latency(runner)
        yield many_pages(runner)
        yield from hostile(runner)
    yield download()


@contextmanager
def _cockpit(speed: float | None) -> Iterator[Runner]:
    """A quadcopter that hovers, with a server that has no page to serve."""
    with tempfile.TemporaryDirectory() as folder:
        world = load("hover")
        with flying(world, Link(Path(folder), port=0), load=load, scenarios=[], speed=speed) as runner:
            yield runner


def slowdown(runner: Runner) -> Result:
    """Ticks a second while a page takes every frame, against those right before it came: it comes and goes."""
    pieces = [Piece(False, 0, 0.0)]

    def note(ticks: int, seconds: float) -> None:
        watched, last = runner.link.pages > 0, pieces[-1]
        if watched == last.watched:
            pieces[-1] = Piece(watched, last.ticks + ticks, last.seconds + seconds)
        else:
            pieces.append(Piece(watched, ticks, seconds))

    _with(runner, "come_and_go", ROUNDS, note)
    pairs = [(a.rate, b.rate) for a, b in itertools.pairwise(pieces) if b.watched]
    alone, watched = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    case = "cockpit at full speed, one page at 60 frames a second: time / time without"
    ratio = statistics.median(a / b for a, b in pairs)
    return ratio_at_most(case, watched, "steps/s", alone, ratio, SLOWDOWN_BAR)


def latency(runner: Runner) -> Result:
    """From the press of a key to a frame that shows it."""
    waits = _with(runner, "press", PRESSES)
    case = f"cockpit, key press to changed state: median of {PRESSES}"
    return at_most(case, statistics.median(waits) * MILLI, "ms", LATENCY_BAR)


def many_pages(runner: Runner) -> Result:
    """Real time is kept while twenty pages watch."""
    found = _with(runner, "watch", WATCHED)
    case = "cockpit, 20 pages at 30 frames a second: real-time factor"
    return Result(case, found["factor"], "s/s", None, None, f"≥ {FACTOR_BAR:g} s/s", found["factor"] >= FACTOR_BAR)


def hostile(runner: Runner) -> Iterator[Result]:
    """What happens to the clock of the world while somebody sends nonsense."""
    halts: list[float] = []
    counted = _with(runner, "attack", HOSTILE, lambda ticks, seconds: halts.append(seconds))["counted"]
    yield Result(
        "cockpit, hostile messages that were counted",
        counted,
        "messages",
        None,
        None,
        f"= {HOSTILE}",
        counted == HOSTILE,
    )
    case = "cockpit, longest halt of the simulation under hostile messages"
    yield at_most(case, max(halts) * MILLI, "ms", HALT_BAR)


def download() -> Result:
    """What a browser fetches before an editor or a film is asked for, compressed as the server does."""
    case, bar = "page of the cockpit, first download, compressed", f"≤ {PAGE_BAR:g} MB"
    index = PAGE / "index.html"
    if not index.is_file():
        return absent(case, "the page is not built", "MB", bar)
    named = re.findall(r'(?:src|href)="\.?/?(assets/[^"]+)"', index.read_text(encoding="utf-8"))
    files = [index, *(PAGE / name for name in named)]
    return at_most(case, sum(len(gzip.compress(path.read_bytes())) for path in files) / MEGABYTE, "MB", PAGE_BAR)


def _with(runner: Runner, what: str, number: int, note: Callable[[int, float], None] | None = None) -> Any:
    """Run while pages in a process of their own do something; returns what they found.

    `note` is told the ticks and the time [s] of every turn.
    """
    command = [sys.executable, "-m", "cupola.bench.pages", what, runner.link.url, str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as pages:
        now = time.perf_counter()
        end = now + PATIENCE
        while pages.poll() is None:
            ticks, before = runner.ticks, now
            runner.turn()
            now = time.perf_counter()
            if note:
                note(runner.ticks - ticks, now - before)
            if now > end:
                pages.kill()
                raise TimeoutError(f"pages that {what} took longer than {PATIENCE:g} s")
        assert pages.stdout
        return json.loads(pages.stdout.read())
