"""Position of the world of a scenario on a planet, and the planet."""

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from cupola.physics.geodesy import Geodetic, ecef_from_enu, ecef_from_geodetic, enu_from_ecef, geodetic_from_world
from cupola.physics.planet import SPHERE, WGS84, Planet, apparent_acceleration
from cupola.physics.rotation import Vector, add
from cupola.schema.yaml_files import Entry, InputError

FARTHEST = 0.9
"""Of a planet's radius: how far from the origin, across, a place may be told by x and y."""
Field_T = Annotated[float, Field(ge=-10, le=10)]


class PlanetEntry(Entry):
    """Parameters of a planet; the defaults are a sphere with the Earth's mass."""

    semi_major: float = Field(SPHERE.semi_major, gt=0, description="[m] radius, at the equator")
    flattening: float = Field(0.0, ge=0, lt=1, description="0: a sphere; the Earth 1 / 298.257")
    mu: float = Field(SPHERE.mu, ge=0, description="[m³/s²] gravitational parameter")
    j2: float = Field(0.0, ge=-1, le=1, description="oblateness of its gravitation; the Earth 1.0826e-3")
    rotation: float = Field(SPHERE.rotation, description="[rad/s] about its axis, where `rotating` says that it turns")


class Origin(Entry):
    """Position of the world's origin on the Earth; its height above sea level is `air.altitude`."""

    latitude_deg: float = Field(37.9838, ge=-90, le=90, description="WGS-84, north positive; Athens unless given")
    longitude_deg: float = Field(23.7275, ge=-180, le=180, description="WGS-84, east positive")
    magnetic_field: tuple[Field_T, Field_T, Field_T] | None = Field(
        None, description="[T] world: east, north, up; that of the Earth's dipole unless given"
    )
    shape: Literal["flat", "round", "oblate"] = Field(
        "flat",
        description="flat: `gravity` everywhere; round: a sphere, oblate: WGS-84 with J2, heavier below than above",
    )
    planet: PlanetEntry | None = Field(None, description="another planet than the Earth, round by its own numbers")
    rotating: bool = Field(False, description="a round planet turns: Coriolis, centrifugal")

    @property
    def is_round(self) -> bool:
        """Whether heights, axes and gravity follow a planet; else the Earth is flat."""
        return self.shape != "flat" or self.planet is not None

    def planet_now(self) -> Planet:
        """The planet of this world; with a flat Earth only GNSS uses it."""
        if self.planet is not None:
            found = Planet(**self.planet.model_dump())
        else:
            found = SPHERE if self.shape == "round" else WGS84
        return found if self.rotating else found._replace(rotation=0.0)

    def ground_below(self, x: float, y: float, altitude: float) -> float:
        """World z [m] at which a place has the altitude of the world's origin: 0 on a flat Earth."""
        if not self.is_round:
            return 0.0
        e, z = self.planet_now(), 0.0
        origin = Geodetic(math.radians(self.latitude_deg), math.radians(self.longitude_deg), altitude)
        if math.hypot(x, y) > FARTHEST * e.semi_major:
            raise InputError(
                f"the thermal at x {x:g}, y {y:g} m stands nowhere: the planet's radius is {e.semi_major:g} m"
            )
        for _ in range(100):
            off = float(geodetic_from_world(Vector(x, y, z), origin, e).altitude) - altitude
            z -= off
            if abs(off) < 1e-9 * (1.0 + abs(z)):
                break
        return z

    def fall_of_rest(self, point_w: Vector, altitude: float) -> Vector:
        """Free fall [m/s²] over the planet of what rests at a point of the world, whose origin has this altitude."""
        latitude, longitude = math.radians(self.latitude_deg), math.radians(self.longitude_deg)
        e = self.planet_now()
        centre = ecef_from_geodetic(Geodetic(latitude, longitude, altitude), e)
        place = add(centre, ecef_from_enu(point_w, latitude, longitude))
        return Vector(*enu_from_ecef(apparent_acceleration(place, Vector(0.0, 0.0, 0.0), e), latitude, longitude))

    @model_validator(mode="after")
    def _check_shape(self) -> "Origin":
        if self.rotating and not self.is_round:
            raise ValueError("rotating needs shape: round or oblate, or a planet")
        if self.planet is not None and self.shape != "flat":
            raise ValueError(f"a planet has its own shape: leave shape: {self.shape} out")
        return self
