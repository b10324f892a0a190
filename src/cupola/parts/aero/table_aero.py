"""An aircraft by its tables: force and moment as functions of air data, rates and channels."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from cupola.parts.functions.load import AxesName, FunctionLoad
from cupola.schema.limits import CommandChannel
from cupola.schema.yaml_files import Entry


class Components(Entry):
    """Expressions along front, right and down."""

    x: str = "0"
    y: str = "0"
    z: str = "0"


class TableAero(FunctionLoad):
    """Aerodynamics of a whole aircraft. The site has x front, y left, z up; the expressions are front, right, down."""

    kind: Literal["table_aero"]
    force: Components = Field(Components(), description="[N] front, right, down of `force_axes`")
    torque: Components = Field(Components(), description="[N m] about the site: right side down, nose up, nose right")
    force_axes: AxesName = Field("body", description="axes of the force")
    torque_axes: AxesName = Field("body", description="axes of the torque")
    controls: dict[CommandChannel, float] = Field(
        {}, description="command channels that are surfaces, and their deflection at channel value 1 [rad]"
    )

    lifts = True

    def axes(self) -> tuple[str, str]:
        """As given in the file."""
        return self.force_axes, self.torque_axes

    def why_no_wake(self) -> str:
        """Its tables know only the air far away."""
        return self.kind

    def roots(self) -> dict[str, str]:
        """The six components."""
        both = {"force": self.force, "torque": self.torque}
        return {f"{name}.{axis}": getattr(one, axis) for name, one in both.items() for axis in "xyz"}

    def deflections(self) -> Mapping[int, float]:
        """Its surfaces."""
        return self.controls
