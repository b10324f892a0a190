"""Hours of simulated time in pieces, and commands killed at random moments: `make soak`.

Five vehicles of four kinds fly for HOURS of simulated time each, once in one go and once in pieces, each piece from a
snapshot that was restored: the final states must be the same bits, finite, and the memory of the process flat. Then
every command that writes is killed KILLS times: each file that is left must be readable.
"""

import argparse
import hashlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cupola.record import Recording
from cupola.sim.world import World, load

FIVE = ("quadcopter", "plane_1wing", "velma_base", "cepheus", "robird")
PIECES = 4
COMMANDS = {
    "run": ("run", "hover", "--duration", "20", "--out", "."),
    "plot": ("plot", "{recording}", "--out", "plots", "--csv", "tables"),
    "linearize": ("linearize", "plane_1wing", "--airspeed", "20", "--npz", "linear.npz"),
    "new": ("new", "vehicle", "mine"),
}
"""Each is killed at a random moment of the time that it takes alone."""


class Endured(NamedTuple):
    """How a long flight ended."""

    whole: str
    pieces: str
    """Its state, flown in one go and in pieces."""
    grown: float
    """[MB] that the process has more than after a tenth of the time."""


def state_of(world: World) -> str:
    """All that a world remembers, in 16 letters."""
    kept = world.snapshot()
    digest = hashlib.sha256(kept.engine.tobytes())
    for name in sorted(kept.numbers):
        digest.update(kept.numbers[name].tobytes())
    assert np.isfinite(kept.engine).all()
    return digest.hexdigest()[:16]


def megabytes() -> float:
    """Of memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def endure(name: str, hours: float) -> Endured:
    """Fly a vehicle in one go and in pieces."""
    seconds = hours * 3600.0
    whole, pieces = load(name), load(name)
    whole.run(seconds / 10)
    pieces.run(seconds / 10)
    before = megabytes()
    whole.run(seconds - seconds / 10)
    for _ in range(PIECES):
        kept = pieces.snapshot()
        pieces.run(1.0)  # somewhere else
        pieces.restore(kept)
        pieces.run((seconds - seconds / 10) / PIECES)
    return Endured(state_of(whole), state_of(pieces), megabytes() - before)


def kill(command: tuple[str, ...], folder: Path, moment: float) -> None:
    """Begin a command and kill it after `moment` [s]."""
    with subprocess.Popen(
        [sys.executable, "-m", "cupola", *command],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)


def check(folder: Path) -> int:
    """Read every file; returns how many there were."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:
        if path.suffix == ".mcap":
            Recording(path).table("/quadcopter/odometry")
        elif path.suffix == ".npz":
            np.load(path)["A"]
        elif path.suffix == ".png":
            data = path.read_bytes()
            assert data[:4] == b"\x89PNG" and b"IEND" in data[-12:], path
        elif path.suffix == ".csv":
            assert path.read_bytes().endswith(b"\n"), path
        elif path.suffix in (".yaml", ".xml", ".md"):
            assert path.stat().st_size > 0, path
    return len(files)


def kills(name: str, times: int, recording: Path, seed: int) -> int:
    """Kill a command at random moments; returns the files that were left and read."""
    command = tuple(word.format(recording=recording) for word in COMMANDS[name])
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory() as alone:
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-m", "cupola", *command], cwd=alone, check=True, capture_output=True)
        takes = time.perf_counter() - begun
    found = 0
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            kill(command, Path(folder), dice.uniform(0.0, 1.1 * takes))
            found += check(Path(folder))
    return found


def main() -> None:
    """As the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0, help="of simulated time, for each vehicle")
    parser.add_argument("--kills", type=int, default=250, help="of each command that writes")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wrong = 0
    for name in FIVE if given.hours else ():
        found = endure(name, given.hours)
        fine = found.whole == found.pieces and found.grown < 50.0
        wrong += not fine
        said = f"{found.whole} in one go, {found.pieces} in pieces, {found.grown:.1f} MB more"
        print(f"{name}: {given.hours:g} h: {said}: {'pass' if fine else 'FAIL'}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "cupola", "run", "hover", "--duration", "2", "--out", folder]
        subprocess.run(command, check=True, capture_output=True)
        for name in COMMANDS if given.kills else ():
            files = kills(name, given.kills, Path(folder) / "hover.mcap", given.seed)
            print(f"{name}: killed {given.kills} times, {files} files left, all readable", flush=True)
    sys.exit(bool(wrong))
