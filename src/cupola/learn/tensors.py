"""Worlds of a task as PyTorch tensors: on a GPU observations, rewards, starts and actions never leave its memory.

`cupola.envs("hover", 4096, backend="cuda", tensors=True)`. Flights are those of the back-end `cuda`, or of `fused`,
whose tensors lie in the memory of the processor. All worlds are judged and started at once, whatever has ended where.
"""

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cupola.control.direct import FIRST_STICK
from cupola.learn.episodes import SEEDS, Outcome, Score
from cupola.learn.formulas import LARGEST, Formulas, Moment
from cupola.learn.spaces import difficulty_of, spaces
from cupola.learn.task import Task, find_task
from cupola.many import spread
from cupola.many.batch import batch
from cupola.many.fused import FRESH, SEED, STATUS, TICK, FusedBatch
from cupola.many.fused_signals import read_signal
from cupola.parts.shown import Signal
from cupola.schema.arguments import whole_number
from cupola.schema.libraries import not_imported
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.measures import evaluate, phases_of

try:
    import torch as torch
except Exception as error:
    raise not_imported(
        "torch", "tensors are PyTorch's: install it as https://pytorch.org says, or leave out tensors", error
    ) from None

OPERATORS: dict[str, Any] = {
    "number": torch.tensor,
    "min of two": torch.fmin,
    "max of two": torch.fmax,
    "+": torch.add,
    "-": torch.subtract,
    "*": torch.multiply,
    "/": torch.divide,
    "^": torch.pow,
    "negative": torch.negative,
    "abs": torch.abs,
    "sqrt": torch.sqrt,
    "<": torch.less,
    "<=": torch.less_equal,
    ">": torch.greater,
    ">=": torch.greater_equal,
    "==": torch.eq,
    "and": torch.logical_and,
    "or": torch.logical_or,
    "not": torch.logical_not,
    "when": lambda value, condition: torch.where(condition, value, torch.nan),
}
"""Of the expressions of a task: those of `sim.measures.OPERATORS`."""


class _Functions:
    """What `xmath` calls, from PyTorch, which takes no plain numbers for the smaller and larger of two."""

    __name__ = "torch"

    def __getattr__(self, name: str) -> Any:
        return getattr(torch, name)

    def minimum(self, a: Any, b: Any) -> Any:
        return torch.clamp(a, max=b)

    def maximum(self, a: Any, b: Any) -> Any:
        return torch.clamp(a, min=b)


class _Row(torch.Tensor):  # type: ignore[misc]
    """A tensor that names its library, as arrays of NumPy and JAX do: `physics` computes with it."""

    def __array_namespace__(self, **version: Any) -> _Functions:
        return _Functions()


class TensorMoment(Moment):
    """Values of the expressions in all worlds, as tensors."""

    def observations(self) -> Any:
        """A row for each world, as those of NumPy."""
        found = torch.stack([self.number(key) for key in self._seen], dim=1)
        return torch.nan_to_num(found, 0.0, LARGEST, -LARGEST).clamp(-LARGEST, LARGEST).float()

    def _of(self, key: str, otherwise: Any) -> Any:
        like = self._run.time
        if key not in self._trees:
            return torch.full_like(like, otherwise, dtype=torch.bool if otherwise is False else like.dtype)
        found = evaluate(self._trees[key], self._run, OPERATORS).as_subclass(torch.Tensor)
        return torch.broadcast_to(found.to(like.device), like.shape)


class TensorVectorEnv(VectorEnv[Any, Any, Any]):
    """N worlds of a task; tensors in, tensors out, without waiting for the GPU.

    One seed is that of all starts. Numbers of `randomise` that are those of a start are drawn at each start, others
    once for each world. `info["final_obs"]` (mode `SAME_STEP`) has a row for every world, which counts where
    `_final_obs` says.
    """

    def __init__(
        self,
        task: str | Path | Task,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        backend: str | None = None,
        trust: bool | Trust = False,
        seed: int = 0,
        **options: Any,
    ) -> None:
        self.task, self.num_envs = find_task(task), whole_number(num_envs, "num_envs", 1)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = spaces(self.task)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        if self.task.agents:
            raise InputError("agents that learn together share one world: cupola.parallel_env")
        self.difficulty: float = 1.0
        scenario, n = self.task.world(), self.num_envs
        ranges = {k: v for k, v in self.task.randomise.items() if not spread.START.fullmatch(k)}
        rng = np.random.default_rng(seed)
        numbers = {name: rng.uniform(*one.ends(1.0), n) for name, one in ranges.items()}
        made = batch(scenario, n, numbers, backend=backend or "cuda", trust=trust, **options)
        if not isinstance(made, FusedBatch):
            raise InputError(f"tensors are for the back-ends cuda and fused, got {backend}")
        self.batch: FusedBatch = made
        self._ticks: int = round(scenario.physics_hz / self.task.rate_hz)
        state, whole_numbers = made.in_place()
        self.device: Any = torch.device("cuda" if hasattr(state, "__cuda_array_interface__") else "cpu")
        self._state, self._whole = (torch.as_tensor(a, device=self.device) for a in (state, whole_numbers))
        self._random = torch.Generator(self.device).manual_seed(seed)
        self._formulas = Formulas(self.task.expressions(), made.signals(), phases_of(made.pattern))
        self._signals: dict[str, Signal] = {
            name: one for name in self._formulas.signals for one, _ in made.pattern.find_signals(name)
        }
        self._score = Score(self.task, n, torch, device=self.device)
        self._starts = self._given_starts()
        self._first = torch.as_tensor(
            np.array([float(np.ravel(made._first(np.array([0]))[name])[0]) for name in made.rows]),
            device=self.device,
            dtype=self._state.dtype,
        )
        first = min(one.channel for one in self.task.action.values())
        sticks = [made.rows[f"sticks.{FIRST_STICK + one.channel - first}"] for one in self.task.action.values()]
        self._sticks = torch.as_tensor(sticks, device=self.device)
        self._ended = torch.zeros(n, dtype=torch.bool, device=self.device)

    def _given_starts(self) -> dict[str, tuple[float, ...]]:
        """Fields of the start as the scenario has them."""
        return {name: tuple(values[0].tolist()) for name, values in self.batch._starts.items()}

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every world, or in those of `options["reset_mask"]`, a tensor of truth values."""
        if seed is not None:
            self._random.manual_seed(whole_number(seed, "seed", 0))
        self.difficulty = difficulty_of(options, self.difficulty)
        everywhere = torch.ones(self.num_envs, dtype=torch.bool, device=self.device)
        mask = torch.as_tensor((options or {}).get("reset_mask", everywhere), device=self.device)
        if mask.shape != everywhere.shape or mask.dtype != torch.bool:
            raise InputError(f"reset_mask: expected {self.num_envs} truth values, got {tuple(mask.shape)} {mask.dtype}")
        self._ended = self._ended & ~mask
        return self._begin(mask).observations(), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Act from -1 to 1 for one period in every world."""
        mode, before = self.autoreset_mode, self._ended
        if mode == AutoresetMode.DISABLED and before.any():
            raise InputError("some worlds have ended: reset them with a reset_mask first")
        found = self._act(actions)
        seen, rewards, terminated, truncated = found[:4]
        info: dict[str, Any] = dict(found.info)
        if mode == AutoresetMode.NEXT_STEP:
            seen = self._begin(before).observations()
            rewards, terminated, truncated = rewards * ~before, terminated & ~before, truncated & ~before
        self._ended = terminated | truncated
        if mode == AutoresetMode.SAME_STEP:
            info |= {"final_obs": seen, "_final_obs": self._ended}
            seen = self._begin(self._ended).observations()
            self._ended = torch.zeros_like(self._ended)
        return seen, rewards, terminated, truncated, info

    def _act(self, actions: Any) -> Outcome:
        given = torch.as_tensor(actions, device=self.device, dtype=self._state.dtype)
        if given.shape != (self.num_envs, len(self.task.action)):
            wanted = f"{self.num_envs} rows of {len(self.task.action)}"
            raise InputError(f"expected {wanted} actions, got shape {tuple(given.shape)}")
        self._state[self._sticks] = torch.nan_to_num(given).T
        self.batch.fly(self._ticks)
        return self._score.judge(self._now, self._whole[STATUS] == 0)

    def _begin(self, mask: Any) -> TensorMoment:
        """Start some worlds over; starts are drawn for all, and taken where the mask says. Returns what is seen."""
        n, kind = self.num_envs, self._state.dtype
        start = {
            name: [torch.full((n,), value, device=self.device, dtype=kind).as_subclass(_Row) for value in values]
            for name, values in self._starts.items()
        }
        for name, one in self.task.randomise.items():
            if place := spread.START.fullmatch(name):
                low, high = one.ends(self.difficulty)
                drawn = torch.rand(n, generator=self._random, device=self.device, dtype=kind)
                start[place["field"]][int(place["axis"] or 0)] = (low + (high - low) * drawn).as_subclass(_Row)
        fresh = self._first[:, None].expand(-1, n).clone()
        for name, values in self.batch.first_motion(start).items():
            fresh[self.batch.rows[name]] = values.as_subclass(torch.Tensor)
        torch.where(mask, fresh, self._state, out=self._state)
        seeds = torch.randint(SEEDS, (n,), generator=self._random, device=self.device)
        self._whole[SEED] = torch.where(mask, seeds, self._whole[SEED])
        for row, value in ((TICK, 0), (STATUS, 0), (FRESH, 1)):
            self._whole[row].masked_fill_(mask, value)
        self._score.begin(mask)
        now = self._now()
        self._score.arrive(mask, now)
        return now

    def _now(self) -> TensorMoment:
        goals = self._score.goal()
        columns = {name: read_signal(self.batch, one, self._row) for name, one in self._signals.items()}
        columns |= {f"goal.{axis}": goals[:, k] for k, axis in enumerate("xyz")}
        time = self._whole[TICK].to(goals.dtype) * self.batch.dt
        return self._formulas.moment(TensorMoment, time, columns)

    def _row(self, name: str) -> Any:
        return self._state[self.batch.rows[name]].as_subclass(_Row)

    def close_extras(self, **kwargs: Any) -> None:
        """Let go of the worlds."""
        self.batch.close()
