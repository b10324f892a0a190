"""The bottle of compressed gas on board, which air bearings and thrusters share."""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import Part
from cupola.physics.gas import GasFlow, GasSupply, supply_share
from cupola.xmath import Number


class TankNumbers(NamedTuple):
    """One bottle."""

    reserve: float
    """[kg]."""


class TankState(NamedTuple):
    """What is left in a bottle."""

    mass: Number = 0.0
    """[kg]."""


class TankOutput(NamedTuple):
    """What is left in a bottle, and what leaves it."""

    mass: Number
    """[kg]."""
    share: Number
    """[1] of the pressure behind its regulator that it still holds."""
    flow: Number
    """[kg/s]."""


class TankMove(NamedTuple):
    """Answer of `actuate`."""

    state: TankState
    output: TankOutput


class GasTank(Part):
    """A bottle behind a regulator. Its gas is not taken off the mass of the vehicle: it is some grams."""

    kind: Literal["gas_tank"]
    mass: float = Field(gt=0, description="[kg] of gas at the start")
    reserve: float = Field(gt=0, description="[kg] below which the regulator no longer holds its pressure")

    Numbers = (TankNumbers,)
    State = TankState
    Output = TankOutput
    gives = GasSupply
    collects: ClassVar[dict[str, Any]] = {"used": GasFlow}
    order = 130
    fixed = ("mass",)

    def initial_state(self) -> TankState:
        """Full."""
        return TankState(self.mass)

    @staticmethod
    def publish(p: Number, state: TankState) -> GasSupply:
        """The pressure that it holds."""
        return GasSupply(supply_share(state.mass, p.reserve))

    @staticmethod
    def actuate(p: Number, state: TankState, used: GasFlow, dt: Number) -> TankMove:
        """It empties itself by what flowed in the tick."""
        left = state.mass - used.rate * dt
        mass = 0.0 if left < 0.0 else left  # what is not a number stays so, and is blamed on it
        return TankMove(TankState(mass), TankOutput(mass, supply_share(mass, p.reserve), used.rate))
