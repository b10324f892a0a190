"""`cupola learn TASK`: train a policy with the reference PPO and write it as an ONNX file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cupola.cli.screen import bar, columns, listen, say, show_json, stdout
from cupola.learn.curve import write_curve
from cupola.learn.environments import TaskVectorEnv
from cupola.learn.policy_file import onnx_module, save_policy
from cupola.learn.ppo import Learner, Progress, Settings, held
from cupola.learn.task import Task, find_task
from cupola.many.cuda import check_gpu

ROWS = 12
"""Points of the learning curve that are printed."""


STEPS, WORLDS = 3_000_000, 512
"""Where nothing else is asked for, on the processor."""


def learn(
    name: str,
    out: Path | None,
    steps: int | None,
    minutes: float | None,
    worlds: int | None,
    gpu: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Train, write policy and learning curve, and print the success rate from unseen starts."""
    listen()
    onnx_module()  # says what is missing before the work, not after it
    task, limit = find_task(name), minutes or float("inf")
    folder = out or Path("out") / f"learn_{Path(name).stem}"
    made = _on_the_gpu if gpu else _on_the_processor
    with made(task, worlds, steps, limit, seed) as (learner, judged):
        with bar(f"learning {Path(name).stem}", learner.settings.steps) as told:
            curve = learner.learn(lambda now: told(now.steps))
            save_policy(learner.trained(), folder / "policy.onnx")
            files = [folder / "policy.onnx", *write_curve(curve, folder)]
            share = judged()
        worlds = learner.worlds.num_envs
    if as_json:
        last = curve[-1]._asdict()
        show_json({"files": files, "worlds": worlds, "held": share, **last})
        return
    _print(curve)
    say(f"done from {100.0 * share:.1f} % of {worlds} starts not used in training; {files[0]} is the policy")


@contextmanager
def _on_the_processor(
    task: Task, worlds: int | None, steps: int | None, minutes: float, seed: int
) -> Iterator[tuple[Any, Callable[[], float]]]:
    many = TaskVectorEnv(task, worlds or WORLDS, autoreset_mode="SameStep")
    learner = Learner(many, Settings(steps=steps or STEPS, minutes=minutes, seed=seed))
    yield learner, lambda: held(many, learner.trained().act)
    many.close()


@contextmanager
def _on_the_gpu(
    task: Task, worlds: int | None, steps: int | None, minutes: float, seed: int
) -> Iterator[tuple[Any, Callable[[], float]]]:
    check_gpu()
    from cupola.learn import torch_ppo
    from cupola.learn.tensors import TensorVectorEnv

    many = TensorVectorEnv(task, worlds or torch_ppo.WORLDS, autoreset_mode="SameStep", backend="cuda", seed=seed)
    settings = torch_ppo.GPU._replace(steps=steps or torch_ppo.GPU.steps, minutes=minutes, seed=seed)
    learner = torch_ppo.TensorLearner(many, settings)
    yield learner, lambda: torch_ppo.held_by(learner)
    many.close()


def _print(curve: list[Progress]) -> None:
    table = columns("steps", "time", "episodes", "reward", "length", "success")
    for one in curve[:: max(1, len(curve) // ROWS)] + curve[-1:]:
        table.add_row(
            f"{one.steps:,}".replace(",", " "),
            f"{one.seconds:.0f} s",
            str(one.episodes),
            f"{one.reward:.2f}",
            f"{one.length:.1f} s",
            f"{100 * one.success:.0f} %",
        )
    stdout().print(table)
