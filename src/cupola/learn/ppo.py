"""Proximal policy optimisation (Schulman and others, 2017) on a vector environment: the reference learner, in NumPy.

Short enough to read. For more, any library that speaks Gymnasium learns on the same environments.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode
from threadpoolctl import threadpool_limits

from cupola.learn.environments import TaskVectorEnv
from cupola.learn.network import FLOAT, Adam, Network
from cupola.learn.policy_file import Trained
from cupola.schema.yaml_files import InputError

Array = np.ndarray[Any, Any]
LOG_SQRT_2PI = 0.5 * np.log(2.0 * np.pi)
RATES, FACTOR = (1e-5, 1e-2), 1.5
"""Least and largest learning rate, and by what it changes at once."""


class Settings(NamedTuple):
    """Of the learner."""

    steps: int = 4_000_000
    """Of all worlds together."""
    minutes: float = np.inf
    """It stops earlier after these."""
    horizon: int = 32
    """Steps of each world between two updates."""
    epochs: int = 4
    portions: int = 4
    """Of each epoch."""
    rate: float = 1e-3
    """At the start. After each update it becomes larger or smaller (`next_rate`)."""
    change: float = 0.02
    """[nat] Of the policy by an update, which the rate aims at: Kullback and Leibler's divergence."""
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.0
    spread: float = -0.7
    """Logarithm of the standard deviation of actions at the start."""
    hidden: tuple[int, ...] = (64, 64)
    seed: int = 0


class Progress(NamedTuple):
    """One point of the learning curve."""

    steps: int
    seconds: float
    episodes: int
    """That ended since the last point."""
    reward: float
    """Mean sum over those; NaN without any."""
    length: float
    """Mean [s]."""
    success: float
    """Share of them."""


def next_rate(rate: float, change: float, aim: float) -> float:
    """The learning rate after an update that changed the policy by `change` [nat].

    A rate that only falls with time let some trainings unlearn what they could: on a GPU two of three.
    """
    if change > 2.0 * aim:
        return max(RATES[0], rate / FACTOR)
    return min(RATES[1], rate * FACTOR) if change < 0.5 * aim else rate


class Learner:
    """Two networks: what to do, and what is to be hoped for."""

    def __init__(self, worlds: TaskVectorEnv, settings: Settings) -> None:
        if worlds.autoreset_mode != AutoresetMode.SAME_STEP:
            raise InputError(f"the learner takes worlds with autoreset_mode SAME_STEP, got {worlds.autoreset_mode}")
        self.worlds, self.settings = worlds, settings
        seen, acts = len(worlds.task.observation), len(worlds.task.action)
        self.rng = np.random.default_rng(settings.seed)
        self.actor = Network((seen, *settings.hidden, acts), 0.01, self.rng)
        self.critic = Network((seen, *settings.hidden, 1), 1.0, self.rng)
        self.log_std = np.full(acts, settings.spread, FLOAT)
        self._adam, self.rate = Adam([*self.actor.numbers, *self.critic.numbers, self.log_std]), settings.rate
        self._sums = np.zeros(worlds.num_envs)
        self._episodes: list[tuple[float, int, bool]] = []
        self._lengths = np.zeros(worlds.num_envs, np.int64)

    def learn(self, told: Callable[[Progress], None] | None = None) -> list[Progress]:
        """Learn until the steps, or the minutes, are over; returns the learning curve."""
        with threadpool_limits(1):  # small matrices: more threads of BLAS would wait for each other
            return self._learn(told)

    def _learn(self, told: Callable[[Progress], None] | None) -> list[Progress]:
        s, begin, done = self.settings, time.monotonic(), 0
        curve: list[Progress] = []
        seen, _ = self.worlds.reset(seed=s.seed)
        while done < s.steps and time.monotonic() - begin < 60.0 * s.minutes:
            rows, seen = self._collect(seen)
            done += s.horizon * self.worlds.num_envs
            self._update(rows)
            curve.append(self._progress(done, time.monotonic() - begin))
            if told:
                told(curve[-1])
        return curve

    def _progress(self, steps: int, seconds: float) -> Progress:
        found, self._episodes = self._episodes, []
        if not found:
            return Progress(steps, seconds, 0, np.nan, np.nan, np.nan)
        sums, lengths, successes = map(np.array, zip(*found, strict=True))
        period = 1.0 / self.worlds.task.rate_hz
        return Progress(steps, seconds, len(found), sums.mean(), period * lengths.mean(), successes.mean())

    def _collect(self, seen: Array) -> tuple[dict[str, Array], Array]:
        """Fly for a horizon; advantages by Schulman's generalised estimate."""
        s, n = self.settings, self.worlds.num_envs
        rows: dict[str, list[Array]] = {key: [] for key in ("seen", "acts", "chance", "value", "next", "reward")}
        ended = []
        for _ in range(s.horizon):
            mean = self.actor(seen)
            noise = np.asarray(self.rng.standard_normal(mean.shape), FLOAT)
            acts = mean + np.exp(self.log_std) * noise
            after, reward, terminated, truncated, info = self.worlds.step(np.clip(acts, -1.0, 1.0))
            last = np.array(after)
            for i in np.flatnonzero(terminated | truncated):
                last[i] = info["final_obs"][i]
            self._count(reward, terminated | truncated, info)
            rows["seen"].append(seen)
            rows["acts"].append(acts)
            rows["chance"].append(self._log_chance(acts, mean))
            rows["value"].append(self.critic(seen)[:, 0])
            rows["next"].append(self.critic(last)[:, 0] * ~terminated)
            rows["reward"].append(np.asarray(reward, FLOAT))
            ended.append(terminated | truncated)
            seen = after
        gain: Array = np.zeros(n, FLOAT)
        advantage: list[Array] = []
        for k in range(s.horizon - 1, -1, -1):
            surprise = rows["reward"][k] + s.discount * rows["next"][k] - rows["value"][k]
            gain = surprise + s.discount * s.trace * gain * ~ended[k]
            advantage.insert(0, gain)
        flat = {key: np.concatenate(values) for key, values in rows.items()}
        flat["advantage"] = np.concatenate(advantage)
        flat["return"] = flat["advantage"] + flat["value"]
        return flat, seen

    def _count(self, reward: Array, ended: Array, info: dict[str, Any]) -> None:
        self._sums += reward
        self._lengths += 1
        for i in np.flatnonzero(ended):
            self._episodes.append((float(self._sums[i]), int(self._lengths[i]), bool(info["success"][i])))
        self._sums[ended], self._lengths[ended] = 0.0, 0

    def _log_chance(self, acts: Array, mean: Array) -> Array:
        off = (acts - mean) / np.exp(self.log_std)
        return np.asarray(-(0.5 * off**2 + self.log_std + LOG_SQRT_2PI).sum(axis=1), FLOAT)

    def _update(self, rows: dict[str, Array]) -> None:
        for _ in range(self.settings.epochs):
            for part in np.array_split(self.rng.permutation(len(rows["reward"])), self.settings.portions):
                gradients = self._gradients({key: values[part] for key, values in rows.items()})
                self._adam.step(gradients, self.rate)
        gain = self._log_chance(rows["acts"], self.actor(rows["seen"])) - rows["chance"]
        self.rate = next_rate(self.rate, float(np.mean(np.exp(gain) - 1.0 - gain)), self.settings.change)

    def _gradients(self, rows: dict[str, Array]) -> list[Array]:
        """Of the clipped aim of PPO, the square error of the critic, and the entropy."""
        s, count = self.settings, len(rows["reward"])
        advantage = rows["advantage"]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        through = self.actor.forward(rows["seen"])
        mean, std = through[-1], np.exp(self.log_std)
        ratio = np.exp(self._log_chance(rows["acts"], mean) - rows["chance"])
        inside = np.where(advantage > 0.0, ratio < 1.0 + s.clip, ratio > 1.0 - s.clip)
        weight = (-advantage * ratio * inside / count)[:, None]
        off = (rows["acts"] - mean) / std
        by_actor = self.actor.backward(through, (weight * off / std).astype(FLOAT))
        by_std = (weight * (off**2 - 1.0)).sum(axis=0) - s.entropy
        hoped = self.critic.forward(rows["seen"])
        error = (hoped[-1][:, 0] - rows["return"])[:, None] / count
        return [*by_actor, *self.critic.backward(hoped, error.astype(FLOAT)), by_std.astype(FLOAT)]

    def trained(self) -> Trained:
        """The policy as it is now: its mean action."""
        return Trained(self.worlds.task, [w.copy() for w in self.actor.weights], [b.copy() for b in self.actor.biases])


def held(worlds: TaskVectorEnv, policy: Callable[[Array], Array], seed: int = 1_000_000) -> float:
    """Share of the worlds in which a policy does its task, one episode in each, from starts it has not learnt on."""
    seen, _ = worlds.reset(seed=seed)
    done, success = np.zeros(worlds.num_envs, bool), np.zeros(worlds.num_envs, bool)
    while not done.all():
        seen, _, terminated, truncated, info = worlds.step(np.clip(policy(seen), -1.0, 1.0))
        ends = (terminated | truncated) & ~done
        success |= ends & info["success"]
        done |= ends
    return float(success.mean())
