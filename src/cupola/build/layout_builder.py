"""Finding places for parts in the compiled model and in the arrays of the world."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mujoco

from cupola.parts.part import Curve, CurveRow, Part
from cupola.parts.propulsion.battery import Battery
from cupola.parts.propulsion.rotor import Rotor

CHANNELS = 20
"""Command channels of a vehicle, or as many as its parts need."""
LONGEST_CHUNK = 1.0
"""[s] of simulated time between two drains of the recorders' rings."""


class Binder:
    """Finds places for the parts: it is the `Places` that a part is given."""

    def __init__(self, model: Any, physics_hz: int) -> None:
        self.model = model
        self.physics_hz = physics_hz
        self.vehicle = -1
        self.root = 0
        self.folder = Path()
        self.parts: Mapping[str, Part] = {}
        self.prefix = ""
        self.ground = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, "floor") >= 0
        self.before: list[Part] = []
        self.first_channel = 1
        self.channels = 0
        self.numbers: list[float] = []
        self.pool: list[float] = []
        self.outputs = 0
        self.sample_numbers = 0
        self.counters = 1
        self.streams = 0
        self.holding: list[int] = []

    def enter(self, index: int, name: str, parts: Mapping[str, Part]) -> None:
        """Begin with the parts of one vehicle."""
        self.first_channel += self.channels
        used = [channel for part in parts.values() for channel in part.used_channels()]
        self.channels = max(CHANNELS, 1 + max(used, default=0))
        self.before = [*self.before, *self.parts.values()]
        self.holding += [self.channel(c) for part in parts.values() if part.holds for c in part.used_channels()]
        self.vehicle, self.prefix, self.parts = index, f"{name}/", parts

    def bookmark(self) -> dict[str, Any]:
        """Where binding stands now: `reopen` binds the next part again into the same places."""
        return {**vars(self), "numbers": len(self.numbers), "pool": len(self.pool)}

    @classmethod
    def reopen(cls, bookmark: dict[str, Any]) -> "Binder":
        """A binder as it was at the bookmark; numbers and pool hold nothing but their lengths."""
        binder = cls.__new__(cls)
        vars(binder).update(bookmark, numbers=[0.0] * bookmark["numbers"], pool=[0.0] * bookmark["pool"])
        return binder

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

    def battery(self, name: str) -> int:
        """Row of a battery of the present vehicle."""
        return self.rank(Battery, name)

    def rank(self, kind: type[Part], name: str) -> int:
        """Row of a part of the present vehicle among all of its kind."""
        here = [other for other, part in self.parts.items() if isinstance(part, kind)]
        if name not in here:
            noun = kind.__name__.lower()
            raise ValueError(f"there is no {noun} {name!r}; of that kind there are: {', '.join(here) or 'none'}")
        return sum(isinstance(part, kind) for part in self.before) + here.index(name)

    def rotor(self, name: str) -> int:
        """Row of a rotor of the present vehicle, one whose disc is known."""
        row, part = self.rank(Rotor, name), self.parts[name]
        if isinstance(part, Rotor) and part.disc_radius() == 0.0:
            raise ValueError(f"the stream of {name!r} needs the radius of its disc [m]")
        return row

    def curve(self, curve: Curve | None) -> CurveRow:
        """Append a curve to the pool."""
        if curve is None:
            return CurveRow(0, 0, 0)
        start = len(self.pool)
        self.pool += [*(curve.breaks or []), *curve.coefficients]
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

    def samples(self, width: int, rate_hz: float, delay: float) -> tuple[int, int, float, int]:
        """Reserve a ring that holds a chunk, the delay and some more."""
        if rate_hz > self.physics_hz:
            raise ValueError(f"rate_hz {rate_hz:g} is above physics_hz {self.physics_hz}")
        capacity = math.ceil((LONGEST_CHUNK + delay) * rate_hz) + 4
        start = self.sample_numbers
        self.sample_numbers += capacity * width
        self.counters += 1
        return start, capacity, self.physics_hz / rate_hz, self.counters - 1

    def stream(self) -> int:
        """A number of its own for noise."""
        self.streams += 1
        return self.streams
