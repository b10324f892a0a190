"""Compressed gas on board: the bottle, the air bearings that float on it, and thrusters in opposite pairs."""

from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.part import Part, Places, Row, row_type
from cupola.physics.gas import NORMAL_DENSITY, VISCOSITY, dry_drag, film_drag, gas_flow
from cupola.physics.rotation import Vector, Wrench
from cupola.xmath import Number, sqrt

LITRE_PER_MINUTE = 1e-3 / 60.0
"""[m³/s]."""
FAINT = 1e-9
"""[m/s] that leave the direction of a friction defined where nothing moves."""


class TankNumbers(NamedTuple):
    """One bottle."""

    reserve: float
    """[kg]."""


class TankOutput(NamedTuple):
    """What is left in a bottle, and what leaves it."""

    mass: float
    """[kg]."""
    share: float
    """[1] of the pressure behind its regulator that it still holds."""
    flow: float
    """[kg/s]."""


class GasTank(Part):
    """A bottle behind a regulator. Its gas is not taken off the mass of the vehicle: it is some grams."""

    kind: Literal["gas_tank"]
    mass: float = Field(gt=0, description="[kg] of gas at the start")
    reserve: float = Field(gt=0, description="[kg] below which the regulator no longer holds its pressure")

    fixed = ("mass",)
    Output = TankOutput

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        state, output = places.state(self.mass), places.output(len(TankOutput._fields))
        return np.array((self.reserve, state, output), TANK)


TANK = row_type(TankNumbers, state="i8", output="i8")


class BearingNumbers(NamedTuple):
    """One pad."""

    drag: float
    """[N s/m] while it floats."""
    friction: float
    """[N] while it does not."""
    blur: float
    flow: float
    """[kg/s]."""


class AirBearing(Part):
    """A pad on a film of gas under its site, whose z axis is normal to the table; without gas it lies on it."""

    kind: Literal["air_bearing"]
    site: str = Field(description="site of the model; z is normal to the table")
    diameter: float = Field(gt=0, description="[m] of its face")
    gap: float = Field(5e-6, gt=0, description="[m] height of the film")
    viscosity: float = Field(VISCOSITY, ge=0, description="[Pa s] of the gas; 0: no drag")
    flow_lpm: float = Field(0.0, ge=0, description="litres of gas per minute at 0 °C, 101325 Pa")
    load: float = Field(0.0, ge=0, description="[N] that it carries")
    friction: float = Field(0.2, ge=0, description="with the table, without gas")
    blur: float = Field(0.002, gt=0, description="[m/s] below which that friction fades")
    tank: str | None = Field(None, description="name of the bottle; none: it never ends")

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        row = np.zeros((), BEARING)
        row["drag"] = film_drag(self.diameter, self.gap, self.viscosity)
        row["friction"], row["blur"] = self.friction * self.load, self.blur
        row["flow"] = NORMAL_DENSITY * self.flow_lpm * LITRE_PER_MINUTE
        row["site"] = site = places.site(self.site)
        row["body"], row["vehicle"] = places.body_of(site), places.vehicle
        row["tank"] = -1 if self.tank is None else places.rank(GasTank, self.tank)
        return row


BEARING = row_type(BearingNumbers, body="i8", site="i8", vehicle="i8", tank="i8")


def bearing_load(row: Number, velocity: Vector, floats: Number) -> Wrench:
    """Drag in the axes of the site, of the film or of the table."""
    speed = sqrt(velocity.x * velocity.x + velocity.y * velocity.y)
    per_speed = -row.drag
    if not floats:
        per_speed = dry_drag(speed, row.friction, row.blur) / (speed + FAINT)
    return Wrench(Vector(per_speed * velocity.x, per_speed * velocity.y, 0.0), Vector(0.0, 0.0, 0.0))


class ThrusterNumbers(NamedTuple):
    """Two opposite nozzles."""

    thrust: float
    delay: float
    pulse_min: float
    flow: float
    """[kg/s]."""


class ThrusterOutput(NamedTuple):
    """What a pair of nozzles does now."""

    thrust: float
    """[N] along the x axis of its site."""


class ThrusterPair(Part):
    """Two nozzles back to back: a command above 0.5 pushes along the x axis of the site, below -0.5 against it."""

    kind: Literal["thruster_pair"]
    site: str = Field(description="site of the model; x is where a positive command pushes")
    channel: int = Field(ge=0)
    thrust: float = Field(gt=0, description="[N] of one nozzle")
    delay: float = Field(0.0, ge=0, description="[s] from signal to valve")
    pulse_min: float = Field(0.0, ge=0, description="[s] that a signal lasts at least")
    specific_impulse: float = Field(gt=0, description="[s]")
    tank: str | None = Field(None, description="name of the bottle; none: it never ends")

    Output = ThrusterOutput

    def model_post_init(self, _: Any) -> None:
        """A valve that is slower than a pulse would never open."""
        if self.delay > self.pulse_min:
            raise ValueError(f"pulse_min must not be shorter than delay, got {self.pulse_min:g} and {self.delay:g} s")

    def used_channels(self) -> tuple[int, ...]:
        """The one channel."""
        return (self.channel,)

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        row = np.zeros((), THRUSTER)
        row["thrust"], row["delay"], row["pulse_min"] = self.thrust, self.delay, self.pulse_min
        row["flow"] = gas_flow(self.thrust, self.specific_impulse)
        row["site"] = site = places.site(self.site)
        row["body"], row["channel"] = places.body_of(site), places.channel(self.channel)
        row["tank"] = -1 if self.tank is None else places.rank(GasTank, self.tank)
        row["state"], row["output"] = places.state(0.0, 0.0, 0.0), places.output(1)
        return row


THRUSTER = row_type(ThrusterNumbers, **dict.fromkeys(("body", "site", "channel", "tank", "state", "output"), "i8"))


class Valve(NamedTuple):
    """-1, 0 or 1: what the valves are told, for how long [s], and which is open."""

    signal: Number
    since: Number
    open: Number


def valve_step(row: Number, now: Valve, command: Number, dt: Number) -> Valve:
    """Signal and valve one tick later."""
    asked = 1.0 if command > 0.5 else -1.0 if command < -0.5 else 0.0
    signal, since = now.signal, now.since
    if asked != signal and (signal == 0.0 or since >= row.pulse_min - 0.5 * dt):
        signal, since = asked, 0.0
    opened = signal if since >= row.delay - 0.5 * dt else now.open
    return Valve(signal, since + dt, opened)
