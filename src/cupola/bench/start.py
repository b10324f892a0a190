"""How long a user waits for the first second of flight, from the shell prompt and back."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import numpy as np

from cupola.bench.result import Result, absent, at_most

BAR = 3.0
TIMEOUT = 120.0
COMMAND = ("run", "quadcopter", "--duration", "1", "--speed", "max")
MAIN = "import sys; from cupola.cli import main; sys.exit(main())"


LOAD = (
    "import time; began = time.perf_counter(); import cupola; cupola.load('square'); print(time.perf_counter() - began)"
)
LOAD_BAR = 1.5
STARTS = 10


def cases() -> Iterator[Result]:
    """From the shell, and from Python."""
    yield from first_second()
    yield loading()


def loading() -> Result:
    """How long `import cupola; cupola.load("square")` takes in a fresh interpreter, after one that may compile."""
    case, command = "import cupola; cupola.load('square'), warm, 90th percentile", [sys.executable, "-c", LOAD]
    try:
        said = [subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=True) for _ in range(STARTS + 1)]
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        return absent(case, f"it failed: {error}", "s", f"≤ {LOAD_BAR:g} s")
    return at_most(case, float(np.percentile([float(one.stdout) for one in said[1:]], 90)), "s", LOAD_BAR)


def first_second() -> Iterator[Result]:
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
