"""The kernels of a world's parts around the stages of mujoco-warp, as generated texts: one thread for each world.

Nothing is written twice: adapters, air, observation and laws are the functions of a single world. What differs is the
memory: `v` is made for each thread from the arrays of all worlds. Numbers of mujoco-warp have 32 bits; a thread reads
them into numbers of 64, computes as the processor does, and writes back what its stage may change.
"""

from collections.abc import Iterable
from typing import Any

from cupola.build.schedule import Step
from cupola.engine.adapters import adapt
from cupola.engine.core import ENTRIES
from cupola.engine.integrate import TOO_FAST, hold_air
from cupola.engine.sampling import LOSS_LANE, LOST, due
from cupola.kernel.arguments import READS
from cupola.kernel.memory import window
from cupola.kernel.observation import Reference, observation_from
from cupola.kernel.records import expression, leaves
from cupola.many.warp_memory import CONTACT, Kernel, Memory
from cupola.physics.noise import uniform
from cupola.sim.world import World

COMMAND, RUNS_AWAY, PART = 1, 2, 1000
"""Why a world stops; from `PART` on: which entry of `Texts.blamed`."""
TICK, LOADS, START = range(3)
"""What the kernel `before` does: all of it, loads alone, or what happens once after a reset."""
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


class Texts(Memory):
    """Writes the kernels of a world; `gpu` says where they run."""

    def __init__(self, world: World, left_out: Iterable[str], gpu: bool) -> None:
        super().__init__(world, left_out, gpu)
        self.blamed: list[Step] = []
        """Who is meant by a status of `PART` and more."""

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
