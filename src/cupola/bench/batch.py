"""`cupola bench --batch`: many worlds at once, on threads, as compiled flights, and on the GPU where there is one."""

import os
import time
from collections.abc import Callable, Iterator

from cupola.bench import gpu
from cupola.bench.gpu import CALM, flight
from cupola.bench.result import Result, ratio_at_least, unjudged
from cupola.many.batch import batch
from cupola.reproduce.peer import last_line
from cupola.sim.world import load

THREADS = ("omni_solo", "cepheus_capture")


def cases() -> Iterator[Result]:
    """Threads beside a single world, fused beside crazyflow, each flight beside the single world, and the GPU."""
    for name in THREADS:
        yield on_threads(name)
    yield beside_crazyflow()
    yield from gpu.cases()


def _speed(step: Callable[[int], None], worlds: int, ticks: int, rounds: int = 5) -> float:
    """Steps per second, the best of some rounds."""
    step(ticks)
    best = 0.0
    for _ in range(rounds):
        begin = time.perf_counter()
        step(ticks)
        best = max(best, worlds * ticks / (time.perf_counter() - begin))
    return best


def on_threads(name: str) -> Result:
    """Whole worlds on all cores beside one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    single = _speed(load(name).step, 1, 1000)
    with batch(name, 2 * cores) as worlds:
        many = _speed(worlds.step, worlds.n, 1000)
    case = f"threads: {name}, {cores} cores (ratio: it / cores × a single world)"
    return ratio_at_least(case, many, "steps/s", single, many / cores / single, 0.9)


def beside_crazyflow() -> Result:
    """The quadcopter with its controller in a steady wind, beside crazyflow with as many worlds as suit it."""
    with batch(flight("quadcopter", CALM, {}), 64, backend="fused") as worlds:
        ours = _speed(worlds.step, worlds.n, 4000)
    case = "fused: quadcopter with its controller, IMU without noise, float64, all cores"
    found = last_line("crazyflow", "4096")
    if isinstance(found, str):
        return unjudged(f"{case} (crazyflow: {found})", ours, "steps/s")
    theirs = float(found["steps_per_second"])
    return ratio_at_least(
        f"{case} (ratio: it / crazyflow {found['version']})", ours, "steps/s", theirs, ours / theirs, 5.0
    )
