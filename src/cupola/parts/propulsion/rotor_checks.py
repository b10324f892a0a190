"""Which numbers of a motor go together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cupola.physics.motor import ElectricMotor

if TYPE_CHECKING:
    from cupola.parts.propulsion.rotor import Rotor


def check_motor(motor: "Rotor", models: Sequence[str]) -> None:
    """Refuse numbers that do not go together; `models` are the fields of which one may be given."""
    given = [name for name in models if getattr(motor, name) is not None]
    if len(given) > 1:
        raise ValueError(f"give numbers of one kind of motor, not of {' and '.join(given)}")
    if motor.law == "thesis" and motor.generic is None:
        raise ValueError("law: thesis is a law of generic motors")
    if motor.electric and (motor.efficiency is None or motor.c_power is None):
        raise ValueError("an electric motor needs the curves efficiency and c_power")
    if motor.battery and (motor.electric is None or motor.electric.r_battery != 0.0):
        raise ValueError("only an electric motor takes a battery, and its r_battery must be 0: the battery has its own")
    if motor.electric:
        _check_range(motor, motor.electric)
        if motor.inertia is not None:
            raise ValueError("inertia: an electric motor already has one, electric.inertia")
    if motor.reactions and motor.shaft_inertia() == 0.0:
        raise ValueError("reactions need the inertia of shaft and propeller [kg m²]")
    if motor.ground_effect and motor.disc_radius() == 0.0:
        raise ValueError("ground_effect needs the radius of the disc [m]")


def _check_range(motor: "Rotor", numbers: ElectricMotor) -> None:
    """The advance ratios asked for must lie within the propeller's data."""
    low, high = numbers.j_min, numbers.j_max
    if low >= high:
        raise ValueError(f"electric.j_min {low:g} must lie below j_max {high:g}")
    for name in ("efficiency", "c_power"):
        breaks = getattr(motor, name).breaks
        if breaks and not breaks[0] <= low < high <= breaks[-1]:
            covers = f"{breaks[0]:g} to {breaks[-1]:g}"
            raise ValueError(f"{name} covers advance ratios {covers}, but j_min to j_max is {low:g} to {high:g}")
