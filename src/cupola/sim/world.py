"""A world is a compiled scenario: a clock, parts and an engine. Everything else only reads it.

This file is its time: start over, step, run, keep a state and go back to it. What people do to it: `interaction.py`.
"""

import importlib
import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import mujoco
import numpy as np

from cupola.build.compile import Bound, assemble
from cupola.build.mjcf import place
from cupola.config.scenario import Scenario, find_scenario
from cupola.engine.errors import retell
from cupola.engine.loop import STATE_SIGNATURE, accelerate_now, advance, begin, compile_once, look_again
from cupola.kernel.air import motion_in_air
from cupola.parts import KINDS
from cupola.parts.part import Load
from cupola.parts.sensors.camera import Camera
from cupola.parts.sensors.sensor import Sensor
from cupola.schema.yaml_files import InputError
from cupola.sim.camera_images import Pictures
from cupola.sim.crash_dump import read_states, stop
from cupola.sim.interaction import Live
from cupola.sim.rendering import Renderer
from cupola.sim.samples import Samples

log = logging.getLogger("cupola")


class Observer(Protocol):
    """Somebody who reads the world and changes nothing."""

    def observe(self, world: "World") -> None:
        """Called at least every `world.chunk` ticks and at the end of a run."""


class Snapshot(NamedTuple):
    """All that `restore` needs."""

    engine: np.ndarray[Any, Any]
    numbers: dict[str, np.ndarray[Any, Any]]
    parts: list[dict[str, Any]]
    seed: int
    functions: list[dict[str, Any]]
    live: dict[str, Any]


KEPT = ("state", "counters", "command", "drive", "push", "pulls", "outputs", "airs", "sticks", "samples")
"""Arrays of ours that a snapshot holds."""


OUR_BUSINESS = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)
"""What a `SimulationError` says. MuJoCo prints and writes a file at the first warning of a kind only: count one."""


class World(Live):
    """Steps in ticks: `t = tick * dt`. The same seed gives the same bits."""

    def __init__(
        self,
        scenario: Scenario,
        folder: Path = Path(),
        *,
        controllers: Mapping[str, str] | None = None,
        compiled: bool = True,
        name: str = "world",
        source: str = "scenario",
    ) -> None:
        super().__init__(scenario, assemble(scenario, folder, controllers or {}, compiled, source), source)
        self.name = name
        self.folder = folder
        self.chunk = self.assembly.chunk
        self.observers: list[Observer] = []
        self.dump_folder = Path("out")
        self._views = self.arrays.as_records()
        self._own_loads = [b for b in self.assembly.parts if b.kind == "held"]
        self._models = [b for b in self.assembly.parts if b.kind == "externals"]
        # Channel functions stand to the right of the world, so they are found by name, as controllers are.
        self._functions = importlib.import_module("cupola.teleop.functions").seat(self)
        self._renderer = Renderer(self.model)
        self.samples = {(b.vehicle, b.name): self._samples(b) for b in self.assembly.parts if b.kind == "sensors"}
        for (vehicle, part), samples in self.samples.items():
            for member in self.members:
                name = part if member.name == vehicle else f"{vehicle}/{part}"
                for pilot in member.pilots.values():
                    pilot.controller.sensors[name] = samples
        plain = [b for b in (*self._own_loads, *self._models) if b.part.kind not in KINDS]
        if plain:
            names = ", ".join(f"{b.vehicle}/{b.name}" for b in plain)
            log.info("parts in plain Python run every tick and slow the loop: %s", names)
        self.reset()

    @property
    def time(self) -> float:
        """[s]."""
        return self.tick * self.dt

    def reset(self, seed: int | None = None) -> None:
        """Start over, with another seed if one is given."""
        if seed is not None:
            self.arrays.world["seed"] = seed
        mujoco.mj_resetData(self.model, self.data)
        for kind in OUR_BUSINESS:
            self.data.warning[kind].number = 1
        for member in self.members:
            place(member.entered, member.root, self.model, self.data)
        for name in KEPT:
            getattr(self.arrays, name)[...] = 0
        self.boxes.park()
        self.arrays.state[: len(self.assembly.initial_state)] = self.assembly.initial_state
        for bound in self.assembly.parts:
            bound.part.reset()
        self._release()
        compile_once()
        begin(self._table)

    def step(self, ticks: int = 1) -> None:
        """Advance by `ticks`; controllers and parts in plain Python are called when they are due."""
        end = self.tick + ticks
        while (now := self.tick) < end:
            many = self._in_python(now, min(end - now, self.chunk))
            if advance(self._table, many) < many:
                self._stop()
        self.data.time = self.tick * self.dt

    def accelerate(self) -> None:
        """Fill `data.qacc` and the outputs of parts at the present coordinates and commands; no time passes."""
        if self._models:
            names = ", ".join(f"{b.vehicle}/{b.name}" for b in self._models)
            raise InputError(f"{names}: a model from outside has no load at rest that could be asked for")
        look_again(self._table)
        self._hold_loads()
        if accelerate_now(self._table):
            self._stop()

    def run(
        self,
        duration: float | None = None,
        *,
        speed: float | None = None,
        progress: Callable[[float], None] | None = None,
        paused: Callable[[], bool] | None = None,
    ) -> None:
        """Run for `duration` [s] (default: the scenario's), as fast as possible or at `speed` × real time."""
        end = self.tick + round((self.scenario.duration if duration is None else duration) * self.scenario.physics_hz)
        portion = self.chunk if speed is None else max(1, round(self.scenario.physics_hz * speed / 50))
        started, first = time.perf_counter(), self.tick
        while self.tick < end:
            if paused is not None and paused():
                time.sleep(0.02)
                started, first = time.perf_counter(), self.tick
                continue
            self.step(min(portion, self.chunk, end - self.tick))
            self._show()
            if progress:
                progress(self.time)
            if speed is not None:
                ahead = (self.tick - first) * self.dt / speed - (time.perf_counter() - started)
                time.sleep(max(0.0, ahead))
        self._show()

    def snapshot(self) -> Snapshot:
        """A copy of the whole state."""
        engine = np.zeros(mujoco.mj_stateSize(self.model, STATE_SIGNATURE))
        mujoco.mj_getState(self.model, self.data, engine, STATE_SIGNATURE)
        return Snapshot(
            engine,
            {name: getattr(self.arrays, name).copy() for name in KEPT},
            [b.part.memory() for b in (*self._models, *self._own_loads)],
            int(self.arrays.world["seed"][0]),
            [f.memory() for f in self._functions],
            self._memory(),
        )

    def restore(self, snapshot: Snapshot | Path | str, index: int = -1) -> None:
        """Go back, to the bit: to a snapshot, or to state `index` of a file that a stopped run left (the last one)."""
        if not isinstance(snapshot, Snapshot):
            found, before = read_states(self, Path(snapshot), index)
            self.restore(found)
            retell(self.arrays, before)
            return
        for bound, memory in zip((*self._models, *self._own_loads), snapshot.parts, strict=True):
            bound.part.remember(memory)  # before anything is changed: an FMU may refuse
        mujoco.mj_setState(self.model, self.data, snapshot.engine, STATE_SIGNATURE)
        for name, values in snapshot.numbers.items():
            getattr(self.arrays, name)[...] = values
        self._remember(snapshot.live)
        for functions, memory in zip(self._functions, snapshot.functions, strict=True):
            functions.remember(memory)
        self.arrays.world["seed"] = snapshot.seed
        self.arrays.history[...] = np.nan  # what came before is another story
        look_again(self._table)

    def command(self, vehicle: str | None = None) -> np.ndarray[Any, Any]:
        """Command channels of a vehicle, as its controller left them."""
        return np.array(self.arrays.command[self._seat(vehicle).member.channels])

    def _samples(self, bound: Bound) -> Samples:
        """The samples of a sensor."""
        part, ring = bound.part, (self.arrays.sensors[bound.row], self.arrays, self.scenario.physics_hz)
        if isinstance(part, Camera):
            return Pictures(part, *ring, self._renderer)
        assert isinstance(part, Sensor)
        return Samples(part, *ring)

    def _in_python(self, now: int, many: int) -> int:
        """Do what is due in Python at this tick; returns how many ticks may follow without Python."""
        self._acting_itself = True
        if self._breakdowns:
            many = min(many, self._break_down(now))
        for seat in self._seats:
            if seat.pilot.script:
                many = min(many, seat.pilot.follow_script(now, self.dt, self._sticks_are_lost(seat)))
        for functions in self._functions:
            many = min(many, functions.act(now))
        for seat in self._seats:
            pilot = seat.pilot
            if not pilot.compiled:
                late = now % pilot.every
                if late == 0:
                    pilot.act()
                many = min(many, pilot.every - late)
        self._acting_itself = False
        self._hold_loads()
        return 1 if self._own_loads else many

    def _hold_loads(self) -> None:
        """Ask the loads in plain Python, for one tick."""
        for bound in self._own_loads:
            row = self._views.held[bound.row]
            motion, density = motion_in_air(self._views, row)
            assert isinstance(bound.part, Load)
            drive = self.arrays.drive[self.members[row.vehicle].channels]
            load = bound.part.step(motion, float(density), drive)
            self.arrays.state[row.state : row.state + 6] = [*load.force, *load.torque]

    def _show(self) -> None:
        for observer in self.observers:
            observer.observe(self)

    def _stop(self) -> None:
        self._show()
        stop(self)


def load(name: str, **options: Any) -> World:
    """The world of a scenario file, a shipped scenario, or a vehicle alone."""
    scenario, folder = find_scenario(name)
    path = Path(name)
    called = path.parent.resolve().name if path.name == "vehicle.yaml" else path.stem
    return World(scenario, folder, name=called, source=name, **options)


__all__ = ["Observer", "Snapshot", "World", "load"]
