"""A world is a compiled scenario: a clock, parts and an engine. Everything else only reads it."""

import importlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import mujoco
import numpy as np

from cupola.assembly import Assembly, Member, assemble
from cupola.boxes import Boxes
from cupola.building import place, reset_joints
from cupola.controller import Parameter
from cupola.engine.air import motion_in_air
from cupola.engine.fault import retell
from cupola.engine.loop import STATE_SIGNATURE, accelerate_now, advance, begin, look_again
from cupola.engine.memory import address_table
from cupola.engine.seen import Seen, seen_from
from cupola.files import InputError
from cupola.parts.part import Load
from cupola.parts.sensor import Sensor
from cupola.pilot import Pilot
from cupola.postmortem import read_states, stop
from cupola.samples import Samples
from cupola.scenario import Scenario, find_scenario

log = logging.getLogger("cupola")


class Observer(Protocol):
    """Somebody who reads the world and changes nothing."""

    def observe(self, world: "World") -> None:
        """Called at least every `world.chunk` ticks and at the end of a run."""


class Snapshot(NamedTuple):
    """All that `restore` needs."""

    engine: np.ndarray[Any, Any]
    numbers: dict[str, np.ndarray[Any, Any]]
    memories: list[dict[str, Any]]
    parts: list[dict[str, Any]]
    seed: int
    functions: list[dict[str, Any]]


KEPT = ("state", "counters", "command", "drive", "push", "outputs", "airs", "sticks", "samples")
"""Arrays of ours that a snapshot holds."""


OUR_BUSINESS = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)
"""What a `SimulationError` says. MuJoCo prints and writes a file at the first warning of a kind only: count one."""


class World:
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
        self.scenario = scenario
        self.name = name
        self.folder = folder
        self.assembly: Assembly = assemble(scenario, folder, controllers or {}, compiled, source)
        self.model, self.data, self.arrays = self.assembly.model, self.assembly.data, self.assembly.arrays
        self.dt = 1.0 / scenario.physics_hz
        self.chunk = self.assembly.chunk
        self.observers: list[Observer] = []
        self.listeners: list[Callable[[int, str, float], None]] = []
        self.dump_folder = Path("out")
        self._table = address_table(self.arrays)
        self._views = self.arrays.as_records()
        self._own_loads = [b for b in self.assembly.parts if b.kind == "held"]
        self._pilots = [m.pilot for m in self.members]
        self._plain = [p for p in self._pilots if not p.compiled]
        self.boxes = Boxes(self.model, self.data, self.arrays.push, scenario.boxes)
        # Channel functions stand to the right of the world, so they are found by name, as controllers are.
        self._functions = importlib.import_module("cupola.teleop.functions").seat(self)
        self._blocks = [self._seat(i, m) for i, m in enumerate(self.members)]
        self.samples = {
            (b.vehicle, b.name): Samples(b.part, getattr(self.arrays, b.kind)[b.row], self.arrays, scenario.physics_hz)
            for b in self.assembly.parts
            if isinstance(b.part, Sensor)
        }
        for (vehicle, part), samples in self.samples.items():
            self._pilots[self._index(vehicle)].controller.sensors[part] = samples.latest
        if self._own_loads:
            names = ", ".join(f"{b.vehicle}/{b.name}" for b in self._own_loads)
            log.info("parts in plain Python run every tick and slow the loop: %s", names)
        self.reset()

    @property
    def members(self) -> list[Member]:
        """The vehicles."""
        return self.assembly.members

    @property
    def tick(self) -> int:
        """Number of physics steps since the start."""
        return int(self.arrays.counters[0])

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
        for pilot in self._pilots:
            pilot.controller.reset()
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
            [p.controller.memory() for p in self._pilots],
            [b.part.memory() for b in self._own_loads],
            int(self.arrays.world["seed"][0]),
            [f.memory() for f in self._functions],
        )

    def restore(self, snapshot: Snapshot | Path | str, index: int = -1) -> None:
        """Go back, to the bit: to a snapshot, or to state `index` of a file that a stopped run left (the last one)."""
        if not isinstance(snapshot, Snapshot):
            found, before = read_states(self, Path(snapshot), index)
            self.restore(found)
            retell(self.arrays, before)
            return
        mujoco.mj_setState(self.model, self.data, snapshot.engine, STATE_SIGNATURE)
        for name, values in snapshot.numbers.items():
            getattr(self.arrays, name)[...] = values
        for pilot, memory in zip(self._pilots, snapshot.memories, strict=True):
            pilot.controller.remember(memory)
            pilot.numbers[: len(pilot.controller.values)] = list(pilot.controller.values.values())
        for bound, memory in zip(self._own_loads, snapshot.parts, strict=True):
            bound.part.remember(memory)
        for functions, memory in zip(self._functions, snapshot.functions, strict=True):
            functions.remember(memory)
        self.arrays.world["seed"] = snapshot.seed
        self.arrays.history[...] = np.nan  # what came before is another story
        look_again(self._table)

    def motion(self, vehicle: str | None = None) -> Seen:
        """Exact motion of a vehicle's root body."""
        return seen_from(self.arrays.seen[self._index(vehicle)].tolist())

    def command(self, vehicle: str | None = None) -> np.ndarray[Any, Any]:
        """Command channels of a vehicle, as its controller left them."""
        return np.array(self.arrays.command[self.members[self._index(vehicle)].channels])

    def sticks(self, channels: Sequence[float], vehicle: str | None = None) -> None:
        """Move the sticks of a vehicle: up to 20 channels, -1 to 1."""
        self._pilots[self._index(vehicle)].move(channels)

    def script(self, rows: Sequence[tuple[float, list[float]]], vehicle: str | None = None) -> None:
        """Let the sticks follow rows of (time [s], channels) instead of the scenario's."""
        self._pilots[self._index(vehicle)].script = sorted(rows)

    def turn(self, channel: int, value: float, vehicle: str | None = None) -> None:
        """Set a command channel that the controller leaves alone, as one that a servo of a camera listens to."""
        self.arrays.command[self.members[self._index(vehicle)].channels][channel] = value

    def drop_box(self, vehicle: str | None = None) -> bool:
        """Drop a box below a vehicle; False, and a warning, when the scenario has none left."""
        dropped = self.boxes.drop(self.motion(vehicle))
        if dropped:
            look_again(self._table)
        elif self.boxes.count:
            log.warning("all %d boxes are out: remove them to drop more", self.boxes.count)
        else:
            log.warning("there are no boxes to drop: write `boxes: 10` in the scenario")
        return dropped

    def remove_boxes(self) -> None:
        """Take all boxes away."""
        self.boxes.park()
        look_again(self._table)

    def restart(self, vehicle: str | None = None) -> None:
        """Put one vehicle back to its start, joints, motors and controller too. Time goes on, the others fly on."""
        member = self.members[self._index(vehicle)]
        reset_joints(f"{member.name}/", self.model, self.data)
        place(member.entered, member.root, self.model, self.data)
        self.arrays.state[member.own_state] = self.assembly.initial_state[member.own_state]
        self.arrays.command[member.channels] = self.arrays.drive[member.channels] = 0.0
        for bound in self.assembly.parts:
            if bound.vehicle == member.name:
                bound.part.reset()
        member.pilot.controller.reset()
        look_again(self._table)

    @property
    def parameters(self) -> dict[str, tuple[Parameter, float]]:
        """Every tunable number: its declaration and its present value, by `vehicle.name`."""
        return {
            f"{p.name}.{name}": (declared, p.controller.values[name])
            for p in self._pilots
            for name, declared in p.controller.parameters.items()
        }

    def tune(self, name: str, value: float) -> None:
        """Change a tunable number; it takes effect when its owner is next called, and is recorded."""
        vehicle, _, key = name.partition(".")
        if name not in self.parameters:
            raise InputError(f"there is no parameter {name!r}; there are: {', '.join(self.parameters) or 'none'}")
        try:
            self._pilots[self._index(vehicle)].set(key, value)
        except ValueError as error:
            raise InputError(str(error)) from None
        for listener in self.listeners:
            listener(self.tick, name, value)

    def _index(self, vehicle: str | None) -> int:
        if vehicle is None:
            return 0
        names = [m.name for m in self.members]
        if vehicle not in names:
            raise InputError(f"there is no vehicle {vehicle!r}; there are: {', '.join(names)}")
        return names.index(vehicle)

    def _seat(self, index: int, member: Member) -> Any:
        """Connect a pilot with its arrays; the block of addresses must outlive the loop."""
        pilot: Pilot = member.pilot
        pilot.period = pilot.every * self.dt
        a = self.arrays
        state = a.state[member.control_state : member.control_state + len(pilot.controller.State._fields)]
        function, block = pilot.sit(a.seen[index], a.sticks[index], state, a.command[member.channels])
        row = a.controls[index : index + 1]
        row["function"], row["block"], row["every"] = function, block.ctypes.data, pilot.every
        row["vehicle"], row["start"] = index, member.channels.start
        row["count"] = member.channels.stop - member.channels.start
        return block

    def _in_python(self, now: int, many: int) -> int:
        """Do what is due in Python at this tick; returns how many ticks may follow without Python."""
        for pilot in self._pilots:
            if pilot.script:
                many = min(many, pilot.follow_script(now, self.dt))
        for functions in self._functions:
            many = min(many, functions.act(now))
        for pilot in self._plain:
            late = now % pilot.every
            if late == 0:
                pilot.act()
            many = min(many, pilot.every - late)
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
