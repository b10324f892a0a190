"""The local level of a vehicle above the origin of its world: what pulls there, and how the level turns as it goes.

Over a round planet straight and level is a curve: the level turns by speed over radius. An aircraft is asked above the
origin, where the axes of the world are east, north and up of the place; on a round planet only height matters beside.
"""

import math

from cupola.config.scenario import Scenario
from cupola.physics.geodesy import Geodetic, eccentricity_2, ecef_from_enu, ecef_from_geodetic, enu_from_ecef
from cupola.physics.planet import apparent_acceleration
from cupola.physics.rotation import Vector


class Level:
    """Of the world of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        origin = scenario.origin
        self.is_round: bool = origin.is_round
        self._gravity, self._planet = scenario.gravity, origin.planet_now()
        self._place = Geodetic(
            math.radians(origin.latitude_deg), math.radians(origin.longitude_deg), scenario.air.altitude
        )

    def pull(self, vel_w: Vector, height: float) -> Vector:
        """Free fall [m/s²] as it is seen there, world axes; with centrifugal and Coriolis parts on one that turns."""
        if not self.is_round:
            return Vector(0.0, 0.0, -self._gravity)
        at, e = self._place, self._planet
        point = ecef_from_geodetic(at._replace(altitude=at.altitude + height), e)
        found = apparent_acceleration(point, ecef_from_enu(vel_w, at.latitude, at.longitude), e)
        return Vector(*enu_from_ecef(found, at.latitude, at.longitude))

    def turning(self, vel_w: Vector, height: float) -> Vector:
        """Rate of the local level [rad/s], world axes."""
        if not self.is_round:
            return Vector(0.0, 0.0, 0.0)
        e, up = self._planet, self._place.altitude + height
        squared, sine = float(eccentricity_2(e)), math.sin(self._place.latitude)
        bend = 1.0 - squared * sine * sine
        east_radius = e.semi_major / math.sqrt(bend)
        north_radius = east_radius * (1.0 - squared) / bend
        eastward = vel_w.x / (east_radius + up)
        return Vector(-vel_w.y / (north_radius + up), eastward, eastward * math.tan(self._place.latitude))
