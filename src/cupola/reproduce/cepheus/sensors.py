"""Noise of Cepheus's force sensor and motion capture, against what its laboratory recorded on a bench in 2025.

A mass hung on the force sensor, an object lay still before the cameras; loop of 100 Hz. Our sensors have the numbers
of `models/cepheus/vehicle.yaml`; both series go through the same formulas.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.config.vehicle import MODELS, read_vehicle
from cupola.reproduce.row import Row, data_file, missing, within
from cupola.reproduce.scene import world_of
from cupola.sim.world import World

SOURCE = "Desoforos/cepheus_impedance_tsoulias, recordings of 28 March and 11 April 2025"
RATE = 100.0
"""[Hz]."""
GRAVITY = 9.80
"""[m/s²] in Athens."""
SPANS = (0.01, 0.1, 1.0)
"""[s] of averaging."""
EDGE = 4.0
"""[s] whose mean is the first and the last value under load."""
PARALLEL = 20
"""Seeds over which drifts are taken."""
MODEL = """<mujoco><worldbody><body name="base"><geom size="0.1" mass="1"/><site name="base"/><body name="pan">
  <joint axis="0 0 1"/><geom size="0.05" mass="0.1"/><site name="pan"/></body></body></worldbody></mujoco>"""


class Hanging(NamedTuple):
    """A recording, its mass [kg], and between which times it hung still [s]."""

    file: str
    mass: float
    start: float
    end: float


HUNG = (
    Hanging("28-3-force-1kg.csv", 1.0, 8.0, 67.0),
    Hanging("28-3-force-500g.csv", 0.5, 28.0, 82.0),
    Hanging("11-4-botaneos-1kg.csv", 1.0, 14.0, 72.0),
)
STILL = "28-3-vicon-static.csv"


class Weighed(NamedTuple):
    """What a recording under load says."""

    noise: float
    """[N] about a polynomial of fifth order."""
    allan: tuple[float, ...]
    """[N] for each of `SPANS`."""
    gain: float
    drift: float
    """[N] from the first to the last seconds under load."""
    shift: float
    """[N] of the zero, before and after."""


def rows(full: bool) -> Iterator[Row]:
    """Force sensor, then motion capture."""
    del full
    paths = [data_file(f"cepheus/{name}") for name in (*(h.file for h in HUNG), STILL)]
    if lost := next((path for path in paths if not isinstance(path, Path)), None):
        yield missing("cepheus_force", SOURCE, "noise of the force sensor", str(lost))
        yield missing("cepheus_capture", SOURCE, "noise of motion capture", str(lost))
        return
    *forces, still = (_table(path) for path in paths if isinstance(path, Path))
    yield from _force_rows([weigh(t[:, 0], t[:, 1], hung) for t, hung in zip(forces, HUNG, strict=True)])
    yield from _capture_rows(still)


def _force_rows(real: list[Weighed]) -> Iterator[Row]:
    ours = [weigh(*hang(hung, seed), hung) for hung in HUNG for seed in range(PARALLEL)]

    def row(name: str, what: str, pick: Any, share: float, unit: str, mean: Any = np.mean) -> Row:
        published, measured = float(mean([pick(one) for one in real])), float(mean([pick(one) for one in ours]))
        what = f"force sensor: {what}, mean of three recordings"
        return within(f"cepheus_force_{name}", SOURCE, what, published, measured, share * abs(published), unit)

    yield row("noise", "standard deviation under load", lambda one: one.noise, 0.1, "N")
    for k, span in enumerate(SPANS):
        yield row(f"allan_{span:g}", f"Allan deviation at {span:g} s", lambda one, k=k: one.allan[k], 0.3, "N")
    yield row("gain", "reading / weight", lambda one: one.gain, 0.02, "1")
    yield row("drift", "root mean square drift under load", lambda one: one.drift, 0.5, "N", _rms)
    yield row("shift", "shift of the zero by one loading", lambda one: one.shift, 0.3, "N")


def _capture_rows(still: Any) -> Iterator[Row]:
    ours = lie_still(4.0 * len(still) / RATE)
    for name, columns, real, share in (("position", (0, 1), still[:, 1:3], 0.25), ("yaw", (2,), still[:, 3:4], 0.3)):
        unit = "rad" if name == "yaw" else "m"
        for span in (*SPANS, 10.0):
            published, measured = _allan_of(real, span), _allan_of(ours[:, columns], span)
            key, what = f"cepheus_capture_{name}_{span:g}", f"motion capture: Allan deviation of {name} at {span:g} s"
            yield within(key, SOURCE, what, published, measured, share * published, unit)


def weigh(time: Any, force: Any, hung: Hanging) -> Weighed:
    """Figures of a recording."""
    held = (time > hung.start) & (time < hung.end)
    t, f = time[held], force[held]
    around = f - np.polynomial.Polynomial.fit(t, f, 5)(t)
    first, last = f[t < t[0] + EDGE].mean(), f[t > t[-1] - EDGE].mean()
    before, after = force[time < 3.0].mean(), force[time > time[-1] - 1.5].mean()
    spread = tuple(allan(f, span) for span in SPANS)
    return Weighed(float(around.std()), spread, float(-f.mean() / (hung.mass * GRAVITY)), last - first, after - before)


def allan(x: Any, span: float) -> float:
    """Allan deviation of samples at `RATE` averaged over `span` [s]: Allan, Proceedings of the IEEE 54 (1966) 221."""
    size = max(1, round(span * RATE))
    means = x[: len(x) // size * size].reshape(-1, size).mean(axis=1)
    return float(np.sqrt(0.5 * np.mean(np.diff(means) ** 2)))


def hang(hung: Hanging, seed: int) -> tuple[Any, Any]:
    """Times [s] and readings [N] of our sensor while such a mass is put on and taken off."""
    world = _bench("force", seed)
    keeper = Keeper(world)
    for duration, load in ((hung.start - 3.0, 0.0), (hung.end - hung.start + 4.0, hung.mass * GRAVITY), (3.0, 0.0)):
        world.push("vehicle/pan", (0.0, 0.0, -load))
        world.run(duration)
    told = keeper.record()
    return told[:, 0] / RATE, told[:, 3]


def lie_still(duration: float) -> Any:
    """Columns x, y [m] and yaw [rad] of our motion capture of something that does not move."""
    world = _bench("base_mocap", 1)
    keeper = Keeper(world)
    world.run(duration)
    _, x, y, _, w, qx, qy, qz = keeper.record().T
    yaw = np.arctan2(2.0 * (w * qz + qx * qy), 1.0 - 2.0 * (qy * qy + qz * qz))
    return np.column_stack([x, y, yaw])


class Keeper:
    """Keeps every sample of the one sensor of a world: the tick, then the numbers."""

    def __init__(self, world: World) -> None:
        self._samples, self._seen, self._kept = world.samples["vehicle", "sensor"], 0, []  # type: ignore[var-annotated]
        world.observers.append(self)

    def observe(self, world: World) -> None:
        """Take what is new."""
        self._kept.append(self._samples.since(self._seen))
        self._seen = self._samples.count

    def record(self) -> Any:
        """All of them."""
        return np.concatenate(self._kept)


def _bench(name: str, seed: int) -> World:
    """A pan on a block, with one of Cepheus's sensors."""
    part = read_vehicle(MODELS / "cepheus" / "vehicle.yaml").parts[name]
    sensor = {**part.model_dump(exclude_unset=True), "site": "pan", "delay": 0.0, "dropout": 0.0}
    sensor = {key: value for key, value in sensor.items() if key in type(part).model_fields}
    vehicle = {"parts": {"sensor": sensor}, "controller": {"use": "idle", "rate_hz": 1}}
    scenario = {"physics_hz": int(RATE), "integrator": "RK4", "gravity": 0.0, "seed": seed}
    return world_of(MODEL, vehicle, scenario)


def _allan_of(columns: Any, span: float) -> float:
    return float(np.mean([allan(column, span) for column in columns.T]))


def _rms(values: list[float]) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def _table(path: Path) -> Any:
    return np.loadtxt(path, delimiter=",", skiprows=1)
