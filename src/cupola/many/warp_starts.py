"""How worlds of the back-end `warp` start and step: the order of `engine.loop`, around the stages of mujoco-warp."""

import functools
import importlib
from types import SimpleNamespace
from typing import Any

import numpy as np

from cupola.kernel.array_groups import KEPT
from cupola.many import spread
from cupola.many.batch import Array, checked_seeds
from cupola.many.own_numbers import as_before
from cupola.many.warp_arrays import BATCHED, FOLLOWING, WarpArrays
from cupola.many.warp_memory import EACH, EACH_ROWS
from cupola.many.warp_text import LOADS, START, TICK


class WarpStarts(WarpArrays):
    """Worlds that can be started and driven by a tick."""

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
            with self._here():
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


@functools.cache
def stages() -> Any:
    """The modules of mujoco-warp whose functions are MuJoCo's stages."""
    names = ("collision_driver", "constraint", "forward", "smooth", "solver")
    return SimpleNamespace(**{name: importlib.import_module(f"mujoco_warp._src.{name}") for name in names})
