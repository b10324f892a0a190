"""Thrusters of cold gas, in opposite pairs."""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.parts.binding import Arrow, BindContext, Take
from cupola.parts.described import NozzlePair, RootFrame
from cupola.parts.part import Part
from cupola.physics.gas import GasFlow, GasSupply, gas_flow
from cupola.physics.rotation import Vector, Wrench
from cupola.xmath import Number


class ThrusterNumbers(NamedTuple):
    """Two opposite nozzles."""

    thrust: float
    delay: float
    pulse_min: float
    flow: float
    """[kg/s]."""


class ThrusterOutput(NamedTuple):
    """Outputs of a pair of nozzles."""

    thrust: Number
    """[N] along the x axis of its site."""


class Valve(NamedTuple):
    """-1, 0 or 1: what the valves are told, for how long [s], and which is open."""

    signal: Number = 0.0
    since: Number = 0.0
    open: Number = 0.0


class ThrusterMove(NamedTuple):
    """Answer of `actuate`."""

    state: Valve
    output: ThrusterOutput
    flow_out: GasFlow


class ThrusterPair(Part):
    """Two opposed nozzles: a command above 0.5 pushes along the x axis of the site, below -0.5 against it."""

    kind: Literal["thruster_pair"]
    site: str = Field(description="site of the model; x is where a positive command pushes")
    channel: int = Field(ge=0)
    thrust: float = Field(gt=0, description="[N] of one nozzle")
    delay: float = Field(0.0, ge=0, description="[s] from signal to valve")
    pulse_min: float = Field(0.0, ge=0, description="[s] that a signal lasts at least")
    specific_impulse: float = Field(gt=0, description="[s]")
    tank: str | None = Field(None, description="name of the bottle; none: it never ends")

    Numbers = (ThrusterNumbers,)
    Index: ClassVar[dict[str, str]] = {"channel": "i8"}
    State = Valve
    switches = Valve._fields
    Output = ThrusterOutput
    takes: ClassVar[dict[str, Take]] = {"supply": Take(GasSupply, "tank")}
    feeds: ClassVar[dict[str, Any]] = {"flow_out": (GasFlow, "tank")}
    order = 120
    arrow = Arrow("thrust")

    def describe(self, places: BindContext, frame: RootFrame) -> NozzlePair:
        """Where it is, and where it pushes."""
        site = places.site(self.site)
        return NozzlePair(self.channel, frame.place(site), frame.axis(site), self.thrust, self.pulse_min)

    def model_post_init(self, _: Any) -> None:
        """A valve that is slower than a pulse would never open."""
        if self.delay > self.pulse_min:
            raise ValueError(f"pulse_min must not be shorter than delay, got {self.pulse_min:g} and {self.delay:g} s")

    def used_channels(self) -> tuple[int, ...]:
        """The one channel."""
        return (self.channel,)

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Of its valves and nozzles."""
        flow = gas_flow(self.thrust, self.specific_impulse)
        return {**super().numbers(places), "flow": flow, "channel": places.channel(self.channel)}

    @staticmethod
    def actuate(p: Number, state: Valve, command: Number, supply: GasSupply, dt: Number) -> ThrusterMove:
        """Valves open and close; thrust and flow follow what the bottle still held before this tick."""
        now = valve_step(p, state, command, dt)
        thrust = p.thrust * now.open * supply.share
        return ThrusterMove(now, ThrusterOutput(thrust), GasFlow(p.flow * abs(now.open) * supply.share))

    @staticmethod
    def load(output: ThrusterOutput) -> Wrench:
        """The thrust of the tick, along the x axis of the site."""
        return Wrench(Vector(output.thrust, 0.0, 0.0), Vector(0.0, 0.0, 0.0))


def valve_step(row: Number, now: Valve, command: Number, dt: Number) -> Valve:
    """Signal and valve one tick later."""
    asked = 1.0 if command > 0.5 else -1.0 if command < -0.5 else 0.0
    signal, since = now.signal, now.since
    if asked != signal and (signal == 0.0 or since >= row.pulse_min - 0.5 * dt):
        signal, since = asked, 0.0
    opened = signal if since >= row.delay - 0.5 * dt else now.open
    return Valve(signal, since + dt, opened)
