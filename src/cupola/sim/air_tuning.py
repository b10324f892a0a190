"""The present air of a world: that of the scenario with all changes since the start."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cupola.build.arrays import pack_air, pack_gusts
from cupola.config.air import Air, Turbulence, Wind
from cupola.schema.tunable_fields import Path, TunableParameter, changed, declaration, get_number, numbers_of
from cupola.schema.yaml_files import Entry

CALM, SMOOTH = Wind(), Turbulence()
"""Entries to change if the scenario has neither wind nor turbulence."""
FIXED = ("altitude",)
"""It also says where on the Earth the world is."""


class AirTuning:
    """Wind, gusts, turbulence and temperature, tunable."""

    def __init__(self, air: Air, arrays: Any) -> None:
        self.air: Air = air
        self._arrays = arrays

    def tunables(self) -> dict[str, TunableParameter]:
        """Its numbers: `air.wind_speed`, `air.gust_1_velocity_x`, `air.temperature_offset`."""
        return {
            f"air.{prefix}{name}": TunableParameter(
                declaration(entry, path), self._read(prefix, path), self._write(prefix, path)
            )
            for prefix, entry in self._entries().items()
            for name, path in numbers_of(entry).items()
            if name not in FIXED and self._counts(prefix, name)
        }

    def _counts(self, prefix: str, name: str) -> bool:
        """Whether a parameter has an effect: those of a wind law have none with layers or a field."""
        wind = self.air.wind or CALM
        if prefix == "wind_" and name == "field_scale":
            return wind.field is not None
        return prefix != "wind_" or wind.follows_law or (name == "up" and not wind.field)

    def _entries(self) -> dict[str, Entry]:
        air = self.air
        gusts: dict[str, Entry] = {f"gust_{k}_": gust for k, gust in enumerate(air.gusts, start=1)}
        return {"": air, "wind_": air.wind or CALM, "turbulence_": air.turbulence or SMOOTH, **gusts}

    def _put(self, prefix: str, entry: Entry) -> None:
        """Replace one entry of the air and write its arrays again."""
        now = {**self._entries(), prefix: entry}
        if prefix.startswith("gust_"):
            gusts = tuple(gust for key, gust in now.items() if key.startswith("gust_"))
            self.air = self.air.model_copy(update={"gusts": gusts})
        else:
            new = {prefix.rstrip("_"): entry} if prefix else {k: v for k, v in entry if v != getattr(self.air, k)}
            self.air = self.air.model_copy(update=new)
        self._arrays.air[...] = pack_air(self.air)
        self._arrays.air_samples["height"] = np.nan  # the air there is another one now
        self._arrays.gusts[...] = pack_gusts(self.air)

    def _read(self, prefix: str, path: Path) -> Callable[[], float]:
        return lambda: get_number(self._entries()[prefix], path)

    def _write(self, prefix: str, path: Path) -> Callable[[float], None]:
        def write(value: float) -> None:
            entry = self._entries()[prefix]
            self._put(prefix, entry.model_copy(update=changed(entry, path, value)))

        return write
