"""Blades of a rotor by their geometry: rings of the disc for blade elements and momentum (`physics.propeller`)."""

import itertools
import math
from typing import Any

import numpy as np
from pydantic import Field

from cupola.parts.binding import row_type
from cupola.physics.propeller import BladeElement
from cupola.physics.section import Section
from cupola.schema.yaml_files import Entry

RING = row_type(BladeElement)


class BladeStation(Entry):
    """One cut through a blade; between two of them everything changes evenly, beyond the outermost it stays."""

    r: float = Field(ge=0, description="[m] from the shaft")
    chord: float = Field(gt=0, description="[m]")
    pitch: float = Field(ge=-0.5 * math.pi, le=0.5 * math.pi, description="[rad], of the chord line to the disc")


class Blades(Entry):
    """Equal blades on a shaft."""

    radius: float = Field(gt=0, description="[m] of the disc")
    hub_radius: float = Field(0.0, ge=0, description="[m] where the blades begin")
    blades: int = Field(ge=1)
    stations: tuple[BladeStation, ...] = Field(min_length=1, description="from the hub to the tip")
    section: Section = Section()
    rings: int = Field(20, ge=1, le=200)

    def model_post_init(self, _: Any) -> None:
        """Refuse blades that have no length, and cuts that do not lie on them from the hub to the tip."""
        if self.hub_radius >= self.radius:
            raise ValueError(f"hub_radius {self.hub_radius:g} must lie below radius {self.radius:g}")
        r = [station.r for station in self.stations]
        if any(b <= a for a, b in itertools.pairwise(r)):
            raise ValueError(f"stations must lie one behind the other along the blade, got r = {_listed(r)}")
        if r[0] < self.hub_radius or r[-1] > self.radius:
            blade = f"{self.hub_radius:g} to {self.radius:g}"
            raise ValueError(f"stations must lie on the blade, r = {blade}, got r = {_listed(r)}")

    def elements(self) -> list[BladeElement]:
        """Rings of equal width from the hub outwards, each with what lies at its middle."""
        r = [station.r for station in self.stations]
        chord, pitch = [station.chord for station in self.stations], [station.pitch for station in self.stations]
        width = (self.radius - self.hub_radius) / self.rings
        middles = [self.hub_radius + (k + 0.5) * width for k in range(self.rings)]
        return [
            BladeElement(
                middle,
                width,
                float(np.interp(middle, r, chord)),
                float(np.interp(middle, r, pitch)),
                float(self.blades),
                self.radius,
                self.hub_radius,
                **self.section._asdict(),
            )
            for middle in middles
        ]


class Propeller(Blades):
    """Equal blades on a shaft whose speed follows the throttle with a lag."""

    speed_max: float = Field(gt=0, description="[rad/s] at full throttle")
    time_constant: float = Field(ge=0, description="[s] of the shaft speed behind its command")


def _listed(r: list[float]) -> str:
    return ", ".join(f"{x:g}" for x in r)
