"""Gymnasium environments of a task: `cupola.env("hover")` is one world, `cupola.envs("hover", 64)` a batch of them.

Actions go from -1 to 1; observations are what the expressions of the task say, in 32 bits. Gymnasium
knows what ships, too: `gymnasium.make("cupola.learn.environments:cupola/hover-v0")`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from cupola.learn.episodes import Episodes
from cupola.learn.spaces import difficulty_of, spaces
from cupola.learn.task import Task, find_task, shipped_tasks
from cupola.schema.arguments import whole_number
from cupola.schema.libraries import not_imported
from cupola.schema.yaml_files import InputError

if TYPE_CHECKING:
    from cupola.learn.tensors import TensorVectorEnv

try:
    import gymnasium
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except Exception as error:
    raise not_imported("gymnasium", "environments need Gymnasium: pip install 'cupola[learn]'", error) from None

Array = np.ndarray[Any, Any]


class TaskEnv(gymnasium.Env[Array, Array]):
    """One world of a task. `reset(options={"difficulty": 0.3})` narrows what is drawn, where the task says how."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it; the page shows worlds

    def __init__(self, task: str | Path | Task, trust: bool = False) -> None:
        self.task = find_task(task)
        self.episodes = Episodes(self.task, 1, "threads", trust, threads=1)
        self.world = self.episodes.batch.worlds[0]
        """An ordinary `cupola.World`."""
        self.observation_space, self.action_space = spaces(self.task)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        self.episodes.difficulty = difficulty_of(options, self.episodes.difficulty)
        self.episodes.seed({0: self.np_random})
        self.episodes.reset(np.array([0]))
        return self.episodes.observations()[0], {}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Act for one period."""
        found = self.episodes.step(np.asarray(action)[None])
        info = {name: values[0].item() for name, values in found.info.items()}
        if why := self.episodes.batch.stopped.get(0):
            info["stopped"] = why
        ends = bool(found.terminated[0]), bool(found.truncated[0])
        return found.observations[0], float(found.rewards[0]), *ends, info

    def close(self) -> None:
        """Let go of the world."""
        self.episodes.close()


class TaskVectorEnv(VectorEnv[Array, Array, Array]):
    """N worlds of a task on one batch. World `i` does what a `TaskEnv` with the seed of `i` does.

    With `NEXT_STEP` a world that ended starts over at the next call, whose action counts for nothing there; with
    `SAME_STEP` at once, what was seen last is in `info["final_obs"]`; with `DISABLED` when
    `reset(options={"reset_mask": ...})` says so.
    """

    def __init__(
        self,
        task: str | Path | Task,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        backend: str | None = None,
        trust: bool = False,
        **options: Any,
    ) -> None:
        self.task, self.num_envs = find_task(task), whole_number(num_envs, "num_envs", 1)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.episodes = Episodes(self.task, self.num_envs, backend, trust, **options)
        self.single_observation_space, self.single_action_space = spaces(self.task)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._ended = np.zeros(self.num_envs, bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin an episode in every world, or in those of `options["reset_mask"]`; seeds: one, or one for each."""
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, bool)))
        if mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            raise InputError(f"reset_mask: expected {self.num_envs} truth values, one of them true, got {mask!r}")
        self.episodes.difficulty = difficulty_of(options, self.episodes.difficulty)
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed or [None] * self.num_envs
        if len(seeds) != self.num_envs:
            raise InputError(f"seed: expected one, or {self.num_envs}, got {len(seeds)}")
        which = np.flatnonzero(mask)
        fresh = not hasattr(self, "_started")
        self._started = True
        given = {int(i): seeds[i] for i in which if seeds[i] is not None or fresh}
        self.episodes.seed({i: seeding.np_random(one)[0] for i, one in given.items()})
        self.episodes.reset(which)
        self._ended[which] = False
        return self.episodes.observations(), {}

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Act for one period in every world."""
        mode, before = self.autoreset_mode, self._ended
        if mode == AutoresetMode.DISABLED and before.any():
            raise InputError(f"worlds {np.flatnonzero(before).tolist()} have ended: reset them with a reset_mask first")
        found = self.episodes.step(actions)
        seen, rewards, terminated, truncated = map(np.array, found[:4])
        info: dict[str, Any] = dict(found.info)
        info |= {f"_{name}": np.ones(self.num_envs, bool) for name in found.info}
        if mode == AutoresetMode.NEXT_STEP and before.any():
            self.episodes.reset(np.flatnonzero(before))
            seen[before] = self.episodes.observations()[before]
            rewards[before], terminated[before], truncated[before] = 0.0, False, False
            info |= {f"_{name}": ~before for name in found.info}
        self._ended = terminated | truncated
        if mode == AutoresetMode.SAME_STEP and self._ended.any():
            info |= self._final(seen, found.info)
            self.episodes.reset(np.flatnonzero(self._ended))
            seen[self._ended] = self.episodes.observations()[self._ended]
            self._ended = np.zeros(self.num_envs, bool)
        return seen, rewards, terminated, truncated, info

    def _final(self, seen: Array, info: dict[str, Array]) -> dict[str, Any]:
        """What the worlds that ended were like, in the form of Gymnasium's own vector environments."""
        last = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(self._ended):
            last[i] = seen[i].copy()
        ended = self._ended.copy()
        told: dict[str, Any] = {name: np.where(ended, values, 0) for name, values in info.items()}
        told |= {f"_{name}": ended for name in info}
        return {"final_obs": last, "_final_obs": ended, "final_info": told, "_final_info": ended}

    def close_extras(self, **kwargs: Any) -> None:
        """Let go of the worlds."""
        self.episodes.close()


def env(task: str | Path | Task, *, trust: bool = False) -> TaskEnv:
    """A Gymnasium environment of a task: one that ships, a file, or a `Task`."""
    return TaskEnv(task, trust)


@overload
def envs(
    task: str | Path | Task, num_envs: int, *, tensors: Literal[False] = False, **options: Any
) -> TaskVectorEnv: ...


@overload
def envs(task: str | Path | Task, num_envs: int, *, tensors: Literal[True], **options: Any) -> "TensorVectorEnv": ...


def envs(
    task: str | Path | Task, num_envs: int, *, tensors: bool = False, **options: Any
) -> "TaskVectorEnv | TensorVectorEnv":
    """A Gymnasium vector environment of a task.

    Options: `autoreset_mode`, `trust`, `backend` and further ones of `cupola.batch`. With `tensors` it takes and gives
    tensors of PyTorch, which with the back-end `cuda`, then the default, never leave the GPU.
    """
    if tensors:
        from cupola.learn.tensors import TensorVectorEnv

        return TensorVectorEnv(task, num_envs, **options)
    return TaskVectorEnv(task, num_envs, **options)


for _name in shipped_tasks():
    gymnasium.register(
        f"cupola/{_name}-v0",
        entry_point="cupola.learn.environments:TaskEnv",
        vector_entry_point="cupola.learn.environments:TaskVectorEnv",
        kwargs={"task": _name},
    )
