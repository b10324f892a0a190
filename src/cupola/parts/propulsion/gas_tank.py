"""The bottle of compressed gas on board, which air bearings and thrusters share."""

from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from cupola.parts.part import Part
from cupola.physics.gas import GasFlow, GasSupply, bottle_pressure, supply_share
from cupola.xmath import Number


class TankNumbers(NamedTuple):
    """One bottle."""

    reserve: float
    """[kg]."""
    pressure: float
    """[Pa]."""
    bottle_pressure: float
    """[Pa]."""


class TankState(NamedTuple):
    """State of a bottle."""

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
    pressure: Number
    """[Pa] behind the regulator, above that of the air."""
    bottle_pressure: Number
    """[Pa] before it."""


class TankMove(NamedTuple):
    """Answer of `actuate`."""

    state: TankState
    output: TankOutput


class GasTank(Part):
    """A gas bottle with a regulator. The mass of the used gas, some grams, is neglected."""

    kind: Literal["gas_tank"]
    mass: float = Field(gt=0, description="[kg] of gas at the start")
    reserve: float = Field(gt=0, description="[kg] below which the regulator no longer holds its pressure")
    pressure: float = Field(5.5e5, gt=0, description="[Pa] behind the regulator, above that of the air")
    bottle_pressure: float = Field(5e6, gt=0, description="[Pa] of the bottle while there is liquid in it")

    Numbers = (TankNumbers,)
    State = TankState
    Output = TankOutput
    gives = GasSupply
    collects: ClassVar[dict[str, Any]] = {"used": GasFlow}
    order = 130
    fixed = ("mass",)

    @model_validator(mode="after")
    def _lowered(self) -> Self:
        """A regulator only lowers a pressure."""
        if self.bottle_pressure < self.pressure:
            raise ValueError(
                f"the bottle has {self.bottle_pressure:g} Pa, so its regulator cannot hold {self.pressure:g} Pa"
            )
        return self

    def initial_state(self) -> TankState:
        """Full."""
        return TankState(self.mass)

    @staticmethod
    def publish(p: Number, state: TankState) -> GasSupply:
        """The pressure that it holds."""
        return GasSupply(supply_share(state.mass, p.reserve))

    @staticmethod
    def actuate(p: Number, state: TankState, used: GasFlow, dt: Number) -> TankMove:
        """Subtract the gas used in the tick."""
        left = state.mass - used.rate * dt
        mass = 0.0 if left < 0.0 else left  # what is not a number stays so, and is blamed on it
        share = supply_share(mass, p.reserve)
        bottle = bottle_pressure(mass, p.reserve, p.pressure, p.bottle_pressure)
        return TankMove(TankState(mass), TankOutput(mass, share, used.rate, share * p.pressure, bottle))
