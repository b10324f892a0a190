"""The whole flight of one world as one generated text: law, air, actuators, loads, step and sensors, in the order of a
tick. The kernels of the kinds are called as they are; numbers of the vehicle stand in the text as constants.
"""

import inspect
from collections import namedtuple
from typing import Any, get_type_hints

import numpy as np

from cupola.engine.adapters import kernel_of
from cupola.engine.integrate import TOO_FAST
from cupola.kernel.records import expression, leaves
from cupola.many.flight_numbers import Numbers
from cupola.many.flight_template import AROUND, CALM, FLIGHT, READS, RUNS_AWAY, TOUCHES, Flight
from cupola.many.solid import box_of
from cupola.physics.wind import DrydenState
from cupola.schema.yaml_files import InputError


class Writer(Numbers):
    """Writes the flight of a world."""

    def write(self) -> Flight:
        """The text of the flight."""
        pieces = {
            "begin": self._begin(),
            "control": self._control(),
            "gusts": self._gusts(),
            "actuate": self._actuate(),
            "load": self._load(),
            "check": self._check(),
            "sense": self._sense(),
        }
        kept = self._kept()
        pieces["read"] = [*self._fixed(), *(line for name, kind in kept.items() for line in self._reading(name, kind))]
        pieces["store"] = [line for name, kind in kept.items() for line in self._storing(name, kind)]
        return self._filled(FLIGHT, pieces)

    def _filled(self, text: str, pieces: dict[str, list[str]]) -> Flight:
        """A text with lines in the place of each word in braces that stands alone on a line."""
        for line in text.splitlines():
            word = line.strip().strip("{}")
            if line.strip() == f"{{{word}}}":
                pad = line[: len(line) - len(line.lstrip())]
                text = text.replace(line, "\n".join(pad + one for one in pieces[word]) or f"{pad}pass")
        said = " ".join(f"{name}={value!r}" for value, name in self.constants.items())
        return Flight(f"# {said}\n{''.join(self.sites.values())}{text}", self.names, self.rows, self.own)

    # the stages

    def _begin(self) -> list[str]:
        lines = [] if not self.world.arrays.air[0].turbulent else self._turbulence("first_turbulence(calm, {stream})")
        return lines or ["pass"]

    def _turbulence(self, how: str) -> list[str]:
        stream = int(self.world.arrays.vehicles[0].stream)
        lines = [f"calm = {CALM}"]
        lines.append(f"stirred = {how.format(stream=stream)}")
        lines.append(f"turbulence = DrydenState({', '.join(f'F(stirred.{f})' for f in DrydenState._fields)})")
        return [*lines, "blown = gust_w(calm, b, turbulence)", "gust = Vector(F(blown.x), F(blown.y), F(blown.z))"]

    def _gusts(self) -> list[str]:
        lines = self._stirred()
        return ["if tick % EVERY_DRAW == 0:", *(f"    {line}" for line in lines)] if lines else ["pass"]

    def _stirred(self) -> list[str]:
        """Gusts and turbulence, a draw later; nothing where there are none."""
        arrays = self.world.arrays
        lines = []
        if arrays.air[0].turbulent:
            lines = self._turbulence("next_turbulence(calm, b, turbulence, {stream}, tick // EVERY_DRAW, DRAWN)")
        if len(arrays.gusts):
            first = "Vector(ZERO, ZERO, ZERO)" if not lines else "gust"
            lines.append(f"sharp = sharp_gusts_w({CALM}, F(tick) * DT)")
            lines.append(f"sharp = add({first}, sharp)")
            lines.append("gust = Vector(F(sharp.x), F(sharp.y), F(sharp.z))")
        return lines

    def _control(self) -> list[str]:
        return [f"if tick % {self.world.runner().every} == 0:", *(f"    {line}" for line in self._law())]

    def _law(self) -> list[str]:
        """The controller, once."""
        runner = self.world.runner()
        controller, first = runner.controller, self.world.instances[0].channels.start + runner.first_channel
        state, fields = controller.State, controller.State._fields
        self.names |= {"law": type(controller).law, state.__name__: state}
        self.names["PERIOD"] = self.float(runner.every * self.world.dt)
        self.names["plan"] = np.array(runner.plan, self.float)
        names = list(controller.values)
        self.names["Parameters"] = namedtuple("Parameters", names or ["none"])
        values = [self._parameter(name, controller.values[name]) for name in names] or ["0"]
        before = f"{state.__name__}({', '.join(f'law_state.{f}' for f in fields)})" if fields else f"{state.__name__}()"
        lines = [
            f"around = {AROUND.format('Gust(gust.x, gust.y, gust.z)')}",
            "through = subtract(b.vel_b, into_body(b, wind_at(around, 0, b.pos_w)))",
            "obs = Observation(F(tick) * DT, PERIOD, b.pos_w, b.quat_wb, b.vel_w, b.vel_b, b.rate_b, through)",
            f"outputs, after = law(obs, Reference(sticks, plan), {before}, Parameters({', '.join(values)}))",
            "for j in range(len(outputs)):",
            f"    held[{first} + j] = F(outputs[j])",
        ]
        if fields:
            lines.append(self._cast("law_state", state, "after"))
        return lines

    def _parameter(self, name: str, value: Any) -> str:
        if np.ndim(value) == 0:
            return self.number(f"law.{name}")
        self.names[f"PARAMETER_{name}"] = np.array(value, self.float)
        return f"PARAMETER_{name}"

    def _actuate(self) -> list[str]:
        lines = [f"for j in range({len(self.world.arrays.drive)}):", "    drive[j] = held[j]"]
        for step in self.world.assembly.entries.steps["actuate"]:
            for k, bound in self._of(step):
                if step.kernel == "demand":
                    if int(bound.row["draw"]) >= 0:
                        raise InputError(f"fused: {bound.full_name} draws from another part; use the back-end threads")
                    continue
                lines += self._call(k, bound, step.kernel)
        return lines

    def _load(self) -> list[str]:
        steps = self.world.assembly.entries.steps["load"]
        return [line for step in steps for k, b in self._of(step) for line in self._call(k, b, "load")] or ["pass"]

    def _of(self, step: Any) -> list[tuple[int, Any]]:
        return [(k, b) for k, b in enumerate(self.world.assembly.parts) if b.group == step.group]

    def _call(self, k: int, bound: Any, stage: str) -> list[str]:
        """Call a kernel of a part, and do with its answer what an adapter does."""
        kind = bound.group.kind
        kernel = kernel_of(kind, stage, bound.group.variant)
        assert kernel is not None
        called = f"{kind.__name__}_{stage}_{bound.group.variant}"
        self.names[called] = kernel
        lines = [f"r = {called}({self._arguments(k, bound, kernel)})"]
        answer = get_type_hints(kernel).get("return")
        if answer is None or answer is type(None):
            return lines
        if answer is kind.State:
            return [*lines, self._cast(f"state_{k}", kind.State, "r")]
        for name in answer._fields:
            if name == "state":
                lines.append(self._cast(f"state_{k}", kind.State, "r.state"))
            elif name == "output":
                continue  # what parts show is nobody's state: keeping it would cost as much as the flight
            elif name == "channel":
                lines.append(f"drive[{int(bound.row['channel'])}] = r.channel")
            elif name == "wrench":
                lines += self._push(bound)
            elif name != "ok":
                said = f"fused: {bound.full_name} gives {name!r}, which only a whole world takes"
                raise InputError(f"{said}; use the back-end threads")
        return lines

    def _push(self, bound: Any) -> list[str]:
        k, arm = self._site(int(bound.row["site"])), self.world.model.site_pos[int(bound.row["site"])]
        com = ", ".join(self.number(f"solid.{j}") for j in (1, 2, 3))
        return [
            f"pushed, twisted = out_{k}(r.wrench.force), out_{k}(r.wrench.torque)",
            "force = add(force, pushed)",
            f"torque = add(torque, add(twisted, cross(subtract({self.vector(arm)}, Vector({com})), pushed)))",
        ]

    def _arguments(self, k: int, bound: Any, kernel: Any) -> str:
        return ", ".join(self._argument(k, bound, name) for name in inspect.signature(kernel).parameters)

    def _argument(self, k: int, bound: Any, name: str) -> str:
        kind = bound.group.kind
        if name in ("p", "state", "memory", "sample"):
            return f"{name}_{k}"
        if name == "noise":
            return f"NoiseKey(seed, p_{k}.stream, index, p_{k}.noisy, p_{k}.interval)"
        if name == "index":
            return "index"
        if name in kind.derived:
            derived = kernel_of(kind, kind.derived[name], bound.group.variant)
            assert derived is not None
            self.names[f"{kind.__name__}_{name}_{bound.group.variant}"] = derived
            return f"{kind.__name__}_{name}_{bound.group.variant}({self._arguments(k, bound, derived)})"
        if name in kind.takes:
            first = int(bound.row[name])
            text = expression(kind.takes[name].type, "@{}@", self.names)
            for j in range(len(leaves(kind.takes[name].type))):
                text = text.replace(f"@{j}@", self.constant(self.world.assembly.initial_given[first + j]))
            return text
        if name not in READS:
            raise InputError(f"fused: {bound.full_name} asks for {name!r}; only the back-end threads can give it")
        site = self._site(int(bound.row["site"])) if "{site}" in READS[name] else ""
        return READS[name].format(site=site, p=f"p_{k}")

    def _faults(self) -> dict[int, str]:
        """Why a world stops, and the condition: it runs away, or touches the floor."""
        sums = "abs(b.vel_w.x) + abs(b.vel_w.y) + abs(b.vel_w.z) + abs(b.rate_b.x) + abs(b.rate_b.y) + abs(b.rate_b.z)"
        found = {RUNS_AWAY: f"not {sums} < {self.constant(TOO_FAST)}"}
        if box := box_of(self.world):
            found[TOUCHES] = f"lowest_z(b, {self.vector(box[0])}, {self.vector(box[1])}) < ZERO"
        return found

    def _check(self) -> list[str]:
        return [
            line
            for why, condition in self._faults().items()
            for line in (f"if {condition}:", f"    I[2, i] = {why}", "    break")
        ]

    def _sense(self) -> list[str]:
        lines: list[str] = []
        for period, measured in self._measured():
            lines += [f"if tick % {period} == 0:", *(f"    {line}" for line in measured)]
        return lines or ["pass"]

    def _measured(self) -> list[tuple[int, list[str]]]:
        """Of every sensor the ticks between two samples, and the text of one."""
        found = []
        for k, bound in enumerate(self.world.assembly.parts):
            if bound not in self.world.assembly.entries.sensed:
                continue
            period = float(bound.row["period"])
            if not period.is_integer():
                raise InputError(
                    f"fused: {bound.full_name} measures at a rate that does not divide physics_hz; "
                    "the back-end threads can"
                )
            found.append((int(period), [f"index = tick // {int(period)}", *self._sample(k, bound)]))
        return found

    def _sample(self, k: int, bound: Any) -> list[str]:
        kernel = kernel_of(bound.group.kind, "measure", bound.group.variant)
        self.names[f"{bound.group.kind.__name__}_measure"] = kernel
        call = f"{bound.group.kind.__name__}_measure({self._arguments(k, bound, kernel)})"
        answer, kind = get_type_hints(kernel).get("return"), getattr(bound.group.kind, "Sample", None)
        if answer is None or answer is type(None):
            return [call]
        lines, sample = [f"r = {call}"], "r" if answer is kind else "r.sample"
        lines += [f"sample_{k}[{j}] = {sample}.{leaf}" for j, leaf in enumerate(leaves(kind))]
        if answer is not kind:
            lines.append(self._cast(f"state_{k}", bound.group.kind.State, "r.state"))
        return lines
