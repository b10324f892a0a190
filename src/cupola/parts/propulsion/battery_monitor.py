"""The monitor that watches a battery: voltage, current and charge."""

import math
from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import Places, Row, row_type
from cupola.parts.propulsion.battery import Battery
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw
from cupola.physics.battery import Supply
from cupola.xmath import Number

DISCHARGING, GOOD, LITHIUM_POLYMER = 2, 1, 3
"""Status, health and technology in a BatteryState."""


class MonitorReading(NamedTuple):
    """One sample."""

    voltage: float
    """[V] at the terminals."""
    current: float
    """[A] out of the battery."""
    charge: float
    """Part that is left, 0 to 1: counted, not guessed from the voltage."""


class MonitorNumbers(NamedTuple):
    """Errors of one monitor."""

    voltage_noise: float
    current_noise: float


class BatteryMonitor(Sensor):
    """Voltage, current and charge of a battery; all errors are zero unless given."""

    kind: Literal["battery_monitor"]
    battery: str = Field(description="name of the battery part")
    voltage_noise: float = Field(0.0, ge=0, description="[V] standard deviation of a sample")
    current_noise: float = Field(0.0, ge=0, description="[A] standard deviation of a sample")

    Numbers = MonitorNumbers
    chance = MonitorNumbers._fields
    _capacity_ah: float = math.nan
    _cells: int = 0

    def width(self) -> int:
        """Voltage, current, charge."""
        return 3

    def bind(self, places: Places) -> Row:
        """As any sensor; `source` is the battery."""
        row = super().bind(places)
        row["source"] = places.battery(self.battery)
        battery = places.parts[self.battery]
        assert isinstance(battery, Battery)
        self._capacity_ah, self._cells = battery.capacity_ah, battery.cells
        return row

    def reading(self, s: list[float]) -> MonitorReading:
        """Voltage, current, charge."""
        return MonitorReading(*s)

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A BatteryState; its current is negative while the battery discharges."""
        constants = {
            "header.frame_id": frame,
            "temperature": math.nan,
            "capacity": self._capacity_ah,
            "design_capacity": self._capacity_ah,
            "power_supply_status": DISCHARGING,
            "power_supply_health": GOOD,
            "power_supply_technology": LITHIUM_POLYMER,
            "present": True,
            "cell_voltage": [math.nan] * self._cells,
        }
        fields = {"voltage": 0, "current": 1, "charge": 2, "percentage": 2}
        factors = {"current": -1.0, "charge": self._capacity_ah}
        return (Message("sensor_msgs/msg/BatteryState", fields, constants, factors=factors),)


MONITOR_NUMBERS = row_type(MonitorNumbers)


class MonitorSample(NamedTuple):
    """[V], [A], 0 to 1."""

    voltage: Number
    current: Number
    charge: Number


def measure_battery(p: MonitorNumbers, supply: Supply, charge: Number, chance: Chance) -> MonitorSample:
    """Voltage [V] and current [A] with noise, and the charge as it is."""
    noise = draw(chance, 0)
    return MonitorSample(supply.voltage + p.voltage_noise * noise.a, supply.current + p.current_noise * noise.b, charge)
