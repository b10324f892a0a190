"""The kernels of a world's parts around the stages of mujoco-warp, as generated texts: one thread for each world.

Nothing is written twice: adapters, air, observation and laws are the functions of a single world. What differs is the
memory: `v` is made for each thread from the arrays of all worlds. Numbers of mujoco-warp have 32 bits; a thread reads
them into numbers of 64, computes as the processor does, and writes back what its stage may change.
"""

import functools
from collections import namedtuple
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from cupola.build.schedule import Step
from cupola.engine.adapters import adapt
from cupola.engine.core import ENTRIES
from cupola.engine.integrate import TOO_FAST, hold_air
from cupola.engine.sampling import LOSS_LANE, LOST, due
from cupola.kernel.arguments import READS
from cupola.kernel.memory import DATA, MODEL, Views, window
from cupola.kernel.observation import Reference, observation_from
from cupola.kernel.records import expression, leaves
from cupola.many.flight_text import _names_reached
from cupola.physics.noise import uniform
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

COMMAND, RUNS_AWAY, PART = 1, 2, 1000
"""Why a world stops; from `PART` on: which entry of `Texts.blamed`."""
TICK, LOADS, START = range(3)
"""What the kernel `before` does: all of it, loads alone, or what happens once after a reset."""
THEIRS = (*DATA.split(), *MODEL.split())
"""Arrays of mujoco-warp, numbers of 32 bits."""
WRITTEN = {
    "before": ("ctrl", "xfrc_applied", "qfrc_applied", "actuator_forcerange", "dof_frictionloss"),
    "after": ("qpos", "qvel"),
    "late": (),
    "contact": (),
}
"""What a kernel may change of it."""
NARROW = ("geom_friction",)
"""Of these what a thread reads where it needs it: there are many, and it needs one."""
EACH = ("state", "command", "drive", "outputs", "reported", "given", "samples", "counters", "sticks")
"""Arrays of ours that each world has, a column for each: neighbours in memory are neighbours among the threads."""
EACH_ROWS = ("world", "turbulence", "air_samples", "observations")
"""The same with rows of names, a row of them for each world."""
LOOPS_OWN: tuple[str, ...] = (
    "log",
    "history",
    "buffer",
    "entries",
    "stage_starts",
    "controls",
    "sensors",
    "log_segments",
    "settling",
)
LOOPS_OWN += ("history_segments", "error", "may_hold", "external_wrench", "applied_forces")
"""What only the loop of a single world uses; some of these words stand for something else in a kernel."""
CONTACT = {"place": 3, "frame": 9, "friction": 2, "slip": 3}
"""Numbers of a contact that a kernel sees, and how many."""
BEFORE = """
def one(w, mode, nworld, kept, status, at, {arguments}):
    {open}
    problem = 0
    if mode == 2:
        {start}
    else:
        if mode == 0:
            {keep}
            tick = v.counters[0]
            {script}
            {control}
            if problem == 0:
                {gusts}
                for j in range(v.command.shape[0]):
                    v.drive[j] = v.command[j]
                {actuate}
                {before_step}
        for body in range(v.xfrc_applied.shape[0]):
            for k in range(6):
                v.xfrc_applied[body, k] = 0.0
        {publish}
        {load}
    if problem != 0:
        status[w] = problem
    {close}
"""
AFTER = """
def one(w, mode, nworld, kept, status, at, {arguments}):
    {open}
    problem = status[w]
    if problem == 0:
        {after_step}
        for j in range(v.qvel.shape[0]):
            if not abs(v.qvel[j]) < {too_fast}:
                problem = {runs_away}
        hold_air(v)
        status[w] = problem
    if problem != 0:
        {back}
    {close}
"""
LATE = """
def one(w, mode, nworld, kept, status, at, {arguments}):
    {open}
    if mode == 0:
        v.counters[0] += 1
    tick = v.counters[0]
    {air}
    if mode != 0:
        hold_air(v)
    {observe}
    {sense}
    {close}
"""
TOUCH = """
def one(c, w, {contact}, {arguments}):
    {open}
    problem = 0
    {contact_stage}
    {close}
    return problem
"""


class Ring(NamedTuple):
    """Where the newest samples of a sensor lie: each behind its tick, no more of them than its delay needs."""

    start: int
    capacity: int
    width: int


class Elements(NamedTuple):
    """Where the elements of a group's parts begin among the constants, and where they end."""

    first: int
    stop: int


class Kernel(NamedTuple):
    """A text, what its names mean, and the arrays that it is called with."""

    name: str
    text: str
    names: dict[str, Any]
    arrays: list[str]


def one_contact(v: Any) -> int:
    """Each thread sees the one contact that it is for."""
    return 1


def that_contact(v: Any, index: Any) -> int:
    """Its number in there."""
    return 0


def contact_part(name: str) -> Any:
    """A function that reads something of a thread's contact."""
    space: dict[str, Any] = {"__name__": __name__}
    exec(f"def read(v, contact):\n    return v.touch_{name}\n", space)
    return space["read"]


def sliced(array: Any, start: Any, count: Any) -> Any:
    """Some numbers of an array that need not lie side by side."""
    return array[start : start + count]


class Texts:
    """Writes the kernels of a world; `gpu` says where they run."""

    def __init__(self, world: World, left_out: Iterable[str], gpu: bool) -> None:
        self.world, self.gpu, self.left_out = world, gpu, set(left_out)
        self.blamed: list[Step] = []
        """Who is meant by a status of `PART` and more."""
        self.laws = [world.runner(instance.name) for instance in world.instances]
        self.arrays = world.arrays
        self.rings: dict[str, Ring] = {}
        """Where the samples of each sensor lie, by its full name."""
        at = 0
        for bound in world.assembly.entries.sensed:
            if bound.full_name not in self.left_out:
                sensor: Any = bound.part
                width = int(bound.row["width"])
                capacity = min(int(bound.row["capacity"]), int(sensor.delay * sensor.rate_hz) + 2)
                self.rings[bound.full_name] = Ring(at, capacity, width)
                at += capacity * (width + 1)
        self.samples = max(at, 1)
        """Numbers of all rings."""
        groups = world.assembly.entries.groups
        self.elements: dict[int, Elements] = {k: found for k, g in enumerate(groups) if (found := self._elements(g))}
        """Of the groups that have some."""

    def _elements(self, group: Any) -> Elements | None:
        """Those of all parts of a group lie one after the other."""
        if group.kind.Element is None:
            return None
        rows = next(bound.rows for bound in self.world.assembly.parts if bound.group == group)
        width = group.kind.Element.itemsize // 8
        first, stop = int(rows["first"].min()), int((rows["first"] + rows["count"] * width).max())
        if ((rows["first"] - first) % width).any():
            raise InputError(f"warp: the elements of {group.kind.__name__} lie apart; use the back-end threads")
        return Elements(first, stop)

    def before(self) -> Kernel:
        """From the command to the loads."""
        names: dict[str, Any] = {}
        pieces = {
            "start": self._core("start", names) + self._stage("start", names),
            "keep": self._kept(names, "kept[{at}, w] = {name}[{k}]"),
            "script": self._script(),
            "control": self._control(names),
            "gusts": self._core("gusts", names),
            "actuate": self._stage("actuate", names),
            "before_step": self._stage("before_step", names),
            "publish": self._core("publish", names) + self._stage("publish", names),
            "load": self._core("load", names) + self._stage("load", names),
        }
        return self._made("before", BEFORE, pieces, names)

    def after(self) -> Kernel:
        """After the step: what parts put right, and whether the motion is one."""
        names: dict[str, Any] = {"hold_air": hold_air}
        pieces = {
            "after_step": self._stage("after_step", names),
            "back": self._kept(names, "{name}[{k}] = kept[{at}, w]"),
        }
        text = AFTER.replace("{too_fast}", repr(TOO_FAST)).replace("{runs_away}", str(RUNS_AWAY))
        return self._made("after", text, pieces, names)

    def late(self) -> Kernel:
        """The next tick: air, what is seen, and the sensors that are due."""
        names: dict[str, Any] = {"hold_air": hold_air, "due": due, "uniform": uniform, "window": window}
        pieces = {"air": self._core("air", names), "observe": self._core("observe", names)}
        pieces["sense"] = self._sense(names)
        return self._made("late", LATE, pieces, names)

    def contact(self) -> Kernel | None:
        """Between collision and constraints; None where nobody acts there."""
        names: dict[str, Any] = {}
        lines = self._core("contact", names) + self._stage("contact", names)
        if not lines:
            return None
        contact = ", ".join(f"T_{name}" for name in (*CONTACT, "geom"))
        return self._made("contact", TOUCH.replace("{contact}", contact), {"contact_stage": lines}, names)

    # pieces

    def _core(self, stage: str, names: dict[str, Any]) -> list[str]:
        found = []
        for name in self.world.assembly.entries.core[stage]:
            names[name] = next(entry.function for entry in ENTRIES if entry.name == name)
            found.append(f"{name}(v)")
        return found

    def _stage(self, stage: str, names: dict[str, Any]) -> list[str]:
        lines = []
        for step in self.world.assembly.entries.steps[stage]:
            called = self._adapter(step.group, step.kernel, names)
            self.blamed.append(step)
            lines.append("if problem == 0:")
            lines.append(f"    row = {called}(v, {self._rows(step.group)}, 0.0)")
            lines += ["    if row != 0:", f"        problem = {PART + len(self.blamed) - 1}"]
        return lines

    def _adapter(self, group: Any, kernel: str, names: dict[str, Any]) -> str:
        made = adapt(group.kind, kernel, group.variant)
        text, space = made.text, {**made.names, "__name__": "cupola.many.warp_kernels"}
        if READS["elements"] in text:
            k = self.world.assembly.entries.groups.index(group)
            first, width = self.elements[k].first, group.kind.Element.itemsize // 8
            text = text.replace(
                READS["elements"], f"window(v.elements_{k}, (row.first - {first}) // {width}, row.count)"
            )
        exec(compile(text, f"<{made.name}>", "exec"), space)
        names[made.name] = space["run"]
        return made.name

    def _rows(self, group: Any) -> str:
        k = self.world.assembly.entries.groups.index(group)
        return f"R_{k}[w % R_{k}.shape[0]]"

    def _kept(self, names: dict[str, Any], line: str) -> list[str]:
        counts = {"qpos": self.world.model.nq, "qvel": self.world.model.nv}
        names |= {"qpos": None, "qvel": None}  # both are opened
        firsts = {"qpos": 0, "qvel": counts["qpos"]}
        return [
            text
            for name, count in counts.items()
            for text in (
                f"for k in range({count}):",
                f"    {line.format(at=f'{firsts[name]} + k', name=name, k='k')}",
            )
        ]

    def _script(self) -> list[str]:
        lines = []
        for i, runner in enumerate(self.laws):
            if runner.script:
                lines += [
                    f"while at[{i}, w] < SCRIPT_{i}.shape[0] and SCRIPT_{i}[at[{i}, w], 0] <= tick:",
                    f"    for j in range({self.arrays.sticks.shape[1]}):",
                    f"        v.sticks[{i}, j] = SCRIPT_{i}[at[{i}, w], 1 + j]",
                    f"    at[{i}, w] += 1",
                ]
        return lines

    def _control(self, names: dict[str, Any]) -> list[str]:
        """The laws that are due, and whether what they command are numbers."""
        lines = []
        names |= {"observation_from": observation_from, "Reference": Reference}
        for i, runner in enumerate(self.laws):
            controller, place = runner.controller, runner.place
            channels = self.world.instances[i].channels
            first, fields = channels.start + runner.first_channel, leaves(controller.State)
            names[f"law_{i}"] = type(controller).law
            before = expression(controller.State, f"v.state[{place.start} + {{}}]", names)
            lines += [
                f"if tick % {runner.every} == 0:",
                f"    v.observations[{i}].period = {runner.every} * v.world[0].dt",
                f"    obs, numbers = observation_from(v.observations[{i}]), L_{i}[w % L_{i}.shape[0]][0]",
                f"    ref = Reference(v.sticks[{i}], PLAN_{i})",
                f"    told, after = law_{i}(obs, ref, {before}, numbers)",
                f"    for j in range(min(len(told), {channels.stop - first})):",
                f"        v.command[{first} + j] = told[j]",
                *(f"    v.state[{place.start + k}] = after.{leaf}" for k, leaf in enumerate(fields)),
            ]
            report, signals = type(controller).report, controller.Signals
            if report is not None and signals is not None:
                names[f"report_{i}"] = report
                lines.append(f"    shown = report_{i}(obs, ref, after, numbers)")
                at = runner.reports.start
                lines += [f"    v.reported[{at + k}] = shown.{leaf}" for k, leaf in enumerate(leaves(signals))]
            for k in range(channels.start, channels.stop):
                holds = f" and not v.command[{k}] != v.command[{k}]" if self.arrays.may_hold[k] else ""
                lines += [f"if not abs(v.command[{k}]) < 1e300{holds}:", f"    problem = {COMMAND}"]
        return lines

    def _sense(self, names: dict[str, Any]) -> list[str]:
        lines: list[str] = []
        for bound in self.world.assembly.entries.sensed:
            if bound.full_name in self.left_out:
                continue
            called, row = self._adapter(bound.group, "measure", names), bound.row
            counter, (start, capacity, width) = int(row["counter"]), self.rings[bound.full_name]
            lines += [
                f"index = v.counters[{counter}]",
                f"if due(index, {float(row['period'])!r}, tick):",
                f"    first = {start} + (index % {capacity}) * {width + 1}",
                "    v.samples[first] = tick",
                f"    v.counters[{counter}] = index + 1",
                f"    out = window(v.samples, first + 1, {width})",
                f"    {called}(v, {self._rows(bound.group)}[{bound.place}], out, index)",
            ]
            if (loss := bound.part.own_loss()) > 0.0:
                drawn = f"uniform(v.world[0].seed, {int(row['stream'])}, index, {LOSS_LANE})"
                lines += [f"    if {drawn} < {loss!r}:", f"        v.samples[first] = {LOST!r}"]
        return lines

    # the memory

    def _made(self, kind: str, text: str, pieces: dict[str, list[str]], names: dict[str, Any]) -> Kernel:
        body = "\n".join(line for lines in pieces.values() for line in lines) + text
        owned = [
            f"elements_{k}" for k in self.elements if any(f"elements_{k}" in _code_names(f) for f in names.values())
        ]
        reached = {word for word in Views._fields if f"v.{word}" in body or (word in names and names[word] is None)}
        for used in names.values():
            if hasattr(used, "__code__"):
                reached |= _names_reached(used) & set(Views._fields)
        names = {name: used for name, used in names.items() if used is not None}
        fields = [name for name in Views._fields if name in reached and name not in LOOPS_OWN]
        arguments, opened = self._arguments(body), []
        for name in fields:
            opened += self._opened(name, names, arguments)
        for name in owned:
            arguments.append(f"A_{name}")
            opened.append(f"{name} = A_{name}[w % A_{name}.shape[0]]")
        fields += owned
        touched = []
        if kind == "contact":
            for name, count in CONTACT.items():
                touched += [
                    f"touch_{name} = {self._local(name, (count,))}",
                    *_read(f"T_{name}", f"touch_{name}", count),
                ]
            touched.append("touch_geom = T_geom[c]")
        opened += [*touched, f"v = Memory({', '.join([*fields, *(_touch(kind))])})"]
        pieces = {**pieces, "open": opened, "close": self._closed(kind, fields)}
        names["Memory"] = memory_of((*fields, *_touch(kind)))
        return Kernel(kind, filled(text.replace("{arguments}", ", ".join(arguments)), pieces), names, arguments)

    def _arguments(self, body: str) -> list[str]:
        """Tables that the text names: rows of parts, numbers of laws, scripts, plans."""
        groups = range(len(self.world.assembly.entries.groups))
        wanted = [f"R_{k}" for k in groups if f"R_{k}[" in body]
        for i in range(len(self.laws)):
            wanted += [name for name in (f"L_{i}", f"SCRIPT_{i}", f"PLAN_{i}") if name in body]
        return wanted

    def _opened(self, name: str, names: dict[str, Any], arguments: list[str]) -> list[str]:
        """How a thread finds an array of its world."""
        array = getattr(self.arrays, name)
        if array.size == 0:
            names[f"EMPTY_{name}"] = np.zeros(array.shape, array.dtype)
            return [f"{name} = EMPTY_{name}"]
        arguments.append(f"A_{name}")
        if name in THEIRS and name not in NARROW:
            return [f"{name} = {self._local(name, array.shape)}", *_loaded(name, array.shape)]
        if name in EACH:
            return [f"{name} = A_{name}[{', '.join([':'] * array.ndim)}, w]"]
        if name in EACH_ROWS:
            return [f"{name} = A_{name}[w]"]
        return [f"{name} = A_{name}[w % A_{name}.shape[0]]"]

    def _local(self, name: str, shape: tuple[int, ...]) -> str:
        if self.gpu:
            return f"cuda.local.array({shape if len(shape) > 1 else shape[0]}, FLOAT)"
        count = int(np.prod(shape))
        flat = f"local_{count}()"
        return flat if len(shape) == 1 else f"{flat}.reshape({shape})"

    def _closed(self, kind: str, fields: list[str]) -> list[str]:
        lines = []
        for name in fields:
            if name in WRITTEN[kind] and getattr(self.arrays, name).size:
                lines += _stored(name, getattr(self.arrays, name).shape)
        if kind == "contact":
            for name in ("frame", "friction", "slip"):
                lines += [f"for k in range({CONTACT[name]}):", f"    T_{name}[c, k] = touch_{name}[k]"]
        return lines or ["pass"]


def _touch(kind: str) -> list[str]:
    return [f"touch_{name}" for name in (*CONTACT, "geom")] if kind == "contact" else []


def _read(source: str, target: str, count: int) -> list[str]:
    return [f"for k in range({count}):", f"    {target}[k] = {source}[c, k]"]


def _loaded(name: str, shape: tuple[int, ...]) -> list[str]:
    row = f"A_{name}[w % A_{name}.shape[0]"
    if len(shape) == 1:
        return [f"for j in range({shape[0]}):", f"    {name}[j] = {row}, j]"]
    return [
        f"for j in range({shape[0]}):",
        f"    for k in range({shape[1]}):",
        f"        {name}[j, k] = {row}, j, k]",
    ]


def _stored(name: str, shape: tuple[int, ...]) -> list[str]:
    loaded = _loaded(name, shape)
    left, right = loaded[-1].strip().split(" = ")
    pad = loaded[-1][: len(loaded[-1]) - len(loaded[-1].lstrip())]
    return [*loaded[:-1], f"{pad}{right} = {left}"]


def filled(text: str, pieces: dict[str, list[str]]) -> str:
    """A text with lines in the place of each word in braces that stands alone on a line."""
    for line in text.splitlines():
        word = line.strip().strip("{}")
        if line.strip() == f"{{{word}}}":
            pad = line[: len(line) - len(line.lstrip())]
            text = text.replace(line, "\n".join(pad + one for one in pieces[word]) or f"{pad}pass", 1)
    return text


@functools.cache
def memory_of(fields: tuple[str, ...]) -> Any:
    """The NamedTuple of some arrays, one and the same for the same ones."""
    return namedtuple("Memory", fields)


def _code_names(function: Any) -> tuple[str, ...]:
    return function.__code__.co_names if hasattr(function, "__code__") else ()
