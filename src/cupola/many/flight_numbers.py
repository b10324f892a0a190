"""Numbers in the text of a flight: its state from call to call, those that each world has of its own, and constants."""

import inspect
from collections import namedtuple
from types import CodeType, FunctionType
from typing import Any

import mujoco
import numpy as np

from cupola.engine import free_body
from cupola.engine.adapters import kernel_of
from cupola.engine.free_body import Around, Clock, Gust, Solid
from cupola.kernel.air import wind_at
from cupola.kernel.arguments import is_finite
from cupola.kernel.memory import STICKS
from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.kernel.observation import Observation, Reference
from cupola.kernel.planet import height_of, level_at, place_of, spin_w, up_w
from cupola.kernel.records import expression, leaves
from cupola.kernel.wind import wind_slope_w
from cupola.many.flight_template import SITE, numbers_in
from cupola.parts.sensors.sensor import NoiseKey
from cupola.physics.atmosphere import atmosphere
from cupola.physics.rotation import Quaternion, Vector, add, cross, multiply, subtract
from cupola.physics.wind import DrydenState
from cupola.sim.world import World

TINY = 1e-15
"""Of a matrix of directions what is below this is 0: such is the rounding of a quarter turn."""
MOTION = {"pos": Vector, "quat": Quaternion, "vel": Vector, "rate": Vector}


class Numbers:
    """What a text has to say of the numbers of one world."""

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
            self.names[name] = as_floats(getattr(arrays, array), self.float)
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
                found |= names_reached(kernel)
                for name in inspect.signature(kernel).parameters:
                    if name in bound.group.kind.derived:
                        derived = kernel_of(bound.group.kind, bound.group.kind.derived[name], bound.group.variant)
                        found |= names_reached(derived)
        return found

    def _cast(self, name: str, kind: Any, value: str) -> str:
        """A NamedTuple whose numbers all have the precision of the flight, so that its type stays."""
        text = expression(kind, "F(@{}@)", self.names)
        for j, leaf in enumerate(leaves(kind)):
            text = text.replace(f"@{j}@", f"{value}.{leaf}")
        return f"{name} = {text}"

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


def as_floats(rows: Any, floats: Any) -> Any:
    """Rows of numbers in another precision."""
    kinds = [(name, "i8" if rows.dtype[name] == np.int64 else floats) for name in rows.dtype.names]
    return rows.astype(np.dtype(kinds))


def names_reached(function: Any) -> set[str]:
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
