"""A policy that was learnt as an ordinary controller: `use: hover.onnx` in a scenario, or `--controller hover.onnx`."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cupola.config.controller import Controller, Setpoint
from cupola.config.robot import Robot
from cupola.config.vehicle import ControllerEntry
from cupola.kernel.observation import Observation, Reference
from cupola.learn.formulas import Formulas, Moment
from cupola.learn.policy_file import Loaded, load_policy
from cupola.schema.yaml_files import InputError
from cupola.sim.measures import phases_of

EARLY = 1e-9
"""[s]: times are sums of ticks."""


def read_policy(path: Path, entry: ControllerEntry, source: str, content: bytes | None = None) -> "Policy":
    """The policy of a file, as the entry of a vehicle names it; `content`: what the file held."""
    if entry.parameters:
        raise InputError(f"{source}.parameters: a policy has none; what it was trained for is in its file")
    return Policy(load_policy(path, content))


class Policy(Controller):
    """Sees the signals that it was trained on and acts at the rate it was trained at, held in between.

    The waypoints of the plan, where there is one, stand for the goals of its task, one after the other.
    """

    def __init__(self, learnt: Loaded) -> None:
        super().__init__()
        self._learnt = learnt
        self._formulas: Formulas | None = None
        self._memory: dict[str, Any] = {}
        self._goals = np.array(learnt.task.goals)
        self.reset()

    def accept(self, robot: Robot, channel: int) -> None:
        """Refuse a vehicle whose channels would mean something else."""
        first = min(one.channel for one in self._learnt.task.action.values())
        if channel != first:
            raise ValueError(f"{self._learnt.source} acts on channels from {first} on: write channel: {first}")

    def reset(self) -> None:
        """At the first goal, about to act."""
        self._memory = {"calls": 0, "goal": 0, "command": []}

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Commands, from its action range to that of the channels."""
        task, memory = self._learnt.task, self._memory
        if ref.plan:
            self._goals = np.array([row[:3] for row in ref.plan])
        if obs.time < memory["calls"] / task.rate_hz - EARLY:
            return list(memory["command"])
        memory["calls"] += 1
        now = self._now(obs.time)
        if memory["goal"] < len(self._goals) - 1 and now.holds("reached")[0]:
            memory["goal"] += 1
            now = self._now(obs.time)
        acts = self._learnt.act(now.observations())[0]
        memory["command"] = self._commands(acts)
        return list(memory["command"])

    def _commands(self, acts: Any) -> list[float]:
        channels = list(self._learnt.task.action.values())
        first, last = min(one.channel for one in channels), max(one.channel for one in channels)
        found = [0.0] * (last - first + 1)
        for one, act in zip(channels, acts, strict=True):
            share = 0.5 + 0.5 * float(act)
            found[one.channel - first] = one.low + share * (one.high - one.low)
        return found

    def _now(self, time: float) -> Moment:
        world = self._world
        if self._formulas is None:
            self._formulas = Formulas(self._texts(), world.signals(), phases_of(world))
        values = np.array([[world.signal(name) for name in self._formulas.signals]], np.float64)
        goal = self._goals[min(self._memory["goal"], len(self._goals) - 1)]
        return self._formulas.at(np.array([time]), values, goal[None])

    def _texts(self) -> dict[str, str]:
        """What it must know, with the name that its vehicle has here."""
        task = self._learnt.task
        trained_on = task.vehicle or task.world().vehicles[0].name or Path(task.world().vehicles[0].model).name
        texts = {k: t for k, t in task.expressions().items() if k == "reached" or k.startswith("observation")}
        return {key: re.sub(rf"\b{trained_on}\.", f"{self.robot.name}.", text) for key, text in texts.items()}

    def goal(self, obs: Observation, ref: Reference, state: Any) -> Setpoint | None:
        """The goal that it is at."""
        x, y, z = self._goals[min(self._memory["goal"], len(self._goals) - 1)].tolist()
        return Setpoint(x, y, z, 0.0)

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """Whose policy, and where it is."""
        what = f"a learnt policy, {Path(self._learnt.source).name}"
        many = len(self._goals)
        return what if many == 1 else f"{what}, goal {min(self._memory['goal'], many - 1) + 1} of {many}"

    def memory(self) -> dict[str, Any]:
        """What changes while it flies; the network does not."""
        return {"memory": dict(self._memory), "goals": self._goals.copy()}

    def remember(self, memory: dict[str, Any]) -> None:
        """Go back."""
        self._memory, self._goals = dict(memory["memory"]), memory["goals"].copy()
