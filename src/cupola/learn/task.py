"""A task: what a learner sees of a scenario, what it may do, and what is good. The content of a task file."""

from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field, PrivateAttr, model_validator

from cupola.config.scenario import Scenario, find_scenario
from cupola.control.direct import CHANNELS, FIRST_STICK
from cupola.schema.expressions import ExpressionError, parse_expression
from cupola.schema.yaml_files import Entry, InputError, read

TASKS = Path(__file__).parent / "tasks"


class Channel(Entry):
    """Where an action goes: a command channel, from the lowest to the highest of the commands it may give."""

    channel: int = Field(ge=0, description="command channel of the vehicle")
    low: float = Field(description="command at action -1")
    high: float = Field(description="command at action 1")

    @model_validator(mode="after")
    def _check(self) -> "Channel":
        if not self.low < self.high:
            raise ValueError("low must lie below high")
        return self


class Spread(Entry):
    """Between which values a number is drawn, evenly, at each start."""

    low: float
    high: float
    easy: tuple[float, float] | None = Field(
        None, description="the same at difficulty 0; between it and 1 both ends move in a straight line"
    )

    @model_validator(mode="after")
    def _check(self) -> "Spread":
        ends = [(self.low, self.high), self.easy or (self.low, self.high)]
        if any(low > high for low, high in ends):
            raise ValueError("low must not lie above high")
        return self

    def ends(self, difficulty: float) -> tuple[float, float]:
        """Lowest and highest value."""
        first, last = self.easy or (self.low, self.high), (self.low, self.high)
        low, high = (a + difficulty * (b - a) for a, b in zip(first, last, strict=True))
        return low, high


class Task(Entry):
    """The content of a task file. Expressions are those of measures, on the values of one moment."""

    about: str = ""
    scenario: str | Scenario = Field(description="name or file of a scenario, or what would stand in one")
    vehicle: str | None = Field(None, description="who is steered; without it the first vehicle")
    agents: dict[str, tuple[float, float, float]] = Field(
        {}, description="vehicles that learn together, and by how much the goals of each lie elsewhere [m]"
    )
    rate_hz: float = Field(50.0, gt=0, description="how often the learner acts")
    limit: float = Field(gt=0, description="[s] after which an episode is cut off")
    action: dict[str, Channel] = Field(min_length=1, max_length=CHANNELS, description="name of each action")
    observation: list[str] = Field(min_length=1, description="expressions on signals, or a signal's name")
    reward: str = Field(description="expression without a unit, for each step")
    progress: str | None = Field(None, description="expression whose increase over a step is added to the reward")
    lost: str | None = Field(None, description="condition that ends an episode; a fault in the world does, too")
    loss: float = Field(0.0, ge=0, description="taken from the reward when it is lost")
    goals: list[tuple[float, float, float]] = Field(
        [(0.0, 0.0, 0.0)], min_length=1, description="goal.x, goal.y, goal.z one after the other"
    )
    reached: str | None = Field(None, description="condition that brings the next goal; the last one ends the episode")
    prize: float = Field(0.0, ge=0, description="added to the reward for each goal that is reached")
    success: str | None = Field(None, description="condition at the end; without it: all goals were reached")
    randomise: dict[str, Spread] = Field({}, description="name of a number, as for cupola.batch, and its ends")
    backend: str = Field("threads", description="of the batch: fused for a free body in flight")
    _folder: Path = PrivateAttr(Path())

    @model_validator(mode="after")
    def _check(self) -> "Task":
        for key, text in self.expressions().items():
            try:
                parse_expression(text)
            except ExpressionError as error:
                raise ValueError(f"{key}: {error}, in {text!r}") from None
        if self.success is None and self.reached is None:
            raise ValueError("say what counts as done: reached: or success:")
        if self.agents and self.vehicle is not None:
            raise ValueError("give vehicle, or agents; expressions are written for the first of them")
        channels = [one.channel for one in self.action.values()]
        if len(set(channels)) < len(channels):
            raise ValueError("two actions have the same channel")
        if max(channels) - min(channels) >= CHANNELS:
            raise ValueError(f"actions lie on channels {min(channels)} to {max(channels)}; {CHANNELS} side by side")
        return self

    def expressions(self) -> dict[str, str]:
        """Every expression by its key."""
        found = {f"observation[{k}]": text for k, text in enumerate(self.observation)}
        keys = ("reward", "progress", "lost", "reached", "success")
        return found | {key: text for key in keys if (text := getattr(self, key)) is not None}

    def world(self) -> Scenario:
        """The scenario with the actions passed straight to the channels of its vehicle."""
        if isinstance(self.scenario, Scenario):
            scenario, folder = self.scenario, self._folder
        else:
            beside = self._folder / self.scenario
            scenario, folder = find_scenario(str(beside) if beside.is_file() else self.scenario)
        first = min(one.channel for one in self.action.values())
        low, high = [0.0] * CHANNELS, [0.0] * CHANNELS
        for one in self.action.values():
            low[one.channel - first], high[one.channel - first] = one.low, one.high
        parameters = {"low": low, "high": high}
        direct = {"use": "direct", "rate_hz": self.rate_hz, "channel": first, "parameters": parameters}
        changes: dict[str, Any] = {"measures": {}}
        for entry in self._steered(scenario):
            changes |= {f"vehicles[{entry}].controller": direct, f"vehicles[{entry}].mode": "mission"}
        made = scenario.with_(changes)
        made._folder = folder
        return made

    def entry(self, scenario: Scenario) -> int:
        """Which vehicle of the scenario it steers."""
        return 0 if self.vehicle is None else self._place("vehicle", self.vehicle, scenario)

    def _steered(self, scenario: Scenario) -> list[int]:
        return [self._place("agents", name, scenario) for name in self.agents] or [self.entry(scenario)]

    def _place(self, key: str, name: str, scenario: Scenario) -> int:
        names = [one.name or Path(one.model).name for one in scenario.vehicles]
        if name not in names:
            raise InputError(f"{key}: there is no {name!r}; there are: {', '.join(names)}")
        return names.index(name)

    def sticks(self, actions: Any) -> Any:
        """Rows of stick channels for rows of actions from -1 to 1."""
        first = min(one.channel for one in self.action.values())
        rows = np.zeros((len(actions), FIRST_STICK + CHANNELS))
        for k, one in enumerate(self.action.values()):
            rows[:, FIRST_STICK + one.channel - first] = actions[:, k]
        return rows


def shipped_tasks() -> list[str]:
    """Names of the tasks that come with the package."""
    return sorted(path.stem for path in TASKS.glob("*.yaml"))


def find_task(name: str | Path | Task) -> Task:
    """The task of a file, or a shipped one."""
    if isinstance(name, Task):
        return name
    path = Path(name)
    if not path.is_file() and (TASKS / f"{name}.yaml").is_file():
        path = TASKS / f"{name}.yaml"
    if not path.is_file() and path.suffix not in (".yaml", ".yml"):
        raise InputError(f"there is no task {str(name)!r}; there are: {', '.join(shipped_tasks())}; or give a file")
    task = read(path, Task)
    task._folder = path.parent
    return task
