"""`cupola bench --batch`: many worlds at once, on threads, as compiled flights, and on the GPU where there is one."""

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from cupola.bench.result import Result, ratio_at_least, unjudged
from cupola.config.scenario import Scenario
from cupola.many.batch import batch
from cupola.many.cuda import check_gpu
from cupola.reproduce.peer import last_line
from cupola.schema.yaml_files import InputError
from cupola.sim.world import load

THREADS = ("omni_solo", "cepheus_capture")
CALM: dict[str, Any] = {"density": 1.225, "wind": {"speed": 2.0, "from_deg": 250.0, "height": 10.0, "exponent": 0.0}}
WINDY: dict[str, Any] = {**CALM, "turbulence": {"sigma": [1.0, 1.0, 0.6], "length": [60.0, 60.0, 20.0]}}
NOISY = {"imu": {"accel_noise": 0.002, "rate_noise": 0.0003}}
FLOWN: dict[str, tuple[dict[str, Any], float]] = {
    "quadcopter": ({"mode": "assisted", "position": [0, 0, 50]}, 20e9),
    "crazyflie": ({"position": [0, 0, 50]}, 10e9),
    "aerosonde": ({}, 5e9),
    "plane_3wing_2motor": ({"position": [0, 0, 300], "velocity_b": [18.0, 0.0, 0.0]}, 5e9),
}
"""How each begins, and the bar of its speed on an H200 [steps/s]."""
ON_THE_GPU = 1 << 20
"""Worlds."""


def flight(model: str, air: dict[str, Any], parts: dict[str, Any]) -> Scenario:
    """A vehicle in flight."""
    content: dict[str, Any] = {"vehicles": [{"model": model, "parts": parts, **FLOWN[model][0]}], "air": air}
    return Scenario(**content)


def cases() -> Iterator[Result]:
    """Threads beside a single world, fused beside crazyflow, each flight beside the single world, and the GPU."""
    for name in THREADS:
        yield on_threads(name)
    yield beside_crazyflow()
    if why := no_gpu():
        yield Result("cuda: all vehicles, not measured", why, "steps/s", None, None, "none", True)
        return
    for model in FLOWN:
        yield on_the_gpu(model)


def no_gpu() -> str:
    """Why nothing is measured on a GPU here, in one sentence; empty where there is one."""
    try:
        check_gpu()
    except InputError as error:
        return str(error)
    return ""


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


def on_the_gpu(model: str) -> Result:
    """A vehicle in turbulence with a noisy IMU and its controller on the GPU; its first ten seconds beside a world."""
    bar, given = FLOWN[model][1], flight(model, WINDY, NOISY)
    case = f"cuda: {model} in turbulence with IMU noise and controller, float32, {ON_THE_GPU} worlds"
    worlds = batch(given, ON_THE_GPU, backend="cuda")
    speed = _speed(worlds.step, worlds.n, 2000)
    worlds.reset()
    worlds.run(10.0)
    world = load(given)
    world.run(10.0)
    off = float(np.abs(worlds.state().pos_w[0] - np.array(world.motion().pos_w)).max())
    return ratio_at_least(f"{case}, {off:.2g} m off after 10 s", speed, "steps/s", bar, speed / bar, 1.0)
