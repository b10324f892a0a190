"""Compressed gas that carries and pushes: the film under an air bearing, a cold-gas thruster, what both use up."""

import math
from typing import NamedTuple

from cupola.xmath import Number, clip, tanh

STANDARD_GRAVITY = 9.80665
"""[m/s²], in the definition of a specific impulse."""
NORMAL_DENSITY = 1.977
"""[kg/m³] of carbon dioxide at 0 °C and 101325 Pa: CRC Handbook of Chemistry and Physics."""
VISCOSITY = 1.47e-5
"""[Pa s] of carbon dioxide at 20 °C: CRC Handbook of Chemistry and Physics."""


class GasFlow(NamedTuple):
    """Gas that leaves a bottle."""

    rate: Number = 0.0
    """[kg/s]."""


class GasSupply(NamedTuple):
    """What a bottle still gives; one that never ends gives all."""

    share: Number = 1.0
    """[1] of the pressure behind its regulator."""


def film_drag(diameter: Number, gap: Number, viscosity: Number) -> Number:
    """Drag per speed [N s/m] of a round face on a film of gas: Newton's law of viscosity, a Couette flow."""
    return viscosity * 0.25 * math.pi * diameter * diameter / gap


def dry_drag(speed: Number, force: Number, blur: Number) -> Number:
    """Friction [N] of a pad on the table: against the motion, smoothed below a speed of `blur` [m/s]."""
    return -force * tanh(speed / blur)


def gas_flow(thrust: Number, specific_impulse: Number) -> Number:
    """Mass per time [kg/s] that leaves a nozzle."""
    return thrust / (specific_impulse * STANDARD_GRAVITY)


def supply_share(mass: Number, reserve: Number) -> Number:
    """Share of its pressure that a regulator holds, of the gas in its bottle [kg]: all of it down to the reserve."""
    return clip(mass / reserve, 0.0, 1.0)


def bottle_pressure(mass: Number, reserve: Number, regulated: Number, liquid: Number) -> Number:
    """[Pa] in a bottle of liquefied gas: that of the boiling liquid, and without any falling with the gas that is left.

    At the reserve it is what the regulator is set to, by the gas law at one temperature.
    """
    return clip(regulated * mass / reserve, 0.0, liquid)
