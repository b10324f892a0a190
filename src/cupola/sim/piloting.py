"""Who flies: sticks, plans, control modes, the emergency stop. What else is done to a world: `interaction`."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cupola.build.compile import Assembly, VehicleInstance
from cupola.build.controller_runner import ControllerRunner
from cupola.config.controller import Setpoint
from cupola.engine.law import PLAN_WIDTH
from cupola.kernel.memory import Views
from cupola.schema.arguments import number, numbers, text, whole_number
from cupola.schema.yaml_files import InputError
from cupola.sim.control_modes import ControlModes
from cupola.sim.events import Command
from cupola.sim.failures import Failures


class Piloting:
    """Controllers of a running world and what they are told: a base class of `World`."""

    assembly: Assembly
    arrays: Views
    dt: float
    listeners: list[Callable[[Command], None]]
    _acting_itself: bool
    _all_modes: list[ControlModes]
    _faults: Failures

    @property
    def instances(self) -> list[VehicleInstance]:
        """The vehicles."""
        return self.assembly.instances

    @property
    def tick(self) -> int:
        """Number of physics steps since the start."""
        return int(self.arrays.counters[0])

    def sticks(self, channels: Sequence[float], vehicle: str | None = None) -> None:
        """Set the sticks of a vehicle: up to 20 channels, -1 to 1."""
        modes = self._modes(vehicle)
        channels = numbers(channels, "sticks", finite=False)
        if np.array_equal(modes.runner.sticks[: len(channels)], channels, equal_nan=True):
            return
        self._tell("sticks", tuple(channels), modes.instance.name)
        if not self._sticks_are_lost(modes):
            modes.runner.move(channels)

    def script(self, rows: Sequence[tuple[float, list[float]]], vehicle: str | None = None) -> None:
        """Let the sticks follow rows of (time [s], channels) instead of the scenario's."""
        modes = self._modes(vehicle)
        listed: Any = rows
        if not isinstance(listed, tuple | list) or not all(isinstance(r, tuple | list) and len(r) == 2 for r in listed):
            raise InputError(f"script: expected rows of (time [s], channels), got {rows!r}")
        checked = [(number(time, "script: time"), numbers(row, "script: channels")) for time, row in rows]
        self._tell("script", tuple((time, tuple(row)) for time, row in checked), modes.instance.name)
        modes.runner.script = sorted(checked)

    def plan(self, rows: Sequence[Sequence[float]], vehicle: str | None = None, first: int = 0) -> None:
        """Fly another plan, from waypoint `first` (0 is the first row) on, until the world is reset.

        Rows of x, y, z [m, world], yaw [rad], speed [m/s], hold [s] and 1 to land, as `Waypoint` has them.
        """
        modes = self._modes(vehicle)
        listed: Any = rows
        if not isinstance(listed, tuple | list | np.ndarray):
            raise InputError(f"plan: expected rows of x, y, z, yaw, speed, hold, land; got {rows!r}")
        checked = [numbers(row, f"plan[{k}]") for k, row in enumerate(rows)]
        for k, row in enumerate(checked):
            if len(row) != PLAN_WIDTH or row[4] <= 0.0 or row[5] < 0.0:
                raise InputError(f"plan[{k}]: expected x, y, z, yaw, speed above 0, hold, land; got {list(row)}")
        first = whole_number(first, "plan: first", 0, max(0, len(checked) - 1))
        modes.follow_plan(np.array(checked, np.float64).reshape(-1, PLAN_WIDTH), first)
        self._tell("plan", tuple(tuple(row) for row in checked), modes.instance.name, first)

    def modes(self, vehicle: str | None = None) -> list[str]:
        """Control modes of a vehicle: `mission`, and `assisted` and `raw` where they are declared."""
        return list(self._modes(vehicle).runners)

    def mode(self, vehicle: str | None = None) -> str:
        """The active control mode."""
        return self._modes(vehicle).mode

    def runner(self, vehicle: str | None = None) -> ControllerRunner:
        """The runner of the active controller."""
        return self._modes(vehicle).runner

    def take_over(self, mode: str, vehicle: str | None = None) -> None:
        """Switch to another control mode without a jump in the motion; the sticks return to rest."""
        modes = self._modes(vehicle)
        modes.take_over(text(mode, "take_over: mode"), self.tick, self.dt)
        self._tell("take_over", mode, modes.instance.name)

    def make_modes_ready(self) -> None:
        """Compile every mode of every vehicle now, so that no take-over has to wait."""
        for modes in self._all_modes:
            for runner in modes.runners.values():
                runner.compile()

    def stop_motors(self, on: bool = True, vehicle: str | None = None) -> None:
        """Emergency stop: all commands of a vehicle (None: of all) are 0 until release or reset."""
        all_modes = self._all_modes if vehicle is None else [self._modes(vehicle)]
        self._tell("stop_motors", on, vehicle)
        for modes in all_modes:
            if modes.stopped and not on:
                modes.begin()
            modes.stopped = on

    def stopped(self, vehicle: str | None = None) -> bool:
        """Whether the emergency stop of a vehicle is active."""
        return self._modes(vehicle).stopped

    def goal(self, vehicle: str | None = None) -> Setpoint | None:
        """The set-point of its controller; None if it has none."""
        return self._modes(vehicle).goal()

    def mission(self, vehicle: str | None = None) -> str:
        """Present activity of its controller, in words."""
        return self._modes(vehicle).mission()

    def throttle_rests_at(self, vehicle: str | None = None) -> float:
        """Rest position of the throttle stick in the active mode."""
        return self._modes(vehicle).runner.controller.throttle_rests_at

    def _sticks_are_lost(self, modes: ControlModes) -> bool:
        index = self._index(modes.instance.name)
        seed, stream = int(self.arrays.world["seed"][0]), self.arrays.vehicles[index].stream
        draw = self.tick // int(self.arrays.world["draw_every"][0])
        return self._faults.lose_sticks(modes.instance.name, seed, stream, draw)

    def _tell(self, call: str, *arguments: Any) -> None:
        for listener in self.listeners:
            listener(Command(self.tick, call, arguments, not self._acting_itself))

    def _index(self, vehicle: str | None) -> int:
        if vehicle is None:
            return 0
        names = [m.name for m in self.instances]
        if vehicle not in names:
            raise InputError(f"there is no vehicle {vehicle!r}; there are: {', '.join(names)}")
        return names.index(vehicle)

    def _modes(self, vehicle: str | None) -> ControlModes:
        return self._all_modes[self._index(vehicle)]
