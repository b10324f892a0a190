"""An engine by its tables: thrust along the site's x axis as a function of power, height, Mach number and the rest."""

from typing import Literal

from pydantic import Field

from cupola.parts.functions.load import FunctionLoad


class TableEngine(FunctionLoad):
    """Thrust, a torque about the same axis, and those of a hub that turns or stands in a slanted flow."""

    kind: Literal["table_engine"]
    thrust: str = Field(description="[N] along +x of the site")
    torque: str = Field("0", description="[N m] about +x of the site")
    pitch_torque: str = Field("0", description="[N m] nose up: about -y of the site")
    yaw_torque: str = Field("0", description="[N m] nose right: about -z of the site")
    throttle: int = Field(-1, ge=-1, description="command channel that trim uses as its throttle, 0 to 1; -1: none")

    order = 84

    def why_no_jet(self) -> str:
        """Its tables tell the thrust alone."""
        return self.kind

    def roots(self) -> dict[str, str]:
        """One force, three torques."""
        torques = {"torque": self.torque, "pitch_torque": self.pitch_torque, "yaw_torque": self.yaw_torque}
        return {"thrust": self.thrust, "force.y": "0", "force.z": "0", **torques}

    def thrust_channel(self) -> int | None:
        """The one it names."""
        return self.throttle if self.throttle >= 0 else None
