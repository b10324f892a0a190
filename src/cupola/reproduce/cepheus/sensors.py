"""Noise of Cepheus's motion capture, against what its laboratory recorded on a bench in 2025.

An object lay still before the cameras; loop of 100 Hz. Ours has the numbers of `models/cepheus/vehicle.yaml`; both
series go through the same formula.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cupola.analysis.load_cell import allan_deviation
from cupola.reproduce.cepheus.bench import RATE, SOURCE, Bench
from cupola.reproduce.row import Row, data_file, missing, within

SPANS = (0.01, 0.1, 1.0, 10.0)
"""[s] of averaging."""
STILL = "28-3-vicon-static.csv"


def rows(full: bool) -> Iterator[Row]:
    """Allan deviations of place and yaw."""
    del full
    path = data_file(f"cepheus/{STILL}")
    if not isinstance(path, Path):
        yield missing("cepheus_capture", SOURCE, "noise of motion capture", path)
        return
    still = np.loadtxt(path, delimiter=",", skiprows=1)
    ours = lie_still(4.0 * len(still) / RATE)
    for name, columns, real, share in (("position", (0, 1), still[:, 1:3], 0.25), ("yaw", (2,), still[:, 3:4], 0.3)):
        unit = "rad" if name == "yaw" else "m"
        for span in SPANS:
            published, measured = _allan_of(real, span), _allan_of(ours[:, columns], span)
            key, what = f"cepheus_capture_{name}_{span:g}", f"motion capture: Allan deviation of {name} at {span:g} s"
            yield within(key, SOURCE, what, published, measured, share * published, unit)


def lie_still(duration: float) -> Any:
    """Columns x, y [m] and yaw [rad] of our motion capture of something that does not move."""
    bench = Bench("base_mocap")
    bench.world.run(duration)
    _, x, y, _, w, qx, qy, qz = bench.records()[0].T
    yaw = np.arctan2(2.0 * (w * qz + qx * qy), 1.0 - 2.0 * (qy * qy + qz * qz))
    return np.column_stack([x, y, yaw])


def _allan_of(columns: Any, span: float) -> float:
    return float(np.mean([allan_deviation(column, span, RATE) for column in columns.T]))
