"""Thrusters of cold gas, in opposite pairs."""

from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.part import Part, Places, Row, row_type
from cupola.parts.propulsion.gas_tank import GasTank
from cupola.physics.gas import gas_flow
from cupola.xmath import Number


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
