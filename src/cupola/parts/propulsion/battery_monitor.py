"""The monitor that watches a battery: voltage, current and charge."""

import math
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.parts.binding import BindContext, Take
from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw
from cupola.physics.battery import BatteryState
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

    Numbers = (MonitorNumbers,)
    Sample = MonitorReading
    takes: ClassVar[dict[str, Take]] = {"battery_state": Take(BatteryState, "battery")}
    noise_fields = MonitorNumbers._fields
    _capacity_ah: float = math.nan
    _cells: int = 0

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Errors; capacity and cells of the battery are for its message."""
        battery = places.parts.get(self.battery)
        self._capacity_ah, self._cells = getattr(battery, "capacity_ah", math.nan), getattr(battery, "cells", 0)
        return super().numbers(places)

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
        voltage, current, charge = map(self.sample_names().index, ("voltage", "current", "charge"))
        fields = {"voltage": voltage, "current": current, "charge": charge, "percentage": charge}
        factors = {"current": -1.0, "charge": self._capacity_ah}
        return (Message("sensor_msgs/msg/BatteryState", fields, constants, factors=factors),)

    @staticmethod
    def measure(p: Number, battery_state: BatteryState, noise: NoiseKey) -> MonitorReading:
        """Voltage and current with noise, and the charge as it is."""
        normal = draw(noise, 0)
        voltage = battery_state.voltage + p.voltage_noise * normal.a
        return MonitorReading(voltage, battery_state.current + p.current_noise * normal.b, battery_state.charge)
