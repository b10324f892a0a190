"""Who flies a vehicle now: its mission, a person with assistance, or a person with the raw sticks."""

from typing import Any

import numpy as np

from cupola.build.compile import Assembly, Member
from cupola.build.controller_runner import ControllerRunner
from cupola.config.controller import Setpoint
from cupola.config.scenario import Mode
from cupola.kernel.observation import Seen, Wanted, observation_in
from cupola.schema.yaml_files import InputError


class Seat:
    """The pilots of one vehicle, one of whom flies."""

    def __init__(self, index: int, member: Member, assembly: Assembly, dt: float) -> None:
        arrays = assembly.arrays
        self.member = member
        self.pilots = member.pilots
        self.mode: Mode = member.entered.mode
        self._seen = arrays.observations[index : index + 1]
        self._row = arrays.controls[index : index + 1]
        self._mixers = [
            (bound.rows[bound.place : bound.place + 1], first)
            for bound in assembly.parts
            if bound.vehicle == member.name and (first := bound.part.first_input()) is not None
        ]
        row, channels = self._row, member.channels
        row["vehicle"], row["start"], row["count"] = index, channels.start, channels.stop - channels.start
        for pilot in self.pilots.values():
            pilot.period = pilot.every * dt
            state, reported = arrays.state[pilot.place], arrays.reported[pilot.reports]
            pilot.sit(self._seen, arrays.sticks[index], state, arrays.command[channels], reported)

    @property
    def pilot(self) -> ControllerRunner:
        """Who flies."""
        return self.pilots[self.mode]

    @property
    def stopped(self) -> bool:
        """Whether the motors are held off."""
        return bool(self._row["stopped"][0])

    @stopped.setter
    def stopped(self, on: bool) -> None:
        self._row["stopped"] = on

    def put(self, mode: Mode) -> None:
        """Let a pilot fly as if it always had."""
        self.mode = mode
        for pilot in self.pilots.values():
            if pilot is not self.pilot:
                pilot.silence()
        function, block = self.pilot.compile()
        self._row["function"], self._row["block"], self._row["every"] = function, block.ctypes.data, self.pilot.every
        self.connect_mixers()

    def connect_mixers(self) -> None:
        """A mixer acts when the pilot's commands begin where its inputs do."""
        for row, channel in self._mixers:
            row["active"] = channel == self.pilot.first_channel

    def take_over(self, mode: str, tick: int, dt: float) -> None:
        """Let another pilot fly from here on."""
        if mode not in self.pilots:
            raise InputError(f"{self.member.name} has no mode {mode!r}; it has: {', '.join(self.pilots)}")
        known: Mode = next(m for m in self.pilots if m == mode)
        if known != self.mode:
            self.put(known)
            self.pilot.rest(tick, dt)
            self.begin()

    def begin(self) -> None:
        """The present pilot starts from the present motion, and its first command is held until it is next due."""
        pilot = self.pilot
        now = self.look()
        pilot.restart(pilot.controller.take_over(now, pilot.state_now()))
        pilot.hold_first(now)

    def look(self) -> Seen:
        """What the present pilot sees."""
        return observation_in(self._seen[0])._replace(period=self.pilot.period)

    def wanted(self) -> Wanted:
        """What the present pilot is asked for."""
        return self.pilot.wanted()

    def goal(self) -> Setpoint | None:
        """Where the present pilot wants to be."""
        return self.pilot.controller.goal(self.look(), self.wanted(), self.pilot.state_now())

    def mission(self) -> str:
        """What the present pilot is doing."""
        return self.pilot.controller.mission(self.look(), self.wanted(), self.pilot.state_now())

    def reset(self) -> None:
        """As at the start."""
        self.stopped = False
        self.put(self.member.entered.mode)
        for pilot in self.pilots.values():
            pilot.controller.reset()
            pilot.silence()  # until its first call

    def memory(self) -> dict[str, Any]:
        """What a snapshot must hold beside the arrays."""
        memories = {mode: pilot.controller.memory() for mode, pilot in self.pilots.items()}
        return {"mode": self.mode, "stopped": self.stopped, "controllers": memories}

    def remember(self, memory: dict[str, Any]) -> None:
        """Go back to what `memory` returned."""
        self.stopped = memory["stopped"]
        for mode, pilot in self.pilots.items():
            pilot.controller.remember(memory["controllers"][mode])
            pilot.numbers[: len(pilot.controller.values)] = np.array(list(pilot.controller.values.values()))
        self.put(memory["mode"])
