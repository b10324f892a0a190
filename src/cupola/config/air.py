"""The air of a scenario file: wind, thermals, gusts, turbulence, and what kind of air it is."""

import itertools
from typing import Annotated, Literal

from pydantic import Field, model_validator

from cupola.physics.atmosphere import LOWEST
from cupola.schema.yaml_files import Entry

FASTEST = 150.0
"""[m/s] of air that moves: the fastest wind ever measured, in a tornado, was 135."""
Blown = Annotated[float, Field(ge=-FASTEST, le=FASTEST)]
Deviation = Annotated[float, Field(ge=0, le=FASTEST)]
Extent = Annotated[float, Field(ge=0.1, le=1e5)]
"""[m] over which turbulence changes; a shorter one changes within the vehicle."""


class WindLayer(Entry):
    """The wind at one height; between two heights its east and north components change evenly."""

    height: float = Field(description="[m] above the world's origin")
    speed: float = Field(ge=0, le=FASTEST, description="[m/s]")
    from_deg: float = Field(description="compass bearing it comes from: 0 north, 90 east")


class Wind(Entry):
    """Mean wind: the same at every height, a power or logarithmic law of height, or a table of layers."""

    speed: float = Field(
        0.0, ge=0, le=FASTEST, description="[m/s] at the reference `height`", json_schema_extra={"usual": [0.0, 25.0]}
    )
    from_deg: float = Field(
        0.0,
        description="compass bearing it comes from: 0 north (world +y), 90 east (world +x)",
        json_schema_extra={"usual": [0.0, 360.0]},
    )
    height: float = Field(10.0, gt=0, le=10_000, description="[m]")
    exponent: float = Field(0.0, ge=0, le=1, description="Hellmann; 0.28 over farmland; 0: the same at every height")
    roughness: float | None = Field(
        None, gt=0, description="[m] of the ground, for a logarithmic law instead: sea 0.0002, grass 0.03, trees 0.5"
    )
    up: float = Field(
        0.0,
        ge=-FASTEST,
        le=FASTEST,
        description="[m/s] rising air, the same at every height",
        json_schema_extra={"usual": [-10.0, 10.0]},
    )
    layers: tuple[WindLayer, ...] = Field(
        (), description="a table instead of a law, by rising height; beyond its ends the wind stays as there"
    )

    field: str | None = Field(
        None,
        min_length=1,
        max_length=400,
        description="a file instead, CSV or NetCDF, beside the scenario: the wind on a grid of x, y, z and time",
    )
    field_scale: float = Field(
        1.0,
        ge=-10,
        le=10,
        description="what the wind of `field` is multiplied with",
        json_schema_extra={"usual": [0, 3]},
    )

    @property
    def follows_law(self) -> bool:
        """Whether the mean wind is defined by speed and direction."""
        return not self.layers and self.field is None

    @model_validator(mode="after")
    def _check_law(self) -> "Wind":
        if self.field and (self.speed or self.exponent or self.roughness or self.up or self.layers):
            raise ValueError("field is the whole wind: leave speed, exponent, roughness, up and layers out")
        if self.field is None and self.field_scale != 1.0:
            raise ValueError("field_scale goes with field, a file; the strength of other winds is their speed")
        if self.layers:
            if self.speed or self.exponent or self.roughness:
                raise ValueError("layers are a table: leave speed, exponent and roughness out")
            heights = [layer.height for layer in self.layers]
            if len(heights) < 2 or any(low >= high for low, high in itertools.pairwise(heights)):
                raise ValueError(f"layers must be at least two, by rising height, got {heights}")
        if self.roughness is not None and (self.exponent or self.roughness >= self.height):
            raise ValueError("roughness goes without exponent, and lies below `height`, where the speed is known")
        return self


class Thermal(Entry):
    """A column of rising air with sink around it."""

    center: tuple[float, float] = Field(description="[m] world x, y of its axis")
    radius: float = Field(gt=0, description="[m] where the air neither rises nor sinks")
    strength: float = Field(
        ge=-FASTEST, le=FASTEST, description="[m/s] in its core where it is strongest, at top / 4.4"
    )
    top: float = Field(1500.0, gt=0, description="[m] height of the convective layer")


class Gust(Entry):
    """A discrete 1-cosine gust: rises, holds, falls again."""

    start: float = Field(ge=0, description="[s]")
    rise: float = Field(gt=0, description="[s] up, and the same down")
    hold: float = Field(0.0, ge=0, description="[s] between")
    velocity: tuple[Blown, Blown, Blown] = Field(
        description="[m/s] world, at full strength", json_schema_extra={"usual": [-20.0, 20.0]}
    )


class Turbulence(Entry):
    """Turbulence in body axes: uniform, or by height over the ground after MIL-F-8785C."""

    spectrum: Literal["dryden", "von_karman"] = Field("dryden", description="how its energy is spread over lengths")
    sigma: tuple[Deviation, Deviation, Deviation] = Field(
        (0.0, 0.0, 0.0), description="[m/s] along body x, y, z", json_schema_extra={"usual": [0.0, 5.0]}
    )
    length: tuple[Extent, Extent, Extent] = Field(
        (533.0, 533.0, 533.0),
        description="[m] along body x, y, z; 533 is Dryden's above 600 m, von Kármán's there is 762",
        json_schema_extra={"usual": [1.0, 1000.0]},
    )
    wind_at_6m: float = Field(
        0.0,
        ge=0,
        le=FASTEST,
        description="[m/s] mean wind at 6.1 m (20 ft), from which sigma and length follow, by height, to 305 m",
        json_schema_extra={"usual": [0.0, 25.0]},
    )

    @model_validator(mode="after")
    def _check_one(self) -> "Turbulence":
        if self.wind_at_6m and any(self.sigma):
            raise ValueError("give sigma and length, or wind_at_6m from which they follow, not both")
        return self


class Air(Entry):
    """The air of a scenario: for every wing, rotor and air-data sensor."""

    altitude: float = Field(
        0.0,
        ge=LOWEST,
        le=1e6,
        description="[m] of the world's origin above sea level; tables begin at -5000",
    )
    temperature_offset: float = Field(
        0.0,
        ge=-150,
        le=150,
        description="[K] against the standard atmosphere",
        json_schema_extra={"usual": [-40.0, 40.0]},
    )
    sea_level_pressure: float = Field(
        101325.0, gt=0, le=1e7, description="[Pa]", json_schema_extra={"usual": [90000.0, 110000.0]}
    )
    density: float | None = Field(
        None, gt=0, le=2000, description="[kg/m³] the same at every height; left out: the standard atmosphere's"
    )
    space: bool = Field(False, description="true: no air at all")
    wind: Wind | None = None
    thermals: tuple[Thermal, ...] = ()
    gusts: tuple[Gust, ...] = ()
    turbulence: Turbulence | None = None
    wakes: bool = Field(
        False, description="propellers blow on the other vehicles, and whole-wing theories solve all vehicles as one"
    )
