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
OURS, THEIRS = (64, 1024), (512, 4096, 16384)
"""Worlds of `fused` and of crazyflow: the best of each counts."""
STEPS = 1_024_000
"""Of all worlds together in one measurement of `fused`."""


def cases() -> Iterator[Result]:
    """Threads beside a single world, fused beside crazyflow, each flight beside the single world, and the GPU."""
    for name in THREADS:
        yield on_threads(name)
    yield from beside_crazyflow()
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


def beside_crazyflow() -> Iterator[Result]:
    """The quadcopter with its controller in a steady wind, beside crazyflow, each with as many worlds as suit it."""
    found = [last_line("crazyflow", str(n)) for n in THEIRS]
    told = [one for one in found if not isinstance(one, str)]
    for precision, same in (("float32", "as crazyflow"), ("float64", "crazyflow has float32")):
        speeds: dict[int, float] = {}
        for n in OURS:
            with batch(flight("quadcopter", CALM, {}), n, backend="fused", precision=precision) as worlds:
                speeds[n] = _speed(worlds.step, n, STEPS // n)
        best = max(speeds, key=lambda n: speeds[n])
        ours = speeds[best]
        case = f"fused: quadcopter with its controller, IMU without noise, {precision}, all cores, {best} worlds"
        if not told:
            yield unjudged(f"{case} (crazyflow: {found[0]})", ours, "steps/s")
            continue
        fastest = max(told, key=lambda one: float(one["steps_per_second"]))
        theirs = float(fastest["steps_per_second"])
        said = f"{same}; ratio: it / crazyflow {fastest['version']}, the best of {', '.join(map(str, THEIRS))} worlds"
        yield ratio_at_least(f"{case} ({said})", ours, "steps/s", theirs, ours / theirs, 5.0)
