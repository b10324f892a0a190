"""The world: a compiled scenario with clock, parts and engine. Everything else only reads it.

This file is its time: start over, step, run, keep a state and go back to it. What people do to it: `interaction.py`.
"""

import importlib
import logging
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import mujoco
import numpy as np

from cupola.build.commanded import watch_commands
from cupola.build.compile import BoundPart, assemble
from cupola.build.mjcf import place
from cupola.build.mujoco_warnings import only_count
from cupola.config.given_controller import GivenController
from cupola.config.held import Held
from cupola.config.scenario import Scenario, VehicleEntry, find_scenario
from cupola.config.vehicle import Vehicle
from cupola.engine.loop import accelerate_now, advance, begin, reopen
from cupola.kernel.array_groups import KEPT
from cupola.kernel.wind_field import MARK
from cupola.parts.shown import Signal
from cupola.schema.arguments import number, text, whole_number
from cupola.schema.trust import Trust, as_trust
from cupola.schema.yaml_files import InputError
from cupola.sim.beats import beyond_stall
from cupola.sim.camera_images import Pictures
from cupola.sim.crash_dump import check_start, stop
from cupola.sim.evaluation import Evaluation, accelerate, evaluate, untouched
from cupola.sim.measures import Measure, Measures
from cupola.sim.notices import Notices, taken_from_the_earth
from cupola.sim.one_thread import OneThread
from cupola.sim.pace import Pace
from cupola.sim.part_handle import PartHandle
from cupola.sim.progress import bar_of
from cupola.sim.rendering import Renderer
from cupola.sim.samples import Samples
from cupola.sim.signals import Signals
from cupola.sim.snapshots import Snapshot, Snapshots
from cupola.sim.step_size import Caution, cautions
from cupola.sim.surroundings import Air, Contact, air_at, contacts_now
from cupola.sim.world_html import world_html

log: logging.Logger = logging.getLogger("cupola")

LONGEST = 1e9
"""[s] of a run, as in a file."""


class Observer(Protocol):
    """An observer: reads the world and changes nothing."""

    def observe(self, world: "World") -> None:
        """Called at least every `world.max_ticks_per_batch` ticks and at the end of a run."""


class World(Snapshots):
    """Steps in ticks: `t = tick * dt`. The same seed gives the same bits."""

    def __init__(
        self,
        scenario: Scenario,
        folder: Path | str | None = None,
        *,
        controllers: Mapping[str, str | GivenController] | None = None,
        vehicles: Mapping[str, Vehicle] | None = None,
        compiled: bool = True,
        name: str = "world",
        source: str = "scenario",
        trust: bool | Trust = False,
        held: Held | None = None,
    ) -> None:
        """`controllers` flies vehicles, by name, with others than theirs: one from `cupola list`, `file.py:Class`, a
        class or an instance of one. `vehicles` gives them another content than that of their files:
        `Vehicle.load("quadcopter").with_(...)`.

        `trust`: whether the code that the scenario and its vehicles name may run. False: only that in folders which
        the user trusts. `held`: files of the vehicles in memory, in the place of those on disk.
        """
        if not isinstance(scenario, Scenario):
            raise InputError(_not_a_scenario(scenario))
        home = scenario.folder if folder is None else Path(folder)
        built = assemble(scenario, home, controllers or {}, compiled, source, as_trust(trust), held, vehicles)
        super().__init__(scenario, built, source)
        self.name = name
        self.folder = home
        self.source: str = source
        """Source of its scenario: a file, or the name of a shipped one."""
        self.compiled = compiled
        self.max_ticks_per_batch: int = self.assembly.max_ticks
        self.pace: Pace = Pace()
        self.observers: list[Observer] = []
        self.dump_folder: Path = Path("out")
        self._measures: Measures | None = None
        self.one_thread: OneThread = OneThread(name)
        """Which thread may run it."""
        over_floor = [(i.name, i.root) for i in self.instances] if scenario.floor and scenario.origin.is_round else []
        self._notices = Notices(self.assembly.parts, scenario.air.wind.field if scenario.air.wind else None, over_floor)
        self._remembering = [b for b in self.assembly.parts if b.part.remembers_in_python()]
        # Channel functions stand to the right of the world, so they are found by name, as controllers are.
        self._functions = importlib.import_module("cupola.teleop.functions").modes(self)
        self._renderer = Renderer(self.model)
        self.samples: dict[tuple[str, str], Samples] = {
            (b.vehicle, b.name): self._samples(b) for b in self.assembly.entries.sensed
        }
        for runner in (runner for instance in self.instances for runner in instance.runners.values()):
            runner.controller._world = self
        for (vehicle, part), samples in self.samples.items():
            for instance in self.instances:
                name = part if instance.name == vehicle else f"{vehicle}/{part}"
                for runner in instance.runners.values():
                    runner.controller.sensors[name] = samples
        plain = [b for b in self.assembly.parts if b.part.runs_in_python()]
        if plain:
            names = ", ".join(f"{b.vehicle}/{b.name}" for b in plain)
            log.info("parts in plain Python run every tick and slow the loop: %s", names)
        if assumed := taken_from_the_earth(scenario, self.assembly.parts):
            log.warning(assumed)
        self.reset()
        watch_commands(self.assembly)
        self.cautions: list[Caution] = cautions(self.assembly, self.dt) + beyond_stall(self.assembly)
        """What is stiff for the step of the physics, and wings that beat beyond what their theory knows."""
        for caution in self.cautions:
            log.warning(caution.text)
        if scenario.measures:
            self._measures = Measures(self, scenario.measures, source, set(controllers or {}))

    @property
    def time(self) -> float:
        """[s]."""
        return self.tick * self.dt

    def reset(self, seed: int | None = None) -> None:
        """Reset to the start, with another seed if one is given."""
        if seed is not None:
            self.arrays.world["seed"] = whole_number(seed, "reset: seed", 0, 2**32 - 1)
        mujoco.mj_resetData(self.model, self.data)
        only_count(self.data)
        for instance in self.instances:
            place(instance.resolved, instance.root, self.model, self.data)
        for name in KEPT:
            array = getattr(self.arrays, name)
            array[...] = np.zeros((), array.dtype)
        self.boxes.park()
        self.arrays.state[: len(self.assembly.initial_state)] = self.assembly.initial_state
        self.arrays.given[:] = self.assembly.initial_given
        self.arrays.air_samples["height"] = np.nan
        self.arrays.wind_field[MARK : MARK + 1] = 0.0
        for bound in self.assembly.parts:
            bound.part.reset()
        self._release()
        self._notices.forget()
        begin(self._table)
        check_start(self)
        if self._measures:
            self._measures.begin()

    def view(self, *, height: int = 600, speed: float | None = 1.0, paused: bool = False) -> Any:
        """The world on its page, inside a notebook; the page runs it until `close()` of what is returned."""
        self.one_thread.check()
        # The cockpit stands to the right of the world, so it is found by name, as controllers are.
        return importlib.import_module("cupola.cockpit.notebook").view_world(
            self, height=height, speed=speed, paused=paused
        )

    def _repr_html_(self) -> str:
        return world_html(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Refused: the compiled loop of a copy would move the arrays of the original, for ever."""
        raise InputError(
            f"{self.name}: a world can be neither copied nor pickled; keep its state with snapshot(), or build it anew "
            "(in another process, too) from the name or file of its scenario: cupola.load(...)"
        )

    def step(self, ticks: int = 1) -> None:
        """Advance by `ticks`; controllers and parts in plain Python are called at their rates."""
        with self.one_thread.running():
            end = self.tick + whole_number(ticks, "step: ticks", 0)
            while (now := self.tick) < end:
                many = self.prepare(end - now)
                if advance(self._table, many) < many:
                    self._stop()
            self._arrive()

    def prepare(self, ticks: int) -> int:
        """Do the Python work that is due now; returns how many of `ticks` the compiled loop may do without Python."""
        self.one_thread.check()
        return self._in_python(self.tick, min(ticks, self.max_ticks_per_batch))

    def arrived(self) -> None:
        """Called after the compiled loop ran elsewhere, as in a batch: updates observers and measures."""
        self._arrive()
        self._show()

    def _arrive(self) -> None:
        self.data.time = self.tick * self.dt
        self._notices.look(self.arrays, self.data, self.time)

    def accelerate(self) -> None:
        """Fill `data.qacc` and the outputs of parts at the present coordinates and commands; no time passes."""
        self._check_at_rest()
        reopen(self._table)
        if accelerate_now(self._table):
            self._stop()

    def _check_at_rest(self) -> None:
        without = [b for b in self.assembly.parts if not b.part.has_load_at_rest]
        if without:
            names = ", ".join(f"{b.vehicle}/{b.name}" for b in without)
            raise InputError(f"{names}: an external model has no load without a step")

    def run(
        self,
        duration: float | None = None,
        *,
        speed: float | None = None,
        progress: Callable[[float], None] | None = None,
        paused: Callable[[], bool] | None = None,
    ) -> None:
        """Run for `duration` [s] (default: the scenario's), as fast as possible or at `speed` × real time.

        `progress` is told the simulated time now and then; without it, a notebook shows a bar.
        """
        seconds = self.scenario.duration if duration is None else number(duration, "run: duration [s]", 0.0, LONGEST)
        if speed is not None and number(speed, "run: speed") <= 0.0:
            raise InputError(f"run: speed: expected a factor above 0 (1 is real time), got {speed:g}")
        end = self.tick + round(seconds * self.scenario.physics_hz)
        portion = seen_every = most = self.max_ticks_per_batch
        if speed is not None:
            portion, seen_every = self.pace.ticks(self.scenario.physics_hz * speed, most)
        started, first, seen = time.perf_counter(), self.tick, self.tick
        with (
            self.one_thread.running(),
            nullcontext(progress) if progress else bar_of(self.name, self.time, end * self.dt) as told,
        ):
            while self.tick < end:
                if paused is not None and paused():
                    time.sleep(0.02)
                    started, first = time.perf_counter(), self.tick
                    continue
                self.step(min(portion, end - self.tick))
                if self.tick + portion > seen + seen_every:
                    self._show()
                    seen = self.tick
                if told:
                    told(self.time)
                if speed is not None:
                    ahead = (self.tick - first) * self.dt / speed - (time.perf_counter() - started)
                    time.sleep(max(0.0, ahead))
        self._show()

    def command(self, vehicle: str | None = None) -> np.ndarray[Any, Any]:
        """Command channels of a vehicle, as written by its controller."""
        return np.array(self.arrays.command[self._modes(vehicle).instance.channels])

    def part(self, name: str) -> PartHandle:
        """A part by its name, or as vehicle.part where several vehicles have one of that name."""
        found = [b for b in self.assembly.parts if name in (b.name, b.full_name)]
        if len(found) != 1:
            known = ", ".join(b.full_name for b in found or self.assembly.parts)
            raise InputError(f"there {'are several parts' if found else 'is no part'} {name!r}; there are: {known}")
        return PartHandle(found[0], self.arrays)

    def air(self, at: str | Sequence[float] | None = None, vehicle: str | None = None) -> Air:
        """The air at a vehicle, at a part by its name, or at a point [m]: wind, density, pressure, temperature."""
        return air_at(self, at, vehicle)

    def contacts(self) -> list[Contact]:
        """Present contacts by name, with their forces."""
        with untouched(self):
            accelerate(self, settled=False)
            return contacts_now(self)

    def evaluate(
        self,
        vehicle: str | None = None,
        *,
        start: Mapping[str, Any] | None = None,
        commands: Mapping[int, float] | Sequence[float] | None = None,
        wind: Sequence[float] | None = None,
        settled: bool = True,
    ) -> Evaluation:
        """Forces, moments and accelerations of a vehicle at a state, with commands and wind; the world stays as it is.

        `start` has the keys of `start:` in a vehicle file; without it the present state counts. `commands` are
        channels, by number or all from the first on. `wind` [m/s, world axes] blows everywhere. Servos and motors are
        where they come to rest under these commands; `settled=False` takes them as they are now.
        """
        self._check_at_rest()
        return evaluate(self, vehicle, start=start, commands=commands, wind=wind, settled=settled)

    def signals(self) -> list[Signal]:
        """All signals: motion, air, sticks, channels, parts, sensors, controllers."""
        return self._signals.listed

    def signal(self, name: str) -> float | tuple[float, ...]:
        """Present value of a signal, `quadcopter.motor1.thrust`, or of all in a group, `quadcopter.position`."""
        return self._signals.read(text(name, "signal"))

    def find_signals(self, name: str) -> list[tuple[Signal, int]]:
        """The signal of a name, or all of a group, each with its address in memory; 0: computed when it is read."""
        return [(one, self._signals.address(one)) for one in self._signals.find(text(name, "signal"))]

    def measures(self) -> dict[str, Measure]:
        """The measures of the scenario for the run so far."""
        if self._measures is None:
            return {}
        self._measures.observe(self)
        return self._measures.values()

    @cached_property
    def _signals(self) -> Signals:
        return Signals(self)

    def _samples(self, bound: BoundPart) -> Samples:
        """The samples of a sensor."""
        sensor: Any = bound.part
        ring = (sensor, bound.row, self.arrays, self.scenario.physics_hz)
        return Pictures(*ring, self._renderer) if bound.part.takes_pictures else Samples(*ring)

    def _in_python(self, now: int, many: int) -> int:
        """Do what is due in Python at this tick; returns how many ticks may follow without Python."""
        self._acting_itself = True
        if self._breakdowns or self._changes or self._pushes:
            many = min(many, self._act_by_schedule(now))
        for modes in self._all_modes:
            if modes.runner.script:
                many = min(many, modes.runner.follow_script(now, self.dt, self._sticks_are_lost(modes)))
        for functions in self._functions:
            many = min(many, functions.act(now))
        for modes in self._all_modes:
            runner = modes.runner
            if not runner.compiled:
                late = now % runner.every
                if late == 0:
                    runner.act()
                many = min(many, runner.every - late)
        self._acting_itself = False
        return many

    def _show(self) -> None:
        for observer in self.observers:
            observer.observe(self)
        if self._measures:
            self._measures.observe(self)

    def _stop(self) -> None:
        self._show()
        stop(self)


def load(
    name: str | Path | Scenario | Vehicle,
    *,
    controllers: Mapping[str, str | GivenController] | None = None,
    vehicles: Mapping[str, Vehicle] | None = None,
    compiled: bool = True,
    trust: bool | Trust = False,
) -> World:
    """The world of a scenario file, a shipped scenario, a vehicle alone, or of one that was built in Python.

    `trust=True` lets the code run that these files name; see `World` for the other options.
    """
    options: dict[str, Any] = {"controllers": controllers, "compiled": compiled, "trust": trust}
    if isinstance(name, Scenario):
        return World(name, vehicles=vehicles, **options)
    if isinstance(name, Vehicle):
        own = name.path.parent.resolve().name if name.path else "vehicle"
        alone = Scenario(vehicles=(VehicleEntry(model=str(name.path or own), name=re.sub(r"\W", "_", own)),))
        given = {alone.vehicles[0].name or own: name, **(vehicles or {})}
        return World(alone, vehicles=given, name=own, **options)
    if not isinstance(name, str | Path):
        raise InputError(f"load takes the name of a scenario or vehicle, a file, a Scenario or a Vehicle, got {name!r}")
    scenario, folder = find_scenario(str(name))
    path = Path(name)
    called = path.parent.resolve().name if path.name == "vehicle.yaml" else path.stem
    return World(scenario, folder, vehicles=vehicles, name=called, source=str(name), **options)


def _not_a_scenario(given: Any) -> str:
    if isinstance(given, str | Path):
        return f"World takes a Scenario, got text {str(given)!r}: cupola.load({str(given)!r}) finds one by its name"
    if isinstance(given, Vehicle):
        return "World takes a Scenario, got a Vehicle: cupola.load(vehicle) is the world of one alone"
    return f"World takes a Scenario, as Scenario.load('square'), got {given!r}"


__all__ = ["Observer", "Snapshot", "World", "load"]
