"""What the back-end `warp` keeps: model and data of mujoco-warp, arrays of ours, and the kernels that act on both."""

import copy
import math
import warnings
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from cupola.engine.adapters import needs_of
from cupola.kernel.memory import STICKS
from cupola.kernel.rows import ACCELERATIONS
from cupola.many import spread
from cupola.many.batch import Array, Batch, checked_seeds
from cupola.many.refusals import check_warp
from cupola.many.warp_memory import CONTACT, EACH, EACH_ROWS, LOOPS_OWN, THEIRS, Kernel
from cupola.many.warp_text import Texts
from cupola.schema.arguments import whole_number
from cupola.schema.libraries import library
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World, load

SPARE = 2
"""Contacts and constraints that there is room for, beside those at the start of the scenario: this many times."""
LEAST_CONTACTS, ROWS_PER_CONTACT = 16, 4
BATCHED = ("actuator_forcerange", "dof_frictionloss", "body_mass", "body_inertia", "body_ipos", "body_iquat")
"""Numbers of the model that a part may change, or that a world may have of its own."""
FOLLOWING = ("body_subtreemass", "body_invweight0", "dof_invweight0")
"""Numbers that MuJoCo computes from those."""


def modules() -> tuple[Any, Any]:
    """Warp and mujoco-warp."""
    needs = "warp: the package mujoco-warp is not installed: pip install 'cupola[warp]'"
    mujoco_warp, warp = library("mujoco_warp", needs), library("warp", needs)
    warp.config.quiet = True
    return warp, mujoco_warp


class WarpArrays(Batch):
    """The model and the data of mujoco-warp, `model` and `data`, and arrays of ours, `arrays`, for all worlds."""

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
        with self._here():
            self._put_model(nconmax, njmax)
            self._put_ours()
            self._compile()

    def _here(self) -> Any:
        """What mujoco-warp makes or runs meanwhile is where these worlds are, whatever Warp would choose."""
        return self.warp.ScopedDevice(self._where.device)

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
        groups = [b.group for b in self.world.assembly.entries.sensed if b.full_name not in self.left_out]
        self._accelerates = any(needs_of(group.kind, group.variant) == ACCELERATIONS for group in groups)

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


def left_out(world: World, without: Sequence[str]) -> set[str]:
    """Full names of sensors that nobody shall measure."""
    known = {bound.name: bound.full_name for bound in world.assembly.entries.sensed}
    known |= {full: full for full in known.values()}
    for name in without:
        if name not in known:
            raise InputError(f"without: there is no sensor {name!r}; there are: {', '.join(known)}")
    return {known[name] for name in without}
