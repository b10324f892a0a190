"""A battery that the electric rotors and motors naming it share."""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import Part
from cupola.physics.battery import BatteryState, Draw, battery_supply, cell_voltage, discharge
from cupola.xmath import Number, maximum

HOUR = 3600.0


class BatteryNumbers(NamedTuple):
    """One battery."""

    cells: float
    capacity: float
    """[A s]."""
    resistance: float
    power: float


class Demand(NamedTuple):
    """Answer of `demand`."""

    draw: Draw


class Acted(NamedTuple):
    """Answer of `actuate`."""

    state: BatteryState
    output: BatteryState


class AtStart(NamedTuple):
    """Answer of `start`."""

    output: BatteryState


class Battery(Part):
    """Lithium-polymer cells in series: sags under load, discharges, and cuts off when it is empty."""

    kind: Literal["battery"]
    cells: int = Field(ge=1, description="in series")
    capacity_ah: float = Field(gt=0, description="[A h]")
    resistance: float = Field(0.0, ge=0, description="[ohm] of the whole battery")
    power: float = Field(0.0, ge=0, description="[W] that computers and lamps draw all the time")
    charge: float = Field(1.0, ge=0, le=1, description="part that is left at the start")

    Numbers = (BatteryNumbers,)
    State = BatteryState
    Output = BatteryState
    gives = BatteryState
    collects: ClassVar[dict[str, Any]] = {"drawn": Draw}
    feeds: ClassVar[dict[str, Any]] = {"draw": (Draw, "")}
    order = 150
    demand_order = 0

    @property
    def capacity(self) -> float:
        """[A s]"""
        return self.capacity_ah * HOUR

    def initial_state(self) -> BatteryState:
        """At rest."""
        at_rest = battery_supply(self.cells * cell_voltage(self.charge), self.charge, self.resistance, Draw(0.0, 0.0))
        return BatteryState(self.charge, *at_rest)

    @staticmethod
    def start(state: BatteryState) -> AtStart:
        """Outputs before anything is drawn."""
        return AtStart(state)

    @staticmethod
    def publish(state: BatteryState) -> BatteryState:
        """Publish its state."""
        return state

    @staticmethod
    def demand(p: Number, state: BatteryState) -> Demand:
        """Constant current of electronics."""
        return Demand(Draw(0.0, -p.power / maximum(state.voltage, 1.0)))

    @staticmethod
    def actuate(p: Number, state: BatteryState, drawn: Draw, dt: Number) -> Acted:
        """Voltage under the current of this tick, and the remaining charge."""
        now = battery_supply(p.cells * cell_voltage(state.charge), state.charge, p.resistance, drawn)
        after = BatteryState(discharge(state.charge, now.current, p.capacity, dt), now.voltage, now.current)
        return Acted(after, after)
