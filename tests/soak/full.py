"""Commands on disks that are too small for what they write: `python -m tests.soak --full N`.

Each command writes into a file system in memory, N of them, from one that holds nothing up to one that lacks a page.
It must say what is wrong in a sentence; whatever has its name then is whole, or a recording that says that it was cut.
"""

import contextlib
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cupola

from .commands import WRITING, Row, check, prepare
from .kills import started

PAGE = 4096
LARGE = 1 << 30
PATIENCE = 300.0
"""[s] for one command."""
CODES = (0, 1, 2, 130)


@contextlib.contextmanager
def disk(size: int) -> Iterator[Path]:
    """A file system of so many bytes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "cupola-full", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


def fill_all(names: list[str], times: int, seed: int) -> int:
    """Let these commands write on `times` small disks each; returns how many files were left and read."""
    cupola.load("hover").run(0.01)
    total = 0
    with tempfile.TemporaryDirectory() as inputs:
        prepare(Path(inputs))
        for name in names:
            found = fill(name, WRITING[name], times, Path(inputs), random.Random(f"{seed} {name}"))
            total += found
            print(f"{name}: {times} full disks, {found} files left, all readable", flush=True)
    return total


def fill(name: str, row: Row, times: int, inputs: Path, dice: random.Random) -> int:
    """One command; returns the files that were left and read."""
    with disk(LARGE) as folder:
        code, said = ran(row, folder, inputs)
        assert code == 0 and check(folder, whole=True), f"{name}:\n{said}"
        about = os.statvfs(folder)
        needs = (about.f_blocks - about.f_bfree) * about.f_frsize // PAGE
    found = 0
    for k in range(times):
        # one page is the folder itself
        pages = k + 1 if k < 3 else max(1, needs - 1) if k == 3 else dice.randint(1, max(2, needs - 1))
        with disk(PAGE * pages) as folder:
            code, said = ran(row, folder, inputs)
            text = f"{name} on {pages} of {needs} pages ended with {code}:\n{said}"
            assert code in CODES and "Traceback" not in said and said.strip(), text
            found += check(folder)
            assert code != 0 or "No space left" in said or check(folder, whole=True), text
    return found


def ran(row: Row, folder: Path, inputs: Path) -> tuple[int, str]:
    """Exit code, and what was said."""
    with tempfile.NamedTemporaryFile() as said:
        with started(row, folder, inputs, Path(said.name)) as process:
            end, done, status = time.monotonic() + PATIENCE, 0, 0
            while not done:
                done, status = os.waitpid(process, os.WNOHANG)
                assert time.monotonic() < end, f"{' '.join(row.words)} does not end on a full disk"
                time.sleep(0.02)
        return os.waitstatus_to_exitcode(status), said.read().decode(errors="replace")
