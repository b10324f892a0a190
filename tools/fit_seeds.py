"""`python tools/fit_seeds.py [SEEDS]`: how often the 95 % intervals of `cupola identify` hold the truth.

A quadcopter that is not what its model says flies for 8 s, with noise of another seed each time.
"""

import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import cupola
from cupola.fit.identify import identify

TRUE = {
    "quadcopter.base.mass": 1.1,
    "quadcopter.base.inertia_*": 0.93,
    "quadcopter.motor*.k_motor": 0.98,
    "quadcopter.frame.c_drag": 1.3,
}
"""Factors on the numbers of the model."""
SECONDS, HOLD = 8.0, 0.4
"""[s] of a flight, and for which sticks stay where they are."""


def flown(seed: int) -> cupola.Scenario:
    """Sticks that move at random, the same for every seed."""
    rng = np.random.default_rng(99)
    times = HOLD * np.arange(round(SECONDS / HOLD))
    sticks = [{"time": float(t), "channels": rng.uniform(-1.0, 1.0, 4).tolist()} for t in times]
    assisted = {"use": "multirotor_velocity", "rate_hz": 200, "channel": 4, "sticks": sticks}
    noise = {"imu": {"rate_hz": 200, "accel_noise": 0.002, "rate_noise": 0.0002}}
    vehicle = {"model": "quadcopter", "position": [0, 0, 40], "mode": "assisted", "assisted": assisted, "parts": noise}
    content: dict[str, Any] = {"physics_hz": 400, "duration": SECONDS, "seed": seed, "vehicles": [vehicle]}
    content["record"] = {"rate_hz": 200.0}
    return cupola.Scenario(**content)


def inside(seed: int) -> list[bool]:
    """Of each number: whether its interval holds the truth."""
    world = cupola.load(flown(seed))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flight.mcap"
        recorder = cupola.WorldRecorder(world, path)  # first: what is tuned afterwards is not in its scenario
        mass, inertia, thrust, drag = TRUE.values()
        now = world.inertia("quadcopter/base")
        world.set_inertia("quadcopter/base", mass * now.mass, now.com_b, [inertia * m for m in now.about_com])
        for name, tunable in world.tuning.tunables.items():
            if name.endswith(".k_motor") or name == "quadcopter.frame.c_drag":
                world.tune(name, float(tunable.read()) * (thrust if name.endswith(".k_motor") else drag))
        world.observers.append(recorder)
        world.run()
        recorder.close("")
        found = identify(path, list(TRUE)).numbers
    return [one.low <= TRUE[one.name] * one.model <= one.high for one in found]


def main() -> None:
    """Fly, fit and count."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        held = np.array(list(pool.map(inside, range(1, count + 1))))
    for name, times in zip(TRUE, held.sum(axis=0), strict=True):
        print(f"{name}: inside its 95 % interval in {times} of {count}")


if __name__ == "__main__":
    main()
