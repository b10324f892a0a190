"""How fast a bird flaps: strips with memory, added mass and twist, in the loop."""

import time
from collections.abc import Iterator

import cupola
from cupola.bench.result import Result

BAR = 50.0
ROUNDS, TICKS = 8, 1000


def cases() -> Iterator[Result]:
    """`robird` under its controller, two wings of 20 unsteady strips and a tail, 1 ms."""
    world = cupola.load("robird_flight")
    world.step(TICKS)
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        world.step(TICKS)
        best = min(best, time.perf_counter() - begin)
    factor = TICKS * world.dt / best
    case = "robird, 2 × 20 unsteady strips, 1 ms"
    yield Result(case, factor, "× real time", None, None, f"≥ {BAR:g}", factor >= BAR)
