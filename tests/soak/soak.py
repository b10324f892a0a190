"""Hours of simulated time in pieces, and commands killed at random moments: `make soak`.

Five vehicles of five kinds fly for HOURS of simulated time each (`flights/`), in one go and in pieces (`days.py`): the
states must be the same bits, finite, and the memory of the process flat; a line of JSON says so. Then every command
that writes (`commands.py`) is killed KILLS times: each file that is left must be readable.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .commands import WRITING
from .days import FLIGHTS, MOST_GROWN, Logbook, soak
from .full import fill_all
from .kills import kill_all

EARLIER = (1.0, 4.0)
"""[h] that all vehicles fly before one of them flies on, so that a soak that is broken off knows something of each."""


def fly_all(book: Logbook, vehicles: list[str], hours: float, pieces: int, workers: int) -> int:
    """Fly each vehicle; returns how many did not endure it."""
    for aim in (*(one for one in EARLIER if one < hours and len(vehicles) > 1), hours):
        blocks = max(1, round(aim * 3600.0 / book.block))
        for vehicle in vehicles:
            soak(book, vehicle, blocks, min(pieces, blocks), workers)
            print(json.dumps(told(book, vehicle)), flush=True)
    return sum(not is_fine(book, vehicle) for vehicle in vehicles)


def is_fine(book: Logbook, vehicle: str) -> bool:
    """It is the same in pieces, and memory flat."""
    found = book.endured(vehicle)
    return found.again > 0 and not found.differ and found.grown < MOST_GROWN


def told(book: Logbook, vehicle: str) -> dict[str, Any]:
    """What is known of a vehicle. The two hashes are of the states after those blocks that were flown twice."""
    found = book.endured(vehicle)
    own = [line for line in book.lines() if line.vehicle == vehicle]
    flight = {line.block: line for line in own if line.kind == "flight"}
    again = {line.block: line.state for line in sorted(own) if line.kind == "piece"}
    begun = [line.megabytes for line in own if line.kind == "begin"]
    hour = flight.get(min(len(flight), max(1, round(3600.0 / book.block))))
    seconds = sum(line.seconds for line in flight.values())
    return {
        "vehicle": vehicle,
        "result": "pass" if is_fine(book, vehicle) else "FAIL",
        "hours": round(found.flown * book.block / 3600.0, 3),
        "steps": flight[found.flown].ticks,
        "times_real_time": round(found.flown * book.block / seconds, 1),
        "processor_s": round(sum(line.processor for line in flight.values()), 1),
        "goes": found.processes,
        "memory_mb": {
            "start": round(begun[0], 1),
            "first_hour": round(hour.megabytes, 1) if hour else None,
            "end": round(flight[found.flown].megabytes, 1),
            "most_grown_after_a_first_block": round(found.grown, 1),
        },
        "blocks": found.flown,
        "blocks_in_pieces": found.again,
        "blocks_that_differ": found.differ,
        "hash_whole": _hash(flight[block].state for block in again),
        "hash_pieces": _hash(again.values()),
        "last_state": found.state,
    }


def _hash(states: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(states).encode()).hexdigest()[:16]


def main() -> None:
    """As the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, help="of simulated time, for each vehicle; 24 unless --kills is alone")
    parser.add_argument(
        "--vehicle", action="append", help=f"of {', '.join(FLIGHTS)}, a scenario or its file; all of these unless given"
    )
    parser.add_argument("--block", type=float, default=1800.0, help="[s] of simulated time after which a state is kept")
    parser.add_argument("--pieces", type=int, default=10**6, help="blocks that are flown again; all unless given")
    parser.add_argument("--workers", type=int, default=1, help="processes at the same time, one of which is the flight")
    parser.add_argument("--folder", default="out/soak", help="a soak that was broken off goes on from what lies there")
    parser.add_argument("--kills", type=int, help="of each command that writes; 250 unless --hours is alone")
    parser.add_argument("--full", type=int, default=0, help="disks without room for each command that writes (root)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("commands", nargs="*", metavar="NAME", help=f"of {', '.join(WRITING)}; all unless given")
    given = parser.parse_args()
    alone = given.hours is None and given.kills is None and not given.vehicle and not given.full
    hours = given.hours if given.hours is not None else 24.0 if alone or given.vehicle else 0.0
    kills = given.kills if given.kills is not None else 250 if alone else 0
    wrong = 0
    if hours:
        book = Logbook(Path(given.folder), given.block)
        wrong = fly_all(book, given.vehicle or list(FLIGHTS), hours, given.pieces, given.workers)
    if kills:
        kill_all(given.commands or list(WRITING), kills, given.seed)
    if given.full:
        fill_all(given.commands or list(WRITING), given.full, given.seed)
    sys.exit(bool(wrong))
