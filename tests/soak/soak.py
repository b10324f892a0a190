"""Hours of simulated time in pieces, and commands killed at random moments: `make soak`.

Five vehicles of five kinds fly for HOURS of simulated time each (`flights/`), in one go and in pieces (`days.py`): the
states must be the same bits, finite, and the memory of the process flat. Then every command that writes (`commands.py`)
is killed KILLS times: each file that is left must be readable.
"""

import argparse
import sys
from pathlib import Path

from .commands import WRITING
from .days import FLIGHTS, MOST_GROWN, Logbook, soak
from .kills import kill_all

EARLIER = (1.0, 4.0)
"""[h] that all vehicles fly before one of them flies on, so that a soak that is broken off knows something of each."""


def fly_all(book: Logbook, hours: float, pieces: int) -> int:
    """Fly each vehicle; returns how many did not endure it."""
    for aim in (*(one for one in EARLIER if one < hours), hours):
        blocks = max(1, round(aim * 3600.0 / book.block))
        for vehicle in FLIGHTS:
            soak(book, vehicle, blocks, min(pieces, blocks))
            print(said(book, vehicle), flush=True)
    return sum(not is_fine(book, vehicle) for vehicle in FLIGHTS)


def is_fine(book: Logbook, vehicle: str) -> bool:
    """It is the same in pieces, and memory flat."""
    found = book.endured(vehicle)
    return found.again > 0 and not found.differ and found.grown < MOST_GROWN


def said(book: Logbook, vehicle: str) -> str:
    """What is known of a vehicle, in a line."""
    found = book.endured(vehicle)
    hours = found.flown * book.block / 3600.0
    pieces = f"{found.again} of {found.flown} blocks again in processes of their own"
    bits = f"other bits in blocks {found.differ}" if found.differ else "the same bits"
    times = "one go" if found.processes == 1 else f"{found.processes} goes"
    end = "pass" if is_fine(book, vehicle) else "FAIL"
    return f"{vehicle}: {hours:g} h in {times}, {pieces}, {bits}, {found.grown:.1f} MB more, {found.state}: {end}"


def main() -> None:
    """As the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0, help="of simulated time, for each vehicle")
    parser.add_argument("--block", type=float, default=1800.0, help="[s] of simulated time after which a state is kept")
    parser.add_argument("--pieces", type=int, default=10**6, help="blocks that are flown again; all unless given")
    parser.add_argument("--folder", default="out/soak", help="a soak that was broken off goes on from what lies there")
    parser.add_argument("--kills", type=int, default=250, help="of each command that writes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("commands", nargs="*", metavar="NAME", help=f"of {', '.join(WRITING)}; all unless given")
    given = parser.parse_args()
    book = Logbook(Path(given.folder), given.block)
    wrong = fly_all(book, given.hours, given.pieces) if given.hours else 0
    if given.kills:
        kill_all(given.commands or list(WRITING), given.kills, given.seed)
    sys.exit(bool(wrong))
