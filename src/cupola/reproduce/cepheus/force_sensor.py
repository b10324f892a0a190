"""Cepheus's force sensor against what its laboratory recorded: a mass was hung on it and taken off, three times.

Each recording is left out in turn. The sensor's numbers are fitted to the other two, 200 such sensors are
loaded in the same way, and each figure of the recording must be within a fifth of their median, or among 99 % of them:
the amount of creep differed from recording to recording, so a sensor draws its own.

The rows `own` read the same comparison strictly: the median of our sensors must be within a fifth of the recorded
figure, or within what chance alone does to that one recording (`resampled`). They name what the plain mean of the other
two recordings is, and whether it would pass.

Half a kilogram crept as much as a whole one did on the same day (0.28 and 0.25 N), and no recording shows the opposite
creep when the mass is taken off, as a viscous loss would: something slips, up to what friction holds. At which load
below the lightest one it is at that bound no recording says; so that is drawn too.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.analysis.load_cell import Loading, Weighed, resampled, weigh
from cupola.reproduce.cepheus.bench import RATE, SOURCE, Bench
from cupola.reproduce.row import Row, data_file, missing

GRAVITY = 9.80
"""[m/s²] in Athens."""
COPIES = 200
"""Sensors, alike but for what each draws."""
CLOSE, INSIDE = 0.2, 0.99
"""Share of the recorded figure, and of our sensors: 30 figures are judged, so one in twenty would be too few."""
EARLY = 0.3
"""[s] before it hangs still that a mass is put on."""
RECOVERY_TIME, SLOW_TIME = 25.0, 15.0
"""[s] as they look in all three recordings."""
SEEN = math.exp(-10.0 / SLOW_TIME) - math.exp(-57.0 / SLOW_TIME)
"""Share of the slow creep from 10 to 57 s after loading, between which a recording's drift is taken."""


class Hanging(NamedTuple):
    """A recording, its mass [kg], its times."""

    file: str
    mass: float
    loading: Loading


HUNG = (
    Hanging("28-3-force-1kg.csv", 1.0, Loading(0.0, 5.9, 68.0, 69.4)),
    Hanging("28-3-force-500g.csv", 0.5, Loading(14.0, 24.5, 82.9, 83.4)),
    Hanging("11-4-botaneos-1kg.csv", 1.0, Loading(0.0, 11.5, 72.8, 74.5)),
)
"""The fourth recording is of another set-up: filtered, held, with a dead zone."""
UNITS = {"lag_1": "1", "lag_10": "1", "repeated": "1", "creep_time": "s"}


def rows(full: bool) -> Iterator[Row]:
    """Every figure of every recording."""
    del full
    tables = recordings()
    if isinstance(tables, str):
        yield missing("cepheus_force", SOURCE, "the force sensor under load and after", tables)
        return
    recorded = weighed(tables)
    for left_out, hung in enumerate(HUNG):
        others = [one for k, one in enumerate(zip(HUNG, recorded, strict=True)) if k != left_out]
        ours = hang(hung, each_its_bound(fitted(others), COPIES))
        chance = resampled(*tables[left_out], hung.loading, COPIES)
        for name in Weighed._fields:
            told, some = getattr(recorded[left_out], name), [getattr(one, name) for one in ours]
            yield judged(hung, name, told, some)
            yield strictly(hung, name, told, some, [getattr(one, name) for one in chance], plain(hung, name, others))


def recordings() -> list[tuple[Any, Any]] | str:
    """Times [s] and readings [N] of all three, or why there are none."""
    found = []
    for hung in HUNG:
        path = data_file(f"cepheus/{hung.file}")
        if not isinstance(path, Path):
            return path
        table = np.loadtxt(path, delimiter=",", skiprows=1)
        found.append((table[:, 0], table[:, 1]))
    return found


def weighed(tables: Sequence[tuple[Any, Any]]) -> list[Weighed]:
    """Figures of each recording."""
    return [weigh(*table, hung.loading) for hung, table in zip(HUNG, tables, strict=True)]


def fitted(recorded: Sequence[tuple[Hanging, Weighed]]) -> dict[str, float]:
    """Numbers of the sensor for a recording that is none of these.

    What differs from run to run is scattered as much as another one is uncertain: by √(1 + 1/n) more than they are.
    """
    weight = np.array([hung.mass * GRAVITY for hung, _ in recorded])
    said = {name: np.array([getattr(one, name) for _, one in recorded]) for name in Weighed._fields}
    slip, lightest = said["shift"], weight.min()
    wider = math.sqrt(1.0 + 1.0 / len(recorded))
    rate = RATE * (1.0 - said["repeated"].mean())
    # Allan variance at 5 s, less that of white noise; a random walk has a third of its own in five seconds.
    wander = np.mean(said["allan_5"]) ** 2 - np.mean(said["spread"]) ** 2 / (5.0 * RATE)
    slow = said["drift"] / weight / SEEN
    return {
        "rate_hz": float(rate),
        "force_noise": float(said["spread"].mean() / math.sqrt(rate)),
        "force_walk": float(math.sqrt(max(0.0, wander) * 0.6)),
        "gain": float(np.mean((slip - said["mean"]) / weight)),
        "creep": float(np.exp(np.log(slip).mean()) / lightest),
        "creep_load": float(lightest),
        "creep_spread": float(wider * np.log(slip).std(ddof=1)),
        "creep_time": float(said["creep_time"].mean()),
        "recovery_time": RECOVERY_TIME,
        "slow_creep": float(wider * np.sqrt(np.mean(slow**2))),
        "slow_creep_time": SLOW_TIME,
    }


def each_its_bound(numbers: dict[str, float], copies: int) -> list[dict[str, float]]:
    """Sensors that slip as much under the fitted loads, each at its bound from another load on."""
    # No sensor loses more than all of its load.
    slip, dice = numbers["creep"] * numbers["creep_load"], np.random.default_rng(1)
    loads = dice.uniform(slip, numbers["creep_load"], copies).tolist()
    return [{**numbers, "creep": slip / load, "creep_load": load} for load in loads]


def hang(hung: Hanging, sensors: Sequence[dict[str, float]]) -> list[Weighed]:
    """Figures of sensors with such numbers while the mass of a recording is put on and taken off."""
    bench, on, off = Bench("force", sensors), hung.loading.on - EARLY, hung.loading.off
    for duration, load in ((on, 0.0), (off - on, hung.mass * GRAVITY), (5.0, 0.0)):
        bench.world.push("vehicle/pan", (0.0, 0.0, -load))
        bench.world.run(duration)
    times, ticks = hung.loading._replace(free=off), round((off + 5.0) * RATE)
    return [weigh(*looped(told, ticks), times) for told in bench.records()]


def looped(told: Any, ticks: int) -> tuple[Any, Any]:
    """Times [s] and readings [N] of a loop that takes the newest sample in each turn."""
    turns = np.arange(ticks)
    newest = np.searchsorted(told[:, 0], turns, side="right") - 1
    return turns / RATE, told[np.maximum(newest, 0), 3]


def judged(hung: Hanging, name: str, recorded: float, ours: list[float]) -> Row:
    """Within a fifth of the median of our sensors, or among 99 % of them."""
    low, median, high = np.quantile(ours, [0.5 - 0.5 * INSIDE, 0.5, 0.5 + 0.5 * INSIDE])
    passed = abs(median - recorded) <= CLOSE * abs(recorded) or low <= recorded <= high
    key = f"cepheus_force_{Path(hung.file).stem}_{name}"
    quantity = f"force sensor, {hung.mass:g} kg, {hung.file[:4]}: {name}, fitted to the other recordings"
    criterion = f"± 20 %, or {low:.3g} to {high:.3g}"
    return Row(key, SOURCE, quantity, recorded, float(median), UNITS.get(name, "N"), criterion, bool(passed))


def plain(hung: Hanging, name: str, others: Sequence[tuple[Hanging, Weighed]]) -> float:
    """What one who models nothing would say: the mean of the other recordings; of `mean` the mean per weight."""
    scale = [hung.mass / other.mass if name == "mean" else 1.0 for other, _ in others]
    return float(np.mean([each * getattr(one, name) for each, (_, one) in zip(scale, others, strict=True)]))


def strictly(hung: Hanging, name: str, recorded: float, ours: list[float], chance: list[float], base: float) -> Row:
    """Within a fifth of the recorded figure, or within 99 % of what chance does to that recording."""
    low, high = np.quantile(chance, [0.5 - 0.5 * INSIDE, 0.5 + 0.5 * INSIDE])

    def passes(figure: float) -> bool:
        return bool(abs(figure - recorded) <= CLOSE * abs(recorded) or low <= figure <= high)

    median = float(np.median(ours))
    key = f"cepheus_force_own_{Path(hung.file).stem}_{name}"
    quantity = f"force sensor, {hung.mass:g} kg, {hung.file[:4]}: {name}, by this recording's own interval"
    quantity += f" (the plain mean of the other two, {base:.3g}, {'passes' if passes(base) else 'misses'})"
    criterion = f"± 20 %, or {low:.3g} to {high:.3g}"
    return Row(key, SOURCE, quantity, recorded, median, UNITS.get(name, "N"), criterion, passes(median))
