"""A battery that the electric rotors and motors naming it share."""

from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.part import Part, Places, Row, row_type
from cupola.physics.battery import Draw, battery_supply, cell_voltage

HOUR = 3600.0


class BatteryNumbers(NamedTuple):
    """One battery."""

    cells: float
    capacity: float
    """[A s]."""
    resistance: float
    power: float


class Battery(Part):
    """Lithium-polymer cells in series: sags under load, discharges, and cuts off when it is empty."""

    kind: Literal["battery"]
    cells: int = Field(ge=1, description="in series")
    capacity_ah: float = Field(gt=0, description="[A h]")
    resistance: float = Field(0.0, ge=0, description="[ohm] of the whole battery")
    power: float = Field(0.0, ge=0, description="[W] that computers and lamps draw all the time")
    charge: float = Field(1.0, ge=0, le=1, description="part that is left at the start")

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        row = np.zeros((), BATTERY)
        row["cells"], row["capacity"], row["resistance"] = self.cells, self.capacity_ah * HOUR, self.resistance
        row["power"] = self.power
        at_rest = battery_supply(self.cells * cell_voltage(self.charge), self.charge, self.resistance, Draw(0.0, 0.0))
        row["state"] = places.state(self.charge, *at_rest)
        return row


BATTERY = row_type(BatteryNumbers, state="i8")
"""Row of a battery; its state: charge 0 to 1, voltage [V], current [A]."""
