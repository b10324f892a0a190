"""An engine by its tables: thrust along the site's x axis as a function of power, height, Mach number and the rest."""

from typing import Literal

from pydantic import Field

from cupola.parts.functions.load import FunctionLoad


class TableEngine(FunctionLoad):
    """Thrust, and a torque about the same axis."""

    kind: Literal["table_engine"]
    thrust: str = Field(description="[N] along +x of the site")
    torque: str = Field("0", description="[N m] about +x of the site")
    throttle: int = Field(-1, ge=-1, description="command channel that trim uses as its throttle, 0 to 1; -1: none")

    order = 84

    def roots(self) -> dict[str, str]:
        """One force, one torque."""
        return {"thrust": self.thrust, "force.y": "0", "force.z": "0", "torque": self.torque, "m": "0", "n": "0"}

    def thrust_channel(self) -> int | None:
        """The one it names."""
        return self.throttle if self.throttle >= 0 else None
