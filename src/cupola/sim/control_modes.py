"""Control modes of a vehicle: mission, assisted sticks or raw sticks, each with its controller."""

from typing import Any

from cupola.build.compile import Assembly, VehicleInstance
from cupola.build.controller_runner import ControllerRunner
from cupola.config.controller import Setpoint
from cupola.config.scenario import Mode
from cupola.kernel.observation import Observation, Reference, observation_in
from cupola.schema.yaml_files import InputError


class ControlModes:
    """The controllers of one vehicle by mode; one of them is active."""

    def __init__(self, index: int, instance: VehicleInstance, assembly: Assembly, dt: float) -> None:
        arrays = assembly.arrays
        self.instance = instance
        self.runners: dict[Mode, ControllerRunner] = instance.runners
        self.mode: Mode = instance.resolved.mode
        self._observed = arrays.observations[index : index + 1]
        self._row = arrays.controls[index : index + 1]
        self._mixers = [
            (bound.rows[bound.place : bound.place + 1], first)
            for bound in assembly.parts
            if bound.vehicle == instance.name and (first := bound.part.first_input()) is not None
        ]
        row, channels = self._row, instance.channels
        row["vehicle"], row["start"], row["count"] = index, channels.start, channels.stop - channels.start
        for runner in self.runners.values():
            runner.period = runner.every * dt
            state, reported = arrays.state[runner.place], arrays.reported[runner.reports]
            runner.connect(self._observed, arrays.sticks[index], state, arrays.command[channels], reported)

    @property
    def runner(self) -> ControllerRunner:
        """The active controller."""
        return self.runners[self.mode]

    @property
    def stopped(self) -> bool:
        """Whether the motors are held off."""
        return bool(self._row["stopped"][0])

    @stopped.setter
    def stopped(self, on: bool) -> None:
        self._row["stopped"] = on

    def put(self, mode: Mode) -> None:
        """Make the controller of a mode the active one, without a transition."""
        self.mode = mode
        for runner in self.runners.values():
            if runner is not self.runner:
                runner.silence()
        function, block = self.runner.compile()
        self._row["function"], self._row["block"], self._row["every"] = function, block.ctypes.data, self.runner.every
        self.connect_mixers()

    def connect_mixers(self) -> None:
        """A mixer is active if the commands of the active controller start at its first input."""
        for row, channel in self._mixers:
            row["active"] = channel == self.runner.first_channel

    def take_over(self, mode: str, tick: int, dt: float) -> None:
        """Switch to another mode, with a smooth take-over."""
        if mode not in self.runners:
            raise InputError(f"{self.instance.name} has no mode {mode!r}; it has: {', '.join(self.runners)}")
        known: Mode = next(m for m in self.runners if m == mode)
        if known != self.mode:
            self.put(known)
            self.runner.rest(tick, dt)
            self.begin()

    def begin(self) -> None:
        """Start the active controller from the present motion; its first command is held until its next call."""
        runner = self.runner
        now = self.observation()
        runner.restart(runner.controller.take_over(now, runner.state_now()))
        runner.hold_first(now)

    def follow_plan(self, plan: Any, first: int) -> None:
        """Let the controller of the mission fly another plan, from waypoint `first` on, from the present motion."""
        runner = self.runners["mission"]
        fields = getattr(runner.controller.State, "_fields", ())
        if "index" not in fields:
            name = type(runner.controller).__name__
            raise InputError(f"{self.instance.name}: its controller {name} flies no plan")
        runner.follow_plan(plan)
        now = runner.state_now()._replace(index=float(first))
        runner.restart(runner.controller.take_over(self.observation(), now))
        if runner is self.runner:
            runner.hold_first(self.observation())

    def observation(self) -> Observation:
        """Observation of the active controller."""
        return observation_in(self._observed[0])._replace(period=self.runner.period)

    def reference(self) -> Reference:
        """Reference of the active controller."""
        return self.runner.reference()

    def goal(self) -> Setpoint | None:
        """Set-point of the active controller, if it has one."""
        return self.runner.controller.goal(self.observation(), self.reference(), self.runner.state_now())

    def mission(self) -> str:
        """One line about what the active controller does."""
        return self.runner.controller.mission(self.observation(), self.reference(), self.runner.state_now())

    def reset(self) -> None:
        """As at the start."""
        self.stopped = False
        self.put(self.instance.resolved.mode)
        for runner in self.runners.values():
            runner.follow_plan(runner.first_plan)
            runner.reset()
            runner.silence()  # until its first call

    def memory(self) -> dict[str, Any]:
        """State that a snapshot keeps beside the arrays."""
        memories = {mode: runner.controller.memory() for mode, runner in self.runners.items()}
        plans = {mode: runner.plan for mode, runner in self.runners.items()}
        return {"mode": self.mode, "stopped": self.stopped, "controllers": memories, "plans": plans}

    def remember(self, memory: dict[str, Any]) -> None:
        """Restore what `memory` returned."""
        self.stopped = memory["stopped"]
        for mode, runner in self.runners.items():
            runner.controller.remember(memory["controllers"][mode])
            runner.follow_plan(memory["plans"][mode])
            runner.sync()
        self.put(memory["mode"])
