"""How long a user waits for the first second of flight, from the shell prompt and back."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from cupola.bench.result import Result, absent, at_most

BAR = 3.0
TIMEOUT = 120.0
COMMAND = ("run", "quadcopter", "--duration", "1", "--speed", "max")
MAIN = "import sys; from cupola.cli import main; sys.exit(main())"


def cases() -> Iterator[Result]:
    """The command twice: the first time may compile, the second is judged."""
    case = f"cupola {' '.join(COMMAND)}, second time: wall time"
    with tempfile.TemporaryDirectory() as folder:
        try:
            wall = [run_once(folder) for _ in range(2)]
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            yield absent(case, f"the command failed: {error}", "s", f"≤ {BAR:g} s")
            return
    yield at_most(case, wall[1], "s", BAR)


def run_once(folder: str) -> float:
    """Wall time of the command in a process of its own, its files in `folder` [s]."""
    begin = time.perf_counter()
    command = [sys.executable, "-c", MAIN, *COMMAND]
    subprocess.run(command, cwd=folder, capture_output=True, timeout=TIMEOUT, check=True)
    return time.perf_counter() - begin
