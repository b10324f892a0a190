"""A controller as the world calls it: its rate in ticks, its sticks and plan, compiled or plain."""

import difflib
import importlib
import math
import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cupola.build.readings import Readings
from cupola.config.controller import Controller, check_signals
from cupola.config.given_controller import GivenController
from cupola.config.own_code import POLICY
from cupola.config.parameters import element_at
from cupola.config.vehicle import ControllerEntry
from cupola.engine.errors import SimulationError
from cupola.engine.law import PLAN_WIDTH, compile_law, law_block, law_of, law_plan, long_law_block, record_of
from cupola.kernel.observation import Observation, Reference
from cupola.kernel.records import construct, flat, reader, unpacker
from cupola.schema.plugins import load_class, shipped_class
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError

NEVER = 1 << 62
"""A tick that never occurs."""

_observation = reader(Observation)
_forks = [0]
"""Number of forks that led to this process."""


def _forked() -> None:
    _forks[0] += 1


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_forked)


def shipped_controllers() -> dict[str, str]:
    """Controllers that come with the package. They stand to the right of the world, so they are found by name."""
    found: dict[str, str] = importlib.import_module("cupola.control").CONTROLLERS
    return found


def make_controller(
    entry: ControllerEntry,
    folder: Path,
    source: str,
    trust: Trust,
    given: GivenController | None = None,
    policies: Mapping[str, bytes] | None = None,
) -> Controller:
    """The controller that an entry names, or the class or instance that was given, with its parameters set.

    `policies`: ONNX files in memory, in the place of those on disk.
    """
    if given is None and entry.use.endswith(POLICY):
        if policies is not None and entry.use not in policies:
            raise InputError(f"{source}.use: the policy {entry.use} is not held")
        content = policies[entry.use] if policies is not None else None
        # Policies stand to the right of the world, so they are found by name, as controllers are.
        read = importlib.import_module("cupola.learn.policy").read_policy
        made: Controller = read(folder / entry.use, entry, source, content)
        return made
    if given is None:
        given = _class_of(entry, folder, source, trust)
    cls = given if isinstance(given, type) else type(given)
    try:
        check_signals(cls)
    except ValueError as error:
        raise InputError(f"{source}.use: {error}") from None
    if isinstance(given, Controller):
        return given
    try:
        return cls(**entry.parameters)
    except ValueError as error:
        raise InputError(f"{source}.parameters: {error}") from None


def _class_of(entry: ControllerEntry, folder: Path, source: str, trust: Trust) -> type[Controller]:
    shipped = shipped_controllers()
    if ".py:" not in entry.use and entry.use not in shipped:
        near = ", ".join(difflib.get_close_matches(entry.use, shipped, n=4))
        known = f"the nearest: {near}; `cupola list` prints all" if near else f"known: {', '.join(sorted(shipped))}"
        raise InputError(
            f"{source}.use: there is no controller {entry.use!r}; {known}; or give file.py:Class or policy{POLICY}"
        )
    try:
        if entry.use in shipped:
            return shipped_class(shipped[entry.use], Controller)
        return load_class(entry.use, Controller, folder, trust, f"{source}.use")
    except InputError as error:
        raise InputError(f"{source}.use: {error}") from error


def due(time: float, dt: float) -> int:
    """The first tick at or after a time [s]."""
    return math.ceil(time / dt - 1e-9)


def _check_numbers(output: Sequence[float]) -> None:
    """Refuse what NumPy would take for numbers: texts, and complex numbers, of which it would drop a part."""
    found = np.asarray(output)
    if found.dtype.kind in "USc" or any(isinstance(one, str | bytes) for one in found.ravel()):
        raise TypeError


class ControllerRunner:
    """One controller flying one vehicle."""

    def __init__(
        self,
        name: str,
        controller: Controller,
        entry: ControllerEntry,
        every: int,
        compiled: bool,
        order: tuple[int, ...],
        place: slice,
        reports: slice,
    ) -> None:
        self.name = name
        self.place = place
        """Where the state of its law lies."""
        self.reports = reports
        """Where its signals lie."""
        self.first_channel: int = entry.channel
        self.controller = controller
        self.every = every
        overrides = type(controller).step is not Controller.step
        self.pure: bool = not overrides and type(controller).law is not None
        """Whether it is defined by its law alone."""
        self.long: bool = type(controller).long_law is not None
        """Whether its law has a long memory in arrays; `step` then runs the same law where it is not compiled."""
        self.compiled: bool = compiled and (self.pure or self.long)
        self._compiled: tuple[int, Any] = 0, np.zeros(1, np.int64)
        self.plan: np.ndarray[Any, Any] = np.array(
            [[*p.position, math.radians(p.yaw_deg), p.speed, p.hold, float(p.land)] for p in entry.plan], np.float64
        ).reshape(-1, PLAN_WIDTH)
        self.first_plan: np.ndarray[Any, Any] = self.plan
        """The plan of its entry; `World.plan` replaces it."""
        self._waypoints = self.plan.tolist()
        self.order = order
        self.script: list[tuple[float, list[float]]] = sorted((s.time, s.channels) for s in entry.sticks)
        self.first_script: list[tuple[float, list[float]]] = self.script
        """The stick script of its entry; `World.script` replaces it."""
        self.numbers: np.ndarray[Any, Any] = np.zeros(1, record_of(law_of(type(controller)).parameters))
        self.commanded: int | None = None
        """How many channels a plain controller set when it was last called."""
        self.fresh: bool = True
        """Whether it was reset and not called since."""
        self.heed: Callable[[int, Any], None] = lambda count, command: None
        """Told how many channels it sets, when that changes, with all of the vehicle: see `build/commanded.py`."""
        self._seen: Readings | None = None
        self._forks = _forks[0]

    def connect(self, obs: Any, sticks: Any, state: Any, command: Any, reported: Any) -> None:
        """Connect it with its arrays; `command` holds all channels of the vehicle."""
        self.obs: Any = obs
        self._numbers: Any = obs.item
        self.sticks: Any = sticks
        self.state: Any = state
        self._channels = command
        self.command: Any = command[self.first_channel :]
        self.reported: Any = reported

    def compile(self) -> tuple[int, Any]:
        """Address of the compiled law and the block it reads, which must outlive the loop; 0 for a plain controller."""
        if self.compiled and self._compiled[0] == 0:
            law = compile_law(law_of(type(self.controller)))
            block = law_block(self.obs, self.sticks, self.state, self.numbers, self.command, self.plan, self.reported)
            if self.long:
                block = self._with_sensors(block)
            self._compiled = law.address, block
        return self._compiled

    def _with_sensors(self, block: Any) -> Any:
        """What a law with a long memory reads, too."""
        self._seen = seen = Readings(self.controller.sensors, self.controller.sees)
        if seen.arrays is None:
            return long_law_block(block, self.state, seen.numbers, seen.numbers, np.zeros(1, np.int64), seen.table)
        return long_law_block(block, self.state, seen.numbers, seen.arrays.samples, seen.arrays.counters, seen.table)

    def reference(self) -> Reference:
        """Its present reference."""
        return Reference(self.sticks.tolist(), self._waypoints)

    def follow_plan(self, plan: np.ndarray[Any, Any]) -> None:
        """Follow another plan: rows of a `Waypoint`; the state of its law stays."""
        self.plan, self._waypoints = plan, plan.tolist()
        if self._compiled[0]:
            law_plan(self._compiled[1], plan)

    def state_now(self) -> Any:
        """State of its law."""
        controller = self.controller
        if self.long:
            return self.state if self.compiled else controller.state
        return construct(controller.State, self.state.tolist()) if self.compiled else controller.state

    def reset(self) -> None:
        """Reset it: its `reset` may read the present parameters."""
        self.controller.start_over()
        self.fresh = True
        self.sync()
        if self.pure or self.long:
            self.state[:] = self.controller.state if self.long else flat(self.controller.state)

    def sync(self) -> None:
        """Copy its parameters to the compiled law."""
        for name, value in self.controller.values.items():
            self.numbers[name] = value

    def restart(self, state: Any) -> None:
        """Set the state of its law."""
        self.fresh = False
        self.controller.state = state
        self.state[:] = state if self.long else flat(state)

    def hold_first(self, obs: Observation) -> None:
        """Hold the command that it would give now, without changing its state before its next call."""
        law = type(self.controller).law
        if self.pure and law is not None:
            ref = self.reference()
            command, after = law(obs, ref, self.state_now(), self.controller)
            self._hold(command)
            self._tell(obs, ref, after)

    def act(self) -> None:
        """Call a plain controller and hold its command."""
        now, _, *moved = self._numbers(0)
        obs: Observation = _observation((now, self.period, *moved), 0)
        ref = self.reference()
        try:
            output = self.controller.step(obs, ref)
        except SystemExit as error:  # it would end the program as if all were well
            who = f"the controller {type(self.controller).__name__} of {self.name!r}"
            raise SimulationError(f"{who} asked to exit ({error.code}) at {obs.time:g} s") from error
        if _forks[0] != self._forks:
            os.write(2, b"a process that a controller forked came back into the run: it ends here\n")
            os._exit(1)
        self._hold(output)
        self._tell(obs, ref, self.controller.state)

    def silence(self) -> None:
        """Clear its signals while it is not active."""
        self.reported[:] = math.nan

    def _tell(self, obs: Observation, ref: Reference, state: Any) -> None:
        """Write down its signals after a step."""
        if not len(self.reported):
            return
        report = type(self.controller).report
        told = self.controller.signals() if report is None else report(obs, ref, state, self.controller)
        try:
            self.reported[:] = unpacker(self.controller.Signals)(told)
        except (TypeError, ValueError) as error:
            name = f"{type(self.controller).__name__}.{'signals' if report is None else 'report'}"
            count = len(self.reported)
            raise InputError(f"{name} must return its Signals, {count} numbers, got {told!r}") from error

    def _hold(self, output: Sequence[float]) -> None:
        try:
            if changed := (count := len(output)) != self.commanded:
                _check_numbers(output)
            self.command[:count] = output
            if changed:
                self.heed(count, self._channels)
            self.commanded = count
        except (TypeError, ValueError) as error:
            limit = len(self.command)
            raise InputError(
                f"{type(self.controller).__name__}.step must return up to {limit} numbers, got {output!r}"
            ) from error

    def move(self, channels: Sequence[float]) -> None:
        """Set the sticks from the first channels on."""
        if len(channels) > len(self.sticks):
            raise InputError(f"{self.name}: there are {len(self.sticks)} stick channels, got {len(channels)}")
        self.put_sticks(self.sticks, np.asarray(channels, float))

    def put_sticks(self, sticks: np.ndarray[Any, Any], channels: np.ndarray[Any, Any]) -> None:
        """Set sticks, of one world or a row for each; roll, pitch, yaw, throttle go where controllers expect them.

        `order` says which channels carry these four, -1 for none.
        """
        count = channels.shape[-1]
        sticks[..., :count] = channels
        for place, channel in enumerate(self.order):
            if channel != place and channel < count:
                sticks[..., place] = channels[..., channel] if channel >= 0 else 0.0

    def rest(self, tick: int, dt: float) -> None:
        """Stick positions from the script, else the rest positions."""
        rows = [channels for time, channels in self.script if due(time, dt) <= tick]
        self.sticks[:4] = [0.0, 0.0, 0.0, self.controller.throttle_rests_at]
        for channels in rows:
            self.move(channels)

    def follow_script(self, tick: int, dt: float, lost: bool) -> int:
        """Set the scripted sticks that begin at this tick, unless they are lost; returns the ticks until the next."""

        def when(row: tuple[float, list[float]]) -> int:
            return due(row[0], dt)

        first, after = bisect_left(self.script, tick, key=when), bisect_right(self.script, tick, key=when)
        for _, channels in self.script[first:after]:
            if not lost:
                self.move(channels)
        return when(self.script[after]) - tick if after < len(self.script) else NEVER

    def set(self, name: str, value: Any, started: bool = True) -> None:
        """Change a parameter; it acts from the next call on, or from `reset` on where nothing has started yet."""
        controller, (whole, _) = self.controller, element_at(name)
        anew = not started and self.fresh
        if not anew and whole in controller.read_at_reset and not controller.follows_tuning:
            raise ValueError(
                f"{type(controller).__name__} computes with {whole} in reset, so a change in flight would not act: "
                f"set it before the start, or give the controller a method on_tune(self, name) that recomputes it"
            )
        before = dict(controller.values)
        controller.set(name, value)
        try:
            self.reset() if anew else controller.on_tune(whole)
        except Exception:
            controller.values = before
            if anew:
                controller.start_over()
            raise
        self.sync()

    period: float = 0.0
    """[s] between two calls; set by the world."""
