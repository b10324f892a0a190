"""Hours of simulated time in pieces, and commands killed at random moments: `make soak`.

Five vehicles of four kinds fly for HOURS of simulated time each, once in one go and once in pieces, each piece from a
snapshot that was restored: the final states must be the same bits, finite, and the memory of the process flat. Then
every command that writes (`commands.py`) is killed KILLS times: each file that is left must be readable.
"""

import argparse
import hashlib
import resource
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cupola.sim.world import World, load

from .commands import WRITING
from .kills import kill_all

FIVE = ("quadcopter", "plane_1wing", "velma_base", "cepheus", "robird")
PIECES = 4


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


def main() -> None:
    """As the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0, help="of simulated time, for each vehicle")
    parser.add_argument("--kills", type=int, default=250, help="of each command that writes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("commands", nargs="*", metavar="NAME", help=f"of {', '.join(WRITING)}; all unless given")
    given = parser.parse_args()
    wrong = 0
    for name in FIVE if given.hours else ():
        found = endure(name, given.hours)
        fine = found.whole == found.pieces and found.grown < 50.0
        wrong += not fine
        said = f"{found.whole} in one go, {found.pieces} in pieces, {found.grown:.1f} MB more"
        print(f"{name}: {given.hours:g} h: {said}: {'pass' if fine else 'FAIL'}", flush=True)
    if given.kills:
        kill_all(given.commands or list(WRITING), given.kills, given.seed)
    sys.exit(bool(wrong))
