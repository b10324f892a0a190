"""A lithium-polymer battery that several motors share: voltage over charge, sag under load, discharge.

Voltage of a cell at rest: Chen and Rincón-Mora, "Accurate electrical battery model capable of predicting runtime and
I-V performance", IEEE Transactions on Energy Conversion 21(2), 2006, equation 2. A speed controller is taken as a loss-
free converter: at throttle d it gives the motor d times the voltage and draws d times the motor's current.
"""

from typing import NamedTuple

from cupola.xmath import Number, clip, exp, where


class Draw(NamedTuple):
    """What motors ask of a battery: its current is `pull` times its voltage, less `push`."""

    pull: Number
    """[A/V], the sum of d² / r."""
    push: Number
    """[A] from the turning motors, the sum of d e / r."""


class Supply(NamedTuple):
    """Voltage [V] at the terminals and current [A] out of them."""

    voltage: Number
    current: Number


class BatteryState(NamedTuple):
    """What is left in a battery, and what it gives."""

    charge: Number = 1.0
    """[1] part that is left, 0 to 1."""
    voltage: Number = 0.0
    """[V] at the terminals."""
    current: Number = 0.0
    """[A] out of the battery."""


def cell_voltage(charge: Number) -> Number:
    """Of a cell at rest [V], of the part of its `charge` that is left, 0 to 1."""
    x = clip(charge, 0.0, 1.0)
    return 3.685 - 1.031 * exp(-35.0 * x) + 0.2156 * x - 0.1178 * x * x + 0.3201 * x * x * x


def motor_draw(throttle: Number, back_voltage: Number, resistance: Number) -> Draw:
    """What one motor asks for: throttle 0 to 1, voltage of its rotation [V], its resistance [ohm]."""
    return Draw(throttle * throttle / resistance, throttle * back_voltage / resistance)


def battery_supply(open_voltage: Number, charge: Number, resistance: Number, draw: Draw) -> Supply:
    """Voltage and current under load: V = V0 - R I and I = pull V - push, solved together. Empty means cut off."""
    voltage = (open_voltage + resistance * draw.push) / (1.0 + resistance * draw.pull)
    alive = charge > 0.0
    return Supply(where(alive, voltage, 0.0), where(alive, draw.pull * voltage - draw.push, 0.0))


def discharge(charge: Number, current: Number, capacity: Number, dt: Number) -> Number:
    """Part of the charge that is left after `dt` [s] of a `current` [A], of a `capacity` [A s]."""
    return clip(charge - current * dt / capacity, 0.0, 1.0)
