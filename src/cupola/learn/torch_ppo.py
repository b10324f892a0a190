"""The reference learner on a GPU: the proximal policy optimisation of `ppo`, with networks and worlds as tensors."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from cupola.learn.policy_file import Trained
from cupola.learn.ppo import LOG_SQRT_2PI, Progress, Settings, next_rate
from cupola.learn.tensors import TensorVectorEnv, torch
from cupola.schema.yaml_files import InputError

GPU = Settings(steps=10_000_000, horizon=16)
"""What suits thousands of worlds."""
WORLDS = 8192
STEEPEST = 0.5
"""Largest norm of a gradient."""


def layers(sizes: tuple[int, ...], last: float) -> Any:
    """Layers of tanh, the last one straight, its weights scaled by `last`."""
    found: list[Any] = []
    for k in range(len(sizes) - 1):
        one = torch.nn.Linear(sizes[k], sizes[k + 1])
        torch.nn.init.orthogonal_(one.weight, last if k == len(sizes) - 2 else 2.0**0.5)
        torch.nn.init.zeros_(one.bias)
        found += [one, torch.nn.Tanh()]
    return torch.nn.Sequential(*found[:-1])


class TensorLearner:
    """Two networks: what to do, and what is to be hoped for."""

    def __init__(self, worlds: TensorVectorEnv, settings: Settings = GPU) -> None:
        if worlds.autoreset_mode != AutoresetMode.SAME_STEP:
            raise InputError(f"the learner takes worlds with autoreset_mode SAME_STEP, got {worlds.autoreset_mode}")
        self.worlds, self.settings, self.device = worlds, settings, worlds.device
        torch.manual_seed(settings.seed)
        seen, acts = len(worlds.task.observation), len(worlds.task.action)
        self.actor = layers((seen, *settings.hidden, acts), 0.01).to(self.device)
        self.critic = layers((seen, *settings.hidden, 1), 1.0).to(self.device)
        self.log_std = torch.nn.Parameter(torch.full((acts,), settings.spread, device=self.device))
        self._numbers = [*self.actor.parameters(), *self.critic.parameters(), self.log_std]
        self._adam, self.rate = torch.optim.Adam(self._numbers, settings.rate), settings.rate
        self._sums = torch.zeros(worlds.num_envs, device=self.device)
        self._lengths = torch.zeros(worlds.num_envs, device=self.device)

    def learn(self, told: Callable[[Progress], None] | None = None) -> list[Progress]:
        """Learn until the steps, or the minutes, are over; returns the learning curve."""
        s, begin, done = self.settings, time.monotonic(), 0
        curve: list[Progress] = []
        seen, _ = self.worlds.reset(seed=s.seed)
        while done < s.steps and time.monotonic() - begin < 60.0 * s.minutes:
            rows, seen, ended = self._collect(seen)
            done += s.horizon * self.worlds.num_envs
            self._update(rows)
            count, reward, length, success = ended.tolist()  # waits for the GPU
            means = [x / count if count else np.nan for x in (reward, length / self.worlds.task.rate_hz, success)]
            curve.append(Progress(done, time.monotonic() - begin, int(count), *means))
            if told:
                told(curve[-1])
        return curve

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _collect(self, seen: Any) -> tuple[dict[str, Any], Any, Any]:
        """Fly for a horizon; advantages by Schulman's generalised estimate. Also: sums over episodes that ended."""
        s = self.settings
        rows: dict[str, list[Any]] = {key: [] for key in ("seen", "acts", "chance", "value", "next", "reward", "goes")}
        ended = torch.zeros(4, device=self.device)
        for _ in range(s.horizon):
            mean = self.actor(seen)
            acts = mean + torch.exp(self.log_std) * torch.randn_like(mean)
            after, reward, terminated, truncated, info = self.worlds.step(acts.clamp(-1.0, 1.0))
            over = terminated | truncated
            self._sums += reward
            self._lengths += 1.0
            found = torch.stack([torch.ones_like(reward), self._sums, self._lengths, info["success"].to(reward.dtype)])
            ended += torch.where(over, found, 0.0).sum(dim=1)
            self._sums, self._lengths = self._sums * ~over, self._lengths * ~over
            rows["seen"].append(seen)
            rows["acts"].append(acts)
            rows["chance"].append(self._log_chance(acts, mean))
            rows["value"].append(self.critic(seen)[:, 0])
            rows["next"].append(self.critic(torch.where(over[:, None], info["final_obs"], after))[:, 0] * ~terminated)
            rows["reward"].append(reward.float())
            rows["goes"].append((~over).float())
            seen = after
        gain, advantage = torch.zeros_like(self._sums), list[Any]()
        for k in range(s.horizon - 1, -1, -1):
            surprise = rows["reward"][k] + s.discount * rows["next"][k] - rows["value"][k]
            gain = surprise + s.discount * s.trace * gain * rows["goes"][k]
            advantage.insert(0, gain)
        flat = {key: torch.cat(rows[key]) for key in ("seen", "acts", "chance", "value")}
        flat["advantage"] = torch.cat(advantage)
        flat["return"] = flat["advantage"] + flat["value"]
        return flat, seen, ended

    def _log_chance(self, acts: Any, mean: Any) -> Any:
        off = (acts - mean) / torch.exp(self.log_std)
        return -(0.5 * off**2 + self.log_std + LOG_SQRT_2PI).sum(dim=1)

    def _update(self, rows: dict[str, Any]) -> None:
        for group in self._adam.param_groups:
            group["lr"] = self.rate
        for _ in range(self.settings.epochs):
            order = torch.randperm(len(rows["return"]), device=self.device)
            for part in order.chunk(self.settings.portions):
                self._adam.zero_grad()
                self._loss({key: values[part] for key, values in rows.items()}).backward()
                torch.nn.utils.clip_grad_norm_(self._numbers, STEEPEST)
                self._adam.step()
        with torch.no_grad():
            gain = self._log_chance(rows["acts"], self.actor(rows["seen"])) - rows["chance"]
            change = float((torch.exp(gain) - 1.0 - gain).mean())
        self.rate = next_rate(self.rate, change, self.settings.change)

    def _loss(self, rows: dict[str, Any]) -> Any:
        """The clipped aim of PPO, the square error of the critic, and the entropy."""
        s, gain = self.settings, rows["advantage"]
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        ratio = torch.exp(self._log_chance(rows["acts"], self.actor(rows["seen"])) - rows["chance"])
        aim = torch.minimum(ratio * gain, ratio.clamp(1.0 - s.clip, 1.0 + s.clip) * gain).mean()
        error = self.critic(rows["seen"])[:, 0] - rows["return"]
        return 0.5 * (error**2).mean() - aim - s.entropy * self.log_std.sum()

    def trained(self) -> Trained:
        """The policy as it is now: its mean action."""
        straight = [one for one in self.actor if isinstance(one, torch.nn.Linear)]
        weights = [one.weight.detach().cpu().numpy().T.copy() for one in straight]
        return Trained(self.worlds.task, weights, [one.bias.detach().cpu().numpy().copy() for one in straight])


@torch.no_grad()  # type: ignore[untyped-decorator]
def held_by(learner: TensorLearner, seed: int = 1_000_000) -> float:
    """Share of the worlds in which its policy does the task, one episode in each, from starts it has not learnt on."""
    worlds = learner.worlds
    seen, _ = worlds.reset(seed=seed)
    done = success = torch.zeros(worlds.num_envs, dtype=torch.bool, device=worlds.device)
    for _ in range(round(worlds.task.limit * worlds.task.rate_hz)):
        seen, _, terminated, truncated, info = worlds.step(learner.actor(seen).clamp(-1.0, 1.0))
        success = success | (info["success"] & ~done)
        done = done | terminated | truncated
    return float(success.float().mean())
