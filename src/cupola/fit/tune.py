"""Gains that do well in many worlds: CMA-ES (Hansen, 2016) over a measure of the scenario, in worlds that vary.

Every candidate flies the same worlds, so that candidates differ by their gains alone; others judge what was found.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.config.scenario import Scenario, find_scenario
from cupola.many.batch import batch
from cupola.many.threads import ThreadBatch
from cupola.schema.libraries import library
from cupola.schema.yaml_files import InputError

Array = np.ndarray[Any, Any]
FAILED = 10.0
"""Times the worst value of the first gains: what a flight counts for that stopped, or has nothing to measure."""
SPREAD = 0.25
"""Of the first candidates, as a share of each range."""
RANGE = re.compile(r"(?P<name>[^=]+)=(?P<low>[^:]+):(?P<high>[^:]+)")


class Between(NamedTuple):
    """Ends of a number."""

    low: float
    high: float

    def at(self, share: Array) -> Array:
        """Values at shares from 0 to 1; gains above 0 are spread evenly over their logarithm."""
        if self.low > 0.0:
            return np.asarray(self.low * (self.high / self.low) ** share)
        return np.asarray(self.low + share * (self.high - self.low))

    def share(self, value: float) -> float:
        """The inverse, within the ends."""
        inside = min(max(value, self.low), self.high)
        if self.low > 0.0:
            return float(np.log(inside / self.low) / np.log(self.high / self.low))
        return (inside - self.low) / (self.high - self.low)


class Tuned(NamedTuple):
    """What was found."""

    measure: str
    before: dict[str, float]
    after: dict[str, float]
    """Gains."""
    values_before: Array
    values_after: Array
    """The measure in worlds that the search has not seen; NaN: the flight stopped, or there was nothing to measure."""
    history: list[float]
    """Best mean of each round."""
    flights: int
    scenario: Scenario
    """With the new gains: its file flies."""

    @property
    def better(self) -> bool:
        """Whether the worlds that were held out say so."""
        lost = [int(np.isnan(values).sum()) for values in (self.values_after, self.values_before)]
        return lost[0] <= lost[1] and bool(np.nanmean(self.values_after) < np.nanmean(self.values_before))


def between(text: str) -> tuple[str, Between]:
    """`NAME=LOW:HIGH` of a command line."""
    found = RANGE.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        low, high = float(found["low"]), float(found["high"])
    except ValueError:
        raise InputError(f"expected NAME=LOW:HIGH, got {text!r}") from None
    if not low < high:
        raise InputError(f"{text}: low must lie below high")
    return found["name"], Between(low, high)


def tune(
    scenario: str | Path | Scenario,
    gains: dict[str, Between],
    measure: str,
    *,
    vary: dict[str, Between] | None = None,
    worlds: int = 8,
    rounds: int = 15,
    population: int | None = None,
    duration: float | None = None,
    seed: int = 1,
    told: Callable[[int, float], None] | None = None,
) -> Tuned:
    """Search for the gains with the smallest mean of a measure over worlds whose other numbers vary."""
    if len(gains) < 2:
        raise InputError("tune searches among two gains or more; for one, `cupola sweep` shows its whole range")
    search_of, size = _cma_es(), population or 4 + int(3 * np.log(len(gains)))
    content = scenario if isinstance(scenario, Scenario) else find_scenario(str(scenario))[0]
    if measure not in content.measures:
        raise InputError(f"there is no measure {measure!r}; the scenario has: {', '.join(content.measures) or 'none'}")
    flown = Flights(scenario, gains, measure, vary or {}, worlds, size, seed, duration)
    try:
        before = flown.present()
        first = np.array([one.share(before[name]) for name, one in gains.items()])
        bar = FAILED * max(1e-12, float(np.nanmax(np.abs(flown.values([first])))))
        best, lowest, history = first, flown.cost(flown.values([first])[0], bar), []
        bounds = np.tile([0.0, 1.0], (len(gains), 1))
        search = search_of(np.clip(first, 0.01, 0.99), SPREAD, bounds=bounds, seed=seed, population_size=size)
        for k in range(rounds):
            asked = [search.ask() for _ in range(search.population_size)]
            costs = [flown.cost(row, bar) for row in flown.values(asked)]
            search.tell(list(zip(asked, costs, strict=True)))
            if min(costs) < lowest:
                best, lowest = asked[int(np.argmin(costs))], min(costs)
            history.append(lowest)
            if told:
                told(k + 1, lowest)
        flown.draw(seed + 1)
        unseen = flown.values([first, best])
        after = {name: float(one.at(best[k])) for k, (name, one) in enumerate(gains.items())}
        made = flown.scenario_with(after)
        return Tuned(measure, before, after, unseen[0], unseen[1], history, flown.count, made)
    finally:
        flown.close()


def _cma_es() -> Any:
    return library("cmaes", "tuning needs the package cmaes: pip install 'cupola[fit]'").CMA


class Flights:
    """Worlds for every candidate of a round side by side."""

    def __init__(
        self,
        scenario: Any,
        gains: dict[str, Between],
        measure: str,
        vary: dict[str, Between],
        worlds: int,
        candidates: int,
        seed: int,
        duration: float | None,
    ) -> None:
        self._gains, self._vary, self._measure = gains, vary, measure
        self._worlds, self._duration, self.count = worlds, duration, 0
        made = batch(scenario, worlds * candidates, seeds=self._seeds(seed, candidates))
        assert isinstance(made, ThreadBatch)
        self._batch, self._candidates = made, candidates
        self._batch.tells = False
        unknown = [name for name in gains if name not in self._batch.pattern.tuning.tunables]
        if unknown:
            self._batch.pattern.tune(unknown[0], 0.0)  # says what there is
        self.draw(seed)

    def _seeds(self, seed: int, candidates: int) -> Array:
        return np.tile(1000 * seed + np.arange(self._worlds), candidates)

    def draw(self, seed: int) -> None:
        """Other worlds: numbers and seeds, the same for every candidate."""
        rng = np.random.default_rng(seed)
        self._numbers = {
            name: np.tile(one.low + rng.random(self._worlds) * (one.high - one.low), self._candidates)
            for name, one in self._vary.items()
        }
        self._batch.reset(None, self._seeds(seed, self._candidates))

    def present(self) -> dict[str, float]:
        """The gains as the scenario has them."""
        tunables = self._batch.pattern.tuning.tunables
        return {name: float(tunables[name].read()) for name in self._gains}

    def values(self, shares: list[Array]) -> Array:
        """The measure of each candidate (row) in each world."""
        used = np.arange(len(shares) * self._worlds)
        self._batch.reset()
        for name, values in self._numbers.items():
            self._batch.set(name, values)
        for k, (name, one) in enumerate(self._gains.items()):
            self._batch.set(name, np.repeat([one.at(share[k]) for share in shares], self._worlds), used)
        self._batch.reset()
        for i in range(len(used), self._batch.n):
            self._batch.stopped[i] = "it is not flown"
        self._batch.run(self._duration)
        found = self._batch.measures()[self._measure][used]
        found[[i for i in self._batch.stopped if i < len(used)]] = np.nan
        self.count += len(used)
        return np.asarray(found.reshape(len(shares), self._worlds))

    def cost(self, values: Array, bar: float) -> float:
        """Mean over the worlds; one that failed counts for `bar`."""
        return float(np.mean(np.where(np.isnan(values), bar, values)))

    def scenario_with(self, gains: dict[str, float]) -> Scenario:
        """The scenario with these gains and the numbers of its own."""
        world = self._batch._build({})
        for name, value in gains.items():
            world.tune(name, value)
        return world.scenario_now()

    def close(self) -> None:
        """Let go of the worlds."""
        self._batch.close()
