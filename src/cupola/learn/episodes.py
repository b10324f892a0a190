"""Episodes of a task in N worlds at once: what both kinds of environments are made of."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from cupola.learn.formulas import Formulas, Moment
from cupola.learn.task import Task
from cupola.many import spread
from cupola.many.batch import Batch, batch
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.measures import phases_of

Array = np.ndarray[Any, Any]
SEEDS = 2**31


class Outcome(NamedTuple):
    """What a step has brought, world by world."""

    observations: Array
    rewards: Array
    terminated: Array
    truncated: Array
    info: dict[str, Array]
    """`goals`: how many were reached. `success`: whether the task is done, known at the end of an episode."""


class Score:
    """What the episodes of N worlds have earned so far, in the arrays of `library`: NumPy or PyTorch."""

    def __init__(self, task: Task, n: int, library: Any, **place: Any) -> None:
        self.task, self.library = task, library
        self.goals: Any = library.asarray(task.goals, **place)
        self.at: Any = library.zeros(n, dtype=library.int64, **place)
        """Of each world the goal that it is at."""
        self.before: Any = library.zeros(n, **place)
        """What `progress` was."""
        self.steps: Any = library.zeros(n, dtype=library.int64, **place)
        self.last: int = round(task.limit * task.rate_hz)
        """Steps of an episode that nothing ends earlier."""

    def goal(self) -> Any:
        """Of each world the place that it is to reach."""
        return self.goals[self.at.clip(max=len(self.goals) - 1)]

    def begin(self, mask: Any) -> None:
        """An episode begins in some worlds; `arrive` follows."""
        self.at, self.steps = self.at * ~mask, self.steps * ~mask

    def arrive(self, mask: Any, now: Moment) -> None:
        """What counts as progress counts from here."""
        self.before = self.library.where(mask, now.number("progress"), self.before)

    def judge(self, look: Callable[[], Moment], alive: Any) -> Outcome:
        """A period has passed in every world."""
        task, now = self.task, look()
        self.steps = self.steps + 1
        progress = now.number("progress")
        rewards = now.number("reward") + progress - self.before
        lost = now.holds("lost") | ~alive
        reached = now.holds("reached") & ~lost
        rewards = self.library.nan_to_num(rewards) - task.loss * lost + task.prize * reached
        self.at = self.at + reached
        all_reached = self.at >= len(self.goals)
        truncated = (self.steps >= self.last) & ~lost & ~all_reached
        if task.reached is not None and reached.any():  # the way to the next goal begins here
            now = look()
            progress = now.number("progress")
        self.before = progress + 0.0
        done = all_reached if task.success is None else now.holds("success") & ~lost
        info = {"goals": self.at + 0, "success": done & (lost | all_reached | truncated)}
        return Outcome(now.observations(), rewards, lost | all_reached, truncated, info)


class Episodes:
    """N worlds that are started, acted upon and judged."""

    def __init__(
        self, task: Task, n: int, backend: str | None = None, trust: bool | Trust = False, **options: Any
    ) -> None:
        if task.agents:
            raise InputError(f"{', '.join(task.agents)} learn together: cupola.parallel_env makes their environment")
        self.task, self.n = task, n
        self.rngs = [np.random.default_rng(k) for k in range(n)]
        self.difficulty: float = 1.0
        scenario = task.world()
        numbers = self._drawn(range(n))
        self.batch: Batch = batch(scenario, n, numbers, backend=backend or task.backend, trust=trust, **options)
        self.batch.tells = False
        world = self.batch.pattern
        self.vehicle: str = world.instances[task.entry(scenario)].name
        self.ticks: int = round(scenario.physics_hz / task.rate_hz)
        self._formulas = Formulas(task.expressions(), self.batch.signals(), phases_of(world))
        self._score = Score(task, n, np)

    def _drawn(self, which: Any) -> dict[str, Array]:
        """Numbers of some worlds, each from the generator of its world."""
        ends = np.array([one.ends(self.difficulty) for one in self.task.randomise.values()]).reshape(-1, 2)
        rows = np.array([self.rngs[i].uniform(ends[:, 0], ends[:, 1]) for i in which])
        return {name: rows[:, k] for k, name in enumerate(self.task.randomise)}

    def seed(self, seeds: Mapping[int, np.random.Generator]) -> None:
        """Give worlds generators, from which all their episodes are drawn."""
        for i, rng in seeds.items():
            self.rngs[i] = rng

    def reset(self, which: Array) -> None:
        """Begin an episode in some worlds: another seed, other numbers."""
        seeds = np.array([self.rngs[i].integers(SEEDS) for i in which], np.int64)
        numbers = self._drawn(which)
        if not all(spread.START.fullmatch(name) for name in numbers):
            self.batch.reset(which, seeds)  # a controller that has flown may refuse a number that it starts with
        for name, values in numbers.items():
            self.batch.set(name, values, which)
        self.batch.reset(which, seeds)
        mask = np.zeros(self.n, bool)
        mask[which] = True
        self._score.begin(mask)
        self._score.arrive(mask, self._now())

    def observations(self) -> Array:
        """Of all worlds, now."""
        return self._now().observations()

    def step(self, actions: Any) -> Outcome:
        """Act from -1 to 1 in every world, for one period of the learner."""
        given = np.asarray(actions, float)
        if given.shape != (self.n, len(self.task.action)):
            raise InputError(f"expected {self.n} rows of {len(self.task.action)} actions, got shape {given.shape}")
        self.batch.set(f"{self.vehicle}.sticks", self.task.sticks(np.nan_to_num(given)))
        self.batch.step(self.ticks)
        return self._score.judge(self._now, self.batch.alive)

    def _now(self) -> Moment:
        return self._formulas.at(self.batch.time, self.batch.observe(self._formulas.signals), self._score.goal())

    def close(self) -> None:
        """Let go of the worlds."""
        self.batch.close()
