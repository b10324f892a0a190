"""The whole flight of one world as one generated text: law, air, actuators, loads, step and sensors, in the order of a
tick. The kernels of the kinds are called as they are; numbers of the vehicle stand in the text as constants.
"""

import inspect
from collections import namedtuple
from types import CodeType, FunctionType
from typing import Any, NamedTuple, get_type_hints

import mujoco
import numpy as np

from cupola.engine import free_body
from cupola.engine.adapters import kernel_of
from cupola.engine.free_body import Around, Clock, Gust, Solid
from cupola.engine.integrate import TOO_FAST
from cupola.kernel.air import wind_at
from cupola.kernel.arguments import is_finite
from cupola.kernel.memory import STICKS, Views
from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.kernel.observation import Observation, Reference
from cupola.kernel.planet import height_of, level_at, place_of, spin_w, up_w
from cupola.kernel.records import expression, leaves
from cupola.kernel.wind import wind_slope_w
from cupola.kernel.wind_field import field_slope, field_wind
from cupola.many.solid import box_of, whole
from cupola.parts.sensors.sensor import NoiseKey
from cupola.physics.atmosphere import atmosphere
from cupola.physics.rotation import Quaternion, Vector, add, cross, multiply, subtract
from cupola.physics.wind import DrydenState
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World
from cupola.xmath import Number

COMMAND, RUNS_AWAY, TOUCHES = 1, 2, 3
"""Why a world stops."""
TINY = 1e-15
"""Of a matrix of directions what is below this is 0: such is the rounding of a quarter turn."""
MOTION = {"pos": Vector, "quat": Quaternion, "vel": Vector, "rate": Vector}
READS = {
    "dt": "DT",
    "tick": "tick",
    "drive": "drive",
    "command": "drive[{p}.channel]",
    "constants": "constants",
    "motion": "motion_{site}(b, around)",
    "frame": "frame_{site}(b)",
    "pos_w": "place_{site}(b)",
    "density": "air.density",
    "air": "atmosphere(height_of(around, place_{site}(b)), around.air[0])",
    "height": "height_of(around, place_{site}(b))",
    "level": "level_at(around, place_{site}(b))",
    "up_w": "up_w(around, place_{site}(b))",
    "place": "place_of(around, place_{site}(b))",
    "wind_slope_w": "wind_slope_w(around, place_{site}(b))",
    "spin_s": "into_{site}(into_body(b, spin_w(around)))",
    "inertial": "inertial_{site}(b, acc)",
    "quat_ws": "quat_{site}(b)",
}
"""What a kernel may ask for here, beside `p`, `state`, `memory`, `sample`, `noise`, and what is derived."""
AROUND = "Around(AIR, EARTH, GUSTS, LAYERS, NO_FIELD, NO_TICKS, THERMALS, JETS, CLOCK, ({},), GIVEN)"
CALM = AROUND.format("Gust(ZERO, ZERO, ZERO)")
SITE = """
def into_{k}(a):
    return Vector({into})
def out_{k}(a):
    return Vector({out})
def place_{k}(b):
    return point_of(b, {at})
def quat_{k}(b):
    return multiply(b.quat_wb, {quat})
def motion_{k}(b, around):
    at = add(b.vel_b, cross(b.rate_b, {at}))
    wind = into_body(b, wind_at(around, 0, place_{k}(b)))
    return SiteMotion(into_{k}(at), into_{k}(subtract(at, wind)), into_{k}(b.rate_b))
def frame_{k}(b):
    x, y, z = Vector(ONE, ZERO, ZERO), Vector(ZERO, ONE, ZERO), Vector(ZERO, ZERO, ONE)
    axes = out_of_body(b, out_{k}(x)), out_of_body(b, out_{k}(y)), out_of_body(b, out_{k}(z))
    return SiteFrame(place_{k}(b), axes[0], axes[1], axes[2])
def inertial_{k}(b, acc):
    return true_inertial_of(into_{k}(felt(b, acc, GRAVITY, {at})), into_{k}(b.rate_b), quat_{k}(b))
"""
FLIGHT = """
def one(S, K, I, i, count):
    if I[2, i] != 0:
        return
    tick, seed = I[0, i], I[1, i]
    {read}
    b = free_body(pos, quat, vel, rate)
    for k in range(-1 if I[3, i] else 0, count):
        if k < 0:
            {begin}
        else:
            {control}
            {gusts}
        blows = (Gust(gust.x, gust.y, gust.z),)
        around = Around(AIR, EARTH, GUSTS, LAYERS, NO_FIELD, NO_TICKS, THERMALS, JETS, CLOCK, blows, GIVEN)
        air = atmosphere(height_of(around, b.pos_w), around.air[0])
        if k >= 0:
            {actuate}
        force, torque = Vector(ZERO, ZERO, ZERO), Vector(ZERO, ZERO, ZERO)
        {load}
        acc = accelerate_free(b, solid, spin, force, torque, GRAVITY)
        if k >= 0:
            b = step_free(b, acc, DT)
            tick += 1
            {check}
        {sense}
    I[0, i], I[3, i] = tick, 0
    pos, quat, vel, rate = b.pos_w, b.quat_wb, b.vel_w, b.rate_b
    {store}
"""


def no_wind(v: Views, x: Number, y: Number, height: Number) -> Vector:
    """Stands for the wind of a grid, which no flight has: its clock would be a number of 64 bits."""
    return Vector(0.0, 0.0, 0.0)


INSTEAD = {field_wind: no_wind, field_slope: no_wind}


class Flight(NamedTuple):
    """A text, what its names mean, and where the numbers of a world lie."""

    text: str
    names: dict[str, Any]
    rows: dict[str, int]
    """Row of each number in the state of the worlds."""
    given: list[str]
    """Numbers that each world has of its own, in the order of their rows."""


def numbers_in(world: World) -> dict[str, float]:
    """Every number that stands in the text, by a name of its place; a world may have its own."""
    arrays = world.arrays
    found = {f"air.{name}": float(arrays.air[0][name]) for name in arrays.air.dtype.names or ()}
    for k, bound in enumerate(world.assembly.parts):
        for name in bound.rows.dtype.names:
            if bound.rows.dtype[name] == np.float64:
                found[f"row.{k}.{name}"] = float(bound.row[name])
    found |= {f"constant.{k}": float(value) for k, value in enumerate(arrays.constants)}
    values = world.runner().controller.values
    for name, value in values.items():
        if np.ndim(value) == 0:
            found[f"law.{name}"] = float(value)
    found |= {f"solid.{k}": value for k, value in enumerate(whole(world).numbers())}
    return found


class Writer:
    """Writes the flight of a world."""

    cell, own_cell = "S[{}, i]", "K[{}, i]"
    """Where a number of the state stands, and one that each world has of its own."""

    def __init__(self, world: World, own: list[str], floats: Any) -> None:
        self.world, self.own, self.float = world, own, floats
        self.numbers = numbers_in(world)
        self.names: dict[str, Any] = {
            name: value
            for name, value in vars(free_body).items()
            if name[0] != "_" and getattr(value, "__module__", "").startswith("cupola")
        }
        kept: tuple[Any, ...] = (
            wind_at,
            height_of,
            level_at,
            place_of,
            up_w,
            spin_w,
            wind_slope_w,
            atmosphere,
            is_finite,
            NoiseKey,
        )
        kept += (SiteMotion, SiteFrame, Observation, Reference, Around, Clock, Gust, Solid, DrydenState)
        kept += (Vector, Quaternion, add, cross, subtract, multiply)
        self.names |= {one.__name__: one for one in kept}
        self.names |= {"F": floats, "ZERO": floats(0.0), "ONE": floats(1.0), "DT": floats(world.dt)}
        self.rows: dict[str, int] = {}
        self.sites: dict[int, str] = {}
        self.constants: dict[float, str] = {}

    def number(self, key: str) -> str:
        """A number as text: of each world, or a constant."""
        return self.own_cell.format(self.own.index(key)) if key in self.own else self.constant(self.numbers[key])

    def constant(self, value: float) -> str:
        """A constant by name, in the precision of the flight."""
        bits = float(value)
        if bits not in self.constants:
            self.constants[bits] = f"C{len(self.constants)}"
            self.names[self.constants[bits]] = self.float(bits)
        return self.constants[bits]

    def vector(self, values: Any) -> str:
        """Three constants."""
        return f"Vector({', '.join(self.constant(value) for value in values)})"

    def row(self, name: str) -> int:
        """Row of a number in the state, a new one for a new name."""
        return self.rows.setdefault(name, len(self.rows))

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

    # what is kept from call to call

    def _kept(self) -> dict[str, Any]:
        """Variables that live from tick to tick: a NamedTuple, or how many numbers an array has."""
        kept: dict[str, Any] = dict(MOTION)
        kept |= {"gust": Vector, "spin": Vector, "drive": len(self.world.arrays.drive), "sticks": STICKS}
        kept["held"] = len(self.world.arrays.drive)
        if self.world.arrays.air[0].turbulent:
            kept["turbulence"] = DrydenState
        if len(self.world.runner().controller.State._fields):
            kept["law_state"] = self.world.runner().controller.State
        for k, bound in enumerate(self.world.assembly.parts):
            kind = bound.group.kind
            if leaves(kind.State):
                kept[f"state_{k}"] = kind.State
            if int(bound.row["memory_size"]):
                kept[f"memory_{k}"] = int(bound.row["memory_size"])
            if bound in self.world.assembly.entries.sensed:
                kept[f"sample_{k}"] = int(bound.row["width"])
        return kept

    def _reading(self, name: str, kind: Any) -> list[str]:
        if isinstance(kind, int):
            lines = [f"{name} = local_{kind}()"]
            self.names[f"local_{kind}"] = kind
            return lines + [f"{name}[{j}] = {self.cell.format(self.row(f'{name}.{j}'))}" for j in range(kind)]
        rows = [self.row(f"{name}.{leaf}") for leaf in leaves(kind)]
        text = expression(kind, self.cell.format("@{}@"), self.names)
        for j, row in enumerate(rows):
            text = text.replace(f"@{j}@", str(row))
        return [f"{name} = {text}"]

    def _storing(self, name: str, kind: Any) -> list[str]:
        ends = [f"[{j}]" for j in range(kind)] if isinstance(kind, int) else [f".{leaf}" for leaf in leaves(kind)]
        rows = [f"{name}.{end.strip('[].')}" if end[0] == "[" else f"{name}{end}" for end in ends]
        return [f"{self.cell.format(self.row(row))} = {name}{end}" for row, end in zip(rows, ends, strict=True)]

    def _fixed(self) -> list[str]:
        """Numbers that stay during a flight."""
        arrays, world = self.world.arrays, self.world
        lines = [f"AIR = ({self._tuple('Air', 'air.', arrays.air[0])},)"]
        earth = arrays.earth[0]
        lines.append(f"EARTH = ({self._tuple('Earth', '', earth)},)")
        every = int(arrays.world["draw_every"][0])
        self.names |= {"EVERY_DRAW": every, "DRAWN": self.float(every * world.dt), "GIVEN": np.zeros(1, self.float)}
        self.names |= {"NO_FIELD": np.zeros(0, self.float), "NO_TICKS": np.zeros(1, np.int64)}  # see `refusals`
        lines.append("CLOCK = (Clock(DT, seed, EVERY_DRAW),)")
        for name, array in (("GUSTS", "gusts"), ("LAYERS", "wind_layers"), ("THERMALS", "thermals"), ("JETS", "jets")):
            self.names[name] = _as_floats(getattr(arrays, array), self.float)
        solid = [self.number(f"solid.{k}") for k in range(16)]
        lines.append(f"solid = Solid({solid[0]}, Vector({', '.join(solid[1:4])}), {', '.join(solid[4:])})")
        self.names["GRAVITY"] = Vector(*(self.float(g) for g in world.model.opt.gravity))
        lines += self._constants()
        for k, bound in enumerate(world.assembly.parts):
            lines.append(f"p_{k} = {self._numbers_of(k, bound)}")
        return lines

    def _constants(self) -> list[str]:
        own = [k for k in range(len(self.world.arrays.constants)) if f"constant.{k}" in self.own]
        if not own:
            self.names["constants"] = np.array(self.world.arrays.constants, self.float)
            return []
        count = len(self.world.arrays.constants)
        self.names[f"local_{count}"] = count
        return [
            f"constants = local_{count}()",
            *(f"constants[{k}] = {self.number(f'constant.{k}')}" for k in range(count)),
        ]

    def _tuple(self, name: str, prefix: str, row: Any) -> str:
        fields = row.dtype.names
        self.names[name] = namedtuple(name, fields)
        whole_numbers = {f for f in fields if row.dtype[f] == np.int64}
        values = [
            str(int(row[f])) if f in whole_numbers else self.number(prefix + f) if prefix else self.constant(row[f])
            for f in fields
        ]
        return f"{name}({', '.join(values)})"

    def _numbers_of(self, k: int, bound: Any) -> str:
        """`p` of a part: those of its columns that its kernels read."""
        kind, read = bound.group.kind, self._read_by(bound)
        fields = [name for name in bound.rows.dtype.names if name in read]
        name = f"Row{k}"
        self.names[name] = namedtuple(name, fields or ["none"])
        values = []
        for field in fields:
            column = bound.rows.dtype[field]
            if column.shape:
                values.append(f"({', '.join(str(int(v)) for v in bound.row[field])},)")
            else:
                own = column == np.float64
                values.append(self.number(f"row.{k}.{field}") if own else str(int(bound.row[field])))
        assert kind is not None
        return f"{name}({', '.join(values) or '0'})"

    def _read_by(self, bound: Any) -> set[str]:
        found: set[str] = {"channel", "stream", "noisy", "interval"}
        for stage in ("demand", "actuate", "load", "measure"):
            if kernel := kernel_of(bound.group.kind, stage, bound.group.variant):
                found |= _names_reached(kernel)
                for name in inspect.signature(kernel).parameters:
                    if name in bound.group.kind.derived:
                        derived = kernel_of(bound.group.kind, bound.group.kind.derived[name], bound.group.variant)
                        found |= _names_reached(derived)
        return found

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

    def _cast(self, name: str, kind: Any, value: str) -> str:
        """A NamedTuple whose numbers all have the precision of the flight, so that its type stays."""
        text = expression(kind, "F(@{}@)", self.names)
        for j, leaf in enumerate(leaves(kind)):
            text = text.replace(f"@{j}@", f"{value}.{leaf}")
        return f"{name} = {text}"

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

    def _site(self, site: int) -> int:
        """Functions that turn vectors into and out of the axes of a site, written once."""
        if site not in self.sites:
            model = self.world.model
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, model.site_quat[site])
            axes = R.reshape(3, 3)
            into, out = (", ".join(self._turned(row) for row in matrix) for matrix in (axes.T, axes))
            quat = f"Quaternion({', '.join(self.constant(q) for q in model.site_quat[site])})"
            self.sites[site] = SITE.format(k=site, into=into, out=out, at=self.vector(model.site_pos[site]), quat=quat)
        return site

    def _turned(self, row: Any) -> str:
        """A sum of shares of x, y and z, without those that are none."""
        terms = []
        for share, axis in zip(row, "xyz", strict=True):
            if abs(share) > TINY:
                exact = round(share) if abs(abs(share) - 1.0) < TINY else share
                terms.append({1: f"a.{axis}", -1: f"-a.{axis}"}.get(exact, f"{self.constant(share)} * a.{axis}"))
        return " + ".join(terms)

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


def _as_floats(rows: Any, floats: Any) -> Any:
    """Rows of numbers in another precision."""
    kinds = [(name, "i8" if rows.dtype[name] == np.int64 else floats) for name in rows.dtype.names]
    return rows.astype(np.dtype(kinds))


def _names_reached(function: Any) -> set[str]:
    """All names in a function and in those of ours that it calls."""
    found: set[str] = set()
    ahead, seen = [function], set()
    while ahead:
        one = ahead.pop()
        if one in seen:
            continue
        seen.add(one)
        codes = [one.__code__]
        while codes:
            code = codes.pop()
            found |= set(code.co_names)
            codes += [c for c in code.co_consts if isinstance(c, CodeType)]
        used = (one.__globals__.get(name) for name in one.__code__.co_names)
        ahead += [f for f in used if isinstance(f, FunctionType) and f.__module__.startswith("cupola")]
    return found
