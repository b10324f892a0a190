"""Several vehicles that learn in one world: `cupola.parallel_env(task)` is a `ParallelEnv` of PettingZoo.

The expressions of the task are written for the first of its `agents`. For the next, each name stands for the one after
it, and the last for the first again: what the first sees of the second, the second sees of the third.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np

from cupola.engine.errors import SimulationError
from cupola.learn.episodes import SEEDS, Outcome, Score
from cupola.learn.formulas import Formulas, Moment
from cupola.learn.spaces import difficulty_of, spaces
from cupola.learn.task import Task, find_task
from cupola.many import spread
from cupola.schema.libraries import not_imported
from cupola.schema.yaml_files import InputError
from cupola.sim.measures import phases_of
from cupola.sim.world import World, load

try:
    from pettingzoo import ParallelEnv
except Exception as error:
    raise not_imported("pettingzoo", "several agents need PettingZoo: pip install 'cupola[agents]'", error) from None

Array = np.ndarray[Any, Any]


class TaskParallelEnv(ParallelEnv):  # type: ignore[misc]
    """One world in which every agent acts, is paid and may be lost on its own.

    Who is lost, or done, leaves `agents`; its vehicle stays in the world with its last command. A fault in the world
    ends it for all.
    """

    metadata: dict[str, Any] = {"name": "cupola", "render_modes": []}  # noqa: RUF012 - as PettingZoo declares it

    def __init__(self, task: str | Path | Task, trust: bool = False) -> None:
        self.task = find_task(task)
        if not self.task.agents:
            raise InputError("agents: the task names none; cupola.env is for one vehicle")
        self.possible_agents = list(self.task.agents)
        self.agents: list[str] = []
        self.world: World = load(self.task.world(), trust=trust)
        """An ordinary `cupola.World`."""
        seen, acts = spaces(self.task)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, acts)
        self._formulas = Formulas(self.task.expressions(), self.world.signals(), phases_of(self.world))
        count = len(self.possible_agents)
        self._signals = [[self._seen_by(k, name) for name in self._formulas.signals] for k in range(count)]
        self._score = Score(self.task, count, np)
        self._elsewhere = np.array(list(self.task.agents.values()), float)
        self._acts = np.zeros((count, len(self.task.action)))
        self._ticks = round(self.world.scenario.physics_hz / self.task.rate_hz)
        self._rng, self._difficulty = np.random.default_rng(), 1.0

    def observation_space(self, agent: str) -> Any:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent may do."""
        return self.action_spaces[agent]

    def _seen_by(self, k: int, name: str) -> str:
        """A name that is written for the first agent, for agent `k`."""
        agents = self.possible_agents
        others = {one: agents[(j + k) % len(agents)] for j, one in enumerate(agents)}
        return re.sub(r"^\w+(?=\.)", lambda found: others.get(found[0], found[0]), name)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Begin an episode: each agent's numbers are drawn on their own, those of the world once."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._difficulty = difficulty_of(options, self._difficulty)
        start = int(self._rng.integers(SEEDS))
        self.world.reset(start)
        for name, one in self.task.randomise.items():
            for agent in dict.fromkeys(self._seen_by(k, name) for k in range(len(self.possible_agents))):
                spread.apply(self.world, agent, float(self._rng.uniform(*one.ends(self._difficulty))))
        self.world.reset(start)
        self.agents = list(self.possible_agents)
        everyone = np.ones(len(self.agents), bool)
        self._score.begin(everyone)
        now = self._now()
        self._score.arrive(everyone, now)
        return dict(zip(self.agents, now.observations(), strict=True)), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Every agent acts, from -1 to 1, for one period."""
        if set(actions) != set(self.agents):
            raise InputError(f"expected actions of {', '.join(self.agents) or 'nobody'}, got {', '.join(actions)}")
        acting = [self.possible_agents.index(agent) for agent in self.agents]
        for k in acting:
            given = np.asarray(actions[self.possible_agents[k]], float)
            if given.shape != self._acts[k].shape:
                raise InputError(f"{self.possible_agents[k]}: expected {len(self._acts[k])} actions, got {given.shape}")
            self._acts[k] = np.nan_to_num(given)
        for agent, row in zip(self.possible_agents, self.task.sticks(self._acts), strict=True):
            self.world.sticks(row.tolist(), agent)
        why = self._fly()
        found = self._score.judge(self._now, np.full(len(self.possible_agents), not why))
        return self._told(found, acting, why)

    def _fly(self) -> str:
        """Advance the world by a period; returns why it stopped, if it did."""
        try:
            self.world.step(self._ticks)
        except SimulationError as error:
            return str(error)
        return ""

    def _told(self, found: Outcome, acting: list[int], why: str) -> tuple[Any, Any, Any, Any, Any]:
        names = [self.possible_agents[k] for k in acting]
        seen = {name: found.observations[k] for name, k in zip(names, acting, strict=True)}
        rewards = {name: float(found.rewards[k]) for name, k in zip(names, acting, strict=True)}
        ends = [
            {n: bool(e[k]) for n, k in zip(names, acting, strict=True)} for e in (found.terminated, found.truncated)
        ]
        infos: dict[str, Any] = {
            n: {key: v[k].item() for key, v in found.info.items()} for n, k in zip(names, acting, strict=True)
        }
        if why:
            infos = {name: {**info, "stopped": why} for name, info in infos.items()}
        self.agents = [name for name in names if not (ends[0][name] or ends[1][name])]
        return seen, rewards, ends[0], ends[1], infos

    def _now(self) -> Moment:
        values = np.array([[self.world.signal(name) for name in row] for row in self._signals], np.float64)
        goals = self._score.goal() + self._elsewhere
        return self._formulas.at(np.full(len(values), self.world.time), values, goals)


def parallel_env(task: str | Path | Task, *, trust: bool = False) -> TaskParallelEnv:
    """A PettingZoo environment of a task with `agents`: a file, or a `Task`."""
    return TaskParallelEnv(task, trust)
