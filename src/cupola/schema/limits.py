"""What a number of a file may be at most, by its unit, and which numbers must be positive.

A field says tighter bounds itself (`Field(ge=..., le=...)`). These hold for all others: they are far beyond anything
that moves, so that a slip of the finger or of units is found in the file and not as a body that runs away.
"""

import math
import re
from collections.abc import Hashable, Iterator
from typing import Annotated, Any, cast

from pydantic import Field

from cupola.schema.field_notes import field_notes

LARGEST: dict[str, float] = {
    "m": 1e8,  # a quarter of the way to the Moon
    "m²": 1e8,
    "m/s": 1e5,  # nine times what leaves the Earth
    "m/s²": 1e6,
    "rad": 1e4,
    "°": 1e6,
    "s": 1e9,  # thirty years
    "Hz": 1e6,
    "K": 1e4,
    "kg": 1e9,
    "T": 100.0,
    "V": 1e6,
    "A": 1e6,
    "m³/s²": 1e21,  # eight Suns
    "rad/s": 1e9,
    "1/s": 1e9,
}
"""Size that a number of this unit may have."""
OTHERWISE = 1e12
"""... and that of any other unit."""
PLAIN = 1e9
"""... and of one without a unit, as a coefficient."""
FREE = ("parameters", "coefficients", "breaks")
"""Numbers whose unit is not known here: of a controller or model, of a curve."""
WHOLE = 2**31 - 1
CHANNELS = 255
"""Largest number of a channel: a world has memory for all below the largest that is used."""
CommandChannel = Annotated[int, Field(ge=0, le=CHANNELS)]
"""One that something is written to, as a key."""
POSITIVE: dict[str, tuple[str, ...]] = {
    "Surface": ("area", "span", "chord", "oswald"),
    "LiftDrag": ("area", "chord", "aspect_ratio", "alpha_stall"),
    "Advanced": ("area", "mac", "ar", "eff", "alpha_stall"),
    "GenericMotor": ("s_prop", "k_motor", "k_omega"),
    "ElectricMotor": ("k_v", "r_motor", "cells", "cell_voltage", "prop_diameter", "inertia", "omega_max", "thrust_max"),
    "QuadraticMotor": ("diameter", "k_emf", "resistance", "voltage_max"),
    "LaggedMotor": ("speed_max", "time_constant", "k_thrust"),
    "GazeboMotor": ("max_rot_velocity", "motor_constant"),
    "Section": ("alpha_stall", "stall_onset", "stall_spread"),
    "Bluff": ("area",),
    "Flapping": ("frequency", "full_stroke_at"),
}
"""Of the groups of numbers that equations take, those that mean nothing at 0 and below."""
NOT_NEGATIVE: dict[str, tuple[str, ...]] = {
    "Surface": ("mcoeff", "c_drag_p"),
    "LiftDrag": ("mcoeff", "cd0", "cdi"),
    "Advanced": ("mcoeff", "cd0"),
    "GenericMotor": ("c_prop", "k_t_p"),
    "ElectricMotor": ("i_0", "r_battery", "omega_min"),
    "QuadraticMotor": ("idle_current",),
    "LaggedMotor": ("k_torque", "k_drag", "k_inflow", "k_flap", "k_damping"),
    "GazeboMotor": ("time_constant_up", "time_constant_down", "rotor_drag_coefficient", "max_relative_airspeed"),
    "Section": ("c_lift_a", "c_normal_90", "suction", "c_friction"),
    "Bluff": ("c_drag", "span", "chord"),
    "Flapping": ("amplitude",),
}


def beyond_limits(fields: dict[str, tuple[Any, str]]) -> Iterator[str]:
    """What is wrong with the numbers of an entry; `fields`: value and description by name."""
    for name, (value, about) in fields.items():
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            yield from _of_group(name, value)
        else:
            for place, number in _numbers(name, value):
                if problem := _too_large(number, _unit(name, about), name):
                    yield f"{place} {problem}"


def _of_group(field: str, group: Any) -> Iterator[str]:
    """Numbers that go together, as those of a motor."""
    kind = type(group).__name__
    for name, value in zip(group._fields, group, strict=True):
        if not isinstance(value, float | int):
            continue
        if name in POSITIVE.get(kind, ()) and not value > 0:
            yield f"{field}.{name} must be greater than 0, got {value:g}"
        elif name in NOT_NEGATIVE.get(kind, ()) and not value >= 0:
            yield f"{field}.{name} must be at least 0, got {value:g}"
        elif abs(value) > min(LARGEST.values()):  # only then the source is asked for the unit
            about = field_notes(cast(Hashable, type(group))).get(name, "")
            if problem := _too_large(value, _unit(name, about), name):
                yield f"{field}.{name} {problem}"


def beyond_unit(value: float, unit: str) -> str:
    """What is wrong with the size of a number in a unit; empty if nothing is."""
    return _too_large(float(value), unit, "")


def _numbers(place: str, value: Any) -> Iterator[tuple[str, float]]:
    """Every number in a value, with its place; entries inside check their own."""
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield place, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(f"{place}.{key}", inner)
    elif isinstance(value, list | tuple):
        for k, inner in enumerate(value):
            yield from _numbers(f"{place}[{k}]", inner)


def _unit(name: str, about: str) -> str:
    found = re.search(r"\[([^\]]+)\]", about)
    if found:
        return re.sub(r"(?<=[a-zA-Z])2\b", "²", found[1])
    return "°" if name.endswith("_deg") else "Hz" if name.endswith("_hz") else ""


def _too_large(value: float, unit: str, name: str) -> str:
    """What is wrong with the size of a number; empty if nothing is."""
    if isinstance(value, int):
        most: float = CHANNELS if "channel" in name or name in ("output", "camera_command", "laser_command") else WHOLE
    else:
        most = LARGEST.get(unit, OTHERWISE) if unit or name in FREE else PLAIN
    if math.isfinite(value) and abs(value) <= most:
        return ""
    return f"must lie within ±{most:g}{f' {unit}' if unit else ''}, got {value:g}"
