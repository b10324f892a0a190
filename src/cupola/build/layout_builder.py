"""Resolves names of parts in the compiled model and reserves memory in the arrays of the world."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mujoco

from cupola.config.held import HeldVehicle
from cupola.kernel.records import flat, size
from cupola.parts.binding import Curve, CurveRow
from cupola.parts.part import Part
from cupola.parts.stand_in import StandIn
from cupola.parts.table import read_table
from cupola.schema.limits import CHANNELS as LAST_CHANNEL
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError

CHANNELS = 20
"""Command channels of a vehicle, or as many as its parts need."""
LONGEST_BATCH = 1.0
"""[s] of simulated time between two drains of the recorders' rings."""


class LayoutBuilder:
    """Layout of the parts: the `BindContext` passed to each part."""

    def __init__(self, model: Any, physics_hz: int, gravity: float, trust: Trust) -> None:
        self.model = model
        self.physics_hz = physics_hz
        self.gravity = gravity
        self.trust = trust
        self.vehicle = -1
        self.root = 0
        self.folder: Path = Path()
        self.held: HeldVehicle | None = None
        self.parts: Mapping[str, Part] = {}
        self.prefix = ""
        self.ground: Any = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, "floor") >= 0
        self.first_channel = 1
        self.channels = 0
        self.numbers: list[float] = []
        self.constants: list[float] = []
        self.outputs = 0
        self.reported = 0
        self.sample_numbers = 0
        self.counters = 1
        self.streams = 0
        self.holding: list[int] = []
        self.links: dict[Any, int] = {}
        """Where what a part gives or collects lies, by part and type."""
        self.link_values: list[float] = []
        self.listened: set[tuple[int, str]] = set()
        """Parts, by vehicle and name, whose published values another part takes."""

    def add_vehicle(self, index: int, name: str, parts: Mapping[str, Part]) -> None:
        """Begin with the parts of one vehicle."""
        self.first_channel += self.channels
        used = [channel for part in parts.values() for channel in part.used_channels()]
        for key, part in parts.items():
            if (most := max(part.used_channels(), default=0)) > LAST_CHANNEL:
                raise InputError(f"{name}.{key}: there is no channel {most}; there are 0 to {LAST_CHANNEL}")
        self.channels = max(CHANNELS, 1 + max(used, default=0))
        self.holding += [self.channel(c) for part in parts.values() if part.nan_holds for c in part.used_channels()]
        self.vehicle, self.prefix, self.parts = index, f"{name}/", parts

    def offsets(self) -> dict[str, Any]:
        """Present offsets: `rebind` binds the next part again at the same offsets."""
        return {**vars(self), "numbers": len(self.numbers), "constants": len(self.constants)}

    @classmethod
    def rebind(cls, offsets: dict[str, Any]) -> "LayoutBuilder":
        """A builder with earlier offsets; parameters and constants have only their lengths."""
        builder = cls.__new__(cls)
        lengths = {name: [0.0] * offsets[name] for name in ("numbers", "constants")}
        vars(builder).update(offsets, **lengths)
        return builder

    def text(self, file: str) -> str:
        """Content of a table of the present vehicle."""
        return self.held.table(file) if self.held else read_table(self.folder / file)

    def site(self, name: str) -> int:
        """Index of a site of the present vehicle."""
        return self._find(mujoco.mjtObj.mjOBJ_SITE, "site", name, self.model.nsite)

    def body(self, name: str) -> int:
        """Index of a body of the present vehicle."""
        return self._find(mujoco.mjtObj.mjOBJ_BODY, "body", name, self.model.nbody)

    def joint(self, name: str) -> int:
        """Index of a joint of the present vehicle."""
        return self._find(mujoco.mjtObj.mjOBJ_JOINT, "joint", name, self.model.njnt)

    def actuator(self, name: str) -> int:
        """Index of a MuJoCo actuator of the present vehicle."""
        return self._find(mujoco.mjtObj.mjOBJ_ACTUATOR, "actuator", name, self.model.nu)

    def _find(self, kind: Any, noun: str, name: str, count: int) -> int:
        found: int = mujoco.mj_name2id(self.model, kind, self.prefix + name)
        if found < 0:
            names = [mujoco.mj_id2name(self.model, kind, i) or "" for i in range(count)]
            own = ", ".join(n.removeprefix(self.prefix) for n in names if n.startswith(self.prefix)) or "none"
            raise ValueError(f"the model has no {noun} {name!r}; its {noun} names: {own}")
        return found

    def body_of(self, site: int) -> int:
        """Index of the body that carries a site."""
        return int(self.model.site_bodyid[site])

    def channel(self, number: int) -> int:
        """Slot of a channel; slot 0 is always zero."""
        return 0 if number < 0 else self.first_channel + number

    def named(self, name: str, type_: Any, verb: str) -> Part:
        """The part of this vehicle that has this name and gives or collects a type."""
        fitting = {key: part for key, part in self.parts.items() if _does(part, type_, verb)}
        # What a part without its code would give or collect is not known: it may be this.
        fitting |= {key: part for key, part in self.parts.items() if isinstance(part, StandIn)}
        if name not in fitting:
            known = ", ".join(fitting) or "none"
            raise ValueError(f"there is no part {name!r} that {verb} a {type_.__name__}; there are: {known}")
        if verb == "gives" and (reason := fitting[name].why_not_given()):
            raise ValueError(f"the {type_.__name__.lower()} of {name!r} {reason}")
        return fitting[name]

    def given(self, giver: Part | None, type_: Any) -> int:
        """Index of the data that a part of this vehicle gives; without a giver, of the defaults of the type."""
        if giver is None:
            return self._slot((type_,), flat(type_()))
        if giver is not self._binding:
            self.listened.add((self.vehicle, self._name_of(giver)))
        return self._slot((self.vehicle, self._name_of(giver), "gives", type_), [0.0] * size(type_))

    def collected(self, receiver: Part, type_: Any) -> int:
        """Where a part of this vehicle collects what others feed it."""
        return self._slot((self.vehicle, self._name_of(receiver), "collects", type_), [0.0] * size(type_))

    def _slot(self, key: Any, values: list[float]) -> int:
        if key not in self.links:
            self.links[key] = len(self.link_values)
            self.link_values += values
        return self.links[key]

    def bind(self, name: str, part: Part) -> Any:
        """The row of a part."""
        self._binding, self._name = part, name
        return part.bind(self)

    _binding: Part | None = None
    _name: str = ""

    def _name_of(self, part: Part) -> str:
        return self._name if part is self._binding else next(n for n, p in self.parts.items() if p is part)

    def curve(self, curve: Curve | None) -> CurveRow:
        """Append a curve to the constants."""
        if curve is None:
            return CurveRow(0, 0, 0)
        start = len(self.constants)
        self.constants += [*(curve.breaks or []), *curve.coefficients]
        return CurveRow(start, len(curve.breaks) - 1 if curve.breaks else 0, len(curve.coefficients))

    def state(self, *initial: float) -> int:
        """Reserve state with its initial values."""
        start = len(self.numbers)
        self.numbers += initial
        return start

    def output(self, count: int) -> int:
        """Reserve outputs."""
        self.outputs += count
        return self.outputs - count

    def report(self, count: int) -> slice:
        """Reserve signals of a controller."""
        self.reported += count
        return slice(self.reported - count, self.reported)

    def samples(self, width: int, rate_hz: float, delay: float) -> tuple[int, int, float, int]:
        """Reserve a ring that holds a batch of ticks, the delay and some more."""
        if rate_hz > self.physics_hz:
            raise ValueError(f"rate_hz {rate_hz:g} is above physics_hz {self.physics_hz}")
        capacity = math.ceil((LONGEST_BATCH + delay) * rate_hz) + 4
        start = self.sample_numbers
        self.sample_numbers += capacity * width
        self.counters += 1
        return start, capacity, self.physics_hz / rate_hz, self.counters - 1

    def stream(self) -> int:
        """A unique noise number."""
        self.streams += 1
        return self.streams


def _does(part: Part, type_: Any, verb: str) -> bool:
    kind = part.group()
    return kind.gives is type_ if verb == "gives" else type_ in kind.collects.values()
