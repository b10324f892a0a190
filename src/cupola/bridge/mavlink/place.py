"""Places as MAVLink writes them, and as the world has them."""

import math
from typing import NamedTuple

from cupola.physics.geodesy import Ellipsoid, Geodetic, ecef_from_geodetic, enu_from_ecef, geodetic_from_world
from cupola.physics.rotation import Vector, subtract
from cupola.sim.world import World

DEGREES = 1e7
"""MAVLink counts latitude and longitude in 1e-7 degrees."""


class Origin(NamedTuple):
    """Where on the planet the world lies."""

    place: Geodetic
    planet: Ellipsoid

    @classmethod
    def of(cls, world: World) -> "Origin":
        """That of a world."""
        told = world.scenario.origin
        place = Geodetic(math.radians(told.latitude_deg), math.radians(told.longitude_deg), world.scenario.air.altitude)
        return cls(place, told.planet_now())

    def geodetic(self, pos_w: Vector) -> Geodetic:
        """Latitude, longitude [rad] and height [m] of a point of the world."""
        return geodetic_from_world(pos_w, self.place, self.planet)

    def world(self, latitude_deg: float, longitude_deg: float, altitude: float) -> Vector:
        """The point of the world [m] at a latitude, a longitude and a height above the sea [m]."""
        there = Geodetic(math.radians(latitude_deg), math.radians(longitude_deg), altitude)
        away = subtract(ecef_from_geodetic(there, self.planet), ecef_from_geodetic(self.place, self.planet))
        return enu_from_ecef(away, self.place.latitude, self.place.longitude)


def heading_deg(yaw: float) -> float:
    """[degrees] clockwise from north, of an angle counter-clockwise from east [rad]."""
    return (90.0 - math.degrees(yaw)) % 360.0


def yaw_of(heading_deg: float) -> float:
    """[rad] counter-clockwise from east, of an angle clockwise from north [degrees]."""
    return math.radians(90.0 - heading_deg)
