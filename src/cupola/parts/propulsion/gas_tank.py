"""The bottle of compressed gas on board, which air bearings and thrusters share."""

from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.part import Part, Places, Row, row_type


class TankNumbers(NamedTuple):
    """One bottle."""

    reserve: float
    """[kg]."""


class TankOutput(NamedTuple):
    """What is left in a bottle, and what leaves it."""

    mass: float
    """[kg]."""
    share: float
    """[1] of the pressure behind its regulator that it still holds."""
    flow: float
    """[kg/s]."""


class GasTank(Part):
    """A bottle behind a regulator. Its gas is not taken off the mass of the vehicle: it is some grams."""

    kind: Literal["gas_tank"]
    mass: float = Field(gt=0, description="[kg] of gas at the start")
    reserve: float = Field(gt=0, description="[kg] below which the regulator no longer holds its pressure")

    fixed = ("mass",)
    Output = TankOutput

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        state, output = places.state(self.mass), places.output(len(TankOutput._fields))
        return np.array((self.reserve, state, output), TANK)


TANK = row_type(TankNumbers, state="i8", output="i8")
