"""Spaces of a task, and how difficult its starts are: the same in every environment."""

from typing import Any

import numpy as np

from cupola.learn.formulas import LARGEST
from cupola.learn.task import Task
from cupola.schema.arguments import number


def spaces(task: Task) -> tuple[Any, Any]:
    """What is seen, and what may be done."""
    import gymnasium  # here, so that who has none is told so by the environments

    seen = gymnasium.spaces.Box(-LARGEST, LARGEST, (len(task.observation),), np.float32)
    return seen, gymnasium.spaces.Box(-1.0, 1.0, (len(task.action),), np.float32)


def difficulty_of(options: dict[str, Any] | None, before: float) -> float:
    """`options={"difficulty": 0.3}` of a reset; else what it was."""
    return number((options or {}).get("difficulty", before), "options: difficulty", 0.0, 1.0)
