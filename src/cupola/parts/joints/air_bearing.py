"""Air bearings: pads that float on a film of gas, and lie on the table without it."""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.kernel.motion import SiteMotion
from cupola.parts.binding import BindContext, Take
from cupola.parts.part import Part
from cupola.physics.gas import NORMAL_DENSITY, VISCOSITY, GasFlow, GasSupply, dry_drag, film_drag
from cupola.physics.rotation import Vector, Wrench
from cupola.xmath import Number, sqrt

LITRE_PER_MINUTE = 1e-3 / 60.0
"""[m³/s]."""
FAINT = 1e-9
"""[m/s] that leave the direction of a friction defined where nothing moves."""


class BearingNumbers(NamedTuple):
    """One pad."""

    drag: float
    """[N s/m] while it floats."""
    friction: float
    """[N] while it does not."""
    blur: float
    flow: float
    """[kg/s]."""


class BearingMove(NamedTuple):
    """Answer of `actuate`."""

    flow_out: GasFlow


class AirBearing(Part):
    """A pad on a film of gas under its site, whose z axis is normal to the table; without gas it lies on it."""

    kind: Literal["air_bearing"]
    site: str = Field(description="site of the model; z is normal to the table")
    diameter: float = Field(gt=0, description="[m] of its face")
    gap: float = Field(5e-6, gt=0, description="[m] height of the film")
    viscosity: float = Field(VISCOSITY, ge=0, description="[Pa s] of the gas; 0: no drag")
    flow_lpm: float = Field(0.0, ge=0, description="litres of gas per minute at 0 °C, 101325 Pa")
    load: float = Field(0.0, ge=0, description="[N] that it carries")
    friction: float = Field(0.2, ge=0, description="with the table, without gas")
    blur: float = Field(0.002, gt=0, description="[m/s] below which that friction fades")
    tank: str | None = Field(None, description="name of the bottle; none: it never ends")

    Numbers = (BearingNumbers,)
    takes: ClassVar[dict[str, Take]] = {"supply": Take(GasSupply, "tank")}
    feeds: ClassVar[dict[str, Any]] = {"flow_out": (GasFlow, "tank")}
    order = 110

    def variant(self) -> str:
        """There is one; its name keeps the kernel `load_pad` apart from the key `load` of the file."""
        return "pad"

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Drag on the film, friction on the table, and the gas it uses."""
        return {
            "drag": film_drag(self.diameter, self.gap, self.viscosity),
            "friction": self.friction * self.load,
            "blur": self.blur,
            "flow": NORMAL_DENSITY * self.flow_lpm * LITRE_PER_MINUTE,
        }

    @staticmethod
    def actuate(p: Number) -> BearingMove:
        """Gas leaves it all the time."""
        return BearingMove(GasFlow(p.flow))

    @staticmethod
    def load_pad(p: Number, motion: SiteMotion, supply: GasSupply) -> Wrench:
        """Drag in the axes of the site, of the film or of the table."""
        return bearing_load(p, motion.vel_s, supply.share > 0.0)


def bearing_load(row: Number, velocity: Vector, floats: Number) -> Wrench:
    """Drag in the axes of the site, of the film or of the table."""
    speed = sqrt(velocity.x * velocity.x + velocity.y * velocity.y)
    per_speed = -row.drag
    if not floats:
        per_speed = dry_drag(speed, row.friction, row.blur) / (speed + FAINT)
    return Wrench(Vector(per_speed * velocity.x, per_speed * velocity.y, 0.0), Vector(0.0, 0.0, 0.0))
