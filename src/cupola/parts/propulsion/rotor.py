"""A motor with its propeller at a site: thrust along the site's x axis.

One sign for all engines: `direction` +1 turns right-handed about +x; the torque on the vehicle opposes the rotation.
"""

import math
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.curve import curve_value
from cupola.parts.part import Curve, Load, Places, Row, SiteMotion, row_type
from cupola.parts.propulsion.propeller import Propeller
from cupola.physics.blades import LaggedMotor, blades_along, blades_aside, lagged_speed
from cupola.physics.motor import (
    ElectricMotor,
    GenericMotor,
    QuadraticMotor,
    advance_ratio,
    electric_motor,
    generic_motor,
    quadratic_motor,
    spin_up,
    spin_up_literal,
)
from cupola.physics.rotation import Wrench, length
from cupola.xmath import Number, clip

NONE, GENERIC, ELECTRIC, QUADRATIC, LAGGED, ELEMENTS = 0, 1, 2, 3, 4, 5
MODELS = {"generic": GENERIC, "electric": ELECTRIC, "quadratic": QUADRATIC, "lagged": LAGGED, "elements": ELEMENTS}


class RotorOutput(NamedTuple):
    """What a motor and its propeller do now."""

    thrust: Number
    """[N] along +x of the site."""
    torque: Number
    """[N m] on the vehicle about +x of the site."""
    omega: Number
    """[rad/s] about +x of the site."""
    airspeed: Number
    """[m/s]."""
    current: Number
    """[A]; 0 for a motor that does not model it."""
    power: Number
    """[W] shaft power; 0 for a motor that does not model it."""


class Rotor(Load):
    """Motor and propeller. Give numbers of one of `MODELS`; none: a motor that is off."""

    kind: Literal["rotor"]
    channel: int = Field(ge=-1, description="command channel of the throttle, 0 to 1")
    direction: Literal[-1, 1] = Field(description="+1: right-handed about the site's x axis")
    generic: GenericMotor | None = None
    electric: ElectricMotor | None = None
    quadratic: QuadraticMotor | None = None
    lagged: LaggedMotor | None = None
    elements: Propeller | None = Field(None, description="blades by their geometry: blade elements and momentum")
    efficiency: Curve | None = Field(None, description="propeller efficiency against advance ratio, for electric")
    c_power: Curve | None = Field(None, description="power coefficient against advance ratio, for electric")
    battery: str | None = Field(
        None, description="battery part that feeds an electric motor; without one it never sags"
    )
    spin_up: Literal["physical", "literal"] = Field(
        "physical", description="literal: the thesis's rule, step-size free"
    )
    radius: float | None = Field(None, gt=0, description="[m] of the disc; without it, that of the motor's numbers")
    ground_effect: bool = Field(False, description="more thrust near the floor")
    reactions: bool = Field(False, description="gyroscopic and spin-up torque of the spinning mass")
    inertia: float | None = Field(
        None, gt=0, description="[kg m²] of shaft and propeller, for reactions; an electric motor has its own"
    )

    def used_channels(self) -> tuple[int, ...]:
        """The throttle."""
        return (self.channel,)

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        model = self._check()
        site = places.site(self.site)
        row = np.zeros((), ROTOR)
        numbers = self.generic or self.electric or self.quadratic or self.lagged
        for name, value in (numbers._asdict() if numbers else {}).items():
            row[name] = value
        if self.elements:
            self._lay_rings(self.elements, places, row)
        row["model"] = model
        row["body"], row["site"], row["vehicle"] = places.body_of(site), site, places.vehicle
        row["channel"], row["direction"] = places.channel(self.channel), self.direction
        row["battery"] = places.battery(self.battery) if self.battery else -1
        row["literal"] = self.spin_up == "literal"
        row["radius"], row["ground"] = self.disc_radius(), self.ground_effect and places.ground
        row["shaft_inertia"] = self.shaft_inertia() if self.reactions else 0.0
        spin = self.direction * self.electric.omega_min if self.electric else 0.0
        row["state"] = places.state(spin, 0.0, *([0.0] if self.reactions else []))
        row["efficiency_start"], row["efficiency_segments"], row["efficiency_count"] = places.curve(self.efficiency)
        row["power_start"], row["power_segments"], row["power_count"] = places.curve(self.c_power)
        row["output"] = places.output(len(RotorOutput._fields))
        return row

    def _lay_rings(self, blades: Propeller, places: Places, row: Row) -> None:
        """The rings go into the pool, the air that they move into the state."""
        row["speed_max"], row["time_constant"] = blades.speed_max, blades.time_constant
        row["first"], row["count"] = len(places.pool), blades.rings
        for ring in blades.elements():
            places.pool += ring
        row["inflow"] = places.state(*[0.0] * blades.rings)

    def disc_radius(self) -> float:
        """Of the disc that the propeller sweeps [m]; 0 when nothing says."""
        if self.radius is not None:
            return self.radius
        if self.elements:
            return self.elements.radius
        if self.generic:
            return math.sqrt(max(self.generic.s_prop, 0.0) / math.pi)
        return 0.5 * (
            self.electric.prop_diameter if self.electric else self.quadratic.diameter if self.quadratic else 0
        )

    def shaft_inertia(self) -> float:
        """Of shaft and propeller about the shaft [kg m²]; 0 when nothing says."""
        return self.electric.inertia if self.electric else self.inertia or 0.0

    def _check(self) -> int:
        """Refuse numbers that do not go together; the result is the kind of motor."""
        given = [name for name in MODELS if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"give numbers of one kind of motor, not of {' and '.join(given)}")
        if self.electric and (self.efficiency is None or self.c_power is None):
            raise ValueError("an electric motor needs the curves efficiency and c_power")
        if self.battery and (self.electric is None or self.electric.r_battery != 0.0):
            raise ValueError(
                "only an electric motor takes a battery, and its r_battery must be 0: the battery has its own"
            )
        if self.electric:
            self._check_range(self.electric)
            if self.inertia is not None:
                raise ValueError("inertia: an electric motor already has one, electric.inertia")
        if self.reactions and self.shaft_inertia() == 0.0:
            raise ValueError("reactions need the inertia of shaft and propeller [kg m²]")
        if self.ground_effect and self.disc_radius() == 0.0:
            raise ValueError("ground_effect needs the radius of the disc [m]")
        return MODELS[given[0]] if given else NONE

    def _check_range(self, numbers: ElectricMotor) -> None:
        """The advance ratios asked for must lie within the propeller's data."""
        low, high = numbers.j_min, numbers.j_max
        if low >= high:
            raise ValueError(f"electric.j_min {low:g} must lie below j_max {high:g}")
        for name in ("efficiency", "c_power"):
            breaks = getattr(self, name).breaks
            if breaks and not breaks[0] <= low < high <= breaks[-1]:
                covers = f"{breaks[0]:g} to {breaks[-1]:g}"
                raise ValueError(f"{name} covers advance ratios {covers}, but j_min to j_max is {low:g} to {high:g}")


class _Disc(NamedTuple):
    direction: float
    radius: float
    shaft_inertia: float


ROTOR = row_type(
    GenericMotor,
    ElectricMotor,
    QuadraticMotor,
    LaggedMotor,
    _Disc,
    **dict.fromkeys(
        ("body", "site", "vehicle", "output", "model", "channel", "literal", "state", "battery", "ground"), "i8"
    ),
    **dict.fromkeys(("first", "count", "inflow"), "i8"),
    **dict.fromkeys(("efficiency_start", "efficiency_segments", "efficiency_count"), "i8"),
    **dict.fromkeys(("power_start", "power_segments", "power_count"), "i8"),
)


def rotor_load(
    row: Number,
    omega: Number,
    motion: SiteMotion,
    density: Number,
    drive: Number,
    curves: Number,
    supply: Number = 1.0,
) -> RotorOutput:
    """Thrust and torque now; `omega` is the shaft speed of one that spins up, `supply` its voltage by the nominal."""
    throttle = clip(drive[row.channel], 0.0, 1.0)
    airspeed = length(motion.vel_air_s)
    if row.model == GENERIC:
        out = generic_motor(throttle, motion.vel_air_s.x, density, row.direction, row)
        return RotorOutput(out.thrust, out.torque, out.omega, airspeed, 0.0, 0.0)
    if row.model == ELECTRIC:
        spin = _electric(row, omega, throttle * supply, motion.vel_air_s.x, density, curves)
        return RotorOutput(spin.thrust, spin.torque, omega, airspeed, spin.current, spin.power_motor)
    if row.model == QUADRATIC:
        now = quadratic_motor(throttle, airspeed, density, row.direction, row)
        return RotorOutput(now.thrust, now.torque, now.omega, airspeed, now.current, now.power)
    if row.model == LAGGED:
        out = blades_along(omega, motion.vel_air_s.x, density, row.direction, row)
        return RotorOutput(out.thrust, out.torque, omega, airspeed, 0.0, 0.0)
    return RotorOutput(0.0, 0.0, 0.0, airspeed, 0.0, 0.0)


def side_load(row: Number, omega: Number, motion: SiteMotion, density: Number) -> Wrench:
    """What blades that feel the air from every side add to thrust and torque, axes of the site."""
    return blades_aside(omega, motion.vel_air_s, motion.rate_s, density, row)


def generic_speed(row: Number, drive: Number) -> Number:
    """Shaft speed of a motor that follows its throttle at once [rad/s]; 0 for one that is switched off."""
    return row.direction * row.k_omega * clip(drive[row.channel], 0.0, 1.0)


def speed_behind(row: Number, omega: Number, drive: Number, dt: Number) -> Number:
    """Shaft speed after one tick of a motor that lags behind its throttle [rad/s]."""
    return lagged_speed(omega, clip(drive[row.channel], 0.0, 1.0), row.direction, dt, row)


def electric_speed(
    row: Number,
    omega: Number,
    motion: SiteMotion,
    density: Number,
    drive: Number,
    curves: Number,
    dt: Number,
    supply: Number = 1.0,
) -> Number:
    """Shaft speed after one tick [rad/s]."""
    throttle = clip(drive[row.channel], 0.0, 1.0)
    spin = _electric(row, omega, throttle * supply, motion.vel_air_s.x, density, curves)
    if row.literal:
        return spin_up_literal(omega, spin.omega_dot, throttle, row.direction, row)
    return spin_up(omega, spin.omega_dot, row.direction, dt, row)


def _electric(
    row: Number, omega: Number, throttle: Number, v_normal: Number, density: Number, curves: Number
) -> Number:
    ratio = advance_ratio(v_normal, omega, row)
    efficiency = curve_value(ratio, row.efficiency_start, row.efficiency_segments, row.efficiency_count, curves)
    c_power = curve_value(ratio, row.power_start, row.power_segments, row.power_count, curves)
    return electric_motor(throttle, omega, v_normal, density, efficiency, c_power, row.direction, row)
