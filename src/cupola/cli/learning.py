"""`cupola learn TASK`: learn a task with the reference learner; the policy is an ONNX file that flies."""

from pathlib import Path

from cupola.cli.screen import bar, columns, listen, say, show_json, stdout
from cupola.learn.curve import write_curve
from cupola.learn.environments import TaskVectorEnv
from cupola.learn.policy_file import onnx_module, save_policy
from cupola.learn.ppo import Learner, Progress, Settings, held
from cupola.learn.task import find_task

ROWS = 12
"""Points of the learning curve that are printed."""


def learn(
    name: str, out: Path | None, steps: int, minutes: float | None, worlds: int, seed: int, as_json: bool
) -> None:
    """Learn, write policy and learning curve, and say how often the task is done from starts it has not seen."""
    listen()
    onnx_module()  # says what is missing before the work, not after it
    task = find_task(name)
    folder = out or Path("out") / f"learn_{Path(name).stem}"
    many = TaskVectorEnv(task, worlds, autoreset_mode="SameStep")
    learner = Learner(many, Settings(steps=steps, minutes=minutes or float("inf"), seed=seed))
    with bar(f"learning {Path(name).stem}", steps) as told:
        curve = learner.learn(lambda now: told(now.steps))
        policy = learner.trained()
        save_policy(policy, folder / "policy.onnx")
        files = [folder / "policy.onnx", *write_curve(curve, folder)]
        share = held(many, policy.act)
    many.close()
    if as_json:
        last = curve[-1]._asdict()
        show_json({"files": files, "worlds": worlds, "held": share, **last})
        return
    _print(curve)
    say(f"done from {100.0 * share:.1f} % of {worlds} starts that it has not learnt on; {files[0]} flies it")


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
