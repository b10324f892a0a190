"""Commands killed with SIGKILL at random moments of their lives.

Each is a process forked from this one, which has imported the package and loaded a world: the moments then lie where
work is done and not where Python starts.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cupola
from cupola.cli import main as typed

from .commands import WRITING, Row, check, filled, free_port, prepare

LATE = 0.3
"""Share of a life, its end, in which half of the moments lie: there it writes."""


def kill_all(names: list[str], times: int, seed: int) -> int:
    """Kill these commands `times` each and read what they left; returns how many files that were."""
    import pyarrow.parquet  # noqa: F401

    cupola.load("hover").run(0.01)
    total = 0
    with tempfile.TemporaryDirectory() as inputs:
        prepare(Path(inputs))
        for name in names:
            found = kills(WRITING[name], times, Path(inputs), random.Random(f"{seed} {name}"))
            total += found
            print(f"{name}: killed {times} times, {found} files left, all readable", flush=True)
    print(f"{times * len(names)} kills, {total} files left, all readable", flush=True)
    return total


def kills(row: Row, times: int, inputs: Path, dice: random.Random) -> int:
    """Kill a command at random moments of the time that it takes; returns the files that were left and read."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        with started(row, Path(folder), inputs) as process:
            _, status = os.waitpid(process, 0)
        takes = time.monotonic() - begun
        said = (Path(folder) / ".said").read_text(encoding="utf-8", errors="replace")
        assert os.waitstatus_to_exitcode(status) == 0, f"{' '.join(row.words)}:\n{said}"
        assert check(Path(folder), whole=True), f"{' '.join(row.words)} wrote nothing:\n{said}"
    found = 0
    for k in range(times):
        with tempfile.TemporaryDirectory() as folder:
            with started(row, Path(folder), inputs) as process:
                time.sleep(takes * dice.uniform(1.0 - LATE if k % 2 else 0.0, 1.1))
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
            found += check(Path(folder))
    return found


@contextlib.contextmanager
def started(row: Row, folder: Path, inputs: Path, said: Path | None = None) -> Iterator[int]:
    """The command in a process of its own, with what runs beside it; gives its number. Its children end with it.

    `said`: where to what it says is written, `.said` in its folder unless given.
    """
    port = free_port()
    beside = [sys.executable, *filled(row.beside, inputs, port)]
    other = subprocess.Popen(beside, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) if row.beside else None
    process = os.fork()
    if process == 0:
        _be(filled(row.words, inputs, port), folder, said or folder / ".said")
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        if other:
            other.kill()
            other.wait()


def _be(words: tuple[str, ...], folder: Path, target: Path) -> None:
    """What the forked process does, and nothing after it."""
    code = 70
    try:
        os.setsid()
        os.chdir(folder)
        said = os.open(target, os.O_WRONLY | os.O_CREAT, 0o600)
        for stream in (1, 2):
            os.dup2(said, stream)
        typed(words)
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.stdout.flush()
        os._exit(code)
