"""A study: one scenario for many values of some numbers. What a study file may say, and the points that follow."""

import itertools
import math
from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator
from scipy.stats import qmc

from cupola.schema.yaml_files import Entry

Array = np.ndarray[Any, Any]
MOST_VALUES = 10_000_000
"""Of all runs together: a few lines can ask for any number of them."""
MOST_NUMBERS = 1000


class Range(Entry):
    """The values of one number: listed, or between two ends."""

    values: list[float] = Field([], description="these and no others")
    low: float | None = Field(None, description="the lowest value")
    high: float | None = Field(None, description="the highest value")
    levels: int = Field(5, ge=2, le=100_000, description="how many values a grid takes between the ends, both counted")
    log: bool = Field(False, description="spread evenly over the logarithm")

    @model_validator(mode="after")
    def _check(self) -> "Range":
        if bool(self.values) == (self.low is not None or self.high is not None):
            raise ValueError("give either values, or low and high")
        if not self.values and (self.low is None or self.high is None or not self.low < self.high):
            raise ValueError("low must lie below high")
        if self.log and (self.values or (self.low or 0.0) <= 0.0):
            raise ValueError("log needs low above 0")
        return self

    def at(self, share: Array) -> Array:
        """Values at shares from 0 to 1 of the way."""
        if self.values:
            places = np.minimum((share * len(self.values)).astype(int), len(self.values) - 1)
            return np.asarray(np.array(self.values)[places])
        assert self.low is not None and self.high is not None
        if self.log:
            return np.asarray(self.low * (self.high / self.low) ** share)
        return np.asarray(self.low + share * (self.high - self.low))

    @property
    def count(self) -> int:
        """How many values a grid takes."""
        return len(self.values) or self.levels

    def grid(self) -> Array:
        """The values that a grid takes."""
        return np.array(self.values) if self.values else self.at(np.linspace(0.0, 1.0, self.levels))


class Study(Entry):
    """The content of a study file."""

    about: str = Field("", description="one sentence")
    scenario: str = Field(description="name or file of the scenario, beside the study or as `cupola list` has it")
    duration: float | None = Field(None, gt=0, description="[s] of each run; without it that of the scenario")
    method: Literal["grid", "random", "latin", "sobol"] = "grid"
    samples: int = Field(64, ge=1, le=10_000_000, description="points; a grid has as many as it has")
    repeats: int = Field(1, ge=1, le=1_000_000, description="runs of each point, with one seed after the other")
    seed: int = Field(1, ge=0, lt=2**31, description="of the points, and of the first run")
    numbers: dict[str, Range] = Field(
        min_length=1, max_length=MOST_NUMBERS, description="name of a number, as for cupola.batch, and its values"
    )

    @model_validator(mode="after")
    def _check(self) -> "Study":
        grid = math.prod(one.count for one in self.numbers.values())
        runs = self.repeats * (grid if self.method == "grid" else self.samples)
        if runs * len(self.numbers) > MOST_VALUES:
            asked = f"{runs:.3g} runs" if runs < 1e300 else "more runs than can be counted"
            raise ValueError(f"asks for {asked} of {len(self.numbers)} numbers; a study may have {MOST_VALUES} values")
        return self

    def points(self) -> dict[str, Array]:
        """The values of each number, point by point."""
        names = list(self.numbers)
        if self.method == "grid":
            rows = np.array(list(itertools.product(*(one.grid() for one in self.numbers.values()))))
            return {name: rows[:, k] for k, name in enumerate(names)}
        shares = self._shares(len(names))
        return {name: self.numbers[name].at(shares[:, k]) for k, name in enumerate(names)}

    def _shares(self, dimensions: int) -> Array:
        if self.method == "random":
            return np.random.default_rng(self.seed).random((self.samples, dimensions))
        if self.method == "latin":
            return np.asarray(qmc.LatinHypercube(dimensions, rng=self.seed).random(self.samples))
        power = max(0, int(np.ceil(np.log2(self.samples))))
        found = qmc.Sobol(dimensions, rng=self.seed).random_base2(power)
        return np.asarray(found[: self.samples])

    def runs(self) -> dict[str, Array]:
        """Numbers and seed of each run: all repeats of a point one after the other."""
        points = self.points()
        count = len(next(iter(points.values())))
        found = {name: np.repeat(values, self.repeats) for name, values in points.items()}
        return {"seed": self.seed + np.tile(np.arange(self.repeats), count), **found}
