"""Other simulators beside ours, each in a process of its own. No bar: no two of them do the same work.

Where a peer is looked for, `reproduce.peer` says; PyFlyt and PteraSoftware need environments of their own. The last row
has a bar: our unsteady lattice and PteraSoftware's do the same work, on the same panels in as many steps.
"""

import statistics
from collections.abc import Iterator
from typing import NamedTuple

from cupola.bench.flights import TICKS, world_in_flight
from cupola.bench.result import Result, absent, ratio_at_least, unjudged
from cupola.bench.timing import Side
from cupola.reproduce.morphing import yeo as morphing_yeo
from cupola.reproduce.peer import last_line
from cupola.reproduce.row import data_file

LATTICE_BAR = 5.0
NO_BAR = "none"


class Peer(NamedTuple):
    """Where to find it, and which of our vehicles stands beside it."""

    module: str
    ours: str


PEERS = {
    "JSBSim": Peer("jsbsim", "plane_1wing"),
    "RotorPy": Peer("rotorpy", "quadcopter"),
    "PyFlyt": Peer("PyFlyt", "quadcopter"),
    "crazyflow": Peer("crazyflow", "quadcopter"),
}
OURS = {
    "quadcopter": "1 rigid body, 4 rotors, controller at 400 Hz, contact, semi-implicit Euler, steps of 0.5 ms",
    "plane_1wing": "4 bodies, 1 wing, 1 rotor, controller at 400 Hz, contact, semi-implicit Euler, steps of 0.5 ms",
}


def cases() -> Iterator[Result]:
    """Ours first, then each peer with the ratio of our speed to its."""
    speeds = {}
    for name, work in OURS.items():
        speeds[name] = our_speed(name)
        yield unjudged(f"cupola {name}: {work}", speeds[name], "steps/s", bar=NO_BAR)
    for name, peer in PEERS.items():
        yield against(name, peer, speeds[peer.ours])
    yield lattice()


def our_speed(name: str) -> float:
    """Steps per second of one of our vehicles, without sensors."""
    world = world_in_flight(name, sensors=False)
    start = world.snapshot()
    flight = Side(lambda: world.step(TICKS), lambda: world.restore(start))
    return TICKS / statistics.median(flight.time() for _ in range(50))


def against(name: str, peer: Peer, ours: float) -> Result:
    """Run a peer's script; what it prints last is its result."""
    found = last_line(peer.module)
    if isinstance(found, str):
        return absent(name, found, "steps/s", NO_BAR)
    speed = float(found["steps_per_second"])
    case = f"{name} {found['version']}: {found['work']} (ratio: our {peer.ours} / it)"
    return unjudged(case, speed, "steps/s", ours, ours / speed, NO_BAR)


def lattice() -> Result:
    """The flapping wing of `cupola reproduce morphing`: our unsteady lattice and PteraSoftware's."""
    case, bar = "unsteady lattice, flapping wing, three cycles", f"≥ {LATTICE_BAR:g}"
    outline = data_file("flapping/planform.csv")
    if isinstance(outline, str):
        return absent(case, outline, "s", bar)
    found = last_line("pterasoftware", str(outline))
    if isinstance(found, str):
        return absent(case, found, "s", bar)
    plate = morphing_yeo.Plate(outline)
    ours = min(Side(plate.lattice).time() for _ in range(3))
    theirs = float(found["seconds"])
    case += f": {found['steps']} steps, {found['work']} in PteraSoftware {found['version']} (ratio: it / ours)"
    return ratio_at_least(case, ours, "s", theirs, theirs / ours, LATTICE_BAR)
