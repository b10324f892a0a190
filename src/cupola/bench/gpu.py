"""`python -m cupola.bench.gpu`: test and benchmark of the back-end `cuda` in one table.

Each vehicle in turbulence with a noisy IMU and its controller, beside a single world over ten seconds in float64 and
float32, the spread of many worlds in both, steps per second, memory, and the arrays as others see them. Where there is
no GPU, or not the packages, one sentence says so. A machine without internet needs the wheels in a folder:
`pip download 'cupola[cuda]' -d wheels`, there `pip install --no-index --find-links wheels 'cupola[cuda]'`.
"""

import importlib
import importlib.util
import multiprocessing
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from cupola.bench.result import Result, at_most, ratio_at_least
from cupola.config.scenario import Scenario
from cupola.many.batch import batch
from cupola.many.cuda import check_gpu
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World, load

CALM: dict[str, Any] = {"density": 1.225, "wind": {"speed": 2.0, "from_deg": 250.0, "height": 10.0, "exponent": 0.0}}
WINDY: dict[str, Any] = {**CALM, "turbulence": {"sigma": [1.0, 1.0, 0.6], "length": [60.0, 60.0, 20.0]}}
NOISY = {"imu": {"accel_noise": 0.002, "rate_noise": 0.0003}}
FLOWN: dict[str, tuple[dict[str, Any], float]] = {
    "quadcopter": ({"mode": "assisted", "position": [0, 0, 5]}, 20e9),
    "crazyflie": ({"position": [0, 0, 50]}, 10e9),
    "aerosonde": ({}, 5e9),
    "plane_3wing_2motor": ({"position": [0, 0, 300], "velocity_b": [18.0, 0.0, 0.0]}, 5e9),
}
"""How each begins, and the bar of its speed on an H200 [steps/s]."""
MANY, FEW = 1 << 20, 1 << 16
"""Worlds: of the speed, and of the spread in float64."""
SAME, CLOSE = 1e-9, 5e-3
"""Bars of the difference to a single world after 10 s: in float64, largest of all; in float32, of the place [m]."""
SPREAD = 0.02
"""Bar of the relative difference of a standard deviation over FEW worlds, whose own is 0.3 %."""
VARIES = 1e-6
"""A standard deviation below this is rounding."""
KILOBYTE = 1024.0
OTHERS = {"cupy": ("cupy",), "torch": ("torch",), "jax": ("jax", "cupy")}
"""Libraries that see the arrays, and what each needs: JAX takes them by DLPack, which CuPy speaks for us."""


def flight(model: str, air: dict[str, Any], parts: dict[str, Any]) -> Scenario:
    """A vehicle in flight."""
    content: dict[str, Any] = {"vehicles": [{"model": model, "parts": parts, **FLOWN[model][0]}], "air": air}
    return Scenario(**content)


def no_gpu() -> str:
    """Why nothing is measured on a GPU here, in one sentence; empty where there is one."""
    try:
        check_gpu()
    except InputError as error:
        return str(error)
    return ""


def cases(models: tuple[str, ...] = tuple(FLOWN)) -> Iterator[Result]:
    """Every vehicle on the GPU, then the arrays as others see them."""
    if why := no_gpu():
        yield Result("cuda: all vehicles, not measured", why, "steps/s", None, None, "none", True)
        return
    prepare(models)
    for model in models:
        yield from on_the_gpu(model)
    yield from seen_by_others()
    yield from with_contact()


def prepare(models: tuple[str, ...]) -> None:
    """Compile what will be flown, side by side: kernels are kept on disk."""
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=spawned) as pool:
        list(pool.map(_load, models))
        pairs = [(model, precision) for model in models for precision in ("float64", "float32")]
        list(pool.map(_compile, *zip(*pairs, strict=True)))


def _load(model: str) -> None:
    load(flight(model, WINDY, NOISY)).step(1)


def _compile(model: str, precision: str) -> None:
    with batch(flight(model, WINDY, NOISY), 1, backend="cuda", precision=precision) as worlds:
        worlds.step(1)


def difference(worlds: Any, i: int, world: World) -> float:
    """Largest of place, attitude, velocity, rate, and what the inertial unit says."""
    now, seen = world.motion(), worlds.state()
    pairs = [(seen.pos_w, now.pos_w), (seen.quat_wb, now.quat_wb), (seen.vel_w, now.vel_w), (seen.rate_b, now.rate_b)]
    names = [one.name for one in worlds.signals() if ".imu." in one.name]
    told = np.abs(worlds.observe(names)[i] - [world.signal(name) for name in names]).max()
    return float(max(told, *(np.abs(ours[i] - np.array(theirs)).max() for ours, theirs in pairs)))


def on_the_gpu(model: str) -> Iterator[Result]:
    """A vehicle in turbulence with a noisy IMU and its controller: is it the same, and how fast is it."""
    bar, given = FLOWN[model][1], flight(model, WINDY, NOISY)
    world = load(given)
    world.run(10.0)
    with batch(given, FEW, backend="cuda", precision="float64") as exact:
        exact.run(10.0)
        off, wide = difference(exact, 0, world), spread(exact)
        yield at_most(f"{model}: float64 beside a single world, 10 s", off, "m, m/s, ...", SAME)
    with batch(given, MANY, backend="cuda") as worlds:
        worlds.run(10.0)
        off = float(np.abs(worlds.state().pos_w[0] - np.array(world.motion().pos_w)).max())
        yield at_most(f"{model}: float32 beside a single world, 10 s", off, "m", CLOSE)
        varied = wide > VARIES
        unlike = float(np.abs(spread(worlds)[varied] / wide[varied] - 1.0).max())
        yield at_most(f"{model}: spread of {MANY} worlds in float32 beside {FEW} in float64", unlike, "", SPREAD)
        speed = steps_per_second(worlds, round(10.0 / worlds.dt))
        alive = f"{float(worlds.alive.mean()):.1%} of {MANY} worlds in flight"
        yield ratio_at_least(f"{model}: float32, {alive}", speed, "steps/s", bar, speed / bar, 1.0)
        yield at_most(f"{model}: memory of a world", worlds.memory_per_world, "bytes", KILOBYTE)  # type: ignore[attr-defined]


def spread(worlds: Any) -> Any:
    """Standard deviations over the worlds: velocity, rate, and the noise and motion that the inertial unit feels."""
    names = [one.name for one in worlds.signals() if ".imu." in one.name]
    state = worlds.state()
    columns = np.hstack([state.vel_w, state.rate_b, worlds.observe(names)]).astype(np.float64)
    return columns.std(axis=0)


def steps_per_second(worlds: Any, ticks: int, rounds: int = 3) -> float:
    """The best of some rounds."""
    best = 0.0
    for _ in range(rounds):
        worlds.reset()
        begin = time.perf_counter()
        worlds.step(ticks)
        best = max(best, worlds.n * ticks / (time.perf_counter() - begin))
    return best


def seen_by_others() -> Iterator[Result]:
    """Arrays of the worlds in other libraries, without a copy: what they write is what flies."""
    with batch(flight("quadcopter", WINDY, NOISY), 256, backend="cuda") as worlds:
        row: int = worlds.rows["pos.z"]  # type: ignore[attr-defined]
        for k, name in enumerate(OTHERS):
            if any(importlib.util.find_spec(needed) is None for needed in OTHERS[name]):
                continue
            written = 60.0 + k
            _write(name, worlds.array, row, written)  # type: ignore[attr-defined]
            off = float(np.abs(worlds.state().pos_w[:, 2] - written).max())
            yield at_most(f"{name}: heights written into the worlds' own memory", off, "m", 0.0)


def _write(name: str, array: Any, row: int, value: float) -> None:
    library = importlib.import_module(name)
    if name == "cupy":
        library.asarray(array)[row] = value
    elif name == "torch":
        library.as_tensor(array, device="cuda")[row] = value
        library.cuda.synchronize()
    else:  # arrays of JAX do not change: it reads what is there, and gives one of its own back
        cupy = importlib.import_module("cupy")
        ours = cupy.asarray(array)
        ours[...] = cupy.from_dlpack(library.numpy.from_dlpack(ours).at[row].set(value))


DRIVEN, DRIVEN_BAR, DRIFT = 8192, 3e6, 1e-4
"""Bases on a GPU, the bar of their speed [steps/s], and of the place after 10 s beside a single world [m]."""


def with_contact() -> Iterator[Result]:
    """A base on wheels with friction and motors, through mujoco-warp."""
    if importlib.util.find_spec("mujoco_warp") is None:
        yield Result(
            "warp: velma_base, not measured", "mujoco-warp is not installed", "steps/s", None, None, "none", True
        )
        return
    content: dict[str, Any] = {"model": "velma_base", "parts": {"wheels": {"model": "friction"}}}
    given = Scenario(physics_hz=1000, floor={"friction": 0.95}, vehicles=[content])  # type: ignore[arg-type]
    world = load(given)
    world.run(10.0)
    with batch(given, DRIVEN, backend="warp", without=["laser_left", "laser_right"]) as worlds:
        worlds.run(10.0)
        off = float(np.abs(worlds.state().pos_w[0] - np.array(world.motion().pos_w)).max())
        yield at_most("warp: velma_base, beside a single world, 10 s", off, "m", DRIFT)
        speed = steps_per_second(worlds, 1000)
        yield ratio_at_least(
            f"warp: velma_base, {DRIVEN} worlds", speed, "steps/s", DRIVEN_BAR, speed / DRIVEN_BAR, 1.0
        )


def main() -> int:
    """Print the table as Markdown; 1 if a row does not pass."""
    chosen = tuple(sys.argv[1:]) or tuple(FLOWN)
    failed = 0
    print("| case | value | bar | |\n|---|---|---|---|", flush=True)
    for one in cases(chosen):
        value = one.value if isinstance(one.value, str) else f"{one.value:.4g} {one.unit}"
        bar = f"{one.bar} x {one.baseline:.3g} {one.unit}" if one.baseline else one.bar
        print(f"| {one.case} | {value} | {bar} | {'pass' if one.passed else 'FAIL'} |", flush=True)
        failed += not one.passed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
