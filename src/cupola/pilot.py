"""A controller in its seat: its rate in ticks, its sticks and plan, compiled or plain."""

import importlib
import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cupola.controller import Controller
from cupola.engine.law import PLAN_WIDTH, compile_law, law_block
from cupola.engine.seen import Wanted, seen_from
from cupola.files import InputError
from cupola.plugins import load_class
from cupola.vehicle import ControllerEntry


def shipped_controllers() -> dict[str, str]:
    """Controllers that come with the package. They stand to the right of the world, so they are found by name."""
    found: dict[str, str] = importlib.import_module("cupola.control").CONTROLLERS
    return found


def hire(entry: ControllerEntry, folder: Path, source: str) -> Controller:
    """The controller that an entry names, with its parameters set."""
    shipped = shipped_controllers()
    if ".py:" not in entry.use and entry.use not in shipped:
        known = ", ".join(sorted(shipped))
        raise InputError(f"{source}.use: there is no controller {entry.use!r}; known: {known}, or file.py:Class")
    try:
        cls = load_class(shipped.get(entry.use, entry.use), Controller, folder)
    except InputError as error:
        raise InputError(f"{source}.use: {error}") from error
    try:
        return cls(**entry.parameters)
    except ValueError as error:
        raise InputError(f"{source}.parameters: {error}") from None


def ticks_between(rate_hz: float, physics_hz: int, source: str) -> int:
    """Ticks from one call to the next; the rate must divide the physics rate."""
    every = physics_hz / rate_hz
    if every >= 1 and math.isclose(every, round(every), rel_tol=1e-12):
        return round(every)
    below, above = max(1, math.floor(every)), max(1, math.ceil(every))
    nearest = " or ".join(f"{physics_hz / n:g}" for n in sorted({above, below}, reverse=True))
    raise InputError(
        f"{source}.rate_hz: {rate_hz:g} Hz does not divide physics_hz {physics_hz}; nearest valid: {nearest} Hz"
    )


class Pilot:
    """One controller flying one vehicle."""

    def __init__(
        self,
        name: str,
        controller: Controller,
        entry: ControllerEntry,
        every: int,
        compiled: bool,
        order: tuple[int, ...],
    ) -> None:
        self.name = name
        self.controller = controller
        self.every = every
        overrides = type(controller).step is not Controller.step
        self.compiled = compiled and not overrides and type(controller).law is not None
        self.plan = np.array(
            [[*p.position, math.radians(p.yaw_deg), p.speed, p.hold, float(p.land)] for p in entry.plan], np.float64
        ).reshape(-1, PLAN_WIDTH)
        self._waypoints = self.plan.tolist()
        self.order = order
        self.script = sorted((s.time, s.channels) for s in entry.sticks)
        self.numbers = np.array([*controller.values.values()] or [0.0])

    def sit(self, seen: Any, sticks: Any, state: Any, command: Any) -> tuple[int, Any]:
        """Address of the compiled law and the block it reads; 0 for a plain controller."""
        self.seen, self.sticks, self.state, self.command = seen, sticks, state, command
        if not self.compiled:
            return 0, np.zeros(1, np.int64)
        cls = type(self.controller)
        law = compile_law(cls.law, cls.State, tuple(cls.parameters))
        return law.address, law_block(seen, sticks, state, self.numbers, command, self.plan)

    def act(self) -> None:
        """Call a plain controller and hold its command."""
        numbers = self.seen.tolist()
        numbers[1] = self.period
        output = self.controller.step(seen_from(numbers), Wanted(self.sticks.tolist(), self._waypoints))
        try:
            self.command[: len(output)] = output
        except (TypeError, ValueError) as error:
            limit = len(self.command)
            raise InputError(
                f"{type(self.controller).__name__}.step must return up to {limit} numbers, got {output!r}"
            ) from error

    def move(self, channels: Sequence[float]) -> None:
        """Set the sticks from the first channels on; roll, pitch, yaw, throttle are put where controllers expect them.

        `order` says which channels carry these four, -1 for none.
        """
        if len(channels) > len(self.sticks):
            raise InputError(f"{self.name}: there are {len(self.sticks)} stick channels, got {len(channels)}")
        self.sticks[: len(channels)] = channels
        for place, channel in enumerate(self.order):
            if channel != place and channel < len(channels):
                self.sticks[place] = channels[channel] if channel >= 0 else 0.0

    def follow_script(self, tick: int, dt: float) -> int:
        """Set the scripted sticks that begin at this tick; returns the ticks until the next change."""

        def due(row: tuple[float, list[float]]) -> int:
            return math.ceil(row[0] / dt - 1e-9)

        first, after = bisect_left(self.script, tick, key=due), bisect_right(self.script, tick, key=due)
        for _, channels in self.script[first:after]:
            self.move(channels)
        return due(self.script[after]) - tick if after < len(self.script) else 1 << 62

    def set(self, name: str, value: float) -> None:
        """Change a parameter; it takes effect at the next call."""
        self.controller.set(name, value)
        self.numbers[list(self.controller.parameters).index(name)] = value

    period = 0.0
    """[s] between two calls; set by the world."""
