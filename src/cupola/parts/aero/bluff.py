"""A body without lift at a site: a fuselage, a ball, a brick. Drag and rate damping act at the site's origin."""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.kernel.motion import SiteMotion
from cupola.parts.binding import Arrow, BindContext
from cupola.parts.families import Load
from cupola.physics.bluff import Bluff, bluff_wrench
from cupola.physics.rotation import Vector, Wrench, add
from cupola.xmath import Number


class BluffOutput(NamedTuple):
    """Aerodynamic load of a body."""

    force: Vector
    """[N] axes of the site."""
    torque: Vector
    """[N m] about the site, in its axes."""


class BluffLoad(NamedTuple):
    """Answer of `load`."""

    output: BluffOutput
    wrench: Wrench


class BluffBody(Load):
    """Drag, and damping of the rates relative to the air, or to inertial space."""

    kind: Literal["bluff"]
    body: Bluff
    rates: Literal["earth", "inertial"] = Field("earth", description="which rates the damping feels on a turning Earth")

    Numbers = (Bluff,)
    Index: ClassVar[dict[str, str]] = {"inertial": "i8"}
    Output = BluffOutput
    order = 80
    arrow = Arrow("force")

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Areas and coefficients."""
        return {**self.body._asdict(), "inertial": self.rates == "inertial"}

    @staticmethod
    def load(p: Number, motion: SiteMotion, spin_s: Vector, density: Number) -> BluffLoad:
        """Load in the axes of the site; `spin_s` is the rate of the world itself [rad/s]."""
        rate = add(motion.rate_s, spin_s) if p.inertial else motion.rate_s
        load = bluff_wrench(motion.vel_air_s, rate, density, p)
        return BluffLoad(BluffOutput(load.force, load.torque), load)
