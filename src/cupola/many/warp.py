"""The back-end `warp`: articulated vehicles with contact on a GPU, through mujoco-warp.

MuJoCo's stages are those of mujoco-warp, in numbers of 32 bits; between them the kernels of the parts, air and laws run
on the same memory (`many.warp_text`), as the loop of a single world calls them. A tick is captured once and then
replayed by the GPU alone. Without a GPU the same runs on the processor, slowly: for tests.
"""

import copy
import functools
import importlib
import logging
import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np

from cupola.config.scenario import Scenario
from cupola.kernel.memory import KEPT, STICKS
from cupola.kernel.rows import ACCELERATIONS
from cupola.many import spread
from cupola.many.batch import Array, Batch, Motion, checked_seeds
from cupola.many.own_numbers import as_before
from cupola.many.refusals import check_warp
from cupola.many.threads import MOTION
from cupola.many.warp_compile import place
from cupola.many.warp_text import (
    COMMAND,
    CONTACT,
    EACH,
    EACH_ROWS,
    LOADS,
    LOOPS_OWN,
    PART,
    RUNS_AWAY,
    START,
    THEIRS,
    TICK,
    Kernel,
    Texts,
)
from cupola.parts.shown import Signal
from cupola.schema.arguments import text, whole_number
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World, load

log = logging.getLogger("cupola")
SPARE = 2
"""Contacts and constraints that there is room for, beside those at the start of the scenario: this many times."""
LEAST_CONTACTS, ROWS_PER_CONTACT = 16, 4
LOST_SOME = 3
"""Status of a world that lost contacts or constraints; the others are those of `warp_text`."""
BATCHED = ("actuator_forcerange", "dof_frictionloss", "body_mass", "body_inertia", "body_ipos", "body_iquat")
"""Numbers of the model that a part may change, or that a world may have of its own."""
FOLLOWING = ("body_subtreemass", "body_invweight0", "dof_invweight0")
"""Numbers that MuJoCo computes from those."""


def make(
    scenario: str | Path | Scenario,
    n: int,
    numbers: dict[str, Any],
    *,
    seeds: Any = None,
    trust: bool | Trust = False,
    device: str | None = None,
    nconmax: int | None = None,
    njmax: int | None = None,
    without: Sequence[str] = (),
) -> "WarpBatch":
    """Worlds of a scenario; `nconmax` contacts and `njmax` rows of constraints each; `without` some of its sensors."""
    warp, _ = modules()
    return WarpBatch(scenario, n, numbers, seeds, trust, place(device, warp), nconmax, njmax, tuple(without))


def modules() -> tuple[Any, Any]:
    """Warp and mujoco-warp."""
    try:
        import mujoco_warp
        import warp
    except ImportError:
        raise InputError("warp: the package mujoco-warp is not installed: pip install 'cupola[warp]'") from None
    warp.config.quiet = True
    return warp, mujoco_warp


class WarpBatch(Batch):
    """Worlds beside each other in the arrays of mujoco-warp, `data`, and in arrays of ours, `arrays`."""

    worlds = ()

    def __init__(
        self,
        scenario: Any,
        n: int,
        numbers: dict[str, Any],
        seeds: Any,
        trust: Any,
        where: Any,
        nconmax: int | None,
        njmax: int | None,
        without: tuple[str, ...],
    ) -> None:
        self.warp, self._mjw = modules()
        self.world = load(scenario, trust=trust)
        """A single world, never driven: the pattern of all."""
        self.left_out = left_out(self.world, without)
        check_warp(self.world, self.left_out)
        self.n, self.dt, self.duration = n, self.world.dt, self.world.scenario.duration
        self.seeds, self.stopped, self._where = checked_seeds(seeds, self.world.scenario.seed, n), {}, where
        self._given = dict(numbers)
        self._numbers = {name: spread.drawn(name, value, self.seeds) for name, value in numbers.items()}
        for name in numbers:
            if name.startswith(spread.SCENARIO):
                raise InputError(f"{name}: numbers of the scenario file are for the back-end threads")
        self.texts = Texts(self.world, self.left_out, where.gpu)
        self._put_model(nconmax, njmax)
        self._put_ours()
        self._compile()
        self.reset()
        if where.gpu:
            self._capture()

    # memory

    def _put_model(self, nconmax: int | None, njmax: int | None) -> None:
        model = copy.copy(self.world.model)
        # A world that runs away stops and says so (`_find_stopped`), as where MuJoCo's own reset is switched off.
        model.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        data, seen = self.world.data, self.world.data.ncon
        self.nconmax: int = whole_number(nconmax or max(LEAST_CONTACTS, SPARE * seen), "batch: nconmax", 1)
        rows = njmax or max(ROWS_PER_CONTACT * self.nconmax, SPARE * data.nefc)
        self.njmax: int = whole_number(rows, "batch: njmax", 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of friction below MuJoCo's least in geoms that touch nothing
            self.model = self._mjw.put_model(model, batch_sizes=dict.fromkeys(BATCHED + FOLLOWING, self.n))
            self.model.opt.warn_overflow = 0  # `_find_stopped` says it
            self.data = self._mjw.make_data(model, nworld=self.n, nconmax=self.nconmax, njmax=self.njmax)

    def _put_ours(self) -> None:
        world, texts, put = self.world, self.texts, self._where.array
        self.arrays: dict[str, Any] = {}
        """By the names of `kernel.memory.Views`."""
        for name, array in world.arrays._asdict().items():
            if not array.size or name in THEIRS or name in LOOPS_OWN:
                continue
            if name == "samples":
                array = np.zeros(texts.samples)
            plain = np.asarray(array)
            if name in EACH:
                self.arrays[name] = put(np.repeat(plain[..., None], self.n, axis=-1))
            elif name in EACH_ROWS:
                self.arrays[name] = put(np.repeat(plain[None], self.n, axis=0).view(np.ndarray))
            else:
                self.arrays[name] = put(np.array(plain[None]).view(np.ndarray))
        for k in texts.elements:
            self.arrays[f"elements_{k}"] = put(self._elements(k)[None])
        self._theirs: dict[str, Any] = {}
        for name in THEIRS:
            found = getattr(self.data, name, None)
            found = getattr(self.model, name, None) if found is None else found
            array = getattr(world.arrays, name)
            if found is not None and array.size:
                seen = self._where.of_warp(found)
                self._theirs[name] = seen.reshape(seen.shape[0], *array.shape)
        self._rows = [np.array(self._rows_of(group)) for group in world.assembly.entries.groups]
        self._tables: dict[str, Any] = {f"R_{k}": put(rows[None]) for k, rows in enumerate(self._rows)}
        for i, runner in enumerate(texts.laws):
            self._tables[f"L_{i}"] = put(np.array(runner.numbers)[None])
            self._tables[f"PLAN_{i}"] = put(runner.plan if len(runner.plan) else np.zeros((1, runner.plan.shape[1])))
            self._tables[f"SCRIPT_{i}"] = put(self._script(runner))
        self._varied: dict[str, Array] = {}
        """Tables that worlds have of their own, as they were put there."""
        self._kept = put(np.zeros((world.model.nq + world.model.nv, self.n)))
        self._status, self._fresh = put(np.zeros(self.n, np.int64)), put(np.zeros(self.n, np.int64))
        self._at = put(np.zeros((len(texts.laws), self.n), np.int64))

    def _rows_of(self, group: Any) -> Any:
        return next(bound.rows for bound in self.world.assembly.parts if bound.group == group).view(np.ndarray)

    def _elements(self, k: int) -> Array:
        """The elements of a group's parts, from among the constants."""
        first, stop = self.texts.elements[k]
        kind = self.world.assembly.entries.groups[k].kind
        return np.array(self.world.arrays.constants[first:stop]).view(kind.Element)

    def _script(self, runner: Any) -> Array:
        """Tick, then all sticks, at each row of a script."""
        rows, before = [], np.array(runner.sticks)
        for time, channels in runner.script:
            runner.move(channels)
            rows.append([math.ceil(time / self.dt - 1e-9), *runner.sticks])
        runner.sticks[:] = before
        return np.array(rows or [[2.0**62, *[0.0] * STICKS]], float)

    def _compile(self) -> None:
        made = [self.texts.before(), self.texts.after(), self.texts.late(), self.texts.contact()]
        self._made = {kernel.name: kernel for kernel in made if kernel}
        self._functions = {name: self._where.compile(kernel, self.texts) for name, kernel in self._made.items()}
        self._connect()
        self._touches: list[Any] = []
        if "contact" in self._made:
            contact, see = self.data.contact, self._where.of_warp
            theirs = {"place": contact.pos, "frame": contact.frame, "friction": contact.friction}
            theirs["slip"] = contact.surfacevel
            seen = [see(theirs[name]) for name in CONTACT]
            seen[1] = seen[1].reshape(seen[1].shape[0], 9)
            self._touches = [see(self.data.nacon), int(self.data.naconmax), see(contact.worldid), self._status]
            self._touches += [*seen, see(contact.geom)]
        sensors: list[Any] = [b.part for b in self.world.assembly.entries.sensed if b.full_name not in self.left_out]
        self._accelerates = any(sensor.needs == ACCELERATIONS for sensor in sensors)

    def _connect(self) -> None:
        """Each kernel with the arrays that it is called with."""
        self._kernels = {name: (self._functions[name], self._arguments(kernel)) for name, kernel in self._made.items()}

    def _arguments(self, kernel: Kernel) -> list[Any]:
        found = []
        for name in kernel.arrays:
            if name in self._tables:
                found.append(self._tables[name])
            else:
                own = name.removeprefix("A_")
                found.append(self._theirs[own] if own in THEIRS else self.arrays[own])
        return found

    # time

    @property
    def pattern(self) -> World:
        """The world that is never driven."""
        return self.world

    @property
    def ticks(self) -> Array:
        """Per world: how many ticks have passed."""
        return np.array(self._where.host(self.arrays["counters"])[0])

    def _run(self, name: str, mode: int) -> None:
        function, arguments = self._kernels[name]
        fixed = [mode, self.n, self._fresh, self._kept, self._status, self._at]
        self._where.launch(function, self.n, [*fixed, *arguments])

    def _positions(self) -> None:
        """MuJoCo's position and velocity stages, with ours on the contacts."""
        m, d, of = self.model, self.data, stages()
        of.forward.fwd_kinematics(m, d)
        of.smooth.crb(m, d)
        of.smooth.tendon_armature(m, d)
        if not of.smooth.skip_qacc_smooth(m, d):
            of.smooth.factor_m(m, d)
        of.collision_driver.collision(m, d)
        if self._touches:
            function, arguments = self._kernels["contact"]
            self._where.launch(function, int(d.naconmax), [*self._touches, *arguments])
        of.constraint.make_constraint(m, d)
        of.smooth.transmission(m, d)
        of.forward.fwd_velocity(m, d)

    def _tick(self) -> None:
        """One tick of all worlds: the order of `engine.loop.advance`."""
        self._run("before", TICK)
        self._mjw.step2(self.model, self.data)
        self._run("after", TICK)
        self._positions()
        if self._accelerates:
            stages().smooth.rne_postconstraint(self.model, self.data)
        self._run("late", TICK)

    def _capture(self) -> None:
        """A tick as a graph of the GPU. One is run first, so that all is compiled and loaded, and taken back."""
        self._tick()
        self.warp.synchronize()
        with self.warp.ScopedCapture() as captured:
            self._tick()
        self._graph = captured.graph
        self.reset()

    _graph: Any = None

    def step(self, ticks: int = 1) -> None:
        """Advance every world that runs by `ticks`."""
        for _ in range(whole_number(ticks, "step: ticks", 0)):
            if self._graph is None:
                self._tick()
            else:
                self.warp.capture_launch(self._graph)
        self._find_stopped()

    def _find_stopped(self) -> None:
        status, lost = self._where.host(self._status), self._lost()
        if lost.any():  # they stop here, and are not driven on with contacts that are not all
            status = np.where((lost != 0) & (status == 0), LOST_SOME, status)
            self._where.put(self._status, status)
        found = [int(i) for i in np.flatnonzero(status) if int(i) not in self.stopped]
        ticks = self.ticks if found else ()
        for i in found:
            said = self._overflow(int(lost[i])) if lost[i] else self._why(int(status[i]))
            self.stopped[i] = f"stopped at tick {ticks[i]} (t = {ticks[i] * self.dt:.6g} s): {said}"
        if found and self.tells:
            first = found[0]
            log.warning("%d of %d worlds stopped, as world %d: %s", len(found), self.n, first, self.stopped[first])

    def _why(self, status: int) -> str:
        if status >= PART:
            step = self.texts.blamed[status - PART]
            return f"the kernel {step.kernel} of a part of kind {step.group.kind.__name__} gave no number"
        return {
            COMMAND: "its controller gave a command that is not a number",
            RUNS_AWAY: "it runs away, or its motion is no number",
        }[status]

    def _lost(self) -> Array:
        """Per world: what found no room since its reset, as mujoco-warp counts it; slow solvers lose nothing."""
        kinds = self._mjw.OverflowType
        return np.asarray(self.data.overflow.numpy()) & ~int(kinds.ITERATIONS | kinds.LS_ITERATIONS)

    def _overflow(self, lost: int) -> str:
        rows = self._mjw.OverflowType.NEFC | self._mjw.OverflowType.NJMAX_NNZ
        if lost & int(rows):
            return f"it has more than njmax = {self.njmax} rows of constraints; give the batch more"
        said = f"contacts of {self.n} worlds found no room in {self.data.naconmax} places"
        return f"{said}, and whose is not known; give the batch an nconmax above {self.nconmax}"

    # starts

    def reset(self, mask: Any = None, seeds: Any = None, *, redraw: bool = False) -> None:
        """Start the worlds of a mask over, all without one."""
        which = np.array(self.chosen(mask), np.intp)
        if seeds is not None:
            self.seeds[which] = checked_seeds(seeds, 0, len(which))
        if redraw:
            for name, given in self._given.items():
                if spread.is_drawn(given):
                    self._numbers[name][which] = spread.drawn(name, given, self.seeds[which])
        for i in which:
            self.stopped.pop(int(i), None)
        if len(which):
            self._put_first(which)
            self._begin(which)

    def _put_first(self, which: Array) -> None:
        """Numbers of some worlds, and where they start: the pattern is put there and read."""
        where, world = self._where, self.world
        first: dict[str, Any] = {name: np.array(where.host(self.arrays[name])) for name in (*EACH, *EACH_ROWS)}
        theirs = {name: np.array(where.host(self._theirs[name])) for name in ("qpos", "qvel")}
        varied = sorted(self._numbers)
        before = world.snapshot() if varied else None
        tuned: dict[str, list[Any]] = {}
        world.reset(int(self.seeds[which[0]]))
        for j, i in enumerate(which):
            if varied:
                for name in varied:
                    spread.apply(world, name, self._numbers[name][i])
                world.reset(int(self.seeds[i]))
                self._note_numbers(tuned)
            if varied or j == 0:
                now = {name: np.asarray(getattr(world.arrays, name)) for name in (*EACH, *EACH_ROWS)}
                q, dq = self._start()
            for name in EACH:
                if name != "samples":
                    first[name][..., i] = 0 if name in KEPT and name not in ("state", "given") else now[name]
            first["samples"][..., i] = 0
            first["state"][: len(world.assembly.initial_state), i] = world.assembly.initial_state
            first["given"][:, i] = world.assembly.initial_given
            for name in EACH_ROWS:
                row = np.array(now[name])
                if name != "world":
                    row[...] = np.zeros((), row.dtype)
                first[name][i] = row
            first["air_samples"]["height"][i] = np.nan
            first["world"]["seed"][i] = self.seeds[i]
            theirs["qpos"][i], theirs["qvel"][i] = q, dq
        if before is not None:
            as_before(world, before)
        for name, values in first.items():
            where.put(self.arrays[name], values)
        for name, values in theirs.items():
            where.put(self._theirs[name], values)
        self._put_numbers(tuned, which)

    def _start(self) -> tuple[Array, Array]:
        """Coordinates and rates at the start."""
        return np.array(self.world.data.qpos), np.array(self.world.data.qvel)

    def _note_numbers(self, tuned: dict[str, list[Any]]) -> None:
        """What the numbers of a world make of rows, constants, laws and the model."""
        world = self.world
        for k, group in enumerate(world.assembly.entries.groups):
            tuned.setdefault(f"R_{k}", []).append(np.array(self._rows_of(group)))
        for i, runner in enumerate(self.texts.laws):
            tuned.setdefault(f"L_{i}", []).append(np.array(runner.numbers))
        for k in self.texts.elements:
            tuned.setdefault(f"elements_{k}", []).append(self._elements(k))
        for name in ("air", "constants"):
            tuned.setdefault(name, []).append(np.array(getattr(world.arrays, name)).view(np.ndarray))
        for name in (*BATCHED, *FOLLOWING):
            tuned.setdefault(name, []).append(np.array(getattr(world.model, name)))

    def _put_numbers(self, tuned: dict[str, list[Any]], which: Array) -> None:
        for name, values in tuned.items():
            if name in (*BATCHED, *FOLLOWING):
                array = getattr(self.model, name)
                now = array.numpy()
                now[which] = np.stack(values).reshape(len(which), *now.shape[1:])
                array.assign(now)
                continue
            table, key = (self._tables, name) if name in self._tables else (self.arrays, name)
            if name not in self._varied:
                self._varied[name] = np.repeat(np.array(self._where.host(table[key])), self.n, axis=0)
                self._varied[name][which] = np.stack(values)
                table[key] = self._where.array(self._varied[name])
            else:
                self._varied[name][which] = np.stack(values)
                self._where.put(table[key], self._varied[name])
        self._connect()

    def _begin(self, which: Array) -> None:
        """What `engine.loop.begin` does, for some worlds; the others keep their accelerations."""
        fresh = np.zeros(self.n, np.int64)
        fresh[which] = 1
        where = self._where
        where.put(self._fresh, fresh)
        status, at = np.array(where.host(self._status)), np.array(where.host(self._at))
        status[which], at[:, which] = 0, 0
        where.put(self._status, status)
        where.put(self._at, at)
        kept = {
            name: np.array(getattr(self.data, name).numpy()) for name in ("qacc", "qacc_warmstart", "actuator_force")
        }
        for name in ("ctrl", "act", "qfrc_applied", "xfrc_applied", "qacc_warmstart", "overflow"):
            array = getattr(self.data, name)
            if array.size:
                now = array.numpy()
                now[which] = 0
                array.assign(now)
        self._positions()
        self._run("before", START)
        self._positions()
        self._run("before", LOADS)
        of = stages()
        of.forward.fwd_actuation(self.model, self.data)
        of.forward.fwd_acceleration(self.model, self.data)
        of.solver.solve(self.model, self.data)
        for name, before in kept.items():
            array = getattr(self.data, name)
            now = array.numpy()
            now[fresh == 0] = before[fresh == 0]
            array.assign(now)
        if self._accelerates:
            of.smooth.rne_postconstraint(self.model, self.data)
        self._run("late", LOADS)
        where.put(self._fresh, np.zeros(self.n, np.int64))

    # numbers

    def set(self, name: str, value: Any, mask: Any = None) -> None:
        """Give worlds other sticks, `vehicle.sticks`; other numbers act from the next reset of a world on."""
        which = np.array(self.chosen(mask), np.intp)
        vehicle, _, what = text(name, "set: name").rpartition(".")
        names = [one.name for one in self.world.instances]
        if what == "sticks" and vehicle in names:
            rows = np.broadcast_to(np.asarray(value, float), (len(which), np.shape(value)[-1]))
            now = np.array(self._where.host(self.arrays["sticks"]))
            now[names.index(vehicle), : rows.shape[1], which] = rows
            self._where.put(self.arrays["sticks"], now)
            return
        if name not in self._numbers:
            raise InputError(f"warp: {name}: worlds have numbers of their own from the start: give it to cupola.batch")
        self._numbers[name][which] = spread.drawn(name, value, self.seeds[which])

    # what is seen

    def state(self, vehicle: str | None = None) -> Motion:
        """Motion of a vehicle in every world."""
        names = [one.name for one in self.world.instances]
        if vehicle is not None and vehicle not in names:
            raise InputError(f"there is no vehicle {vehicle!r}; there are: {', '.join(names)}")
        rows = self._where.host(self.arrays["observations"])[:, names.index(vehicle) if vehicle else 0]
        time, *rest = (np.stack([rows[column] for column in columns], axis=-1) for columns in MOTION.values())
        return Motion(time[:, 0], *rest)

    def signals(self) -> list[Signal]:
        """Every number that has a name and a unit in a world, but for those of sensors that were left out."""
        return [s for s in self.world.signals() if not any(s.name.startswith(f"{name}.") for name in self.left_out)]

    def observe(self, names: Sequence[str]) -> Array:
        """Present values of signals or groups of them: a row for each world."""
        known = {one.name for one in self.signals()}
        asked = [one for name in names for one in self.world.find_signals(text(name, "observe"))]
        if lost := [one.name for one, _ in asked if one.name not in known]:
            raise InputError(f"warp: {lost[0]} is of a sensor that was left out")
        found = np.full((self.n, len(asked)), np.nan)
        computed = []
        for k, (signal, _) in enumerate(asked):
            column = self._column(signal)
            if column is None:
                computed.append((k, signal.name))
            else:
                found[:, k] = column
        for i in range(self.n) if computed else ():
            self._show(i)
            for k, name in computed:
                found[i, k] = self.world.signal(name)
        return found

    def _column(self, signal: Signal) -> Array | None:
        if signal.array in THEIRS and signal.array in self._theirs:
            whole = self._where.host(self._theirs[signal.array])
            return np.asarray(whole.reshape(self.n, -1)[:, signal.place], float)
        if signal.array in EACH and signal.array != "samples":
            return np.asarray(self._where.host(self.arrays[signal.array]).reshape(-1, self.n)[signal.place], float)
        if signal.array in EACH_ROWS:
            rows = self._where.host(self.arrays[signal.array])
            return np.asarray(np.ascontiguousarray(rows).view(np.float64).reshape(self.n, -1)[:, signal.place])
        return None

    def _show(self, i: int) -> None:
        """Put what is seen of world `i` into the pattern."""
        for name in ("state", "outputs", "reported", "counters", "observations", "air_samples"):
            if name in self.arrays:
                whole = self._where.host(self.arrays[name])
                np.asarray(getattr(self.world.arrays, name))[...] = whole[i] if name in EACH_ROWS else whole[..., i]
        samples = self._where.host(self.arrays["samples"])[:, i]
        for bound in self.world.assembly.entries.sensed:
            if ring := self.texts.rings.get(bound.full_name):
                count, width = int(self.world.arrays.counters[int(bound.row["counter"])]), ring.width + 1
                for index in range(max(0, count - ring.capacity), count):
                    at = ring.start + index % ring.capacity * width
                    there = int(bound.row["start"]) + index % int(bound.row["capacity"]) * width
                    self.world.arrays.samples[there : there + width] = samples[at : at + width]

    def measures(self) -> dict[str, Array]:
        """Refused: a history of all worlds is not kept."""
        raise InputError("warp keeps no history, so it has no measures; the back-end threads has")

    def record(self, worlds: Sequence[int], folder: Path | str) -> list[Path]:
        """Refused, as well."""
        raise InputError("warp does not record; run world i alone with its seed and numbers, or use threads")

    def close(self) -> None:
        """Let go of the worlds."""
        self._graph = None


@functools.cache
def stages() -> Any:
    """The modules of mujoco-warp whose functions are MuJoCo's stages."""
    names = ("collision_driver", "constraint", "forward", "smooth", "solver")
    return SimpleNamespace(**{name: importlib.import_module(f"mujoco_warp._src.{name}") for name in names})


def left_out(world: World, without: Sequence[str]) -> set[str]:
    """Full names of sensors that nobody shall measure."""
    known = {bound.name: bound.full_name for bound in world.assembly.entries.sensed}
    known |= {full: full for full in known.values()}
    for name in without:
        if name not in known:
            raise InputError(f"without: there is no sensor {name!r}; there are: {', '.join(known)}")
    return {known[name] for name in without}
