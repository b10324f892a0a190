"""A body without lift at a site: a fuselage, a ball, a brick. Drag and rate damping act at the site's origin."""

from typing import Literal

import numpy as np
from pydantic import Field

from cupola.parts.part import Load, Places, Row, SiteMotion, row_type
from cupola.physics.bluff import Bluff, bluff_wrench
from cupola.physics.rotation import Vector, Wrench, add
from cupola.xmath import Number


class BluffBody(Load):
    """Drag and damping of the rates relative to the Earth and its air, or relative to the stars."""

    kind: Literal["bluff"]
    body: Bluff
    rates: Literal["earth", "inertial"] = Field("earth", description="which rates the damping feels on a turning Earth")

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        site = places.site(self.site)
        row = np.zeros((), BLUFF)
        for name, value in self.body._asdict().items():
            row[name] = value
        row["body"], row["site"], row["vehicle"] = places.body_of(site), site, places.vehicle
        row["inertial"] = self.rates == "inertial"
        return row


BLUFF = row_type(Bluff, **dict.fromkeys(("body", "site", "vehicle", "inertial"), "i8"))


def bluff_load(row: Number, motion: SiteMotion, spin_s: Vector, density: Number) -> Wrench:
    """Load in the axes of the site; `spin_s` is the rate of the world itself [rad/s]."""
    rate = add(motion.rate_s, spin_s) if row.inertial else motion.rate_s
    return bluff_wrench(motion.vel_air_s, rate, density, row)
